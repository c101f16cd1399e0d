"""What a game master does to several games at once: each game by itself, whatever becomes of the
others, and one mail to each person.

What is asked is stored first, with the games as they were shown. A game's transaction stores its
outcome, so after a crash the next pass goes on; with the last outcome the mails are queued.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gm import errors, store
from gm.deadline import reminders
from gm.errors import Refusal
from gm.games import changes, lead
from gm.mail import queue
from gm.store.acts import Act, Part
from gm.store.db import Database, rehearsal, write
from gm.store.games import Game
from gm.store.notes import Note
from gm.store.seats import Seat
from gm.timetable import extending

Done = bool | tuple[int, ...]
"""Whether anything was done to a game; of reminders the numbers of the seats."""
STATE = ("status", "deadline", "scheduled_deadline", "next_deadline", "rule", "paused_at")
UNDO_SECONDS = 600
"""So long an act can be undone from the desk."""
MOST_GAMES, MOST_WORDS = 200, 4000


class Asked(Struct, frozen=True):
    """What is asked of several games. `days` after the regular deadline, or `to` a day or a
    moment on each game's own clock; `days_out` are left out of the calendar; `words`: the reason,
    or what is announced. `by_host`: with a command, so of games that anybody leads.
    """

    kind: str
    days: int | None = None
    to: str = ""
    days_out: tuple[date, ...] = ()
    words: str = ""
    by_host: bool = False


class Master(Struct, frozen=True):
    """Who asks: players' answers go to this address; announcements bear the name."""

    address: str
    name: str


class Outcome(Struct, frozen=True):
    """What became of a game: `done`, `same` if it was so already, or the code of a refusal with
    its values. `before`: what undoing has to bring back; `after`: how the act left the game.
    """

    code: str
    values: dict[str, Any] = {}
    before: dict[str, Any] = {}
    after: str = ""

    @property
    def refusal(self) -> Refusal | None:
        """Why nothing was done; None if it was, or was so already."""
        return None if self.code in ("done", "same") else Refusal(self.code, **self.values)


class GameOutcome(Struct, frozen=True):
    """A game with what an act does to it, or did; `outcome` None: it waits. `mailed`: who is told;
    `quiet`: who wants no news.
    """

    game: Game
    seen: str
    outcome: Outcome | None
    note: Note | None
    mailed: tuple[Seat, ...]
    quiet: tuple[str, ...]


def seen(game: Game) -> str:
    """How a game stands, as the form carries it: nothing is done to a game that has moved on."""
    state = (game.round, game.sequence, game.early_after, game.after_early, *_state(game).values())
    return hashlib.sha256(repr(state).encode()).hexdigest()[:16]


def _state(game: Game) -> dict[str, Any]:
    """What acts change of a game."""
    return {name: getattr(game, name) for name in STATE}


def foresee(
    db: Database, asked: Asked, games: Sequence[Game], by: Master, now: int
) -> list[GameOutcome]:
    """What an act would do to each of these games. Nothing is changed and nobody mailed."""
    found = []
    for game in games:
        with rehearsal(db):
            part = Part(0, game.id, seen(game), None, None, "[]")
            done = _done(db, part, partial(_do, db, asked, game, by, now))
            found.append(_with_people(db, game, done))
    return found


def ask(  # who asks what of which games
    db: Database,
    asked: Asked,
    games: Mapping[str, str],
    by: Master,
    now: int,
    *,
    token: str,
    undoes: int | None = None,
) -> int:
    """Store what is asked of these games, each as it was seen; returns the act's number. The same
    button again asks for nothing more.
    """
    with write(db):
        before = store.acts.by_token(db, token)
        if before is not None:
            return before.id
        row = {
            "token": token,
            "asked": msgspec.json.encode(asked).decode(),
            "by_address": by.address,
            "by_name": by.name,
            "at": now,
            "undoes": undoes,
        }
        return store.acts.add(db, row, games)


def undo(db: Database, act: Act, by: Master, now: int) -> int:
    """Ask to take back what an act did, in each game where it was done; returns the number of the
    act that does. Raises Refusal if the time for that is over.
    """
    with write(db):
        if (before := store.acts.undone_by(db, act.id)) is not None:
            return before.id
        if not may_undo(act, now):
            raise Refusal("too_late_to_undo")
        games = {
            part.game: _outcome(part).after
            for part in store.acts.parts(db, act.id)
            if part.note is not None
        }
        if not games:
            raise Refusal("nothing_to_undo")
        token = f"undo {act.id}"
        return ask(db, Asked("undo"), games, by, now, token=token, undoes=act.id)


def may_undo(act: Act, now: int) -> bool:
    """Whether an act can still be undone: what was mailed as words alone never can."""
    moved = asked_of(act).kind in ("later", "left_out", "paused", "resumed")
    return moved and act.told_at is not None and now < act.at + UNDO_SECONDS


def undoable(db: Database, act: Act, now: int) -> int:
    """In how many games an act could be undone now."""
    if not may_undo(act, now) or store.acts.undone_by(db, act.id) is not None:
        return 0
    number = 0
    for part in store.acts.parts(db, act.id):
        if part.note is not None:
            with rehearsal(db):
                back = replace(part, seen=_outcome(part).after)
                done = _done(db, back, partial(_settled, db, act, back, now, undoes=act.id))
                number += _outcome(done).code == "done"
    return number


def go_on(db: Database, now: int) -> bool:
    """Do what was asked to the next game that waits; after the last one queue the mails. An act
    that cannot be read is passed over. False if nothing else waits.
    """
    for number in store.acts.open_numbers(db):
        with errors.passed_over(f"act {number} on several games"), write(db):
            act = store.acts.by_id(db, number)
            if act is None or act.told_at is not None:  # another pass has done it meanwhile
                return True
            waiting = [part for part in store.acts.parts(db, number) if part.outcome is None]
            if waiting:
                _settle(db, act, waiting[0], now)
            if len(waiting) <= 1:
                _queue_mails(db, act, now)
                store.acts.told(db, number, now)
            return True
    return False


def outcomes(db: Database, act: Act) -> list[GameOutcome]:
    """What became of each game of an act, but for those whose rows cannot be read."""
    found = []
    for part in store.acts.parts(db, act.id):
        with errors.passed_over(f"{part.game}, of an act on several games"):
            found.append(_with_people(db, store.games.existing(db, part.game), part))
    return found


def asked_of(act: Act) -> Asked:
    """What was asked with this act."""
    return msgspec.json.decode(act.asked, type=Asked)


def _outcome(part: Part) -> Outcome:
    return msgspec.json.decode(part.outcome or "{}", type=Outcome)


def _settle(db: Database, act: Act, part: Part, now: int) -> None:
    """Do an act to one game and store what became of it. Inside `write`."""
    do = partial(_settled, db, act, part, now, undoes=act.undoes)
    store.acts.keep(db, _done(db, part, do))


def _settled(db: Database, act: Act, part: Part, now: int, *, undoes: int | None) -> Done:
    """Do an act to one game, or take back another one. Raises Refusal if the game stands otherwise
    than it was seen.
    """
    game, asked = store.games.existing(db, part.game), asked_of(act)
    if not asked.by_host and act.by_address not in store.games.masters(db, game.id):
        raise Refusal("not_led")
    if seen(game) != part.seen:
        raise Refusal("game_moved_on")
    if undoes is None:
        return _do(db, asked, game, Master(act.by_address, act.by_name), now)
    return _undo(db, undoes, game, now)


def _done(db: Database, part: Part, do: Callable[[], Done]) -> Part:
    """Do something to a game, and what became of it. The mails about it are taken back, because
    they are told together with those about other games. Inside `write`.
    """
    newest = store.notes.newest_id(db)
    told: tuple[int, ...] = ()
    try:
        before = _state(store.games.existing(db, part.game))
        with write(db):
            done = do()
        outcome = Outcome(
            "done" if done else "same",
            before=before,
            after=seen(store.games.existing(db, part.game)),
        )
        told = done if isinstance(done, tuple) else ()
    except Exception as error:  # one bad game must never stop the others
        if errors.is_environment(error):
            raise
        refusal = (
            error
            if isinstance(error, Refusal)
            else Refusal("damaged", number=errors.noted(error, part.game))
        )
        outcome = Outcome(refusal.code, refusal.values)
    note = store.notes.newest_id(db)
    if note > newest:
        told = store.mails.drop_news(db, note)
    return replace(
        part,
        outcome=msgspec.json.encode(outcome).decode(),
        note=note if note > newest else None,
        told=msgspec.json.encode(told).decode(),
    )


def _do(db: Database, asked: Asked, game: Game, by: Master, now: int) -> Done:
    if game.status == "held" and asked.kind in ("later", "left_out"):
        raise Refusal("held_alone")
    if asked.kind == "later":
        deadline = extending.wished(game, days=asked.days, to=asked.to)
        return lead.extend(db, game.id, deadline, asked.words, now)
    if asked.kind == "left_out" and game.schedule.by_hand:
        raise Refusal("no_calendar")
    if asked.kind == "left_out":
        wish = changes.Wish(more_left_out=asked.days_out)
        return bool(changes.change(db, [game.id], wish, asked.words, now))
    if asked.kind == "paused":
        return lead.pause(db, game.id, asked.words, now)
    if asked.kind == "resumed":
        return lead.resume(db, game.id, asked.words, now)
    if asked.kind == "announced":
        return lead.announce(db, game.id, asked.words, now, by.name)
    if asked.kind == "reminded":
        newest = store.mails.newest_id(db)
        reminders.remind_now(db, game.id, now)
        return tuple(mail.seat or 0 for mail in store.mails.after(db, newest))
    raise ValueError(asked.kind)


def _undo(db: Database, act_id: int, game: Game, now: int) -> bool:
    """Take back what an act did to a game: with the command that does so, as far as it may. Raises
    Refusal if not all of it would be as it was.
    """
    act = store.acts.by_id(db, act_id)
    assert act is not None
    (part,) = (part for part in store.acts.parts(db, act_id) if part.game == game.id)
    note, kind, was = store.notes.by_id(db, part.note or 0), asked_of(act).kind, _outcome(part)
    assert note is not None
    if kind == "later":
        lead.extend(db, game.id, note.old or 0, "", now)
    elif kind == "left_out":
        old, new = note.changes["rule"]
        wish = changes.Wish(put_back=tuple({*new.left_out} - {*old.left_out}))
        changes.change(db, [game.id], wish, "", now)
    elif kind == "paused":
        lead.resume(db, game.id, "", now)
    else:
        lead.pause(db, game.id, "", now)
        # what was left then is left again
        store.games.update(db, game.id, {"paused_at": was.before["paused_at"]})
    if _state(store.games.existing(db, game.id)) != was.before:
        raise Refusal("not_wholly_undone")
    return True


def _with_people(db: Database, game: Game, part: Part) -> GameOutcome:
    """A game of an act with the people in it."""
    seats = [seat for seat in store.seats.of_game(db, game.id) if seat.address]
    return GameOutcome(
        game,
        part.seen,
        _outcome(part) if part.outcome else None,
        store.notes.by_id(db, part.note) if part.note is not None else None,
        tuple(seat for seat in seats if seat.number in part.seats),
        tuple(seat.called for seat in seats if part.seats and not seat.news),
    )


def _queue_mails(db: Database, act: Act, now: int) -> None:
    """Queue one mail for each address, in the language of its first seat; of a single seat the
    usual one. Inside `write`.
    """
    by_person: dict[str, list[tuple[Note, Seat]]] = {}
    for one in outcomes(db, act):
        if one.note is not None:
            for seat in one.mailed:
                if seat.news:
                    by_person.setdefault(seat.address or "", []).append((one.note, seat))
    for address, lines in by_person.items():
        note, seat = lines[0]
        if len(lines) == 1:
            queue.put(db, note.game, note.round, queue.News(note=note.id), [seat], now)
        else:
            person = queue.Recipient(address, seat.language)
            queue.put(db, None, 0, queue.Several(act=act.id), [person], now)
