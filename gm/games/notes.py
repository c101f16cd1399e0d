"""Notes: what was done to a round, for everybody to read, and the mail that says so."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gm import store
from gm.mail import queue
from gm.store.db import Database
from gm.store.games import Game
from gm.store.notes import Note
from gm.store.seats import Seat
from gm.timetable import promises

TO_A_DEADLINE = ("deadline", "resumed", "rollback", "outage", "restored", "changed")
"""Kinds of notes whose `new` is the deadline of the open round."""


class Change(Struct, frozen=True):
    """A change of a game that is worked out and not yet stored: the game as it stands, the columns
    that change, and the note that says so, without a number. `mailed`: whether players hear of it.
    """

    game: Game
    columns: dict[str, Any]
    note: Note
    mailed: bool = True

    @property
    def after(self) -> Game:
        """The game as it will be."""
        return replace(self.game, **self.columns)


def work_out(
    game: Game,
    columns: dict[str, Any],
    kind: str,
    text: str,
    now: int,
    *,
    old: int | None = None,
    new: int | None = None,
    who: str | None = None,
    changed: str | None = None,
    mailed: bool = True,
) -> Change:
    """A change of these columns with a note of the open round.

    A note that moves a deadline says also when the next round ends, if that was promised or
    leaves it little time.
    """
    parts = msgspec.json.decode(changed or "{}")
    deadline = game.deadline if new is None and "next_deadline" in parts else new
    after = None
    if kind in TO_A_DEADLINE and mailed:
        after = promises.following(replace(game, **columns), deadline)
    if after is not None and (after.short or after.promised or "next_deadline" in parts):
        next_round = {"next_round": (after.seconds if after.short else None, after.deadline)}
        changed = msgspec.json.encode(parts | next_round).decode()
    note = Note(0, game.id, game.round, kind, now, text, None, old, new, who, changed)
    return Change(game, columns, note, mailed)


def moved(
    game: Game,
    deadline: int,
    kind: str,
    text: str,
    now: int,
    *,
    going: Mapping[str, object] | None = None,
    changed: str | None = None,
) -> Change:
    """The change that moves the deadline of the open round; `going`: what else changes."""
    regular = deadline if game.scheduled_deadline is None else game.scheduled_deadline
    columns = {
        "deadline": deadline,
        "scheduled_deadline": regular,
        "sequence": game.sequence + 1,
        **(going or {}),
    }
    return work_out(
        game, columns, kind, text, now, old=game.deadline, new=deadline, changed=changed
    )


def recipients(db: Database, change: Change) -> list[Seat]:
    """The seats that are mailed about a change: all that want news, or all."""
    if not change.mailed:
        return []
    always = change.note.kind in store.notes.ALWAYS_TOLD
    return [seat for seat in store.seats.of_game(db, change.game.id) if seat.news or always]


def keep(db: Database, change: Change) -> int:
    """Store a change; returns the number of its note. Inside `write`."""
    if change.columns:
        store.games.update(db, change.game.id, change.columns)
    return store.notes.keep(db, change.note)


def keep_and_mail(db: Database, change: Change | None, now: int) -> bool:
    """Store a change and queue the mails about it; False if there is none. Inside `write`."""
    if change is None:
        return False
    news = queue.Event(kind="news", about=keep(db, change))
    queue.put(db, change.game.id, change.game.round, news, recipients(db, change), now)
    return True
