"""A copy takes the place of the database: held until it is let go on, and without a mail, session or link of former times."""

import sqlite3
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlite_utils import Database

from gm import errors, links, store
from gm.clock import DAY
from gm.game import notes, promises, setup
from gm.game.people import revoke
from gm.mail import queue
from gm.proof.fairness import differences
from gm.store import db
from gm.store.db import NotOurs, write
from gm.store.file.backup import BadCopy, Held, Lost, check, copy_to, held, make, name_for, overwrite
from gm.store.file.migrations import migrate
from gm.store.games import Game

KEEP_SECONDS = DAY
"""A deadline that still lies so far ahead when a restored service goes on stays as it was."""


class Restored(Struct, frozen=True):
    """What a restore did: where the former database was put, if there was one, and whether it could be read; by game, the seats
    that another plays now than in the copy, and where it differs from its record.
    """

    former: Path | None
    is_known: bool
    unclear: dict[str, tuple[str, ...]]
    differences: dict[str, str]


def restore(live: Path, key: bytes, file: Path, now: int) -> Restored:
    """Put a copy in the place of the database: whole or not at all, held until `go_on`.

    No session, one-time link or personal link comes back: every seat has a new link, which `go_on` has mailed.
    Raises BadCopy for a damaged or foreign copy, or one that the link key does not belong to; then nothing has changed.
    """
    check(file)
    half = live.with_name(".restore.half")
    try:
        with db.opened(file) as copy:
            copy_to(half, copy)
        with db.opened(half) as prepared:
            migrate(prepared)
            _check_key(prepared, key, file)
            known = revoke.known_keys(live)
            former = name_for(live.parent / "backups", now, "replaced")
            _hold(prepared, file, known, str(former.relative_to(live.parent)), now)
            unclear = revoke.revoke(prepared, key, known, now)
            found = differences(prepared)
            if live.exists() and _keep(live, former, now):
                overwrite(live, prepared)
                return Restored(former, known is not None, unclear, found)
        return Restored(_put_in_place(half, live, former), known is not None, unclear, found)
    finally:
        half.unlink(missing_ok=True)


def go_on(of: Database, now: int) -> list[str]:
    """Let a restored service go on: its games run, everybody is told, mail goes out. The ids of the games that run again.

    A deadline a day ahead or more stays; for any other comes the one that `promises.moved_on` finds. A game for which that fails
    is held with the fault, and the others go on.
    """
    with write(of):
        stopped = held(of)
        if stopped is None:
            return []
        running = []
        for game in store.games.all_games(of):
            try:
                _let_go_on(of, game, stopped, now)
            except Exception as error:  # one bad game must never stop the others
                if errors.is_environment(error):
                    raise
                why = errors.in_words(error, errors.noted(error, f"going on with {game.id}"))
                store.games.update(of, game.id, {"status": "held", "paused_at": None, "error": why})
            else:
                running += [game.id] if game.id in stopped.games else []
        store.meta.forget(of, "held", "copied_at")
    return running


def _let_go_on(of: Database, game: Game, stopped: Held, now: int) -> None:
    """Let one game go on, and tell its players. Inside `write`."""
    if game.status == "open":
        if game.id not in stopped.lost or stopped.lost[game.id].chains:
            store.meta.remember(of, f"{setup.RESTORED}{game.id}", f"{stopped.copied_at} {_told_of(stopped, game.id)}")
        queue.put(of, game.id, 0, "link_restored", store.seats.of_game(of, game.id), now, ref=now)
    if game.status not in ("running", "paused", "held"):
        return
    deadline, regular = game.deadline, game.scheduled_deadline
    going: dict[str, object] = {"sequence": max(game.sequence + 1, now // 60)}  # calendars may know later ones than the copy
    if game.id in stopped.games and game.status == "paused":
        if deadline is not None and deadline - now < KEEP_SECONDS:
            deadline = regular = max(deadline, promises.moved_on(game, now) or 0)
        going |= {"status": "running", "paused_at": None, "deadline": deadline, "scheduled_deadline": regular}
    store.games.update(of, game.id, going)
    notes.tell(of, game, "restored", "", now, old=stopped.copied_at, new=deadline, changed=_told_of(stopped, game.id))


def _told_of(stopped: Held, game: str) -> str:
    """What the note of a restore keeps, as JSON: the chain values taken back and the first round of which something is lost."""
    lost = stopped.lost.get(game)
    return msgspec.json.encode({} if lost is None else {"withdrawn": lost.chains, "since": lost.since}).decode()


def _hold(prepared: Database, file: Path, known: revoke.Known | None, former: str, now: int) -> None:
    """Nothing of a restored database happens by itself: its games are paused as they stood, its mail waits."""
    copied_at = int(store.meta.remembered(prepared, "copied_at") or file.stat().st_mtime)
    running = store.games.running(prepared)
    stopped = Held(now, copied_at, running, _lost(prepared, known), former)
    if (earlier := held(prepared)) is not None:  # a copy of a service that waited already
        stopped = replace(stopped, copied_at=earlier.copied_at, games=(*earlier.games, *running))
    with write(prepared):
        store.games.pause_running(prepared, copied_at)
        store.meta.forget(prepared, "clock", "clock_waits", "boot_id")  # how time passed meanwhile says nothing of the clock
        store.meta.remember(prepared, "held", msgspec.json.encode(stopped).decode())


def _lost(prepared: Database, known: revoke.Known | None) -> dict[str, Lost]:
    """What each game of a copy loses by taking the place of the database; not of a game of which that is not known."""
    chains, waiting, lost = store.rounds.all_chains(prepared), held(prepared), {}
    for game in store.games.all_games(prepared):
        told, before = known.told.get(game.id) if known else None, None if waiting is None else waiting.lost.get(game.id)
        if told is not None and (waiting is None or before is not None):
            gone = {value: number for value, number in told.chains.items() if value not in chains.get(game.id, ())}
            since = min([game.round, told.round, *gone.values(), *([before.since] if before else [])])
            lost[game.id] = Lost(tuple(sorted({*gone, *(before.chains if before else ())})), since)
    return lost


def _check_key(prepared: Database, key: bytes, file: Path) -> None:
    known = store.meta.remembered(prepared, "link_key_check")
    if (known is None and store.games.exist(prepared)) or (known is not None and known != links.key_check(key)):
        raise BadCopy(f"{file}: link.key does not belong to it; put the key of that time back first")


def _keep(live: Path, former: Path, now: int) -> bool:
    """Copy the database that is about to be replaced: nothing is lost. False if it is ruined; a busy or full disk is raised."""
    try:
        with db.opened(live) as current:
            make(current, former, now)
    except (NotOurs, BadCopy, sqlite3.DatabaseError) as error:
        if errors.is_environment(error):
            raise
        return False
    return True


def _put_in_place(half: Path, live: Path, former: Path) -> Path | None:
    """Put a prepared file where no sound database is; what is there, with its journal, is moved aside as it is."""
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
