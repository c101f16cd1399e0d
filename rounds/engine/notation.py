"""Order text, as far as it is the same in every game: places, separators, limits, strange
characters, a pass, hints.

Which words are orders says the `Grammar` of a variant. Reading is generous and never guesses:
what is not understood becomes a `Problem` with its place, a stable code and, where one is near,
a hint in our notation. Whether an order is *legal* is for the variant to say.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

MAX_CHARACTERS = 4000
MAX_ORDERS = 400
MAX_DIGITS = 6
LONGEST_HINTED = 200
"""For a longer word no hint is sought: to normalise it costs with the square of its marks."""

Order = Any
"""One order: a frozen value of its variant's own."""
Orders = tuple[Order, ...]


class TextSpan(Struct, frozen=True):
    """Where something stands in a text: line and column count from 1, in characters. `text` is
    what was typed there.
    """

    line: int
    column: int
    length: int
    text: str


class Problem(Struct, frozen=True, kw_only=True):
    """One thing wrong with a list: a stable code, where it stands, and the numbers for a
    sentence in any language.

    `order` is the number of the order in the list from 1, None for a problem of the list as a
    whole. `cards` and `limit`: how many there are, and how many there may be. A variant whose
    problems carry more makes a kind of its own of this. The sentence for each code stands in the
    `problems.txt` of the variant whose kind it is, else in the common one.
    """

    code: str
    order: int | None = None
    place: TextSpan = TextSpan(1, 1, 0, "")
    hint: str | None = None
    cards: int | None = None
    limit: int | None = None


class Refused(Exception):
    """A list that is not accepted, with **every** problem it has, in the order they stand in the
    text (P37).
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(
            ", ".join(f"{p.code} at {p.place.line}:{p.place.column}" for p in self.problems)
        )


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


@dataclass(frozen=True)
class Grammar:
    """The words of one game."""

    item: Callable[[str, int], tuple[Order | Problem, int] | None]
    """(a line, where in it) → the order that starts there, or what is wrong with it, and where
    it ends; None if there is none.
    """
    hint: Callable[[str, str], str | None] = lambda word, behind: None
    """(a word that is not understood, in lower case and NFC; the rest of its line) → what was
    probably meant, in our notation.
    """
    problem: type[Problem] = Problem
    """The kind of every problem that is found while reading: one of the game's own where it says
    them in words of its own.
    """
    passing: Order = None
    """A pass as an order, in a game where it may stand beside others: which, is for the game to
    judge. Plain: it stands alone.
    """


PASS_WORDS = ("pass", "passe", "nothing", "nichts", "-")
BLANKS = "[ \\t]*"
END = "(?=[ \\t,;]|$)"
"""What an order ends at, as a regular expression."""
CASE = re.ASCII | re.IGNORECASE
JOINING = ("und", "and", "&", "+")
"""What people write between two orders; a comma does."""


def any_case(word: str) -> str:
    """A word for regular expressions with CASE: other letters than ASCII large or small too, in
    one character or composed.
    """
    spelled = (
        re.escape(char) if char.isascii() else _spellings(char)
        for char in unicodedata.normalize("NFC", word)
    )
    return "".join(spelled)


def _spellings(char: str) -> str:
    both = {char, char.lower(), char.upper()}
    return f"(?:{'|'.join(sorted(both | {unicodedata.normalize('NFD', one) for one in both}))})"


PASS = re.compile(rf"(?:{'|'.join(PASS_WORDS)}){END}", CASE)
WORD = re.compile(r"[^ \t,;]+")
GAP = re.compile(r"[ \t,;]+")


def read(text: str, grammar: Grammar) -> Reading:
    """Read a list of orders. Never raises; an empty text is a problem, never a pass (P31)."""
    problems: list[Problem] = []
    if len(text) > MAX_CHARACTERS:
        problems.append(grammar.problem(code="LIMIT", cards=len(text), limit=MAX_CHARACTERS))
        text = text[:MAX_CHARACTERS]
    found = list(_items(text.removeprefix("\ufeff"), grammar))
    if len(found) > MAX_ORDERS:
        problems.append(grammar.problem(code="LIMIT", cards=len(found), limit=MAX_ORDERS))
        found = found[:MAX_ORDERS]
    if not found:
        problems.append(grammar.problem(code="EMPTY", hint="pass"))
    orders = tuple(item for item in found if isinstance(item, Read))
    passes = [item for item in found if isinstance(item, TextSpan)]
    if passes and len(found) > 1:
        problems += [grammar.problem(code="PASS", place=place) for place in passes]
    problems += [item for item in found if isinstance(item, Problem)]
    return Reading(orders, bool(passes), tuple(in_text_order(problems)))


def in_text_order(problems: Iterable[Problem]) -> list[Problem]:
    """The problems in the order they stand in the text."""
    return sorted(problems, key=lambda problem: (problem.place.line, problem.place.column))


def _items(text: str, grammar: Grammar) -> Iterator[Read | Problem | TextSpan]:
    """Everything in a text in order: orders, problems, and the places of passes."""
    number = 0
    for line_number, line in enumerate(re.split("\r\n|\r|\n", text), start=1):
        at = 0
        while at < len(line):
            if gap := GAP.match(line, at):
                at = gap.end()
                continue
            number += 1
            item, end = _item(line, at, line_number, number, grammar)
            at = end
            yield item


def _item(
    line: str, at: int, line_number: int, number: int, grammar: Grammar
) -> tuple[Read | Problem | TextSpan, int]:
    """The item that starts at `at`, and where it ends."""

    def place(end: int) -> TextSpan:
        return TextSpan(line_number, at + 1, end - at, line[at:end])

    if m := PASS.match(line, at):
        where = place(m.end())
        return Read(grammar.passing, number, where) if grammar.passing else where, m.end()
    if found := grammar.item(line, at):
        what, end = found
        if isinstance(what, Problem):
            return replace(what, order=number, place=place(end)), end
        return Read(what, number, place(end)), end
    # a gap was ruled out, so a word is here
    end = WORD.match(line, at).end()  # type: ignore[union-attr]
    hint = _hint(line[at:end], line[:at], line[end:], grammar)
    return _not_understood(place(end), number, hint, grammar.problem), end


def _not_understood(
    place: TextSpan, number: int, hint: str | None, problem: type[Problem]
) -> Problem:
    first = next((i for i, _ in enumerate(place.text) if _is_strange(place.text, i)), None)
    if first is None:
        digits = re.fullmatch(r"[-+]?[0-9][0-9._]*(?:e[0-9]+)?", place.text) and not re.search(
            r"[0-9]-|\.\.", place.text
        )
        return problem(code="NUMBER" if digits else "WORD", order=number, place=place, hint=hint)
    length = 1
    while first + length < len(place.text) and _is_strange(place.text, first + length):
        length += 1
    where = TextSpan(place.line, place.column + first, length, place.text[first : first + length])
    return problem(code="CHARACTER", order=number, place=where, hint=hint)


def _is_strange(word: str, i: int) -> bool:
    """True if a character has no business in orders: anything but printable ASCII, Latin
    letters, fractions, and ü in two characters.
    """
    char = word[i]
    if char.isascii():
        return not char.isprintable()
    if char == "\u0308":
        return word[i - 1 : i] not in ("u", "U")
    return (
        not unicodedata.name(char, "").startswith("LATIN ")
        and unicodedata.numeric(char, 1.0).is_integer()
    )


_DASHES = frozenset("-–—−_")  # what people type for a pass


def _hint(word: str, before: str, behind: str, grammar: Grammar) -> str | None:
    """What was probably meant, in our notation, or None. `before` and `behind`: the rest of the
    line.
    """
    if len(word) > LONGEST_HINTED:
        return None
    plain = unicodedata.normalize("NFC", word).lower()
    if (
        set(plain) <= _DASHES
        or "".join(before.rsplit(maxsplit=1)[-1:]).lower() + plain in PASS_WORDS
    ):
        return "pass"
    if plain in JOINING:
        return ","
    short = word.rstrip(".")
    if (
        short != word
        and (found := grammar.item(short, 0))
        and found[1] == len(short)
        and not isinstance(found[0], Problem)
    ):
        return short
    apart = " ".join(word.split())
    reads = apart not in ("", word) and not read(apart, grammar).problems
    return grammar.hint(plain, behind) or (apart if reads else None)


def bean_words(also: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Every word that orders may use for a variety: its id and its other names, each also with
    `bohne` or `bohnen` behind it.
    """
    names = ((name, variety) for variety, others in also.items() for name in (variety, *others))
    return {name + end: variety for name, variety in names for end in ("", "bohne", "bohnen")}


def nearest(word: str, known: Mapping[str, str], cutoff: float = 0.75) -> str | None:
    """The hint for the known word that looks most like this one; None if none does."""
    near = get_close_matches(word[:40], [*known, *PASS_WORDS], n=1, cutoff=cutoff)
    return known.get(near[0], "pass") if near else None
