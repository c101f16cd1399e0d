"""What a seat, or everybody, may see (M31)."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from rounds.classic.round import ranks
from rounds.classic.view import SeatView as ClassicSeatView
from rounds.classic.view import View as ClassicView
from rounds.classic.view import farm_known, known
from rounds.engine.farm import FIELDS
from rounds.mutabohn.bonus import PILE, begun, fits, values
from rounds.mutabohn.round import bonus_of, result
from rounds.mutabohn.table import FULL, Chain, ChainView, HouseRules, Table, chain


class BonusCard(Struct, frozen=True):
    """An own bonus card: what it pays, and the field that has come furthest with it, with the
    number of letters that it has.
    """

    place: int
    code: str
    value: int
    field: str
    begun: int
    next: str
    """The variety that would be the next letter; empty if nothing fits yet."""


class SeatView(ClassicSeatView, frozen=True, kw_only=True):
    """A farm, with what everybody knows of its bonus cards: the sum in hundredths, the codes
    that were cashed, the number held.
    """

    fields: tuple[ChainView, ...]
    bonus: int
    cashed: tuple[tuple[str, int], ...]
    """Codes, each with the place where it was held."""
    held: int
    fines: int
    feed: str
    score: int
    """So far, or at the end, in hundredths."""
    left: tuple[str, ...]
    """Codes still held, once the game is over."""

    @property
    def codes(self) -> tuple[str, ...]:
        """What was cashed."""
        return tuple(code for code, _ in self.cashed)


class View(ClassicView, frozen=True, kw_only=True):
    """Everything that may be shown to `seat` (None: to anybody).

    `held`: the own bonus cards by place, None for an empty one; `bonus_unseen`: how many of each
    code the viewer does not see, held by others or in the pile.
    """

    farms: tuple[SeatView, ...]
    ranking: tuple[SeatView, ...]
    chain: tuple[str, ...]
    """The varieties from the fewest cards to the most."""
    held: tuple[BonusCard | None, ...] | None
    bonus_unseen: dict[str, int]
    bonus_pile: int
    values: dict[str, int]
    feeds: bool
    """Whether fields may be fed to the pile."""
    ending: bool
    """Whether nothing is drawn any more: this turn is the last, or the last round has come."""

    def farm(self, seat: str) -> SeatView:
        """The farm of a seat. Raises StopIteration if nobody of that name sits here."""
        return next(farm for farm in self.farms if farm.seat == seat)


def view(table: Table, seat: str | None) -> View:
    """What `seat` may see."""
    end = result(table)
    score = {one: score_of(table, one) for one in table.seats} if end is None else end.score
    places = end.ranks if end else ranks(HouseRules(), score, dict.fromkeys(table.seats, 0))
    farms = tuple(
        SeatView(
            **farm_known(table, one, places[one]),
            bonus=bonus_of(table, one),
            cashed=table.cashed[one],
            held=sum(card is not None for card in table.held[one]),
            fines=table.fines[one],
            feed=table.feed.get(one, ""),
            score=score[one],
            left=tuple(filter(None, table.codes(one))) if end else (),
        )
        for one in table.seats
    )
    own = () if seat is None else table.codes(seat)
    held = tuple(_card(table, seat or "", place) for place in range(len(own)))
    seen = Counter((*own, *(code for cashed in table.cashed.values() for code, _ in cashed)))
    return View(
        **known(table, seat, farms),
        farms=farms,
        final=end.talers if end else None,
        chain=chain(table.deck),
        held=None if seat is None else held,
        bonus_unseen={
            card.id: card.cards - seen[card.id]
            for card in table.deck.piles[PILE]
            if card.cards > seen[card.id]
        },
        bonus_pile=len(table.bonus_pile),
        values=values(table.deck),
        feeds=not table.size.run_outs,
        ending=table.ending,
    )


def _card(table: Table, seat: str, place: int) -> BonusCard | None:
    code, varieties = table.codes(seat)[place], chain(table.deck)
    if code is None:
        return None
    fields = zip(FIELDS, table.farms[seat].fields, strict=False)
    ways = [(*_progress(code, there, varieties), letter) for letter, there in fields if there]
    # a field that can go on comes before one that is further and can't
    number, following, letter = max(
        ways, key=lambda way: (bool(way[1]), way[0]), default=(0, "", "")
    )
    return BonusCard(
        place + 1, code, values(table.deck)[code], letter if number else "", number, following
    )


def _progress(code: str, field: Chain, varieties: Sequence[str]) -> tuple[int, str]:
    """How many letters of a code a field ends with from which it can be finished, and the variety
    of the next one. Where the chain ends too early the variety is empty.
    """
    top, last = varieties.index(field.variety), ord(code[-1])
    for number in range(len(code) - 1, 0, -1):
        if fits(code[:number], field.runs) and top + last - ord(code[number - 1]) < len(varieties):
            return number, varieties[top + (code[number] != code[number - 1])]
    return begun(code, field.runs), ""


def score_of(table: Table, seat: str) -> int:
    """What a seat has so far, in hundredths: without what its fields would pay."""
    return FULL * (table.farms[seat].talers - table.fines[seat]) + bonus_of(table, seat)


def scores(seen: View) -> Mapping[str, int]:
    """The score of each seat by rank, in hundredths."""
    return {farm.seat: farm.score for farm in seen.ranking}
