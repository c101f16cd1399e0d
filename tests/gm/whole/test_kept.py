"""What older programs left behind is opened and played on as before: `tests/kept/`."""

import hashlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gm import clock, store
from gm.deadline.worker import work
from gm.game import control
from gm.installation import Installation, open_installation
from gm.store import db as databases
from gm.web import create_app

KEPT = Path(__file__).parents[2] / "kept"
DUMPED = datetime.fromtimestamp(1798398000, UTC)
FLAT_DUMPED = datetime.fromtimestamp(1795978800, UTC)


@pytest.fixture
def kept(tmp_path: Path, hour: Any) -> Installation:
    """The installation as the older program left it, opened by today's."""
    hour.move_to(DUMPED)
    return opened(tmp_path, KEPT / "installation.sql")


@pytest.fixture
def flat(tmp_path: Path, hour: Any) -> Installation:
    """The one that the last program in one folder left."""
    hour.move_to(FLAT_DUMPED)
    return opened(tmp_path, KEPT / "flat" / "installation.sql")


def opened(tmp_path: Path, dump: Path) -> Installation:
    home = tmp_path / "house"
    home.mkdir(mode=0o700)
    key = home / "link.key"
    key.write_bytes(hashlib.sha256(b"kept key").digest())
    databases.create(home / "bohnenpost.db")
    with sqlite3.connect(home / "bohnenpost.db") as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    connection.close()
    return open_installation(home, {})


def test_links_and_pages_of_before_open(kept: Installation) -> None:
    web = create_app(kept).test_client()
    link = kept.seat_url("ackerwinde", "Anna", 1).removeprefix(kept.config.base_url)
    for path in (link, "/p/ackerwinde", "/p/gemach", "/p/brache", "/p/gemach/record.json"):
        assert web.get(path).status_code == 200


def test_an_installation_of_the_flat_house_opens_and_goes_on(flat: Installation, hour: Any) -> None:
    web = create_app(flat).test_client()
    base = flat.config.base_url
    with flat.connection() as db:
        for game in ("ackerwinde", "brache", "offen"):
            for path in (flat.seat_url(game, "Anna", 1).removeprefix(base), f"/p/{game}"):
                assert web.get(path, follow_redirects=True).status_code == 200
        control.resume(db, "ackerwinde", "", clock.now())
        work(flat)
        hour.move_to(datetime.fromtimestamp(store.existing(db, "ackerwinde").deadline or 0, UTC))
        work(flat)
        assert store.existing(db, "ackerwinde").round == 3
