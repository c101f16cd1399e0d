"""Changing a game that may already run: its calendar and its words. The open deadline stays
unless its day is left out or put back.

Each change is a note of the game's log, mailed if it moves something for players.
"""

from collections.abc import Sequence
from datetime import date, time
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, replace

from gm import store
from gm.calendar import Rule
from gm.errors import Refusal
from gm.games import notes
from gm.games.house_rules import seat_limit
from gm.games.names import checked_description, checked_name
from gm.open_round import standing
from gm.store.db import Database, write
from gm.store.games import Game
from gm.timetable import new_calendar, promises

FOR_PLAYERS = ("rule", "early_after", "after_early", "next_deadline")
"""The changes that players are mailed. The others they see on the page."""


class Wish(Struct, frozen=True):
    """A change that somebody asks for; UNSET: as it is. `left_out` replaces all days,
    `more_left_out` and `put_back` change some.

    `hours` take the place of a calendar, and weekdays, also none, that of hours.
    """

    name: str | UnsetType = UNSET
    gm_name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    seats: int | UnsetType | None = UNSET
    early_after: int | UnsetType | None = UNSET
    after_early: str | UnsetType = UNSET
    silence_guard: bool | UnsetType = UNSET
    asks_again: bool | UnsetType = UNSET
    weekdays: tuple[int, ...] | UnsetType = UNSET
    hours: int | UnsetType | None = UNSET
    at: time | UnsetType = UNSET
    zone: str | UnsetType = UNSET
    weeks: int | UnsetType = UNSET
    shortest: int | UnsetType = UNSET
    left_out: tuple[date, ...] | UnsetType = UNSET
    more_left_out: tuple[date, ...] = ()
    put_back: tuple[date, ...] = ()


class Changed(Struct, frozen=True):
    """What a wish makes of a game: the columns that change, each old and new, and the open
    deadline then.
    """

    columns: dict[str, tuple[Any, Any]]
    deadline: int | None


def change(db: Database, games: Sequence[str], wish: Wish, reason: str, now: int) -> list[str]:
    """Change these games, all or none; returns the ids of those that changed. Raises Refusal for
    an impossible wish.
    """
    done = []
    with write(db):
        for number in dict.fromkeys(games):
            game = store.games.existing(db, number)
            if notes.keep_and_mail(db, planned(db, game, wish, reason, now), now):
                done.append(number)
    return done


def planned(db: Database, game: Game, wish: Wish, reason: str, now: int) -> notes.Change | None:
    """The change that a wish makes of a game, with its note; None if it makes none. Raises Refusal
    for an impossible wish.
    """
    changes = changed(db, game, wish, now)
    if not changes.columns:
        return None
    row = {name: new for name, (_, new) in changes.columns.items()}
    if "rule" in row:
        row["rule"] = msgspec.json.encode(row["rule"]).decode()
    moved = changes.deadline if changes.deadline != game.deadline else None
    if moved is not None:
        is_regular = game.scheduled_deadline in (None, game.deadline)
        row |= {"deadline": moved, "sequence": game.sequence + 1} | (
            {"scheduled_deadline": moved} if is_regular else {}
        )
    return notes.work_out(
        game,
        row,
        "changed",
        reason,
        now,
        old=game.deadline if moved is not None else None,
        new=moved,
        changed=msgspec.json.encode(changes.columns).decode(),
        mailed=is_told(game, changes),
    )


def changed(db: Database, game: Game, wish: Wish, now: int) -> Changed:
    """What a wish would make of a game as it stands. Raises Refusal for an impossible wish."""
    if game.status == "finished":
        raise Refusal("over", game=game.id)
    rule = _rule(game, wish, now)
    new: dict[str, Any] = {
        "name": checked_name(wish.name) if wish.name is not UNSET else game.name,
        "gm_name": checked_name(wish.gm_name) if wish.gm_name is not UNSET else game.gm_name,
        "description": checked_description(wish.description)
        if wish.description is not UNSET
        else game.description,
        "seats": _seats(db, game, wish),
        "early_after": game.early_after if wish.early_after is UNSET else wish.early_after,
        "after_early": _wished_after_early(game, wish),
        "silence_guard": game.silence_guard
        if wish.silence_guard is UNSET
        else int(wish.silence_guard),
        "asks_again": game.asks_again if wish.asks_again is UNSET else int(wish.asks_again),
        "rule": rule if rule != game.schedule else game.rule,
    }
    columns = {
        name: (getattr(game, name), value)
        for name, value in new.items()
        if value != getattr(game, name)
    }
    stands = standing(db, game)
    if "rule" in columns:
        columns["rule"] = (msgspec.to_builtins(game.schedule), msgspec.to_builtins(rule))
        if (promise := new_calendar.promise(stands, rule, now)) != game.next_deadline:
            columns["next_deadline"] = (game.next_deadline, promise)
    return Changed(columns, new_calendar.open_deadline(stands, rule, now))


def _rule(game: Game, wish: Wish, now: int) -> Rule:
    """The calendar as it would be. Another rhythm is counted in weeks from the open deadline, or
    from now.
    """
    old, parts = game.schedule, asdict(wish)
    wanted = {
        name: parts[name] for name in ("weekdays", "at", "zone", "weeks", "shortest", "left_out")
    }
    rule = replace(old, **{name: value for name, value in wanted.items() if value is not UNSET})
    if wish.hours is not UNSET or wish.weekdays is not UNSET:
        rule = replace(rule, hours=wish.hours or UNSET)
    if rule.length:
        rule = replace(rule, weekdays=(), shortest=0)
    left_out = ({*rule.left_out, *wish.more_left_out}) - {*wish.put_back}
    rule = replace(
        rule, left_out=tuple(sorted(left_out)) if left_out != {*old.left_out} else old.left_out
    )
    if (rule.weekdays, rule.weeks) != (old.weekdays, old.weeks):
        rule = replace(rule, since=new_calendar.day(game.deadline or now, rule.zone))
    return rule


def side_by_side(
    game: Game, changes: Changed, now: int
) -> list[tuple[int, int | None, int | None]]:
    """The deadlines of the open round and the next ones as they are and as they would be."""
    rule = changes.columns.get("rule", (None, game.schedule))[1]
    promise = changes.columns.get("next_deadline", (None, game.next_deadline))[1]
    after = replace(
        game,
        rule=msgspec.json.encode(rule).decode(),
        next_deadline=promise,
        deadline=changes.deadline,
    )
    return new_calendar.side_by_side(game, after, now)


def is_told(game: Game, changes: Changed) -> bool:
    """True if players get a mail about the change."""
    moves = changes.deadline != game.deadline or any(
        name in changes.columns for name in FOR_PLAYERS
    )
    return moves and game.status != "draft"


def _seats(db: Database, game: Game, wish: Wish) -> int | None:
    if wish.seats is UNSET or wish.seats == game.seats:
        return game.seats
    if game.status not in ("draft", "open"):
        raise Refusal("not_open", game=game.id, status=game.status)
    taken = len(store.seats.of_game(db, game.id))
    limit = seat_limit(game.variant, wish.seats)
    if limit is not None and limit < taken:
        raise Refusal("too_few_seats", taken=taken)
    return limit


def _wished_after_early(game: Game, wish: Wish) -> str:
    if wish.after_early is UNSET:
        return game.after_early
    if wish.after_early not in promises.AFTER_EARLY:
        raise ValueError(wish.after_early)
    return wish.after_early
