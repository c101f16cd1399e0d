"""Klimperbohn: minibohn, in which each player begins with a coin that nobody else sees. At the end
it counts with the talers, in hundredths.

It stands on a game of another package, has a second pile with a data file of its own, and a bean
whose name another game uses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from minibohn import table as base
from minibohn import variant as minibohn
from minibohn.round import worth
from minibohn.view import View as BaseView
from minibohn.view import secrets as base_secrets
from minibohn.view import view as base_view
from msgspec.structs import asdict

from rounds.engine.beans import PILE_LABEL, Deck
from rounds.engine.events import Event, Ranked
from rounds.engine.notation import Orders
from rounds.engine.shuffle import Chance
from rounds.engine.variant import Hidden, Result, Scores, shared_ranks, stored, without

FULL = 100
PILE = "coin"


class Table(base.Table, frozen=True, kw_only=True):
    """The table of minibohn, with the coins as they were dealt."""

    coins: tuple[str, ...]

    def coin(self, seat: str) -> str:
        """The coin of a seat: hidden from everybody else."""
        return self.coins[self.seats.index(seat)]


class View(BaseView, frozen=True, kw_only=True):
    """What may be seen in minibohn, and the own coin."""

    coin: str | None
    points: dict[str, int]


class End(Result, frozen=True):
    """The end: `score` in hundredths of a taler."""

    score: dict[str, int]

    @property
    def points(self) -> Mapping[str, int]:
        """What ranks go by."""
        return self.score


def coins(deck: Deck, chance: Chance) -> tuple[str, ...]:
    """The pile of coins, top first."""
    pile = deck.pile(PILE)
    return tuple(pile[number] for number in chance(PILE_LABEL.format(PILE), len(pile)))


def set_up(
    deck: Deck, rules: Any, seats: Sequence[str], chance: Chance
) -> tuple[Table, tuple[Event, ...]]:
    """A coin is dealt to each seat."""
    table, events = minibohn.set_up(deck, rules, seats, chance)
    return Table(**asdict(table), coins=coins(deck, chance)), events


def adjudicate(
    table: Table, orders: Mapping[str, Orders | None], chance: Chance
) -> tuple[Table, tuple[Event, ...]]:
    """As in minibohn; at the end the coins are shown."""
    after, events = minibohn.adjudicate(table, orders, chance)
    end = result(after)
    played = [event for event in events if not isinstance(event, Ranked)]
    return after, (*played, *(end.events() if end else ()))


def result(table: Table) -> End | None:
    """Talers and coins."""
    if not table.over:
        return None
    talers, paid = worth(table), {card.id: card.value for card in table.deck.piles[PILE]}
    score = {seat: FULL * talers[seat] + paid[table.coin(seat)] for seat in table.seats}
    return End(talers, shared_ranks(score), score)


def view(table: Table, seat: str | None) -> View:
    """What `seat` may see: of all coins its own."""
    end = result(table)
    talers = {one: FULL * own for one, own in worth(table).items()}
    return View(
        **asdict(base_view(table, seat)),
        coin=table.coin(seat) if seat else None,
        points=end.score if end else talers,
    )


def scores(seen: View) -> Mapping[str, int]:
    """The points of each seat, by rank."""
    return dict(sorted(seen.points.items(), key=lambda pair: -pair[1]))


def secrets(before: Table, events: tuple[Event, ...], after: Table) -> dict[str, Any]:
    """What is added once the game is over: as in minibohn, and the coins."""
    shown = {seat: after.coin(seat) for seat in after.seats}
    return base_secrets(before, events, after) | {"coins": shown}


def _found_again(kept: Any, deck: Deck, chance: Chance) -> dict[str, Any]:
    second = base.shuffled(kept.reshuffled, chance) if kept.reshuffled else ()
    return {
        "deck": deck,
        "cards": deck.shuffled(chance) + second,
        "coins": coins(deck, chance),
    }


variant = replace(
    minibohn,
    name="klimperbohn",
    based_on="minibohn",
    set_up=set_up,
    storage=stored(without(Table, "deck", "cards", "coins"), Table, _found_again),
    adjudicate=adjudicate,
    result=result,
    view=view,
    hidden=Hidden(grammar=minibohn.hidden.grammar, secrets=secrets) if minibohn.hidden else None,
    scores=Scores(scores, per_taler=FULL),
    hindsight=None,
)
