"""The table of finished games: who won among people, and who is the same person (whole games:
test_awaited.py).
"""

import re
from typing import Any

import pytest
from msgspec.structs import replace

from gm import store
from gm.config import Config
from gm.games.league import Ended, Player, Rank, players, results, standings
from gm.installation import Installation
from gm.rendering.sentences import render
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web.desk.summary import seat_lines


def place(name: str, rank: int, talers: int = 0, **other: Any) -> Rank:
    """A seat as it ended, played by the person it is named for, with a list in each of ten
    rounds.
    """
    person = f"{name.lower()}@example.org"
    usual: dict[str, Any] = {
        "person": person,
        "by_person": True,
        "called": name,
        "own_rounds": 10,
        "own_nmrs": 0,
    }
    return Rank(name=name, rank=rank, talers=talers, nmrs=0, rounds=10, **(usual | other))


def robot(name: str, rank: int) -> Rank:
    return place(name, rank, person=None, by_person=False)


@pytest.mark.parametrize(
    ("places", "winners"),
    [
        ([], set()),
        ([place("Anna", 1)], set()),
        ([place("Anna", 1), place("Bert", 2)], {"Anna"}),
        ([place("Anna", 1), place("Bert", 1), place("Cem", 3)], {"Anna", "Bert"}),
        ([robot("Rosa", 1), place("Anna", 2), place("Bert", 3)], {"Anna"}),
        ([place("Anna", 1), robot("Rosa", 2)], set()),
        ([place("Cem", 1, by_person=False), place("Anna", 2), place("Bert", 2)], {"Anna", "Bert"}),
        ([robot("Rosa", 1), robot("Rudi", 2)], set()),
    ],
)
def test_a_game_is_won_by_the_best_of_those_that_people_played(
    ackerwinde: Game, places: list[Rank], winners: set[str]
) -> None:
    assert Ended(ackerwinde, 0, tuple(places), {}).winners == winners


def test_people_are_counted_over_all_their_games(ackerwinde: Game) -> None:
    first = Ended(
        ackerwinde, 2, (place("Anna", 1, 30), place("Bert", 2, 20, own_rounds=6, own_nmrs=2)), {}
    )
    second = Ended(
        ackerwinde, 1, (place("Anna", 1, 10), place("Bert", 1, 10), place("Cem", 3, 5)), {}
    )
    assert players([first, second]) == [
        Player("Anna", games=2, wins=2, talers=40, nmrs=0, rounds=20),
        Player("Bert", games=2, wins=1, talers=30, nmrs=2, rounds=16),
        Player("Cem", games=1, wins=0, talers=5, nmrs=0, rounds=10),
    ]


def test_each_variant_has_a_table_of_its_own_and_reliability_is_that_of_all_games(
    ackerwinde: Game,
) -> None:
    other = replace(ackerwinde, variant="classic")
    first = Ended(ackerwinde, 2, (place("Anna", 1, 30), place("Bert", 2, 20, own_nmrs=2)), {})
    second = Ended(
        other, 1, (place("Bert", 1, 7, own_rounds=6, own_nmrs=1), place("Cem", 2, 3)), {}
    )
    assert standings([first, second]) == {
        "classic": [
            Player("Bert", 1, 1, 7, nmrs=3, rounds=16),
            Player("Cem", 1, 0, 3, nmrs=0, rounds=10),
        ],
        ackerwinde.variant: [
            Player("Anna", 1, 1, 30, nmrs=0, rounds=10),
            Player("Bert", 1, 0, 20, nmrs=3, rounds=16),
        ],
    }
    assert standings([]) == {}


def test_a_table_for_each_variant_stands_on_the_page(ackerwinde: Game) -> None:
    def page(*ended: Ended) -> str:
        values = {
            "results": ended,
            "standings": standings(ended),
            "other": "de",
            "demo": None,
            "is_practice": False,
            "has_imprint": False,
            "tonight": False,
            "place_of": str,
            "further": None,
            "address": "",
        }
        return render("en", "pages/table.html", **values)

    postal = Ended(ackerwinde, 2, (place("Anna", 1, 30), place("Bert", 2, 20)), {})
    other = Ended(replace(ackerwinde, variant="classic"), 1, (place("Cem", 1, 7),), {})
    assert '<h2 id="pl">Players</h2>' in page(postal)
    assert re.findall(r'<h2 id="(pl\d*)">([^<]*)<', page(postal, other)) == [
        ("pl", "Players: classic"),
        ("pl2", "Players: postal"),
    ]


def test_of_equal_wins_the_talers_a_game_decide_then_the_name(ackerwinde: Game) -> None:
    often = [Ended(ackerwinde, 0, (place("Anna", 1, 10),), {})] * 3
    once = Ended(ackerwinde, 0, (place("Bert", 1, 11),), {})
    also = Ended(ackerwinde, 0, (place("Aaron", 1, 11),), {})
    assert [player.name for player in players([*often, once, also])] == ["Aaron", "Bert", "Anna"]


def test_who_was_absent_in_more_than_half_of_the_rounds_is_not_first(ackerwinde: Game) -> None:
    one = Ended(
        ackerwinde,
        0,
        (place("Anna", 1, 90, own_nmrs=6), place("Bert", 2, 10), place("Cem", 3, 5)),
        {},
    )
    assert [player.name for player in players([one])] == ["Bert", "Cem", "Anna"]


def test_a_robot_is_never_absent(
    db: Database, installation: Installation, ackerwinde: Game, frozen_time: Any
) -> None:
    with write(db):
        db.execute("UPDATE seat SET robot = 1 WHERE number = 3")
    for number in range(1, 11):
        close_due(db, Config(), store.games.existing(db, "ackerwinde").deadline or 0)
        closed = store.rounds.get(db, "ackerwinde", number)
        assert closed is not None
        assert closed.kept_waiting["Cem"]  # as if its program had failed
    assert {seat.name: seat.nmrs for seat in results(db, store.games.played_out(db))[0].places} == {
        "Anna": 10,
        "Bert": 10,
        "Cem": 0,
    }
    assert {line.seat.name: line.nmrs for line in seat_lines(db, ackerwinde)} == {
        "Anna": 10,
        "Bert": 10,
        "Cem": 0,
    }


def test_name_and_address_together_are_a_person(ackerwinde: Game) -> None:
    games = [
        Ended(ackerwinde, 0, (place("Anna", 1, 1, person=person, called=called),), {})
        for person, called in (
            ("a@example.org", "Anna"),
            ("A@Example.org", "Anna"),
            ("a@example.org", "Annette"),
            ("b@example.org", "Anna"),
        )
    ]
    assert sorted((player.name, player.games) for player in players(games)) == [
        ("Anna", 1),
        ("Anna", 2),
        ("Annette", 1),
    ]


def test_a_seat_counts_for_who_played_it_in_the_end(ackerwinde: Game) -> None:
    taken_over = place(
        "Anna", 1, 9, called="Dörte", person="doerte@example.org", own_rounds=4, own_nmrs=1
    )
    assert players([Ended(ackerwinde, 0, (taken_over,), {})]) == [Player("Dörte", 1, 0, 9, 1, 4)]


def test_robots_and_those_without_an_address_are_nobody(ackerwinde: Game) -> None:
    assert players([Ended(ackerwinde, 0, (robot("Rosa", 1), place("Cem", 2, person="")), {})]) == []
    assert players([]) == []


def test_a_game_that_is_not_over_has_no_result(db: Database, ackerwinde: Game) -> None:
    assert ackerwinde.status == "running"
    assert results(db, store.games.played_out(db)) == []
    assert not Ended(replace(ackerwinde, status="finished"), 0, (), {}).winners
