"""The words of Mutabohn: those of the classic game, and `swap b1 b2`, `feed BA`."""

import re

from msgspec import Struct

from rounds.classic.notation import ALSO as CLASSIC
from rounds.classic.notation import Found, Language
from rounds.classic.notation import Problem as ClassicProblem
from rounds.engine.notation import CASE, END, MAX_DIGITS


class Swap(Struct, frozen=True):
    """Exchange bonus cards, by their places: the one written first is put back first (M18)."""

    places: tuple[int, ...]

    @property
    def text(self) -> str:
        """The order in canonical form."""
        return " ".join(["swap", *(f"b{place}" for place in self.places)])


class Feed(Struct, frozen=True):
    """Let the pile have these fields when it runs out (M27)."""

    fields: str

    @property
    def text(self) -> str:
        """The order in canonical form."""
        return f"feed {self.fields}"


class Problem(ClassicProblem, frozen=True, kw_only=True):
    """A problem with what the sentences of this game name."""

    planted: str | None = None
    """The variety that was to be planted."""
    before: str | None = None
    """The variety that would mutate into it."""


ALSO = {
    "mocha": ("mokka",),
    "wax": ("wachs",),
    "coffee": CLASSIC["coffee"],
    "brandy": ("weinbrand", "kognak"),
    **{bean: CLASSIC[bean] for bean in ("blue", "chili", "stink", "green", "soy", "eyed", "red")},
    "garden": CLASSIC["garden"],
}
"""What each variety is also called in orders (M1)."""
JOIN = r"(?:[ \t]*\+[ \t]*|[ \t]+)"
SWAP = re.compile(rf"(?:swap|tausche?)[ \t]+b([0-9]+)(?:{JOIN}b([0-9]+))?{END}", CASE)
FEED = re.compile(rf"(?:feed|nachschub)[ \t]+([a-d]{{1,2}})(?:{JOIN}([a-d]))?{END}", CASE)


def _word(line: str, at: int) -> Found:
    if m := SWAP.match(line, at):
        return Swap(tuple(int(place[:MAX_DIGITS]) for place in m.groups() if place)), m.end()
    if m := FEED.match(line, at):
        return Feed((m[1] + (m[2] or "")).upper()), m.end()
    return None


LANGUAGE = Language(
    ALSO,
    _word,
    dict.fromkeys(("swap", "tausche", "tausch"), "swap b1")
    | {"feed": "feed A", "nachschub": "feed A"},
)
