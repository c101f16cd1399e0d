"""A game that closes a round at once when all have ordered: the page asks once, the round is
over in the same request.
"""

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from gm import clock, service, store
from gm.calendar import Rule, read_rule
from gm.deadline.rollback import rollback
from gm.games import create, lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.people import seating
from gm.rendering.sentences import environment
from gm.service import tick
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import EVERY_SIX_HOURS, EVERY_SUNDAY
from tests.steps import bohnenpost, press, sign_in, words

HOUR, DAY = 3600, 86400
BY_HAND = read_rule([], "20:00", "UTC", 1, [], 0, 0)
BOX = "I know that my orders cannot be changed any more once all lists are in"


def begin(
    installation: Installation,
    db: Database,
    rule: Rule = EVERY_SIX_HOURS,
    *,
    robot: bool = False,
    **options: Any,
) -> Game:
    """Anna and Bert, or a robot in his place, at a game for two that has just begun."""
    gm = ("Uli", "uli@example.org")
    create.new_game(
        db,
        game="erbse",
        name="Erbse",
        variant="duo",
        house_rules={},
        gm=gm,
        rule=rule,
        now=clock.now(),
        **options,
    )
    create.open_game(db, "erbse")
    for name, is_robot in (("Anna", False), ("Bert", robot)):
        address = None if is_robot else f"{name.lower()}@example.org"
        create.add_seat(
            db,
            installation.link_key,
            game="erbse",
            name=name,
            address=address,
            language="en",
            robot=is_robot,
        )
    return create.start_game(db, "erbse", clock.now())


@pytest.fixture
def erbse(duo: None, installation: Installation, db: Database) -> Game:
    return begin(installation, db)


def current(db: Database) -> Game:
    return store.games.existing(db, "erbse")


def order(db: Database, name: str) -> None:
    save_orders(
        db,
        current(db),
        next(seat for seat in store.seats.of_game(db, "erbse") if seat.name == name),
        "pass",
    )


def link(installation: Installation, name: str = "Anna") -> str:
    return installation.path("seat", "erbse", name, 1)


def send(
    web: Any,
    installation: Installation,
    db: Database,
    name: str = "Anna",
    *,
    action: str = "submit",
    text: str = "pass",
    **more: str,
) -> Any:
    fields = {
        "round": str(current(db).round),
        "rev": "0",
        "text": text,
        "action": action,
        "whole": "yes",
    }
    return web.post(f"{link(installation, name)}?lang=en", data=fields | more)


def test_such_a_game_is_closed_early_without_delay_unless_it_says_otherwise(
    duo: None, installation: Installation, db: Database
) -> None:
    assert begin(installation, db).early_after == 0
    assert current(db).closes_at_once


def test_the_page_says_that_a_list_is_final_and_asks_once(
    erbse: Game, installation: Installation, db: Database, web: Any
) -> None:
    page = words(web.get(f"{link(installation)}?lang=en"))
    assert (
        "The round is closed as soon as all lists are in: then yours cannot be changed any more."
        in page
    )
    assert BOX in page
    asked = send(web, installation, db)
    assert asked.status_code == 422
    assert (
        "Not submitted yet. As soon as all lists are in yours cannot be changed any more."
        in words(asked)
    )
    assert ">\npass<" in asked.get_data(as_text=True)
    assert store.lists.newest(db, "erbse", 1) == {}
    assert "/receipt" in send(web, installation, db, final="yes").location
    receipt = words(web.get(f"{link(installation)}/receipt?lang=en"))
    assert (
        "You can change them until the last list is in: then the round is closed at once."
        in receipt
    )


def test_a_mere_check_asks_nothing_and_keeps_the_tick(
    erbse: Game, installation: Installation, db: Database, web: Any
) -> None:
    for more, ticked in (({}, 'value="yes">'), ({"final": "yes"}, 'value="yes" checked>')):
        checked = send(web, installation, db, action="check", **more)
        assert checked.status_code == 200
        assert "Checked: these orders work." in words(checked)
        assert f'id="final" name="final" {ticked}' in checked.get_data(as_text=True)
    assert store.lists.newest(db, "erbse", 1) == {}


def test_what_is_wrong_with_a_list_is_said_before_anything_is_asked(
    erbse: Game, installation: Installation, db: Database, web: Any
) -> None:
    refused = send(web, installation, db, text="99>A")
    assert refused.status_code == 422
    assert "Your orders were not accepted" in words(refused)
    assert "Not submitted yet." not in words(refused)


def test_the_last_list_closes_the_round_in_its_own_request(
    erbse: Game, installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    frozen_time.shift(HOUR)
    order(db, "Bert")
    answer = send(web, installation, db, final="yes")
    assert current(db).round == 2
    assert current(db).deadline == clock.now() + 6 * HOUR
    assert answer.location.split("?")[0] == link(installation)
    page = words(web.get(answer.location))
    assert "Your orders for round 2" in page
    assert "What happened before" in page
    # no mail server was waited for
    assert {mail.written_at for mail in store.mails.all_not_sent(db)} == {None}
    (note,) = store.notes.of_round(db, "erbse", 1)
    assert (note.kind, note.old) == ("at_once", clock.now() + 5 * HOUR)
    told = environment("en").filters["told"](note, "Europe/Berlin", "duo")
    assert told == "All lists were in: the round was closed on Fri 20 November 2026, 14:00 CET."


def by_program(installation: Installation, db: Database, web: Any) -> None:
    token = installation.api_token(store.seats.numbered(db, "erbse", 1))
    body = {"round": 1, "orders": "pass"}
    answer = web.post(
        "/api/v1/games/erbse/seat/orders", json=body, headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 201


def at_the_desk(installation: Installation, db: Database, web: Any) -> None:
    assert (
        press(
            sign_in(installation, db),
            "/desk/game/erbse/orders",
            ("seat", "Anna"),
            ("orders", "pass"),
        ).status_code
        == 303
    )


def by_command(installation: Installation, db: Database, web: Any) -> None:
    bohnenpost("game", "orders", "erbse", "Anna", "pass", home=installation.home)


@pytest.mark.parametrize("door", [by_program, at_the_desk, by_command])
@pytest.mark.parametrize("rule", [EVERY_SIX_HOURS, EVERY_SUNDAY, BY_HAND])
def test_it_does_so_at_every_door_and_with_every_schedule(
    duo: None,
    installation: Installation,
    db: Database,
    web: Any,
    door: Callable[..., None],
    rule: Rule,
) -> None:
    begin(installation, db, rule)
    order(db, "Bert")
    door(installation, db, web)
    assert current(db).round == 2


def test_a_robot_orders_with_the_next_pass_which_closes_the_round(
    duo: None, installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    begin(installation, db, robot=True)
    send(web, installation, db, final="yes")
    assert current(db).round == 1  # the robot is waited for
    frozen_time.shift(60)
    assert [closed.round for closed in tick(installation).closed] == [1]
    send(web, installation, db, final="yes")
    assert current(db).round == 3  # it had ordered with that pass


def test_a_shortest_length_does_not_hold_it_up_but_a_delay_of_the_game_does(
    duo: None, installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    rule = read_rule(["sun"], "20:00", "UTC", 1, [], 240, clock.now())
    begin(installation, db, rule, early_after=2 * HOUR)
    assert BOX not in words(web.get(f"{link(installation)}?lang=en"))
    order(db, "Bert")
    assert "/receipt" in send(web, installation, db).location
    frozen_time.shift(2 * HOUR - 1)
    assert tick(installation).closed == ()
    frozen_time.shift(1)
    assert [closed.round for closed in tick(installation).closed] == [1]


def test_a_seat_that_was_taken_away_keeps_nobody_waiting(
    erbse: Game, installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    seating.remove_seat(db, "erbse", "Bert", "gone", clock.now())
    send(web, installation, db, final="yes")
    assert current(db).round == 2
    seating.remove_seat(db, "erbse", "Anna", "gone", clock.now())
    frozen_time.shift(60)
    assert (
        tick(installation).closed == ()
    )  # a game that nobody plays does not run to its end in a moment


def test_a_round_that_was_taken_back_waits_for_new_lists(
    erbse: Game, installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    order(db, "Bert")
    send(web, installation, db, final="yes")
    rollback(db, "erbse", 1, "a typo", clock.now())
    frozen_time.shift(60)
    assert tick(installation).closed == ()
    page = words(web.get(f"{installation.path('seat', 'erbse', 'Anna', 1)}?lang=en"))
    assert "This round was opened anew: it stays open until" in page
    assert "closed as soon as all lists are in" not in page
    save_orders(db, current(db), store.seats.numbered(db, "erbse", 2), "1>A")
    send(web, installation, db, final="yes", text="2>A")
    assert current(db).round == 2


def test_mail_that_is_still_on_its_way_makes_no_silent_players(
    duo: None, installation: Installation, db: Database, web: Any
) -> None:
    begin(installation, db, silence_guard=True)
    for number in (1, 2):
        order(db, "Bert")
        send(web, installation, db, final="yes")
        assert (current(db).status, current(db).round) == ("running", number + 1)


def test_while_the_service_waits_nothing_is_closed_by_a_list(
    erbse: Game, installation: Installation, db: Database, web: Any
) -> None:
    order(db, "Bert")
    with write(db):
        store.meta.remember(db, "clock_waits", str(clock.now() + 300))
        store.meta.remember(db, "clock", f"{clock.now()} {clock.boot()}")
    assert "/receipt" in send(web, installation, db, final="yes").location
    assert current(db).round == 1


def test_a_list_that_cannot_close_its_round_for_a_busy_disk_is_stored_and_closes_it_with_the_next_pass(
    erbse: Game, installation: Installation, db: Database, web: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise sqlite3.OperationalError("database is locked")

    order(db, "Bert")
    with monkeypatch.context() as patch:
        patch.setattr(service, "close_game", busy)
        assert "/receipt" in send(web, installation, db, final="yes").location
    assert current(db).round == 1
    assert [closed.round for closed in tick(installation).closed] == [1]


def test_a_game_that_is_paused_takes_no_list_and_goes_on_as_it_was(
    erbse: Game, installation: Installation, db: Database, web: Any
) -> None:
    order(db, "Bert")
    lead.pause(db, "erbse", "", clock.now())
    assert send(web, installation, db, final="yes").status_code == 409
    lead.resume(db, "erbse", "", clock.now())
    send(web, installation, db, final="yes")
    assert current(db).round == 2


def test_by_turns_a_list_is_final_once_it_is_sent_and_the_other_seat_is_awaited(
    turns: None, installation: Installation, db: Database, web: Any
) -> None:
    begin(installation, db)
    assert "Once submitted your orders cannot be changed any more." in words(
        web.get(f"{link(installation)}?lang=en")
    )
    assert "I know that my orders cannot be changed any more once they are submitted" in words(
        send(web, installation, db)
    )
    waits = words(web.get(send(web, installation, db, final="yes").location))
    assert current(db).round == 2
    assert "Waiting for Bert" in waits
    assert "What happened before" in waits
    assert send(web, installation, db, final="yes").status_code == 409
    assert send(web, installation, db, "Bert", final="yes").status_code == 303
    assert current(db).round == 3


def test_by_turns_a_robot_and_a_seat_that_was_taken_away_play_with_the_next_pass(
    turns: None, installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    begin(installation, db, robot=True)
    send(web, installation, db, final="yes")
    assert current(db).round == 2
    frozen_time.shift(60)
    assert [closed.round for closed in tick(installation).closed] == [2]
    seating.remove_seat(db, "erbse", "Bert", "broken", clock.now())
    send(web, installation, db, final="yes")
    frozen_time.shift(60)
    assert [closed.round for closed in tick(installation).closed] == [4]
    assert current(db).awaits("Anna")


def test_the_postal_game_asks_nothing(
    installation: Installation, web: Any, ackerwinde: Game
) -> None:
    assert ackerwinde.early_after is None
    page = web.get(installation.path("seat", "ackerwinde", "Anna", 1)).get_data(as_text=True)
    assert "final" not in page
