"""The words of the postal game: `3>B` plants, `3x2>B` plants two, `HA` harvests, `PC` plows."""

import re
from difflib import get_close_matches

from msgspec import Struct

from rounds.engine.notation import (
    BLANKS,
    CASE,
    END,
    MAX_DIGITS,
    PASS_WORDS,
    Grammar,
    Order,
    any_case,
)
from rounds.engine.notation import Problem as CommonProblem
from rounds.family.orders import Harvest


class Plant(Struct, frozen=True):
    """Plant cards of a position: all that still lie there unless `cards` says how many; `field`
    need not be named (P39, P40).
    """

    position: int
    cards: int | None = None
    field: str | None = None


class Plow(Struct, frozen=True):
    """Plow a field."""

    field: str


class Problem(CommonProblem, frozen=True, kw_only=True):
    """A problem with what the sentences of the postal game name; which values are set depends on
    the code.

    `advice`: what would work instead, if it is known.
    """

    position: int | None = None
    field: str | None = None
    variety: str | None = None
    talers: int | None = None
    advice: str | None = None


HARVEST_WORDS = ("h", "e", "harvest", "ernte")
PLOW_WORDS = ("p", "u", "plow", "plough", "pflüge", "umpflügen")

_VERB = "|".join(map(any_case, sorted((*HARVEST_WORDS, *PLOW_WORDS), key=len, reverse=True)))
PLANT = re.compile(
    rf"([0-9]+)(?:{BLANKS}x{BLANKS}([0-9]+))?"
    rf"(?:{BLANKS}>{BLANKS}([a-z])|([a-wyz])|[ \t]+([a-dfgi-oq-tvwyz])(?!{BLANKS}[x0-9]))?{END}",
    CASE,
)
CLEAR = re.compile(rf"(?:([hepu])([a-z])|({_VERB})[ \t]+([a-z])){END}", CASE)
PART = re.compile(
    rf"[he](?:([a-z]){BLANKS}x{BLANKS}([0-9]+)|([a-z])([0-9]+)|([0-9]+)([a-z])){END}", CASE
)
VERB = re.compile(rf"({_VERB}){END}", CASE)


def item(line: str, at: int) -> tuple[Order | Problem, int] | None:
    """The order that starts in a line at this place, or what is wrong with it, and where it
    ends; None if none does.
    """
    if m := PLANT.match(line, at):
        return _number_fault(m) or _plant(m), m.end()
    if m := PART.match(line, at):
        field, cards_text = m[1] or m[3] or m[6], m[2] or m[4] or m[5]
        return Harvest(field.upper(), int(cards_text[:MAX_DIGITS])), m.end()
    if m := CLEAR.match(line, at):
        verb, field = (m[1] or m[3]).lower(), (m[2] or m[4]).upper()
        return Harvest(field) if verb in HARVEST_WORDS else Plow(field), m.end()
    if m := VERB.match(line, at):
        return Problem(
            code="NEEDS_FIELD", hint="HA" if m[1].lower() in HARVEST_WORDS else "PA"
        ), m.end()
    return None


def _plant(m: re.Match[str]) -> Plant:
    field = m[3] or m[4] or m[5]
    return Plant(int(m[1]), None if m[2] is None else int(m[2]), field.upper() if field else None)


def _number_fault(m: re.Match[str]) -> Problem | None:
    """What is wrong with a number of a planting: too long, or written with zeros in front."""
    for digits in (m[1], m[2]):
        if digits is not None and (
            len(digits) > MAX_DIGITS or (digits[0] == "0" and digits != "0")
        ):
            short = re.sub(r"(?<![0-9])0+(?=[0-9])", "", m[0])
            return Problem(code="NUMBER", hint=None if len(digits) > MAX_DIGITS else short)
    return None


def write(order: Order) -> str:
    """One order in canonical form, as far as it is said: `3`, `3>B`, `3x2>B`, `HA`, `PC`."""
    match order:
        case Plant(position, cards, field):
            number = "" if cards is None else f"x{cards}"
            return f"{position}{number}" + ("" if field is None else f">{field}")
        case Harvest(field):
            return f"H{field}"
        case Plow(field):
            return f"P{field}"
    raise TypeError(f"no order of this game: {order!r}")


# what people type for x
_SIGNS = str.maketrans({"×": "x", "*": "x", "→": ">", ":": ">", "(": ">", ")": ""})
_ONE_ORDER = r"(?:[0-9]++(?:x[0-9]++)?(?:>[a-c])?|[hepu][a-c])"


def hint(plain: str, behind: str) -> str | None:
    """What was probably meant by a word, or None."""
    if re.fullmatch(rf"{_ONE_ORDER}", signs := plain.replace("->", ">").translate(_SIGNS)):
        return _tidy(signs)
    seen = "".join(
        " " if char.isspace() else char for char in plain if char.isprintable() or char.isspace()
    )
    if seen != plain and (PLANT.fullmatch(seen) or CLEAR.fullmatch(seen)):
        return _tidy(seen)
    if m := re.fullmatch(r"([1-9])(?:-|\.\.\.?)([1-9])", plain):
        return " ".join(str(n) for n in range(int(m[1]), int(m[2]) + 1)) or None
    if re.fullmatch(r"[1-9](?:[+/&][1-9])+", plain):
        return " ".join(re.findall("[1-9]", plain))
    if len(plain) < 40 and re.fullmatch(rf"{_ONE_ORDER}{{2,}}", plain):
        return " ".join(_tidy(order) for order in re.findall(_ONE_ORDER, plain))
    verbs = {
        verb: letter
        for letter, words in (("H", HARVEST_WORDS), ("P", PLOW_WORDS))
        for verb in words
        if len(verb) > 1
    }
    if near := get_close_matches(
        plain[:40].replace("ue", "ü"), [*verbs, *PASS_WORDS], n=1, cutoff=0.7
    ):
        field = re.match(r"[ \t]+([a-c])(?![^ \t,;])", behind, CASE)
        return (
            "pass"
            if near[0] in PASS_WORDS
            else verbs[near[0]] + (field[1].upper() if field else "A")
        )
    return None


def _tidy(order: str) -> str:
    order = order.upper().replace("X", "x")
    return order.replace("E", "H").replace("U", "P") if order[0] in "EU" else order


GRAMMAR = Grammar(item, hint, Problem)
