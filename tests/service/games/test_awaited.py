"""Who plays a seat stands wherever its farm is named, and lists are counted the same everywhere:
people's that are awaited.
"""

import json
from typing import Any

import pytest

from gm import clock, store
from gm.deadline import closing
from gm.games import awaited, create, league
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.people import seating
from gm.service import close_due, order_robot, tick
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Played
from gm.web import api_facts
from gm.web.desk import summary
from tests.dates import SUNDAY
from tests.steps import bohnenpost, seat_game, sent_mails, sign_in, start, words

WEEK = 7 * 24 * 3600


def with_robot(installation: Installation, game: str = "ackerwinde", **rules: Any) -> None:
    """Anna, Bert, Cem and a robot, Rosa, before the first row."""
    seat_game(installation, game, **rules)
    with installation.connection() as db:
        create.add_seat(
            db,
            installation.link_key,
            game=game,
            name="Rosa",
            address=None,
            language="de",
            robot=True,
        )


@pytest.fixture
def four(installation: Installation, db: Database) -> Game:
    """The game has started; Rosa has ordered, Bert's seat was taken away, Dörte plays for Cem."""
    with_robot(installation)
    start(installation)
    while order_robot(db, clock.now()):
        pass
    seating.remove_seat(db, "ackerwinde", "Bert", "", clock.now())
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Cem",
        player="Dörte",
        address="doerte@example.org",
        language="de",
        keep_orders=True,
        reason="",
        now=clock.now(),
    )
    return store.games.existing(db, "ackerwinde")


def send(db: Database, game: Game, name: str, text: str = "pass") -> None:
    save_orders(db, game, seating.seat_named(db, game.id, name), text)


def test_lists_are_counted_the_same_everywhere(
    four: Game, web: Any, installation: Installation, db: Database
) -> None:
    send(db, four, "Anna")
    lists = awaited.lists_in(db, four)
    assert ([seat.name for seat in lists.awaited], [seat.name for seat in lists.missing]) == (
        ["Anna", "Cem"],
        ["Cem"],
    )
    assert "1 of 2 orders in" in words(web.get("/p/ackerwinde?lang=en"))
    told = api_facts.whole_game(installation, db, four)
    assert (told.lists_in, told.lists_awaited) == (1, 2)
    line = summary.lines(db, [four], clock.now())[0]
    assert (line.orders_in, line.awaited, line.missing) == (1, 2, ("Dörte",))
    uli = sign_in(installation, db)
    assert "1 of 2" in words(uli.get("/desk"))
    assert "1 of 2 orders in" in words(uli.get("/desk/game/ackerwinde"))
    shown = json.loads(
        bohnenpost("game", "show", "ackerwinde", "--json", home=installation.home).output
    )
    assert (shown["lists_in"], shown["lists_awaited"]) == (1, 2)
    assert bohnenpost("game", "list", home=installation.home).output.rstrip().endswith("1 of 2")


def test_run_counts_the_lists_of_people(
    four: Game, installation: Installation, db: Database, frozen_time: Any
) -> None:
    send(db, four, "Anna")
    frozen_time.move_to(SUNDAY)
    (closed,) = tick(installation).closed
    assert (closed.seats, closed.absent) == (2, 1)


def test_who_plays_stands_beside_every_farm(
    four: Game, web: Any, installation: Installation, db: Database, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY)
    close_due(db, installation.config, SUNDAY)
    pages = [
        "/p/ackerwinde?lang=en",
        "/p/ackerwinde/r1?lang=en",
        "/p/ackerwinde/r1.txt?lang=en",
        "/zine?since=2026-11-01&lang=en",
    ]
    for page in pages:
        told = web.get(page).get_data(as_text=True) if ".txt" in page else words(web.get(page))
        for name in ("Rosa (robot)", "Bert (the stand-in plays)", "Cem (now Dörte)"):
            assert name in told, page
        assert "Anna (" not in told
    for kind, _, text in sent_mails(installation, db):
        if kind == "report":
            assert "Rosa (Roboter)" in text
            assert "Bert (es spielt der Vertreter)" in text
    shown = bohnenpost("game", "show", "ackerwinde", home=installation.home).output
    assert "None" not in shown
    for plays in ("a robot plays", "nobody, the stand-in plays", "Dörte, doerte@example.org"):
        assert plays in shown
    assert web.get("/api/v1/games/ackerwinde").json["robots"] == ["Rosa"]
    assert web.get("/api/v1/games").json["games"][0]["robots"] == ["Rosa"]


def test_the_text_of_a_round_keeps_to_its_72_columns(
    four: Game, web: Any, installation: Installation, db: Database
) -> None:
    with write(db):
        db.execute(
            "UPDATE seat SET player = 'Dörte von und zu Bohnenfeld am Ackerrand' WHERE name = 'Cem'"
        )
    close_due(db, installation.config, SUNDAY)
    for language, plays in (
        ("de", "Bert (es spielt der Vertreter)"),
        ("en", "Bert (the stand-in plays)"),
    ):
        lines = web.get(f"/p/ackerwinde/r1.txt?lang={language}").get_data(as_text=True).splitlines()
        assert any(plays in line for line in lines)
        assert [line for line in lines if len(line) > 72 and "/p/" not in line] == []


def test_a_closed_round_names_who_played_then(four: Game, db: Database, frozen_time: Any) -> None:
    seats = store.seats.of_game(db, "ackerwinde")
    assert store.seats.actual_players(seats, clock.now() - 1) == {"Rosa": Played("robot")}
    assert store.seats.actual_players(seats) == {
        "Rosa": Played("robot"),
        "Bert": Played("stand_in"),
        "Cem": Played("player", "Dörte"),
    }


def test_robots_are_no_players_before_the_start(
    installation: Installation, web: Any, db: Database
) -> None:
    with_robot(installation)
    assert "3 players, 1 robot" in words(web.get("/?lang=en"))
    page = words(web.get("/p/ackerwinde?lang=en"))
    assert "3 players, 1 robot" in page
    assert "Anna, Bert, Cem, Rosa (robot)" in page
    assert "Rosa (robot)" in words(web.get("/p/ackerwinde/join?lang=en"))


def test_a_robot_that_cannot_order_keeps_no_round_open(
    installation: Installation, db: Database
) -> None:
    with_robot(installation)
    start(installation)
    with write(db):
        db.execute("UPDATE game SET early_after = 0")
    for name in ("Anna", "Bert", "Cem"):
        assert not closing.make_complete_due(db, clock.now())
        send(db, store.games.existing(db, "ackerwinde"), name)
    assert closing.make_complete_due(db, clock.now())


def test_robots_do_not_count_as_silent(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    with_robot(installation)
    with installation.connection() as other:
        for name in ("Rudi", "Resi"):
            create.add_seat(
                other,
                installation.link_key,
                game="ackerwinde",
                name=name,
                address=None,
                language="de",
                robot=True,
            )
    start(installation)
    with write(db):
        db.execute("UPDATE game SET silence_guard = 1")
        db.execute("UPDATE mail SET sent_at = 1")
    for name in ("Anna", "Bert", "Cem"):
        send(db, store.games.existing(db, "ackerwinde"), name)
    frozen_time.move_to(SUNDAY)  # the robots were kept from ordering
    assert close_due(db, installation.config, SUNDAY)
    assert store.games.existing(db, "ackerwinde").round == 2


def test_the_table_of_people_is_won_by_people(
    installation: Installation, web: Any, db: Database, frozen_time: Any
) -> None:
    with_robot(installation, rounds=1)
    seat_game(installation, "beinwell", players=("Anna",), rounds=1)
    create.add_seat(
        db,
        installation.link_key,
        game="beinwell",
        name="Rosa",
        address=None,
        language="de",
        robot=True,
    )
    for game in ("ackerwinde", "beinwell"):
        start(installation, game)
    while order_robot(db, clock.now()):
        pass
    frozen_time.move_to(SUNDAY)
    while close_due(db, installation.config, SUNDAY):
        pass
    ended = {game.game.id: game for game in league.results(db, store.games.played_out(db))}
    with_people = ended["ackerwinde"]
    assert with_people.winners
    assert "Rosa" not in with_people.winners
    best = min(place.rank for place in with_people.places if place.name != "Rosa")
    assert with_people.winners == {
        p.name for p in with_people.places if p.rank == best and p.name != "Rosa"
    }
    assert ended["beinwell"].winners == frozenset()  # nobody but a robot to beat
    assert sum(player.wins for player in league.players(list(ended.values()))) == len(
        with_people.winners
    )
    assert "Rosa (robot)" in words(web.get("/table?lang=en"))
