"""The demo: its button leads to the report, and what its bar and its mails say is true."""

import http.client
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import html5lib
import pytest
from flask.testing import FlaskClient

from gm import clock, store
from gm.cli.demo import Demo, pages, set_up
from gm.errors import Refusal
from gm.games.orders import save_orders
from gm.store.db import write
from gm.web import create_app
from rounds.duel import variant as duel
from tests.served import served_demo

BASE = "http://localhost:8080"


def demo_of(
    home: Path, every: int | None = None, variant: str = "postal"
) -> tuple[Demo, FlaskClient, str]:
    """A demo in English, whoever looks at its pages, and the path of your personal link."""
    played, link = set_up(variant, home, BASE, "en", every)
    app = create_app(played.home)
    app.extensions["demo"] = played
    app.register_blueprint(pages)
    return played, app.test_client(), link.removeprefix(BASE)


def mail(played: Demo, kind: str) -> str:
    """The newest mail of a kind as it lies in the folder, without its line breaks."""
    newest = max(played.home.mail_folder.glob(f"*-{kind}-*.eml"))
    return " ".join(newest.read_text(encoding="utf-8").replace("=\n", "").split())


def submit(web: FlaskClient, link: str, *, press: str = "") -> None:
    form = {
        "round": "1",
        "rev": "0",
        "pass": "yes",
        "press": press,
        "note": "",
        "action": "submit",
        "whole": "yes",
    }
    assert web.post(link, data=form).status_code == 303


def bar(web: FlaskClient, link: str) -> tuple[str, list[str], str]:
    """What the bar says, the steps it names, and the one that is marked."""
    found = html5lib.parse(
        web.get(link, follow_redirects=True).text, namespaceHTMLElements=False
    ).find(".//aside[@class='demo']")
    steps = {
        " ".join("".join(step.itertext()).split()): step.get("aria-current")
        for step in found.iter("li")
    }
    marked = [name for name, is_present in steps.items() if is_present]
    return " ".join("".join(found.find(".//p").itertext()).split()), list(steps), "".join(marked)


def closed_rounds(played: Demo) -> list[dict[str, str | None]]:
    """The lists of the rounds closed so far."""
    with played.home.connection() as db:
        return [closed.lists for closed in store.rounds.closed(db, played.game)[1:]]


@pytest.fixture
def home(tmp_path: Path, frozen_time: Any) -> Path:
    return tmp_path / "demo"


def test_the_button_leads_to_the_report_whatever_was_mailed_after_it(home: Path) -> None:
    played, web, link = demo_of(home)
    submit(web, link)
    shown = web.post("/demo/close", follow_redirects=True)
    assert "<h1>Ackerwinde, round 2: your turn until" in shown.text
    submit_again = web.post(
        link,
        data={"round": "1", "rev": "1", "pass": "yes", "press": "", "note": "", "whole": "yes"},
    )
    # late, but a mail of another kind may well come behind the report
    assert submit_again.status_code == 409
    (newest,) = played.home.mail_folder.glob("*-report-*.eml")
    newest.with_name("999999-ackerwinde-r1-news-seat1.eml").write_bytes(newest.read_bytes())
    assert "-report-" in web.post("/demo/close").headers["Location"]


def test_a_receipt_lies_in_the_mailbox_at_once_and_names_the_deadline(
    home: Path, frozen_time: Any
) -> None:
    played, web, link = demo_of(home)
    submit(web, link)
    assert "Ackerwinde, round 1: orders received (version 1)</a>" in web.get("/demo").text
    assert "You can change them until Sun 22 November 2026, 20:00 CET." in mail(played, "receipt")
    web.post("/demo/close")
    assert "You can change them until Sun 22 November 2026, 20:00 CET." in mail(played, "receipt")


def test_mails_that_wait_are_written_before_the_button_moves_the_deadline(home: Path) -> None:
    played, _, _ = demo_of(home)
    with played.home.connection() as db:
        anna = store.seats.of_game(db, played.game)[0]
        save_orders(db, store.games.existing(db, played.game), anna, "pass")
    played.close()
    assert "You can change them until Sun 22 November 2026, 20:00 CET." in mail(played, "receipt")


def test_a_round_that_closes_by_itself_says_when_on_its_page_and_in_every_mail(
    home: Path, frozen_time: Any
) -> None:
    played, web, link = demo_of(home, every=90)
    assert "Fri 20 November 2026, 13:01 CET" in mail(played, "start")
    assert "Fri 20 November 2026, 13:01 CET" in web.get(link).text
    submit(web, link)
    assert "You can change them until Fri 20 November 2026, 13:01 CET." in mail(played, "receipt")
    frozen_time.shift(89)
    played.close_if_due()
    assert not list(played.home.mail_folder.glob("*-report-*.eml"))
    frozen_time.shift(1)
    played.close_if_due()
    with played.home.connection() as db:
        game = store.games.existing(db, played.game)
    assert (game.round, game.deadline) == (2, clock.now() + 90)
    assert "Fri 20 November 2026, 13:03 CET" in mail(played, "report")


def test_the_button_is_no_hurry_where_rounds_close_by_themselves(
    home: Path, frozen_time: Any
) -> None:
    played, web, _ = demo_of(home, every=90)
    frozen_time.shift(10)
    web.post("/demo/close")
    with played.home.connection() as db:
        assert store.games.existing(db, played.game).deadline == clock.now() + 90


def test_the_bar_says_whose_turn_it_is_and_marks_the_present_step(home: Path) -> None:
    played, web, link = demo_of(home)
    steps = ["Plant", "Submit", "Close the round"]
    assert bar(web, link) == ("Demo Your turn. 4 of 5 have ordered.", steps, "Plant")
    submit(web, link)
    assert bar(web, link) == ("Demo 5 of 5 have ordered.", steps, "Close the round")
    web.post("/demo/close")
    assert bar(web, link) == ("Demo Your turn. 4 of 5 have ordered.", steps, "Plant")
    with played.home.connection() as db, write(db):
        robot = store.seats.numbered(db, played.game, 2)
        store.lists.void(db, played.game, 2, robot.number, clock.now())
    assert bar(web, link)[0] == "Demo Your turn. 3 of 5 have ordered."
    for _ in range(9):
        played.close()
    assert bar(web, link) == (
        "Demo The game is over. A game with your friends: bohnenpost game new, bohnenpost serve",
        [],
        "",
    )


def test_a_press_for_another_round_or_for_none_that_can_be_read_closes_nothing(home: Path) -> None:
    played, web, _ = demo_of(home)
    for number in ("0", "2", "-1", "999", "abc", "", "1%00"):
        assert web.post(f"/demo/close?round={number}").status_code == 303
        assert closed_rounds(played) == []
    for _ in range(2):
        web.post("/demo/close?round=1")
    assert len(closed_rounds(played)) == 1


def test_in_a_game_that_closes_at_once_the_robot_answers_at_once_and_there_is_no_button(
    home: Path,
) -> None:
    played, web, link = demo_of(home, variant="duel")
    assert bar(web, link) == ("Demo Your turn.", ["Plant", "Submit"], "Plant")
    web.post("/demo/close")
    assert closed_rounds(played) == []
    with played.home.connection() as db:
        table = store.rounds.open_table(db, store.games.existing(db, played.game))
    text = duel.write_orders(table, duel.stand_in(table, "Anna"))
    shown = web.post(
        link, data={"round": "1", "rev": "0", "text": text, "typed": text, "whole": "yes"}
    )
    assert shown.status_code == 200  # the typed orders as a form, to be sent
    assert closed_rounds(played) == []
    with played.home.connection() as db:
        save_orders(
            db, store.games.existing(db, played.game), store.seats.of_game(db, played.game)[0], text
        )
    played.settle()
    assert [sorted(lists) for lists in closed_rounds(played)][:2] == [["Anna"], ["Bert"]]
    assert all(text is not None for lists in closed_rounds(played) for text in lists.values())
    assert bar(web, link)[0] == "Demo Your turn."


def test_pressed_twice_beside_many_page_loads_it_closes_one_round(tmp_path: Path) -> None:
    """A page holds a read lock while it is drawn: nothing it asks for may need another one."""
    with served_demo(tmp_path / "demo", "en", variant="classic") as (played, link):
        _, _, server, path = link.split("/", 3)

        def ask(method: str) -> int:
            with closing(http.client.HTTPConnection(server, timeout=60)) as connection:
                if method == "GET":
                    connection.request("GET", f"/{path}")
                else:
                    connection.request("POST", "/demo/close?round=1")
                return connection.getresponse().status

        with ThreadPoolExecutor(12) as people:
            answers = [*people.map(ask, ["GET"] * 4 + ["POST"] * 2 + ["GET"] * 20)]
        assert answers == [200] * 4 + [303] * 2 + [200] * 20
        assert len(closed_rounds(played)) == 1


def test_links_in_a_mail_lead_out_of_its_frame_which_runs_nothing(home: Path) -> None:
    played, web, _ = demo_of(home)
    (start,) = played.home.mail_folder.glob("*.eml")
    shown = web.get(f"/demo/mail/{start.name}")
    assert '<base target="_top">' in shown.text
    policy = shown.headers["Content-Security-Policy"]
    assert "sandbox" in policy
    assert "allow-scripts" not in policy
    assert "default-src 'none'" in policy


def test_robots_play_as_well_as_is_asked(home: Path) -> None:
    with pytest.raises(Refusal, match="bad_strength"):
        set_up("postal", home / "postal", BASE, "en", strength="weak")
    with pytest.raises(Refusal, match="bad_strength"):
        set_up("duel", home / "odd", BASE, "en", strength="Weak")
    played, _ = set_up("duel", home / "duel", BASE, "en", strength="weak")
    with played.home.connection() as db:
        assert [(seat.robot, seat.strength) for seat in store.seats.of_game(db, played.game)] == [
            (0, ""),
            (1, "weak"),
        ]
