"""When the rounds of a game end, as it is stored: by a calendar, so many hours after they began, or by hand."""

from datetime import date, time
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

FARTHEST_DAYS = 400
"""No deadline lies further ahead."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """Deadlines on these weekdays (0 = Monday) at this time of day in this zone, every n weeks counted from the week of `since`.

    None on the days `left_out`. A round lasts `shortest` hours at least. With `hours` there is no calendar: a round ends so many
    hours after it began. With neither weekdays nor hours rounds are closed by hand.
    """

    weekdays: tuple[Annotated[int, Meta(ge=0, le=6)], ...]
    at: time
    zone: str
    weeks: Annotated[int, Meta(ge=1, le=52)]
    since: date
    left_out: tuple[date, ...] = ()
    shortest: Annotated[int, Meta(ge=0, le=24 * FARTHEST_DAYS)] = 0
    hours: Annotated[int, Meta(ge=1, le=24 * FARTHEST_DAYS)] | UnsetType = UNSET

    @property
    def length(self) -> int:
        """The seconds that each round has; 0: no fixed number."""
        return 0 if self.hours is UNSET else self.hours * 3600

    @property
    def by_hand(self) -> bool:
        """Whether rounds have no deadline by themselves."""
        return not self.weekdays and not self.length
