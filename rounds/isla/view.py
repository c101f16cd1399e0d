"""What a seat, or everybody, may see (I27): of all that is hidden its own hand and deals."""

from collections.abc import Mapping
from typing import Any

from rounds.classic.round import ranks
from rounds.classic.view import SeatView as ClassicSeatView
from rounds.classic.view import View as ClassicView
from rounds.classic.view import farm_known, known
from rounds.engine.beans import Deck
from rounds.engine.farm import FIELDS, FieldView, Stack
from rounds.isla.notation import ACO, BAY
from rounds.isla.round import result, worth_of_ships
from rounds.isla.table import HouseRules, Table, awaited


class ShipView(FieldView, frozen=True):
    """A ship with its load, what it would earn, and the next tier; the harbour where it lies, and
    those where its variety lies now.
    """

    away: str | None
    goals: tuple[str, ...]


class SeatView(ClassicSeatView, frozen=True, kw_only=True):
    """A farm with its ships. `may_buy`: of C, T and X those that it may still buy."""

    ships: tuple[ShipView, ...]
    may_buy: tuple[str, ...]  # type: ignore[assignment]
    on_ships: int
    """What the trading ships would earn now."""

    @property
    def total(self) -> int:
        """Purse, fields and trading ships together."""
        return super().total + self.on_ships


class View(ClassicView, frozen=True, kw_only=True):
    """Everything that may be shown to `seat` (None: to anybody)."""

    farms: tuple[SeatView, ...]
    ranking: tuple[SeatView, ...]
    house_rules: HouseRules
    bay: tuple[str, ...]
    """The open cards of Bohnbay; what lies on the beach of Bohnaco is the discard pile."""
    prices: dict[str, int]

    def farm(self, seat: str) -> SeatView:
        """The farm of a seat. Raises StopIteration if nobody of that name sits here."""
        return next(farm for farm in self.farms if farm.seat == seat)

    @property
    def pirates(self) -> tuple[str, ...]:
        """The seats that own a pirate ship."""
        return tuple(
            farm.seat for farm in self.farms if any(ship.letter == "X" for ship in farm.ships)
        )


def view(table: Table, seat: str | None) -> View:
    """What `seat` may see."""
    end = result(table)
    purse = {one: table.farms[one].talers for one in table.seats}
    places = end.ranks if end else ranks(HouseRules(), purse, dict.fromkeys(table.seats, 0))
    farms = tuple(SeatView(**_farm(table, one, places[one])) for one in table.seats)
    seen = known(table, seat, farms) | {"awaited": awaited(table)}
    final = end.talers if end else None
    return View(farms=farms, final=final, bay=table.bay, prices=table.prices, **seen)


def _farm(table: Table, seat: str, rank: int) -> dict[str, Any]:
    ships, has_all = table.ships[seat], len(table.farms[seat].fields) == len(FIELDS)
    owned = {*ships, *("C" if has_all else ())}
    return farm_known(table, seat, rank) | {
        "ships": tuple(_ship(table, seat, ship, load) for ship, load in ships.items()),
        "may_buy": tuple(what for what in table.prices if what not in owned and not table.over),
        "on_ships": worth_of_ships(table, seat),
    }


def _ship(table: Table, seat: str, ship: str, load: Stack | None) -> ShipView:
    away = table.away[seat].get(ship)
    if load is None:
        return ShipView(ship, None, 0, 0, None, away, ())
    goals = [
        harbour
        for harbour, cards in ((BAY, table.bay), (ACO, table.discard))
        if load.variety in cards
    ]
    return ShipView(ship, load.variety, load.cards, *earns(table.deck, load), away, tuple(goals))


def earns(deck: Deck, load: Stack) -> tuple[int, tuple[int, int] | None]:
    """What a load earns now, and the next tier: (beans missing, talers then), None when full."""
    variety = deck[load.variety]
    return variety.talers(load.cards), variety.next_tier(load.cards)


def scores(seen: View) -> Mapping[str, int]:
    """The talers of each seat by rank: in the purse, or after the end."""
    return {farm.seat: (seen.final or {}).get(farm.seat, farm.talers) for farm in seen.ranking}
