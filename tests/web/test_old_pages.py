"""A form whose page is old acts on nothing that its reader did not see: it says what has changed,
keeps what was typed, and the same button goes on.
"""

import re
from html import unescape
from typing import Any

import pytest

from gm import clock, store
from gm.config import Config
from gm.deadline import rollback
from gm.games import changes, create, lead
from gm.games.changes import Wish
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.people import joining, seating
from gm.service import close_due
from gm.store.db import Database
from gm.store.games import Game
from gm.web.desk.acts import ACTS
from tests.steps import press, seat_game, sign_in, words
from tests.web.routes import PERMITTED

DAY = 24 * 3600
NOTHING = "reads nothing that can change"
LINK = "the link in its path: it dies when the seat changes hands"
CARRIES = {
    "POST /p/<game_id>/join": NOTHING,
    "POST /p/<game_id>/join/<token>": NOTHING,
    "POST /j/<int:number>/<token>": "the request in its path, which a newer one ends",
    "POST /i/<int:number>/<token>": NOTHING,
    "POST /links": NOTHING,
    "POST /opens": NOTHING,
    "POST /p/<place>/follow": NOTHING,
    "POST /follow/<int:number>/<token>": NOTHING,
    "POST /u/follow/<int:number>/<token>": NOTHING,
    "POST /u/several/<int:act>/<token>": NOTHING,
    "POST /my-games": NOTHING,
    "POST /m/<token>/away": NOTHING,
    "POST /m/<token>/renew": "the link in its path, which a newer one ends",
    "POST /practice/<variant>": NOTHING,
    "POST /z/<token>/close": "round, in its address",
    "POST /z/<token>": "round, rev",
    "POST /z/<token>/ready": LINK,
    "POST /z/<token>/again": LINK,
    "POST /z/<token>/remind": LINK,
    "POST /z/<token>/give-up": "round; the link in its path",
    "POST /z/<token>/notes": "at, of the notes that it shows",
    "POST /z/<token>/mail": LINK,
    "POST /z/<token>/address": LINK,
    "POST /z/<token>/data": LINK,
    "POST /z/<token>/renew": LINK,
    "POST /u/<token>": NOTHING,
    "POST /u/<token>/<kind>": NOTHING,
    "POST /api/v1/games/<game_id>/seat/check": "round",
    "POST /api/v1/games/<game_id>/seat/orders": "round",
    "POST /desk/sign-in": NOTHING,
    "POST /desk/sign-out": NOTHING,
    "POST /desk/link": NOTHING,
    "POST /desk/password/<address>/<proof>/enter": "the number in its proof",
    "POST /desk/password/<address>/<proof>": "the number in its proof",
    "POST /desk/standby": NOTHING,
    "POST /desk/read": "until",
    "POST /desk/several": "the games as they were shown; token, of the button",
    "POST /desk/several/undo": "act, which can be undone once",
    "POST /desk/settings": NOTHING,
    "POST /desk/masters": NOTHING,
    "POST /desk/new": NOTHING,
    "POST /desk/game/<game_id>/<act>": "seen, or as ACTS_CARRY says",
    "POST /desk/game/<game_id>/run": "round, seen",
    "POST /desk/game/<game_id>/change": "seen",
}
"""What the form of each route carries of what its reader saw."""
ACTS_CARRY = {
    **dict.fromkeys(
        ("replace", "hand_over", "remove", "link", "address", "orders", "again"), "seen"
    ),
    **dict.fromkeys(("extend", "start", "rollback", "abort"), "seen"),
    "read": "until",
    "put_away": "until",
    "resume": "the deadline that is chosen, which must still be offered",
    "seat": NOTHING,
    "invite": NOTHING,
    "ask": NOTHING,
    "open": NOTHING,
    "pause": NOTHING,
    "release": NOTHING,
    "remind": NOTHING,
    "comment": NOTHING,
    "announce": NOTHING,
    "master": NOTHING,
    "archive": NOTHING,
    "play_again": "the game, which has one that goes on from it at most",
}


def test_every_form_says_what_it_carries() -> None:
    assert CARRIES.keys() == {route for route in PERMITTED if route.startswith("POST")}
    assert ACTS_CARRY.keys() == ACTS.keys()


@pytest.fixture
def uli(installation: Installation, db: Database, ackerwinde: Game) -> Any:
    return sign_in(installation, db)


def form_of(page: str, act: str, seat: str = "") -> dict[str, str]:
    """The hidden fields of one form of a page."""
    forms = re.findall(r'<form method="post" action="([^"?]*)[^>]*>(.*?)</form>', page, re.DOTALL)
    for action, inside in forms:
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', inside))
        if action.endswith(f"/{act}") and hidden.get("seat", "") == seat:
            return {k: unescape(value) for k, value in hidden.items() if k != "whole"}
    raise AssertionError(f"no form {act} {seat}")


def act_by(web: Any, act: str, old: dict[str, str], **more: str) -> Any:
    return press(web, f"/desk/game/ackerwinde/{act}?lang=en", *{**old, **more}.items())


def replace_anna(db: Database, installation: Installation, name: str = "Zoe") -> None:
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Anna",
        player=name,
        address=f"{name.lower()}@example.org",
        language="en",
        keep_orders=False,
        reason="",
        now=clock.now(),
    )


MOVES = {"player": "Yuri", "address": "yuri@example.org", "language": "en", "orders": "drop"}
ON_A_SEAT = {
    "replace": MOVES,
    "remove": {"confirm": "Anna", "reason": ""},
    "address": {"address": "anna@example.net"},
    "link": {"renew": "yes"},
    "orders": {"orders": "pass"},
}


@pytest.mark.parametrize("act", ON_A_SEAT)
def test_an_act_on_a_seat_that_changed_hands_is_none_on_who_plays_now(
    uli: Any, installation: Installation, db: Database, act: str
) -> None:
    old = form_of(uli.get("/desk/game/ackerwinde").text, act, "Anna")
    assert "seen" in old
    replace_anna(db, installation)
    before = store.seats.numbered(db, "ackerwinde", 1)
    refused = act_by(uli, act, old, **ON_A_SEAT[act])
    assert refused.status_code == 409
    assert "Zoe plays now" in words(refused)
    assert store.seats.numbered(db, "ackerwinde", 1) == before
    assert store.lists.newest(db, "ackerwinde", 1) == {}
    again = form_of(refused.text, act, "Anna")
    assert act_by(uli, act, again, **ON_A_SEAT[act]).status_code == 303
    now = store.seats.numbered(db, "ackerwinde", 1), store.lists.newest(db, "ackerwinde", 1)
    assert now != (before, {})


def test_what_was_typed_comes_back_with_what_has_changed(
    uli: Any, installation: Installation, db: Database
) -> None:
    old = form_of(uli.get("/desk/game/ackerwinde").text, "address", "Anna")
    replace_anna(db, installation)
    refused = act_by(uli, "address", old, address="anna@example.net")
    assert 'value="anna@example.net"' in refused.text


def test_an_old_page_tells_nothing_of_a_list_that_its_player_sent(uli: Any, db: Database) -> None:
    old = form_of(uli.get("/desk/game/ackerwinde").text, "orders", "Bert")
    game, bert = store.games.existing(db, "ackerwinde"), store.seats.numbered(db, "ackerwinde", 2)
    save_orders(db, game, bert, "1>A")
    same, other = (act_by(uli, "orders", old, orders=text) for text in ("1>A", "pass"))
    assert same.status_code == other.status_code == 409


def test_a_list_that_came_since_is_not_replaced_unasked(uli: Any, db: Database) -> None:
    old = form_of(uli.get("/desk/game/ackerwinde").text, "orders", "Bert")
    game, bert = store.games.existing(db, "ackerwinde"), store.seats.numbered(db, "ackerwinde", 2)
    save_orders(db, game, bert, "1>A")
    refused = act_by(uli, "orders", old, orders="pass")
    assert refused.status_code == 409
    assert "Bert has sent orders since this page was loaded (version 1)" in words(refused)
    assert store.lists.newest(db, "ackerwinde", 1)[2].orders == "1>A"
    again = form_of(refused.text, "orders", "Bert")
    assert act_by(uli, "orders", again, orders="pass").status_code == 303
    assert store.lists.newest(db, "ackerwinde", 1)[2].orders == "pass"


def test_a_deadline_that_was_moved_since_is_not_moved_by_days_of_the_old_one(
    uli: Any, db: Database
) -> None:
    old = form_of(uli.get("/desk/game/ackerwinde").text, "extend")
    game = store.games.existing(db, "ackerwinde")
    moved = (game.deadline or 0) + 14 * DAY
    lead.extend(db, "ackerwinde", moved, "", clock.now())
    refused = act_by(uli, "extend", old, days="7")
    assert refused.status_code == 409
    assert "The deadline has moved since this page was loaded: it is" in words(refused)
    assert store.games.existing(db, "ackerwinde").deadline == moved


def test_a_game_is_not_started_with_other_seats_than_were_shown(
    installation: Installation, db: Database
) -> None:
    seat_game(installation, "ackerwinde", players=("Anna", "Bert"))
    uli = sign_in(installation, db)
    old = form_of(uli.get("/desk/game/ackerwinde").text, "start")
    seating.remove_seat(db, "ackerwinde", "Bert", "", clock.now())
    refused = act_by(uli, "start", old)
    assert refused.status_code == 409
    assert store.games.existing(db, "ackerwinde").status == "open"
    assert act_by(uli, "start", form_of(refused.text, "start")).status_code == 303


@pytest.mark.parametrize(
    ("act", "seat", "more"),
    [
        ("abort", "", {"confirm": "ackerwinde", "reason": "too few"}),
        ("remove", "Bert", {"confirm": "Bert", "reason": ""}),
    ],
)
def test_a_page_of_the_open_game_ends_nothing_once_it_has_begun(
    installation: Installation, db: Database, act: str, seat: str, more: dict[str, str]
) -> None:
    seat_game(installation, "ackerwinde", players=("Anna", "Bert"))
    uli = sign_in(installation, db)
    page = uli.get("/desk/game/ackerwinde").text
    old, start = form_of(page, act, seat), form_of(page, "start")
    assert act_by(uli, "start", start).status_code == 303
    assert "said=same" in act_by(uli, "start", start).headers["Location"]
    before = store.seats.of_game(db, "ackerwinde")
    refused = act_by(uli, act, old, **more)
    assert refused.status_code == 409
    assert "The game has begun since this page was loaded" in words(refused)
    assert store.games.existing(db, "ackerwinde").status == "running"
    assert store.seats.of_game(db, "ackerwinde") == before


def test_a_round_is_not_closed_with_other_lists_missing_than_were_shown(
    uli: Any, installation: Installation, db: Database
) -> None:
    game = store.games.existing(db, "ackerwinde")
    for number in (1, 3):
        save_orders(db, game, store.seats.numbered(db, "ackerwinde", number), "pass")
    page = uli.get("/desk/game/ackerwinde/run?lang=en")
    assert "Bert" in words(page)
    old = form_of(page.text, "run")
    replace_anna(db, installation)
    refused = act_by(uli, "run", old, confirm="ackerwinde")
    assert refused.status_code == 422
    assert "Other lists are missing now than when this page was loaded" in words(refused)
    assert store.games.existing(db, "ackerwinde").deadline == game.deadline
    assert act_by(uli, "run", form_of(refused.text, "run"), confirm="ackerwinde").status_code == 303


def test_settings_that_are_sent_twice_are_the_same(uli: Any, db: Database) -> None:
    old = form_of(uli.get("/desk/game/ackerwinde/change").text, "change")
    typed = {"name": "Winde", "gm_name": "Uli", "at": "20:00", "zone": "Europe/Berlin"}
    typed |= {"weeks": "1", "shortest": "0", "day": "sun", "action": "save"}
    first, second = (act_by(uli, "change", old, **typed) for _ in range(2))
    assert "said=done" in first.headers["Location"]
    assert "said=same" in second.headers["Location"]


def test_a_seat_that_somebody_else_took_meanwhile_is_another(
    installation: Installation, db: Database
) -> None:
    """It has the number of the one that was given up."""
    seat_game(installation, "ackerwinde", players=("Anna", "Bert"))
    uli = sign_in(installation, db)
    old = form_of(uli.get("/desk/game/ackerwinde").text, "start")
    seating.remove_seat(db, "ackerwinde", "Bert", "", clock.now())
    create.add_seat(
        db,
        installation.link_key,
        game="ackerwinde",
        name="Zoe",
        address="zoe@example.org",
        language="en",
    )
    assert act_by(uli, "start", old).status_code == 409


@pytest.mark.parametrize(
    ("act", "more"), [("orders", {"orders": "pass"}), ("extend", {"days": "7"})]
)
def test_a_page_of_another_round_is_told_that(
    uli: Any, db: Database, act: str, more: dict[str, str]
) -> None:
    seat = "Bert" if act == "orders" else ""
    save_orders(
        db,
        store.games.existing(db, "ackerwinde"),
        store.seats.numbered(db, "ackerwinde", 2),
        "pass",
    )
    old = form_of(uli.get("/desk/game/ackerwinde").text, act, seat)
    lead.run_now(db, "ackerwinde", 1, "", clock.now())
    assert close_due(db, Config(), clock.now())
    refused = act_by(uli, act, old, **more)
    assert refused.status_code == 422
    assert "round 2" in words(refused)
    assert store.lists.newest(db, "ackerwinde", 2) == {}


@pytest.mark.parametrize(
    ("act", "more"),
    [
        ("orders", {"orders": "pass"}),
        ("address", {"address": "new@example.net"}),
        ("replace", MOVES),
        ("remove", {"confirm": "Bert", "reason": ""}),
        ("extend", {"days": "7"}),
    ],
)
def test_what_is_pressed_twice_is_done_once_and_said_to_be_so(
    uli: Any, db: Database, act: str, more: dict[str, str]
) -> None:
    old = form_of(uli.get("/desk/game/ackerwinde").text, act, "" if act == "extend" else "Bert")
    first = act_by(uli, act, old, **more)
    before = store.seats.numbered(db, "ackerwinde", 2)
    second = act_by(uli, act, old, **more)
    assert ("said=done" in first.headers["Location"], second.status_code) == (True, 303)
    assert "said=same" in second.headers["Location"]
    assert store.seats.numbered(db, "ackerwinde", 2) == before


@pytest.mark.parametrize("act", ["replace", "remove"])
def test_orders_that_came_since_are_not_dropped_with_a_player_unasked(
    uli: Any, db: Database, act: str
) -> None:
    old = form_of(uli.get("/desk/game/ackerwinde").text, act, "Bert")
    game, bert = store.games.existing(db, "ackerwinde"), store.seats.numbered(db, "ackerwinde", 2)
    save_orders(db, game, bert, "1>A")
    refused = act_by(uli, act, old, **MOVES, confirm="Bert")
    assert "Bert has sent orders since this page was loaded (version 1)" in words(refused)
    assert store.lists.newest(db, "ackerwinde", 1)[2].orders == "1>A"


def test_a_round_that_was_played_again_since_is_not_taken_back_unasked(
    uli: Any, db: Database, frozen_time: Any
) -> None:
    def close() -> None:
        frozen_time.move_to(store.games.existing(db, "ackerwinde").deadline)
        assert close_due(db, Config(), clock.now())

    close()
    old = form_of(uli.get("/desk/game/ackerwinde").text, "rollback")
    rollback.rollback(db, "ackerwinde", 1, "the wrong box", clock.now())
    close()
    refused = act_by(uli, "rollback", old, reason="the wrong box")
    assert refused.status_code == 409
    assert "Round 1 was taken back and played again since this page was loaded" in words(refused)
    assert store.games.existing(db, "ackerwinde").round == 2
    again = form_of(refused.text, "rollback")
    assert act_by(uli, "rollback", again, reason="the wrong box").status_code == 303
    assert store.games.existing(db, "ackerwinde").round == 1


def test_settings_that_were_changed_since_are_not_set_back(uli: Any, db: Database) -> None:
    old = form_of(uli.get("/desk/game/ackerwinde/change").text, "change")
    changes.change(db, ["ackerwinde"], Wish(name="Winde"), "", clock.now())
    typed = {"name": "Ackerwinde", "gm_name": "Uli", "at": "20:00", "zone": "Europe/Berlin"}
    typed |= {"weeks": "1", "shortest": "0", "day": "sun", "action": "save"}
    refused = act_by(uli, "change", old, **typed)
    assert refused.status_code == 409
    assert store.games.existing(db, "ackerwinde").name == "Winde"


@pytest.mark.parametrize("act", ["comment", "announce"])
def test_words_that_are_sent_twice_are_noted_once(uli: Any, db: Database, act: str) -> None:
    old = form_of(uli.get("/desk/game/ackerwinde").text, act)
    for text in ("Well played", "Proof: well\nplayed"):
        first, second = (act_by(uli, act, old, text=text) for _ in range(2))
        assert "said=done" in first.headers["Location"]
        assert "said=same" in second.headers["Location"]
    assert len(store.notes.of_round(db, "ackerwinde", 1)) == 2


def test_a_move_that_was_asked_for_twice_shows_the_first_button_as_void(
    web: Any, installation: Installation, db: Database, ackerwinde: Game
) -> None:
    anna = store.seats.numbered(db, "ackerwinde", 1)
    for address in ("typo@example.net", "right@example.net"):
        joining.request_address(db, anna, address, clock.now())
    first, second = (
        installation.path("joining", "ackerwinde", address, number)
        for number, address in ((1, "typo@example.net"), (2, "right@example.net"))
    )
    assert press(web, first, ("mine", "yes")).status_code == 409
    assert press(web, second, ("mine", "yes")).status_code == 303
    assert store.seats.numbered(db, "ackerwinde", 1).address == "right@example.net"
