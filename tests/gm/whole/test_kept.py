"""What older programs left behind is opened, proven and played on as before: `tests/kept/`."""

import hashlib
import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlite_utils import Database

from gm import clock, seeds, store
from gm.deadline.worker import work
from gm.game import control
from gm.installation import Installation, open_installation
from gm.proof.fairness import record_of
from gm.store import db as databases
from gm.web import create_app
from rounds.verdict import PROVEN, Given
from rounds.verify import verify

KEPT = Path(__file__).parents[2] / "kept"
RECORD = (KEPT / "gemach.json").read_bytes()
DUMPED = datetime.fromtimestamp(1798398000, UTC)
COMMITMENTS = {
    "gemach": "2db236bb499b137eda1b11591d1cb9d956e23988d06b10276eec048f898dd46b",
    "ackerwinde": "4363066bc5b25931220ebdd49bd18238161f118e86d20419e29b6277829fb5f7",
}
CHAINS = {
    "gemach": [
        "9da78fd4b6ec9ce76fd861ebdf1e49a357d248cade967d72abe085203e399e01",
        "830285a9d76d8286c4d96c56e249e4f6a51021c3b803dccbe869616372371e9f",
        "3d8bf4212f22d85ab4dbabb95ee848a3b7075c2032a7e7e435500c452ebfa0b7",
        "5c4778c8743f6a64101541423666ef44dbf889f64c736d8724253ad0eb284aa0",
    ],
    "ackerwinde": [
        "7ac1a18b2b65110e254ad9f74038728ad0f8d7f155311d03ec7037be966ff8a1",
        "3ad7aff148a4dbf59446140454c113f05b963a3495ed0a7fb59f6defddfc8f51",
        "bec6d8be0c4406342f00d6dfd16aa0cc3e30f5eb11f935a7bf7339bacf66976c",
        "4b37b8c254bb3e66824b67dea911991ae9185a79a83da6cb089baa20ab93c163",
    ],
}
"""Of the game that went on the last is what the older program made of its open round."""


FLAT_COMMITMENT = "aa0e4f1a26e23c0f20bf9872b82fc31c7fb7d2e10ed143424182fcb88e1acc26"
FLAT_CHAINS = {
    "brache": [
        "204df5302c2014fded9bdf60f452262f66deb377933bb7e12a0baf8998c34c23",
        "6a9508d0e0130764d9528811b506a035ba2bc9cf10cf069b9fb778a838b32353",
        "26abdeaa9d65a08b9962ae4be137f31a785d73517a07294e78cfe24a2dfc2c80",
    ],
    "ackerwinde": [
        "95a3047477a423a09e0226b6a9a11b4656063d1074589ae3aca09a7157333c63",
        "58affb81f4be502c2470dbe49860afdee9c9b3615a2d8de681a3328492f942b4",
    ],
}
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


def chains(db: Database, game: str) -> list[str | None]:
    return [closed.chain for closed in store.closed_rounds(db, game)]


def test_a_record_of_before_is_proven_against_the_mails_of_before() -> None:
    given = Given(COMMITMENTS["gemach"], dict(enumerate(CHAINS["gemach"])))
    found = verify(RECORD, seeds.deck, given)
    assert (found.verdict, found.where, found.why) == (PROVEN, "", "")


def test_a_finished_game_of_before_gives_the_record_it_gave(kept: Installation) -> None:
    with kept.connection() as db:
        record = msgspec.json.encode(record_of(db, store.existing(db, "gemach")))
    assert json.loads(record) == json.loads(RECORD)


def test_a_running_game_of_before_goes_on_with_the_chain_it_would_have_had(kept: Installation, hour: Any) -> None:
    with kept.connection() as db:
        assert chains(db, "gemach") == CHAINS["gemach"]
        assert chains(db, "ackerwinde") == CHAINS["ackerwinde"][:3]
        while (game := store.existing(db, "ackerwinde")).status == "running":
            hour.move_to(datetime.fromtimestamp(game.deadline or 0, UTC))
            work(kept)
        assert chains(db, "ackerwinde")[:4] == CHAINS["ackerwinde"]
        record = msgspec.json.encode(record_of(db, game))
        last = {4: str(chains(db, "ackerwinde")[4])}
    given = Given(COMMITMENTS["ackerwinde"], dict(enumerate(CHAINS["ackerwinde"])) | last)
    assert verify(record, seeds.deck, given).verdict == PROVEN
    assert not {"deadline", "closed"} & set(json.loads(record)["fairness"]["rounds"][0])


def test_links_and_pages_of_before_open(kept: Installation) -> None:
    web = create_app(kept).test_client()
    link = kept.seat_url("ackerwinde", "Anna", 1).removeprefix(kept.config.base_url)
    for path in (link, "/p/ackerwinde", "/p/gemach", "/p/brache", "/p/gemach/record.json"):
        assert web.get(path).status_code == 200


def test_phrases_of_before_that_a_game_master_typed_in_go_before_the_start_and_only_there(kept: Installation) -> None:
    with kept.connection() as db:
        phrases = {game: {seat.name: seat.phrase for seat in store.seats(db, game)} for game in ("brache", "ackerwinde")}
    assert phrases["brache"] == {"Anna": "", "Rosa": ""}
    assert phrases["ackerwinde"]["Rosa"] == "beep"


def test_an_installation_of_the_flat_house_is_proven_and_opens_and_goes_on(flat: Installation, hour: Any) -> None:
    web = create_app(flat).test_client()
    base = flat.config.base_url
    with flat.connection() as db:
        for game, values in FLAT_CHAINS.items():
            assert chains(db, game) == values
        record = msgspec.json.encode(record_of(db, store.existing(db, "brache")))
        assert json.loads(record) == json.loads((KEPT / "flat" / "brache.json").read_bytes())
        assert verify(record, seeds.deck, Given(FLAT_COMMITMENT, dict(enumerate(FLAT_CHAINS["brache"])))).verdict == PROVEN
        for game in ("ackerwinde", "brache", "offen"):
            for path in (flat.seat_url(game, "Anna", 1).removeprefix(base), f"/p/{game}"):
                assert web.get(path, follow_redirects=True).status_code == 200
        control.resume(db, "ackerwinde", "", clock.now())
        work(flat)
        hour.move_to(datetime.fromtimestamp(store.existing(db, "ackerwinde").deadline or 0, UTC))
        work(flat)
        assert store.existing(db, "ackerwinde").round == 3
        assert chains(db, "ackerwinde")[:2] == FLAT_CHAINS["ackerwinde"]
