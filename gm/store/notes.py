"""Notes of what was done to a round, for everybody; and a player's own notes."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from gm.calendar import Rule
from gm.store.db import Database, count, insert_one, select, select_one
from gm.store.seats import Seat
from rounds.engine.witness import harmless

ALWAYS_TOLD = ("rollback", "aborted", "restored")
"""Kinds of notes that are mailed to everybody, wanted or not: orders or the game are gone."""

CLOSED_EARLY = ("early", "at_once")
"""Kinds of notes of a round that was closed before its deadline: by hand, after the
change-of-mind delay, or as soon as all orders were in.
"""

GM_TRIED = "gm_tried"
"""Kind of note for orders that a game master typed for a hidden hand and that were refused: in
the game's log alone, not among the notes that everybody reads and that the chain holds.
"""

LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
UNREADABLE = re.compile("[\0-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Categories of characters that can't be read or that turn other text about; emoji, joiners and
marks are allowed.
"""
HALF = re.compile("[\ud800-\udfff]")


def plain_words(text: str, half: str = "\ufffd") -> str:
    """Words as they are stored: one kind of line end, no unreadable characters, no line that
    mails would carry as proof; `half` in place of what is half a character.
    """
    return harmless(HALF.sub(half, UNREADABLE.sub("", LINE_END.sub("\n", text))).strip())


class Note(Struct, frozen=True):
    """What was done to a round: by the game master with a reason, or by a published rule.

    `old`, `new`: the deadlines it moved; `seat`, `who`: the seat it is about and who plays it
    now; `who` is also who closed a round by hand. `changed`: what of the game was changed, as
    JSON; the properties read it.
    """

    id: int
    game: str
    round: int
    kind: str
    at: int
    text: str
    seat: str | None
    old: int | None
    new: int | None
    who: str | None
    changed: str | None

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """What of the game was changed, by column, old and new; a calendar as a Rule."""
        changes = {
            what: pair
            for what, pair in self._changed().items()
            if what not in ("next_round", "withdrawn", "since")
        }
        if "rule" in changes:
            changes["rule"] = msgspec.convert(changes["rule"], tuple[Rule, Rule])
        return changes

    @property
    def next_round(self) -> tuple[int | None, int] | None:
        """When the round after the one with a moved deadline ends, and its seconds if they are
        few; None if as usual.
        """
        return self._changed().get("next_round")

    @property
    def withdrawn(self) -> list[str] | None:
        """The chain values that a rollback or a restore took back; None if the replaced database
        could not be read.
        """
        return self._changed().get("withdrawn")

    @property
    def since(self) -> int:
        """The first round of which a restore lost something."""
        return int(self._changed().get("since", 0))

    def _changed(self) -> dict[str, Any]:
        return msgspec.json.decode(self.changed or "{}", type=dict[str, Any])


class OwnNotes(Struct, frozen=True):
    """A player's own notes: nobody else sees them, nor does the seat's next player."""

    game: str
    seat: int
    text: str
    at: int


def add(  # noqa: PLR0913  # a note has so many parts
    db: Database,
    game_id: str,
    round_number: int,
    kind: str,
    text: str,
    at: int,
    *,
    old: int | None = None,
    new: int | None = None,
    seat: str | None = None,
    who: str | None = None,
    changed: str | None = None,
) -> int:
    """Add a note of a round; returns its id. See `Note`."""
    note = Note(0, game_id, round_number, kind, at, text, seat, old, new, who, changed)
    return keep(db, note)


def keep(db: Database, note: Note) -> int:
    """Store a note that has no number yet; returns the one that it gets."""
    row = asdict(note) | {"text": plain_words(note.text, half=r"\g<0>")}  # refused as it is
    del row["id"]
    return insert_one(db, "note", row)


def by_id(db: Database, number: int) -> Note | None:
    """The note with this number; None if there is none."""
    return select_one(db, Note, "SELECT * FROM note WHERE id = ?", number)


def of_round(db: Database, game_id: str, round_number: int) -> list[Note]:
    """The notes of a round, for everybody, in the order they were made."""
    sql = "SELECT * FROM note WHERE game = ? AND round = ? AND kind <> ? ORDER BY id"
    return select(db, Note, sql, game_id, round_number, GM_TRIED)


def restored(db: Database) -> list[Note]:
    """The notes of restores, in all games."""
    return select(db, Note, "SELECT * FROM note WHERE kind = 'restored' ORDER BY id")


def of_game(db: Database, game_id: str) -> list[Note]:
    """All notes of a game, also of rounds that were taken back, and those for its log alone."""
    return select(db, Note, "SELECT * FROM note WHERE game = ? ORDER BY id", game_id)


def times_gm_typed(db: Database, game_id: str, round_number: int, seat_name: str) -> int:
    """How often game masters typed orders of a seat for a round, accepted, or refused because of
    the hand.
    """
    sql = """SELECT count(*) FROM note WHERE game = ? AND round = ? AND seat = ?
             AND kind IN ('by_gm', ?)"""
    return count(db, sql, game_id, round_number, seat_name, GM_TRIED)


def of_this_play(db: Database, game_id: str, round_number: int) -> list[Note]:
    """The notes of a round since it was last taken back: decisions for an earlier play do not
    bind this one.
    """
    return list(of_last_play(of_round(db, game_id, round_number)))


def of_last_play(notes: Sequence[Note]) -> Sequence[Note]:
    """Of the notes of a round those since it was last taken back."""
    back = max((index for index, note in enumerate(notes) if note.kind == "rollback"), default=-1)
    return notes[back + 1 :]


def forget_who_replaced(db: Database, game_id: str, seat_name: str) -> None:
    """Let the notes of a seat that changed hands name only the seat."""
    sql = "UPDATE note SET who = seat WHERE game = ? AND seat = ? AND kind = 'replaced'"
    db.execute(sql, [game_id, seat_name])


def mails_asked_for(db: Database, game_id: str) -> list[tuple[int, str, int, int | None]]:
    """The mails of a game that were asked for by hand: instant, kind, round and seat, oldest
    first.
    """
    sql = """SELECT queued_at, kind, round, seat FROM mail WHERE game = ?
             AND (kind IN ('link_again', 'ready', 'invite') OR kind = 'reminder' AND lead IS NULL)
             ORDER BY queued_at, kind, round, id"""
    return db.execute(sql, [game_id]).fetchall()


def own_notes(db: Database, seat: Seat) -> OwnNotes | None:
    """The own notes of a seat's player; None if there are none."""
    return select_one(
        db, OwnNotes, "SELECT * FROM own_notes WHERE game = ? AND seat = ?", seat.game, seat.number
    )


def set_own_notes(db: Database, notes: OwnNotes) -> None:
    """Store a player's own notes, in place of what was there."""
    sql = """INSERT INTO own_notes (game, seat, text, at) VALUES (:game, :seat, :text, :at)
             ON CONFLICT (game, seat) DO UPDATE SET text = excluded.text, at = excluded.at"""
    db.execute(sql, asdict(notes))


def forget_own_notes(db: Database, game_id: str, seat: int) -> None:
    """Delete a player's own notes."""
    db.execute("DELETE FROM own_notes WHERE game = ? AND seat = ?", [game_id, seat])
