"""Lists of orders, never changed once they are stored, and the words that came with them."""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict
from sqlite_utils import Database

from gm.store.db import insert, select
from gm.store.seats import Seat
from rounds.engine.shuffle import receipt

Source = Literal["seat", "gm", "program", "robot"]
"""How a list came in: by the seat's link, typed by the game master, by a program with the seat's
token, by a robot.
"""


class Revision(Struct, frozen=True):
    """One accepted list of orders, canonical; never changed afterwards. `salt`: what keeps its
    digest from being guessed.

    `source`: how it came in. `link_number`: of the seat's link at that time. `void_at`: it does
    not count any more, and what it was sent for has changed.
    """

    game: str
    round: int
    seat: int
    number: int
    orders: str
    at: int
    salt: bytes
    source: Source
    link_number: int
    void_at: int | None = None

    @property
    def by_gm(self) -> bool:
        """Whether the game master typed it in."""
        return self.source == "gm"

    def is_of(self, seat: Seat) -> bool:
        """Whether it was sent by the link that opens the seat now: only then its orders are for
        who comes by that link.
        """
        return self.link_number == seat.link_number

    def digest(self, seat_name: str) -> str:
        """The digest that the receipt and the report print, in hex."""
        return receipt(self.game, self.round, seat_name, self.number, self.salt, self.orders).hex()


class Press(Struct, frozen=True):
    """What a seat wrote with its orders: for all (`text`), and for the GM alone, who has read it
    at `read_at`.
    """

    game: str
    round: int
    seat: int
    text: str
    to_gm: str
    at: int
    link_number: int
    read_at: int | None = None


def revisions(db: Database, game_id: str, round_number: int, seat: int) -> list[Revision]:
    """All lists of a seat for a round, newest first."""
    sql = "SELECT * FROM revision WHERE game = ? AND round = ? AND seat = ? ORDER BY number DESC"
    return select(db, Revision, sql, game_id, round_number, seat)


def sources(db: Database, game_id: str, round_number: int) -> dict[tuple[int, int], Source]:
    """How the lists for a round came in, by seat and version."""
    sql = "SELECT seat, number, source FROM revision WHERE game = ? AND round = ?"
    return {
        (seat, number): source for seat, number, source in db.execute(sql, [game_id, round_number])
    }


def newest(db: Database, game_id: str, round_number: int) -> dict[int, Revision]:
    """Per seat that has one, the list that counts."""
    sql = "SELECT * FROM revision WHERE game = ? AND round = ? AND void_at IS NULL ORDER BY number"
    return {
        revision.seat: revision for revision in select(db, Revision, sql, game_id, round_number)
    }


def void_after(db: Database, game_id: str, round_number: int, now: int) -> None:
    """The lists for later rounds than this count no longer."""
    db.execute(
        "UPDATE revision SET void_at = ? WHERE game = ? AND round > ? AND void_at IS NULL",
        [now, game_id, round_number],
    )


def void(db: Database, game_id: str, round_number: int, seat: int, at: int) -> None:
    """What a seat has sent for a round does not count any more."""
    sql = """UPDATE revision SET void_at = ? WHERE game = ? AND round = ? AND seat = ?
             AND void_at IS NULL"""
    db.execute(sql, [at, game_id, round_number, seat])


def give_words_to_link(db: Database, game_id: str, seat: int, old: int, new: int) -> None:
    """The lists and the press that came by a link of a seat are for who comes by another:
    numbers of the two links.
    """
    values = [new, game_id, seat, old]
    db.execute(
        "UPDATE revision SET link_number = ? WHERE game = ? AND seat = ? AND link_number = ?",
        values,
    )
    db.execute(
        "UPDATE press SET link_number = ? WHERE game = ? AND seat = ? AND link_number = ?", values
    )


def add(db: Database, revision: Revision) -> None:
    """One more list of a seat for a round."""
    insert(db, "revision", [asdict(revision)])


def press(db: Database, game_id: str, round_number: int) -> list[Press]:
    """What was written for a round, by seat."""
    return select(
        db,
        Press,
        "SELECT * FROM press WHERE game = ? AND round = ? ORDER BY seat",
        game_id,
        round_number,
    )


def set_press(db: Database, word: Press) -> None:
    """What a seat wrote for a round, in place of what it wrote before."""
    sql = """INSERT INTO press (game, round, seat, text, to_gm, at, link_number, read_at)
             VALUES (:game, :round, :seat, :text, :to_gm, :at, :link_number, :read_at)
             ON CONFLICT (game, round, seat) DO UPDATE
             SET text = excluded.text, to_gm = excluded.to_gm, at = excluded.at, link_number =
             excluded.link_number, read_at = excluded.read_at"""
    db.execute(sql, asdict(word))


def remove_press(db: Database, game_id: str, round_number: int, seat: int) -> None:
    """What a seat wrote for a round goes."""
    db.execute(
        "DELETE FROM press WHERE game = ? AND round = ? AND seat = ?", [game_id, round_number, seat]
    )


def words_to_gm(db: Database, game_id: str) -> list[Press]:
    """What players of a game wrote to its game masters, newest first."""
    sql = "SELECT * FROM press WHERE game = ? AND to_gm <> '' ORDER BY at DESC, round DESC, seat"
    return select(db, Press, sql, game_id)


def mark_words_read(db: Database, game_id: str, until: int, now: int) -> int:
    """The unread words to the game masters that came until an instant are read now; how many."""
    sql = """UPDATE press SET read_at = ? WHERE game = ? AND to_gm <> '' AND read_at IS NULL
             AND at <= ?"""
    return db.execute(sql, [now, game_id, until]).rowcount


def clear_press(db: Database, game_id: str, round_number: int, seat: int) -> None:
    """What a seat has written for all with its list for a round goes."""
    db.execute(
        "UPDATE press SET text = '' WHERE game = ? AND round = ? AND seat = ?",
        [game_id, round_number, seat],
    )


def clear_words_to_gm(db: Database, game_id: str, seat: int) -> None:
    """Everything that a seat ever wrote to its game masters goes."""
    db.execute("UPDATE press SET to_gm = '' WHERE game = ? AND seat = ?", [game_id, seat])


def own_press(db: Database, seat: Seat, round_number: int) -> tuple[str, str]:
    """What was written by the present link of the seat for a round: for all, and to the GM."""
    for word in press(db, seat.game, round_number):
        if word.seat == seat.number and word.link_number == seat.link_number:
            return word.text, word.to_gm
    return "", ""


def of_player(db: Database, of: Seat, open_round: int) -> list[dict[str, Any]]:
    """The rows of the lists of whoever plays a seat now; of an open round those that came by the
    present link.
    """
    sql = """SELECT * FROM revision WHERE game = ? AND seat = ? AND at >= ? AND (round < ?
             OR link_number = ?) ORDER BY round, number"""
    return list(
        db.query(sql, [of.game, of.number, of.player_since or 0, open_round, of.link_number])
    )


def press_of_player(db: Database, of: Seat, open_round: int) -> list[dict[str, Any]]:
    """The same of what they wrote with their lists."""
    sql = """SELECT * FROM press WHERE game = ? AND seat = ? AND at >= ? AND (round < ?
             OR link_number = ?) ORDER BY round"""
    return list(
        db.query(sql, [of.game, of.number, of.player_since or 0, open_round, of.link_number])
    )


def mails_of_player(db: Database, to: Seat) -> list[dict[str, Any]]:
    """Kind, round, address and instant of the mails to whoever plays a seat now."""
    sql = """SELECT kind, round, address, queued_at FROM mail WHERE game = ? AND seat = ?
             AND queued_at >= ? ORDER BY id"""
    return list(db.query(sql, [to.game, to.number, to.player_since or 0]))
