"""Games, and who leads them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct

from gm.calendar import Rule
from gm.errors import Refusal
from gm.store.db import (
    DAMAGE,
    Database,
    as_list,
    column,
    count,
    insert,
    select,
    select_one,
    update_row,
)
from gm.store.schema import OF_GAMES
from rounds.engine.variant import Variant, find

Status = Literal["draft", "open", "running", "paused", "held", "finished"]
GOING: tuple[Status, ...] = ("running", "paused", "held")
"""A game that has begun and is not over."""
OPENED: tuple[Status, ...] = ("open", *GOING, "finished")
"""A game that is no draft any more."""
PUBLIC = "listed = 1 AND (aborted = 0 OR round > 0) AND (archived_at IS NULL OR aborted = 1)"
"""What `Game.is_public` asks, of a game that is no draft any more."""


class Game(Struct, frozen=True):
    """A game as stored; instants in UTC seconds.

    `round` is the open one (0 before the start), `round_at` when it began, `deadline` its
    deadline (None: closed by hand), `scheduled_deadline` the deadline it had at first.
    `early_after`: seconds after the last list when a round with all lists is closed early (None:
    never). `sequence` rises with every deadline, for calendars. `seats`: at most so many (None:
    any number); `listed`: 0 for a private game, which only its invitation link opens. `aborted`:
    it was ended before its last round, and is `finished`. `links_given`: the highest link number
    of a seat that was given up before the start. `hindsight`, `standing`, `verdict`: what could
    have been made of the rows, how its seats ended, and what `verify` says of the record, once it
    is over. `next_deadline`: what the round after the open one was promised. `after_early`: after
    an early closing the next round ends at the `same` deadline, which was not waited for, or at
    the `next`.
    `asks_again`: once it is over, its players are asked whether they play once more; `previous`:
    the game whose players said so, and with whom this one begins.
    `description`: the game master's words about the game. `awaited`, `may_order`: the seats
    whose lists the open round waits for, and whose it takes, as JSON (None: of all).
    """

    id: str
    variant: str
    name: str
    gm_name: str
    gm_address: str
    gm_language: str
    house_rules: str
    rule: str
    early_after: int | None
    silence_guard: int
    status: Status
    commitment: str | None
    setup: str | None
    round: int
    round_at: int | None
    scheduled_deadline: int | None
    deadline: int | None
    sequence: int
    paused_at: int | None
    created_at: int
    failures: int
    retry_at: int | None
    error: str | None
    seats: int | None
    listed: int
    aborted: int
    archived_at: int | None
    links_given: int
    hindsight: str | None
    standing: str | None
    verdict: str | None
    next_deadline: int | None
    after_early: str
    description: str
    awaited: str | None
    may_order: str | None
    asks_again: int
    previous: str | None

    @property
    def is_going(self) -> bool:
        """True if it has begun and is not over."""
        return self.status in GOING

    @property
    def engine(self) -> Variant:
        """The variant that is played."""
        return find(self.variant)

    @property
    def rules(self) -> Any:
        """The house rules, as the variant reads them."""
        return msgspec.json.decode(self.house_rules, type=self.engine.house_rules)

    @property
    def schedule(self) -> Rule:
        """The rule behind the deadlines."""
        return msgspec.json.decode(self.rule, type=Rule)

    @property
    def awaited_names(self) -> tuple[str, ...]:
        """The seats that the open round waits for; empty if it is all of them."""
        return tuple(msgspec.json.decode(self.awaited, type=list[str])) if self.awaited else ()

    def awaits(self, seat: str) -> bool:
        """True if the open round waits for the orders of this seat."""
        return _is_in(self.awaited, seat)

    def takes(self, seat: str) -> bool:
        """True if the open round takes orders of this seat."""
        return _is_in(self.may_order, seat)

    @property
    def is_public(self) -> bool:
        """True if it stands in lists for everybody. Aborted games stay listed, archived or not;
        games that were called off before they began do not.
        """
        if not self.listed or self.status == "draft" or self.is_called_off:
            return False
        return self.archived_at is None or bool(self.aborted)

    @property
    def is_called_off(self) -> bool:
        """True if it was ended before it began."""
        return bool(self.aborted) and not self.round

    @property
    def waits_for_answers(self) -> bool:
        """True if the players of the game before decide whether it begins."""
        return self.status == "draft" and self.previous is not None and self.archived_at is None

    @property
    def closes_at_once(self) -> bool:
        """True if the open round is closed as soon as the last orders come."""
        return self.engine.closes_at_once and self.early_after == 0

    @property
    def is_open(self) -> bool:
        """True if orders are taken."""
        return self.status == "running"


def _playable(game: Game) -> Game:
    """The game, if this machine knows its variant and time zone; else raises
    msgspec.ValidationError, because another machine may have written the row.
    """
    try:
        find(game.variant)
        _ = ZoneInfo(zone) if isinstance(zone := _zone(game.rule), str) else None
    except (OSError, LookupError, ValueError) as error:
        raise msgspec.ValidationError(f"{error} is not known on this machine") from None
    return game


@lru_cache(500)
def _zone(rule: str) -> Any:
    """The zone in a calendar, even if the rest of it can't be read."""
    try:
        return msgspec.json.decode(rule, type=dict[str, Any]).get("zone")
    except msgspec.MsgspecError:
        return None


@lru_cache(500)
def _names(seats: str) -> frozenset[str]:
    return frozenset(msgspec.json.decode(seats, type=list[str]))


def _is_in(seats: str | None, name: str) -> bool:
    return seats is None or name in _names(seats)


def all_games(db: Database) -> list[Game]:
    """All games, running ones first, by deadline and name. Damaged ones are left out: see
    `unreadable`.
    """
    return _readable(db, "ORDER BY status <> 'running', deadline NULLS FIRST, name, id")


def with_ids(db: Database, ids: Sequence[str]) -> dict[str, Game]:
    """These games by their ids. Damaged ones are left out."""
    which = "WHERE id IN (SELECT value FROM json_each(?))"
    return {game.id: game for game in _readable(db, which, as_list(ids))}


def public(
    db: Database, statuses: Sequence[Status], most: int, after: str | None = None
) -> list[Game]:
    """The public games of these statuses (see `Game.is_public`), at most so many, newest first;
    `after`: only those made before this game; all if it is public no more.
    """
    try:
        found = _public(db, statuses, most, after, ())
    except DAMAGE:
        found = _public(db, statuses, most, after, tuple(unreadable(db)))
    return sorted(found, key=lambda game: (game.created_at, game.id), reverse=True)[:most]


def _public(
    db: Database, statuses: Sequence[Status], most: int, after: str | None, but: Sequence[str]
) -> list[Game]:
    but_these = "AND id NOT IN (SELECT value FROM json_each(?))"
    which = f"WHERE status = ? AND {PUBLIC} {but_these}"
    values: list[object] = [as_list(but)]
    if after is not None:
        # a private game tells nothing of itself
        that = f"WHERE id = ? AND status <> 'draft' AND {PUBLIC}"
        which += f""" AND (NOT EXISTS (SELECT 1 FROM game {that})
                 OR (created_at, id) < (SELECT created_at, id FROM game {that}))"""  # noqa: S608
        values += [after, after]
    which += " ORDER BY created_at DESC, id DESC LIMIT ?"
    return [
        game for status in statuses for game in _readable_rows(db, which, status, *values, most)
    ]


def get(db: Database, game_id: str) -> Game | None:
    """The game with this id; None if there is none."""
    row = select_one(db, Game, "SELECT * FROM game WHERE id = ?", game_id)
    return None if row is None else _playable(row)


def add(db: Database, row: Mapping[str, Any]) -> None:
    """Add a game."""
    insert(db, "game", [row])


def update(db: Database, game_id: str, changed: Mapping[str, Any]) -> None:
    """Change these columns of a game."""
    update_row(db, "game", {"id": game_id}, changed)


def led_by(db: Database, address: str) -> list[Game]:
    """The games that this game master leads, running ones first, by deadline and name."""
    where = (
        "WHERE id IN (SELECT game FROM game_gm WHERE address = lower(?)) ORDER BY status <> "
        "'running', deadline NULLS FIRST, name, id"
    )
    return _readable(db, where, address)


def listed_since(db: Database, at: int) -> list[str]:
    """The ids of the listed games in which a round was closed at an instant or later, by name."""
    sql = """SELECT id FROM game WHERE listed = 1 AND id IN (SELECT game FROM round
             WHERE closed_at >= ? AND number > 0) ORDER BY lower(name), id"""
    return [game_id for (game_id,) in db.execute(sql, [at])]


def played_out(db: Database) -> list[Game]:
    """The listed games that were played to their end."""
    return _readable(db, "WHERE status = 'finished' AND listed = 1 AND aborted = 0 ORDER BY id")


def count_played_out(db: Database) -> int:
    """How many listed games were played to their end."""
    sql = "SELECT count(*) FROM game WHERE status = 'finished' AND listed = 1 AND aborted = 0"
    return count(db, sql)


def finished(db: Database) -> set[str]:
    """The ids of the games that are over."""
    return {game_id for (game_id,) in db.execute("SELECT id FROM game WHERE status = 'finished'")}


def unreadable(db: Database) -> dict[str, str]:
    """The games whose row cannot be read, each with the reason."""
    try:
        _readable_rows(db, "")
    except DAMAGE:
        rows = db.execute("SELECT id FROM game ORDER BY id").fetchall()
        return unreadable_of(db, [number for (number,) in rows])
    return {}


def unreadable_of(db: Database, ids: Sequence[str]) -> dict[str, str]:
    """Those of these games whose row cannot be read, each with the reason."""
    damaged = {}
    for number in ids:
        try:
            get(db, number)
        except DAMAGE as error:
            damaged[number] = str(error)
    return damaged


def next_to_settle(db: Database, game_id: str | None = None) -> str | None:
    """A game that began, is over and has no verdict yet; or this one, if it is like that."""
    sql = """SELECT id FROM game WHERE status = 'finished' AND verdict IS NULL AND round > 0
             AND (? = '' OR id = ?) ORDER BY id LIMIT 1"""
    row = db.execute(sql, [game_id or "", game_id or ""]).fetchone()
    return row[0] if row else None


def next_of(db: Database, game_id: str) -> Game | None:
    """The game that goes on from this one."""
    return select_one(db, Game, "SELECT * FROM game WHERE previous = ?", game_id)


def previous_of_waiting(db: Database) -> list[Game]:
    """The finished games whose players decide whether the game that goes on from theirs begins."""
    of_waiting = """IN (SELECT previous FROM game WHERE status = 'draft' AND previous IS NOT NULL
                    AND archived_at IS NULL)"""
    return _readable(db, f"WHERE id {of_waiting}")


class WorkState(NamedTuple):
    """What changes whenever something happens to a game, read without the rest of its row."""

    status: str
    round: int
    deadline: int | None
    sequence: int
    failures: int
    retry_at: int | None


def work_state(db: Database, game_id: str) -> WorkState | None:
    """The work state of a game; None if there is none."""
    sql = "SELECT status, round, deadline, sequence, failures, retry_at FROM game WHERE id = ?"
    row = db.execute(sql, [game_id]).fetchone()
    return WorkState(*row) if row else None


def masters(db: Database, game_id: str) -> list[str]:
    """The addresses of a game's game masters."""
    return column(db, "SELECT address FROM game_gm WHERE game = ? ORDER BY address", game_id)


def gm_language(db: Database, game_id: str) -> str:
    """The game master's language, else `de`. Reads this column only: the row may be damaged."""
    sql = "SELECT CASE gm_language WHEN 'en' THEN 'en' ELSE 'de' END FROM game WHERE id = ?"
    language: str = db.execute(sql, [game_id]).fetchone()[0]
    return language


def add_master(db: Database, game_id: str, address: str) -> None:
    """Add a game master to a game."""
    insert(db, "game_gm", [{"game": game_id, "address": address}])


def ids_led_by(db: Database, address: str) -> list[str]:
    """The ids of the games that this game master leads, readable or not."""
    sql = "SELECT id FROM game JOIN game_gm ON game = id WHERE address = ? ORDER BY id"
    return column(db, sql, address)


def newest_id_led_by(db: Database, address: str) -> str | None:
    """The id of the newest game that this game master leads."""
    sql = """SELECT game FROM game_gm JOIN game ON game.id = game WHERE address = ?
             ORDER BY created_at DESC, game LIMIT 1"""
    row = db.execute(sql, [address]).fetchone()
    return row[0] if row else None


def leading(db: Database) -> dict[str, list[str]]:
    """The ids of the games that each address leads, by address; also addresses that may sign in
    and lead none.
    """
    games: dict[str, list[str]] = {}
    for address, game_id in db.execute(
        "SELECT address, NULL FROM gm UNION SELECT address, game FROM game_gm ORDER BY 1, 2"
    ):
        games.setdefault(address, []).extend([game_id] if game_id else [])
    return games


def links_given(db: Database) -> dict[str, int]:
    """The highest link number that was ever given in each game."""
    sql = """SELECT id, (SELECT max(number) FROM (SELECT game.links_given AS number UNION ALL
             SELECT link_number FROM seat WHERE seat.game = game.id) AS given) FROM game"""
    return dict(db.execute(sql).fetchall())


def remove_master(db: Database, game_id: str, address: str) -> None:
    """Remove a game master from a game."""
    db.execute("DELETE FROM game_gm WHERE game = ? AND address = ?", [game_id, address])


def answers_to_other_master(
    db: Database, game_id: str, address: str, other: str, name: str | None
) -> None:
    """Let players' answers go to another address, of this name if it is known, in a game that is
    not over and has the old one.
    """
    sql = """UPDATE game SET gm_address = ?, gm_name = coalesce(?, gm_name) WHERE id = ?
             AND lower(gm_address) = ? AND status <> 'finished'"""
    db.execute(sql, [other, name, game_id, address])


def raise_links_given(db: Database, game_id: str, number: int) -> None:
    """Remember that links up to this number were given in a game."""
    sql = "UPDATE game SET links_given = ?1 WHERE id = ?2 AND links_given < ?1"
    db.execute(sql, [number, game_id])


def round_number(db: Database, game_id: str) -> int:
    """The open round of a game. Reads this column only: the row may be damaged."""
    number: int = db.execute("SELECT round FROM game WHERE id = ?", [game_id]).fetchone()[0]
    return number


def overdue_rounds(db: Database, before: int) -> list[tuple[str, int, int]]:
    """The open rounds that should have been closed before an instant: game, number and deadline."""
    return db.execute(
        """SELECT id, round, deadline FROM game WHERE status = 'running' AND deadline < ?
        ORDER BY deadline, id""",
        [before],
    ).fetchall()


def running(db: Database) -> tuple[str, ...]:
    """The ids of the games that run, readable or not."""
    return tuple(
        game_id
        for (game_id,) in db.execute("SELECT id FROM game WHERE status = 'running' ORDER BY id")
    )


def pause_running(db: Database, at: int) -> None:
    """Pause the games that run as they stood at an instant."""
    db.execute("UPDATE game SET status = 'paused', paused_at = ? WHERE status = 'running'", [at])


def _readable_rows(db: Database, which: str, *values: object) -> list[Game]:
    # of our own
    return [_playable(game) for game in select(db, Game, f"SELECT * FROM game {which}", *values)]  # noqa: S608


def _readable(db: Database, which: str, *values: object) -> list[Game]:
    try:
        return _readable_rows(db, which, *values)
    except DAMAGE:
        damaged = unreadable(db)
        ids = [
            number
            for (number,) in db.execute(f"SELECT id FROM game {which}", list(values))  # noqa: S608
            if number not in damaged
        ]
        return [game for number in ids if (game := get(db, number))]


def forget_older(db: Database, than: int) -> None:
    """Delete all that is stored of games that were made before an instant. Inside `write`."""
    old = "(SELECT id FROM game WHERE created_at < ?)"
    for table in reversed(OF_GAMES):
        db.execute(f"DELETE FROM {table} WHERE game IN {old}", [than])  # noqa: S608  # our own names
    db.execute("DELETE FROM game WHERE created_at < ?", [than])


def number_of_all(db: Database) -> int:
    """How many games there are, readable or not."""
    return count(db, "SELECT count(*) FROM game")


def exist(db: Database) -> bool:
    """True if there is any game, readable or not."""
    return db.execute("SELECT 1 FROM game LIMIT 1").fetchone() is not None


def existing(db: Database, game_id: str) -> Game:
    """The game with this id. Raises Refusal naming the others if there is none."""
    if game := get(db, game_id):
        return game
    raise Refusal("no_game", game=game_id, others=[other.id for other in all_games(db)[:8]])


def in_status(db: Database, game_id: str, status: str) -> Game:
    """The game, if it stands at this status. Raises Refusal if not, or if there is none of this
    id.
    """
    game = existing(db, game_id)
    if game.status != status:
        raise Refusal(f"not_{status}", game=game_id, status=game.status)
    return game
