"""The lists a seat has sent for the open round, each compared with the one before."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from msgspec import Struct

from gm.store import Game, Revision
from rounds.events import Event
from rounds.variant import Table

Change = tuple[str, Event]


class Version(Struct, frozen=True):
    """A list, its digest, and what it changed: (− or +, what happens). The oldest has nothing to compare with."""

    revision: Revision
    digest: str | None
    changes: tuple[Change, ...]


def versions(game: Game, table: Table, seat: str, lists: Sequence[Revision]) -> list[Version]:
    """All lists of a seat for the round played on this table, newest first as they came in."""
    steps = [_steps(game, table, seat, revision) for revision in lists]
    changes = [*(_changes(older, newer) for newer, older in pairwise(steps)), ()]
    return [Version(revision, revision.digest(seat), change) for revision, change in zip(lists, changes, strict=False)]


def _steps(game: Game, table: Table, seat: str, revision: Revision) -> tuple[Event, ...]:
    steps = game.engine.preview(table, seat, game.engine.read_orders(table, seat, revision.orders))
    return tuple(event for step in steps for event in step.events)


def _changes(older: Sequence[Event], newer: Sequence[Event]) -> tuple[Change, ...]:
    found: list[Change] = []
    for _, old_from, old_to, new_from, new_to in SequenceMatcher(None, older, newer).get_opcodes():
        gone, come = older[old_from:old_to], newer[new_from:new_to]
        if gone != come:
            found += [("−", event) for event in gone] + [("+", event) for event in come]
    return tuple(found)
