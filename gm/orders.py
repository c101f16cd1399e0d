"""Orders come in: checked, then stored as a numbered revision in one short transaction."""

import logging
import secrets
import sqlite3

from msgspec import Struct
from sqlite_utils import Database

from gm import clock, course, outbox, store
from gm.db import write
from gm.store import Game, Revision, Seat
from rounds.shuffle import SALT_BYTES

log = logging.getLogger(__name__)

MAX_PRESS = 2000
MAX_TO_GM = 300
ROBOT_RETRY_SECONDS = 60


class Late(Exception):
    """The list did not arrive in time, or is for another round than the open one. Nothing was stored.

    `game` is the game as it is now.
    """

    def __init__(self, game: Game) -> None:
        """Keep the game."""
        self.game = game
        super().__init__(f"{game.id} is {game.status}, round {game.round}")


class Replaced(Exception):
    """The seat has changed hands, or was taken away, since its link was opened. Nothing was stored."""


class Receipt(Struct, frozen=True):
    """The answer to an accepted list: the revision that counts now, and whether this list made it."""

    revision: Revision
    is_new: bool


def in_time(game: Game, now: int) -> bool:
    """Whether a list is taken: before the deadline, or always where rounds are closed by hand."""
    return game.is_open and (game.deadline is None or now < game.deadline)


def save_orders(
    db: Database, game: Game, seat: Seat, text: str, *, press: str = "", to_gm: str = "", mail_domain: str, by_gm: bool = False
) -> Receipt:
    """Store canonical orders for the round `game` stood at when they were checked; the newest before the deadline counts (P36).

    Round and deadline are checked on the server's clock inside the transaction. The list of the newest revision sent again
    makes no new one and no mail. `by_gm`: the list came by letter or phone; the seat's press stays as it is, and a note says so.
    Raises Late, or Replaced if the seat has changed hands meanwhile, with nothing stored.
    """
    with write(db):
        now, current = clock.now(), store.game(db, game.id)
        if current is None or current.round != game.round or not in_time(current, now):
            raise Late(current or game)
        if store.seat(db, game.id, seat.number).link_number != seat.link_number:
            raise Replaced(seat.name)
        newest = next(iter(store.revisions(db, game.id, game.round, seat.number)), None)
        if not by_gm:
            _save_press(db, game, seat, press, to_gm, now)
        if newest is not None and newest.void_at is None and newest.orders == text:
            return Receipt(newest, is_new=False)
        if by_gm:
            course.note(db, current, "by_gm", "", now, seat=seat.name)
        number, salt = newest.number + 1 if newest else 1, secrets.token_bytes(SALT_BYTES)
        revision = Revision(game.id, game.round, seat.number, number, text, now, salt, int(by_gm))
        db.table("revision").insert({name: getattr(revision, name) for name in revision.__struct_fields__})
        if seat.receipts or by_gm:
            outbox.queue(db, game.id, game.round, "receipt", [seat], mail_domain, now, about=revision.number)
    return Receipt(revision, is_new=True)


def order_one(db: Database, now: int, mail_domain: str) -> bool:
    """Let one robot that has no list for its open round order; False if all have. A robot sees what its seat may see.

    A robot that fails is passed over until the next pass of a minute later: its seat may be absent, nothing else is held up.
    """
    sql = """SELECT seat.* FROM seat JOIN game ON game.id = seat.game WHERE seat.robot = 1 AND game.status = 'running'
             AND (game.deadline IS NULL OR game.deadline > ?) AND (game.retry_at IS NULL OR game.retry_at <= ?)
             AND NOT EXISTS (SELECT 1 FROM revision WHERE revision.game = game.id
             AND revision.round = game.round AND revision.seat = seat.number AND revision.void_at IS NULL) LIMIT 1"""
    seat = store.select_one(db, Seat, sql, now, now)
    game = store.game(db, seat.game) if seat else None
    if seat is None or game is None:
        return False
    try:
        table = store.open_table(db, game)
        orders = game.rules.read_orders(table, seat.name, game.rules.robot(game.rules.view(table, seat.name)))
        save_orders(db, game, seat, game.rules.write_orders(table, orders), mail_domain=mail_domain)
    except Late:
        pass
    except sqlite3.OperationalError:  # the environment's fault, not the game's
        raise
    except Exception as error:  # one bad game must never stop the others
        log.exception("robot %s of %s could not order", seat.name, game.id)
        with write(db):
            if store.game(db, game.id) != game:
                return True
            changed = {"retry_at": now + ROBOT_RETRY_SECONDS, "error": f"{type(error).__name__}: {error}"[:500]}
            db.table("game").update(game.id, changed)
    return True


def _save_press(db: Database, game: Game, seat: Seat, text: str, to_gm: str, now: int) -> None:
    key = {"game": game.id, "round": game.round, "seat": seat.number}
    if text or to_gm:
        db.table("press").upsert(key | {"text": text, "to_gm": to_gm, "at": now}, pk=("game", "round", "seat"))
    else:
        db.execute("DELETE FROM press WHERE game = ? AND round = ? AND seat = ?", list(key.values()))
