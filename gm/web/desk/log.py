"""A game's log for its game masters: the notes that everybody reads, and what only some were
mailed.
"""

from itertools import groupby

from msgspec import Struct

from gm import store
from gm.store.db import Database
from gm.store.games import Game
from gm.store.notes import Note


class Entry(Struct, frozen=True):
    """One line: a note, or mails of one kind that were asked for at one moment: to whom, and how
    many.
    """

    at: int
    round: int
    kind: str
    note: Note | None = None
    names: tuple[str, ...] = ()
    mails: int = 0


def entries(db: Database, game: Game) -> list[Entry]:
    """Everything that was done, newest first, in rounds that were taken back too: notes, orders
    typed in for a hidden hand and refused, reminders by hand, links sent again, invitations, who
    was asked.
    """
    lines = [
        Entry(note.at, note.round, note.kind, note) for note in store.notes.of_game(db, game.id)
    ] + _mailed(db, game)
    return sorted(lines, key=lambda entry: entry.at)[::-1]


def _mailed(db: Database, game: Game) -> list[Entry]:
    called = {seat.number: seat.called for seat in store.seats.of_game(db, game.id)}
    rows = store.notes.mails_asked_for(db, game.id)
    lines = []
    for (at, kind, number), group in groupby(rows, key=lambda row: row[:3]):
        seats = [seat for *_, seat in group]
        names = tuple(called[seat] for seat in seats if seat in called)
        lines.append(Entry(at, number, kind, names=names, mails=len(seats)))
    return lines
