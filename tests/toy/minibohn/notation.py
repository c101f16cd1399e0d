"""The words of minibohn: `1` plants the first card of the hand; `take` and `leave` are for the
revealed card.
"""

import re
from difflib import get_close_matches

from msgspec import Struct

from rounds.engine.notation import CASE, END, MAX_DIGITS, PASS_WORDS, Grammar, Order
from rounds.engine.notation import Problem as CommonProblem


class Plant(Struct, frozen=True):
    """Plant the card on this place of the hand, as it lay when the round began."""

    card: int


class Take(Struct, frozen=True):
    """Plant the revealed card."""


class Leave(Struct, frozen=True):
    """Lay the revealed card on the discard pile."""


class Problem(CommonProblem, frozen=True, kw_only=True):
    """A problem with what the sentences of this game name."""

    card: int | None = None
    variety: str | None = None


WORDS = {"take": Take(), "leave": Leave(), "nimm": Take(), "lass": Leave()}
ORDER = re.compile(rf"(?:([1-9][0-9]{{,{MAX_DIGITS - 1}}})|({'|'.join(WORDS)})){END}", CASE)


def item(line: str, at: int) -> tuple[Order, int] | None:
    """The order that starts here, and where it ends."""
    m = ORDER.match(line, at)
    return m and (Plant(int(m[1])) if m[1] else WORDS[m[2].lower()], m.end())


def hint(word: str, _: str) -> str | None:
    """The nearest word."""
    return next(iter(get_close_matches(word, [*WORDS, *PASS_WORDS], n=1, cutoff=0.7)), None)


def write(order: Order) -> str:
    """One order in canonical form."""
    return (
        str(order.card)
        if isinstance(order, Plant)
        else "take"
        if isinstance(order, Take)
        else "leave"
    )


GRAMMAR = Grammar(item, hint)
