"""What a robot hopes for: the worth of fields, by what it can count. It knows what its seat
knows.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from rounds.engine.beans import talers_for

Field = tuple[str, int]
"""A variety and its beans; `EMPTY` has none."""
EMPTY: Field = ("", 0)


class Ground(NamedTuple):
    """Fields and a purse, while a robot thinks."""

    fields: tuple[Field, ...]
    talers: int

    def options(
        self, variety: str, meters: Mapping[str, tuple[int, ...]], cards: int = 1
    ) -> list[tuple[int, "Ground"]]:
        """(field, the ground after it) for each field that can take cards of a variety,
        harvested first if it must be.
        """
        ways = []
        for place, (grown, beans) in enumerate(self.fields):
            if grown in ("", variety):
                ways.append((place, self.planted(place, (variety, beans + cards), 0)))
            elif beans > 1 or all(other < 2 for _, other in self.fields):
                ways.append(
                    (place, self.planted(place, (variety, cards), talers_for(meters[grown], beans)))
                )
        return ways

    def planted(self, place: int, field: Field, talers: int) -> "Ground":
        """With another content of one field, and talers more."""
        return Ground(
            (*self.fields[:place], field, *self.fields[place + 1 :]), self.talers + talers
        )


class Prospects:
    """How a robot weighs fields: by what they pay now, or may pay after some more turns."""

    def __init__(
        self,
        unseen: Mapping[str, int],
        meters: Mapping[str, tuple[int, ...]],
        turns: float,
        patience: float,
    ) -> None:
        """`unseen`: how many cards of each variety may still come; `turns`: of its own that are
        left.
        """
        self.meters, self.turns = meters, turns
        cards = max(sum(unseen.values()), 1)
        coming = min(turns, patience) * CARDS_A_TURN
        self.coming = {variety: coming * number / cards for variety, number in unseen.items()}

    def of(self, field: Field) -> float:
        """What a field may bring."""
        variety, beans = field
        if not variety:
            return EMPTY_FIELD * min(self.turns, 8)
        meter = self.meters[variety]
        return max(talers_for(meter, beans), HOPE * between(meter, beans + self.coming[variety]))

    def total(self, ground: Ground) -> float:
        """Purse and fields."""
        return ground.talers + sum(map(self.of, ground.fields))

    def fits(self, ground: Ground, cards: tuple[str, ...]) -> float:
        """How well the next cards of a hand go with the fields."""
        grown = {variety for variety, _ in ground.fields}
        free = sum(not variety for variety, _ in ground.fields)
        worth, weight = 0.0, HAND
        for card in cards:
            worth += weight * (1 if card in grown else free and 0.3)
            weight *= HAND_FADES
        return worth


CARDS_A_TURN, HOPE, EMPTY_FIELD, HAND, HAND_FADES = 4.5, 0.85, 0.09, 0.35, 0.7


def between(meter: tuple[int, ...], beans: float) -> float:
    """Talers for a number of beans that is only expected: straight lines between the tiers."""
    tiers = [(0, 0), *((needed, talers) for talers, needed in enumerate(meter, 1) if needed)]
    for (low, few), (high, more) in pairwise(tiers):
        if beans < high:
            return few + (more - few) * (beans - low) / (high - low)
    return float(tiers[-1][1])
