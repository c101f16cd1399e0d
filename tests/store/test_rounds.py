"""Rounds as rows: which are due, which wait, what a closed one keeps, and when the secret behind
the deck is told.
"""

import sqlite3
from typing import Any

import pytest
from msgspec.structs import replace

from gm import store
from gm.clock import DAY
from gm.deadline.reminders import remind
from gm.installation import Installation
from gm.store import rounds
from gm.store.db import MANY, Database, write
from gm.store.games import Game
from gm.store.lists import Revision
from gm.store.rounds import ClosedRound
from tests.dates import SUNDAY
from tests.steps import cards_of, seat_game, start


@pytest.fixture
def two(installation: Installation, db: Database) -> None:
    """`ackerwinde` and `beinwell` run; `beinwell` is due a day earlier."""
    for game in ("ackerwinde", "beinwell"):
        seat_game(installation, game)
        start(installation, game)
    change(db, "beinwell", deadline=SUNDAY - DAY)


def change(db: Database, game: str, **values: Any) -> None:
    with write(db):
        store.games.update(db, game, values)


def put_list(
    db: Database,
    seat: int,
    void_at: int | None = None,
    number: int = 1,
    at: int = SUNDAY - DAY,
) -> None:
    with write(db):
        store.lists.add(
            db,
            Revision("ackerwinde", 1, seat, number, "1>A", at, bytes(16), "seat", 1, void_at),
        )


def closed(number: int, orders: str = "{}", at: int = SUNDAY, version: int = 1) -> dict[str, Any]:
    row = {
        "game": "ackerwinde",
        "number": number,
        "deadline": at,
        "closed_at": at,
        "orders": orders,
    }
    return row | {"events": "[]", "state": "{}", "version": version, "chain": f"{number}"}


def test_the_round_that_has_waited_longest_is_first(two: None, db: Database) -> None:
    assert store.due.rounds(db, SUNDAY) == ["beinwell", "ackerwinde"]
    assert store.due.rounds(db, SUNDAY - 1) == ["beinwell"]
    assert store.due.next_deadline(db, 0, SUNDAY) == SUNDAY - DAY
    assert store.due.next_deadline(db, SUNDAY - DAY, SUNDAY) == SUNDAY
    assert store.due.next_deadline(db, SUNDAY, SUNDAY) is None


def test_of_very_many_due_rounds_the_first_are_named_and_all_are_counted(
    db: Database, ackerwinde: Game
) -> None:
    (row,) = db.query("SELECT * FROM game")
    with write(db):
        for number in range(MANY + 1):
            store.games.add(
                db,
                row | {"id": f"g{number:03}", "deadline": SUNDAY - 1000 + number, "round": number},
            )
    found = store.due.rounds(db, SUNDAY)
    assert (found[0], found[-1], len(found)) == ("g000", f"g{MANY - 1:03}", MANY)
    assert store.due.due_batch(db, SUNDAY) == (MANY + 2, f"g{MANY:03}", MANY)


def test_a_game_whose_work_failed_is_left_alone_until_it_is_tried_again(
    two: None, db: Database
) -> None:
    change(db, "beinwell", retry_at=SUNDAY + 60, error="x")
    assert store.due.rounds(db, SUNDAY + 59) == ["ackerwinde"]
    assert store.due.rounds(db, SUNDAY + 60) == ["beinwell", "ackerwinde"]
    assert store.due.due_batch(db, SUNDAY) == (1, "ackerwinde", 1)
    assert store.due.waiting_rounds(db, SUNDAY) == [("beinwell", 1, SUNDAY - DAY, "x", SUNDAY + 60)]


def test_a_game_that_does_not_run_or_has_no_deadline_is_not_due(two: None, db: Database) -> None:
    change(db, "ackerwinde", status="paused", paused_at=SUNDAY)
    change(db, "beinwell", deadline=None)
    assert store.due.rounds(db, SUNDAY) == []
    assert store.due.next_deadline(db, 0, SUNDAY) is None
    assert store.due.due_batch(db, SUNDAY) == (0, None, None)


def test_every_person_has_sent_a_list_that_counts_before_a_round_may_close_early(
    db: Database, ackerwinde: Game
) -> None:
    change(db, "ackerwinde", early_after=3600)
    with write(db):
        store.seats.update(db, "ackerwinde", 3, {"removed_at": SUNDAY, "address": None})
    put_list(db, 1)
    put_list(db, 2, void_at=SUNDAY)
    assert may_close_early(db, SUNDAY - 1) == []
    put_list(db, 2, number=2)
    assert may_close_early(db, SUNDAY - 1) == ["ackerwinde"]
    assert may_close_early(db, SUNDAY) == []  # its deadline is here
    change(db, "ackerwinde", deadline=None)
    assert may_close_early(db, SUNDAY) == ["ackerwinde"]  # closed by hand, or at once
    with write(db):
        store.seats.update(db, "ackerwinde", 3, {"removed_at": None, "robot": 1})
    assert may_close_early(db, SUNDAY) == ["ackerwinde"]  # a robot's list is not waited for here
    change(db, "ackerwinde", early_after=None)
    assert may_close_early(db, SUNDAY - 1) == []


def test_a_round_may_close_early_once_its_delay_and_its_shortest_length_may_have_passed(
    db: Database, ackerwinde: Game
) -> None:
    """What else it waits for is looked at by whoever closes it."""
    change(db, "ackerwinde", early_after=3600)
    for number in (1, 2, 3):
        put_list(db, number)
    assert may_close_early(db, SUNDAY - DAY, until=SUNDAY - DAY + 3599) == []
    assert may_close_early(db, SUNDAY - DAY, until=SUNDAY - DAY + 3600) == ["ackerwinde"]
    rule = ackerwinde.rule.replace('"shortest":0', '"shortest":24')
    change(db, "ackerwinde", rule=rule, round_at=SUNDAY - DAY)
    assert may_close_early(db, SUNDAY - DAY, until=SUNDAY - 1) == []
    assert may_close_early(db, SUNDAY - DAY, until=SUNDAY) == ["ackerwinde"]
    assert store.due.games_to_close_early(
        db, SUNDAY - DAY, SUNDAY - 1, at_once=[ackerwinde.variant]
    ) == ["ackerwinde"]


def may_close_early(db: Database, now: int, until: int | None = None) -> list[str]:
    return store.due.games_to_close_early(db, now, until or now, at_once=())


def test_a_game_is_to_be_looked_at_for_reminders_from_a_lead_time_on_until_all_were_reminded(
    db: Database, ackerwinde: Game
) -> None:
    with write(db):
        store.seats.update(db, "ackerwinde", 1, {"reminder_leads": "[7200,3600]"})
        for number in (2, 3):
            store.seats.update(db, "ackerwinde", number, {"reminder_leads": "[]"})
    assert store.due.games_to_remind(db, SUNDAY - 7201) == []
    assert store.due.games_to_remind(db, SUNDAY - 7200) == ["ackerwinde"]
    assert store.due.games_to_remind(db, SUNDAY) == []
    assert remind(db, SUNDAY - 7200) == 1
    assert store.due.games_to_remind(db, SUNDAY - 3601) == []
    assert store.due.games_to_remind(db, SUNDAY - 3600) == ["ackerwinde"]
    put_list(db, 1)
    assert store.due.games_to_remind(db, SUNDAY - 3600) == []


def test_a_robot_without_a_list_is_found_before_the_deadline(
    db: Database, ackerwinde: Game
) -> None:
    assert store.due.robot_without_list(db, 0, 0) is None
    with write(db):
        store.seats.update(db, "ackerwinde", 2, {"robot": 1, "address": None})
    assert store.due.robot_without_list(db, 0, SUNDAY - 1) == ("ackerwinde", 2)
    assert store.due.robot_without_list(db, 0, SUNDAY) is None
    change(db, "ackerwinde", deadline=None)
    assert store.due.robot_without_list(db, 0, SUNDAY) == ("ackerwinde", 2)
    put_list(db, 2)
    assert store.due.robot_without_list(db, 0, SUNDAY) is None


def test_a_round_is_closed_once_and_kept_when_it_is_taken_back(
    db: Database, ackerwinde: Game
) -> None:
    with write(db):
        store.rounds.add(db, closed(1, '{"Anna": "1>A", "Bert": null}'))
    with pytest.raises(sqlite3.IntegrityError), write(db):
        store.rounds.add(db, closed(1))
    first = store.rounds.get(db, "ackerwinde", 1)
    assert first is not None
    assert (first.lists, first.events) == ({"Anna": "1>A", "Bert": None}, "[]")
    with write(db):
        store.rounds.withdraw(db, first)
        second = replace(first, version=2, closed_at=SUNDAY + 1)
        store.rounds.withdraw(db, second)
    assert store.rounds.get(db, "ackerwinde", 1) is None
    assert store.rounds.withdrawn(db, "ackerwinde", 1) == [first, second]
    assert store.rounds.withdrawn(db, "ackerwinde", 2) == []


def test_closed_rounds_come_oldest_first_with_the_start_or_only_some(
    db: Database, ackerwinde: Game
) -> None:
    with write(db):
        for number in (3, 1, 2):
            store.rounds.add(db, closed(number, at=SUNDAY + number))

    def numbers(found: list[ClosedRound]) -> list[int]:
        return [one.number for one in found]

    assert numbers(store.rounds.closed(db, "ackerwinde")) == [0, 1, 2, 3]
    assert numbers(store.rounds.closed(db, "ackerwinde", range(1, 3))) == [1, 2]
    assert store.rounds.closing_times(db, "ackerwinde")[1:] == [
        (1, SUNDAY + 1),
        (2, SUNDAY + 2),
        (3, SUNDAY + 3),
    ]


def test_awaited_lists_of_an_address_count_since_it_holds_its_seat(
    db: Database, ackerwinde: Game
) -> None:
    with write(db):
        store.rounds.add(db, closed(1, '{"Anna": null, "Bert": "1>A"}'))
        store.rounds.add(db, closed(2, '{"Anna": "1>A", "Bert": null}', SUNDAY + 1))
        db.execute("UPDATE seat SET address = upper(address) WHERE number = 1")
    assert store.rounds.awaited_of_players(db, "ackerwinde") == {1: (2, 1), 2: (2, 1)}
    with write(db):
        store.seats.update(db, "ackerwinde", 1, {"player": "Dörte", "player_since": SUNDAY})
    assert store.rounds.awaited_of_players(db, "ackerwinde") == {1: (1, 0), 2: (2, 1)}


def test_there_is_no_deck_before_the_start_and_always_the_same_after(
    installation: Installation, db: Database
) -> None:
    seat_game(installation)
    with pytest.raises(LookupError, match="no deck before its start"):
        cards_of(db, store.games.existing(db, "ackerwinde"))
    start(installation)
    game = store.games.existing(db, "ackerwinde")
    cards = cards_of(db, game)
    rounds._chance.cache_clear()
    assert cards_of(db, game) == cards
    assert len(cards) == 100


def test_the_secret_is_told_once_the_game_is_over(db: Database, ackerwinde: Game) -> None:
    assert store.rounds.revealed_secret(db, ackerwinde) is None
    change(db, "ackerwinde", status="finished", deadline=None)
    told = store.rounds.revealed_secret(db, store.games.existing(db, "ackerwinde"))
    assert told is not None
    assert len(bytes.fromhex(told)) == 32


def test_a_seat_that_was_typed_in_is_unconfirmed_until_its_person_says_so(
    installation: Installation, db: Database
) -> None:
    seat_game(installation)
    row = {"game": "ackerwinde", "name": "Cem", "language": "de", "at": SUNDAY}
    assert store.rounds.unconfirmed(db, store.seats.of_game(db, "ackerwinde")) == [
        "Anna",
        "Bert",
        "Cem",
    ]
    with write(db):
        store.seats.update(db, "ackerwinde", 1, {"ready_at": SUNDAY})
        store.seats.update(db, "ackerwinde", 2, {"ready_at": SUNDAY})
        number = store.requests.add_joining(db, row | {"address": "CEM@ackerwinde.example.org"})
    assert store.rounds.unconfirmed(db, store.seats.of_game(db, "ackerwinde")) == ["Cem"]
    with write(db):
        store.requests.confirm_joining(db, number, SUNDAY)
    assert store.rounds.unconfirmed(db, store.seats.of_game(db, "ackerwinde")) == []
