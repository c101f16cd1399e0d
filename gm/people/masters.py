"""Who leads which game."""

from msgspec import Struct

from gm import clock, store
from gm.errors import Refusal
from gm.games.names import checked_address
from gm.mail.kinds import TO_MASTERS
from gm.store.accounts import Master
from gm.store.db import Database, write


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
