"""The next instant at which there is something to do, found by the statements that do it."""

from gm import store
from gm.deadline import closing
from gm.deadline.outage import clock_doubt
from gm.deadline.reminders import LEADS
from gm.store.db import Database, write
from gm.store.file import backup

BATCH_SECONDS = 60
"""How long before a deadline a copy is made; it counts for all deadlines within the same time after
that one.
"""
AFTER_SECONDS = 5 * 60
"""How long after a round was closed at its deadline another copy is made."""
NO_TIME_SECONDS = 10
"""No copy is begun this close to a deadline: the round would have to wait for it."""
COPIED_UNTIL, COPY_AFTER = "copied_until", "copy_after"
"""The keys in `meta` for the instant up to which deadlines need no other copy, and for when the
next copy after a batch is due.
"""


def next_pass(db: Database, now: int, until: int) -> int:
    """When the next pass over rounds has something to do: at a deadline, an early closing, a
    lead time of reminders, or when a game is tried again whose work has failed. `now` or before
    if there is something to do already, and `until` if nothing is known before that.

    At a lead time nobody may need a reminder. While the service is held, or its clock is in
    doubt, only `until` is known.
    """
    if backup.held(db) or clock_doubt(db, now) is not None:
        return until
    if (
        store.acts.is_waiting(db, now - BATCH_SECONDS, now)
        or store.due.robot_without_list(db, now, now) is not None
    ):
        return now
    leads = [
        deadline - lead
        for lead in LEADS
        if (deadline := store.due.next_deadline(db, now + lead, now)) is not None
    ]
    instants = (
        store.due.next_deadline(db, 0, now),
        store.due.next_retry(db, now),
        store.due.next_quarter(db, now),
        closing.next_early_closing(db, now, until),
        *leads,
    )
    return min([until, *(instant for instant in instants if instant is not None)])


def next_mail(db: Database, now: int, until: int) -> int:
    """When the next mail is to be written or sent; `now` or before if one is already, and `until`
    if none is known before that.
    """
    if backup.held(db):
        return until
    due = store.mails.next_due_at(db)
    return until if due is None else min(due, until)


def next_copy(db: Database, now: int, until: int) -> int:
    """When the next copy around a batch is to be made; `until` if none is known before that."""
    if backup.held(db):
        return until
    return min([until, *_copies(db, now).values()])


def claim_copies(db: Database, now: int) -> list[str]:
    """The copies to be made now, `before` or `after` a batch of rounds, each given to one process
    alone.
    """
    if not any(at <= now for at in _copies(db, now).values()):
        return []
    with write(db):
        due = [when for when, at in _copies(db, now).items() if at <= now]
        if "before" in due:
            store.meta.remember(db, COPIED_UNTIL, str(now + 2 * BATCH_SECONDS))
        if "after" in due:
            store.meta.forget(db, COPY_AFTER)
        return due


def copy_later(db: Database, now: int) -> None:
    """Have a copy made some minutes after a round that was closed at its deadline."""
    if store.meta.remembered(db, COPY_AFTER) is None:
        with write(db):
            store.meta.remember(db, COPY_AFTER, str(now + AFTER_SECONDS))


def copied_after(db: Database) -> None:
    """The copy after a batch was made without being claimed."""
    if store.meta.remembered(db, COPY_AFTER) is not None:
        with write(db):
            store.meta.forget(db, COPY_AFTER)


def _copies(db: Database, now: int) -> dict[str, int]:
    """When the next copy of each kind is to be made. None is begun shortly before a deadline."""
    covered, after = (
        int(store.meta.remembered(db, key) or 0) for key in (COPIED_UNTIL, COPY_AFTER)
    )
    if covered > now + 2 * BATCH_SECONDS:  # the clock was set back
        covered = 0
    deadline = store.due.next_deadline(db, max(covered, now), now)
    instants = {} if deadline is None else {"before": max(deadline - BATCH_SECONDS, now)}
    if after:
        instants["after"] = after
    nearest = store.due.next_deadline(db, now, now)
    if nearest is not None and nearest - now < NO_TIME_SECONDS:
        return {when: max(at, nearest + 1) for when, at in instants.items()}
    return instants
