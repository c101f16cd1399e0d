"""The schema, step by step. A step that was released is never changed; a new one is added at the end."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import suppress

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from gm.store.db import write


def m0001_start(db: Database) -> None:
    """Games, seats, order revisions, rounds, press, notes, mail."""
    for statement in (
        """CREATE TABLE meta (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT""",
        """CREATE TABLE game (
            id TEXT PRIMARY KEY,
            variant TEXT NOT NULL,
            name TEXT NOT NULL,
            gm_name TEXT NOT NULL,
            gm_address TEXT NOT NULL,
            gm_language TEXT NOT NULL CHECK (gm_language IN ('de', 'en')),
            house_rules TEXT NOT NULL CHECK (json_valid(house_rules)),
            rule TEXT NOT NULL CHECK (json_valid(rule)),
            early_after INTEGER CHECK (early_after >= 0),
            silence_guard INTEGER NOT NULL CHECK (silence_guard IN (0, 1)),
            status TEXT NOT NULL CHECK (status IN ('draft', 'open', 'running', 'paused', 'held', 'finished')),
            commitment TEXT,
            setup TEXT CHECK (setup IS NULL OR json_valid(setup)),
            round INTEGER NOT NULL DEFAULT 0,
            round_at INTEGER,
            regular INTEGER,
            deadline INTEGER,
            sequence INTEGER NOT NULL DEFAULT 0,
            paused_at INTEGER,
            created_at INTEGER NOT NULL,
            failures INTEGER NOT NULL DEFAULT 0,
            retry_at INTEGER,
            error TEXT,
            CHECK ((status = 'paused') = (paused_at IS NOT NULL)),
            CHECK (deadline IS NULL OR status IN ('running', 'paused', 'held'))
        ) STRICT""",
        "CREATE INDEX game_due ON game (deadline) WHERE status = 'running'",
        """CREATE TABLE secret (
            game TEXT PRIMARY KEY REFERENCES game (id),
            secret BLOB NOT NULL CHECK (length(secret) = 32)
        ) STRICT""",
        """CREATE TABLE seat (
            game TEXT NOT NULL REFERENCES game (id),
            number INTEGER NOT NULL,
            name TEXT NOT NULL,
            address TEXT,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            robot INTEGER NOT NULL CHECK (robot IN (0, 1)),
            link_number INTEGER NOT NULL DEFAULT 1,
            link_hash TEXT NOT NULL UNIQUE,
            calendar_hash TEXT NOT NULL UNIQUE,
            unsubscribe_hash TEXT NOT NULL UNIQUE,
            html INTEGER NOT NULL DEFAULT 1 CHECK (html IN (0, 1)),
            receipts INTEGER NOT NULL DEFAULT 1 CHECK (receipts IN (0, 1)),
            leads TEXT NOT NULL DEFAULT '[172800,21600]' CHECK (json_valid(leads)),
            PRIMARY KEY (game, number),
            UNIQUE (game, name),
            CHECK (robot = 1 OR address IS NOT NULL)
        ) STRICT""",
        """CREATE TABLE revision (
            game TEXT NOT NULL,
            round INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number > 0),
            orders TEXT NOT NULL CHECK (orders <> ''),
            at INTEGER NOT NULL,
            PRIMARY KEY (game, round, seat, number),
            FOREIGN KEY (game, seat) REFERENCES seat (game, number)
        ) STRICT""",
        """CREATE TABLE press (
            game TEXT NOT NULL,
            round INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            text TEXT NOT NULL,
            to_gm TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (game, round, seat),
            FOREIGN KEY (game, seat) REFERENCES seat (game, number)
        ) STRICT""",
        """CREATE TABLE note (
            id INTEGER PRIMARY KEY,
            game TEXT NOT NULL REFERENCES game (id),
            round INTEGER NOT NULL,
            kind TEXT NOT NULL,
            at INTEGER NOT NULL,
            text TEXT NOT NULL,
            seat TEXT,
            old INTEGER,
            new INTEGER
        ) STRICT""",
        "CREATE INDEX note_of_round ON note (game, round)",
        """CREATE TABLE round (
            game TEXT NOT NULL REFERENCES game (id),
            number INTEGER NOT NULL,
            deadline INTEGER,
            closed_at INTEGER NOT NULL,
            orders TEXT NOT NULL CHECK (json_valid(orders)),
            events TEXT NOT NULL CHECK (json_valid(events)),
            state TEXT NOT NULL CHECK (json_valid(state)),
            PRIMARY KEY (game, number)
        ) STRICT""",
        """CREATE TABLE mail (
            id INTEGER PRIMARY KEY,
            game TEXT NOT NULL REFERENCES game (id),
            round INTEGER NOT NULL,
            seat INTEGER,
            kind TEXT NOT NULL,
            about INTEGER NOT NULL DEFAULT 0,
            deadline INTEGER NOT NULL DEFAULT 0,
            address TEXT NOT NULL,
            language TEXT NOT NULL,
            link_number INTEGER NOT NULL,
            message_id TEXT NOT NULL UNIQUE,
            queued_at INTEGER NOT NULL,
            written_at INTEGER,
            bytes BLOB,
            digest TEXT,
            tries INTEGER NOT NULL DEFAULT 0,
            first_try INTEGER,
            next_try INTEGER NOT NULL,
            sent_at INTEGER,
            failed_at INTEGER,
            withdrawn_at INTEGER,
            error TEXT,
            FOREIGN KEY (game, seat) REFERENCES seat (game, number)
        ) STRICT""",
        "CREATE UNIQUE INDEX mail_once ON mail (game, round, coalesce(seat, 0), kind, about, deadline)",
        "CREATE INDEX mail_to_write ON mail (id) WHERE written_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL",
        """CREATE INDEX mail_to_send ON mail (next_try)
            WHERE written_at IS NOT NULL AND sent_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL""",
        """CREATE TABLE beat (
            at INTEGER PRIMARY KEY
        ) STRICT""",
    ):
        db.execute(statement)


def m0002_joining(db: Database) -> None:
    """Seats that players take by themselves, and a salt for every list, so that its digest says nothing of it.

    Lists stored before have no salt: the games they belong to print no digest that could be guessed from.
    """
    for statement in (
        "ALTER TABLE game ADD COLUMN seats INTEGER CHECK (seats > 0)",
        "ALTER TABLE game ADD COLUMN listed INTEGER NOT NULL DEFAULT 1 CHECK (listed IN (0, 1))",
        "ALTER TABLE revision ADD COLUMN salt BLOB CHECK (length(salt) = 16)",
        """CREATE TABLE joining (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL REFERENCES game (id),
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            at INTEGER NOT NULL,
            confirmed_at INTEGER
        ) STRICT""",
        "CREATE INDEX seat_of_address ON seat (lower(address))",
    ):
        db.execute(statement)


def m0003_desk(db: Database) -> None:
    """Game masters who sign in; seats that change hands; rounds that are taken back and played again."""
    for statement in (
        "ALTER TABLE game ADD COLUMN aborted INTEGER NOT NULL DEFAULT 0 CHECK (aborted IN (0, 1))",
        "ALTER TABLE game ADD COLUMN archived_at INTEGER",
        "ALTER TABLE game ADD COLUMN reviewed TEXT",
        "ALTER TABLE game ADD COLUMN reviewed_at INTEGER",
        "ALTER TABLE note ADD COLUMN who TEXT",
        "ALTER TABLE revision ADD COLUMN by_gm INTEGER NOT NULL DEFAULT 0 CHECK (by_gm IN (0, 1))",
        "ALTER TABLE revision ADD COLUMN void_at INTEGER",
        "ALTER TABLE round ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0)",
        """CREATE TABLE withdrawn (
            game TEXT NOT NULL REFERENCES game (id),
            number INTEGER NOT NULL,
            version INTEGER NOT NULL,
            deadline INTEGER,
            closed_at INTEGER NOT NULL,
            orders TEXT NOT NULL CHECK (json_valid(orders)),
            events TEXT NOT NULL CHECK (json_valid(events)),
            state TEXT NOT NULL CHECK (json_valid(state)),
            PRIMARY KEY (game, number, version)
        ) STRICT""",
        """CREATE TABLE gm (
            address TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            password TEXT,
            link_number INTEGER NOT NULL DEFAULT 1,
            link_at INTEGER NOT NULL
        ) STRICT""",
        """CREATE TABLE game_gm (
            game TEXT NOT NULL REFERENCES game (id),
            address TEXT NOT NULL,
            PRIMARY KEY (game, address)
        ) STRICT""",
        "INSERT INTO game_gm (game, address) SELECT id, lower(gm_address) FROM game",
        """CREATE TABLE session (
            hash TEXT PRIMARY KEY,
            address TEXT NOT NULL REFERENCES gm (address),
            at INTEGER NOT NULL
        ) STRICT""",
        "CREATE TABLE attempt (key TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
        "CREATE INDEX attempt_of_key ON attempt (key, at)",
        """CREATE TABLE standby (
            address TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            at INTEGER NOT NULL
        ) STRICT""",
        """CREATE TABLE new_seat (
            game TEXT NOT NULL REFERENCES game (id),
            number INTEGER NOT NULL,
            name TEXT NOT NULL,
            player TEXT,
            address TEXT,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            robot INTEGER NOT NULL CHECK (robot IN (0, 1)),
            link_number INTEGER NOT NULL DEFAULT 1,
            link_hash TEXT NOT NULL UNIQUE,
            calendar_hash TEXT NOT NULL UNIQUE,
            unsubscribe_hash TEXT NOT NULL UNIQUE,
            html INTEGER NOT NULL DEFAULT 1 CHECK (html IN (0, 1)),
            receipts INTEGER NOT NULL DEFAULT 1 CHECK (receipts IN (0, 1)),
            leads TEXT NOT NULL DEFAULT '[172800,21600]' CHECK (json_valid(leads)),
            asked_at INTEGER,
            ready_at INTEGER,
            away_from TEXT,
            away_to TEXT,
            removed_at INTEGER,
            PRIMARY KEY (game, number),
            UNIQUE (game, name),
            CHECK (robot = 1 OR address IS NOT NULL OR removed_at IS NOT NULL)
        ) STRICT""",
        """INSERT INTO new_seat (game, number, name, address, language, robot, link_number, link_hash, calendar_hash,
            unsubscribe_hash, html, receipts, leads) SELECT game, number, name, address, language, robot, link_number,
            link_hash, calendar_hash, unsubscribe_hash, html, receipts, leads FROM seat""",
        "DROP TABLE seat",
        "ALTER TABLE new_seat RENAME TO seat",
        "CREATE INDEX seat_of_address ON seat (lower(address))",
    ):
        db.execute(statement)


def m0004_proof(db: Database) -> None:
    """Phrases of players, the chain over all rounds, and what keeps the links and words of those who left from others.

    Games from before have neither phrases nor chain, and are at level 1.
    """
    for statement in (
        "ALTER TABLE game ADD COLUMN level INTEGER NOT NULL DEFAULT 1 CHECK (level IN (1, 2))",
        "ALTER TABLE game ADD COLUMN links_given INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE game ADD COLUMN verdict TEXT",
        "ALTER TABLE game ADD COLUMN hindsight TEXT CHECK (hindsight IS NULL OR json_valid(hindsight))",
        "ALTER TABLE seat ADD COLUMN taken_at INTEGER",
        "ALTER TABLE seat ADD COLUMN phrase TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE joining ADD COLUMN phrase TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE round ADD COLUMN receipts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(receipts))",
        "ALTER TABLE round ADD COLUMN chain TEXT",
        "ALTER TABLE withdrawn ADD COLUMN receipts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(receipts))",
        "ALTER TABLE withdrawn ADD COLUMN chain TEXT",
    ):
        db.execute(statement)


def m0005_short_events(db: Database) -> None:
    """Events as lists, `["absent","Anna"]`, where they were objects that named every value: a round takes less room.

    A row that cannot be read stays as it is: its game is held when its turn comes.
    """
    for table in ("round", "withdrawn"):
        for (row,) in db.conn.execute(f"SELECT rowid FROM {table}").fetchall():  # noqa: S608  # names of our own
            (events,) = db.conn.execute(f"SELECT CAST(events AS BLOB) FROM {table} WHERE rowid = ?", [row]).fetchone()  # noqa: S608
            try:
                short = [list(event.values()) for event in json.loads(events)]
            except (ValueError, AttributeError, TypeError):
                continue
            written = json.dumps(short, ensure_ascii=False, separators=(",", ":"))
            with suppress(sqlite3.IntegrityError):  # another value of the row is damaged
                db.execute(f"UPDATE {table} SET events = ? WHERE rowid = ?", [written, row])  # noqa: S608  # names of our own


def m0006_given_up(db: Database) -> None:
    """Who was told that their seat was given up before the start, and may stay on the standby list."""
    db.execute(
        """CREATE TABLE given_up (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL REFERENCES game (id),
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            at INTEGER NOT NULL
        ) STRICT"""
    )


def m0007_time(db: Database) -> None:
    """What the round after the open one was promised; which deadline follows an early closing; words about a game; what a
    change changed.

    Games from before keep what they were told: after an early closing the deadline after the one that was not waited for.
    """
    for statement in (
        "ALTER TABLE game ADD COLUMN next_deadline INTEGER",
        "ALTER TABLE game ADD COLUMN after_early TEXT NOT NULL DEFAULT 'next' CHECK (after_early IN ('same', 'next'))",
        "ALTER TABLE game ADD COLUMN description TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE note ADD COLUMN changed TEXT CHECK (changed IS NULL OR json_valid(changed))",
    ):
        db.execute(statement)


def m0008_sources(db: Database) -> None:
    """How each list came in and by which link, so that whoever comes by another link does not read it.

    Of older lists it is only known whether the game master typed them in. Those of who plays now stay readable by the present
    link. A request may be for mails of a seat to come to another address.
    """
    for statement in (
        "ALTER TABLE revision ADD COLUMN source TEXT",  # with a check in it, any damaged row would stop the upgrade
        "ALTER TABLE revision ADD COLUMN link_number INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE press ADD COLUMN link_number INTEGER NOT NULL DEFAULT 0",
        "UPDATE OR IGNORE revision SET source = 'gm' WHERE by_gm = 1",
        *(
            f"""UPDATE OR IGNORE {table} SET link_number = coalesce((SELECT seat.link_number FROM seat WHERE
                seat.game = {table}.game AND seat.number = {table}.seat AND {table}.at >= coalesce(seat.taken_at, 0)), 0)"""  # noqa: S608  # names of our own
            for table in ("revision", "press")
        ),
        "ALTER TABLE revision DROP COLUMN by_gm",
        "ALTER TABLE joining ADD COLUMN seat INTEGER",
        "ALTER TABLE joining ADD COLUMN link_number INTEGER",
    ):
        db.execute(statement)


def m0009_inbox(db: Database) -> None:
    """Players' words to their game masters that nobody has read yet, and the mails that each master has chosen.

    Words of before were shown on a page that says nothing of them being read; they count as read.
    """
    for statement in (
        "ALTER TABLE press ADD COLUMN read_at INTEGER",
        "UPDATE OR IGNORE press SET read_at = at",
        "ALTER TABLE gm ADD COLUMN mails TEXT NOT NULL DEFAULT '[]'",
    ):
        db.execute(statement)


def m0010_hosts(db: Database) -> None:
    """Who may let game masters go at the desk; whose each address on the standby list is: older ones are for all to see."""
    for statement in (
        "ALTER TABLE gm ADD COLUMN host INTEGER NOT NULL DEFAULT 0",
        """CREATE TABLE new_standby (
            gm TEXT NOT NULL DEFAULT '',
            address TEXT NOT NULL,
            name TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            at INTEGER NOT NULL,
            PRIMARY KEY (gm, address)
        ) STRICT""",
        "INSERT OR IGNORE INTO new_standby (address, name, language, at) SELECT address, name, language, at FROM standby",
        "DROP TABLE standby",
        "ALTER TABLE new_standby RENAME TO standby",
    ):
        db.execute(statement)


def m0011_phrases(db: Database) -> None:
    """Phrases come from the players themselves: those that a game master typed in, or for a robot, go before the start."""
    db.execute(
        """UPDATE seat SET phrase = '' WHERE game IN (SELECT id FROM game WHERE status IN ('draft', 'open'))
           AND NOT EXISTS (SELECT 1 FROM joining WHERE joining.game = seat.game AND joining.confirmed_at IS NOT NULL
           AND lower(joining.address) = lower(seat.address))"""
    )


def m0012_dead_links(db: Database) -> None:
    """What became of personal links that open nothing any more. Of those that died before nobody knows."""
    db.execute(
        """CREATE TABLE dead_link (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            hash TEXT NOT NULL UNIQUE,
            game TEXT NOT NULL REFERENCES game (id),
            seat TEXT NOT NULL,
            who TEXT NOT NULL,
            why TEXT NOT NULL,
            at INTEGER NOT NULL,
            text TEXT NOT NULL
        ) STRICT"""
    )


def m0013_news(db: Database) -> None:
    """Players may do without mails about what happens between two reports."""
    db.execute("ALTER TABLE seat ADD COLUMN news INTEGER NOT NULL DEFAULT 1 CHECK (news IN (0, 1))")


def m0014_refused_bytes(db: Database) -> None:
    """Refused mails keep no bytes, for a personal link is in them; sent again, they are written anew."""
    db.execute("UPDATE mail SET bytes = NULL WHERE failed_at IS NOT NULL")


def m0015_names(db: Database) -> None:
    """Columns are called what the code calls them."""
    for table, old, new in (
        ("mail", "about", "ref"),
        ("game", "regular", "scheduled_deadline"),
        ("seat", "leads", "reminder_leads"),
        ("seat", "taken_at", "player_since"),
    ):
        db.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")


def m0016_awaited(db: Database) -> None:
    """Of whom lists are awaited, and of whom taken, as a list of seats; null: of all. Until now it was all in every game."""
    for table, columns in (("game", ("awaited", "may_order")), ("round", ("awaited",)), ("withdrawn", ("awaited",))):
        for column in columns:
            db.execute(f"ALTER TABLE {table} ADD COLUMN {column} TEXT")


def m0017_my_games(db: Database) -> None:
    """The link to all seats of an address, one for each, of which the newest mail alone is good."""
    for statement in (
        """CREATE TABLE my_games (
            address TEXT PRIMARY KEY,
            hash TEXT NOT NULL UNIQUE,
            at INTEGER NOT NULL
        ) STRICT""",
        "CREATE INDEX mail_of_my_games ON mail (lower(address)) WHERE kind = 'my_games'",
    ):
        db.execute(statement)


def m0018_own_notes(db: Database) -> None:
    """What players write for themselves beside a game."""
    db.execute(
        """CREATE TABLE own_notes (
            game TEXT NOT NULL,
            seat INTEGER NOT NULL,
            text TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (game, seat),
            FOREIGN KEY (game, seat) REFERENCES seat (game, number)
        ) STRICT"""
    )


def m0019_followers(db: Database) -> None:
    """Who reads a game's reports without a seat, and who is told when a game opens (those have no game)."""
    for statement in (
        """CREATE TABLE follower (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT REFERENCES game (id),
            address TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            at INTEGER NOT NULL,
            confirmed_at INTEGER
        ) STRICT""",
        "CREATE UNIQUE INDEX follower_once ON follower (coalesce(game, ''), lower(address))",
        "CREATE INDEX mail_of_follower ON mail (ref) WHERE kind IN ('follow', 'follow_report', 'opened')",
    ):
        db.execute(statement)


def m0020_strengths(db: Database) -> None:
    """How strong a robot plays, where that was chosen."""
    db.execute("ALTER TABLE seat ADD COLUMN strength TEXT NOT NULL DEFAULT ''")


def m0021_mailboxes(db: Database) -> None:
    """The few mails that ask a follower to confirm and are counted still are found without the many others."""
    db.execute("CREATE INDEX mail_of_mailbox ON mail (queued_at) WHERE kind = 'follow' AND link_number <> 0")


STEPS = (
    m0001_start,
    m0002_joining,
    m0003_desk,
    m0004_proof,
    m0005_short_events,
    m0006_given_up,
    m0007_time,
    m0008_sources,
    m0009_inbox,
    m0010_hosts,
    m0011_phrases,
    m0012_dead_links,
    m0013_news,
    m0014_refused_bytes,
    m0015_names,
    m0016_awaited,
    m0017_my_games,
    m0018_own_notes,
    m0019_followers,
    m0020_strengths,
    m0021_mailboxes,
)
KNOWN = frozenset(step.__name__ for step in STEPS)
schema = Migrations("bohnenpost")
for step in STEPS:
    schema()(step)


class NewerSchema(Exception):
    """The database was written by a newer program."""


def refuse_newer(db: Database) -> None:
    """Raises NewerSchema if a step was applied that this program does not know."""
    if newer := _applied(db) - KNOWN:
        raise NewerSchema(f"the database is newer than this program: it knows {', '.join(sorted(newer))}")


def migrate(db: Database, before: Callable[[], None] | None = None) -> None:
    """Bring the schema up to date; one process does it, others wait and find nothing to do. Raises NewerSchema.

    All steps are one transaction: a crash at any statement leaves the old schema. `before` is called inside it, once, unless
    the schema is current or the database is new.
    """
    refuse_newer(db)
    db.conn.execute("PRAGMA foreign_keys=OFF")  # ignored once a transaction is open, so before it
    try:
        with write(db):
            if before and _applied(db) and not is_current(db):
                before()
            schema.apply(db)
            if rows := db.conn.execute("PRAGMA foreign_key_check").fetchall():
                raise RuntimeError(f"a migration left dangling rows: {rows}")
    finally:
        db.conn.execute("PRAGMA foreign_keys=ON")


def is_current(db: Database) -> bool:
    """Whether every step was applied."""
    return _applied(db) == KNOWN


def _applied(db: Database) -> set[str]:
    try:
        return {name for (name,) in db.execute("SELECT name FROM _sqlite_migrations WHERE migration_set = 'bohnenpost'")}
    except sqlite3.OperationalError:
        if "_sqlite_migrations" in db.table_names():
            raise
        return set()
