"""Seats that change hands: replacement, removal, lists that came by letter, who is there before the start."""

import re
import secrets
from datetime import date

from sqlite_utils import Database

from gm import store
from gm.clock import DAY, HOUR
from gm.errors import Refusal
from gm.game import setup
from gm.game.names import checked_address, checked_player
from gm.game.orders import Receipt, Replaced, submit
from gm.game.people import dead_links
from gm.game.people.addresses import check_free_address, relink, seat_named
from gm.links import token_hash
from gm.mail import queue
from gm.mail.queue import Reader
from gm.rendering.sentences import LANGUAGES
from gm.store.db import write
from gm.store.games import Game
from gm.store.seats import Seat

HALF_A_DAY = 12 * HOUR
PAIR = 2
NO_ROBOT: dict[str, object] = {"robot": 0, "strength": ""}
FRESH = NO_ROBOT | {
    "removed_at": None,
    "ready_at": None,
    "asked_at": None,
    "away_from": None,
    "away_to": None,
    "html": 1,
    "receipts": 1,
    "news": 1,
    "reminder_leads": f"[{2 * DAY},{6 * HOUR}]",
}
"""What a seat is and has when somebody new sits down: nobody has said anything yet; reminded some time before each deadline."""


def replace_player(
    db: Database, key: bytes, game: str, name: str, *, player: str, address: str, language: str, keep_orders: bool,
    reason: str, now: int,
) -> bool:  # fmt: skip
    """Somebody else plays this seat from now on. The old link dies at once; the stored list of the open round is kept or not.

    The seat keeps its name, since the deck hangs on it. False if this address plays it already. Raises Refusal for a game that
    is over, an odd name or one that is taken there, or an address that has a seat there.
    """
    player = checked_player(player)
    address = checked_address(address)
    if language not in LANGUAGES:
        raise Refusal("bad_language", language=language)
    with write(db):
        found, seat = _not_over(db, game), seat_named(db, game, name)
        if seat.is_at(address):
            return False
        check_free_address(db, game, address)
        setup.check_free_name([other for other in store.seats.of_game(db, game) if other.number != seat.number], player)
        fresh = {"player": player, "address": address, "language": language, "player_since": now} | FRESH
        dead = relink(db, key, seat, fresh, "replaced", now, reason)
        store.notes.forget_own_notes(db, game, seat.number)
        if not keep_orders:
            _void(db, found, seat, now)
            store.lists.clear_press(db, game, found.round, seat.number)
        store.mails.withdraw_to_seat(db, game, seat.number, now)
        store.mails.withdraw_about_seat(db, game, seat.number, now)
        store.accounts.take_off_standby_of_game(db, address, game)
        _tell_lost(db, seat, dead, now)
        store.accounts.end_my_games_without_seat(db, now)
        new = store.seats.numbered(db, game, seat.number)
        if found.round:
            store.notes.add(db, found.id, found.round, "replaced", reason, now, seat=seat.name, who=player)
            queue.put(db, game, found.round, "takeover", [new], now, ref=new.link_number)
        else:
            queue.put(db, game, 0, "welcome", [new], now, ref=new.link_number)
    return True


def remove_seat(db: Database, game: str, name: str, reason: str, now: int) -> bool:
    """Nobody plays this seat any more: its link dies, its address is forgotten, the stand-in plays on. Who held it is told.

    Before the start the seat is gone altogether. False if it was taken away before.
    """
    with write(db):
        found, seat = _not_over(db, game), seat_named(db, game, name)
        if seat.removed_at is not None:
            return False
        if not found.round:
            _tell_lost(db, seat, setup.drop_seat(db, seat, "removed", reason), now)
            return True
        _tell_lost(db, seat, dead_links.bury(db, seat, "removed", now, reason), now)
        store.seats.update(db, game, seat.number, _nobody(seat, now))
        store.notes.forget_own_notes(db, game, seat.number)
        _void(db, found, seat, now)
        store.mails.withdraw_to_seat(db, game, seat.number, now)
        _tell_the_other(db, seat, store.notes.add(db, found.id, found.round, "removed", reason, now, seat=seat.name), found, now)
        store.accounts.end_my_games_without_seat(db, now)
    return True


def enter_orders(db: Database, game: str, name: str, text: str, round_number: str = "") -> Receipt:
    """A list that came by letter or phone, marked as such in receipt and report. `round_number`: the round it was typed for, if
    that is known.

    Raises Refusal for another seat or round, and Refused or Late as `orders.submit` does.
    """
    found, seat = store.games.existing(db, game), seat_named(db, game, name)
    if not found.is_open or seat.removed_at is not None:
        raise Refusal("not_running", game=game, status=found.status)
    if round_number not in ("", str(found.round)):
        raise Refusal("other_round", game=game, round=found.round, asked=round_number[:10])
    try:
        return submit(db, found, seat, found.round, text, by="gm")
    except Replaced:
        raise Refusal("seat_changed", name=seat.name) from None


def ask_who_is_there(db: Database, game: str, now: int) -> list[str]:
    """Before the start: mail every seat that has not said so a question whether it is there. The names of those asked.

    Asking again within half a day sends nothing twice.
    """
    with write(db):
        store.games.in_status(db, game, "open")
        silent = [seat for seat in store.seats.of_game(db, game) if seat.address and seat.ready_at is None]
        fresh = [seat for seat in silent if not queue.was_sent_lately(db, seat, now - HALF_A_DAY, "ready")]
        for seat in fresh:
            store.seats.update(db, game, seat.number, {"asked_at": now})
        queue.put(db, game, 0, "ready", fresh, now, ref=now)
    return [seat.name for seat in silent]


def say_ready(db: Database, seat: Seat, now: int) -> None:
    """The player is there."""
    with write(db):
        store.games.in_status(db, seat.game, "open")
        current = store.seats.numbered(db, seat.game, seat.number)
        if current.link_number != seat.link_number:
            raise Refusal("seat_changed", name=seat.name)
        store.seats.update(db, seat.game, seat.number, {"ready_at": now})


def change_settings(db: Database, seat: Seat, values: dict[str, object], now: int) -> None:
    """Store what a player has set. That receipts are off is mailed, once an hour: who found the link must not do it unseen.

    Raises Replaced if the seat has changed hands since its link was opened.
    """
    with write(db):
        check_same(db, seat)
        before = store.seats.numbered(db, seat.game, seat.number)
        store.seats.update(db, seat.game, seat.number, values)
        is_off = before.receipts and not values.get("receipts", True)
        if is_off and not queue.was_sent_lately(db, before, now - HOUR, "receipts_off"):
            number = store.games.existing(db, seat.game).round
            queue.put(db, seat.game, number, "receipts_off", [before], now, ref=now)


def set_absence(db: Database, seat: Seat, first: str, last: str) -> None:
    """Days on which the player is away, as ISO dates, both empty for none. Raises Refusal for anything else, and Replaced."""
    if (first, last) != ("", ""):
        try:
            fine = all(re.fullmatch(r"\d{4}-\d{2}-\d{2}", day) for day in (first, last))
            fine = fine and date.fromisoformat(first) <= date.fromisoformat(last)
        except ValueError:
            fine = False
        if not fine:
            raise Refusal("bad_absence")
    with write(db):
        check_same(db, seat)
        store.seats.update(db, seat.game, seat.number, {"away_from": first or None, "away_to": last or None})


def forget(db: Database, seat: Seat, now: int) -> None:
    """Forget the person behind a seat: address, settings, own notes, words to the GM, mails. The seat plays on.

    Its name, the lists and the press stay: they are the game, and the proof of its deck hangs on them. One last mail tells of
    it, for somebody else may have found the link; with it the address goes. What waits to tell an earlier address that it was
    changed goes out too, and keeps that address. Raises Replaced if the seat has changed hands since its link was opened.
    """
    with write(db):
        check_same(db, seat)
        found = store.games.existing(db, seat.game)
        store.requests.forget_joinings(db, seat.game, seat.address, seat.number)
        for followed in store.requests.followed_by(db, seat.address or ""):
            if followed.game == seat.game:
                store.requests.remove_follower(db, followed.id, now)
        store.mails.forget_to(db, seat.game, seat.address, now)
        store.mails.forget_earlier_addresses(db, seat.game, seat.name, seat.player_since or 0)
        if found.status == "open":
            _tell_left(db, seat, setup.drop_seat(db, seat, "left"), found.round, now)
            return
        if found.status != "finished":
            _void(db, found, seat, now)
            _tell_the_other(db, seat, store.notes.add(db, found.id, found.round, "removed", "", now, seat=seat.name), found, now)
        store.mails.withdraw_to_seat(db, seat.game, seat.number, now)
        store.mails.empty_of_seat(db, seat.game, seat.number)
        store.lists.clear_words_to_gm(db, seat.game, seat.number)
        store.notes.forget_own_notes(db, seat.game, seat.number)
        store.mails.withdraw_about_seat(db, seat.game, seat.number, now)
        store.notes.forget_who_replaced(db, seat.game, seat.name)
        dead = dead_links.bury(db, seat, "left", now)
        _tell_left(db, seat, dead, found.round, now)
        if found.status != "finished":
            for reader in queue.masters(db, seat.game):
                which = queue.address_number(reader.address)
                queue.put(db, seat.game, found.round, "gone", [reader], now, ref=dead, deadline=which)
        store.seats.forget_who_had_links(db, seat.game, seat.name)
        store.seats.update(db, seat.game, seat.number, _nobody(seat, now) | {"away_from": None, "away_to": None})
        store.accounts.end_my_games_without_seat(db, now)


def vacate(db: Database, seat: Seat, link_number: int, now: int, *, left: bool) -> None:
    """Nobody plays a seat of a restored copy any more, which has changed hands since; before the start it is gone. Of who has
    `left` nothing is kept.

    Call it inside `write`.
    """
    if left:
        store.requests.forget_joinings(db, seat.game, seat.address, seat.number)
        store.mails.forget_to(db, seat.game, seat.address, now)
        store.mails.empty_of_seat(db, seat.game, seat.number)
        store.lists.clear_words_to_gm(db, seat.game, seat.number)
    state = store.games.work_state(db, seat.game)
    if state is not None and state.status in ("draft", "open"):
        setup.drop_seat(db, seat, "replaced")
        return
    dead_links.bury(db, seat, "replaced", now)
    store.mails.withdraw_to_seat(db, seat.game, seat.number, now)
    store.notes.forget_own_notes(db, seat.game, seat.number)
    store.seats.update(db, seat.game, seat.number, _nobody(seat, now) | {"link_number": link_number})


def stand_by(db: Database, address: str, name: str, language: str, now: int, gm: str = "") -> None:
    """Somebody who would take over a seat. `gm`: whose address this is and who alone sees it; empty: all game masters do.

    Raises Refusal for an odd name, address or language.
    """
    address = checked_address(address)
    if language not in LANGUAGES:
        raise Refusal("bad_language", language=language)
    row = {"gm": gm, "address": address.lower(), "name": checked_player(name), "language": language, "at": now}
    with write(db):
        store.accounts.put_on_standby(db, row)


def stand_down(db: Database, address: str, gm: str | None = None) -> bool:
    """Off the standby list; with `gm` only what this game master sees of it. False if the address is not on it."""
    with write(db):
        return store.accounts.take_off_standby(db, address, gm) > 0


def check_same(db: Database, seat: Seat) -> None:
    """Raises Replaced if another link opens the seat than when it was read: who waited for the lock may be too late."""
    found = [now for now in store.seats.of_game(db, seat.game) if now.number == seat.number]
    if [now.link_number for now in found] != [seat.link_number]:
        raise Replaced(seat.name)


def _tell_lost(db: Database, seat: Seat, number: int, now: int) -> None:
    """Mail who held a seat that they lost it, whatever becomes of the seat; `number`: of their dead link. Inside `write`."""
    if seat.address:
        queue.put(db, seat.game, 0, "lost", [Reader(seat.address, seat.language)], now, ref=number)


def _tell_the_other(db: Database, gone: Seat, note: int, game: Game, now: int) -> None:
    """In a game of two, mail the other that nobody plays against them any more. Inside `write`."""
    seats = store.seats.of_game(db, game.id)
    if len(seats) == PAIR:
        queue.put(db, game.id, game.round, "news", [seat for seat in seats if seat.number != gone.number], now, ref=note)


def _tell_left(db: Database, seat: Seat, number: int, round_number: int, now: int) -> None:
    """Mail who left, or in whose name somebody did; `number`: of their dead link. Inside `write`."""
    if seat.address:
        queue.put(db, seat.game, round_number, "left", [Reader(seat.address, seat.language)], now, ref=number)


def _nobody(seat: Seat, now: int) -> dict[str, object]:
    """A seat that nobody plays, with links that nobody has."""
    dead = {f"{kind}_hash": token_hash(secrets.token_hex()) for kind in ("link", "calendar", "unsubscribe")}
    return NO_ROBOT | {"address": None, "player": None, "removed_at": now, "link_number": seat.link_number + 1} | dead


def _not_over(db: Database, game: str) -> Game:
    found = store.games.existing(db, game)
    if found.status in ("draft", "finished"):
        raise Refusal("not_running", game=game, status=found.status)
    return found


def _void(db: Database, game: Game, seat: Seat, now: int) -> None:
    """The seat's list of the open round counts no longer; after the deadline it does, whatever happens to the seat."""
    if game.deadline is not None and now >= game.deadline:
        return
    store.lists.void(db, game.id, game.round, seat.number, now)
