"""No statement of the store grows slower with the years: each is explained by SQLite, and none reads
a whole table but those that are named here.
"""

import ast
import importlib
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from gm import store
from gm.store.connections import connect
from gm.store.file.migrations import migrate
from gm.store.postgres import TEXT_OR_MARK
from gm.store.schema import SCHEMA
from tests import postgres

STORE = Path(store.__file__).parent
SMALL = {
    "gm": "game masters, some dozens",
    "session": "a game master's devices of a month",
    "attempt": "tries to sign in within an hour",
    "standby": "who would take over a seat, some dozens",
    "follower": "of games that run or ended within a month",
    "mail_bytes": "mails that wait",
    "sqlite_master": "the schema",
    "sqlite_sequence": "a row a table",
    "_sqlite_migrations": "the steps of the schema",
}
"""Tables that stay small."""
WAITING = {
    "mail_to_write",
    "mail_to_send",
    "mail_refused",
    "game_due",
    "game_held",
    "game_to_settle",
    "act_open",
    "note_restored",
}
"""Partial indexes of what waits, or is rare."""
WHOLE = {
    "accounts.end_my_games": "restore: every link is ended",
    "accounts.end_my_games_without_seat": "somebody gives up a seat: their links and addresses go",
    "file.doctor.refusals": "doctor",
    "games.unreadable": "a row is damaged",
    "games.leading": "restore",
    "games.links_given": "restore",
    "games.exist": "its first row",
    "games.forget_older": "some hundred practice games",
    "games.number_of_all": "some hundred practice games",
    "mails.all_not_sent": "a command",
    "meta.forget_clocks": "restore",
    "requests.expire_unconfirmed": "restore",
    "rounds.all_chains": "restore",
    "seats.players": "restore",
    "seats.dead_hashes": "restore",
}
"""What reads a whole table on purpose, and when."""
MADE = {
    "db.transfer": "every row, to copy or to restore",
    "db._insert": "by the columns of a row",
    "db._update": "by a key",
    "file.doctor.damaged_columns": "every row of a table, for doctor",
    "file.doctor._damage": "by the number of a row",
    "file.doctor._variant_of": "by the number of a row",
    "file.doctor._cell": "by the number of a row",
    "games._readable_rows": "all games",
    "games._readable": "all games",
    "games.forget_older": "by the games that are meant",
    "told.first_sent": "of one game",
    "mails._withdraw": "by what its callers name",
    "mails.part": "by what its callers name",
}
"""Statements that are put together from what a function is given."""


def statements() -> Iterator[tuple[str, str | None]]:
    """Every statement but those of a server's engine, with module and function; None for one that
    is put together as it runs.
    """
    for file in sorted(STORE.rglob("*.py")):
        if file.stem in ("postgres", "sqlite"):  # what each engine has of its own
            continue
        name = ".".join(file.relative_to(STORE).with_suffix("").parts)
        module = importlib.import_module(f"gm.store.{name}".removesuffix(".__init__"))
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                for text in texts(function, vars(module)):
                    if text is None or re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE)\b", text):
                        yield f"{name}.{function.name}", text


def texts(function: ast.FunctionDef, names: dict[str, object]) -> Iterator[str | None]:
    """Every text of a function; None for one with names that only it knows."""
    inside = {
        id(part)
        for node in ast.walk(function)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    local = dict(names)
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            local |= {of.id: node.value.value for of in node.targets if isinstance(of, ast.Name)}
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in inside
        ):
            yield node.value.replace("%s", "=")
        if isinstance(node, ast.JoinedStr):
            first = node.values[0]
            is_sql = isinstance(first, ast.Constant) and str(first.value).lstrip()[:6] in VERBS
            try:
                text = eval(compile(ast.Expression(node), "", "eval"), local)
            except NameError:
                text = None if is_sql else ""
            yield None if text is None else text.replace("%s", "=")


VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE")


def scans(database: sqlite3.Connection, sql: str) -> list[str]:
    """The steps of its plan that read a whole table or index."""
    numbered = [int(number) for number in re.findall(r"\?(\d+)", sql)]
    named = re.findall(r":(\w+)", re.sub(r"'[^']*'", "", sql))
    values = [None] * (max(numbered) if numbered else sql.count("?"))
    plan = database.execute(
        f"EXPLAIN QUERY PLAN {sql}", dict.fromkeys(named) if named else values
    ).fetchall()
    steps = [step for *_, step in plan if step.startswith("SCAN")]
    return [step for step in steps if not re.search(r"CONSTANT ROW|VIRTUAL TABLE|SCAN \(", step)]


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA.read_text(encoding="utf-8"))
    connection.execute("CREATE TABLE _sqlite_migrations (migration_set TEXT, name TEXT)")
    yield connection
    connection.close()


def test_no_statement_reads_a_table_that_grows(database: sqlite3.Connection) -> None:
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    found: dict[str, list[str]] = {}
    for place, sql in statements():
        if sql is None:
            assert place in MADE, f"{place} puts a statement together"
            continue
        aliases = {alias: of for of, alias in re.findall(r"\b(\w+) AS (\w+)", sql)}
        for step in scans(database, sql):
            told = re.match(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?", step)
            assert told is not None, step
            table = aliases.get(told[1], told[1])
            if table in tables and table not in SMALL and told[2] not in WAITING:
                found.setdefault(place, []).append(step)
    assert {place: steps for place, steps in found.items() if place not in WHOLE} == {}
    assert WHOLE.keys() <= found.keys()


@pytest.mark.skipif(postgres.programs() is None, reason="PostgreSQL 13 or later is not installed")
def test_postgresql_takes_every_statement() -> None:
    refused = {}
    with postgres.running() as server, closing(connect(server.create("store"))) as store_db:
        migrate(store_db)
        database = store_db.conn
        for number, (place, sql) in enumerate(statements()):
            if sql is None:
                continue
            try:
                database.execute(f"PREPARE s{number} AS {numbered(sql)}")
            except psycopg.Error as error:
                refused[place] = str(error)
    assert refused == {}


def numbered(sql: str) -> str:
    """The statement with $1, $2 … for its parameters."""
    names: list[str] = []

    def mark(found: re.Match[str]) -> str:
        number, name = found.groups()
        if number is None and name is None:
            return found[0]
        name = name or number or f"{len(names) + 1}"
        names.extend([] if name in names else [name])
        return f"${names.index(name) + 1}"

    return TEXT_OR_MARK.sub(mark, sql)


@pytest.mark.parametrize(
    "slow",
    [
        "SELECT count(*) FROM mail WHERE sent_at IS NULL AND failed_at IS NULL",
        "SELECT * FROM mail WHERE coalesce(game, '') = coalesce(?, game, '')",
        "SELECT seat.* FROM seat JOIN game ON game.id = seat.game"
        " WHERE lower(seat.address) = lower(?) AND seat.address = ?",
    ],
)
def test_statements_that_grew_slow_are_found(database: sqlite3.Connection, slow: str) -> None:
    assert scans(database, slow) != []
