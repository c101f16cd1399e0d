"""When a round is closed before its deadline, as its players are promised."""

from collections.abc import Sequence

from sqlite_utils import Database

from gm import store
from gm.clock import DAY
from gm.store.games import Game
from gm.store.lists import Revision
from gm.store.notes import Note

RESTARTING = (
    "replaced",
    "removed",
    "address",
    "own_address",
    "renewed",
    "own_link",
    "released",
    "rollback",
    "restored",
)
"""Kinds of notes that start the change-of-mind delay again; a `changed` note does so depending on
what was changed.
"""
MOVING = ("deadline", "outage", "changed")
"""Kinds of notes that move the open round's deadline for everybody, if they name a new one."""


def early_closing(db: Database, game: Game) -> int | None:
    """When the open round is closed before its deadline, as `closes_early_at` says; None if it is
    not.

    A game that closes at once waits for robots, too. A game that nobody plays waits.
    """
    seats = [seat for seat in store.seats.of_game(db, game.id) if seat.removed_at is None]
    playing = seats if game.engine.closes_at_once else store.seats.people(seats)
    if not playing:
        return None
    newest = store.lists.newest(db, game.id, game.round)
    revisions = [newest.get(seat.number) for seat in playing if game.awaits(seat.name)]
    return closes_early_at(game, revisions, store.notes.of_round(db, game.id, game.round))


def closes_early_at(
    game: Game, revisions: Sequence[Revision | None], notes: Sequence[Note]
) -> int | None:
    """When the open round is closed before its deadline; None if it is not, as things stand.

    `revisions`: of each awaited seat the orders that count, None where there are none; `notes`:
    of the round. It is closed once all have ordered and the change-of-mind delay has passed
    since the last thing that changed who orders, who could, or what was promised; time in which
    the game was paused does not count. Not before the round has its shortest length; for a day
    after a rollback or a restore only if all have ordered anew; and a deadline that was moved
    for everybody is waited for. A game that closes at once has no delay.
    """
    at_once = game.engine.closes_at_once
    if not game.is_open or game.early_after is None or (game.deadline is None and not at_once):
        return None
    ordered = [revision.at for revision in revisions if revision is not None]
    back = max((place for place, note in enumerate(notes) if note.kind == "rollback"), default=0)
    notes = notes[back:]  # of this play of the round
    if len(ordered) < len(revisions) or (not at_once and _is_moved(notes)):
        return None
    last = max(
        [game.round_at or 0, *ordered, *(note.at for note in notes if _restarts_delay(note))]
    )
    reopened = max(
        (note.at for note in notes if note.kind in ("rollback", "restored")), default=None
    )
    earliest = [last + game.early_after + _paused_since(last, notes)]
    if not at_once:
        earliest.append((game.round_at or 0) + game.schedule.shortest * 3600)
    if reopened is not None and not (ordered and min(ordered) > reopened):
        earliest.append(reopened + DAY)
    instant = max(earliest)
    return None if game.deadline is not None and instant >= game.deadline else instant


def may_close_early(db: Database, game: Game) -> bool:
    """True if the open round is closed before its deadline once all have ordered; False if its
    deadline was moved for everybody.
    """
    if game.early_after is None:
        return False
    notes = store.notes.of_this_play(db, game.id, game.round)
    return game.engine.closes_at_once or not _is_moved(notes)


def _is_moved(notes: Sequence[Note]) -> bool:
    """True if a deadline was moved for everybody."""
    return any(note.kind in MOVING and note.new not in (None, note.old) for note in notes)


def _restarts_delay(note: Note) -> bool:
    """True if a note tells of something that changed who orders, who could order, or what was
    promised.
    """
    if note.kind == "changed":
        return not {"rule", "early_after", "after_early"}.isdisjoint(note.changes)
    return note.kind in RESTARTING


def _paused_since(since: int, notes: Sequence[Note]) -> int:
    """How many seconds the game was paused after an instant."""
    pauses = [note.at for note in notes if note.kind == "paused"]
    ends = [note.at for note in notes if note.kind == "resumed"]
    return sum(max(0, end - max(begin, since)) for begin, end in zip(pauses, ends, strict=False))
