"""Bonus cards: which codes fit a field, and how far a field has come with one (1.2)."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

from rounds.engine.beans import PILE_LABEL, Deck
from rounds.engine.farm import Stack
from rounds.engine.shuffle import Chance

PILE = "bonus"
"""The name of the pile in `seeds/`."""
LABEL = PILE_LABEL.format(PILE)
"""Its one shuffle (M8)."""
HELD = 2
"""Places for bonus cards of each seat."""


def fits(code: str, field: Sequence[Stack]) -> bool:
    """Whether the last cards of a field form a code: same letter same variety, each new letter
    the next variety of the chain (M15). `field`: its runs from the bottom, of which each is of
    the variety that follows the one below it.
    """
    first, *others = _lengths(code)
    number = len(others)
    if len(field) <= number or field[-number - 1].cards < first:
        return False
    above = field[len(field) - number :]
    return all(run.cards == length for run, length in zip(above, others, strict=True))


def begun(code: str, field: Sequence[Stack]) -> int:
    """How many letters a code begins with that the last cards of a field form."""
    numbers = range(len(code), 0, -1)
    return next((number for number in numbers if fits(code[:number], field)), 0)


@cache
def _lengths(code: str) -> tuple[int, ...]:
    """How often each letter of a code is there, in their order."""
    return tuple(Counter(code).values())


def values(deck: Deck) -> dict[str, int]:
    """What each code pays, in hundredths of a taler (M7)."""
    return {card.id: card.value for card in deck.piles[PILE]}


def shuffled(deck: Deck, chance: Chance) -> tuple[str, ...]:
    """The bonus pile as it begins, top first (M8)."""
    base = deck.pile(PILE)
    return tuple(base[number] for number in chance(LABEL, len(base)))
