"""The words of the duel: `1>A` plants a card of the hand, `blue>B` some of the table, `D4`
discards, `then` begins a plan.
"""

import re
from collections.abc import Mapping

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
    """Plant a card of the hand; `clear`: harvest the field first if another variety grows there."""

    card: int
    field: str | None = None
    clear: bool = False


class Drop(Struct, frozen=True):
    """Discard a card of the hand."""

    card: int


class Take(Struct, frozen=True):
    """Plant cards of a variety that lie on the table: all that lie there unless `cards` says how
    many.
    """

    variety: str
    cards: int | None = None
    field: str | None = None
    clear: bool = False


class Lay(Struct, frozen=True):
    """Discard cards of the offer: all of the variety unless `cards` says how many."""

    variety: str
    cards: int | None = None


class Plow(Struct, frozen=True):
    """There is no plowing: read only to be refused."""

    field: str


MATCH, THEN, RESIGN = map(Bare, ("match", "then", "resign"))


class Problem(CommonProblem, frozen=True, kw_only=True):
    """A problem with what the sentences of the duel name; which values are set depends on the
    code.
    """

    position: int | None = None
    field: str | None = None
    variety: str | None = None
    talers: int | None = None


def write(order: Order) -> str:
    """One order in canonical form, as far as it is said."""
    match order:
        case Plant(card):
            return f"{card}{_on(order)}"
        case Drop(card):
            return f"D{card}"
        case Take(variety, cards):
            return f"{variety}{_of(cards)}{_on(order)}"
        case Lay(variety, cards):
            return f"D{variety}{_of(cards)}"
        case Harvest(field):
            return f"H{field}"
        case Bare(text):
            return text
    raise TypeError(f"no order that is carried out: {order!r}")


def _of(cards: int | None) -> str:
    return "" if cards is None else f"x{cards}"


def _on(order: Plant | Take) -> str:
    return f"{'' if order.field is None else f'>{order.field}'}{'!' if order.clear else ''}"


ALSO = {
    "coffee": ("kaffee",),
    "wax": ("weinbrand",),
    "blue": ("blau", "blaue"),
    "chili": ("feuer",),
    "stink": ("sau",),
    "green": ("brech",),
    "soy": ("soja",),
    "eyed": ("augen", "black-eyed", "blackeyed"),
    "red": ("rot", "rote"),
}
"""What each variety is also called in orders; all of these may end in `bohne` or `bohnen`."""


NAMED = bean_words(ALSO)


WORDS: Mapping[str, Bare] = {
    "buy": BUY,
    "bc": BUY,
    "kaufe": BUY,
    "kaufen": BUY,
    "match": MATCH,
    "dazu": MATCH,
    "then": THEN,
    "dann": THEN,
    "resign": RESIGN,
    "aufgeben": RESIGN,
}


HARVEST_WORDS = ("h", "e", "harvest", "ernte")


PLOW_WORDS = ("p", "u", "plow", "plough", "pflüge", "umpflügen")


DISCARD_WORDS = ("discard", "wirf", "abwerfen")


def _any(words: Mapping[str, object] | tuple[str, ...]) -> str:
    return "|".join(map(any_case, sorted(words, key=len, reverse=True)))


_FIELD = rf"(?:{BLANKS}>{BLANKS}([a-z])|[ \t]+([abc])(?={BLANKS}!|{END})|(?<=[0-9])([abc]))?"


_CLEAR = rf"(?:{BLANKS}(!))?"


_COUNT = rf"(?:{BLANKS}x{BLANKS}([0-9]+))?"


_DISCARD = rf"(?:[dw]{BLANKS}|(?:{_any(DISCARD_WORDS)})[ \t]+)"


HAND = re.compile(rf"([0-9]+){_FIELD}{_CLEAR}{END}", CASE)


DROP = re.compile(rf"{_DISCARD}([0-9]+){END}", CASE)


TAKE = re.compile(rf"({_any(NAMED)}){_COUNT}{_FIELD}{_CLEAR}{END}", CASE)


LAY = re.compile(rf"{_DISCARD}({_any(NAMED)}){_COUNT}{END}", CASE)


PART = re.compile(
    rf"[he](?:([a-z]){BLANKS}x{BLANKS}([0-9]+)|([a-z])([0-9]+)|([0-9]+)([a-z])){END}", CASE
)


CLEARING = re.compile(
    rf"(?:([hepu])([a-z])|({_any(HARVEST_WORDS + PLOW_WORDS)})[ \t]+([a-z])){END}", CASE
)


VERB = re.compile(rf"(?:{_any(HARVEST_WORDS + PLOW_WORDS)}){END}", CASE)


ONE_WORD = re.compile(rf"({_any(WORDS)}){END}", CASE)


BUY_C = re.compile(rf"(?:buy|kaufen?)[ \t]+c{END}", CASE)


def item(line: str, at: int) -> tuple[Order | CommonProblem, int] | None:
    """The order that starts in a line at this place, or what is wrong with it, and where it
    ends; None if none does.
    """
    if m := BUY_C.match(line, at):
        return BUY, m.end()
    if m := ONE_WORD.match(line, at):
        return WORDS[m[1].lower()], m.end()
    if m := HAND.match(line, at):
        return _fault(m, m[1]) or Plant(int(m[1]), _letter(m[2], m[3], m[4]), bool(m[5])), m.end()
    if m := DROP.match(line, at):
        return _fault(m, m[1]) or Drop(int(m[1])), m.end()
    if m := TAKE.match(line, at):
        return _fault(m, m[2]) or Take(
            _variety(m[1]), _cards(m[2]), _letter(m[3], m[4], m[5]), bool(m[6])
        ), m.end()
    if m := LAY.match(line, at):
        return _fault(m, m[2]) or Lay(_variety(m[1]), _cards(m[2])), m.end()
    return _of_field(line, at)


def _of_field(line: str, at: int) -> tuple[Order | CommonProblem, int] | None:
    if m := PART.match(line, at):
        cards = m[2] or m[4] or m[5]
        return _fault(m, cards) or Harvest((m[1] or m[3] or m[6]).upper(), int(cards)), m.end()
    if m := CLEARING.match(line, at):
        verb, field = (m[1] or m[3]).lower(), (m[2] or m[4]).upper()
        return Harvest(field) if verb in HARVEST_WORDS else Plow(field), m.end()
    if m := VERB.match(line, at):
        return Problem(code="NEEDS_FIELD", hint="HA"), m.end()
    return None


def _letter(*found: str | None) -> str | None:
    return next((letter.upper() for letter in found if letter), None)


def _cards(digits: str | None) -> int | None:
    return None if digits is None else int(digits)


def _variety(name: str) -> str:
    return NAMED[name.lower()]


def _fault(m: re.Match[str], digits: str | None) -> Problem | None:
    """What is wrong with a number: too long, or written with zeros in front."""
    if digits is None or (len(digits) <= MAX_DIGITS and (digits == "0" or digits[0] != "0")):
        return None
    short = re.sub(r"(?<![0-9])0+(?=[0-9])", "", m[0])
    return Problem(code="NUMBER", hint=None if len(digits) > MAX_DIGITS else short)


# what people type for x and >
_SIGNS = str.maketrans({"×": "x", "*": "x", "→": ">", ":": ">", "(": ">", ")": ""})


_WHOLE = (HAND, DROP, TAKE, LAY, CLEARING, ONE_WORD)


def hint(plain: str, behind: str) -> str | None:
    """What was probably meant by a word, or None."""
    signs = plain.replace("->", ">").translate(_SIGNS)
    if signs != plain and any(kind.fullmatch(signs) for kind in _WHOLE):
        return (
            signs
            if (found := item(signs, 0)) is None or isinstance(found[0], CommonProblem)
            else write_typed(found[0])
        )
    if re.fullmatch(r"[1-9](?:[-+/&][1-9])+", plain):
        return " ".join(re.findall("[1-9]", plain))
    return nearest(
        plain[:40].partition(">")[0], {word: order.text for word, order in WORDS.items()} | NAMED
    )


def write_typed(order: Order) -> str | None:
    """An order as it was typed, in our notation; None for one that this game does not have."""
    return None if isinstance(order, Plow) else write(order)


def _item_with_field(line: str, at: int) -> tuple[Order | CommonProblem, int] | None:
    found = item(line, at)
    if found and isinstance(found[0], Plant | Take) and found[0].clear and found[0].field is None:
        return Problem(code="NEEDS_FIELD", hint="1>A!"), found[1]
    return found


GRAMMAR = Grammar(item, hint, Problem, PASS)


GRAMMAR_OF_TEXT = Grammar(_item_with_field, hint, Problem, PASS)
"""With what is only found when an order is checked, and yet is wrong whoever holds which cards."""
