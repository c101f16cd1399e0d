"""Before the first round: asking for a seat, the mailed button that takes it, invitations, who
is there, who is on standby; and lost links.

No answer says whether an address is known: the page is the same, the difference is in the mail.
"""

import hashlib
import re
from collections.abc import Sequence

from gm import store
from gm.clock import DAY, HOUR
from gm.errors import Refusal
from gm.games import create, seat_lines
from gm.games.names import checked_address, checked_player, same_mailbox
from gm.mail import queue, refused
from gm.mail.queue import Recipient
from gm.people import seating
from gm.rendering.dates import LANGUAGES
from gm.store.db import Database, write
from gm.store.mails import Mail
from gm.store.requests import Joining
from gm.store.seats import Seat

HALF_A_DAY = 12 * HOUR
VALID_SECONDS = 7 * DAY
"""How long a mailed button works."""
MOST_REQUESTS = 3
"""How often an hour a mailbox, however spelled, is written to because somebody typed it into a
form.
"""
MOST_UNCONFIRMED = {"seats": 80, "invitation": 40, "moves": 40, "follow": 40}
"""Most mails an hour of the whole installation to unconfirmed addresses. Each kind is counted by
itself, so that strangers take nothing from those who have a seat or an invitation.
"""
MOST_OF_A_GAME, MOST_MOVES = 20, 5
"""Most of these mails an hour because of one game, and to move one seat: who spends them takes
nothing from the others.
"""
MOST_INVITED = 200
"""Most invitations an hour of the whole installation: they go to unconfirmed addresses."""


def request_seat(
    db: Database, game: str, name: str, address: str, language: str, now: int, *, own: str = ""
) -> None:
    """Ask for a seat: mail a button to the address, nothing else. An address that has a seat is
    mailed its link instead.

    `own`: the address our mails come from. Raises Refusal if the game is not open or full, or
    the name is odd or taken.
    """
    name, address = checked_player(name), checked_address(address, own)
    with write(db):
        store.meta.always_write(db)
        check_unconfirmed_limit(
            db, "seats" if store.games.existing(db, game).listed else "invitation", now
        )
        if store.requests.unconfirmed_in_game(db, game, now - HOUR) >= MOST_OF_A_GAME:
            raise Refusal("many_asked")
        taken = create.check_free(db, game, name, address)
        mine = [seat for seat in taken if seat.is_at(address)]
        if mine:
            _queue_links(db, mine, now)
            return
        row = {"game": game, "name": name, "address": address, "language": language, "at": now}
        _ask(db, row, now)


def request_address(db: Database, seat: Seat, address: str, now: int, *, own: str = "") -> None:
    """Ask for the mails of one's own seat to come to another address: mail a button there,
    nothing else. The buttons of earlier requests do nothing any more.

    `own`: the address our mails come from. Raises Refusal for a bad address, or the one the seat
    has.
    """
    address = checked_address(address, own)
    if seat.address == address:
        raise Refusal("same_address", address=address)
    with write(db):
        store.meta.always_write(db)
        check_unconfirmed_limit(db, "moves", now)
        if store.requests.moves_of(db, seat.game, seat.number, now - HOUR) >= MOST_MOVES:
            raise Refusal("many_asked")
        about = {
            "game": seat.game,
            "name": seat.name,
            "seat": seat.number,
            "link_number": seat.link_number,
        }
        _ask(db, about | {"address": address, "language": seat.language, "at": now}, now)


def _ask(db: Database, row: dict[str, object], now: int) -> None:
    """Store a request and mail its button, unless this mailbox was written to too often. Inside
    `write`.
    """
    if is_asked_often(db, str(row["address"]), now):
        return
    store.requests.forget_unconfirmed(db, now - VALID_SECONDS)
    number = store.requests.add_joining(db, row)
    recipient = Recipient(str(row["address"]), str(row["language"]))
    request = queue.Event(kind="confirm", about=number)
    queue.put(db, str(row["game"]), 0, request, [recipient], now)


def confirm_seat(db: Database, key: bytes, asked: Joining, now: int) -> Seat:
    """The button: take the seat that was asked for and mail its link; or let its mails come to
    this address from now on.

    Pressed again it returns the same seat. Raises Refusal if the request is too old, or the seat
    went to somebody else.
    """
    with write(db):
        current = store.requests.joining(db, asked.id)
        if asked.seat is not None:
            if (
                current is None
                or now - current.at > VALID_SECONDS
                or store.requests.is_outdated(db, current)
            ):
                raise Refusal("expired_move")
            seat = seating.move_to_confirmed_address(db, key, current, now)
            store.requests.confirm_joining(db, asked.id, now)
            return seat
        taken = [seat for seat in store.seats.of_game(db, asked.game) if seat.is_at(asked.address)]
        if (
            current is None
            or now - current.at > VALID_SECONDS
            or (current.confirmed_at is not None and not taken)
        ):
            raise Refusal("expired")
        if taken:
            return taken[0]
        seat = create.take_seat(db, key, asked.game, asked.name, asked.address, asked.language)
        store.requests.confirm_joining(db, asked.id, now)
        welcome = queue.Event(kind="welcome", about=asked.id)
        queue.put(db, asked.game, 0, welcome, [seat], now)
        joined = queue.Event(kind="joined", about=seat.number, mark=now)
        queue.put_for_masters(db, asked.game, 0, joined, now)
    return seat


def accept_invitation(
    db: Database, key: bytes, invitation: Mail, name: str, language: str, now: int
) -> Seat | None:
    """Take a seat at the address that was invited, and mail its link. None if the address has a
    seat already: then its link is mailed again, unless it went out within the hour.

    Raises Refusal if the game is not open or full, or the name is odd or taken.
    """
    game, address = invitation.game or "", invitation.address
    with write(db):
        for seat in store.seats.of_game(db, game):
            if seat.is_at(address):
                if not queue.was_sent_lately(db, seat, now - HOUR, "welcome"):
                    _queue_links(db, [seat], now)
                return None
        seat = create.take_seat(db, key, game, checked_player(name), address, language)
        welcome = queue.Event(kind="welcome", mark=seat.link_number)
        queue.put(db, game, 0, welcome, [seat], now)
        joined = queue.Event(kind="joined", about=seat.number, mark=now)
        queue.put_for_masters(db, game, 0, joined, now)
    return seat


def proposed_name(db: Database, game: str, address: str) -> str:
    """The first name that an address seems to tell, for a seat in this game; empty if there is
    none, or nobody may take it.
    """
    parts = re.findall(r"[^\W\d_]+", address.partition("@")[0])
    try:
        name = checked_player(parts[0].capitalize() if parts else "")
        create.check_free(db, game, name, address)
    except Refusal:
        return ""
    return name


def send_links(db: Database, address: str, now: int) -> None:
    """Mail the personal links of all seats that this address holds in games that are not over,
    each at most once an hour.

    Raises Refusal for a bad address.
    """
    address = checked_address(address)
    with write(db):
        store.meta.always_write(db)
        _queue_links(db, store.seats.playing_at(db, address), now)


def _queue_links(db: Database, seats: list[Seat], now: int) -> None:
    for seat in seats:
        if not queue.was_sent_lately(db, seat, now - HOUR, *seating.LINKS):
            queue.put(db, seat.game, 0, queue.Event(kind="link", mark=now), [seat], now)


def invite(db: Database, game: str, addresses: Sequence[str], language: str, now: int) -> int:
    """Mail an invitation to each address; returns how many go out. One that was refused goes
    again.

    Raises Refusal for an odd address or language, or if too many are invited within the hour;
    then nobody is.
    """
    addresses = [checked_address(one) for one in seat_lines.addresses(" ".join(addresses))]
    if language not in LANGUAGES:
        raise Refusal("bad_language", language=language)
    with write(db):
        store.games.in_status(db, game, "open")
        asked = {address.casefold() for address in addresses}
        mails = [
            mail
            for mail in store.mails.waiting_or_refused(db, game, refused=True)
            if mail.kind == "invite"
        ]
        again = [mail.id for mail in mails if mail.address.casefold() in asked]
        before = store.told.invited(db, game)
        recipients = [Recipient(address, language) for address in addresses]
        queue.put(db, game, 0, queue.Event(kind="invite"), recipients, now)
        fresh = store.told.invited(db, game) - before
        if fresh and store.told.invited_since(db, now - HOUR) > MOST_INVITED:
            raise Refusal("many_invited", most=MOST_INVITED)
        return fresh + refused.retry(db, again, now)


def is_asked_often(db: Database, address: str, now: int) -> bool:
    """True if this mailbox, however spelled, was written to too often because of forms."""
    since, mailbox = now - HOUR, same_mailbox(address)
    for_seats = sum(
        same_mailbox(other) == mailbox for other in store.requests.mailboxes_asked(db, since)
    )
    return (
        for_seats + store.requests.follow_mails_to(db, mailbox_number(address), since)
        >= MOST_REQUESTS
    )


def mailbox_number(address: str) -> int:
    """A number for a mailbox, however spelled. Mails are counted by it when the address is
    forgotten.
    """
    digest = hashlib.sha256(same_mailbox(address).encode()).digest()
    return int.from_bytes(digest[:5], "big")


def check_unconfirmed_limit(db: Database, what: str, now: int) -> None:
    """Raises Refusal while too many mails of this kind went to unconfirmed addresses. Asked
    before an address is looked up, so that the answer tells nothing of it.
    """
    if what in full(db, now):
        raise Refusal("many_asked")


def full(db: Database, now: int) -> tuple[str, ...]:
    """The kinds of mails of which no more go out within this hour."""
    asked = store.requests.unconfirmed_since(db, now - HOUR)
    return tuple(what for what, most in MOST_UNCONFIRMED.items() if asked.get(what, 0) >= most)


def ask_who_is_there(db: Database, game: str, now: int) -> list[str]:
    """Before the start, mail every seat that has not answered the question whether it is there;
    returns the names of those who are mailed: within half a day nobody is mailed twice.
    """
    with write(db):
        store.games.in_status(db, game, "open")
        silent = [
            seat for seat in store.seats.of_game(db, game) if seat.address and seat.ready_at is None
        ]
        fresh = [
            seat
            for seat in silent
            if not queue.was_sent_lately(db, seat, now - HALF_A_DAY, "ready")
        ]
        for seat in fresh:
            store.seats.update(db, game, seat.number, {"asked_at": now})
        queue.put(db, game, 0, queue.Event(kind="ready", mark=now), fresh, now)
    return [seat.name for seat in fresh]


def say_ready(db: Database, seat: Seat, now: int) -> None:
    """Store that the player is there."""
    with write(db):
        store.games.in_status(db, seat.game, "open")
        current = store.seats.numbered(db, seat.game, seat.number)
        if current.link_number != seat.link_number:
            raise Refusal("seat_changed", name=seat.name)
        store.seats.update(db, seat.game, seat.number, {"ready_at": now})


def stand_by(db: Database, address: str, name: str, language: str, now: int, gm: str = "") -> None:
    """Put somebody on the standby list, of people who would take over a seat. `gm`: the game
    master who alone sees them; empty: all do.

    Raises Refusal for an odd name, address or language.
    """
    address = checked_address(address)
    if language not in LANGUAGES:
        raise Refusal("bad_language", language=language)
    row = {
        "gm": gm,
        "address": address.lower(),
        "name": checked_player(name),
        "language": language,
        "at": now,
    }
    with write(db):
        store.accounts.put_on_standby(db, row)


def stand_down(db: Database, address: str, gm: str | None = None) -> bool:
    """Take an address off the standby list, or with `gm` off what this game master sees of it.
    False if it is not on it.
    """
    with write(db):
        return store.accounts.take_off_standby(db, address, gm) > 0
