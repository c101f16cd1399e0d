"""Headlines that follow from talers alone, in any game; their words stand in `templates/headlines.txt`."""

from collections.abc import Mapping

from rounds.events import Event


class Won(Event, frozen=True, tag="won"):
    """The end: who won with how many talers, and how far ahead of whom (nobody where all won)."""

    seats: tuple[str, ...]
    talers: int
    ahead: int
    behind: tuple[str, ...]


def leaders(talers: Mapping[str, int]) -> tuple[str, ...]:
    """Who has most."""
    return tuple(seat for seat in talers if talers[seat] == max(talers.values()))


def won(talers: Mapping[str, int], winners: tuple[str, ...]) -> Won:
    """That these have won, and who comes next."""
    most = talers[winners[0]]
    rest = {seat: own for seat, own in talers.items() if seat not in winners}
    return Won(winners, most, most - max(rest.values(), default=most), leaders(rest) if rest else ())
