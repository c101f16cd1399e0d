"""Game masters who sign in: a one-time link sets the password or opens a session, a password opens one, every change of it closes
them all.
"""

import contextlib
import hashlib
import secrets
from functools import cache

from sqlite_utils import Database
from werkzeug.security import check_password_hash, generate_password_hash

from gm import store
from gm.clock import DAY, HOUR
from gm.config import LOCAL
from gm.errors import Refusal
from gm.game.names import checked_address, checked_name
from gm.mail import queue
from gm.mail.queue import Reader
from gm.rendering.sentences import LANGUAGES
from gm.store.accounts import Master
from gm.store.db import write
from rounds.record import MAX_NAME

SESSION_SECONDS = 30 * DAY
SHORTEST, LONGEST = 12, 200
"""Characters of a password."""
WINDOW_SECONDS = 15 * 60
MOST_BY_BOTH, MOST_BY_NETWORK, MOST_BY_ADDRESS = 5, 30, 100
"""Failed sign-ins in a window of time: for one account from one network, from one network, for one account from anywhere. The
last is high: whoever knows an address, and it is in every mail, must not be able to keep its owner out."""
LINK_NUMBERS = 2**40
"""One-time links of an account are numbered from somewhere among these on: an address that comes back gets none that it had."""
MOST_LINKS = 3
"""So often an hour somebody is mailed a link because their address was typed into a form."""


@cache
def _nobodys_password() -> str:
    """Compared with when there is no such account, so that the time of an answer tells nothing. Slow to make, on purpose."""
    return generate_password_hash(secrets.token_urlsafe())


def add_gm(db: Database, address: str, name: str | None, language: str | None, now: int, *, host: bool | None = None) -> Master:
    """A game master, or a fresh one-time link for one who is there already: the older link dies, the password stays.

    Name, language and `host` stay what they were where none is given; at first what stands before the @, German, and no.
    """
    address = checked_address(address)
    if language is not None and language not in LANGUAGES:
        raise Refusal("bad_language", language=language)
    with write(db):
        known = store.accounts.get(db, address)
        name = checked_name(name or (known.name if known else address.partition("@")[0][:MAX_NAME]))
        language = language or (known.language if known else "de")
        row = {"address": address.lower(), "name": name, "language": language, "link_at": now}
        row |= {} if host is None else {"host": int(host)}
        if known is None:
            store.accounts.add(db, row | {"link_number": secrets.randbelow(LINK_NUMBERS)})
        else:
            store.accounts.update(db, known.address, row | {"link_number": known.link_number + 1})
    found = store.accounts.get(db, address)
    assert found is not None
    return found


def set_password(db: Database, master: Master, password: str, now: int) -> str:
    """Store it, close every session of this game master, and open one: its token.

    Raises Refusal for a link that was used or is too old, or a password that is too short.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise Refusal("bad_password", shortest=SHORTEST, longest=LONGEST)
    hashed = generate_password_hash(password)
    with write(db):
        _use_link(db, master, now)
        store.accounts.update(db, master.address, {"password": hashed})
        store.accounts.end_sessions(db, master.address)
        return _open_session(db, master.address, now)


def sign_in_by_link(db: Database, master: Master, now: int) -> str:
    """The token of a new session; the password stays. Raises Refusal for a link that was used or is too old."""
    with write(db):
        _use_link(db, master, now)
        return _open_session(db, master.address, now)


def request_link(db: Database, address: str, now: int) -> None:
    """Mail a game master who leads a game here a one-time link; to any other address nothing goes.

    A link that works for another day or more is sent again, so that nobody can make one useless by asking for the next. Raises
    Refusal for what is no address.
    """
    address = checked_address(address)
    with write(db):
        master = store.accounts.get(db, address)
        game = store.games.newest_id_led_by(db, master.address) if master else None
        if master is None or game is None:
            return
        if store.accounts.sign_in_mails(db, master.address, now - HOUR) >= MOST_LINKS:
            return
        if now > master.link_ends - DAY:
            store.accounts.update(db, master.address, {"link_number": master.link_number + 1, "link_at": now})
        reader = Reader(master.address, master.language)
        queue.put(db, game, 0, "sign_in", [reader], now, ref=queue.address_number(address), deadline=now)


def sign_in(db: Database, address: str, password: str, network: str, now: int, *, is_known: bool = False) -> str:
    """The token of a new session.

    `network`: where the request comes from, as it is counted. `is_known`: from a browser that has signed in with this password
    before; strangers' failures do not count against it. Raises Refusal `no_entry` if address and password do not belong
    together, whatever is wrong with them, and `too_many` after too many failures for this address or from this network.
    """
    with contextlib.suppress(Refusal):
        address = checked_address(address)
    master = store.accounts.get(db, address)
    keys = _counted(address, network, is_known=is_known)
    with write(db):  # counted before the slow comparison, so that many at once do not slip through
        store.accounts.forget_attempts(db, now - WINDOW_SECONDS)
        if any(store.accounts.attempts(db, key) >= most for key, most in keys.items()):
            raise Refusal("too_many", minutes=WINDOW_SECONDS // 60)
        store.accounts.add_attempts(db, keys, now)
    nobodys = _nobodys_password()  # asked for in any case: its first making takes as long as a comparison
    right = check_password_hash((master and master.password) or nobodys, password[:LONGEST])
    if master is None or master.password is None or not right:
        raise Refusal("no_entry")
    with write(db):
        if (
            current := store.accounts.get(db, address)
        ) is None or current.password != master.password:  # changed since it was read
            raise Refusal("no_entry")
        for key in keys:  # this one was no failure; those of others stay, but nobody's own slips are held against them
            store.accounts.take_back_attempts(db, key, None if keys[key] == MOST_BY_BOTH else now)
        store.accounts.forget_sessions(db, now - SESSION_SECONDS)
        return _open_session(db, master.address, now)


def signed_in(db: Database, token: str, now: int) -> Master | None:
    """Whose session this is; None if it is nobody's or over."""
    return store.accounts.signed_in(db, _hash(token), now - SESSION_SECONDS)


def sign_out(db: Database, token: str) -> None:
    """Close a session."""
    with write(db):
        store.accounts.end_session(db, _hash(token))


def _counted(address: str, network: str, *, is_known: bool) -> dict[str, int]:
    """What a failure counts against, with the most of each."""
    account = f"gm {address.lower()[:254]}"
    if is_known:
        return {f"{account} from a known browser": MOST_BY_BOTH}
    keys = {f"{account} from {network}": MOST_BY_BOTH, account: MOST_BY_ADDRESS}
    if network not in LOCAL:  # behind a proxy everybody comes from this machine
        keys[f"from {network}"] = MOST_BY_NETWORK
    return keys


def _use_link(db: Database, master: Master, now: int) -> None:
    """Use up the one-time link that `master` came by. Inside `write`; raises Refusal."""
    current = store.accounts.get(db, master.address)
    if current is None or current.link_number != master.link_number or now > current.link_ends:
        raise Refusal("link_used")
    store.accounts.update(db, master.address, {"link_number": current.link_number + 1})


def _open_session(db: Database, address: str, now: int) -> str:
    token = secrets.token_urlsafe(32)
    store.accounts.open_session(db, _hash(token), address, now)
    return token


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
