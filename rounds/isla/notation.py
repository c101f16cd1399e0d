"""The words of La Isla Bohnita: those of the classic game, and `A>S`, `HS`, `2S>T`, `buy X`,
`S>bay:soy|red`, `hold`.
"""

import re

from msgspec import Struct

from rounds.classic.notation import ALSO, Found, Language
from rounds.classic.notation import Problem as ClassicProblem
from rounds.engine.notation import BLANKS, CASE, END, MAX_DIGITS, bean_words
from rounds.family.orders import Bare, Harvest

BAY, ACO = "bay", "aco"
HARBOURS = {"bay": BAY, "bohnbay": BAY, "aco": ACO, "bohnaco": ACO}
"""Every word for a harbour."""
HOLD = Bare("hold")


class Load(Struct, frozen=True):
    """Harvest a field on a trading ship (I5). `cards` is read only to be refused."""

    field: str
    ship: str
    cards: int | None = None

    @property
    def text(self) -> str:
        """The order in canonical form."""
        return f"{self.field}>{self.ship}"


class Move(Struct, frozen=True):
    """Move so many beans from ship to ship, without a number all (I7)."""

    ship: str
    to: str
    cards: int | None = None

    @property
    def text(self) -> str:
        """The order in canonical form."""
        return f"{self.cards or ''}{self.ship}>{self.to}"


class Buy(Struct, frozen=True):
    """Buy the third field C, the second trading ship T or the pirate ship X (I3)."""

    what: str

    @property
    def text(self) -> str:
        """The order in canonical form."""
        return f"buy {self.what}"


class Voyage(Struct, frozen=True):
    """Send a trading ship to a harbour for a variety, the best first (I8), or the pirate ship to
    lie in wait there (I9).
    """

    ship: str
    harbour: str
    wanted: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The order in canonical form."""
        return f"{self.ship}>{self.harbour}" + (f":{'|'.join(self.wanted)}" if self.wanted else "")


class Problem(ClassicProblem, frozen=True, kw_only=True):
    """A problem with what the sentences of this game name."""

    ship: str | None = None
    harbour: str | None = None
    beans: int | None = None
    """How many a load has."""
    need: int | None = None
    """How many earn a taler."""
    there: tuple[str, ...] = ()
    """The varieties that lie in the harbour."""


NAMED = bean_words(ALSO)
VOID = rf"(?:(?:sail|segle|raid|kapere|load|lade|move|bringe)[ \t]+(?=[0-9]*[a-z]{BLANKS}>))?"
"""Words that mean nothing before an order with `>`."""
TO_SHIP = re.compile(
    rf"{VOID}(?:[lhe](?=[a-z]))?([0-9]*)([a-z]){BLANKS}>{BLANKS}([a-z]){END}", CASE
)
_PART = r"[^ \t,;:=|+@>]+"
SAIL = re.compile(
    rf"{VOID}([a-z]){BLANKS}>{BLANKS}([^\W\d_]{{2,}})"
    rf"(?:{BLANKS}:{BLANKS}({_PART}(?:{BLANKS}\|{BLANKS}{_PART})*))?{END}",
    CASE,
)
SELL = re.compile(rf"(?:sell|verkaufe?)[ \t]+([a-z]){END}", CASE)
BUY = re.compile(rf"(?:buy|kaufe|kauf)(?:[ \t]*(?![he][ \t]+[a-z]{END})([a-z]){END}|{END})", CASE)
"""What follows may be a harvest: `buy h A` are two orders."""
HOLDS = re.compile(rf"(?:hold|halten?){END}", CASE)


def _word(line: str, at: int) -> Found:
    if m := HOLDS.match(line, at):
        return HOLD, m.end()
    if m := BUY.match(line, at):
        return Buy((m[1] or "C").upper()), m.end()
    if m := SELL.match(line, at):
        return Harvest(m[1].upper()), m.end()
    if m := TO_SHIP.match(line, at):
        return _to_ship(m[1], m[2].upper(), m[3].upper()), m.end()
    if m := SAIL.match(line, at):
        parts = re.split(rf"{BLANKS}\|{BLANKS}", m[3]) if m[3] else []
        wanted = tuple(NAMED.get(part.lower(), "") for part in parts)
        harbour = m[2].lower()
        voyage = Voyage(m[1].upper(), HARBOURS.get(harbour, harbour), wanted)
        return Problem(code="WORD") if "" in wanted else voyage, m.end()
    return None


def _to_ship(digits: str, left: str, ship: str) -> Load | Move | Problem:
    """A load, or from a ship a move."""
    if digits and (digits[0] == "0" or len(digits) > MAX_DIGITS):
        return Problem(code="NUMBER")
    cards = int(digits) if digits else None
    return Move(left, ship, cards) if left in ("S", "T", "X") else Load(left, ship, cards)


LANGUAGE = Language(
    ALSO,
    _word,
    {
        "sail": "S>bay:soy",
        "segle": "S>bay:soy",
        "raid": "X>bay",
        "kapere": "X>bay",
        "load": "A>S",
        "lade": "A>S",
        **dict.fromkeys(("sell", "verkauf", "verkaufe"), "HS"),
        **dict.fromkeys(("move", "bringe"), "S>T"),
        "halt": "hold",
    },
)
