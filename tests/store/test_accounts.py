"""Game masters as rows, their sessions and tries to sign in, and who stands by."""

from collections.abc import Callable

import pytest

from gm import store
from gm.clock import DAY
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import SUNDAY

ULI, OLA, CEM = "uli@example.org", "ola@example.org", "cem@example.org"


@pytest.fixture
def two(db: Database, ackerwinde: Game) -> None:
    """Uli, who leads `ackerwinde`, and Ola may sign in."""
    with write(db):
        for address, name in ((ULI, "Uli"), (OLA, "Ola")):
            store.accounts.add(
                db, {"address": address, "name": name, "language": "de", "link_at": SUNDAY}
            )


def stand_by(db: Database, address: str, at: int, gm: str = "", name: str = "Cem") -> None:
    with write(db):
        store.accounts.put_on_standby(
            db, {"gm": gm, "address": address, "name": name, "language": "de", "at": at}
        )


def test_an_account_is_found_and_changed_however_the_address_is_spelled(
    two: None, db: Database
) -> None:
    with write(db):
        store.accounts.update(db, ULI.upper(), {"name": "Ulrike"})
    found = store.accounts.get(db, "Uli@Example.org")
    assert found is not None
    assert (found.name, found.password, found.host) == ("Ulrike", None, 0)
    assert store.accounts.get(db, CEM) is None


def test_a_one_time_link_works_for_seven_days(two: None, db: Database) -> None:
    found = store.accounts.get(db, ULI)
    assert found is not None
    assert found.link_ends == SUNDAY + 7 * DAY


def test_all_one_time_links_are_void_at_once(two: None, db: Database) -> None:
    with write(db):
        store.accounts.void_links(db, 1000)
    assert [
        master.link_number for address in (ULI, OLA) if (master := store.accounts.get(db, address))
    ] == [1001, 1001]


def test_a_session_counts_if_it_was_opened_after_an_instant(two: None, db: Database) -> None:
    with write(db):
        store.accounts.open_session(db, "h", ULI, SUNDAY)
    found = store.accounts.signed_in(db, "h", SUNDAY - 1)
    assert found is not None
    assert found.address == ULI
    assert (
        store.accounts.signed_in(db, "h", SUNDAY)
        is store.accounts.signed_in(db, "another", 0)
        is None
    )


def test_sessions_end_one_by_one_by_master_by_age_and_all_at_once(two: None, db: Database) -> None:
    sessions = {"a": (ULI, 1), "b": (ULI, 2), "c": (ULI, 3), "d": (OLA, 4), "e": (OLA, 5)}
    with write(db):
        for number, (address, at) in sessions.items():
            store.accounts.open_session(db, number, address, at)

    def left() -> str:
        return "".join(number for number in sessions if store.accounts.signed_in(db, number, 0))

    assert left() == "abcde"
    ends: list[tuple[Callable[[], None], str]] = [
        (lambda: store.accounts.end_session(db, "b"), "acde"),
        (lambda: store.accounts.forget_sessions(db, 1), "cde"),
        (lambda: store.accounts.end_sessions(db, ULI), "de"),
        (lambda: store.accounts.end_all_sessions(db), ""),
    ]
    for end, expected in ends:
        with write(db):
            end()
        assert left() == expected


def test_who_may_sign_in_no_more_leaves_no_session_and_nobody_they_alone_saw(
    two: None, db: Database
) -> None:
    stand_by(db, CEM, SUNDAY, gm=ULI)
    stand_by(db, "d@example.org", SUNDAY, gm=OLA)
    with write(db):
        store.accounts.open_session(db, "h", ULI, SUNDAY)
        store.accounts.remove(db, ULI)
    assert (
        store.accounts.get(db, ULI),
        store.accounts.signed_in(db, "h", 0),
        list(store.accounts.credentials(db)),
    ) == (
        None,
        None,
        [OLA],
    )
    assert [row["address"] for row in store.accounts.standby_list(db)] == ["d@example.org"]


def test_tries_count_under_each_key_until_they_are_old_or_taken_back(db: Database) -> None:
    with write(db):
        for at in (1, 2, 3):
            store.accounts.add_attempts(db, ("anna", "network"), at)
    assert [store.accounts.attempts(db, key) for key in ("anna", "network", "bert")] == [3, 3, 0]
    with write(db):
        store.accounts.forget_attempts(db, 1)
        store.accounts.take_back_attempts(db, "anna", 3)
    assert [store.accounts.attempts(db, key) for key in ("anna", "network")] == [1, 2]
    with write(db):
        store.accounts.take_back_attempts(db, "network")
    assert [store.accounts.attempts(db, key) for key in ("anna", "network")] == [1, 0]


def test_the_standby_list_is_longest_first_and_each_master_sees_their_part_with_each_address_once(
    db: Database,
) -> None:
    stand_by(db, CEM, 3)
    stand_by(db, CEM, 1, gm=ULI)
    stand_by(db, "d@example.org", 2, gm=ULI)
    assert [(row["address"], row["gm"]) for row in store.accounts.standby_list(db)] == [
        (CEM, ULI),
        ("d@example.org", ULI),
        (CEM, ""),
    ]
    assert [(row["address"], row["at"]) for row in store.accounts.standby_of(db, ULI)] == [
        (CEM, 1),
        ("d@example.org", 2),
    ]
    assert [(row["address"], row["at"]) for row in store.accounts.standby_of(db, OLA)] == [(CEM, 3)]


def test_who_stands_by_again_replaces_what_the_same_master_knew(db: Database) -> None:
    stand_by(db, CEM, 1, gm=ULI, name="Cem")
    stand_by(db, CEM, 2, gm=ULI, name="Cem K.")
    assert [(row["name"], row["at"]) for row in store.accounts.standby_list(db)] == [("Cem K.", 2)]


def test_an_address_leaves_the_standby_list_of_a_master_of_a_game_or_altogether(
    two: None, db: Database
) -> None:
    for gm in ("", ULI, OLA):
        stand_by(db, CEM, SUNDAY, gm=gm)
    with write(db):
        store.accounts.take_off_standby_of_game(db, "CEM@example.org", "ackerwinde")
    assert [row["gm"] for row in store.accounts.standby_list(db)] == [OLA]
    stand_by(db, CEM, SUNDAY, gm=ULI)
    with write(db):
        assert store.accounts.take_off_standby(db, CEM.upper(), ULI) == 1
        assert store.accounts.take_off_standby(db, CEM) == 1
        assert store.accounts.take_off_standby(db, CEM) == 0
    assert store.accounts.standby_list(db) == []
