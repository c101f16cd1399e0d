"""Orders, as numbered revisions that are never changed, and the words that came with them."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict

from gm.store.db import Database, as_list, insert, select
from gm.store.seats import Seat
from rounds.engine.shuffle import receipt

Source = Literal["seat", "gm", "program", "robot"]
"""Who sent orders: the player by the seat's link, the game master by typing them, a program with
the seat's token, or a robot.
"""


class Revision(Struct, frozen=True):
    """Accepted orders in canonical form, never changed afterwards. `salt` keeps their digest
    from being guessed.

    `source`: who sent them. `link_number`: of the seat's link at that time. `void_at`: since
    when they no longer count, because what they were sent for has changed.
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
        """True if the game master typed them."""
        return self.source == "gm"

    def is_of(self, seat: Seat) -> bool:
        """True if they were sent by the link that opens the seat now; only then that link shows
        them.
        """
        return self.link_number == seat.link_number

    def digest(self, seat_name: str) -> str:
        """The digest that the receipt and the report print, in hex."""
        return receipt(self.game, self.round, seat_name, self.number, self.salt, self.orders).hex()


class Press(Struct, frozen=True):
    """What a seat wrote with its orders: for all (`text`), and for the GM alone (`to_gm`), read
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
    """All revisions of a seat for a round, newest first."""
    sql = "SELECT * FROM revision WHERE game = ? AND round = ? AND seat = ? ORDER BY number DESC"
    return select(db, Revision, sql, game_id, round_number, seat)


def sources(db: Database, game_id: str, round_number: int) -> dict[tuple[int, int], Source]:
    """Who sent each revision for a round, by seat and number."""
    sql = "SELECT seat, number, source FROM revision WHERE game = ? AND round = ?"
    return {
        (seat, number): source for seat, number, source in db.execute(sql, [game_id, round_number])
    }


def newest(db: Database, game_id: str, round_number: int) -> dict[int, Revision]:
    """The revision that counts, of each seat that has one."""
    sql = "SELECT * FROM revision WHERE game = ? AND round = ? AND void_at IS NULL ORDER BY number"
    return {
        revision.seat: revision for revision in select(db, Revision, sql, game_id, round_number)
    }


def have_ordered(db: Database, games: Sequence[str]) -> dict[str, set[int]]:
    """The numbers of the seats that have orders in the open round of each of these games."""
    sql = """SELECT revision.game, seat FROM revision JOIN game
             ON game.id = revision.game AND game.round = revision.round
             WHERE revision.game IN (SELECT value FROM json_each(?)) AND void_at IS NULL"""
    found: dict[str, set[int]] = {game: set() for game in games}
    for game, seat in db.execute(sql, [as_list(games)]).fetchall():
        found[game].add(seat)
    return found


def void_later_rounds(db: Database, game_id: str, round_number: int, now: int) -> None:
    """Void the orders for later rounds than this."""
    db.execute(
        "UPDATE revision SET void_at = ? WHERE game = ? AND round > ? AND void_at IS NULL",
        [now, game_id, round_number],
    )


def void(db: Database, game_id: str, round_number: int, seat: int, at: int) -> None:
    """Void what a seat has sent for a round."""
    sql = """UPDATE revision SET void_at = ? WHERE game = ? AND round = ? AND seat = ?
             AND void_at IS NULL"""
    db.execute(sql, [at, game_id, round_number, seat])


def give_words_to_link(db: Database, game_id: str, seat: int, old: int, new: int) -> None:
    """Hand a seat's orders and press over from one link number to another."""
    values = [new, game_id, seat, old]
    db.execute(
        "UPDATE revision SET link_number = ? WHERE game = ? AND seat = ? AND link_number = ?",
        values,
    )
    db.execute(
        "UPDATE press SET link_number = ? WHERE game = ? AND seat = ? AND link_number = ?", values
    )


def add(db: Database, revision: Revision) -> None:
    """Add a revision."""
    insert(db, "revision", [asdict(revision)])


def press(db: Database, game_id: str, round_number: int) -> list[Press]:
    """Press and words to the game masters of a round, by seat."""
    return select(
        db,
        Press,
        "SELECT * FROM press WHERE game = ? AND round = ? ORDER BY seat",
        game_id,
        round_number,
    )


def set_press(db: Database, word: Press) -> None:
    """Store what a seat wrote for a round, in place of what it wrote before."""
    sql = """INSERT INTO press (game, round, seat, text, to_gm, at, link_number, read_at)
             VALUES (:game, :round, :seat, :text, :to_gm, :at, :link_number, :read_at)
             ON CONFLICT (game, round, seat) DO UPDATE
             SET text = excluded.text, to_gm = excluded.to_gm, at = excluded.at, link_number =
             excluded.link_number, read_at = excluded.read_at"""
    db.execute(sql, asdict(word))


def remove_press(db: Database, game_id: str, round_number: int, seat: int) -> None:
    """Remove all that a seat wrote for a round, to everybody and to the game master."""
    db.execute(
        "DELETE FROM press WHERE game = ? AND round = ? AND seat = ?", [game_id, round_number, seat]
    )


def words_to_gm(db: Database, game_id: str) -> list[Press]:
    """What players of a game wrote to its game masters, newest first."""
    sql = "SELECT * FROM press WHERE game = ? AND to_gm <> '' ORDER BY at DESC, round DESC, seat"
    return select(db, Press, sql, game_id)


def unread_words(db: Database, games: Sequence[str]) -> list[Press]:
    """What players of these games wrote to their game masters and nobody has read, newest
    first.
    """
    sql = """SELECT * FROM press WHERE game IN (SELECT value FROM json_each(?))
             AND to_gm <> '' AND read_at IS NULL ORDER BY at DESC, game, round DESC, seat"""
    return select(db, Press, sql, as_list(games))


def mark_words_read(db: Database, game_id: str, until: int, now: int) -> int:
    """Mark the unread words to the game masters that came until an instant as read; returns how
    many.
    """
    sql = """UPDATE press SET read_at = ? WHERE game = ? AND to_gm <> '' AND read_at IS NULL
             AND at <= ?"""
    return db.execute(sql, [now, game_id, until]).rowcount


def mark_word_read(db: Database, seat: Seat, round_number: int, until: int, now: int) -> int:
    """Mark the unread words of a seat in a round to the game masters as read, if they came until an
    instant; returns how many.
    """
    sql = """UPDATE press SET read_at = ? WHERE game = ? AND round = ? AND seat = ?
             AND to_gm <> '' AND read_at IS NULL AND at <= ?"""
    return db.execute(sql, [now, seat.game, round_number, seat.number, until]).rowcount


def clear_press(db: Database, game_id: str, round_number: int, seat: int) -> None:
    """Remove what a seat wrote for all in a round."""
    db.execute(
        "UPDATE press SET text = '' WHERE game = ? AND round = ? AND seat = ?",
        [game_id, round_number, seat],
    )


def clear_words_to_gm(db: Database, game_id: str, seat: int) -> None:
    """Remove everything that a seat ever wrote to its game masters."""
    db.execute("UPDATE press SET to_gm = '' WHERE game = ? AND seat = ?", [game_id, seat])


def own_press(db: Database, seat: Seat, round_number: int) -> tuple[str, str]:
    """What was written by the present link of the seat for a round: for all, and to the GM."""
    for word in press(db, seat.game, round_number):
        if word.seat == seat.number and word.link_number == seat.link_number:
            return word.text, word.to_gm
    return "", ""


def of_player(db: Database, seat: Seat, open_round: int) -> list[Revision]:
    """The lists of the seat's present player, oldest first; of an open round only those of the
    present link.
    """
    sql = """SELECT * FROM revision WHERE game = ? AND seat = ? AND at >= ? AND (round < ?
             OR link_number = ?) ORDER BY round, number"""
    whose = (seat.game, seat.number, seat.player_since or 0, open_round, seat.link_number)
    return select(db, Revision, sql, *whose)


def press_of_player(db: Database, seat: Seat, open_round: int) -> list[dict[str, Any]]:
    """What the seat's present player wrote with them."""
    sql = """SELECT * FROM press WHERE game = ? AND seat = ? AND at >= ? AND (round < ?
             OR link_number = ?) ORDER BY round"""
    return list(
        db.query(
            sql, [seat.game, seat.number, seat.player_since or 0, open_round, seat.link_number]
        )
    )


def mails_of_player(db: Database, to: Seat) -> list[dict[str, Any]]:
    """Kind, round, address and instant of the mails to the seat's present player."""
    sql = """SELECT kind, round, address, queued_at FROM mail WHERE game = ? AND seat = ?
             AND queued_at >= ? ORDER BY id"""
    return list(db.query(sql, [to.game, to.number, to.player_since or 0]))
