"""What a pass finds to do: rounds to close, seats to remind, and when it has to look again. A game
whose work has failed is left alone until its `retry_at`.
"""

from collections.abc import Sequence

from gm.store.db import MANY, Database, as_list

SHORT = 12 * 3600
"""In a shorter round there is one reminder, in its last quarter."""


def rounds(db: Database, now: int) -> list[str]:
    """The games whose round is due, the most overdue first; of many only the first."""
    sql = """SELECT id FROM game WHERE status = 'running' AND deadline <= :now
             AND coalesce(retry_at, 0) <= :now ORDER BY deadline, id LIMIT :many"""
    return [game for (game,) in db.execute(sql, {"now": now, "many": MANY}).fetchall()]


def due_batch(db: Database, now: int) -> tuple[int, str | None, int | None]:
    """How many rounds are due, the last of their games, and their highest round: they tell one
    batch from another.
    """
    sql = """SELECT count(*), max(id), max(round) FROM game WHERE status = 'running'
             AND deadline <= :now AND coalesce(retry_at, 0) <= :now"""
    batch: tuple[int, str | None, int | None] = db.execute(sql, {"now": now}).fetchone()
    return batch


def games_to_remind(db: Database, now: int) -> list[str]:
    """The running games with a seat without orders that has come to one of its lead times, or in a
    short round to its last quarter, and was not reminded of it, the nearest deadline first.
    """
    sql = """
        SELECT id
        FROM game
        WHERE status = 'running' AND deadline > :now AND coalesce(retry_at, 0) <= :now
        AND EXISTS (SELECT 1 FROM seat, json_each(CASE
            WHEN NOT json_valid(seat.reminder_leads) OR seat.reminder_leads = '[]' THEN '[]'
            WHEN game.deadline - game.round_at < :short
              THEN '[' || ((game.deadline - game.round_at) / 4) || ']'
            ELSE seat.reminder_leads END) AS lead
          WHERE seat.game = game.id AND seat.address IS NOT NULL
          AND game.deadline - CASE lead.type WHEN 'integer' THEN CAST(lead.value AS BIGINT) END
              BETWEEN coalesce(game.round_at, 0) + 1 AND :now
          AND NOT EXISTS (SELECT 1 FROM revision
            WHERE revision.game = game.id AND revision.round = game.round
            AND revision.seat = seat.number AND revision.void_at IS NULL)
          AND NOT EXISTS (SELECT 1 FROM mail
            WHERE mail.game = game.id AND mail.round = game.round
            AND coalesce(mail.seat, 0) = seat.number AND mail.kind = 'reminder'
            AND mail.lead <= CASE lead.type WHEN 'integer' THEN CAST(lead.value AS BIGINT) END
            AND mail.deadline = game.deadline))
        ORDER BY deadline, id
    """
    return [game for (game,) in db.execute(sql, {"now": now, "short": SHORT}).fetchall()]


def next_quarter(db: Database, now: int) -> int | None:
    """When the next short round comes to its last quarter."""
    sql = """SELECT min(deadline - (deadline - round_at) / 4) FROM game WHERE status = 'running'
             AND deadline > :now AND deadline - round_at < :short
             AND deadline - (deadline - round_at) / 4 > :now"""
    at: int | None = db.execute(sql, {"now": now, "short": SHORT}).fetchone()[0]
    return at


def next_deadline(db: Database, after: int, now: int) -> int | None:
    """The first deadline of a running game after an instant."""
    sql = """SELECT deadline FROM game WHERE status = 'running' AND deadline > ?
             AND coalesce(retry_at, 0) <= ? ORDER BY deadline LIMIT 1"""
    row = db.execute(sql, [after, now]).fetchone()
    return row[0] if row else None


def next_retry(db: Database, now: int) -> int | None:
    """When the first game is tried again whose work has failed."""
    sql = "SELECT min(retry_at) FROM game WHERE status = 'running' AND retry_at > ?"
    at: int | None = db.execute(sql, [now]).fetchone()[0]
    return at


def games_to_close_early(db: Database, now: int, until: int, at_once: Sequence[str]) -> list[str]:
    """The games that are not due by themselves and may be closed early until an instant: those
    with orders of every awaited person whose delay and shortest length end by then, whatever
    else they wait for. Of the variants `at_once` no round has a shortest length.
    """
    sql = """
        SELECT id
        FROM game
        WHERE status = 'running' AND early_after IS NOT NULL
        AND (deadline IS NULL OR deadline > :now) AND coalesce(retry_at, 0) <= :now
        AND NOT EXISTS (SELECT 1 FROM seat
          WHERE seat.game = game.id AND seat.removed_at IS NULL AND seat.robot = 0
          AND (game.awaited IS NULL OR seat.name IN (SELECT value
            FROM json_each(CASE WHEN json_valid(game.awaited) THEN game.awaited ELSE '[]' END)))
          AND NOT EXISTS (SELECT 1 FROM revision
            WHERE revision.game = game.id AND revision.round = game.round
            AND revision.seat = seat.number AND revision.void_at IS NULL
            AND revision.at + game.early_after <= :until))
        AND (variant IN (SELECT value FROM json_each(:at_once))
          OR :until >= coalesce(round_at, 0) + 3600 * CASE WHEN json_valid(rule) THEN
            coalesce((SELECT CAST(value AS BIGINT) FROM json_each(rule)
              WHERE key = 'shortest' AND type = 'integer'), 0) ELSE 0 END)
        ORDER BY deadline NULLS FIRST, id
    """
    parameters = {"now": now, "until": until, "at_once": as_list(at_once)}
    return [game for (game,) in db.execute(sql, parameters).fetchall()]


def robot_without_list(db: Database, now: int, deadline_after: int) -> tuple[str, int] | None:
    """One seat of a robot (game, number) without orders for the open round, whose deadline is after
    `deadline_after`; None if there is none. A game that is tried again after `now` is left out.
    """
    sql = """
        SELECT seat.game, seat.number
        FROM game
        JOIN seat ON seat.game = game.id
        WHERE +seat.robot = 1
        AND (game.may_order IS NULL OR seat.name IN (SELECT value
          FROM json_each(CASE WHEN json_valid(game.may_order) THEN game.may_order ELSE '[]' END)))
        AND game.status = 'running' AND (game.deadline IS NULL OR game.deadline > ?)
        AND coalesce(game.retry_at, 0) <= ?
        AND NOT EXISTS (SELECT 1 FROM revision
          WHERE revision.game = game.id AND revision.round = game.round
          AND revision.seat = seat.number AND revision.void_at IS NULL)
        LIMIT 1
    """
    robot: tuple[str, int] | None = db.execute(sql, [deadline_after, now]).fetchone()
    return robot


def waiting_rounds(db: Database, now: int) -> list[tuple[str, int, int, str | None, int | None]]:
    """The due rounds that could not be closed: game, number, deadline, error (or None), when
    they are tried again.
    """
    sql = """SELECT id, round, deadline, error, retry_at FROM game WHERE status = 'running'
             AND deadline <= ? AND (error IS NOT NULL OR retry_at IS NOT NULL)
             ORDER BY deadline, id"""
    return db.execute(sql, [now]).fetchall()
