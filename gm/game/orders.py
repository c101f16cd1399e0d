"""Orders come in: checked, then stored as a numbered revision in one short transaction."""

import secrets

from msgspec import Struct
from sqlite_utils import Database

from gm import clock, store
from gm.game import notes
from gm.mail import queue
from gm.store import Game, Press, Revision, Seat, Source
from gm.store.db import write
from gm.tokens import API_TOKEN, IN_TEXT, token_hash
from rounds.notation import Problem
from rounds.shuffle import SALT_BYTES

MAX_PRESS = 2000
MAX_TO_GM = 300
MOST_LISTS, IN_SECONDS = 30, 600
"""A seat may change its mind so often in so short a time; a list sent again unchanged does not count."""


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


class TooMany(Exception):
    """The seat has changed its list too often in the last minutes. Nothing was stored."""


class Receipt(Struct, frozen=True):
    """The answer to an accepted list: the revision that counts now, whether this list made it, and whether press or the words to
    the GM are others than before.
    """

    revision: Revision
    is_new: bool
    new_words: bool = False


def in_time(game: Game, now: int) -> bool:
    """Whether a list is taken: before the deadline, or always where rounds are closed by hand."""
    return game.is_open and (game.deadline is None or now < game.deadline)


def wrong_words(db: Database, press: str, to_gm: str) -> list[tuple[Problem, str]]:
    """What keeps press, or the words to the GM, from being stored, each with the name of its field.

    Too long, or somebody's personal link: that is a key.
    """
    found = []
    for name, text, limit in (("press", press, MAX_PRESS), ("note", to_gm, MAX_TO_GM)):
        if len(text) > limit:
            found.append((Problem(code="LONG", cards=len(text), limit=limit), name))
        if API_TOKEN.search(text) or any(store.seat_by_link(db, token_hash(key)) for key in IN_TEXT.findall(text)):
            found.append((Problem(code="KEY"), name))
    return found


def save_orders(
    db: Database,
    game: Game,
    seat: Seat,
    text: str,
    *,
    press: str = "",
    to_gm: str = "",
    source: Source = "seat",
) -> Receipt:
    """Store canonical orders for the round `game` stood at when they were checked; the newest before the deadline counts (P36).

    Round and deadline are checked on the server's clock inside the transaction. The list of the newest revision sent again by
    the same link makes no new one and no mail. `source`: how it came in; if the `gm` typed it, because it came by letter or
    phone, the seat's press stays as it is, and a note says so.
    Raises Late, Replaced if the seat has changed hands meanwhile, or TooMany, with nothing stored.
    """
    with write(db):
        now, current = clock.now(), store.game(db, game.id)
        if current is None or current.round != game.round or not in_time(current, now):
            raise Late(current or game)
        if store.seat(db, game.id, seat.number).link_number != seat.link_number:
            raise Replaced(seat.name)
        lists = store.revisions(db, game.id, game.round, seat.number)
        newest = lists[0] if lists else None
        by_gm = source == "gm"
        is_same = newest is not None and _is_again(newest, text, seat, by_gm=by_gm)
        lately = [old for old in lists if old.is_of(seat) and not old.by_gm and old.at > now - IN_SECONDS]
        if not (is_same or by_gm) and len(lately) >= MOST_LISTS:
            raise TooMany(seat.name)
        new_words = not by_gm and store.own_press(db, game, seat, game.round) != (press, to_gm)
        if not by_gm and _save_press(db, game, seat, press, to_gm, now):
            queue.put_for_masters(db, game.id, game.round, "words", now, seat=seat.number)
        if newest is not None and is_same:
            return Receipt(newest, is_new=False, new_words=new_words)
        if by_gm:
            notes.note(db, current, "by_gm", "", now, seat=seat.name)
        number, salt = newest.number + 1 if newest else 1, secrets.token_bytes(SALT_BYTES)
        revision = Revision(game.id, game.round, seat.number, number, text, now, salt, source, seat.link_number)
        store.add_revision(db, revision)
        if seat.receipts or by_gm:
            queue.put(db, game.id, game.round, "receipt", [seat], now, ref=revision.number)
    return Receipt(revision, is_new=True, new_words=new_words)


def _is_again(newest: Revision, text: str, seat: Seat, *, by_gm: bool) -> bool:
    """Whether this is the list that counts, from the same hand: else its answer would tell what somebody else has sent."""
    return newest.void_at is None and newest.orders == text and newest.is_of(seat) and newest.by_gm == by_gm


def _save_press(db: Database, game: Game, seat: Seat, text: str, to_gm: str, now: int) -> bool:
    """Whether there are words to the game masters that were not there before; those are unread."""
    before = next((word for word in store.press(db, game.id, game.round) if word.seat == seat.number), None)
    is_new = bool(to_gm) and (before is None or before.to_gm != to_gm)
    if text or to_gm:
        read_at = None if is_new or before is None else before.read_at
        store.set_press(db, Press(game.id, game.round, seat.number, text, to_gm, now, seat.link_number, read_at))
    else:
        store.remove_press(db, game.id, game.round, seat.number)
    return is_new
