"""Game masters who sign in.

A one-time link sets the password or opens a session; a password opens a session; every change of
the password closes all.
"""

import contextlib
import hashlib
import secrets
from functools import cache

from werkzeug.security import check_password_hash, generate_password_hash

from gm import store
from gm.clock import DAY, HOUR
from gm.config import LOCAL
from gm.errors import Refusal
from gm.games.names import checked_address, checked_name
from gm.mail import queue
from gm.mail.queue import Recipient
from gm.rendering.dates import LANGUAGES
from gm.store.accounts import Master
from gm.store.db import Database, write
from rounds.engine.record import MAX_NAME

SESSION_SECONDS = 30 * DAY
SHORTEST, LONGEST = 12, 200
"""Characters of a password."""
WINDOW_SECONDS = 15 * 60
MOST_BY_BOTH, MOST_BY_NETWORK, MOST_BY_ADDRESS = 5, 30, 100
"""Most failed sign-ins in a window of time: for one account from one network, from one network,
for one account from anywhere. The last is high, because addresses are known to all players and
nobody must be able to lock the owner out.
"""
LINK_NUMBERS = 2**40
"""One-time links of an account are numbered from a random number below this on: an address that
comes back gets none that it had.
"""
MOST_LINKS = 3
"""How often an hour somebody is mailed a link because their address was typed into a form."""


@cache
def _nobodys_password() -> str:
    """Compared with if there is no such account, so that the time of an answer tells nothing.
    Slow to make, on purpose.
    """
    return generate_password_hash(secrets.token_urlsafe())


def add_gm(
    db: Database,
    address: str,
    name: str | None,
    language: str | None,
    now: int,
    *,
    host: bool | None = None,
) -> Master:
    """Add a game master, or make a fresh one-time link for one who is there: the older link
    dies, the password stays.

    Name, language and `host` stay as they were if not given; a new one gets what stands before
    the @, German, and no.
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
    master = store.accounts.get(db, address)
    assert master is not None
    return master


def set_password(db: Database, master: Master, password: str, now: int) -> str:
    """Store a password, close every session of this game master, and open one; returns its
    token.

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
    """Open a session by a one-time link; returns its token. The password stays. Raises Refusal
    for a link that was used or is too old.
    """
    with write(db):
        _use_link(db, master, now)
        return _open_session(db, master.address, now)


def request_link(db: Database, address: str, now: int) -> None:
    """Mail a one-time link to a game master who leads a game here; to any other address nothing
    goes.

    A link that works for another day or more is sent again, so that nobody can kill it by asking
    for the next. Raises Refusal for a bad address.
    """
    address = checked_address(address)
    with write(db):
        store.meta.always_write(db)
        master = store.accounts.get(db, address)
        if master is None or store.games.newest_id_led_by(db, master.address) is None:
            return
        if store.accounts.sign_in_mails(db, master.address, now - HOUR) >= MOST_LINKS:
            return
        if now > master.link_ends - DAY:
            store.accounts.update(
                db, master.address, {"link_number": master.link_number + 1, "link_at": now}
            )
        recipient = Recipient(master.address, master.language)
        queue.put(db, None, 0, queue.Event(kind="sign_in", mark=now), [recipient], now)


def sign_in(
    db: Database, address: str, password: str, network: str, now: int, *, is_known: bool = False
) -> str:
    """Open a session by a password; returns its token.

    `network` is what failures are counted by. `is_known`: the browser has signed in with this
    password before, and strangers' failures do not count against it. Raises Refusal `no_entry`
    if address and password do not belong together, whatever is wrong with them, and `too_many`
    after too many failures for this address or from this network.
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
    # asked for in any case: its first making takes as long as a comparison
    nobodys = _nobodys_password()
    right = check_password_hash((master and master.password) or nobodys, password[:LONGEST])
    if master is None or master.password is None or not right:
        raise Refusal("no_entry")
    with write(db):
        if (
            current := store.accounts.get(db, address)
        ) is None or current.password != master.password:  # changed since it was read
            raise Refusal("no_entry")
        # this one was no failure; those of others stay, but nobody's own slips are held against
        # them
        for key in keys:
            store.accounts.take_back_attempts(db, key, None if keys[key] == MOST_BY_BOTH else now)
        store.accounts.forget_sessions(db, now - SESSION_SECONDS)
        return _open_session(db, master.address, now)


def signed_in(db: Database, token: str, now: int) -> Master | None:
    """The game master of this session; None if it is over or nobody's."""
    return store.accounts.signed_in(db, _hash(token), now - SESSION_SECONDS)


def sign_out(db: Database, token: str) -> None:
    """Close a session."""
    with write(db):
        store.accounts.end_session(db, _hash(token))


def _counted(address: str, network: str, *, is_known: bool) -> dict[str, int]:
    """The keys that a failure counts against, each with the most failures allowed."""
    account = f"gm {address.lower()[:254]}"
    if is_known:
        return {f"{account} from a known browser": MOST_BY_BOTH}
    keys = {f"{account} from {network}": MOST_BY_BOTH, account: MOST_BY_ADDRESS}
    if network not in LOCAL:  # behind a proxy everybody comes from this machine
        keys[f"from {network}"] = MOST_BY_NETWORK
    return keys


def _use_link(db: Database, master: Master, now: int) -> None:
    """Use up the one-time link of `master`. Inside `write`; raises Refusal."""
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
