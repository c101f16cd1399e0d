"""Where the mails of a seat go and which link opens it: changed, sent again, renewed. None of it happens unseen."""

from sqlite_utils import Database

from gm import store
from gm.clock import HOUR
from gm.errors import Refusal
from gm.game.names import checked_address
from gm.game.orders import Replaced
from gm.game.people.dead_links import bury
from gm.links import token, token_hash
from gm.mail import queue, refused
from gm.mail.queue import Reader
from gm.store.db import write
from gm.store.games import Game
from gm.store.requests import Joining
from gm.store.seats import Seat

LINKS = ("link", "link_again", "link_new", "link_own", "link_restored")
"""Mails with a personal link: asked for by a form, by the game master, and a new one."""


def seat_named(db: Database, game: str, name: str) -> Seat:
    """The seat of this name. Raises Refusal naming the seats if there is none."""
    seats = store.seats.of_game(db, store.games.existing(db, game).id)
    for seat in seats:
        if seat.name.casefold() == name.casefold():
            return seat
    raise Refusal("no_seat", name=name, game=game, others=[seat.name for seat in seats])


def change_address(db: Database, key: bytes, game: str, name: str, address: str, now: int) -> bool:
    """The game master gives the seat another address. The same once more: what was refused is sent again; False if nothing was.

    The old link dies, a note of the round says so, and both addresses are told. Lists that were sent by the old link still
    count, and nobody reads them by the new one; what the player wrote for themselves is gone. Raises Refusal if nobody with an
    address plays the seat, or another seat has it.
    """
    address = checked_address(address)
    with write(db):
        seat = with_address(db, game, name)
        if seat.address == address:
            return refused.retry(db, refused.of_seat(db, game, seat.number), now) > 0
        _move(db, key, store.games.existing(db, game), seat, address, "address", now)
    return True


def take_address(db: Database, key: bytes, asked: Joining, now: int) -> Seat:
    """The player of a seat has confirmed another address of theirs. The same happens as when the game master changes it, but that
    they go on reading their own lists. Inside `write`; pressed again it finds the same seat.

    Raises Refusal if the seat has another link by now, or somebody else has this address.
    """
    seat = next((seat for seat in store.seats.of_game(db, asked.game) if seat.number == asked.seat), None)
    if seat is not None and asked.confirmed_at is not None and seat.is_at(asked.address):
        return seat
    if seat is None or seat.link_number != asked.link_number or asked.confirmed_at is not None:
        raise Refusal("expired_move")
    _move(db, key, store.games.existing(db, asked.game), seat, asked.address, "own_address", now)
    store.lists.give_words_to_link(db, seat.game, seat.number, seat.link_number, seat.link_number + 1)
    return store.seats.numbered(db, seat.game, seat.number)


def _move(db: Database, key: bytes, game: Game, seat: Seat, address: str, kind: str, now: int) -> None:
    """Another address and a new link for a seat: noted, and told to the old address and to the new one. Inside `write`.

    Mails that were refused or still wait are written again; not receipts, for they hold a list: those stay as they are.
    """
    if not seat.is_at(address):
        check_free_address(db, game.id, address)
    relink(db, key, seat, {"address": address}, kind, now)
    if kind != "own_address":  # nobody knows whose the other address is
        store.notes.forget_own_notes(db, game.id, seat.number)
    store.mails.readdress(db, game.id, seat.number, address, seat.link_number + 1, now)
    number = store.notes.add(db, game.id, game.round, kind, "", now, seat=seat.name)
    before = [Reader(seat.address or "", seat.language)]  # no mail of the seat: whatever becomes of that, it goes out
    queue.put(db, game.id, game.round, "moved_away", before, now, ref=number)
    queue.put(db, game.id, game.round, "moved_here", [store.seats.numbered(db, game.id, seat.number)], now, ref=number)
    store.accounts.end_my_games_without_seat(db, now)


def renew_link(db: Database, key: bytes, game: str, name: str, now: int, *, own: int | None = None) -> None:
    """A new personal link, mailed and noted; the old one is dead, and so is a link to all games of the address, which leads
    there too. `own`: the number of the link by which the player asks for it.

    Raises Refusal if nobody with an address plays the seat, or a player asks within an hour of the last new one, and Replaced
    if the player's link is dead already.
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
        store.notes.add(db, game, store.games.existing(db, game).round, note, "", now, seat=seat.name)
        new = store.seats.numbered(db, game, seat.number)
        queue.put(db, game, 0, kind, [new], now, ref=new.link_number)


def resend_link(db: Database, game: str, name: str, now: int) -> bool:
    """Mail the personal link as it is. False if it went to this address within the hour.

    Raises Refusal if nobody with an address plays the seat.
    """
    with write(db):
        seat = with_address(db, game, name)
        if queue.was_sent_lately(db, seat, now - HOUR, *LINKS):
            return False
        queue.put(db, game, 0, "link_again", [seat], now, ref=now)
    return True


def with_address(db: Database, game: str, name: str) -> Seat:
    """The seat of this name. Raises Refusal if there is none, or nobody with an address plays it."""
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
    """Another link for a seat, the next one or that of a number, and whatever else changes; the old one opens nothing from here
    on: its number as a dead link.

    Call it inside `write`.
    """
    number = number or seat.link_number + 1
    uses = {"link_hash": "link", "calendar_hash": "calendar", "unsubscribe_hash": "unsubscribe"}
    hashes = {column: token_hash(token(key, seat.game, seat.name, number, use)) for column, use in uses.items()}
    store.seats.update(db, seat.game, seat.number, {"link_number": number, **hashes, **changed})
    store.requests.expire_joinings(db, seat.game, seat.address)  # the button opened the old link
    return bury(db, seat, why, now, text)
