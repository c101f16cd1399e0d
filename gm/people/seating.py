"""Who plays a seat, where its mails go, and which link opens it: replaced, removed, left, moved,
renewed.

None of it happens unseen.
"""

import re
import secrets
from datetime import date

from gm import store
from gm.clock import DAY, HOUR
from gm.errors import Refusal
from gm.games import create
from gm.games.names import checked_address, checked_player
from gm.games.orders import Replaced
from gm.links import token, token_hash
from gm.mail import queue, refused
from gm.mail.queue import Recipient
from gm.rendering.dates import LANGUAGES
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.notes import OwnNotes, plain_words
from gm.store.requests import Joining
from gm.store.seats import Seat

LINKS = ("link", "link_again", "link_new", "link_own", "link_restored")
"""Mails with a personal link: asked for by a form, by the game master, and a new one."""
MOST_OWN_NOTES = 4000
"""Most characters of a player's own notes."""
PAIR = 2
NO_ROBOT: dict[str, object] = {"robot": 0, "strength": ""}
FRESH = NO_ROBOT | {
    "removed_at": None,
    "ready_at": None,
    "asked_at": None,
    "again": None,
    "away_from": None,
    "away_to": None,
    "html": 1,
    "receipts": 1,
    "news": 1,
    "reminder_leads": f"[{2 * DAY},{6 * HOUR}]",
}
"""The columns of a seat when a new player sits down."""


def replace_player(
    db: Database,
    key: bytes,
    game_id: str,
    name: str,
    *,
    player: str,
    address: str,
    language: str,
    keep_orders: bool,
    reason: str,
    now: int,
) -> bool:
    """Give the seat to another player. The old link dies at once; the stored orders of the open
    round are kept or not.

    The seat keeps its name, because the deck depends on it. False if this address plays it already.
    Raises Refusal for a game that is over, a bad or taken name, or an address that has a seat in
    the game.
    """
    player = checked_player(player)
    address = checked_address(address)
    if language not in LANGUAGES:
        raise Refusal("bad_language", language=language)
    with write(db):
        game, seat = _not_over(db, game_id), seat_named(db, game_id, name)
        if seat.is_at(address):
            return False
        check_free_address(db, game_id, address)
        others = [o for o in store.seats.of_game(db, game_id) if o.number != seat.number]
        create.check_free_name(db, game, others, player, address)
        fresh = {
            "player": player,
            "address": address,
            "language": language,
            "player_since": now,
        } | FRESH
        dead = relink(db, key, seat, fresh, "replaced", now, reason)
        store.notes.forget_own_notes(db, game_id, seat.number)
        if not keep_orders:
            _void(db, game, seat, now)
            store.lists.clear_press(db, game_id, game.round, seat.number)
        store.mails.withdraw_to_seat(db, game_id, seat.number, now)
        store.mails.withdraw_about_seat(db, game_id, seat.number, now)
        store.accounts.take_off_standby_of_game(db, address, game_id)
        _queue_lost(db, seat, dead, now)
        store.accounts.end_my_games_without_seat(db, now)
        new = store.seats.numbered(db, game_id, seat.number)
        if game.round:
            store.notes.add(
                db, game.id, game.round, "replaced", reason, now, seat=seat.name, who=player
            )
            told = queue.Event(kind="takeover", mark=new.link_number)
        else:
            told = queue.Event(kind="welcome", mark=new.link_number)
        queue.put(db, game_id, game.round, told, [new], now)
    return True


def remove_seat(db: Database, game_id: str, name: str, reason: str, now: int) -> bool:
    """Take the seat from its player: the link dies, the address is forgotten, the stand-in plays
    on, and the player is told.

    Before the start the whole seat is removed. False if nobody plays it.
    """
    with write(db):
        game, seat = _not_over(db, game_id), seat_named(db, game_id, name)
        if seat.removed_at is not None:
            return False
        if not game.round:
            # else an invitation would seat them again
            store.mails.forget_to(db, game_id, seat.address, now)
            _queue_lost(db, seat, create.drop_seat(db, seat, "removed", reason), now)
            return True
        _queue_lost(db, seat, store.seats.bury(db, seat, "removed", now, reason), now)
        store.seats.update(db, game_id, seat.number, _nobody(seat, now))
        store.notes.forget_own_notes(db, game_id, seat.number)
        _void(db, game, seat, now)
        store.mails.withdraw_to_seat(db, game_id, seat.number, now)
        _queue_for_the_other(
            db,
            seat,
            store.notes.add(db, game.id, game.round, "removed", reason, now, seat=seat.name),
            game,
            now,
        )
        store.accounts.end_my_games_without_seat(db, now)
    return True


def change_settings(db: Database, seat: Seat, values: dict[str, object], now: int) -> None:
    """Store a player's settings. If receipts are turned off, the player is mailed, at most once an
    hour: whoever found the link must not do it unseen.

    Raises Replaced if the seat has changed hands since its link was opened.
    """
    with write(db):
        check_link_unchanged(db, seat)
        before = store.seats.numbered(db, seat.game, seat.number)
        store.seats.update(db, seat.game, seat.number, values)
        is_off = before.receipts and not values.get("receipts", True)
        if is_off and not queue.was_sent_lately(db, before, now - HOUR, "receipts_off"):
            number = store.games.existing(db, seat.game).round
            told = queue.Event(kind="receipts_off", mark=now)
            queue.put(db, seat.game, number, told, [before], now)


def set_absence(db: Database, seat: Seat, first: str, last: str) -> None:
    """Store the days on which the player is away, as ISO dates, both empty for none. Raises Refusal
    for bad dates, and Replaced.
    """
    if (first, last) != ("", ""):
        try:
            fine = all(re.fullmatch(r"\d{4}-\d{2}-\d{2}", day) for day in (first, last))
            fine = fine and date.fromisoformat(first) <= date.fromisoformat(last)
        except ValueError:
            fine = False
        if not fine:
            raise Refusal("bad_absence")
    with write(db):
        check_link_unchanged(db, seat)
        store.seats.update(
            db, seat.game, seat.number, {"away_from": first or None, "away_to": last or None}
        )


def forget(db: Database, seat: Seat, now: int) -> None:
    """Forget the person behind a seat: address, settings, own notes, words to the GM, mails. The
    seat plays on.

    Name, orders and press stay: they are part of the game, and the proof of its deck depends on
    them. A last mail tells the player, because somebody else may have found the link; then the
    address goes. A mail that tells an earlier address of its change keeps that address until it is
    sent. Raises Replaced if the seat has changed hands since its link was opened.
    """
    with write(db):
        check_link_unchanged(db, seat)
        game = store.games.existing(db, seat.game)
        store.requests.forget_joinings(db, seat.game, seat.address, seat.number)
        for followed in store.requests.followings_of(db, seat.address or ""):
            if followed.game == seat.game:
                store.requests.remove_follower(db, followed.id, now)
        store.mails.forget_to(db, seat.game, seat.address, now)
        store.mails.forget_earlier_addresses(db, seat.game, seat.name, seat.player_since or 0)
        if game.status == "open":
            _queue_left(db, seat, create.drop_seat(db, seat, "left"), game.round, now)
            return
        if game.status != "finished":
            _void(db, game, seat, now)
            _queue_for_the_other(
                db,
                seat,
                store.notes.add(db, game.id, game.round, "removed", "", now, seat=seat.name),
                game,
                now,
            )
        store.mails.withdraw_to_seat(db, seat.game, seat.number, now)
        store.mails.empty_of_seat(db, seat.game, seat.number)
        store.lists.clear_words_to_gm(db, seat.game, seat.number)
        store.notes.forget_own_notes(db, seat.game, seat.number)
        store.mails.withdraw_about_seat(db, seat.game, seat.number, now)
        store.notes.forget_who_replaced(db, seat.game, seat.name)
        dead = store.seats.bury(db, seat, "left", now)
        _queue_left(db, seat, dead, game.round, now)
        if game.status != "finished":
            gone = queue.Event(kind="gone", about=dead)
            queue.put(db, seat.game, game.round, gone, queue.masters(db, seat.game), now)
        store.seats.forget_who_had_links(db, seat.game, seat.name)
        store.seats.update(
            db, seat.game, seat.number, _nobody(seat, now) | {"away_from": None, "away_to": None}
        )
        store.accounts.end_my_games_without_seat(db, now)


def vacate_restored_seat(
    db: Database, seat: Seat, link_number: int, now: int, *, left: bool
) -> None:
    """Take a seat of a restored copy from its player, because it has changed hands since the copy;
    before the start the whole seat is removed. If the player has `left`, nothing of them is kept.

    Call it inside `write`.
    """
    if left:
        store.requests.forget_joinings(db, seat.game, seat.address, seat.number)
        store.mails.forget_to(db, seat.game, seat.address, now)
        store.mails.empty_of_seat(db, seat.game, seat.number)
        store.lists.clear_words_to_gm(db, seat.game, seat.number)
    state = store.games.work_state(db, seat.game)
    if state is not None and state.status in ("draft", "open"):
        create.drop_seat(db, seat, "vacated")
        return
    store.seats.bury(db, seat, "vacated", now)
    store.mails.withdraw_to_seat(db, seat.game, seat.number, now)
    store.notes.forget_own_notes(db, seat.game, seat.number)
    store.seats.update(
        db, seat.game, seat.number, _nobody(seat, now) | {"link_number": link_number}
    )


def check_link_unchanged(db: Database, seat: Seat) -> None:
    """Raises Replaced if the seat has another link than when it was read."""
    seats = [now for now in store.seats.of_game(db, seat.game) if now.number == seat.number]
    if [now.link_number for now in seats] != [seat.link_number]:
        raise Replaced(seat.name)


def _queue_lost(db: Database, seat: Seat, number: int, now: int) -> None:
    """Mail the former player that they lost the seat; `number` is that of their dead link. Inside
    `write`.
    """
    if seat.address:
        lost = queue.Event(kind="lost", about=number)
        queue.put(db, seat.game, 0, lost, [Recipient(seat.address, seat.language)], now)


def _queue_for_the_other(db: Database, gone: Seat, note: int, game: Game, now: int) -> None:
    """In a game of two, mail the other player that nobody plays against them any more. Inside
    `write`.
    """
    seats = store.seats.of_game(db, game.id)
    if len(seats) == PAIR:
        other = [seat for seat in seats if seat.number != gone.number]
        queue.put(db, game.id, game.round, queue.Event(kind="news", about=note), other, now)


def _queue_left(db: Database, seat: Seat, number: int, round_number: int, now: int) -> None:
    """Mail the player who left, or in whose name somebody did; `number` is that of their dead link.
    Inside `write`.
    """
    if seat.address:
        left = queue.Event(kind="left", about=number)
        queue.put(db, seat.game, round_number, left, [Recipient(seat.address, seat.language)], now)


def _nobody(seat: Seat, now: int) -> dict[str, object]:
    """The columns of a seat without player, with links that nobody has."""
    dead = {
        f"{kind}_hash": token_hash(secrets.token_hex())
        for kind in ("link", "calendar", "unsubscribe")
    }
    return (
        NO_ROBOT
        | {
            "again": None,
            "address": None,
            "player": None,
            "removed_at": now,
            "link_number": seat.link_number + 1,
        }
        | dead
    )


def _not_over(db: Database, game_id: str) -> Game:
    game = store.games.existing(db, game_id)
    if game.status in ("draft", "finished"):
        raise Refusal("not_running", game=game_id, status=game.status)
    return game


def _void(db: Database, game: Game, seat: Seat, now: int) -> None:
    """Void the seat's orders of the open round; after the deadline they count whatever happens to
    the seat.
    """
    if game.deadline is not None and now >= game.deadline:
        return
    store.lists.void(db, game.id, game.round, seat.number, now)


def seat_named(db: Database, game: str, name: str) -> Seat:
    """The seat of this name. Raises Refusal naming all seats if there is none."""
    seats = store.seats.of_game(db, store.games.existing(db, game).id)
    for seat in seats:
        if seat.name.casefold() == name.casefold():
            return seat
    raise Refusal("no_seat", name=name, game=game, others=[seat.name for seat in seats])


def seat_named_or_counted(db: Database, game: str, typed: str) -> Seat:
    """The seat of this name, or else of this number, from 1 in the order of the table. Raises
    Refusal as `seat_named` does.
    """
    try:
        return seat_named(db, game, typed)
    except Refusal:
        for number, seat in enumerate(store.seats.of_game(db, game), start=1):
            if str(number) == typed:
                return seat
        raise


def change_address(db: Database, key: bytes, game: str, name: str, address: str, now: int) -> bool:
    """Give the seat another address, as the game master asks. With the address it has, mails that
    were refused are sent again; False if there were none.

    The old link dies, a note of the round says so, and both addresses are told. Orders sent by the
    old link still count, but the new one does not show them; the player's own notes are deleted.
    Raises Refusal if nobody plays the seat, or another seat has the address.
    """
    address = checked_address(address)
    with write(db):
        seat = seat_named(db, game, name)
        if not store.seats.people([seat]):
            raise Refusal("no_address", name=seat.name)
        if seat.address == address:
            return refused.retry(db, refused.of_seat(db, game, seat.number), now) > 0
        _move(db, key, store.games.existing(db, game), seat, address, "address", now)
    return True


def move_to_confirmed_address(db: Database, key: bytes, asked: Joining, now: int) -> Seat:
    """Move the seat to the address that its player has confirmed. Unlike after `change_address`,
    the new link still shows the orders sent before. Inside `write`; confirmed twice, the second
    call changes nothing and returns the seat.

    Raises Refusal if the seat has another link by now, or somebody else has this address.
    """
    seat = next(
        (seat for seat in store.seats.of_game(db, asked.game) if seat.number == asked.seat), None
    )
    if seat is not None and asked.confirmed_at is not None and seat.is_at(asked.address):
        return seat
    if seat is None or seat.link_number != asked.link_number or asked.confirmed_at is not None:
        raise Refusal("expired_move")
    _move(db, key, store.games.existing(db, asked.game), seat, asked.address, "own_address", now)
    store.lists.give_words_to_link(
        db, seat.game, seat.number, seat.link_number, seat.link_number + 1
    )
    return store.seats.numbered(db, seat.game, seat.number)


def _move(
    db: Database, key: bytes, game: Game, seat: Seat, address: str, kind: str, now: int
) -> None:
    """Another address and a new link for a seat, noted and told to both addresses. Inside `write`.

    Mails that were refused or still wait are written again, except receipts, which hold orders:
    those stay as they are.
    """
    if not seat.is_at(address):
        check_free_address(db, game.id, address)
    relink(db, key, seat, {"address": address}, kind, now)
    if kind != "own_address":  # nobody knows whose the other address is
        store.notes.forget_own_notes(db, game.id, seat.number)
    store.mails.readdress(db, game.id, seat.number, address, seat.link_number + 1, now)
    number = store.notes.add(db, game.id, game.round, kind, "", now, seat=seat.name)
    # no mail of the seat: whatever becomes of that, it goes out
    before = [Recipient(seat.address or "", seat.language)]
    queue.put(db, game.id, game.round, queue.Event(kind="moved_away", about=number), before, now)
    here = [store.seats.numbered(db, game.id, seat.number)]
    queue.put(db, game.id, game.round, queue.Event(kind="moved_here", about=number), here, now)
    store.accounts.end_my_games_without_seat(db, now)


def renew_link(
    db: Database, key: bytes, game: str, name: str, now: int, *, own: int | None = None
) -> None:
    """Make a new personal link, mail it and note it. The old one dies, and so does the link to all
    games of the address, because it leads there too. `own` is the number of the link by which the
    player asks.

    Raises Refusal if nobody with an address plays the seat, or if a player asks within an hour of
    the last new link, and Replaced if the player's link is dead already.
    """
    with write(db):
        seat = with_address(db, game, name)
        if own is not None:
            if own != seat.link_number:
                raise Replaced(seat.name)
            if queue.was_sent_lately(db, seat, now - HOUR, "link_new", "link_own"):
                raise Refusal("young_link")
        store.accounts.end_my_games(db, now, seat.address)
        relink(db, key, seat, {}, "renewed", now)
        store.mails.relink(db, game, seat.number, seat.link_number + 1)
        note, kind = ("renewed", "link_new") if own is None else ("own_link", "link_own")
        store.notes.add(
            db, game, store.games.existing(db, game).round, note, "", now, seat=seat.name
        )
        new = store.seats.numbered(db, game, seat.number)
        queue.put(db, game, 0, queue.Event(kind=kind, mark=new.link_number), [new], now)


def renew_link_by_hand(db: Database, key: bytes, game: str, name: str, now: int) -> Seat:
    """Make a new personal link for a player whom no mail reaches, and note it; the old one dies.
    Returns the seat. Raises Refusal if mail reaches them, or if nobody plays the seat.
    """
    with write(db):
        seat = seat_named(db, game, name)
        if seat.address or seat.robot or seat.removed_at is not None:
            raise Refusal("not_by_hand", name=seat.name)
        relink(db, key, seat, {}, "renewed", now)
        round_number = store.games.existing(db, game).round
        store.notes.add(db, game, round_number, "renewed", "", now, seat=seat.name)
        return store.seats.numbered(db, game, seat.number)


def resend_link(db: Database, game: str, name: str, now: int) -> bool:
    """Mail the personal link again. False if it went to this address within the hour.

    Raises Refusal if nobody with an address plays the seat.
    """
    with write(db):
        seat = with_address(db, game, name)
        if queue.was_sent_lately(db, seat, now - HOUR, *LINKS):
            return False
        queue.put(db, game, 0, queue.Event(kind="link_again", mark=now), [seat], now)
    return True


def with_address(db: Database, game: str, name: str) -> Seat:
    """The seat of this name. Raises Refusal if there is none, or if nobody with an address plays
    it.
    """
    seat = seat_named(db, game, name)
    if not seat.address:
        raise Refusal("no_address", name=seat.name)
    return seat


def check_free_address(db: Database, game: str, address: str) -> None:
    """Raises Refusal if this address has a seat in the game."""
    if any(seat.is_at(address) for seat in store.seats.of_game(db, game)):
        raise Refusal("address_taken", address=address)


def relink(
    db: Database,
    key: bytes,
    seat: Seat,
    changed: dict[str, object],
    why: str,
    now: int,
    text: str = "",
    number: int | None = None,
) -> int:
    """Give a seat another link (the next number, or `number`) and change other columns with it.
    Returns the number of the old link as a dead link.

    Call it inside `write`.
    """
    number = number or seat.link_number + 1
    uses = {"link_hash": "link", "calendar_hash": "calendar", "unsubscribe_hash": "unsubscribe"}
    hashes = {
        column: token_hash(token(key, seat.game, seat.name, number, use))
        for column, use in uses.items()
    }
    store.seats.update(db, seat.game, seat.number, {"link_number": number, **hashes, **changed})
    store.requests.expire_joinings(db, seat.game, seat.address)  # the button opened the old link
    return store.seats.bury(db, seat, why, now, text)


def save_own_notes(db: Database, seat: Seat, text: str, read_at: int, now: int) -> None:
    """Store a player's own notes in place of those of the instant `read_at` (0: there were none);
    empty ones are removed.

    Raises Refusal for too many characters or if others were stored meanwhile, and Replaced if the
    seat has changed hands since its link was opened; then nothing is stored.
    """
    text = plain_words(text)
    if len(text) > MOST_OWN_NOTES:
        raise Refusal("long_notes", number=len(text), limit=MOST_OWN_NOTES)
    with write(db):
        check_link_unchanged(db, seat)
        kept = store.notes.own_notes(db, seat)
        if kept is not None and kept.text == text:
            return
        if (kept.at if kept else 0) != read_at:
            raise Refusal("newer_notes")
        if text:
            store.notes.set_own_notes(
                db, OwnNotes(seat.game, seat.number, text, max(now, read_at + 1))
            )
        else:
            store.notes.forget_own_notes(db, seat.game, seat.number)
