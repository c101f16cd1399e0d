"""A round that waits for Anna alone: nobody else is asked, reminded, waited for or counted, and
Bert's orders are refused.
"""

import dataclasses
import re
from typing import Any

import pytest

from gm import clock, service, store
from gm.config import Config
from gm.deadline.closing import make_complete_due
from gm.deadline.reminders import remind
from gm.deadline.rollback import rollback
from gm.errors import Refusal
from gm.games import create
from gm.games.awaited import lists_in
from gm.games.orders import Refused, save_orders
from gm.games.reminding import remind_now
from gm.installation import Installation
from gm.service import close_due, order_robot, submit, tick
from gm.store.db import Database, write
from gm.store.games import Game
from rounds.engine.variant import Hidden, find
from rounds.postal.notation import GRAMMAR
from tests.dates import SUNDAY
from tests.steps import bohnenpost, parsed, plain_text, seat, seat_game, sign_in, start, words

HOUR, WEEK = 3600, 7 * 86400
ANNA = '["Anna"]'


def for_anna(db: Database, **changed: Any) -> Game:
    """The open round waits for Anna's list, and takes no other."""
    with write(db):
        store.games.update(db, "ackerwinde", {"awaited": ANNA, "may_order": ANNA, **changed})
    return store.games.existing(db, "ackerwinde")


@pytest.fixture
def game(ackerwinde: Game, db: Database) -> Game:
    return for_anna(db)


def link(installation: Installation, name: str) -> str:
    return installation.path("seat", "ackerwinde", name, 1)


def test_a_list_of_who_has_no_turn_is_refused_by_its_code(db: Database, game: Game) -> None:
    with pytest.raises(Refused) as refused:
        submit(db, game, seat(db, "Bert"), 1, "1>A", by="program")
    assert [problem.code for problem in refused.value.problems] == ["NOT_AWAITED"]
    assert submit(db, game, seat(db, "Anna"), 1, "1>A", by="program").is_new


def test_who_has_no_turn_sees_for_whom_the_game_waits_and_no_form(
    web: Any, installation: Installation, game: Game
) -> None:
    page = words(web.get(link(installation, "Bert")))
    assert "Waiting for Anna" in page
    assert "Submit orders" not in page
    assert "Submit orders" in words(web.get(link(installation, "Anna") + "?lang=en"))


def test_a_form_that_was_sent_out_of_turn_is_given_back(
    web: Any, installation: Installation, game: Game, db: Database
) -> None:
    fields = {
        "round": "1",
        "rev": "0",
        "to_1_1": "A",
        "press": "Good luck!",
        "action": "submit",
        "whole": "yes",
    }
    answer = web.post(link(installation, "Bert"), data=fields)
    assert answer.status_code == 409
    page = words(answer)
    assert "It is not your turn: in this round no orders are taken from you." in page
    assert "1x1&gt;A" in page
    assert "stand-in" not in page
    assert "Good luck!" in page
    assert store.lists.newest(db, "ackerwinde", 1) == {}


def test_only_who_is_awaited_is_reminded(db: Database, game: Game, frozen_time: Any) -> None:
    frozen_time.move_to(SUNDAY - 6 * HOUR + 60)
    assert remind(db, clock.now()) == 1
    assert remind_now(db, "ackerwinde", clock.now()) == []  # she was reminded a moment ago
    frozen_time.shift(HOUR)
    assert remind_now(db, "ackerwinde", clock.now()) == ["Anna"]


def test_a_round_is_closed_early_once_those_have_ordered_that_it_waits_for(
    db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    game = for_anna(db, early_after=0)
    assert not make_complete_due(db, clock.now())
    save_orders(db, game, seat(db, "Anna"), "pass")
    frozen_time.shift(25 * HOUR)
    assert make_complete_due(db, clock.now())


def test_only_awaited_lists_are_counted(db: Database, game: Game, frozen_time: Any) -> None:
    lists = lists_in(db, game)
    assert [[seat.name for seat in seats] for seats in (lists.awaited, lists.missing)] == [
        ["Anna"],
        ["Anna"],
    ]
    frozen_time.move_to(SUNDAY)
    assert close_due(db, Config(), clock.now())
    closed = store.rounds.get(db, "ackerwinde", 1)
    assert closed is not None
    assert closed.kept_waiting == {"Anna": True}
    assert store.rounds.awaited_of_players(db, "ackerwinde") == {1: (1, 1)}


def test_whose_turn_it_is_follows_from_the_table_after_every_step(
    db: Database, game: Game, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY)
    assert close_due(db, Config(), clock.now())
    after = store.games.existing(db, "ackerwinde")
    assert (after.awaited, after.may_order) == (None, None)
    for_anna(db)
    rollback(db, "ackerwinde", 1, "a slip", clock.now())
    assert store.games.existing(db, "ackerwinde").awaited is None


def test_a_robot_that_has_no_turn_orders_nothing(installation: Installation, db: Database) -> None:
    seat_game(installation)
    create.add_seat(
        db,
        installation.link_key,
        game="ackerwinde",
        name="Rosa",
        address=None,
        language="de",
        robot=True,
    )
    start(installation)
    for_anna(db)
    assert not order_robot(db, clock.now())
    with write(db):
        store.games.update(db, "ackerwinde", {"may_order": '["Anna","Rosa"]'})
    assert order_robot(db, clock.now())


def test_a_calendar_has_the_deadline_of_who_is_awaited_alone(
    web: Any, installation: Installation, game: Game
) -> None:
    feeds = {
        name: web.get(installation.path("calendar", "ackerwinde", name, 1)).text
        for name in ("Anna", "Bert")
    }
    assert "STATUS:CONFIRMED" in feeds["Anna"]
    assert "STATUS:CANCELLED" in feeds["Bert"]


def test_a_report_says_for_whom_the_next_round_waits(
    installation: Installation, db: Database, game: Game, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY)
    assert close_due(db, Config(), clock.now())
    for_anna(db)
    tick(installation)
    anna, bert = (
        parsed(next(installation.mail_folder.glob(f"*-report-seat{number}.eml")).read_bytes())
        for number in (1, 2)
    )
    assert "WAITING FOR Anna (round 2), until:" in plain_text(bert)
    assert "WAITING FOR" not in plain_text(anna)
    assert bert["Subject"].endswith("; Ackerwinde, round 2: waiting for Anna")
    assert anna["Subject"] == "Von dir kam kein Zug; Ackerwinde, Runde 2: du bist dran"
    for mail, status in ((anna, b"CONFIRMED"), (bert, b"CANCELLED")):
        (entry,) = [part for part in mail.walk() if part.get_content_type() == "application/ics"]
        assert b"STATUS:" + status in entry.get_payload(decode=True)


def test_what_is_hidden_is_told_by_the_api_once_the_game_is_over(
    web: Any, db: Database, game: Game, frozen_time: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    secretive = replace_engine(monkeypatch)
    frozen_time.move_to(SUNDAY)
    assert close_due(db, Config(), clock.now())
    path = "/api/v1/games/ackerwinde/rounds/1"
    assert "hands" not in web.get(path).json
    assert "hands" not in web.get("/p/ackerwinde/record.json").text
    with write(db):
        store.games.update(db, "ackerwinde", {"status": "finished", "deadline": None})
    assert web.get(path).json["hands"] == secretive


def replace_engine(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """From now on the game has hands that nobody may know of while it runs."""
    hands = {"Anna": ["bush"]}
    engine = dataclasses.replace(
        find("postal"), hidden=Hidden(secrets=lambda before, events, after: {"hands": hands})
    )
    monkeypatch.setattr(Game, "engine", property(lambda game: engine))
    return hands


def test_the_game_page_and_the_api_say_whom_it_waits_for(web: Any, game: Game) -> None:
    assert "Waiting for Anna" in words(web.get("/p/ackerwinde?lang=en"))
    assert web.get("/api/v1/games/ackerwinde").json["awaited"] == ["Anna"]


def test_the_desk_misses_only_the_lists_that_are_awaited(
    installation: Installation, db: Database, game: Game
) -> None:
    def seats(page: Any) -> dict[str, str]:
        blocks = re.findall(r'<li id="seat-.*?</div>', page.get_data(as_text=True), re.DOTALL)
        told = [re.sub(r"<[^>]+>", " ", block).split() for block in blocks]
        return {name: " ".join(rest) for name, *rest in told}

    def line() -> str:
        return (
            words(uli.get("/desk?lang=en"))
            .partition("Games by deadline")[2]
            .partition("New game")[0]
        )

    uli = sign_in(installation, db)
    assert seats(uli.get("/desk/game/ackerwinde?lang=en")) == {
        "Anna": "missing",
        "Bert": "not awaited",
        "Cem": "not awaited",
    }
    assert "0 of 1 Anna" in line()
    shown = bohnenpost("game", "show", "ackerwinde", home=installation.home).output
    assert [row.split()[1] for row in shown.splitlines() if row.endswith("no orders yet")] == [
        "Anna"
    ]
    submit(db, game, seat(db, "Anna"), 1, "1>A", by="program")
    assert "all 1" in line()
    assert "Anna" not in line()


def test_a_refusal_tells_the_game_master_nothing_that_is_hidden(
    db: Database, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = dataclasses.replace(find("postal"), hidden=Hidden(lambda seats: GRAMMAR))
    monkeypatch.setattr(Game, "engine", property(lambda game: engine))
    for text, codes in (
        ("9>A", ["UNSEEN"]),
        ("9>A PA", ["UNSEEN"]),
        ("9>A wrong", ["WORD"]),
        ("", ["EMPTY"]),
    ):
        with pytest.raises(Refused) as refused:
            service.enter_orders(db, "ackerwinde", "Anna", text)
        assert [problem.code for problem in refused.value.problems] == codes
    with pytest.raises(Refused) as refused:
        submit(db, ackerwinde, seat(db, "Anna"), 1, "9>A PA", by="seat")
    assert [problem.code for problem in refused.value.problems] == ["RANGE", "EMPTY_FIELD"]


def test_a_list_that_the_game_master_typed_for_another_round_is_refused(
    db: Database, ackerwinde: Game
) -> None:
    with pytest.raises(Refusal) as refused:
        service.enter_orders(db, "ackerwinde", "Anna", "pass", "3")
    assert refused.value.code == "other_round"
    assert service.enter_orders(db, "ackerwinde", "Anna", "pass", "1").is_new
