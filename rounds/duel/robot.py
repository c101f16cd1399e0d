"""Robots of three strengths. They know what their seat knows.

The first weighs what the fields pay now, the second what they may bring. The third also sees
what it leaves for the other, how its hand will go on, and buys the third field.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from rounds.duel.prospects import EMPTY, Ground, Prospects
from rounds.duel.table import BEFORE
from rounds.duel.view import View
from rounds.engine.farm import FIELDS, FarmView

STRENGTHS = (1, 2, 3)
PATIENCE = {1: 0, 2: 3, 3: 5}
"""How many of its turns each robot looks ahead."""
BREADTH = 16
"""How many ways through a list are followed at once."""
BUY_BEFORE, SPITE = 9, 0.5
"""With fewer turns of its own left it does not buy; how much of the other's gain it counts as
its own loss.
"""


class Way(NamedTuple):
    """A way through a list so far: its orders, the fields they lead to, and what else speaks for
    it.
    """

    ground: Ground
    orders: tuple[str, ...] = ()
    bonus: float = 0.0

    def on(self, ground: Ground, *orders: str, bonus: float = 0.0) -> "Way":
        """A step further."""
        return Way(ground, (*self.orders, *orders), self.bonus + bonus)


def robot(view: View, strength: int = STRENGTHS[-1]) -> str:
    """Order text for the seat whose view this is, always legal. It looks at the row before it
    plans.
    """
    me, other = (
        view.farm(view.seat or ""),
        next(farm for farm in view.farms if farm.seat != view.seat),
    )
    meters = {variety.id: variety.beanometer for variety in view.varieties}
    turns = (view.turns - view.turn) / 2
    mine = Prospects(view.unseen, meters, turns, PATIENCE[strength])
    thinker = _Thinker(view, mine, _ground(other), strength)
    ways = thinker.before(_ground(me)) if view.phase == BEFORE else thinker.after(_ground(me))
    return " ".join(ways[0].orders) or "pass"


strengths: dict[str, Callable[[View], str]] = {
    "weak": partial(robot, strength=1),
    "medium": partial(robot, strength=2),
    "strong": robot,
}
"""Robots by the name of their strength."""


def _ground(farm: FarmView) -> Ground:
    return Ground(
        tuple((field.variety, field.beans) if field.variety else EMPTY for field in farm.fields),
        farm.talers,
    )


class _Thinker:
    """One list."""

    def __init__(self, view: View, mine: Prospects, other: Ground, strength: int) -> None:
        self.view, self.mine, self.other, self.is_strong = (
            view,
            mine,
            other,
            strength == STRENGTHS[-1],
        )

    def before(self, ground: Ground) -> list[Way]:
        """Offer and hand."""
        ways, hand = [Way(ground), *self._bought(ground)], self.view.hand or ()
        for stack in self.view.offer:
            ways = self._best(
                self._each(ways, stack.variety, stack.cards, leave=f"D{stack.variety}")
            )
        for number, card in enumerate(hand[:2], start=1):
            planted = [on for way in ways for on in self._planted(way, card, 1, str(number))]
            ways = self._best([*planted, *ways] if number == 2 else planted, hand[number:])
        if self.is_strong:
            ways = self._best([*ways, *(on for way in ways for on in self._dropped(way, hand))])
        return ways

    def after(self, ground: Ground) -> list[Way]:
        """The row."""
        ways = [Way(ground), *self._bought(ground)]
        for stack in self.view.row:
            ways = self._best(
                self._each(ways, stack.variety, stack.cards, leave=None), self.view.hand or ()
            )
        return ways

    def _each(self, ways: Iterable[Way], variety: str, cards: int, leave: str | None) -> list[Way]:
        """All that can be done with a stack: planted somewhere, or left."""
        after = []
        for way in ways:
            gift = 0.0 if leave or not self.is_strong else SPITE * self._gift(variety, cards)
            after.append(way.on(way.ground, *([leave] if leave else []), bonus=-gift))
            after += self._planted(way, variety, cards, variety)
        return after

    def _planted(self, way: Way, variety: str, cards: int, name: str) -> list[Way]:
        options = way.ground.options(variety, self.mine.meters, cards)
        return [way.on(ground, f"{name}>{FIELDS[place]}!") for place, ground in options]

    def _gift(self, variety: str, cards: int) -> float:
        """What a stack is worth to the other."""
        now = self.mine.total(self.other)
        able = [
            self.mine.total(ground)
            for _, ground in self.other.options(variety, self.mine.meters, cards)
        ]
        return max(0.0, max(able, default=now) - now)

    def _bought(self, ground: Ground) -> list[Way]:
        can = (
            self.is_strong and len(ground.fields) < len(FIELDS) and ground.talers >= self.view.price
        )
        if not can or self.mine.turns < BUY_BEFORE:
            return []
        return [
            Way(
                Ground((*ground.fields, EMPTY), ground.talers - self.view.price),
                ("buy",),
                bonus=self.view.price + 0.5,
            )
        ]

    def _dropped(self, way: Way, hand: tuple[str, ...]) -> list[Way]:
        """A card of the hand thrown away, if the hand goes on better without it."""
        planted = sum(order[0].isdigit() for order in way.orders)
        rest, found = hand[planted:], []
        for place, card in enumerate(rest[:3]):
            better = (*rest[:place], *rest[place + 1 :])
            gain = self.mine.fits(way.ground, better[:4]) - self.mine.fits(way.ground, rest[:4])
            if gain > 0 and card not in dict(way.ground.fields):
                found.append(way.on(way.ground, f"D{planted + place + 1}", bonus=gain))
        return found

    def _best(self, ways: list[Way], hand: tuple[str, ...] = ()) -> list[Way]:
        """The most promising ones."""

        def hope(way: Way) -> float:
            return (
                self.mine.total(way.ground)
                + way.bonus
                + (self.mine.fits(way.ground, hand[:4]) if self.is_strong else 0)
            )

        return sorted(ways, key=hope, reverse=True)[:BREADTH]
