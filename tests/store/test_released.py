"""A home of each released version is opened by a program with one step more, and its games go on;
with `make postgres` that on a server.
"""

import gzip
import sqlite3
from pathlib import Path
from typing import Any

import psycopg
import pytest

from gm import store
from gm.installation import FILE, open_installation
from gm.store.db import Database
from gm.store.file import migrations
from gm.web import create_app
from rounds.engine.variant import names
from tests.postgres import SERVER
from tests.store.released import KEPT, KEY, play

VERSIONS = sorted({file.name.removesuffix(".db.gz") for file in KEPT.glob("*.db.gz")})


def kept(version: str, kind: str) -> bytes:
    return gzip.decompress((KEPT / f"{version}.{kind}.gz").read_bytes())


@pytest.fixture
def one_step_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program is the next one, whose schema has one step more."""

    def colours(db: Database) -> None:
        db.execute("ALTER TABLE game ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'")

    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, colours))
    monkeypatch.setattr(migrations, "KNOWN", migrations.KNOWN | {"colours"})


@pytest.mark.usefixtures("one_step_more", "frozen_time")
@pytest.mark.parametrize("version", VERSIONS)
def test_games_of_a_released_version_go_on(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "link.key").write_bytes(KEY)
    if SERVER:
        address = SERVER.create(f"of_{version.replace('.', '_')}")
        with psycopg.connect(address, autocommit=True) as server:
            server.execute(kept(version, "sql"))
        (home / "bohnenpost.toml").write_text(f'database = "{address}"\n', encoding="utf-8")
        monkeypatch.setattr("gm.config._check_database", lambda _: None)  # mails may be files
    else:
        (home / FILE).write_bytes(kept(version, "db"))
    opened = open_installation(home, {})
    with opened.connection() as db:
        assert migrations.is_current(db)
        before = {game.id: game.round for game in store.games.all_games(db)}
        assert set(before) <= set(names())
        play(db, opened, 1)
        after = store.games.all_games(db)
        assert [game.id for game in after if game.round <= before[game.id]] == []
        seats = [store.seats.numbered(db, game.id, 1) for game in after]
    web = create_app(opened).test_client()
    for seat in seats:
        assert web.get(opened.path("seat", seat.game, seat.name, 1)).status_code == 200
        assert web.get(f"/p/{seat.game}/r1").status_code == 200


def test_the_schema_of_the_first_release_is_never_rewritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "STEPS", migrations.STEPS[:1])
    open_installation(tmp_path / "new", {}, create=True)
    (tmp_path / "released.db").write_bytes(kept("1.0.0", "db"))

    def schema(file: Path) -> Any:
        with sqlite3.connect(file) as database:
            found = set(database.execute("SELECT type, name, sql FROM sqlite_master"))
        database.close()
        return found

    assert schema(tmp_path / "new" / FILE) == schema(tmp_path / "released.db")
