"""The words of the classic game: `2>B` plants a card that lies there, `h1>C` one of the hand,
`h3=chili|h3=0` is a wish.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from itertools import groupby

from msgspec import Struct

from rounds.engine.notation import (
    BLANKS,
    CASE,
    END,
    MAX_DIGITS,
    Grammar,
    Order,
    any_case,
    bean_words,
    nearest,
)
from rounds.engine.notation import Problem as CommonProblem
from rounds.family.orders import BUY, PASS, Bare, Harvest


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
    return str(order.text)


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


ALSO = {
    "coffee": ("kaffee",),
    "wax": ("wachs", "weinbrand"),
    "blue": ("blau", "blaue"),
    "chili": ("feuer",),
    "stink": ("sau",),
    "green": ("brech",),
    "soy": ("soja",),
    "eyed": ("augen",),
    "red": ("rot", "rote"),
    "garden": ("garten",),
    "cocoa": ("kakao",),
}
"""What each variety is also called in orders; all of these may end in `bohne` or `bohnen`."""


Found = tuple[Order | CommonProblem, int] | None


@dataclass(frozen=True, eq=False)  # a language is remembered by what it is, not by what it holds
class Language:
    """What orders call the varieties, and which orders there are besides those of the classic
    game.
    """

    also: Mapping[str, tuple[str, ...]]
    """All varieties that a game may have, in base order, each with its other names."""
    word: Callable[[str, int], Found] = lambda line, at: None
    """(a line, where in it) → an order of the game's own that starts there, and where it ends."""
    hints: Mapping[str, str] = field(default_factory=dict)
    """What was probably meant by words of the game's own that are no order alone."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The varieties, also those that are not in the deck of every game."""
        return tuple(self.also)

    @cached_property
    def named(self) -> Mapping[str, str]:
        """The variety of each word for one."""
        return bean_words(self.also)


CLASSIC = Language(ALSO)


WORDS: Mapping[str, Bare] = {
    "buy": BUY,
    "kauf": BUY,
    "kaufe": BUY,
    "auto": AUTO,
    "keep": KEEP,
    "bleibt": KEEP,
}


HARVEST_WORDS = ("h", "e", "harvest", "ernte")


PLANT = re.compile(rf"(h?)([0-9]+)(?:{BLANKS}>{BLANKS}([a-z])|[ \t]+([abc])|([a-z]))?{END}", CASE)


PART = re.compile(rf"[he](?:([a-z]){BLANKS}x{BLANKS}([0-9]+)|([a-z])([0-9]+)){END}", CASE)


HARVEST = re.compile(rf"(?:[he]|(?:{'|'.join(HARVEST_WORDS)})[ \t]+)([a-z]){END}", CASE)


ONE_WORD = re.compile(rf"({'|'.join(WORDS)}){END}", CASE)


_SIGN = r"[=|+@]"


_PART = r"[^ \t,;=|+@]"


@cache
def grammar(seats: tuple[str, ...], language: Language = CLASSIC) -> Grammar:
    """The words of a game among these seats, who may be partners by name."""
    names = "|".join(map(any_case, sorted(seats, key=len, reverse=True)))
    end = r"(?=[ \t,;|]|$)"  # a number is the seat's, whatever names begin with it
    sign = rf"(?:@{BLANKS}[0-9]+{end}|@{BLANKS}(?:{names}){end}|{_SIGN}{BLANKS}{_PART}*)"
    wish = re.compile(rf"{_PART}*(?:{BLANKS}{sign})+", CASE)

    def item(line: str, at: int) -> Found:
        if (m := wish.match(line, at)) and "=" in m[0]:
            return Typed(m[0]), m.end()
        return language.word(line, at) or _word(line, at)

    return Grammar(item, partial(hint, language), Problem, PASS)


def _word(line: str, at: int) -> Found:
    """The order at this place of a line, if it is field work or a single word."""
    if m := ONE_WORD.match(line, at):
        return WORDS[m[1].lower()], m.end()
    if m := PLANT.match(line, at):
        field = (m[3] or m[4] or m[5] or "").upper() or None
        return _number_fault(m[2]) or Plant(m[1].lower() + m[2], field), m.end()
    if m := PART.match(line, at):
        return Harvest((m[1] or m[3]).upper(), int((m[2] or m[4])[:MAX_DIGITS])), m.end()
    if m := HARVEST.match(line, at):
        return Harvest(m[1].upper()), m.end()
    return None


def _number_fault(digits: str) -> Problem | None:
    """A number of a card to plant that begins with 0 or is too long."""
    if digits[0] != "0" and len(digits) <= MAX_DIGITS:
        return None
    short = digits.lstrip("0")
    return Problem(code="NUMBER", hint=short if 0 < len(short) <= MAX_DIGITS else None)


def hint(language: Language, plain: str, _: str) -> str | None:
    """What was probably meant by a word, or None."""
    signs = re.sub("->|[→:]", ">", plain)
    if signs != plain and PLANT.fullmatch(signs):
        return signs
    if plain in HARVEST_WORDS:
        return "HA"
    known = {word: order.text for word, order in WORDS.items()}
    return nearest(plain, {**known, **language.named, **language.hints})
