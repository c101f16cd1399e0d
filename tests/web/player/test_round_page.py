"""The page of a closed round: for everybody, and behind a personal link."""

import re
from typing import Any

import pytest

from gm import store
from gm.config import Config
from gm.deadline.rollback import rollback
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.rendering.reports import report
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from rounds.engine.variant import find, names
from tests.dates import SUNDAY
from tests.steps import form, lay_row, seat_game, send, start, words

ROW = "bush magic climbing*3 mung snap snake broad princess"


@pytest.fixture
def closed(web: Any, link: dict[str, str], db: Database, ackerwinde: Game) -> dict[str, str]:
    """Anna has planted two cards, Bert passed, Cem sent nothing; a bean of his was left to the
    stand-in.
    """
    lay_row(db, "ackerwinde", ROW)
    with write(db):
        db.execute(
            "UPDATE round SET state = json_set(state, '$.farms[2].fields[0]', json('[\"bush\",1]')) WHERE number = 0"
        )
    send(web, link["Anna"], form(to_1_1="A", to_2_1="B", press="Moin aus dem Zug"))
    send(
        web,
        link["Bert"],
        [("round", "1"), ("rev", "0"), ("pass", "yes"), ("action", "submit"), ("whole", "yes")],
    )
    close_due(db, Config(), SUNDAY)
    return link


def test_everybody_sees_who_took_what_and_nobody_is_marked(
    web: Any, closed: dict[str, str]
) -> None:
    answer = web.get("/p/ackerwinde/r1?lang=en")
    html, text = answer.get_data(as_text=True), words(answer)
    assert "Bush Anna → A Cem → A (stand-in)" in text
    assert "→ discard pile" in text
    assert "Left lying" not in text  # six varieties are too many to be named
    assert "played by the stand-in, because no orders came" in text
    assert "Cem no orders" in text
    assert "Moin aus dem Zug" in text
    assert "(you)" not in text
    assert "yourline" not in html
    assert "/z/" not in html


def test_every_step_can_be_reached_without_a_script(web: Any, closed: dict[str, str]) -> None:
    html = web.get("/p/ackerwinde/r1?lang=en").get_data(as_text=True)
    anchors = set(re.findall(r'href="#(s\d)"', html))
    assert anchors == {f"s{number}" for number in range(1, 9)}
    assert all(f'<li id="{anchor}"' in html for anchor in anchors)
    # which shows no step
    assert re.findall("<script[^>]*>", html) == ['<script src="/static/offline.js" defer>']


def test_behind_a_personal_link_the_round_begins_with_the_readers_own_line(
    web: Any, closed: dict[str, str]
) -> None:
    answer = web.get(closed["Anna"] + "/r1?lang=en")
    text = words(answer)
    assert "You: 0 talers, rank 1." in text
    assert "Anna (you)" in text
    assert "Cem (you)" not in text
    assert re.search(
        r'<li class="me">\s*<div class="fw">.*?Anna', answer.get_data(as_text=True), re.DOTALL
    )
    assert f'href="{closed["Anna"]}?lang=en">To your orders</a>' in answer.get_data(as_text=True)
    assert "noindex" in answer.get_data(as_text=True)


def test_a_field_that_needs_one_bean_more_is_named(
    web: Any, link: dict[str, str], db: Database
) -> None:
    lay_row(db, "ackerwinde", "bush bush bush*3 mung snap snake broad princess")
    send(web, link["Bert"], form(to_1_1="C", to_2_1="C"))
    close_due(db, Config(), SUNDAY)
    assert "Bush on C needs one more." in words(web.get(link["Bert"] + "/r1?lang=en"))


def test_a_round_that_is_not_closed_has_no_page(web: Any, closed: dict[str, str]) -> None:
    for number in ("0", "2", "99999", "x"):
        assert web.get(f"{closed['Anna']}/r{number}").status_code == 404
    assert web.get(f"/z/{'A' * 43}/r1").status_code == 404
    assert web.get(closed["Anna"] + "/r1").status_code == 200


def test_a_round_played_again_says_so_and_leads_to_old_and_new(
    web: Any, closed: dict[str, str], db: Database
) -> None:
    assert "Corrected" not in words(web.get("/p/ackerwinde/r1?lang=en"))
    rollback(db, "ackerwinde", 1, "A card was wrong", SUNDAY + 10)
    with write(db):
        db.execute("UPDATE game SET deadline = ?", [SUNDAY + 20])
    close_due(db, Config(), SUNDAY + 20)
    answer = web.get("/p/ackerwinde/r1?lang=en")
    assert "Corrected: This round was taken back and played again." in words(answer)
    assert "/p/ackerwinde/r1/versions?lang=en" in answer.get_data(as_text=True)


def test_the_last_round_tells_who_won_and_has_no_next_row(
    web: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation, "beinwell", rounds=1)
    start(installation, "beinwell")
    lay_row(db, "beinwell", "bush bush bush mung snap snake broad princess")
    save_orders(
        db,
        store.games.existing(db, "beinwell"),
        store.seats.of_game(db, "beinwell")[0],
        "1>A 2>A 3>A",
    )
    close_due(db, Config(), SUNDAY)
    text = words(web.get("/p/beinwell/r1?lang=en"))
    assert "Anna wins with one taler, one taler ahead of Bert and Cem" in text
    assert "The final harvest" in text
    assert "The row of round" not in text
    path = installation.path("seat", "beinwell", "Anna", 1)
    assert "You: 1 taler (+1), rank 1." in words(web.get(f"{path}/r1?lang=en"))


@pytest.mark.parametrize("variant", names())
def test_the_course_of_every_game_is_drawn_and_tabled(
    web: Any, installation: Installation, db: Database, variant: str
) -> None:
    players = ("Anna", "Bert", "Cem")[: min(3, find(variant).seats[-1])]
    seat_game(installation, "rainy", players, variant)
    start(installation, "rainy")
    assert "Course of the game" not in words(web.get("/p/rainy?lang=en"))
    for number in range(1, 4):
        close_due(db, Config(), store.games.existing(db, "rainy").deadline or 0)
        page = web.get("/p/rainy?lang=en")
        assert page.get_data(as_text=True).count("<polyline") == len(players)
        moment = report(db, store.games.existing(db, "rainy"), number).moment
        turn = getattr(moment, "turn", None)
        part, last = ("turn", turn) if turn else ("round", number)
        counted = " ".join(map(str, range(1, last + 1)))
        assert f"Talers after every {part} Player {counted} Anna" in words(page)


@pytest.mark.parametrize("variant", names())
def test_the_page_of_a_game_lists_its_turns_by_their_headlines(
    web: Any, installation: Installation, db: Database, variant: str
) -> None:
    players = ("Anna", "Bert", "Cem")[: min(3, find(variant).seats[-1])]
    seat_game(installation, "rainy", players, variant)
    start(installation, "rainy")
    told: dict[str, str] = {}
    for number in range(1, 9):
        close_due(db, Config(), store.games.existing(db, "rainy").deadline or 0)
        page = web.get(f"/p/rainy/r{number}?lang=en").get_data(as_text=True)
        first = re.search('<ul class="headlines"><li>(.+?)</li>', page)
        called = re.search("<title>(.+?) – Rainy", page)
        assert called
        told |= {called[1]: f"<span>{called[1]}: {first[1]}"} if first else {}
    page = web.get("/p/rainy?lang=en").get_data(as_text=True)
    assert told
    assert [line for line in told.values() if line not in page] == []
