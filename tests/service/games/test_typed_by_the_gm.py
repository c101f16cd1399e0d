"""Orders that a game master types in for a hidden hand: taken or not possible, and no more,
three times a round.
"""

from email import message_from_bytes, policy
from typing import Any
from urllib.parse import urlencode

import pytest

from gm import clock, service, store
from gm.deadline.rollback import rollback
from gm.errors import Refusal
from gm.games import create
from gm.installation import Installation
from gm.people import masters, seating
from gm.service import submit, tick, tick_mail
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web.desk import log
from rounds.engine.notation import Refused
from tests.doors import FORM
from tests.steps import bohnenpost, seat_game, sign_in, start

NAME, IMPOSSIBLE, TYPO = "saubohne", "HA", "rubbish"
SEATS = {"duel": ("Anna", "Bert"), "classic": ("Anna", "Bert", "Cem")}
POSSIBLE = {"duel": "1>A", "classic": "auto"}
TOLD_ALL = {"EMPTY_FIELD", "MUST_PLANT", "UNPLANTED", "RANGE"}


@pytest.fixture(params=sorted(SEATS))
def hidden(request: pytest.FixtureRequest, installation: Installation, db: Database) -> Game:
    """A started game whose hands are hidden."""
    seat_game(installation, NAME, players=SEATS[request.param], variant=request.param)
    start(installation, NAME)
    tick_mail(installation, clock.now())
    return store.games.existing(db, NAME)


def type_in(db: Database, text: str) -> list[str]:
    """The codes of what a game master is told; empty if the orders were taken."""
    try:
        service.enter_orders(db, NAME, "Anna", text)
    except Refused as refused:
        return [problem.code for problem in refused.problems]
    except Refusal as refusal:
        return [refusal.code]
    return []


def tries(db: Database) -> list[str]:
    """The lines of the log about what game masters typed in."""
    return [
        note.kind
        for note in store.notes.of_game(db, NAME)
        if note.kind in ("by_gm", store.notes.GM_TRIED)
    ]


@pytest.fixture
def uli(installation: Installation, db: Database, hidden: Game) -> Any:
    """The game's master, signed in at the desk."""
    browser = sign_in(installation, db)
    masters.add_master(db, NAME, "uli@example.org")
    return browser


def test_the_answer_is_not_possible_and_no_more_three_times_over_all_doors(
    installation: Installation, db: Database, hidden: Game, uli: Any
) -> None:
    def at_the_desk(text: str) -> str:
        fields = urlencode([("seat", "Anna"), ("orders", text), ("round", "1"), ("whole", "yes")])
        return str(
            uli.post(f"/desk/game/{NAME}/orders?lang=en", data=fields, content_type=FORM).text
        )

    def at_the_shell(text: str, status: int) -> str:
        return bohnenpost(
            "game", "orders", NAME, "Anna", text, home=installation.home, status=status
        ).output

    for _ in range(5):
        assert type_in(db, TYPO) == ["WORD"]  # what is wrong in the text alone does not count
    assert type_in(db, IMPOSSIBLE) == ["UNSEEN"]
    assert "These orders are not possible with this hand." in at_the_desk(IMPOSSIBLE)
    assert "not possible with this hand" in at_the_shell(IMPOSSIBLE, 1)
    for text in (IMPOSSIBLE, POSSIBLE[hidden.variant]):
        assert "3 times in round 1" in at_the_desk(text)
        assert "3 times in round 1" in at_the_shell(text, 2)
    assert type_in(db, TYPO) == ["WORD"]
    assert tries(db) == [store.notes.GM_TRIED] * 3


PROBES = {
    "classic": [
        *(
            f"zzz {name}=xyz"
            for name in (
                "stink",
                "wax",
                "chili",
                "eyed",
                "red",
                "coffee",
                "blue",
                "soy",
                "green",
                "2stink",
            )
        ),
        *(
            f"zzz h1+{name}=xyz"
            for name in ("stink", "wax", "chili", "eyed", "red", "coffee", "blue", "soy", "green")
        ),
        *(f"zzz h{number}=0" for number in range(1, 9)),
    ],
    "duel": [f"zzz {card}>{field} 2!" for card in (1, 2, 3) for field in "AB"]
    + ["zzz HA 1>A 2!", "zzz 1 2!"],
}


def test_a_text_with_a_slip_tells_nothing_of_the_hand(
    installation: Installation, db: Database, hidden: Game
) -> None:
    """Whatever stands beside the slip, the same is told of a seat that holds other cards."""
    other = "Bert" if hidden.variant == "classic" else "Anna"
    for text in PROBES[hidden.variant]:
        told = []
        for cards in (0, 1):
            with write(db):
                db.execute("UPDATE secret SET secret = ?", [bytes([cards]) * 32])
            game = store.games.existing(db, NAME)
            with pytest.raises(Refused) as refused:
                submit(db, game, seating.seat_named(db, NAME, other), 1, text, by="gm")
            told.append([(problem.code, problem.place) for problem in refused.value.problems])
        assert told[0] == told[1] != []
        assert "UNSEEN" not in [code for code, _ in told[0]]
    assert tries(db) == []


def test_orders_that_are_taken_are_not_told_and_count(
    installation: Installation, db: Database, hidden: Game
) -> None:
    out = bohnenpost(
        "game", "orders", NAME, "Anna", POSSIBLE[hidden.variant], home=installation.home
    ).output
    assert out == "version 1: taken; Anna is told\n"  # what they became would tell the hand
    assert tries(db) == ["by_gm"]
    # the round is open still; another text that comes to the same orders
    if hidden.variant == "classic":
        same = store.lists.newest(db, NAME, 1)[1].orders
        assert same != "auto"
        assert type_in(db, same) == type_in(db, "auto") == []
        assert type_in(db, "auto") == ["typed_too_often"]
        assert tries(db) == ["by_gm"] * 3


def test_a_refused_try_is_a_line_of_the_log_and_a_mail_and_nothing_that_the_chain_holds(
    installation: Installation, db: Database, hidden: Game, uli: Any, web: Any
) -> None:
    type_in(db, IMPOSSIBLE)
    said = (
        "The GM typed in orders for Anna that were not possible with this hand; nothing was stored."
    )
    assert said in uli.get(f"/desk/game/{NAME}?lang=en").text
    assert said not in web.get(f"/p/{NAME}?lang=en").text
    assert store.notes.of_round(db, NAME, 1) == []
    tick_mail(installation, clock.now())
    (mail,) = installation.mail_folder.glob("*-gm_tried-seat1.eml")
    text = message_from_bytes(mail.read_bytes(), policy=policy.default)
    assert text["Subject"] == "Saubohne: Die Spielleitung wollte für dich ziehen"
    assert installation.url("seat", NAME, "Anna", 1) in text.get_body(("plain",)).get_content()  # type: ignore[union-attr]


def test_a_dry_run_takes_no_orders(installation: Installation, db: Database, hidden: Game) -> None:
    for text in (IMPOSSIBLE, POSSIBLE[hidden.variant]):
        out = bohnenpost(
            "game", "--dry-run", "orders", NAME, "Anna", text, home=installation.home, status=2
        ).output
        assert "--dry-run does not take orders" in out
        assert not TOLD_ALL & set(out.split())
    assert tries(db) == []


def test_the_next_round_has_tries_of_its_own_and_the_log_keeps_those_of_rounds_taken_back(
    installation: Installation, db: Database, hidden: Game, frozen_time: Any
) -> None:
    for _ in range(4):
        type_in(db, IMPOSSIBLE)
    frozen_time.move_to(hidden.deadline)
    tick(installation)
    assert store.games.existing(db, NAME).round == 2
    seat = "Bert" if hidden.variant == "duel" else "Anna"
    with pytest.raises(Refused):
        service.enter_orders(db, NAME, seat, "HB HC")
    rollback(db, NAME, 1, "a letter came late", clock.now())
    assert type_in(db, IMPOSSIBLE) == ["typed_too_often"]
    assert tries(db) == [store.notes.GM_TRIED] * 4
    assert [entry.kind for entry in log.entries(db, store.games.existing(db, NAME))].count(
        store.notes.GM_TRIED
    ) == 4


def test_a_seat_is_named_or_counted_and_a_name_goes_before_a_number(
    installation: Installation, db: Database
) -> None:
    seat_game(installation, "acker", ("Anna", "Bert"))
    with installation.connection() as other:
        create.add_seat(
            other,
            installation.link_key,
            game="acker",
            name="2",
            address="two@example.org",
            language="en",
        )
    start(installation, "acker")
    for named, meant in (("1", "Anna"), ("bert", "Bert"), ("2", "2"), ("3", "2")):
        bohnenpost("game", "orders", "acker", named, "pass", home=installation.home)
        assert meant in {
            seat.name
            for seat in store.seats.of_game(db, "acker")
            if seat.number in store.lists.newest(db, "acker", 1)
        }
    assert len(store.lists.newest(db, "acker", 1)) == 3
    for late in (2, 0):
        typed = ("game", "orders", "acker", "1", "pass", "--round", late)
        told = bohnenpost(*typed, home=installation.home, status=2)
        assert f"acker stands at round 1, not {late}." in told.output
    for odd in ("0", "4", "01", "²"):
        told = bohnenpost("game", "orders", "acker", odd, "pass", home=installation.home, status=2)
        assert "There are: Anna, Bert, 2" in told.output
