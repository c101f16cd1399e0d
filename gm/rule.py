"""The calendar of a game, as it is stored."""

from datetime import date, time
from typing import Annotated

from msgspec import Meta, Struct

FARTHEST_DAYS = 400
"""No deadline lies further ahead."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """Deadlines on these weekdays (0 = Monday) at this time of day in this zone, every n weeks counted from the week of `since`.

    None on the days `left_out`. A round lasts `shortest` hours at least. Without weekdays rounds are closed by hand.
    """

    weekdays: tuple[Annotated[int, Meta(ge=0, le=6)], ...]
    at: time
    zone: str
    weeks: Annotated[int, Meta(ge=1, le=52)]
    since: date
    left_out: tuple[date, ...] = ()
    shortest: Annotated[int, Meta(ge=0, le=24 * FARTHEST_DAYS)] = 0
