"""The table of Mutabohn: fields that are chains, bonus cards, and what depends on the number of
players.
"""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rounds.classic import table as classic
from rounds.classic.notation import Language
from rounds.classic.table import Size, dealt, drawn_again, hand_sizes
from rounds.engine.beans import Deck
from rounds.engine.farm import FIELDS, Farm, FieldView, Stack
from rounds.engine.shuffle import Chance
from rounds.engine.variant import stored, without
from rounds.mutabohn.bonus import HELD, shuffled
from rounds.mutabohn.notation import LANGUAGE

FULL = 100
"""Hundredths in a taler: scores are counted in them (M30)."""


class Chain(Stack, frozen=True, array_like=True):
    """A field: the variety of its last card, the number of all its cards, and its runs from the
    bottom (M10).
    """

    runs: tuple[Stack, ...]

    @property
    def planted(self) -> tuple[str, ...]:
        """Its cards from the bottom."""
        return tuple(run.variety for run in self.runs for _ in range(run.cards))

    def divided(self, talers: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Its cards when it is harvested: the last planted become coins (M10)."""
        cards, rest = self.planted, self.cards - talers
        return cards[rest:], cards[:rest]


def chain_of(runs: Sequence[Stack]) -> Chain:
    """The field with these runs, from the bottom; not none."""
    return Chain(runs[-1].variety, sum(run.cards for run in runs), tuple(runs))


class ChainView(FieldView, frozen=True):
    """A field as it is shown, with its runs from the bottom."""

    runs: tuple[Stack, ...]


class ChainFarm(Farm, frozen=True):
    """A farm whose fields may hold several varieties, one upon the other."""

    fields: Annotated[tuple[Chain | None, ...], Meta(min_length=2, max_length=2)] = (None, None)

    def with_card(self, field: str, variety: str) -> "Farm":
        """The same farm with one more card on a field, of its last variety or the next one."""
        there = self.fields[FIELDS.index(field)]
        runs = list(there.runs) if there else []
        if runs and runs[-1].variety == variety:
            runs[-1] = replace(runs[-1], cards=runs[-1].cards + 1)
        else:
            runs.append(Stack(variety, 1))
        return self.with_field(field, chain_of(runs))

    def shown(self, deck: Deck) -> tuple[FieldView, ...]:
        """Its fields as they are shown, with their worth."""
        return tuple(
            ChainView(
                f.letter, f.variety, f.beans, f.talers, f.next_tier, there.runs if there else ()
            )
            for f, there in zip(super().shown(deck), self.fields, strict=True)
        )


SIZES = {
    3: Size(("mocha", "wax", "coffee", "brandy"), 2, None, 3, 0),
    4: Size(("mocha", "wax", "coffee"), 2, None, 3, 0),
    5: Size(("mocha", "wax"), 2, None, 4, 3),
    6: Size(("mocha", "garden"), 2, None, 4, 3),
    7: Size(("garden",), 2, None, 4, 3),
}
"""M1, M4, M6; a last run-out of 0 is none (M26)."""
FEW = 2
"""A hand of at most this many cards draws one more (M6)."""


class HouseRules(classic.HouseRules, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Those of the classic game, and how long a game may last."""

    most_turns: Annotated[int, Meta(ge=3, le=99)] = 30
    """M28: how many turns every seat has at most."""


class Table(classic.Table, frozen=True, kw_only=True):
    """A position of the game, with what is hidden."""

    rules: HouseRules
    farms: dict[str, ChainFarm]  # type: ignore[assignment]
    held: dict[str, tuple[int | None, ...]]
    """Places among `bonus_cards`: `b1` and `b2` of each seat; None for an empty place."""
    bonus_pile: tuple[int, ...]
    """Places among `bonus_cards`, top first."""
    cashed: dict[str, tuple[tuple[str, int], ...]]
    """Codes that were cashed, in this order, and the place where each was, 1 or 2."""
    fines: dict[str, int]
    feed: dict[str, str] = {}  # noqa: RUF012  # each table gets its own
    """The fields that are fed when the pile runs out, in the order in which they are (M27)."""
    bonus_cards: tuple[str, ...]
    """The codes in the order of the bonus pile at the beginning."""
    language: ClassVar[Language] = LANGUAGE
    must_plant: ClassVar[int] = 2

    @property
    def size(self) -> Size:
        """What depends on the number of players."""
        return SIZES[len(self.seats)]

    @property
    def last_turn(self) -> int:
        """The turn after whose reveal nothing is drawn any more (M28)."""
        return self.rules.most_turns * (1 if self.rules.turns == "together" else len(self.seats))

    def draws(self, seat: str) -> int:
        """How many cards a seat draws now (M6)."""
        return self.size.draws + (len(self.hands[seat]) <= FEW)

    def codes(self, seat: str) -> tuple[str | None, ...]:
        """The bonus cards of a seat by place: hidden from everybody else."""
        return tuple(None if one is None else self.bonus_cards[one] for one in self.held[seat])


@cache
def chain(deck: Deck) -> tuple[str, ...]:
    """The varieties of a game from the fewest cards to the most (M2)."""
    return tuple(variety.id for variety in sorted(deck.varieties, key=lambda one: one.cards))


def deck_for(deck: Deck, seats: int) -> Deck:
    """The deck without the varieties that are left out with so many players (M1)."""
    return deck.without(SIZES[seats].left_out)


def begin(deck: Deck, rules: HouseRules, seats: Sequence[str], chance: Chance) -> Table:
    """Hands are dealt, then two bonus cards a seat (M8); nothing is revealed yet."""
    cards = shuffled(deck, chance)
    held: dict[str, tuple[int | None, ...]] = {
        seat: tuple(range(HELD * place, HELD * place + HELD)) for place, seat in enumerate(seats)
    }
    return Table(
        **dealt(rules, seats, ChainFarm(), hand_sizes(rules, len(seats))),
        held=held,
        bonus_pile=tuple(range(HELD * len(seats), len(cards))),
        cashed=dict.fromkeys(seats, ()),
        fines=dict.fromkeys(seats, 0),
        deck=deck,
        cards=deck.shuffled(chance),
        bonus_cards=cards,
    )


def _drawn_again(kept: Any, deck: Deck, chance: Chance) -> dict[str, Any]:
    return {**drawn_again(kept, deck, chance), "bonus_cards": shuffled(deck, chance)}


STORAGE = stored(without(Table, "deck", "cards", "bonus_cards"), Table, _drawn_again)
