"""Bonus cards: which codes fit a field, and how far a field has come with one (1.2)."""

from collections.abc import Sequence

from rounds.engine.beans import PILE_LABEL, Deck
from rounds.engine.shuffle import Chance

PILE = "bonus"
"""The name of the pile in `seeds/`."""
LABEL = PILE_LABEL.format(PILE)
"""Its one shuffle (M8)."""
HELD = 2
"""Places for bonus cards of each seat."""


def fits(code: str, cards: Sequence[str], chain: Sequence[str]) -> bool:
    """Whether the last cards of a field form a code: same letter same variety, each new letter
    the next variety of the chain (M15). `cards`: from the bottom.
    """
    last = cards[len(cards) - len(code) :] if len(cards) >= len(code) else ()
    first = chain.index(last[0]) if last else 0
    return bool(last) and all(
        chain.index(card) - first == ord(letter) - ord("A")
        for letter, card in zip(code, last, strict=True)
    )


def begun(code: str, cards: Sequence[str], chain: Sequence[str]) -> int:
    """How many letters a code begins with that the last cards of a field form."""
    return max(
        (number for number in range(1, len(code) + 1) if fits(code[:number], cards, chain)),
        default=0,
    )


def values(deck: Deck) -> dict[str, int]:
    """What each code pays, in hundredths of a taler (M7)."""
    return {card.id: card.value for card in deck.piles[PILE]}


def shuffled(deck: Deck, chance: Chance) -> tuple[str, ...]:
    """The bonus pile as it begins, top first (M8)."""
    base = deck.pile(PILE)
    return tuple(base[number] for number in chance(LABEL, len(base)))
