"""The words of the classic game: `2>B` plants a card that lies there, `h1>C` one of the hand,
`h3=chili|h3=0` is a wish.
"""

from functools import lru_cache
from itertools import groupby

from msgspec import Struct

from rounds.engine.notation import Order
from rounds.engine.notation import Problem as CommonProblem
from rounds.family.orders import Bare, Harvest


class Plant(Struct, frozen=True):
    """Plant a card: `2` is the second one that lies there, `h1` the first of the hand."""

    card: str
    field: str | None = None

    @property
    def is_of_hand(self) -> bool:
        """Whether it is a card of the hand."""
        return self.card[0] == "h"

    @property
    def number(self) -> int:
        """Its number in the hand, or among the lying cards."""
        return int(self.card.removeprefix("h"))


class Deal(Struct, frozen=True):
    """One alternative: what is given, single cards (`r1`, `h3`) before varieties, what is taken,
    and perhaps with whom alone.

    Varieties stand in base order, each as often as it is meant; `partner` is the number of a
    seat.
    """

    give: tuple[str, ...]
    get: tuple[str, ...]
    partner: int | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The single cards."""
        return tuple(part for part in self.give if is_label(part))


class Alternatives(Struct, frozen=True):
    """Alternatives, the best first: at most one of them is carried out, once (K25)."""

    deals: tuple[Deal, ...]


class Typed(Struct, frozen=True):
    """A wish as it was typed, not checked yet."""

    text: str


AUTO, KEEP = Bare("auto"), Bare("keep")


class Problem(CommonProblem, frozen=True, kw_only=True):
    """A problem with what the sentences of this game name; which values are set depends on the
    code.
    """

    card: str | None = None
    field: str | None = None
    variety: str | None = None
    talers: int | None = None


def is_label(part: str) -> bool:
    """Whether a part of a deal names a single card, and no variety."""
    return part[-1].isdigit()


def write(order: Order) -> str:
    """One order in canonical form."""
    match order:
        case Plant(card, field):
            return card if field is None else f"{card}>{field}"
        case Harvest(field):
            return f"H{field}"
        case Alternatives(deals):
            return "|".join(map(write_deal, deals))
        case Bare(text):
            return text
    raise TypeError(f"no order that is carried out: {order!r}")


def write_deal(deal: Deal) -> str:
    """One alternative in canonical form."""
    partner = "" if deal.partner is None else f"@{deal.partner}"
    return f"{_side(deal.give)}={_side(deal.get)}{partner}"


@lru_cache(500)  # the same few varieties in every list
def _side(parts: tuple[str, ...]) -> str:
    numbers = ((part, len(list(same))) for part, same in groupby(parts))
    return "+".join(part if number == 1 else f"{number}{part}" for part, number in numbers) or "0"


def write_deals(wishes: tuple[Alternatives, ...], *, keep: bool) -> str:
    """Wishes in canonical form, with `keep` behind them; nothing if there are none."""
    return " ".join(map(write, (*wishes, *([KEEP] if keep else [])))) if wishes else ""
