"""Seats that do not say they are there: who may be given up before the start, and what becomes of the people behind them."""

import re
from typing import Any

import pytest
from sqlite_utils import Database

from gm import clock, store
from gm.errors import Refusal
from gm.game import setup
from gm.game.people import addresses, seating
from gm.installation import Installation
from tests.conftest import seat_game
from tests.gm.game.people.test_joining import mails, names
from tests.gm.web.desk.test_desk import enter
from tests.gm.web.desk.test_desk import post as send_desk
from tests.steps import send, words

DAY = 24 * 3600


@pytest.fixture
def asked(house: Installation, db: Database) -> None:
    """Anna, Bert and Cem were asked just now; only Anna has said that she is there."""
    seat_game(house)
    seating.ask_who_is_there(db, "ackerwinde", clock.now())
    seating.say_ready(db, addresses.seat_named(db, "ackerwinde", "Anna"), clock.now())


def begin(db: Database, **how: Any) -> None:
    setup.start_game(db, "ackerwinde", clock.now(), **how)


def test_silent_seats_are_given_up_together_only_a_day_after_the_last_question(asked: None, db: Database, hour: Any) -> None:
    hour.shift(DAY - 3600)
    before = list(db.conn.iterdump())
    with pytest.raises(Refusal, match="asked_lately") as refused:
        begin(db, drop_silent=True)
    assert refused.value.values["names"] == ["Bert", "Cem"]
    assert list(db.conn.iterdump()) == before
    seating.ask_who_is_there(db, "ackerwinde", clock.now())  # the day begins anew
    hour.shift(DAY - 1)
    with pytest.raises(Refusal, match="asked_lately"):
        begin(db, drop_silent=True)
    hour.shift(1)
    begin(db, drop_silent=True)
    assert names(db) == ["Anna"]


def test_a_question_that_was_not_mailed_again_begins_no_new_day(asked: None, db: Database, hour: Any) -> None:
    hour.shift(6 * 3600)
    seating.ask_who_is_there(db, "ackerwinde", clock.now())
    hour.shift(18 * 3600)
    begin(db, drop_silent=True)
    assert names(db) == ["Anna"]


def test_named_seats_are_given_up_at_once_and_no_others(asked: None, db: Database) -> None:
    with pytest.raises(Refusal, match="silent_seats") as refused:
        begin(db, drop=["Bert"])
    assert refused.value.values["names"] == ["Cem"]
    with pytest.raises(Refusal, match="not_silent") as refused:  # she has answered
        begin(db, drop=["Anna", "Bert", "Cem"])
    assert refused.value.values["name"] == "Anna"
    with pytest.raises(Refusal, match="no_seat"):
        begin(db, drop=["Dörte"])
    assert store.existing(db, "ackerwinde").status == "open"
    begin(db, drop=["bert", "Cem"])
    assert names(db) == ["Anna"]


def test_a_game_is_not_started_without_people(house: Installation, db: Database) -> None:
    seat_game(house, players=("Bert",))
    setup.add_seat(db, house.link_key, game="ackerwinde", name="Rosa", address=None, language="de", robot=True)
    seating.ask_who_is_there(db, "ackerwinde", clock.now())
    with pytest.raises(Refusal, match="too_few") as refused:
        begin(db, drop=["Bert"])
    assert (refused.value.values["people"], refused.value.values["least"]) == (0, 1)
    assert names(db) == ["Bert", "Rosa"]
    assert db.execute("SELECT count(*) FROM mail WHERE kind = 'dropped'").fetchone() == (0,)


def test_who_is_given_up_is_told_and_may_stay_on_the_standby_list(
    asked: None, web: Any, house: Installation, db: Database, hour: Any
) -> None:
    begin(db, drop=["Bert", "Cem"])
    told = {to: text for kind, to, text in mails(house, db) if kind == "dropped"}
    assert sorted(to[:4] for to in told) == ["bert", "cem@"]
    text = told["bert@ackerwinde.example.org"]
    assert "Hello Bert," in text
    assert "your seat was given up" in text
    found = re.search(r"https?://\S+(/standby/\S+)", text)
    assert found
    path = found[1]
    for _ in range(3):  # mail scanners open every link
        assert "Would you like to step in for somebody?" in words(web.get(path))
    send(web, path, [("whole", "yes")])  # … and press every button
    assert list(db.query("SELECT * FROM standby")) == []
    for _ in range(2):
        assert "✓ You are on the standby list." in words(send(web, path, [("on", "yes"), ("whole", "yes")]))
    assert [(row["name"], row["language"]) for row in db.query("SELECT * FROM standby")] == [("Bert", "en")]
    assert "You are on the standby list." in words(web.get(path))
    send(web, path, [("off", "yes"), ("whole", "yes")])
    assert list(db.query("SELECT * FROM standby")) == []
    assert web.get(path[:-1]).status_code == 404
    assert web.get(re.sub(r"/standby/\d+", "/standby/2", path)).status_code == 404


def test_what_is_kept_of_who_was_given_up_goes_after_a_month(asked: None, house: Installation, db: Database, hour: Any) -> None:
    begin(db, drop=["Bert", "Cem"])
    seating.stand_by(db, "bert@ackerwinde.example.org", "Bert", "en", clock.now())
    hour.shift(30 * DAY)
    seat_game(house, "beinwell", players=("Anna", "Bert"))
    seating.ask_who_is_there(db, "beinwell", clock.now())
    seating.say_ready(db, addresses.seat_named(db, "beinwell", "Anna"), clock.now())
    setup.start_game(db, "beinwell", clock.now(), drop=["Bert"])
    kept = [(row["game"], row["name"]) for row in db.query("SELECT * FROM given_up")]
    assert kept == [("ackerwinde", "Bert"), ("beinwell", "Bert")]


def test_the_desk_shows_who_would_go_and_gives_up_only_who_is_ticked(asked: None, house: Installation, db: Database) -> None:
    uli = enter(house, db)
    page = words(uli.get("/desk/game/ackerwinde"))
    assert "Give up the seat of Bert" in page
    assert "Give up the seat of Cem" in page
    assert "Give up the seat of Anna" not in page
    answer = send_desk(uli, "/desk/game/ackerwinde/start", ("drop_2", "Bert"))
    assert answer.status_code == 422
    assert 'name="drop_2" value="Bert" checked' in answer.get_data(as_text=True)
    assert names(db) == ["Anna", "Bert", "Cem"]
    assert send_desk(uli, "/desk/game/ackerwinde/start", ("drop_2", "Bert"), ("drop_3", "Cem")).status_code == 303
    assert names(db) == ["Anna"]


def test_ready_without_its_box_is_refused_in_words(asked: None, web: Any, house: Installation, db: Database) -> None:
    path = house.seat_url("ackerwinde", "Bert", 1).removeprefix(house.config.base_url)
    answer = send(web, path + "/ready", [("whole", "yes")])
    assert answer.status_code == 422
    assert "Tick the box" in words(answer)
    assert store.seats(db, "ackerwinde")[1].ready_at is None
    assert send(web, path + "/ready", [("ready", "yes"), ("whole", "yes")]).status_code == 303
    assert store.seats(db, "ackerwinde")[1].ready_at is not None
