"""A restore: the copy is in the place of the database, waits to be let go on, and brings no key
of former times back.
"""

from pathlib import Path
from typing import Any

import pytest

from gm import clock, restore, store
from gm.deadline import outage
from gm.errors import Refusal
from gm.games import lead
from gm.installation import Installation
from gm.people import accounts, seating
from gm.restore import KEEP_SECONDS, Restored
from gm.store.connections import opened
from gm.store.db import Database, write
from gm.store.file import backup
from gm.store.file.backup import BadCopy
from gm.store.games import Game
from tests.dates import NOON, SUNDAY
from tests.steps import bohnenpost, file_of, garble, seat_game


@pytest.fixture
def copy(installation: Installation, ackerwinde: Game, db: Database, tmp_path: Path) -> Path:
    """A copy of an hour ago."""
    backup.make(db, tmp_path / "copy.db", clock.now() - 3600)
    return tmp_path / "copy.db"


def put_back(installation: Installation, copy: Path) -> Restored:
    return restore.restore(installation.database, installation.link_key, copy, clock.now())


def now_of(installation: Installation) -> Game:
    with installation.connection() as db:
        return store.games.existing(db, "ackerwinde")


def test_a_restored_service_waits_with_its_games_paused_as_they_stood(
    installation: Installation, copy: Path
) -> None:
    put_back(installation, copy)
    game = now_of(installation)
    assert (game.status, game.paused_at, game.deadline) == ("paused", clock.now() - 3600, SUNDAY)
    with installation.connection() as db:
        with pytest.raises(Refusal, match="restored"):
            lead.resume(db, "ackerwinde", "", clock.now())
        assert backup.held(db) == backup.RestoreHold(
            clock.now(),
            clock.now() - 3600,
            ("ackerwinde",),
            {"ackerwinde": backup.Lost((), 1)},
            "backups/bohnenpost-20261120T120000Z-replaced.db",
        )


def test_the_former_database_is_kept(installation: Installation, copy: Path) -> None:
    with installation.connection() as live, write(live):
        store.games.update(live, "ackerwinde", {"name": "Lost otherwise"})
    former = put_back(installation, copy).former
    assert former == installation.home / "backups" / "bohnenpost-20261120T120000Z-replaced.db"
    with opened(former) as kept:
        assert store.games.existing(kept, "ackerwinde").name == "Lost otherwise"
    assert now_of(installation).name == "Ackerwinde"


def test_a_ruined_database_is_moved_aside_as_it_is_and_nothing_is_known_of_its_links(
    installation: Installation, copy: Path
) -> None:
    file_of(installation).write_bytes(b"ruined")
    done = put_back(installation, copy)
    assert done.former is not None
    assert (done.former.read_bytes(), done.is_known) == (b"ruined", False)
    assert now_of(installation).name == "Ackerwinde"


def test_where_there_was_no_database_none_is_kept(installation: Installation, copy: Path) -> None:
    file_of(installation).unlink()
    assert put_back(installation, copy) == Restored(
        None, is_known=False, unclear={}, differences={}
    )


def test_no_link_of_the_copy_or_since_opens_a_seat(
    installation: Installation, copy: Path, db: Database
) -> None:
    old = store.seats.numbered(db, "ackerwinde", 1).link_hash
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
    new = store.seats.numbered(db, "ackerwinde", 1).link_hash
    put_back(installation, copy)
    with installation.connection() as restored:
        assert store.seats.by_link(restored, old) is None
        assert store.seats.by_link(restored, new) is None
        seats = store.seats.of_game(restored, "ackerwinde")
        assert [seat.link_number for seat in seats] == [clock.now()] * 3


def test_a_second_restore_of_a_copy_brings_no_link_back_that_came_after_the_first(
    installation: Installation, copy: Path, frozen_time: Any
) -> None:
    """Of a link that leaked and was renewed, of a seat that changed hands, of a game that is
    lost, and of a game master's one-time link: the database is lost both times.
    """

    def lose() -> None:
        file_of(installation).unlink()
        frozen_time.shift(60)
        put_back(installation, copy)

    def tokens(db: Database) -> set[str]:
        seats = [*store.seats.of_game(db, "ackerwinde"), *store.seats.of_game(db, "neu")]
        master = accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
        return {seat.link_hash for seat in seats} | {f"gm {master.link_number}"}

    dead: set[str] = set()
    for _ in range(3):
        lose()
        with installation.connection() as now:
            restore.go_on(now, clock.now())
            seat_game(installation, "neu", players=("Anna", "Bert"))
            given = tokens(now)
            for name in ("Anna", "Bert"):
                seating.renew_link(now, installation.link_key, "ackerwinde", name, clock.now())
                given |= tokens(now)
            assert not given & dead
            dead |= given


def test_a_damaged_seat_in_what_is_replaced_takes_nothing_from_what_is_known(
    installation: Installation, copy: Path, db: Database
) -> None:
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
    garble(db, "seat", "player", "CAST(x'ff' AS TEXT)", "number = 2")
    done = put_back(installation, copy)
    assert (done.is_known, done.unclear) == (True, {})


def test_no_session_of_the_copy_comes_back(
    installation: Installation, copy: Path, db: Database, tmp_path: Path
) -> None:
    master = accounts.add_gm(db, "uli@example.org", "Uli", "en", clock.now())
    token = accounts.set_password(db, master, "correct horse battery", clock.now())
    backup.make(db, tmp_path / "later.db", clock.now())
    assert accounts.signed_in(db, token, clock.now())
    put_back(installation, tmp_path / "later.db")
    with installation.connection() as restored:
        assert accounts.signed_in(restored, token, clock.now()) is None
        assert store.accounts.get(restored, "uli@example.org") is not None


@pytest.mark.parametrize(
    ("key", "content"), [(b"another key of thirty-two bytes!", None), (None, b"no database")]
)
def test_a_damaged_copy_or_another_key_changes_nothing(
    installation: Installation, copy: Path, key: bytes | None, content: bytes | None
) -> None:
    before = file_of(installation).read_bytes()
    if content:
        copy.write_bytes(content)
    with pytest.raises(BadCopy):
        restore.restore(installation.database, key or installation.link_key, copy, clock.now())
    assert file_of(installation).read_bytes() == before
    assert not list(installation.home.glob(".restore*"))


@pytest.mark.parametrize(("late", "stays"), [(0, True), (1, False)])
def test_a_deadline_a_day_ahead_stays_and_a_nearer_one_is_moved(
    installation: Installation, copy: Path, frozen_time: Any, late: int, stays: bool
) -> None:
    promised = SUNDAY + 3600  # not of the calendar
    put_back(installation, copy)
    frozen_time.move_to(promised - KEEP_SECONDS + late)
    with installation.connection() as restored:
        with write(restored):
            store.games.update(restored, "ackerwinde", {"deadline": promised})
        assert restore.go_on(restored, clock.now()) == ["ackerwinde"]
        assert restore.go_on(restored, clock.now()) == []
        (note,) = store.notes.of_round(restored, "ackerwinde", 1)
    game = now_of(installation)
    assert (game.status, game.paused_at, game.deadline == promised) == ("running", None, stays)
    assert (note.kind, note.old, note.new) == (
        "restored",
        int(NOON.timestamp()) - 3600,
        game.deadline,
    )


def test_a_calendar_that_knows_later_changes_than_the_copy_takes_what_follows(
    installation: Installation, copy: Path, frozen_time: Any
) -> None:
    with installation.connection() as live:
        for hours in range(1, 5):
            lead.extend(live, "ackerwinde", SUNDAY + 3600 * hours, "", clock.now())
    known = now_of(installation).sequence
    put_back(installation, copy)
    with installation.connection() as restored:
        restore.go_on(restored, clock.now())
    first = now_of(installation).sequence
    assert first > known
    frozen_time.shift(600)
    put_back(installation, copy)
    with installation.connection() as restored:
        restore.go_on(restored, clock.now())
    assert now_of(installation).sequence > first


def test_a_copy_of_a_service_that_waited_waits_for_the_same_games(
    installation: Installation, copy: Path, tmp_path: Path
) -> None:
    put_back(installation, copy)
    with installation.connection() as waiting:
        backup.make(waiting, tmp_path / "again.db", clock.now())
    put_back(installation, tmp_path / "again.db")
    with installation.connection() as restored:
        assert restore.go_on(restored, clock.now()) == ["ackerwinde"]


def test_a_database_that_is_older_than_the_copy_does_not_count(
    installation: Installation, db: Database, ackerwinde: Game, tmp_path: Path
) -> None:
    """It was left behind when the service moved, and now the service moves back."""
    master = {"name": "Uli", "language": "de", "link_at": 0}
    for address in ("neu@example.org", "uli@example.org"):
        with write(db):
            store.accounts.add(db, master | {"address": address, "password": "old"})
        outage.check_clock(db, clock.now() + 3600, clock.boot() + 3600)
        backup.make(db, tmp_path / f"{address}.db", clock.now())
        with write(db):
            store.accounts.update(db, address, {"password": "new"})
    with opened(tmp_path / "neu@example.org.db") as left_behind, write(left_behind):
        store.meta.remember(left_behind, "clock", f"{clock.now()} {clock.boot()}")
    (tmp_path / "neu@example.org.db").replace(file_of(installation))
    told = bohnenpost(
        "restore", tmp_path / "uli@example.org.db", "--yes", home=installation.home
    ).output
    assert "what it replaced is older than the copy: what was there does not count\n" in told
    assert "cannot be read" not in told
    with installation.connection() as restored:
        assert {
            address: of for address, (of, _) in store.accounts.credentials(restored).items()
        } == {
            "neu@example.org": "new",
            "uli@example.org": "old",
        }
    assert not put_back(installation, tmp_path / "uli@example.org.db").is_older
