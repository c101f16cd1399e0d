"""Keys that a restored database must not bring back: sessions, one-time links, and all personal links."""

import sqlite3
from pathlib import Path

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm import errors, store
from gm.game import setup
from gm.game.people import addresses, masters, seating
from gm.store import db
from gm.store.db import NotOurs, write
from gm.store.file.backup import Lost, held
from gm.store.seats import Seat

FAR = 1000
"""So much further the numbers of links go on after a restore: nobody knows all that were given since the copy."""


class Told(Struct, frozen=True):
    """The chain values that a game has told, each with its round or the first that may be its; and the open round."""

    chains: dict[str, int]
    round: int


class Known(Struct, frozen=True):
    """What the database that is replaced says: address and `player_since` of each seat, by game and name; the links that are
    dead; the highest number that was given in each game, also in games it has lost itself; each game master's password and
    whether they are a host; who leads which game, and who follows; and what each game has told.
    """

    seats: dict[tuple[str, str], tuple[str | None, int | None]]
    dead: frozenset[str]
    games: dict[str, int]
    lost: dict[str, str]
    masters: dict[str, tuple[str | None, int]]
    leads: frozenset[tuple[str, str]]
    followers: frozenset[int]
    told: dict[str, Told]


def known_keys(live: Path) -> Known | None:
    """None if there is no such database or it cannot be read; a busy one is raised.

    Of a restored database that was not let go on yet, what that one knew which it replaced.
    """
    try:
        with db.opened(live) as of:
            waiting = held(of)
            if waiting is not None and waiting.former is not None and (former := live.parent / waiting.former).exists():
                return known_keys(former)
            return Known(
                seats=store.seats.players(of),
                dead=store.seats.dead_hashes(of),
                games=store.games.links_given(of),
                lost=store.meta.remembered_all(of, setup.LINKS_OF),
                masters=store.accounts.credentials(of),
                leads=_leads(of),
                followers=store.requests.follower_numbers(of),
                told=_told(of),
            )
    except (NotOurs, sqlite3.DatabaseError, msgspec.MsgspecError, ValueError, TypeError) as error:
        if live.exists() and errors.is_environment(error) and "no such" not in str(error):
            raise
        return None


def _told(of: Database) -> dict[str, Told]:
    """What each game has told by now, with what restores took back; not of a game of which a restore did not know."""
    waiting, chains, notes = held(of), store.rounds.all_chains(of), store.notes.restored(of)
    told = {}
    for game in store.games.all_games(of):
        own = [note for note in notes if note.game == game.id]
        before = [Lost(tuple(note.withdrawn), note.since) for note in own if note.withdrawn is not None]
        is_known = len(before) == len(own)
        if waiting is not None:
            is_known = is_known and game.id in waiting.lost
            before += [waiting.lost[game.id]] if game.id in waiting.lost else []
        if is_known:
            taken_back = {value: lost.since for lost in before for value in lost.chains}
            told[game.id] = Told(taken_back | chains.get(game.id, {}), game.round)
    return told


def revoke(restored: Database, key: bytes, known: Known | None, now: int) -> dict[str, tuple[str, ...]]:
    """End all sessions, void all one-time links, and renew every personal link.

    Passwords stay as they were last set, and game masters who were let go since stay so. A seat that has another player now than
    in the copy is nobody's until its game master says whose it is. Returns the names of these seats, by game.
    """
    with write(restored):
        store.accounts.end_all_sessions(restored)
        store.requests.expire_unconfirmed(restored)
        store.accounts.void_links(restored, FAR)
        store.accounts.end_my_games(restored, now)
        if known:
            for address, (password, host) in known.masters.items():
                store.accounts.update(restored, address, {"password": password, "host": host})
            if _knows_all_games(restored, known):
                _keep_let_go(restored, known)
                _keep_stopped(restored, known, now)
            _remember_lost(restored, known)
        unclear = {}
        for game, copied in store.games.links_given(restored).items():  # also of a game that cannot be read
            number = max(copied, known.games.get(game, 0) if known else 0) + FAR
            names = [
                seat.name for seat in store.seats.of_game(restored, game) if not _renew(restored, key, seat, number, known, now)
            ]
            store.games.raise_links_given(restored, game, number)
            state = store.games.work_state(restored, game)
            if names and state is not None and state.status != "finished":  # a game that is over needs nobody
                unclear[game] = tuple(names)
    return unclear


def _renew(restored: Database, key: bytes, seat: Seat, number: int, known: Known | None, now: int) -> bool:
    """Give a seat another link, and its player's newest address. False if another plays it now: then it is nobody's.

    Where the address is another one, nobody knows whose it is: what was written by the old link is not for the new one.
    """
    address = seat.address
    if known and address and seat.link_hash in known.dead:  # the former database knows what came after this link
        address, since = known.seats.get((seat.game, seat.name), (None, None))
        if address is None or since != seat.player_since:
            seating.vacate(restored, seat, number, now, left=address is None)
            return False
    addresses.relink(restored, key, seat, {"address": address}, "restored", now, number=number)
    if address == seat.address:
        store.lists.give_words_to_link(restored, seat.game, seat.number, seat.link_number, number)
        store.mails.relink(restored, seat.game, seat.number, number)
    else:
        store.notes.forget_own_notes(restored, seat.game, seat.number)
        store.mails.readdress(restored, seat.game, seat.number, address or "", number, now)
    return True


def _knows_all_games(restored: Database, known: Known) -> bool:
    """Whether the former database has all games of the copy: a fresh one knows nobody, and can tell of nobody."""
    copied = store.games.links_given(restored).keys()
    return bool(copied) and copied <= known.games.keys()


def _keep_stopped(restored: Database, known: Known, now: int) -> None:
    """Who has ended mails since the copy gets none."""
    for number in store.requests.follower_numbers(restored) - known.followers:
        store.requests.remove_follower(restored, number, now)


def _keep_let_go(restored: Database, known: Known) -> None:
    """Who leads which game, and who may sign in, as it was last. No database can tell of a game that it knows nobody of, for
    every game is led: it has lost who.
    """
    copied = store.games.links_given(restored).keys()
    led, told = _leads(restored), {game for game, _ in known.leads}
    for game, address in known.leads - led:
        if game in copied:
            store.games.add_master(restored, game, address)
    for game, address in led - known.leads:
        if game in told:
            masters.let_go(restored, game, address)
    for address in store.accounts.credentials(restored).keys() - known.masters.keys() if known.masters else ():
        store.accounts.remove(restored, address)


def _leads(db: Database) -> frozenset[tuple[str, str]]:
    return frozenset((game, address) for address, games in store.games.leading(db).items() for game in games)


def _remember_lost(restored: Database, known: Known) -> None:
    """How far links were given in games that are younger than the copy: one made anew under such an id begins after them."""
    for game, most in {**known.lost, **known.games}.items():
        if store.games.work_state(restored, game) is None:
            store.meta.remember(restored, f"{setup.LINKS_OF}{game}", str(most))
