"""The revisions that a seat has sent for the open round, each compared with the one before."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from msgspec import Struct

from gm.store.games import Game
from gm.store.lists import Revision
from rounds.engine.events import Event
from rounds.engine.notation import Orders, Refused
from rounds.engine.variant import Table

Change = tuple[str, Event]


class Version(Struct, frozen=True):
    """A revision, its digest, and what it changed: (− or +, event); None without one before.

    `fits`: whether it can still be ordered. A void one may be of a table that was taken back.
    """

    revision: Revision
    digest: str
    changes: tuple[Change, ...] | None
    fits: bool


def versions(game: Game, table: Table, seat: str, lists: Sequence[Revision]) -> list[Version]:
    """All revisions of a seat for the round played on this table, newest first."""
    steps = [_steps(game, table, seat, revision) for revision in lists]
    changes = [*(_changes(older, newer) for newer, older in pairwise(steps)), None]
    return [
        Version(revision, revision.digest(seat), change, fits=step is not None)
        for revision, change, step in zip(lists, changes, steps, strict=False)
    ]


def _steps(game: Game, table: Table, seat: str, revision: Revision) -> tuple[Event, ...] | None:
    if (orders := readable(game, table, seat, revision)) is None:
        return None
    steps = game.engine.preview(table, seat, orders)
    return tuple(event for step in steps for event in step.events)


def readable(game: Game, table: Table, seat: str, revision: Revision) -> Orders | None:
    """A revision's orders on this table; None if they are not allowed there, since they were
    sent for one that was taken back.
    """
    try:
        return game.engine.read_orders(table, seat, revision.orders)
    except Refused:
        return None


def _changes(
    older: Sequence[Event] | None, newer: Sequence[Event] | None
) -> tuple[Change, ...] | None:
    if older is None or newer is None:
        return None
    changes: list[Change] = []
    for _, old_from, old_to, new_from, new_to in SequenceMatcher(None, older, newer).get_opcodes():
        gone, come = older[old_from:old_to], newer[new_from:new_to]
        if gone != come:
            changes += [("−", event) for event in gone] + [("+", event) for event in come]
    return tuple(changes)
