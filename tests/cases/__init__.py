"""Rule cases: small situations with one expected result, as data that players and other programs
can read. One runner for all games; each says how its tables are read and what a case may expect
of them.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from rounds.engine.beans import Deck

Body = Mapping[str, Any]
Seen = dict[str, Any]
Kind = Callable[[Body, Deck], tuple[Seen, Any, Any]]
"""Runs a case of one kind: what it sees, the table before and the one after (None where there is
none).
"""
REFUSED = ("errors", "refused")
"""What a case must expect if it is there."""


class Case(Struct, frozen=True):
    """A rule case: a small situation with one expected result. `body` is in the variant's own
    words.
    """

    id: str
    title: str
    reason: str
    rulings: tuple[str, ...]
    body: Body


class Failure(Struct, frozen=True):
    """What a failing case shows: the table before, the orders, the table after, and each
    difference.
    """

    before: str
    orders: str
    after: str
    differences: tuple[str, ...]


def read_exchange(document: Body, schema: str) -> tuple[Case, ...]:
    """The cases of a document in an exchange format that says its kind and what it rests on.
    Raises ValueError for any other.
    """
    if document.get("schema") != schema:
        raise ValueError(f'no "schema": "{schema}"')
    return tuple(
        Case(
            case["id"],
            case["title"],
            case.get("rests_on", ""),
            tuple(case.get("rulings", ())),
            case,
        )
        for case in document["cases"]
    )


@dataclass(frozen=True, eq=False)  # a variant is remembered by what it is, not by what it holds
class Cases:
    """The rule cases of a variant."""

    kinds: Mapping[str, Kind]
    show: Callable[[Any], str]
    """A table in lines."""
    read: Callable[[Body], tuple[Case, ...]]
    """The cases of a document in the variant's exchange format, or its own. Raises ValueError
    for any other.
    """
    expected: Callable[[Body, Seen], Mapping[str, Any]] = lambda body, _: body["expect"]
    """(body, what was seen) → what the case expects."""
    plain: Callable[[str, Any], Any] = lambda _, value: value
    """(key, value) → the value in the one way to write it."""
    seats: Collection[str] = ()
    """Keys under which only what is expected is looked at."""

    def check(self, case: Case, deck: Deck) -> Failure | None:
        """Run one case; None if it holds: everything it expects comes true, and nothing is
        refused that it does not expect.

        Raises ValueError for a body it cannot read.
        """
        kind = case.body.get("kind", "round")
        if kind not in self.kinds:
            raise ValueError(
                f"case {case.id}: no kind {kind!r}; there are: {', '.join(self.kinds)}"
            )
        seen, before, after = self.kinds[kind](case.body, deck)
        expected = self.expected(case.body, seen)
        differences = [*self._differences("", expected, seen)]
        differences += [
            f"{key}: nothing expected, found {shown(value)}"
            for key, value in seen.items()
            if key.rpartition(": ")[2].startswith(REFUSED) and value and key not in expected
        ]
        if not differences:
            return None
        orders = shown(case.body.get("orders", case.body.get("lists", "")))
        tables = ["" if table is None else self.show(table) for table in (before, after)]
        return Failure(tables[0], orders, tables[1], tuple(differences))

    def _differences(
        self, where: str, expected: Mapping[str, Any], seen: Mapping[str, Any]
    ) -> Iterator[str]:
        for key, wanted in expected.items():
            if key not in seen:
                yield (
                    f"{where}{key}: expected {shown(wanted)}, found nothing that this kind of "
                    "case tells"
                )
            elif key in self.seats and isinstance(wanted, Mapping) and not where:
                yield from self._differences(f"{key}, ", wanted, seen[key])
            elif self.plain(key, wanted) != self.plain(key, seen[key]):
                yield f"{where}{key}: expected {shown(wanted)}, found {shown(seen[key])}"


def shown(value: Any) -> str:
    """A value to be read in a line."""
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {shown(inner)}" for key, inner in value.items())
    return str(value) or "nothing"
