"""Order text and orders, stacks as text: what every door reads and writes (form, command line, record, API, later mail).

Reading is generous and never guesses: what is not understood becomes a `Problem` with its place, a stable code and, where one
is near, a hint in our notation. Whether an order is *legal* is for the variant to say.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from msgspec import Struct

from rounds.farm import Stack

MAX_CHARACTERS = 4000
MAX_ORDERS = 400
MAX_DIGITS = 6
LONGEST_HINTED = 200
"""Of a longer word nobody knows what was meant; and to normalise it costs with the square of its marks."""


class Plant(Struct, frozen=True):
    """Plant cards of a position: all that still lie there unless `cards` says how many; `field` need not be named (P39, P40)."""

    position: int
    cards: int | None = None
    field: str | None = None


class Harvest(Struct, frozen=True):
    """Harvest a field. `cards` is read only to be refused: a field is harvested whole."""

    field: str
    cards: int | None = None


class Plow(Struct, frozen=True):
    """Plow a field."""

    field: str


Order = Plant | Harvest | Plow
Orders = tuple[Order, ...]


class TextSpan(Struct, frozen=True):
    """Where something stands in a text: line and column count from 1, in characters. `text` is what was typed there."""

    line: int
    column: int
    length: int
    text: str


class Problem(Struct, frozen=True, kw_only=True):
    """One thing wrong with a list: a stable code, where it stands, and the numbers for a sentence in any language.

    `order` is the number of the order in the list from 1, None for a problem of the list as a whole. Which of the other values
    are set depends on the code; `templates/problems.txt` has the sentence for each. `advice`: what would work instead, if the
    variant knows.
    """

    code: str
    order: int | None = None
    place: TextSpan = TextSpan(1, 1, 0, "")
    hint: str | None = None
    position: int | None = None
    field: str | None = None
    variety: str | None = None
    cards: int | None = None
    talers: int | None = None
    limit: int | None = None
    advice: str | None = None


class Refused(Exception):
    """A list that is not accepted, with **every** problem it has, in the order they stand in the text (P37)."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems; the message names their codes and places."""
        self.problems = tuple(problems)
        super().__init__(", ".join(f"{p.code} at {p.place.line}:{p.place.column}" for p in self.problems))


class Read(Struct, frozen=True):
    """One order as it was read, with its number in the list and its place."""

    order: Order
    number: int
    place: TextSpan


class Reading(Struct, frozen=True):
    """What a text says: its orders, whether it is a pass, and what could not be read."""

    orders: tuple[Read, ...]
    passed: bool
    problems: tuple[Problem, ...]


HARVEST_WORDS = ("h", "e", "harvest", "ernte")
PLOW_WORDS = ("p", "u", "plow", "plough", "pflüge", "umpflügen")
PASS_WORDS = ("pass", "passe", "nothing", "nichts", "-")

_B = "[ \\t]*"
_END = "(?=[ \\t,;]|$)"
_VERB = "|".join(sorted((*HARVEST_WORDS, *PLOW_WORDS), key=len, reverse=True)).replace("ü", "(?:ü|u\u0308)")
_CASE = re.ASCII | re.IGNORECASE
PLANT = re.compile(
    rf"([0-9]+)(?:{_B}x{_B}([0-9]+))?(?:{_B}>{_B}([a-z])|([a-wyz])|[ \t]+([a-dfgi-oq-tvwyz])(?!{_B}[x0-9]))?{_END}", _CASE
)
CLEAR = re.compile(rf"(?:([hepu])([a-z])|({_VERB})[ \t]+([a-z])){_END}", _CASE)
PART = re.compile(rf"[he](?:([a-z]){_B}x{_B}([0-9]+)|([a-z])([0-9]+)|([0-9]+)([a-z])){_END}", _CASE)
VERB = re.compile(rf"({_VERB}){_END}", _CASE)
PASS = re.compile(rf"(?:{'|'.join(PASS_WORDS)}){_END}", _CASE)
WORD = re.compile(r"[^ \t,;]+")
GAP = re.compile(r"[ \t,;]+")


def read(text: str) -> Reading:
    """Read a list of orders. Never raises; an empty text is a problem, never a pass (P31)."""
    problems: list[Problem] = []
    if len(text) > MAX_CHARACTERS:
        problems.append(Problem(code="LIMIT", cards=len(text), limit=MAX_CHARACTERS))
        text = text[:MAX_CHARACTERS]
    found = list(_items(text.removeprefix("\ufeff")))
    if len(found) > MAX_ORDERS:
        problems.append(Problem(code="LIMIT", cards=len(found), limit=MAX_ORDERS))
        found = found[:MAX_ORDERS]
    if not found:
        problems.append(Problem(code="EMPTY", hint="pass"))
    orders = tuple(item for item in found if isinstance(item, Read))
    passes = [item for item in found if isinstance(item, TextSpan)]
    if passes and len(found) > 1:
        problems += [Problem(code="PASS", place=place) for place in passes]
    problems += [item for item in found if isinstance(item, Problem)]
    problems.sort(key=lambda problem: (problem.place.line, problem.place.column))
    return Reading(orders, bool(passes), tuple(problems))


def write(order: Order) -> str:
    """One order in canonical form, as far as it is said: `3`, `3>B`, `3x2>B`, `HA`, `PC`."""
    match order:
        case Plant(position, cards, field):
            return f"{position}{'' if cards is None else f'x{cards}'}{'' if field is None else f'>{field}'}"
        case Harvest(field):
            return f"H{field}"
        case Plow(field):
            return f"P{field}"


def read_stacks(text: str) -> tuple[Stack | None, ...]:
    """Stacks from text: `bush climbing*3 -` is one bush, three climbing and nothing. Raises ValueError for a bad number."""
    stacks: list[Stack | None] = []
    for word in text.split():
        variety, _, cards = word.partition("*")
        stacks.append(None if word == "-" else Stack(variety, int(cards) if cards else 1))
    return tuple(stacks)


def write_stacks(stacks: Iterable[Stack | None]) -> str:
    """The reverse of `read_stacks`."""
    return " ".join("-" if s is None else s.variety if s.cards == 1 else f"{s.variety}*{s.cards}" for s in stacks)


def _items(text: str) -> Iterator[Read | Problem | TextSpan]:
    """Everything in a text in order: orders, problems, and the places of passes."""
    number = 0
    for line_number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        at = 0
        while at < len(line):
            if gap := GAP.match(line, at):
                at = gap.end()
                continue
            number += 1
            item, end = _item(line, at, line_number, number)
            at = end
            yield item


def _item(line: str, at: int, line_number: int, number: int) -> tuple[Read | Problem | TextSpan, int]:
    """The item that starts at `at`, and where it ends."""

    def place(end: int) -> TextSpan:
        return TextSpan(line_number, at + 1, end - at, line[at:end])

    if m := PLANT.match(line, at):
        where, field = place(m.end()), m[3] or m[4] or m[5]
        for digits in (m[1], m[2]):
            if digits is not None and (len(digits) > MAX_DIGITS or (digits[0] == "0" and digits != "0")):
                short = re.sub(r"(?<![0-9])0+(?=[0-9])", "", where.text)
                hint = None if len(digits) > MAX_DIGITS else short
                return Problem(code="NUMBER", order=number, place=where, hint=hint), m.end()
        cards = None if m[2] is None else int(m[2])
        return Read(Plant(int(m[1]), cards, field.upper() if field else None), number, where), m.end()
    if m := PASS.match(line, at):
        return place(m.end()), m.end()
    if m := PART.match(line, at):
        field, cards_text = m[1] or m[3] or m[6], m[2] or m[4] or m[5]
        return Read(Harvest(field.upper(), int(cards_text[:MAX_DIGITS])), number, place(m.end())), m.end()
    if m := CLEAR.match(line, at):
        verb, field = (m[1] or m[3]).lower(), (m[2] or m[4]).upper()
        order = Harvest(field) if verb in HARVEST_WORDS else Plow(field)
        return Read(order, number, place(m.end())), m.end()
    if m := VERB.match(line, at):
        hint = "HA" if m[1].lower() in HARVEST_WORDS else "PA"
        return Problem(code="NEEDS_FIELD", order=number, place=place(m.end()), hint=hint), m.end()
    end = WORD.match(line, at).end()  # type: ignore[union-attr]  # a gap was ruled out, so a word is here
    return _not_understood(place(end), number, line[:at], line[end:]), end


def _not_understood(place: TextSpan, number: int, before: str, behind: str) -> Problem:
    hint = _hint(place.text, before, behind)
    first = next((i for i, _ in enumerate(place.text) if _is_strange(place.text, i)), None)
    if first is None:
        digits = re.fullmatch(r"[-+]?[0-9][0-9._]*(?:e[0-9]+)?", place.text) and not re.search(r"[0-9]-|\.\.", place.text)
        return Problem(code="NUMBER" if digits else "WORD", order=number, place=place, hint=hint)
    length = 1
    while first + length < len(place.text) and _is_strange(place.text, first + length):
        length += 1
    where = TextSpan(place.line, place.column + first, length, place.text[first : first + length])
    return Problem(code="CHARACTER", order=number, place=where, hint=hint)


def _is_strange(word: str, i: int) -> bool:
    """Whether a character has no business in orders:

    anything but ASCII that prints, Latin letters, fractions, and ü in two characters.
    """
    char = word[i]
    if char.isascii():
        return not char.isprintable()
    if char == "\u0308":
        return word[i - 1 : i] not in ("u", "U")
    return not unicodedata.name(char, "").startswith("LATIN ") and unicodedata.numeric(char, 1.0).is_integer()


_SIGNS = str.maketrans({"×": "x", "*": "x", "→": ">", ":": ">", "(": ">", ")": ""})  # what people type for x
_DASHES = frozenset("-–—−_")  # what people type for a pass
_ONE_ORDER = r"(?:[0-9]++(?:x[0-9]++)?(?:>[a-c])?|[hepu][a-c])"


def _hint(word: str, before: str, behind: str) -> str | None:
    """What was probably meant, in our notation, or None. `before` and `behind`: the rest of the line."""
    if len(word) > LONGEST_HINTED:
        return None
    plain = unicodedata.normalize("NFC", word).lower()
    if set(plain) <= _DASHES or "".join(before.rsplit(maxsplit=1)[-1:]).lower() + plain in PASS_WORDS:
        return "pass"
    if re.fullmatch(rf"{_ONE_ORDER}", signs := plain.replace("->", ">").translate(_SIGNS)):
        return _tidy(signs)
    seen = "".join(" " if char.isspace() else char for char in plain if char.isprintable() or char.isspace())
    if seen != plain and (PLANT.fullmatch(seen) or CLEAR.fullmatch(seen)):
        return _tidy(seen)
    if m := re.fullmatch(r"([1-9])(?:-|\.\.\.?)([1-9])", plain):
        return " ".join(str(n) for n in range(int(m[1]), int(m[2]) + 1)) or None
    if re.fullmatch(r"[1-9](?:[+/&][1-9])+", plain):
        return " ".join(re.findall("[1-9]", plain))
    if len(plain) < 40 and re.fullmatch(rf"{_ONE_ORDER}{{2,}}", plain):
        return " ".join(_tidy(order) for order in re.findall(_ONE_ORDER, plain))
    verbs = {verb: letter for letter, words in (("H", HARVEST_WORDS), ("P", PLOW_WORDS)) for verb in words if len(verb) > 1}
    if near := get_close_matches(plain[:40].replace("ue", "ü"), [*verbs, *PASS_WORDS], n=1, cutoff=0.7):
        field = re.match(r"[ \t]+([a-c])(?![^ \t,;])", behind, _CASE)
        return "pass" if near[0] in PASS_WORDS else verbs[near[0]] + (field[1].upper() if field else "A")
    return None


def _tidy(order: str) -> str:
    order = order.upper().replace("X", "x")
    return order.replace("E", "H").replace("U", "P") if order[0] in "EU" else order
