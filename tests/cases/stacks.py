"""Stacks of cards as text, for rule cases and tests."""

from collections.abc import Iterable

from rounds.engine.farm import Stack


def read_stacks(text: str) -> tuple[Stack | None, ...]:
    """Stacks from text: `bush climbing*3 -` is one bush, three climbing and nothing. Raises
    ValueError for a bad number.
    """
    stacks: list[Stack | None] = []
    for word in text.split():
        variety, _, cards = word.partition("*")
        stacks.append(None if word == "-" else Stack(variety, int(cards) if cards else 1))
    return tuple(stacks)


def write_stacks(stacks: Iterable[Stack | None]) -> str:
    """The reverse of `read_stacks`."""
    return " ".join(
        "-" if s is None else s.variety if s.cards == 1 else f"{s.variety}*{s.cards}"
        for s in stacks
    )
