"""The demo: its button leads to the report, and what its mails say of deadlines is true."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from gm import clock, store
from gm.demo import Demo, pages, set_up
from gm.errors import Refusal
from gm.game.orders import save_orders
from gm.web import create_app

BASE = "http://localhost:8080"


def demo_of(home: Path, every: int | None = None) -> tuple[Demo, FlaskClient, str]:
    """A demo in English, whoever looks at its pages, and the path of your personal link."""
    played, link = set_up("postal", home, BASE, "en", every)
    app = create_app(played.home)
    app.extensions["demo"] = played
    app.register_blueprint(pages)
    return played, app.test_client(), link.removeprefix(BASE)


def mail(played: Demo, kind: str) -> str:
    """The newest mail of a kind as it lies in the folder, without its line breaks."""
    newest = max(played.home.mail_folder.glob(f"*-{kind}-*.eml"))
    return " ".join(newest.read_text(encoding="utf-8").replace("=\n", "").split())


def submit(web: FlaskClient, link: str, *, press: str = "") -> None:
    form = {"round": "1", "rev": "0", "pass": "yes", "press": press, "note": "", "action": "submit", "whole": "yes"}
    assert web.post(link, data=form).status_code == 303


@pytest.fixture
def home(tmp_path: Path, hour: Any) -> Path:
    return tmp_path / "demo"


def test_the_button_leads_to_the_report_whatever_was_mailed_after_it(home: Path) -> None:
    played, web, link = demo_of(home)
    submit(web, link)
    shown = web.post("/demo/close", follow_redirects=True)
    assert "<h1>Ackerwinde R1: report, next deadline" in shown.text
    submit_again = web.post(link, data={"round": "1", "rev": "1", "pass": "yes", "press": "", "note": "", "whole": "yes"})
    assert submit_again.status_code == 409  # late, but a mail of another kind may well come behind the report
    (newest,) = played.home.mail_folder.glob("*-report-*.eml")
    newest.with_name("999999-ackerwinde-r1-news-seat1.eml").write_bytes(newest.read_bytes())
    assert "-report-" in web.post("/demo/close").headers["Location"]


def test_a_receipt_lies_in_the_mailbox_at_once_and_names_the_deadline(home: Path, hour: Any) -> None:
    played, web, link = demo_of(home)
    submit(web, link)
    assert "Ackerwinde R1: orders received (version 1)</a>" in web.get("/demo").text
    assert "You can change them until Sun 22 November 2026, 20:00 CET:" in mail(played, "receipt")
    web.post("/demo/close")
    assert "You can change them until Sun 22 November 2026, 20:00 CET:" in mail(played, "receipt")


def test_mails_that_wait_are_written_before_the_button_moves_the_deadline(home: Path) -> None:
    played, _, _ = demo_of(home)
    with played.home.connection() as db:
        anna = store.seats(db, played.game)[0]
        save_orders(db, store.existing(db, played.game), anna, "pass")
    played.close()
    assert "You can change them until Sun 22 November 2026, 20:00 CET:" in mail(played, "receipt")


def test_a_round_that_closes_by_itself_says_when_on_its_page_and_in_every_mail(home: Path, hour: Any) -> None:
    played, web, link = demo_of(home, every=90)
    assert "Fri 20 November 2026, 13:01 CET" in mail(played, "start")
    assert "Fri 20 November 2026, 13:01 CET" in web.get(link).text
    submit(web, link)
    assert "You can change them until Fri 20 November 2026, 13:01 CET:" in mail(played, "receipt")
    hour.shift(89)
    played.close_if_due()
    assert not list(played.home.mail_folder.glob("*-report-*.eml"))
    hour.shift(1)
    played.close_if_due()
    with played.home.connection() as db:
        game = store.existing(db, played.game)
    assert (game.round, game.deadline) == (2, clock.now() + 90)
    assert "Fri 20 November 2026, 13:03 CET" in mail(played, "report")


def test_the_button_is_no_hurry_where_rounds_close_by_themselves(home: Path, hour: Any) -> None:
    played, web, _ = demo_of(home, every=90)
    hour.shift(10)
    web.post("/demo/close")
    with played.home.connection() as db:
        assert store.existing(db, played.game).deadline == clock.now() + 90


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
        assert [(seat.robot, seat.strength) for seat in store.seats(db, played.game)] == [(0, ""), (1, "weak")]
