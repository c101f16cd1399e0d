"""Game masters who sign in, who leads which game, and the one link that opens all games of a
player's address.

A one-time link sets the password or opens a session; a password opens a session; every change of
the password closes all. The link to all games follows the address, not the seat.
"""

import contextlib
import hashlib
import secrets
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct
from sqlite_utils import Database
from werkzeug.security import check_password_hash, generate_password_hash

from gm import clock, errors, store
from gm.calendar import read_absence
from gm.clock import DAY, HOUR
from gm.config import LOCAL
from gm.errors import Refusal
from gm.games.names import checked_address, checked_name
from gm.games.orders import Replaced
from gm.installation import Installation
from gm.links import token_hash
from gm.mail import queue
from gm.mail.queue import TO_MASTERS, Recipient
from gm.people import seating
from gm.rendering.sentences import LANGUAGES
from gm.store.accounts import Master, MyGames
from gm.store.db import write
from gm.store.games import Game
from gm.store.lists import Revision
from gm.store.seats import Seat
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
WAITING = ("waits", "asked")
"""States in which the player has something to do: order, or say before the start that they are
there.
"""


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


class Leader(Struct, frozen=True):
    """Somebody who leads games or may. `master` is None for an address that never had a link to
    sign in.
    """

    address: str
    master: Master | None
    games: tuple[str, ...]


def leaders(db: Database) -> list[Leader]:
    """Everybody who leads a game or may sign in, with the games they lead that are not over."""
    over = store.games.finished(db)
    return [
        Leader(
            address,
            store.accounts.get(db, address),
            tuple(game for game in led if game not in over),
        )
        for address, led in store.games.leading(db).items()
    ]


def remove_gm(db: Database, address: str, heir: str = "") -> list[str]:
    """Let a game master go: sessions and links end, their people on the standby list are
    forgotten. Returns the games that `heir`, another game master, leads from now on because
    nobody else would. In games that are not over both are notes.

    Raises Refusal for an address that leads nothing and never could, for an heir who cannot sign
    in, or naming the games that would have no game master left.
    """
    address, heir = address.lower(), heir.lower()
    with write(db):
        led = store.games.ids_led_by(db, address)
        if not led and store.accounts.get(db, address) is None:
            raise Refusal("no_master", address=address)
        if heir and (heir == address or store.accounts.get(db, heir) is None):
            raise Refusal("no_heir", address=heir)
        alone = [game for game in led if store.games.masters(db, game) == [address]]
        if alone and not heir:
            raise Refusal("last_of", games=alone)
        over = store.games.finished(db)
        for game in led:
            if game in alone:
                store.games.add_master(db, game, heir)
            if game not in over:
                note_master(db, game, "no_master", address)
            if game in alone and game not in over:
                note_master(db, game, "master", heir)
            let_go(db, game, address)
        store.accounts.remove(db, address)
    return alone


def add_master(db: Database, game: str, address: str) -> bool:
    """Let somebody else lead this game too, once they sign in with this address. False if they
    do already.
    """
    address = checked_address(address)
    with write(db):
        store.games.existing(db, game)
        if address.lower() in store.games.masters(db, game):
            return False
        store.games.add_master(db, game, address.lower())
        note_master(db, game, "master", address)
    return True


def remove_master(db: Database, game: str, address: str) -> bool:
    """Take the game from one of several game masters. False if they did not lead it. Raises
    Refusal for the last one.
    """
    with write(db):
        store.games.existing(db, game)
        leading = store.games.masters(db, game)
        if address.lower() not in leading:
            return False
        if len(leading) == 1:
            raise Refusal("last_master", game=game)
        note_master(db, game, "no_master", address)
        let_go(db, game, address.lower())
    return True


def note_master(db: Database, game: str, kind: str, address: str) -> None:
    """Note that somebody leads a game (`kind` `master`) or no longer does (`no_master`), by name
    or by the first letters of the address. Inside `write`.

    Needs only the round of the game's row, which may be damaged.
    """
    known = store.accounts.get(db, address.lower())
    who = known.name if known else f"{address[:3]}…"
    store.notes.add(db, game, store.games.round_number(db, game), kind, "", clock.now(), who=who)


def let_go(db: Database, game: str, address: str) -> None:
    """One of several game masters leads a game no more: their waiting mails are withdrawn, and
    players' answers go to another.

    Inside `write`. Needs nothing of the game's row, which may be damaged.
    """
    store.games.remove_master(db, game, address)
    # they may be a player too
    store.mails.withdraw_to_master(db, game, address, TO_MASTERS, clock.now())
    other = store.games.masters(db, game)[0]
    known = store.accounts.get(db, other)
    store.games.answers_to_other_master(db, game, address, other, known.name if known else None)


class Entry(Struct, frozen=True):
    """One seat of an address, with its game and the orders that count in the open round, whoever
    sent them.

    `state`: the game `waits` for orders, or they are `sent`; it is somebody else's `turn`; the
    round is `closing`; the game is `paused`, `held` or `finished`; before the start the player
    is `asked` whether they are there, or not (`before`). `moment`: where the game stands;
    `rank`: None without a ranking, or if all have the same.
    """

    seat: Seat
    game: Game
    state: str
    list: Revision | None
    moment: object
    rank: int | None
    taken: int

    @property
    def is_waiting(self) -> bool:
        """True if the player has something to do."""
        return self.state in WAITING


def send_my_games(db: Database, home: Installation, address: str, now: int) -> None:
    """Mail the link to all seats of an address, at most once an hour. Raises Refusal for a bad
    address.
    """
    address = checked_address(address)
    with write(db):
        store.meta.always_write(db)
        # not as it was typed: each spelling may be another's mailbox
        for spelled in store.seats.addresses_like(db, address):
            last = store.accounts.my_games(db, spelled)
            if last is None or now - last.at >= HOUR:
                _renew_my_games_link(db, home, store.seats.at(db, spelled), now)


def renew_my_games(db: Database, home: Installation, link: MyGames, now: int) -> None:
    """End a link and mail another, at most once an hour. Raises Replaced if it is not the one
    that works or it opens no seat, and Refusal if it was mailed within the hour.
    """
    with write(db):
        seats = store.seats.at(db, link.address)
        if store.accounts.my_games(db, link.address) != link or not seats:
            raise Replaced(link.address)
        if now - link.at < HOUR:
            raise Refusal("young_link")
        _renew_my_games_link(db, home, seats, now)


def _renew_my_games_link(db: Database, home: Installation, seats: Sequence[Seat], at: int) -> None:
    """Make a new link for the address of these seats and mail it; the one before is dead. Inside
    `write`.
    """
    first = seats[0]
    assert first.address is not None
    store.accounts.end_my_games(db, at, first.address)
    store.accounts.add_my_games(
        db,
        MyGames(
            first.address, token_hash(home.token("my-games", who=first.address, number=at)), at
        ),
    )
    recipient = Recipient(first.address, first.language)
    queue.put(db, None, 0, queue.Event(kind="my_games", mark=at), [recipient], at)


def my_games_opened_by(db: Database, token: str, now: int) -> MyGames | None:
    """The link of this token, if it still opens something."""
    link = store.accounts.my_games_by_hash(db, token_hash(token))
    return link if link and now < link.ends and store.seats.at(db, link.address) else None


def entries(db: Database, link: MyGames, now: int) -> list[Entry]:
    """Every seat of the address, the next deadline first, finished games last. A game that
    cannot be read is left out.
    """
    return list(_entries(db, link, now))


def _entries(db: Database, link: MyGames, now: int) -> Iterator[Entry]:
    for seat in store.seats.at(db, link.address):
        with errors.passed_over(f"{seat.game} on the page of all games"):
            game = store.games.existing(db, seat.game)
            counting = store.lists.newest(db, game.id, game.round).get(seat.number)
            moment, rank = _standing(db, game, seat) if game.round else (None, None)
            yield Entry(
                seat,
                game,
                _state(game, seat, counting, now),
                counting,
                moment,
                rank,
                len(store.seats.of_game(db, game.id)),
            )


def _state(game: Game, seat: Seat, counting: Revision | None, now: int) -> str:
    if game.status == "open":
        return "asked" if seat.asked_at is not None and seat.ready_at is None else "before"
    if game.status != "running":
        return game.status
    if game.deadline is not None and now >= game.deadline:
        return "closing"
    if counting is not None:
        return "sent"
    return "waits" if game.awaits(seat.name) else "turn"


def _standing(db: Database, game: Game, seat: Seat) -> tuple[object, int | None]:
    """Where a game stands, and the rank of a seat by talers."""
    variant, table = game.engine, store.rounds.open_table(db, game)
    if variant.scores is None:
        return variant.moment(table), None
    talers = variant.scores.of(variant.view(table, None))
    rank = 1 + sum(other > talers[seat.name] for other in talers.values())
    return variant.moment(table), rank if len(set(talers.values())) > 1 else None


def common_absence(entries: Sequence[Entry]) -> tuple[str, str]:
    """The absence that all these seats have; both days empty if they have none, or not the same."""
    days = {(entry.seat.away_from or "", entry.seat.away_to or "") for entry in entries}
    return days.pop() if len(days) == 1 else ("", "")


def set_common_absence(
    db: Database, entries: Sequence[Entry], first: str, last: str, now: int
) -> None:
    """Set an absence for all these seats, in days as people write them; both empty for none.
    Raises Refusal, with nothing stored.
    """
    days = {
        entry.game.schedule.zone: read_absence(first, last, entry.game.schedule.zone, now)
        for entry in entries
    }
    for begins, ends in days.values():
        if begins > ends:
            raise Refusal("bad_absence")
    for entry in entries:
        seating.set_absence(db, entry.seat, *days[entry.game.schedule.zone])
