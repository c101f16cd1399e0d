"""Notes: what was done to a round, for everybody to read, and the mail that says so."""

import msgspec

from gm import store
from gm.mail import queue
from gm.store.db import Database
from gm.store.games import Game
from gm.timetable import promises

TO_A_DEADLINE = ("deadline", "resumed", "rollback", "outage", "restored", "changed")
"""Kinds of notes whose `new` is the deadline of the open round."""


def move(
    db: Database,
    game: Game,
    deadline: int,
    kind: str,
    text: str,
    now: int,
    *,
    changed: str | None = None,
) -> None:
    """Move the deadline of the open round, note it and tell everybody. Inside `write`."""
    regular = deadline if game.scheduled_deadline is None else game.scheduled_deadline
    store.games.update(
        db,
        game.id,
        {"deadline": deadline, "scheduled_deadline": regular, "sequence": game.sequence + 1},
    )
    add_and_mail(db, game, kind, text, now, old=game.deadline, new=deadline, changed=changed)


def add_and_mail(
    db: Database,
    game: Game,
    kind: str,
    text: str,
    now: int,
    *,
    old: int | None = None,
    new: int | None = None,
    who: str | None = None,
    changed: str | None = None,
) -> None:
    """Add a note of the open round, and queue a mail about it to every seat that wants news.
    Inside `write`, after the change.

    A note that moves a deadline says also when the next round ends, if that was promised or
    leaves it little time.
    """
    parts = msgspec.json.decode(changed or "{}")
    deadline = game.deadline if new is None and "next_deadline" in parts else new
    after = (
        promises.following(store.games.existing(db, game.id), deadline)
        if kind in TO_A_DEADLINE
        else None
    )
    if after is not None and (after.short or after.promised or "next_deadline" in parts):
        next_round = {"next_round": (after.seconds if after.short else None, after.deadline)}
        changed = msgspec.json.encode(parts | next_round).decode()
    number = store.notes.add(
        db, game.id, game.round, kind, text, now, old=old, new=new, who=who, changed=changed
    )
    recipients = [
        seat
        for seat in store.seats.of_game(db, game.id)
        if seat.news or kind in store.notes.ALWAYS_TOLD
    ]
    queue.put(db, game.id, game.round, queue.News(note=number), recipients, now)
