"""Seats that were asked before the start whether they are there, and do not answer: which may be given up."""

from collections.abc import Collection

from gm.clock import DAY
from gm.errors import Refusal
from gm.store import Seat

KEPT_SECONDS = 30 * DAY
"""So long the mailed offer holds, and is known whom it was made to."""


def are_silent(seats: Collection[Seat]) -> list[Seat]:
    """Those of some seats that were asked and have not answered."""
    return [seat for seat in seats if seat.asked_at is not None and seat.ready_at is None]


def to_give_up(seats: Collection[Seat], named: Collection[str], now: int, *, all_silent: bool, game: str) -> list[Seat]:
    """The seats that a start gives up: each that is named, and all silent ones if that is asked for.

    Raises Refusal for a name that is no silent seat's, for a silent seat that is not to be given up, and for one that was asked
    less than a day ago and is not named itself.
    """
    silent = are_silent(seats)
    wanted = {name.casefold() for name in named}
    for name in named:
        if name.casefold() not in {seat.name.casefold() for seat in seats}:
            raise Refusal("no_seat", name=name, game=game, others=[seat.name for seat in seats])
        if name.casefold() not in {seat.name.casefold() for seat in silent}:
            raise Refusal("not_silent", name=name)
    others = [seat for seat in silent if seat.name.casefold() not in wanted]
    if others and not all_silent:
        raise Refusal("silent_seats", names=[seat.name for seat in others])
    if lately := [seat.name for seat in others if now - (seat.asked_at or 0) < DAY]:
        raise Refusal("asked_lately", names=lately)
    return silent
