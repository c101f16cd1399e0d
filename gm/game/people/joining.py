"""Taking a seat by oneself: a request, a mailed link, its button. And the way back for those who lost their link.

Nothing here says whether an address is known: the answer on the page is the same, the difference is in the mail.
"""

from collections.abc import Sequence

from sqlite_utils import Database

from gm import store
from gm.clock import HOUR
from gm.errors import Refusal
from gm.game import setup
from gm.game.names import checked_address, checked_player
from gm.game.people import addresses
from gm.game.people.limits import VALID_SECONDS, check_ceiling, is_asked_often
from gm.mail import queue, refused
from gm.mail.queue import Reader
from gm.rendering.sentences import LANGUAGES
from gm.store.db import write
from gm.store.requests import Joining
from gm.store.seats import Seat

MOST_INVITED = 200
"""So many invitations an hour go out of the whole installation: they go to addresses that nobody has confirmed."""


def request_seat(db: Database, game: str, name: str, address: str, language: str, now: int, *, own: str = "") -> None:
    """Ask for a seat: a mail with a button goes to the address, nothing else happens. Who has a seat is mailed its link instead.

    `own`: the address our mails come from. Raises Refusal if the game is not open or full, or the name is odd or taken.
    """
    name, address = checked_player(name), checked_address(address, own)
    with write(db):
        check_ceiling(db, "seats" if store.games.existing(db, game).listed else "invitation", now)
        taken = setup.check_free(db, game, name)
        mine = [seat for seat in taken if seat.is_at(address)]
        if mine:
            _queue_links(db, mine, now)
            return
        row = {"game": game, "name": name, "address": address, "language": language, "at": now}
        _ask(db, row, now)


def request_address(db: Database, seat: Seat, address: str, now: int, *, own: str = "") -> None:
    """Ask for the mails of one's own seat to come to another address: a mail with a button goes there, nothing else happens.

    `own`: the address our mails come from. Raises Refusal for what is no address, or the one the seat has.
    """
    address = checked_address(address, own)
    if seat.address == address:
        raise Refusal("same_address", address=address)
    with write(db):
        check_ceiling(db, "moves", now)
        about = {"game": seat.game, "name": seat.name, "seat": seat.number, "link_number": seat.link_number}
        _ask(db, about | {"address": address, "language": seat.language, "at": now}, now)


def _ask(db: Database, row: dict[str, object], now: int) -> None:
    """Keep a request and mail its button, unless this mailbox was written to too often. Inside `write`."""
    if is_asked_often(db, str(row["address"]), now):
        return
    store.requests.forget_unconfirmed(db, now - VALID_SECONDS)
    number = store.requests.add_joining(db, row)
    reader = Reader(str(row["address"]), str(row["language"]))
    queue.put(db, str(row["game"]), 0, "confirm", [reader], now, ref=number)


def confirm_seat(db: Database, key: bytes, asked: Joining, now: int) -> Seat:
    """The button: the seat that was asked for, and a mail with its link; or its mails come to this address from now on.

    Pressed again it finds the same seat. Raises Refusal if the request is too old, or the seat went to others meanwhile.
    """
    with write(db):
        current = store.requests.joining(db, asked.id)
        if asked.seat is not None:
            if current is None or now - current.at > VALID_SECONDS:
                raise Refusal("expired_move")
            seat = addresses.take_address(db, key, current, now)
            store.requests.confirm_joining(db, asked.id, now)
            return seat
        taken = [seat for seat in store.seats.of_game(db, asked.game) if seat.is_at(asked.address)]
        if current is None or now - current.at > VALID_SECONDS or (current.confirmed_at is not None and not taken):
            raise Refusal("expired")
        if taken:
            return taken[0]
        seat = setup.take_seat(db, key, asked.game, asked.name, asked.address, asked.language)
        store.requests.confirm_joining(db, asked.id, now)
        queue.put(db, asked.game, 0, "welcome", [seat], now)
        queue.put_for_masters(db, asked.game, 0, "joined", now, seat=seat.number)
    return seat


def send_links(db: Database, address: str, now: int) -> None:
    """Mail the personal links of all seats this address holds in games that are not over; each at most once an hour.

    Raises Refusal for what is no address.
    """
    address = checked_address(address)
    with write(db):
        _queue_links(db, store.seats.playing_at(db, address), now)


def _queue_links(db: Database, seats: list[Seat], now: int) -> None:
    for seat in seats:
        if not queue.was_sent_lately(db, seat, now - HOUR, *addresses.LINKS):
            queue.put(db, seat.game, 0, "link", [seat], now, ref=now)


def invite(db: Database, game: str, addresses: Sequence[str], language: str, now: int) -> int:
    """Mail each address the way to the table; how many go out: one that was refused goes again.

    Raises Refusal for an odd address or language, or too many within the hour, nobody invited.
    """
    addresses = [checked_address(address) for address in addresses]
    if language not in LANGUAGES:
        raise Refusal("bad_language", language=language)
    with write(db):
        store.games.in_status(db, game, "open")
        asked = {address.casefold() for address in addresses}
        mails = [mail for mail in store.mails.unsent(db, game, refused=True) if mail.kind == "invite"]
        again = [mail.id for mail in mails if mail.address.casefold() in asked]
        before = store.mails.invited(db, game)
        for address in addresses:
            queue.put(db, game, 0, "invite", [Reader(address, language)], now, ref=queue.address_number(address))
        fresh = store.mails.invited(db, game) - before
        if fresh and store.mails.invited_since(db, now - HOUR) > MOST_INVITED:
            raise Refusal("many_invited", most=MOST_INVITED)
        return fresh + refused.retry(db, again, now)
