"""What a game master does to several games at once: each game by itself, whatever becomes of the
others, and one mail to each person.

What is asked is stored first, with the games as they were shown. A game's transaction stores its
outcome, so after a crash the next pass goes on; with the last outcome the mails are queued.
"""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gm import errors, store
from gm.clock import HOUR
from gm.errors import Refusal
from gm.games import changes, lead, notes, reminding
from gm.games.notes import Change
from gm.mail import queue
from gm.store.acts import Act, Part
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.notes import Note
from gm.store.seats import Seat
from gm.timetable import extending

STATE = ("status", "deadline", "scheduled_deadline", "next_deadline", "rule", "paused_at")
UNDO_SECONDS = 600
"""How long an act can be undone at the desk."""
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


class Sender(Struct, frozen=True):
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


class Step(Struct, frozen=True):
    """What an act does to a game, worked out and not yet stored: `change`, None if there is
    nothing to store, and the seats that are mailed about it.
    """

    outcome: Outcome
    change: Change | None = None
    seats: tuple[Seat, ...] = ()


def foresee(
    db: Database, asked: Asked, games: Sequence[Game], by: Sender, now: int
) -> list[GameOutcome]:
    """What an act would do to each of these games. Nothing is changed and nobody mailed."""
    found = []
    for game in games:
        step = _work_out(db, game.id, partial(_planned, db, asked, game, by, now))
        note = step.change.note if step.change is not None else None
        numbers = [seat.number for seat in step.seats]
        found.append(_with_people(db, game, seen(game), step.outcome, note, numbers))
    return found


def ask(  # who asks what of which games
    db: Database,
    asked: Asked,
    games: Mapping[str, str],
    by: Sender,
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


def undo(db: Database, act: Act, by: Sender, now: int) -> int:
    """Ask to take back what an act did, in each game where it was done; returns the number of the
    act that does. Raises Refusal if the time for that is over.
    """
    with write(db):
        if (before := store.acts.undone_by(db, act.id)) is not None:
            return before.id
        if not may_undo(act, now):
            raise Refusal("too_late_to_undo")
        games = {part.game: part.seen for part in _changed_games(db, act)}
        if not games:
            raise Refusal("nothing_to_undo")
        token = f"undo {act.id}"
        return ask(db, Asked("undo"), games, by, now, token=token, undoes=act.id)


def may_undo(act: Act, now: int) -> bool:
    """Whether an act can still be undone: what was mailed as words alone never can."""
    moved = asked_of(act).kind in ("later", "left_out", "paused", "resumed")
    return moved and act.told_at is not None and now < act.told_at + UNDO_SECONDS


def undoable(db: Database, act: Act, now: int) -> int:
    """In how many games an act could be undone now."""
    if not may_undo(act, now) or store.acts.undone_by(db, act.id) is not None:
        return 0
    number = 0
    for part in _changed_games(db, act):
        step = _work_out(db, part.game, partial(_step, db, act, part, now, undoes=act.id))
        number += step.outcome.code == "done"
    return number


def _changed_games(db: Database, act: Act) -> list[Part]:
    """The games that an act changed, `seen` as it left them, but for those whose rows cannot be
    read.
    """
    found = []
    for part in store.acts.parts(db, act.id):
        with errors.passed_over(f"{part.game}, of an act on several games"):
            if part.note is not None:
                found.append(replace(part, seen=_outcome(part).after))
    return found


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
            game, note = store.games.existing(db, part.game), store.notes.by_id(db, part.note or 0)
            outcome = _outcome(part) if part.outcome else None
            found.append(_with_people(db, game, part.seen, outcome, note, part.seats))
    return found


def asked_of(act: Act) -> Asked:
    """What was asked with this act."""
    return msgspec.json.decode(act.asked, type=Asked)


def _outcome(part: Part) -> Outcome:
    return msgspec.json.decode(part.outcome or "{}", type=Outcome)


def _settle(db: Database, act: Act, part: Part, now: int) -> None:
    """Do an act to one game and store what became of it. Inside `write`."""

    def do() -> Change | list[Seat] | None:
        change = _step(db, act, part, now, undoes=act.undoes)
        if not isinstance(change, Change):
            return change
        with write(db):  # all of it or nothing, though the outcome is stored
            return replace(change, note=replace(change.note, id=notes.keep(db, change)))

    step = _work_out(db, part.game, do)
    done = {
        "outcome": msgspec.json.encode(step.outcome).decode(),
        "note": step.change.note.id if step.change is not None else None,
        "told": msgspec.json.encode([seat.number for seat in step.seats]).decode(),
    }
    store.acts.keep(db, replace(part, **done))


def _step(
    db: Database, act: Act, part: Part, now: int, *, undoes: int | None
) -> Change | list[Seat] | None:
    """What an act does to one game, or what takes back another one there. Raises Refusal if the
    game stands otherwise than it was seen.
    """
    game, asked = store.games.existing(db, part.game), asked_of(act)
    if (undoes is not None or not asked.by_host) and act.by_address not in store.games.masters(
        db, game.id
    ):
        raise Refusal("not_led")
    if seen(game) != part.seen:
        raise Refusal("game_moved_on")
    if undoes is None:
        return _planned(db, asked, game, Sender(act.by_address, act.by_name), now)
    return _planned_back(db, undoes, game, now)


def _work_out(db: Database, game_id: str, plan: Callable[[], Change | list[Seat] | None]) -> Step:
    """Work out what is done to a game: a change, or the seats that are reminded."""
    try:
        game = store.games.existing(db, game_id)
        change = plan()
        if isinstance(change, Change):
            outcome = Outcome("done", before=_state(game), after=seen(change.after))
            return Step(outcome, change, tuple(notes.recipients(db, change)))
        return Step(Outcome("done" if change else "same"), seats=tuple(change or ()))
    except Exception as error:  # one bad game must never stop the others
        if errors.is_environment(error):
            raise
        if not isinstance(error, Refusal):
            error = Refusal("damaged", number=errors.noted(error, game_id))
        return Step(Outcome(error.code, error.values))


def _planned(
    db: Database, asked: Asked, game: Game, by: Sender, now: int
) -> Change | list[Seat] | None:
    """What an act makes of a game, or whom it reminds; None if it is so already. Raises Refusal."""
    if game.status == "held" and asked.kind in ("later", "left_out"):
        raise Refusal("held_alone")
    if asked.kind == "later":
        deadline = extending.wished(game, days=asked.days, to=asked.to)
        return lead.extended(db, game, deadline, asked.words, now)
    if asked.kind == "left_out" and game.schedule.by_hand:
        raise Refusal("no_calendar")
    if asked.kind == "left_out":
        return changes.planned(
            db, game, changes.Wish(more_left_out=asked.days_out), asked.words, now
        )
    if asked.kind == "paused":
        return lead.paused(game, asked.words, now)
    if asked.kind == "resumed":
        return lead.resumed(db, game, asked.words, now)
    if asked.kind == "announced":
        return lead.announced(db, game, asked.words, now, by.name)
    if asked.kind == "reminded":
        return reminding.to_remind(db, game, now)
    raise ValueError(asked.kind)


def _planned_back(db: Database, act_id: int, game: Game, now: int) -> Change:
    """What takes back in a game what an act did: as a command does, as far as it may. Raises
    Refusal if not all of it would be as it was.
    """
    act = store.acts.by_id(db, act_id)
    assert act is not None
    (part,) = (part for part in store.acts.parts(db, act_id) if part.game == game.id)
    note, kind, was = store.notes.by_id(db, part.note or 0), asked_of(act).kind, _outcome(part)
    assert note is not None
    if kind == "later":
        back = lead.extended(db, game, note.old or 0, "", now)
    elif kind == "left_out":
        old, new = note.changes["rule"]
        wish = changes.Wish(put_back=tuple({*new.left_out} - {*old.left_out}))
        back = changes.planned(db, game, wish, "", now)
    elif kind == "paused":
        back = lead.resumed(db, game, "", now)
    else:
        back = lead.paused(game, "", now)
        # what was left then is left again
        back = back and replace(back, columns=back.columns | {"paused_at": was.before["paused_at"]})
    if back is None or _state(back.after) != was.before:
        raise Refusal("not_wholly_undone")
    return back


def _with_people(
    db: Database,
    game: Game,
    was_seen: str,
    outcome: Outcome | None,
    note: Note | None,
    numbers: Collection[int],
) -> GameOutcome:
    """What an act does to a game, with its people; `numbers`: the seats that are mailed."""
    seats = [seat for seat in store.seats.of_game(db, game.id) if seat.address]
    return GameOutcome(
        game,
        was_seen,
        outcome,
        note,
        tuple(seat for seat in seats if seat.number in numbers),
        tuple(seat.called for seat in seats if numbers and note is not None and not seat.news),
    )


def _queue_mails(db: Database, act: Act, now: int) -> None:
    """Queue the mails about an act; those to one address are written together. Who was not yet
    told what is undone hears of neither. Inside `write`.
    """
    kind = asked_of(act).kind
    for one in outcomes(db, act):
        seats, game = one.mailed, one.game
        if kind == "reminded":
            by_hand = queue.Event(
                kind="reminder",
                deadline=game.deadline or 0,
                mark=now // HOUR,
                act=act.id,
            )
            to = [s for s in seats if not queue.was_sent_lately(db, s, now - HOUR, "reminder")]
            queue.put(db, game.id, game.round, by_hand, to, now)
        elif one.note is not None:
            untold: set[int] = set()
            if act.undoes is not None:
                untold = store.mails.withdraw_of_act(db, act.undoes, game.id, now)
            news = queue.Event(kind="news", about=one.note.id, act=act.id)
            to = [seat for seat in seats if seat.news and seat.number not in untold]
            queue.put(db, game.id, one.note.round, news, to, now)
