"""How orders of the classic game are written: every word that is read, and what a slip probably
meant.
"""

import re
from collections.abc import Mapping
from functools import cache

from rounds.classic.notation import AUTO, KEEP, Plant, Problem, Typed
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
NAMED = bean_words(ALSO)
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
def grammar(seats: tuple[str, ...]) -> Grammar:
    """The words of a game among these seats, who may be partners by name."""
    names = "|".join(map(any_case, sorted(seats, key=len, reverse=True)))
    end = r"(?=[ \t,;|]|$)"  # a number is the seat's, whatever names begin with it
    sign = rf"(?:@{BLANKS}[0-9]+{end}|@{BLANKS}(?:{names}){end}|{_SIGN}{BLANKS}{_PART}*)"
    wish = re.compile(rf"{_PART}*(?:{BLANKS}{sign})+", CASE)

    def item(line: str, at: int) -> tuple[Order | CommonProblem, int] | None:
        if (m := wish.match(line, at)) and "=" in m[0]:
            return Typed(m[0]), m.end()
        return _word(line, at)

    return Grammar(item, hint, Problem, PASS)


def _word(line: str, at: int) -> tuple[Order | CommonProblem, int] | None:
    """Field work, or an order of one word."""
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


def hint(plain: str, _: str) -> str | None:
    """What was probably meant by a word, or None."""
    signs = re.sub("->|[→:]", ">", plain)
    if signs != plain and PLANT.fullmatch(signs):
        return signs
    if plain in HARVEST_WORDS:
        return "HA"
    return nearest(plain, {word: order.text for word, order in WORDS.items()} | NAMED)
