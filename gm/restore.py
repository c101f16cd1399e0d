"""Restoring: a copy takes the place of the database and is held until it is let go on. No session
and no link of it works any more; mails that wait in it go out then, with new links.
"""

import sqlite3
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gm import errors, links, store
from gm.clock import DAY
from gm.deadline.outage import last_tick
from gm.games import create, notes
from gm.mail import queue
from gm.people import masters, seating
from gm.proof.fairness import differences
from gm.store import connections, db
from gm.store.db import Database, write
from gm.store.file.backup import (
    BadCopy,
    Lost,
    RestoreHold,
    check,
    copy_to,
    held,
    make,
    name_for,
    overwrite,
)
from gm.store.file.migrations import migrate
from gm.store.games import Game
from gm.store.schema import NotOurs
from gm.store.seats import Seat
from gm.timetable import promises

KEEP_SECONDS = DAY
"""A deadline at least this far ahead when a restored service goes on stays as it was."""


class Published(Struct, frozen=True):
    """The chain values of a game's closed rounds, each with its round; the open round; and what
    restores took back, by the instants of their notes, 0 for one that waits.
    """

    chains: dict[str, int]
    round: int
    restored: dict[int, Lost]


class Known(Struct, frozen=True):
    """What the replaced database says.

    `seats`: address and `player_since` by game and name; `dead`: hashes of dead links; `games`:
    the highest link number given in each game; `links`: that of the last restore; `masters`:
    password and host of each game master; `leads`: (game, address); `followers`: their numbers;
    `chains`: what each game has published.
    """

    seats: dict[tuple[str, str], tuple[str | None, int | None]]
    dead: frozenset[str]
    games: dict[str, int]
    links: int
    masters: dict[str, tuple[str | None, int]]
    leads: frozenset[tuple[str, str]]
    followers: frozenset[int]
    chains: dict[str, Published]


class Restored(Struct, frozen=True):
    """What a restore did.

    `former`: where the replaced database lies, if there was one; `is_known`: whether it could be
    read; `unclear`: by game, the seats that somebody else plays now than in the copy;
    `is_older`: the replaced database was older than the copy, so what it said does not count;
    `differences`: by game, where it differs from its record.
    """

    former: Path | None
    is_known: bool
    unclear: dict[str, tuple[str, ...]]
    differences: dict[str, str]
    is_older: bool = False


def restore(live: db.Place, key: bytes, file: Path, now: int, home: Path | None = None) -> Restored:
    """Put a copy in the place of the database, whole or not at all, and hold it until `go_on`.
    `home`: the folder of the installation, if the database is no file in it.

    No session, one-time link or personal link comes back: every seat has a new link, which
    `go_on` mails. Raises BadCopy for a damaged or foreign copy, or one that the link key does
    not belong to; then nothing has changed.
    """
    check(file)
    if isinstance(live, str):
        with connections.opened(live) as current:
            current.refuse_unfit()
            migrate(current)
    folder = live.parent if isinstance(live, Path) else home
    assert folder is not None
    half = folder / ".restore.half"
    try:
        with connections.opened(file) as copy:
            copy_to(half, copy)
        with connections.opened(half) as prepared:
            migrate(prepared)
            _check_key(prepared, key, file)
            is_older = _is_older(live, prepared)
            known = known_keys(half if is_older else live, folder)
            former = name_for(folder / "backups", now, "replaced")
            _hold(prepared, file, known, str(former.relative_to(folder)), now)
            unclear = revoke(prepared, key, known, now)
            differing = differences(prepared)
            is_kept = _is_there(live) and _keep(live, former, now)
            if is_kept or isinstance(live, str):
                overwrite(live, prepared)
                kept = former if is_kept else None
                return Restored(kept, known is not None, unclear, differing, is_older)
        kept = _put_in_place(half, live, former)
        return Restored(kept, known is not None, unclear, differing, is_older)
    finally:
        half.unlink(missing_ok=True)


def go_on(database: Database, now: int) -> list[str]:
    """Let a restored service go on: its games run, everybody is told, mail goes out. Returns the
    ids of the games that run again.

    A deadline a day ahead or more stays; others become what `promises.moved_on` finds. A game
    for which that fails is held with the fault, and the others go on.
    """
    with write(database):
        stopped = held(database)
        if stopped is None:
            return []
        running = []
        for game in store.games.all_games(database):
            try:
                with write(database):
                    _let_go_on(database, game, stopped, now)
            except Exception as error:  # one bad game must never stop the others
                if errors.is_environment(error):
                    raise
                why = errors.in_words(error, errors.noted(error, f"going on with {game.id}"))
                store.games.update(
                    database, game.id, {"status": "held", "paused_at": None, "error": why}
                )
            else:
                running += [game.id] if game.id in stopped.games else []
        store.meta.forget(database, "held", "copied_at")
    return running


def _let_go_on(database: Database, game: Game, stopped: RestoreHold, now: int) -> None:
    """Let one game go on and tell its players. Inside `write`."""
    if game.status == "open" or (game.status == "draft" and game.previous):
        if game.id not in stopped.lost or stopped.lost[game.id].chains:
            store.meta.remember(
                database,
                f"{create.RESTORED}{game.id}",
                f"{stopped.copied_at} {_note_data(stopped, game.id)}",
            )
        queue.put(
            database,
            game.id,
            0,
            queue.Event(kind="link_restored", mark=now),
            store.seats.of_game(database, game.id),
            now,
        )
    if not game.is_going:
        return
    deadline, regular = game.deadline, game.scheduled_deadline
    # calendars may know later ones than the copy
    going: dict[str, object] = {"sequence": max(game.sequence + 1, now // 60)}
    if game.id in stopped.games and game.status == "paused":
        if deadline is not None and deadline - now < KEEP_SECONDS:
            deadline = regular = max(deadline, promises.moved_on(game, now) or 0)
        going |= {
            "status": "running",
            "paused_at": None,
            "deadline": deadline,
            "scheduled_deadline": regular,
        }
    change = notes.work_out(
        game,
        going,
        "restored",
        "",
        now,
        old=stopped.copied_at,
        new=deadline,
        changed=_note_data(stopped, game.id),
    )
    notes.keep_and_mail(database, change, now)


def _note_data(stopped: RestoreHold, game: str) -> str:
    """What the note of a restore stores, as JSON: the chain values taken back, and the first
    round of which something is lost.
    """
    lost = stopped.lost.get(game)
    return msgspec.json.encode(
        {} if lost is None else {"withdrawn": lost.chains, "since": lost.since}
    ).decode()


def _hold(prepared: Database, file: Path, known: Known | None, former: str, now: int) -> None:
    """Pause all games as they stood, and let no mail out."""
    copied_at = int(store.meta.remembered(prepared, "copied_at") or file.stat().st_mtime)
    running = store.games.running(prepared)
    stopped = RestoreHold(now, copied_at, running, _lost(prepared, known), former)
    if (earlier := held(prepared)) is not None:  # a copy of a service that waited already
        stopped = replace(stopped, copied_at=earlier.copied_at, games=(*earlier.games, *running))
    with write(prepared):
        store.games.pause_running(prepared, copied_at)
        # how time passed meanwhile says nothing of the clock
        store.meta.forget_clocks(prepared)
        store.meta.remember(prepared, "held", msgspec.json.encode(stopped).decode())


def _lost(prepared: Database, known: Known | None) -> dict[str, Lost]:
    """What each game of a copy loses by taking the place of the database. Games of which that is
    not known are left out.
    """
    chains, waiting, lost = store.rounds.all_chains(prepared), held(prepared), {}
    noted = {(note.game, note.at) for note in store.notes.restored(prepared)}
    for game in store.games.all_games(prepared):
        published, before = (
            known.chains.get(game.id) if known else None,
            None if waiting is None else waiting.lost.get(game.id),
        )
        if published is not None and (waiting is None or before is not None):
            # the copy has no note of these, so the new one tells of them too
            earlier = [one for at, one in published.restored.items() if (game.id, at) not in noted]
            earlier += [before] if before else []
            values = {*published.chains, *(value for one in earlier for value in one.chains)}
            gone = values.difference(chains.get(game.id, ()))
            since = min(
                [
                    game.round,
                    published.round,
                    *(published.chains[value] for value in gone if value in published.chains),
                    *(one.since for one in earlier),
                ]
            )
            lost[game.id] = Lost(tuple(sorted(gone)), since)
    return lost


def _check_key(prepared: Database, key: bytes, file: Path) -> None:
    known = store.meta.remembered(prepared, "link_key_check")
    if (known is None and store.games.exist(prepared)) or (
        known is not None and known != links.key_check(key)
    ):
        raise BadCopy(
            f"{file}: link.key does not belong to it; put the key of that time back first"
        )


def _is_older(live: db.Place, prepared: Database) -> bool:
    """True if deadlines were last looked after in the copy, as after a move to another place and
    back.
    """
    try:
        with connections.opened(live) as of:
            last = last_tick(of)
    except (NotOurs, sqlite3.DatabaseError):
        return False
    return 0 < last < last_tick(prepared)


def _is_there(live: db.Place) -> bool:
    return isinstance(live, str) or live.exists()


def _keep(live: db.Place, former: Path, now: int) -> bool:
    """Copy the database that is about to be replaced. False if it is damaged; a busy or full
    disk is raised.
    """
    try:
        with connections.opened(live) as current:
            make(current, former, now)
    except (NotOurs, BadCopy, sqlite3.DatabaseError) as error:
        if errors.is_environment(error):
            raise
        return False
    return True


def _put_in_place(half: Path, live: Path, former: Path) -> Path | None:
    """Move a prepared file to `live`. A file that is there goes to `former` with its journal;
    returns where, or None.
    """
    kept = None
    if live.exists():
        former.parent.mkdir(exist_ok=True, mode=0o700)
        kept = former
        journal = live.with_name(f"{live.name}-journal")
        if journal.exists():  # it would be played back into the new file
            journal.rename(former.with_name(f"{former.name}-journal"))
        live.rename(former)
    half.replace(live)
    return kept


def known_keys(live: db.Place, folder: Path) -> Known | None:
    """What the database at `live` says; None if there is none or it cannot be read. A busy one
    is raised. `folder`: of the installation.

    For a restored database that still waits, what the database said that it replaced.
    """
    try:
        with connections.opened(live) as of, db.reading(of):
            waiting = held(of)
            if (
                waiting is not None
                and waiting.former is not None
                and (former := folder / waiting.former).exists()
            ):
                return known_keys(former, folder)
            if waiting is not None and waiting.former and isinstance(live, str):
                raise BadCopy(
                    f"{former}: not on this machine, and only it knows what came after the copy "
                    "that was restored; restore on the machine where it is, or resume first"
                )
            return Known(
                seats=store.seats.players(of),
                dead=store.seats.dead_hashes(of),
                games=store.games.links_given(of),
                links=int(store.meta.remembered(of, create.LINKS) or 0),
                masters=store.accounts.credentials(of),
                leads=_leads(of),
                followers=store.requests.follower_numbers(of),
                chains=_published(of),
            )
    except (NotOurs, sqlite3.DatabaseError, msgspec.MsgspecError, ValueError, TypeError) as error:
        if _is_there(live) and errors.is_environment(error) and "no such" not in str(error):
            raise
        return None


def _published(database: Database) -> dict[str, Published]:
    """What each game has published by now, with what restores took back. Games of which a
    restore did not know that are left out.
    """
    waiting, chains, notes = (
        held(database),
        store.rounds.all_chains(database),
        store.notes.restored(database),
    )
    by_game = {}
    for game in store.games.all_games(database):
        own = [note for note in notes if note.game == game.id]
        before = {
            note.at: Lost(tuple(note.withdrawn), note.since)
            for note in own
            if note.withdrawn is not None
        }
        is_known = len(before) == len(own)
        if waiting is not None:
            is_known = is_known and game.id in waiting.lost
            before |= {0: waiting.lost[game.id]} if game.id in waiting.lost else {}
        if is_known:
            by_game[game.id] = Published(chains.get(game.id, {}), game.round, before)
    return by_game


def revoke(
    restored: Database, key: bytes, known: Known | None, now: int
) -> dict[str, tuple[str, ...]]:
    """End all sessions, void all one-time links, and renew every personal link.

    Passwords stay as they were last set, and game masters who were let go stay so. A seat that
    somebody else plays now than in the copy becomes nobody's until its game master says whose it
    is. Returns the names of these seats, by game.
    """
    with write(restored):
        number = _first_new_link(restored, known, now)
        store.accounts.end_all_sessions(restored)
        store.requests.expire_unconfirmed(restored)
        store.accounts.void_links(restored, number)
        store.accounts.end_my_games(restored, now)
        if known:
            for address, (password, host) in known.masters.items():
                store.accounts.update(restored, address, {"password": password, "host": host})
            if _knows_all_games(restored, known):
                _keep_let_go(restored, known)
                _keep_stopped(restored, known, now)
        store.meta.remember(restored, create.LINKS, str(number))
        unclear = {}
        # also of a game that cannot be read
        for game in store.games.links_given(restored):
            names = [
                seat.name
                for seat in store.seats.of_game(restored, game)
                if not _renew(restored, key, seat, number, known, now)
            ]
            store.games.raise_links_given(restored, game, number)
            state = store.games.work_state(restored, game)
            # a game that is over needs nobody
            if names and state is not None and state.status != "finished":
                unclear[game] = tuple(names)
    return unclear


def _first_new_link(restored: Database, known: Known | None, now: int) -> int:
    """A link number that no link had, also none that was given since the copy, or after an
    earlier restore of it: the instant, if nothing that is known is later.
    """
    given = [*store.games.links_given(restored).values()]
    given += [int(store.meta.remembered(restored, create.LINKS) or 0)]
    given += [known.links, *known.games.values()] if known else []
    return max(now, *(number + 1 for number in given))


def _renew(
    restored: Database, key: bytes, seat: Seat, number: int, known: Known | None, now: int
) -> bool:
    """Give a seat another link, and its player's newest address. False if somebody else plays it
    now: then it becomes nobody's.

    If the address is another one, nobody knows whose it is, so what was written by the old link
    is not shown by the new one.
    """
    address = seat.address
    # the former database knows what came after this link
    if known and address and seat.link_hash in known.dead:
        address, since = known.seats.get((seat.game, seat.name), (None, None))
        if address is None or since != seat.player_since:
            seating.vacate_restored_seat(restored, seat, number, now, left=address is None)
            return False
    seating.relink(restored, key, seat, {"address": address}, "restored", now, number=number)
    if address == seat.address:
        store.lists.give_words_to_link(restored, seat.game, seat.number, seat.link_number, number)
        store.mails.relink(restored, seat.game, seat.number, number)
    else:
        store.notes.forget_own_notes(restored, seat.game, seat.number)
        store.mails.readdress(restored, seat.game, seat.number, address or "", number, now)
    return True


def _knows_all_games(restored: Database, known: Known) -> bool:
    """True if the former database has all games of the copy. A fresh one knows nobody, so it
    can't tell who was let go.
    """
    copied = store.games.links_given(restored).keys()
    return bool(copied) and copied <= known.games.keys()


def _keep_stopped(restored: Database, known: Known, now: int) -> None:
    """Followers who have ended their mails since the copy get none."""
    for number in store.requests.follower_numbers(restored) - known.followers:
        store.requests.remove_follower(restored, number, now)


def _keep_let_go(restored: Database, known: Known) -> None:
    """Restore who leads which game and who may sign in as it was last. Every game has a game
    master; if the former database names none, the entry was lost, so the copy's is kept.
    """
    copied = store.games.links_given(restored).keys()
    led, led_before = _leads(restored), {game for game, _ in known.leads}
    for game, address in known.leads - led:
        if game in copied:
            store.games.add_master(restored, game, address)
    for game, address in led - known.leads:
        if game in led_before:
            masters.let_go(restored, game, address)
    for address in (
        store.accounts.credentials(restored).keys() - known.masters.keys() if known.masters else ()
    ):
        store.accounts.remove(restored, address)


def _leads(db: Database) -> frozenset[tuple[str, str]]:
    return frozenset(
        (game, address) for address, games in store.games.leading(db).items() for game in games
    )
