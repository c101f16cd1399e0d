"""What another calendar makes of the deadlines of a game. The open one stays unless its day is left
out or put back.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from gm.calendar import Rule, deadline_of_round, next_deadline, past_days
from gm.store.games import Game
from gm.timetable import promises
from gm.timetable.standing import Standing

FARTHEST_ROUND = 9999


def open_deadline(stands: Standing, rule: Rule, now: int) -> int | None:
    """Keep the deadline unless its day was just excluded, days that moved it here are put back,
    or the game had none and gets a calendar.
    """
    game = stands.game
    if game.deadline is None:
        return deadline_of_round(rule, now) if game.is_open and game.schedule.by_hand else None
    moves = [
        (note.old, note.new)
        for note in stands.of_this_play
        if note.kind == "changed" and note.old and note.new
    ]
    return _moved(game.deadline, moves, game, rule, now) if game.deadline > now else game.deadline


def promise(stands: Standing, rule: Rule, now: int) -> int | None:
    """The deadline promised to the next round, changed in the same way."""
    game = stands.game
    moves = [
        note.changes["next_deadline"]
        for note in stands.of_this_play
        if note.kind == "changed" and "next_deadline" in note.changes
    ]
    return (
        None if game.next_deadline is None else _moved(game.next_deadline, moves, game, rule, now)
    )


def _moved(
    deadline: int, moves: Sequence[tuple[int, int]], game: Game, rule: Rule, now: int
) -> int:
    """Back to the first of the days that were left out and moved the deadline here, if one of
    them is put back; later if its own day is left out.
    """
    if rule.by_hand:
        return deadline
    put_back = {*game.schedule.left_out} - {*rule.left_out}
    before = [deadline]
    for old, new in reversed(moves):
        if new == before[-1] and old < new:
            before.append(old)
    if any(day(old, rule.zone) in put_back for old in before[1:]):
        possible = (
            old
            for old in before[1:]
            if day(old, rule.zone) not in rule.left_out and old >= now + promises.least(rule)
        )
        deadline = min(possible, default=deadline)
    more_left_out = {*rule.left_out} - {*game.schedule.left_out}
    if rule.length:
        # those before the deadline have moved it already
        last = day(deadline, rule.zone)
        more_left_out |= {other for other in rule.left_out if other > last}
        return past_days(now, deadline, tuple(more_left_out), rule.zone)
    is_left_out = day(deadline, rule.zone) in more_left_out
    return next_deadline(rule, deadline) or deadline if is_left_out else deadline


def side_by_side(
    game: Game, after: Game, now: int, rounds: int = 4
) -> list[tuple[int, int | None, int | None]]:
    """The deadlines of the open round and the next ones, of a game as it is and as it would be."""
    old, new = game.deadline, after.deadline
    if not game.round:
        old, new = (deadline_of_round(one.schedule, now) for one in (game, after))
    lines = [(max(game.round, 1), old, new)]
    last = game.engine.length(game.rules) or FARTHEST_ROUND
    for number in range(lines[0][0] + 1, min(lines[0][0] + rounds, last + 1)):
        old = None if old is None else promises.after_close(game, old)
        new = None if new is None else promises.after_close(after, new)
        lines.append((number, old, new))
        game, after = (replace(one, next_deadline=None) for one in (game, after))
    return lines


def day(instant: int, zone: str) -> date:
    """The day of an instant in a zone."""
    return datetime.fromtimestamp(instant, UTC).astimezone(ZoneInfo(zone)).date()
