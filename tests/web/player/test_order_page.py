"""The order page and the public page, state by state, through the form a browser would send."""

import gzip
import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import gm.web
from gm import clock, store
from gm.config import Config
from gm.games import create, lead
from gm.games.orders import Replaced
from gm.installation import Installation
from gm.people import seating
from gm.rendering.sentences import environment
from gm.service import close_due, tick
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.sqlite import File
from gm.web.player import order_page
from tests.dates import SUNDAY
from tests.steps import (
    fingerprint,
    form,
    lay_row,
    parsed,
    plain_text,
    seat_game,
    send,
    start,
    stored_lists,
    words,
)


def test_a_fresh_page_says_that_nothing_is_sent_and_shows_every_card(
    web: Any, link: dict[str, str]
) -> None:
    answer = web.get(link["Anna"])
    text = words(answer)
    assert answer.status_code == 200
    assert "Noch kein Zug abgegeben" in text
    assert "So., 22. November 2026, 20:00 Uhr MEZ" in text
    assert "noch 2 Tage" in text
    assert answer.get_data(as_text=True).count('type="radio"') == 8 * 4


TYPED: dict[str, tuple[list[tuple[str, str]], str]] = {
    "postal": (form(to_1_1="A", to_2_1="B", press="Moin, Bert", note="I am away"), "1x1>A 2x1>B"),
    "duel": (form(pass_="x", text="1 plants A, my own words"), "1 plants A, my own words"),
    "classic": (
        form(plant_1="A", special="chili for cocoa", press="Moin, Bert"),
        "chili for cocoa",
    ),
}
"""A form of each game, and what is to be read of it when it comes back."""


@pytest.mark.parametrize("variant", TYPED)
@pytest.mark.parametrize("why", ["renewed", "replaced", "forgotten"])
def test_what_was_typed_behind_a_link_that_was_renewed_meanwhile_is_given_back(
    web: Any, installation: Installation, db: Database, variant: str, why: str
) -> None:
    seat_game(
        installation, "rainy", ("Anna", "Bert", "Cem")[: 2 if variant == "duel" else 3], variant
    )
    start(installation, "rainy")
    fields, text = TYPED[variant]
    old = installation.path("seat", "rainy", "Anna", 1)
    if why == "renewed":
        seating.renew_link(db, installation.link_key, "rainy", "Anna", clock.now())
    elif why == "replaced":
        seating.replace_player(
            db,
            installation.link_key,
            "rainy",
            "Anna",
            player="Dora",
            address="dora@example.org",
            language="de",
            keep_orders=True,
            reason="",
            now=clock.now(),
        )
    else:
        old = old.replace("/z/", "/z/x")
    answer = send(web, old + "?lang=en", fields)
    assert answer.status_code == 404
    assert stored_lists(db) == []
    page = words(answer).replace("&gt;", ">")
    assert text in page or (
        why != "renewed" and all(value in page for name, value in fields if name.startswith("to_"))
    )
    assert all(value in page for name, value in fields if name in ("press", "note"))
    assert ("It was not saved. Open the link in the newest mail of the game" in page) == (
        why == "renewed"
    )
    assert ("Orders in short notation" in page) == (why == "renewed" and variant == "postal")


def test_what_was_typed_comes_back_if_the_link_is_renewed_in_the_same_instant(
    web: Any,
    installation: Installation,
    link: dict[str, str],
    db: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def renew(*_: Any, **__: Any) -> None:
        seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
        raise Replaced("Anna")

    monkeypatch.setattr(order_page, "submit", renew)
    answer = send(web, link["Anna"] + "?lang=en", TYPED["postal"][0])
    assert answer.status_code == 404
    page = words(answer).replace("&gt;", ">")
    assert TYPED["postal"][1] in page
    assert "It was not saved. Open the link in the newest mail of the game" in page


@pytest.mark.parametrize("variant", TYPED)
def test_a_list_in_short_notation_behind_a_renewed_link_comes_back_as_it_was_typed(
    web: Any, installation: Installation, db: Database, variant: str
) -> None:
    seat_game(
        installation, "rainy", ("Anna", "Bert", "Cem")[: 2 if variant == "duel" else 3], variant
    )
    start(installation, "rainy")
    old = installation.path("seat", "rainy", "Anna", 1)
    seating.renew_link(db, installation.link_key, "rainy", "Anna", clock.now())
    page = words(send(web, old + "?lang=en", form(typed="1>A my own")))
    assert "What you just sent 1&gt;A my own" in page
    assert "Orders can be pasted there, under “Orders in short notation”." in page
    lead.abort(db, "rainy", "", clock.now())
    page = words(send(web, old + "?lang=en", form(typed="1>A my own")))
    assert "1&gt;A my own" in page
    assert "It was not saved" not in page


def test_what_is_remembered_of_pages_is_what_would_be_made_anew(
    web: Any, link: dict[str, str], db: Database
) -> None:
    """Rows, readers and states of the form in turn, so that each page follows another one."""
    asked: list[Callable[[], Any]] = [
        lambda: web.get(link["Anna"]),
        lambda: web.get(link["Bert"]),
        lambda: web.get(f"{link['Bert']}?fill=nmr"),
        lambda: send(web, link["Anna"], form(to_1_1="A", to_2_1="A", to_3_1="A", to_4_1="A")),
        lambda: send(web, link["Bert"], form(to_1_1="A", action="check")),
    ]
    seen = set()
    for row in (
        "bush magic climbing mung snap snake broad princess",
        "bush*3 magic climbing mung snap snake broad princess",
    ):
        lay_row(db, "ackerwinde", row)
        remembered = [ask().get_data() for _ in range(2) for ask in asked]
        for page, ask in zip(remembered, asked * 2, strict=True):
            for language in ("de", "en"):
                environment(language).globals["kept"].pieces.clear()  # type: ignore[attr-defined]
            assert page == ask().get_data()
        seen |= set(remembered)
    assert len(seen) == 2 * len(asked)


def test_what_happened_to_a_seat_that_no_list_names_takes_no_page_away(
    web: Any, link: dict[str, str], db: Database
) -> None:
    close_due(db, Config(), SUNDAY)
    with write(db):
        db.execute("UPDATE round SET orders = '{}' WHERE number = 1")
    assert [web.get(path).status_code for path in ("/p/ackerwinde", "/p/ackerwinde/r1")] == [
        200,
        200,
    ]


def test_the_language_is_the_seats_and_can_be_switched(web: Any, link: dict[str, str]) -> None:
    assert "No orders submitted yet." in words(web.get(link["Bert"]))
    assert "Noch kein Zug abgegeben" in words(web.get(link["Bert"] + "?lang=de"))
    assert "Play Bohnanza by mail" in words(web.get("/")) or "Grow beans" in words(web.get("/"))
    assert "Bohnen anbauen" in words(
        web.get("/", headers={"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"})
    )


def test_a_list_is_stored_answered_by_a_receipt_and_shown_again(
    web: Any, link: dict[str, str], db: Database
) -> None:
    answer = send(web, link["Anna"], form(to_1_1="A", to_2_1="", press="Moin"))
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{link['Anna']}/receipt")
    assert stored_lists(db) == [(1, 1, "1>A")]
    receipt = words(web.get(answer.headers["Location"]))
    assert "Fassung 1, abgegeben am Fr., 20. November 2026, 13:00 Uhr MEZ" in receipt
    assert "ann…@ackerwinde.example.org" in receipt
    assert "1>A" in receipt.replace("&gt;", ">")
    again = web.get(link["Anna"])
    assert "Fassung 1 ist abgegeben" in words(again)
    assert re.search(r'name="to_1_1" value="A" checked', again.get_data(as_text=True))
    assert "Moin" in again.get_data(as_text=True)


def test_checking_stores_nothing_and_says_so(web: Any, link: dict[str, str], db: Database) -> None:
    answer = send(web, link["Anna"], form(to_1_1="A", press="Moin", action="check"))
    text = words(answer)
    assert answer.status_code == 200
    assert "Geprüft: dieser Zug geht so. Er ist noch nicht abgegeben." in text
    assert "Moin" in text
    assert stored_lists(db) == []
    assert db.execute("SELECT count(*) FROM press").fetchone()[0] == 0


def test_an_illegal_list_comes_back_with_every_problem_at_its_control(
    web: Any, link: dict[str, str], db: Database
) -> None:
    send(web, link["Anna"], form(to_1_1="A"))
    answer = send(
        web,
        link["Anna"],
        form(to_1_1="A", pre_1_1="HB", pre_end=["HA", "PC"], press="Bleibt", note="auch"),
    )
    html, text = answer.get_data(as_text=True), words(answer)
    assert answer.status_code == 422
    assert "<title>Fehler: " in html
    assert "deine Fassung 1 gilt weiter" in text
    assert 'href="#pre_1_1"' in html
    assert 'href="#pre_end"' in html
    assert "Feld B ist an dieser Stelle leer." in text
    assert "Feld C ist an dieser Stelle leer." in text
    assert "Bleibt" in html
    assert 'value="auch"' in html
    assert 'value="PC" checked' in html
    assert stored_lists(db) == [(1, 1, "1>A")]


def test_an_untouched_form_is_refused_as_empty_and_only_the_box_passes(
    web: Any, link: dict[str, str], db: Database
) -> None:
    answer = send(web, link["Bert"], form(to_1_1=""))
    assert answer.status_code == 422
    assert "To plant nothing, say so" in words(answer)
    assert 'href="#pass"' in answer.get_data(as_text=True)
    assert stored_lists(db) == []
    assert send(web, link["Bert"], form(1, **{"pass": "yes"})).status_code == 303
    assert stored_lists(db) == [(1, 2, "pass")]
    assert 'name="pass" value="yes" checked' in web.get(link["Bert"]).get_data(as_text=True)
    both = send(web, link["Bert"], form(1, to_1_1="A", **{"pass": "yes"}))
    assert both.status_code == 422
    assert "stands alone" in words(both)


def test_a_late_list_is_given_back_and_not_stored(
    web: Any, link: dict[str, str], db: Database, frozen_time: Any
) -> None:
    send(web, link["Anna"], form(to_1_1="A"))
    frozen_time.move_to(SUNDAY)
    answer = send(web, link["Anna"], form(to_2_1="B", press="Zu spät"))
    text = words(answer).replace("&gt;", ">")
    assert answer.status_code == 409
    assert "Der Abgabetermin ist vorbei" in text
    assert "Deine Fassung 1" in text
    assert "1>A" in text
    assert "2x1>B" in text or "2>B" in text
    assert "Zu spät" in text
    assert stored_lists(db) == [(1, 1, "1>A")]
    assert "wird ausgewertet" in words(web.get(link["Anna"]))


def test_the_browsers_own_time_does_not_count(
    web: Any, link: dict[str, str], db: Database, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY)
    early = {
        "Date": "Fri, 20 Nov 2026 12:00:00 GMT",
        "If-Unmodified-Since": "Fri, 20 Nov 2026 12:00:00 GMT",
    }
    assert send(web, link["Anna"], form(to_1_1="A"), headers=early).status_code == 409
    assert stored_lists(db) == []


def test_a_page_of_another_round_is_never_applied_to_this_one(
    web: Any, link: dict[str, str], db: Database, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY)
    close_due(db, Config(), SUNDAY)
    for number in (1, 3, 99999):
        answer = send(web, link["Anna"], form(number, to_1_1="A"))
        assert answer.status_code == 409
        assert "Er war für eine andere Runde als die, die offen ist." in words(answer)
    assert stored_lists(db) == []


def test_an_older_page_says_what_it_replaced_unseen(
    web: Any, link: dict[str, str], db: Database
) -> None:
    send(web, link["Anna"], form(to_1_1="A"))
    answer = send(web, link["Anna"], form(to_2_1="A"))
    assert "die die abgeschickte Seite noch nicht kannte" in words(
        web.get(answer.headers["Location"])
    )
    assert [orders for *_, orders in stored_lists(db)] == ["1>A", "2>A"]


def test_a_double_click_makes_one_revision(web: Any, link: dict[str, str], db: Database) -> None:
    assert [send(web, link["Anna"], form(to_1_1="A")).status_code for _ in range(3)] == [
        303,
        303,
        303,
    ]
    assert stored_lists(db) == [(1, 1, "1>A")]


@pytest.mark.parametrize(
    "body",
    [
        urlencode([*form(to_1_1="A")[:-1]]),  # B057: no sentinel
        urlencode([*form(to_1_1="A"), ("whole", "yes")]),
        urlencode(form(to_1_1="A")).encode() + b"&press=\xff\xfe",  # B055
        urlencode(form(to_9_1="A")),  # B059
        urlencode(form(to_1_1="D")),
        urlencode(form(seat="2", to_1_1="A")),  # B064
        urlencode(form(is_gm="1", to_1_1="A")),
        urlencode(form(to_1_1=["A", "B"])),  # B069
        urlencode(form(pre_1_1=["HA", "HA"])),
        urlencode(form(to_1_1="A", action="delete")),
        urlencode(form(to_1_1="A")).replace("round=1", "round=%D9%A1"),  # B089
        urlencode(form(to_1_1="A")).replace("rev=0", "rev=-1"),
    ],
)
def test_a_form_that_is_not_ours_or_not_whole_changes_nothing(
    web: Any, link: dict[str, str], db: Database, body: Any
) -> None:
    answer = web.post(link["Anna"], data=body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400
    assert "kam beschädigt an" in words(answer) or "arrived damaged" in words(answer)
    assert stored_lists(db) == []


def test_other_kinds_of_bodies_change_nothing(web: Any, link: dict[str, str], db: Database) -> None:
    cut = b'--x\r\nContent-Disposition: form-data; name="round"\r\n\r\n1\r\n--x\r\nContent-Dis'
    assert (
        web.post(link["Anna"], data=cut, content_type="multipart/form-data; boundary=x").status_code
        == 400
    )
    assert web.post(link["Anna"], data=b"{}", content_type="application/json").status_code == 415
    assert (
        web.post(
            link["Anna"], data=b"x" * 70_000, content_type="application/x-www-form-urlencoded"
        ).status_code
        == 413
    )
    many = urlencode([*form(), *[("x", "1")] * 801])
    assert (
        web.post(
            link["Anna"], data=many, content_type="application/x-www-form-urlencoded"
        ).status_code
        == 413
    )
    assert stored_lists(db) == []


def test_a_form_from_another_site_changes_nothing(
    web: Any, link: dict[str, str], db: Database
) -> None:
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ):
        assert send(web, link["Anna"], form(to_1_1="A"), headers=headers).status_code == 403
    assert stored_lists(db) == []
    for headers in (
        {"Sec-Fetch-Site": "same-origin"},
        {"Origin": "http://localhost:8080"},
        {"Referer": "http://localhost:8080/p/x"},
        {},
    ):
        assert send(web, link["Anna"], form(to_1_1="A"), headers=headers).status_code == 303


def test_no_other_method_does_anything(web: Any, link: dict[str, str], db: Database) -> None:
    for method in ("put", "delete", "patch"):
        assert getattr(web, method)(link["Anna"]).status_code == 405
    assert web.post("/").status_code == 405


def test_press_that_is_too_long_comes_back_with_both_figures(
    web: Any, link: dict[str, str], db: Database
) -> None:
    answer = send(web, link["Anna"], form(to_1_1="A", press="x" * 2001, note="y" * 301))
    text = words(answer)
    assert answer.status_code == 422
    assert "Presse: Dieser Text hat 2001 Zeichen; höchstens 2000 passen." in text
    assert "Nur für die Spielleitung: Dieser Text hat 301 Zeichen; höchstens 300 passen." in text
    assert {"#press", "#note"} <= set(
        re.findall(r'<li><a href="([^"]+)"', answer.get_data(as_text=True))
    )
    assert "x" * 2001 in answer.get_data(as_text=True)
    assert stored_lists(db) == []


def test_the_browser_cuts_nothing_of_press_that_is_too_long(web: Any, link: dict[str, str]) -> None:
    fields = re.findall(
        r'<(?:textarea|input type="text")[^>]+>', web.get(link["Anna"]).get_data(as_text=True)
    )
    assert len(fields) == 3  # a list in short notation, press, a note
    assert not any("maxlength" in field for field in fields)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("from\u2028Word\u2029pasted\x85in", "from\nWord\npasted\nin"),
        ("a bell\a, a \x00 nothing, \x1b[1mbold", "a bell, a  nothing, [1mbold"),
        ("turned \u202eabout\u202c, \u2066set apart\u2069", "turned about, set apart"),
        ("a page\x0cand a tab\x0band\tblanks", "a page\nand a tab\nand\tblanks"),
        (" \x01 ", ""),
    ],
)
def test_what_cannot_be_read_in_press_is_left_out_and_costs_nobody_the_orders(
    web: Any, link: dict[str, str], db: Database, typed: str, kept: str
) -> None:
    assert (
        send(web, link["Anna"], form(to_1_1="A", press=typed, note="to\x00 Uli")).status_code == 303
    )
    assert db.execute("SELECT text, to_gm FROM press").fetchall() == [(kept, "to Uli")]
    assert [orders for _, _, orders in stored_lists(db)] == ["1>A"]


def test_the_receipt_promises_a_mail_only_where_there_is_one(
    web: Any, link: dict[str, str], db: Database, installation: Installation
) -> None:
    def told() -> str:
        return words(web.get(link["Bert"] + "/receipt"))

    def became(**changed: Any) -> None:
        with write(db):
            (mail,) = db.execute("SELECT id FROM mail WHERE kind = 'receipt'").fetchone()
            store.mails.update(db, mail, changed)

    send(web, link["Bert"], form(to_1_1="A"))
    assert "A receipt is on its way to ber…@ackerwinde.example.org." in told()
    became(failed_at=1, error="550 5.1.1 unknown")
    assert (
        "No receipt could be mailed to ber…@ackerwinde.example.org; the orders count all the same."
        in told()
    )
    became(failed_at=None, sent_at=1)
    assert "A receipt was mailed to ber…@ackerwinde.example.org." in told()
    became(address="somebody@else.example.org")
    assert "else.example.org" not in told()
    with write(db):
        db.execute("UPDATE seat SET receipts = 0")
    send(web, link["Bert"], form(to_1_1="B"))
    assert "receipt is" not in told()
    assert "receipt was" not in told()


def test_press_changed_alone_says_that_the_orders_are_what_they_were(
    web: Any, link: dict[str, str], db: Database, frozen_time: Any
) -> None:
    send(web, link["Bert"], form(to_1_1="A", press="Moin"))
    frozen_time.shift(600)
    other = words(
        web.get(
            send(web, link["Bert"], form(to_1_1="A", press="Moin", note="Away on Monday")).headers[
                "Location"
            ]
        )
    )
    assert "Your words are saved" in other
    assert (
        "Orders unchanged: version 1 of Fri 20 November 2026, 13:00 CET. Your words are saved with them."
        in other
    )
    assert "on its way" not in other
    same = words(
        web.get(
            send(web, link["Bert"], form(to_1_1="A", press="Moin", note="Away on Monday")).headers[
                "Location"
            ]
        )
    )
    assert "Nothing has changed" in same
    assert "Your words are saved" not in same
    assert len(stored_lists(db)) == 1
    new = words(
        web.get(send(web, link["Bert"], form(to_1_1="B", press="Moin")).headers["Location"])
    )
    assert "Version 2, submitted on Fri 20 November 2026, 13:10 CET" in new


def test_the_receipt_holds_what_was_written_to_all_and_to_the_gm(
    web: Any, link: dict[str, str], db: Database, installation: Installation
) -> None:
    send(web, link["Bert"], form(to_1_1="A", press="Good <beans>", note="Away on Monday"))
    page = words(web.get(link["Bert"] + "/receipt"))
    tick(installation)
    (file,) = installation.mail_folder.glob("*-receipt-*.eml")
    mail = plain_text(parsed(file.read_bytes()))
    for told in (page.replace("&lt;", "<").replace("&gt;", ">"), mail):
        assert "Good <beans>" in told
        assert "Away on Monday" in told
    assert "Your press: Good <beans> " in mail
    assert "For the GM only: Away on Monday " in mail


def test_opening_links_changes_nothing_however_often(
    web: Any, link: dict[str, str], installation: Installation
) -> None:
    before = fingerprint(installation)
    for name in ("Anna", "Bert", "Cem"):
        for path in (
            link[name],
            link[name] + "/receipt",
            link[name] + "?fill=nmr",
            "/p/ackerwinde",
            "/",
        ):
            for _ in range(3):
                assert web.get(path).status_code == web.head(path).status_code < 400
    assert fingerprint(installation) == before


def test_links_that_open_nothing_all_answer_alike(
    web: Any, link: dict[str, str], db: Database, installation: Installation
) -> None:
    older = installation.path("seat", "ackerwinde", "Anna", 0)
    paths = [
        link["Dörte"],
        older,
        "/z/" + "A" * 43,
        link["Anna"][:-1],
        link["Anna"] + "x",
        link["Anna"] + "%0a",
        "/z/%ff%fe",
    ]
    answers = [web.get(path) for path in paths]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.get_data() for answer in answers}) == 1
    assert send(web, link["Dörte"], form(to_1_1="A")).status_code == 404
    assert stored_lists(db) == []


@pytest.mark.parametrize(
    "path",
    [
        "/p/..%2f..%2fetc",
        "/p/a%00b",
        "/p/ackerwinde%0a",
        "/p/Ackerwinde",
        "/p/%ff",
        "/p/" + "a" * 33,
        "/nothing",
    ],
)
def test_odd_addresses_lead_nowhere(web: Any, ackerwinde: Game, path: str) -> None:
    assert web.get(path).status_code == 404


def test_another_host_name_is_not_served(web: Any, link: dict[str, str]) -> None:
    assert web.get(link["Anna"], headers={"Host": "evil.example"}).status_code == 400


def test_every_answer_carries_the_headers(web: Any, link: dict[str, str]) -> None:
    for path in ("/", "/p/ackerwinde", link["Anna"], "/z/nothing", "/static/app.css"):
        with web.get(path) as answer:
            headers = answer.headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Set-Cookie" not in headers
    private = web.get(link["Anna"]).headers
    assert (private["Cache-Control"], private["X-Robots-Tag"]) == ("no-store", "noindex")


def test_what_was_typed_is_never_markup(
    web: Any, link: dict[str, str], db: Database, frozen_time: Any
) -> None:
    evil = "<script>alert(1)</script>{{7*7}}</textarea>"
    send(web, link["Anna"], form(to_1_1="A", press=evil))
    assert evil not in web.get(link["Anna"]).get_data(as_text=True)
    frozen_time.move_to(SUNDAY)
    close_due(db, Config(), SUNDAY)
    page = web.get("/p/ackerwinde").get_data(as_text=True)
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;{{7*7}}&lt;/textarea&gt;" in page


def test_a_locked_database_says_not_saved_and_gives_the_orders_back(
    web: Any,
    link: dict[str, str],
    installation: Installation,
    db: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gm.store.sqlite.WAIT_SECONDS", 0.05)
    with write(db):
        answer = send(web, link["Anna"], form(to_1_1="A"))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
    text = words(answer).replace("&gt;", ">")
    assert "1x1>A" in text
    assert stored_lists(db) == []


@pytest.mark.file
def test_no_read_of_a_locked_database_says_not_saved(
    web: Any, link: dict[str, str], db: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.store.sqlite.WAIT_SECONDS", 0.05)
    db.conn.execute("PRAGMA query_only=0")
    db.conn.execute("BEGIN EXCLUSIVE")
    for path in (link["Anna"], "/p/ackerwinde", "/api/v1/games"):
        answer = web.get(f"{path}?lang=en")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
        assert "cannot be shown just now" in answer.get_data(as_text=True)
        assert "saved" not in answer.get_data(as_text=True).lower()
    db.rollback()


def test_a_fault_of_ours_is_told_in_words_without_a_traceback(
    web: Any, link: dict[str, str], db: Database
) -> None:
    with write(db):
        db.execute("UPDATE round SET state = '{}'")
    answer = web.get(link["Anna"])
    assert answer.status_code == 500
    assert "Traceback" not in answer.get_data(as_text=True)
    assert "Hier ist etwas schiefgegangen" in words(answer)


@pytest.mark.parametrize("listed", [True, False])
def test_before_the_start_pages_say_what_it_is_who_is_in_and_how_others_get_in(
    web: Any, installation: Installation, db: Database, *, listed: bool
) -> None:
    seat_game(installation, "beinwell")
    with write(db):
        store.games.update(db, "beinwell", {"listed": int(listed)})
    game = store.games.existing(db, "beinwell")
    path = installation.path("seat", "beinwell", "Anna", 1)
    public = installation.game_url(game).removeprefix(installation.config.base_url)
    assert send(web, path, form(to_1_1="A")).status_code == 409
    pages = [web.get(f"{page}?lang=en") for page in (path, public)]
    for page in pages:
        assert "the same for everybody" in words(page)
        assert "In: Anna, Bert, Cem." in words(page)
        assert 'href="/rules/postal?lang=en"' in page.text
    assert "3 are in" in words(pages[0])
    assert "The game has not started yet" in words(pages[1])
    door = f"{public}/join" if listed else installation.path("invitation", "beinwell")
    assert [door in page.text for page in pages] == [True, listed]
    assert web.get(door).status_code == 200


def test_a_game_that_takes_nobody_offers_no_link_to_a_seat(
    web: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation, "beinwell")
    with write(db):
        store.games.update(db, "beinwell", {"seats": 3})
    page = web.get(installation.path("seat", "beinwell", "Anna", 1) + "?lang=en")
    assert "3 of 3 are in" in words(page)
    for text in (page.text, web.get("/p/beinwell").text):
        assert "/join" not in text
        assert "<svg viewBox" not in text.partition("<main")[2]


def test_open_games_stand_in_the_order_of_what_is_missing(
    web: Any, installation: Installation, db: Database
) -> None:
    for game, seats in (("full", 3), ("one-missing", 4), ("many-missing", 7), ("begins", None)):
        seat_game(installation, game)
        with write(db):
            store.games.update(db, game, {"seats": seats})
    page = web.get("/?lang=en").text
    found = re.findall(r'class="offer"><div><a href="/p/([a-z-]+)', page)
    assert found == ["begins", "one-missing", "many-missing", "full"]


def test_a_held_game_takes_no_orders_and_says_so(
    web: Any, link: dict[str, str], db: Database
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"status": "held"})
    assert "angehalten" in words(web.get(link["Anna"]))
    assert send(web, link["Anna"], form(to_1_1="A")).status_code == 409
    assert "The game is held" in words(web.get("/p/ackerwinde?lang=en"))


def test_the_link_of_a_finished_game_shows_its_end(
    web: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation, "beinwell", rounds=1)
    start(installation, "beinwell")
    path = installation.path("seat", "beinwell", "Anna", 1)
    assert "Das ist die letzte Runde" in words(web.get(path))
    close_due(db, Config(), SUNDAY)
    assert "(du)" in words(web.get(path))
    end = words(web.get("/p/beinwell?lang=en"))
    assert "Anna, Bert and Cem win together" in end
    assert "Anna, Bert und Cem gewinnen gemeinsam" in words(web.get("/p/beinwell?lang=de"))


def test_the_public_page_tells_the_round_and_only_the_number_of_lists(
    web: Any, link: dict[str, str], db: Database, frozen_time: Any
) -> None:
    before = words(web.get("/p/ackerwinde?lang=en"))
    send(web, link["Anna"], form(to_1_1="A", press="Geheim bis Sonntag"))
    after = words(web.get("/p/ackerwinde?lang=en"))
    assert after == before.replace("0 of 3 orders in", "1 of 3 orders in")
    frozen_time.move_to(SUNDAY)
    close_due(db, Config(), SUNDAY)
    told = words(web.get("/p/ackerwinde?lang=en"))
    for word in (
        "round 2 of 10",
        "Geheim bis Sonntag",
        "no orders in round 1",
        "84 cards, in no order",
    ):
        assert word in told


def test_a_comment_of_the_gm_is_printed(web: Any, ackerwinde: Game, db: Database) -> None:
    create.comment(db, "ackerwinde", "Schönen Advent!", SUNDAY - 10)
    close_due(db, Config(), SUNDAY)
    assert "Schönen Advent!" in words(web.get("/p/ackerwinde"))
    assert [note.kind for note in store.notes.of_round(db, "ackerwinde", 1)] == ["comment"]


def test_the_stand_in_can_be_used_as_a_start(web: Any, installation: Installation) -> None:
    seat_game(installation, "beinwell", nmr_empty=True)
    start(installation, "beinwell")
    path = installation.path("seat", "beinwell", "Bert", 1)
    html = web.get(path + "?fill=nmr").get_data(as_text=True)
    assert 'name="to_1_1" value="A" checked' in html
    assert "It is not submitted" in html


def test_a_start_that_plants_nothing_does_not_tick_the_box(web: Any, link: dict[str, str]) -> None:
    assert " checked" not in re.sub(
        'name="to_[^>]*', "", web.get(link["Anna"] + "?fill=nmr").get_data(as_text=True)
    )


def test_all_versions_are_listed_and_one_can_be_taken_again(
    web: Any, link: dict[str, str], db: Database
) -> None:
    for field in ("A", "B"):
        send(web, link["Anna"], form(to_1_1=field))
    page = web.get(link["Anna"])
    assert "Fassung 1" in words(page)
    assert 'href="?fill=1&amp;lang=de"' in page.get_data(as_text=True)
    older = web.get(link["Anna"] + "?fill=1").get_data(as_text=True)
    assert "Eingetragen ist deine Fassung 1" in older
    assert re.search(r'name="to_1_1" value="A" checked', older)
    assert [orders for *_, orders in stored_lists(db)] == ["1>A", "1>B"]
    assert web.get(link["Anna"] + "?fill=99").status_code == 200
    assert web.get(link["Anna"] + "?fill=%00").status_code == 200


def test_a_list_in_short_notation_fills_the_form_in_by_the_same_checks(
    web: Any, link: dict[str, str], db: Database
) -> None:
    lay_row(db, "ackerwinde", "bush*3 snake magic mung snap snake broad princess", "- - snake*4 2")
    path = f"{link['Anna']}?lang=en"
    for how in ("check", "submit"):
        answer = send(web, path, form(to_1_1="B", typed="1x2>a\n2>c hc", press="Moin", action=how))
        html = answer.get_data(as_text=True)
        assert answer.status_code == 200
        assert re.findall(r'name="(to_\d_\d)" value="([ABC])" checked', html) == [
            ("to_1_1", "A"),
            ("to_1_2", "A"),
            ("to_2_1", "C"),
        ]
        assert re.findall(r'name="(pre_\w+)" value="(\w\w)" checked', html) == [("pre_end", "HC")]
        assert "They are not submitted yet." in words(answer)
        assert "Moin" in html
    refused = send(web, path, form(to_1_1="B", typed="1>A 9>B HB", action="check"))
    html, text = refused.get_data(as_text=True), words(refused)
    assert refused.status_code == 422
    assert "Checked: these orders do not work" in text
    assert "not accepted" not in text
    assert "Orders in short notation: There is no position 9; the row has 1 to 8." in text
    assert re.search(r"1&gt;A 9&gt;B HB</textarea>", html)
    assert re.findall(r'name="(to_\d_\d)" value="([ABC])" checked', html) == [("to_1_1", "B")], (
        "the form stays as it was"
    )
    assert stored_lists(db) == []


def test_a_pass_in_short_notation_is_a_pass(web: Any, link: dict[str, str], db: Database) -> None:
    assert re.search(
        r'name="pass" value="yes" checked',
        send(web, link["Anna"], form(typed="pass")).get_data(as_text=True),
    )
    assert stored_lists(db) == []


def test_the_farms_of_the_others_are_folded_below_the_row(
    web: Any, link: dict[str, str], db: Database
) -> None:
    lay_row(
        db, "ackerwinde", "bush magic climbing mung snap snake broad princess", "- bush*3 snake*4 2"
    )
    page = web.get(f"{link['Anna']}?lang=en").get_data(as_text=True)
    rivals = page[page.index('<details class="panel acc" id="rivals">') :].partition("</details>")[
        0
    ]
    assert re.findall(r"<b>(\w+)</b><span", rivals) == ["Bert", "Cem"]
    assert rivals.count("3 Bush") == rivals.count("4 Snake") == 2


def test_each_closed_round_has_a_page_and_a_text_without_personal_links(
    web: Any, link: dict[str, str], db: Database
) -> None:
    send(web, link["Anna"], form(to_1_1="A", press="Moin aus dem Zug"))
    close_due(db, Config(), SUNDAY)
    page = words(web.get("/p/ackerwinde/r1?lang=de"))
    assert "Runde 1 von 10" in page
    assert "Moin aus dem Zug" in page
    answer = web.get("/p/ackerwinde/r1.txt?lang=de")
    text = answer.get_data(as_text=True)
    assert answer.mimetype == "text/plain"
    assert "Moin aus dem Zug" in text
    assert "/z/" not in text
    assert max(len(line) for line in text.splitlines()) <= 72
    for path in ("r0", "r2", "r2.txt", "r01", "r-1", "r\u0661", "r1.html", "r99999"):
        assert web.get(f"/p/ackerwinde/{path}").status_code == 404


def test_chances_are_shown_for_the_next_row(web: Any, link: dict[str, str]) -> None:
    assert "Aussichten für die nächste Reihe" in words(web.get(link["Anna"]))
    assert "Chances for the next row" in words(web.get("/p/ackerwinde?lang=en"))


def test_every_version_shows_its_digest_and_what_it_changed(
    web: Any, link: dict[str, str], db: Database
) -> None:
    lay_row(db, "ackerwinde", "bush magic climbing mung snap snake broad princess")
    for controls in ({"to_1_1": "A"}, {"to_1_1": "A", "to_3_1": "B"}, {"to_1_1": "C"}):
        send(web, link["Bert"], form(**controls))
    text = words(web.get(link["Bert"]))
    assert text.count("Compared with the version before:") == 2
    assert re.search(r"Version 2 .* before: \+ Pos. 3: [A-Z]\w+ → B Digest", text)
    assert re.search(
        r"Version 3 .* before: − Pos. 1: [A-Z]\w+ → A; − Pos. 3: [A-Z]\w+ → B; \+ Pos. 1: [A-Z]\w+ → C Digest",
        text,
    )
    newest = store.lists.revisions(db, "ackerwinde", 1, 2)[0]
    digest = newest.digest("Bert")
    assert digest is not None
    assert digest[:16] in text
    assert newest.salt is not None
    fields = (b"bohn1.receipt", b"ackerwinde", b"1", b"Bert", b"3", newest.salt, b"1>C")
    assert (
        hashlib.sha256(b"".join(len(f).to_bytes(4, "big") + f for f in fields)).hexdigest()
        == digest
    )
    receipt = words(web.get(link["Bert"] + "/receipt"))
    assert digest in receipt
    assert newest.salt.hex() in receipt


@pytest.mark.parametrize(
    ("row", "limit"),
    [
        ("bush*3 magic climbing*3 mung snap snake broad princess", 60_000),
        ("bush*20 magic*5 climbing*9 mung snap snake*2 broad princess", 100_000),
    ],
)
def test_an_order_page_is_light(
    web: Any, link: dict[str, str], db: Database, row: str, limit: int
) -> None:
    """12 and 40 cards, everything sent, planned and refused, in the longer language; style and
    script are shared by all pages.
    """
    lay_row(db, "ackerwinde", row)
    fields = form(to_1_1="A", to_2_1="B", to_3_1="C", pre_end=["HA", "PA"], press="x" * 2000)
    answer = send(web, link["Anna"] + "?lang=de", fields)
    assert answer.status_code == 422
    send(web, link["Anna"], form(to_1_1="A", to_2_1="B", to_3_1="C", press="x" * 2000))
    for page in (answer, web.get(link["Anna"])):
        assert len(page.data) <= limit


def test_an_order_page_with_all_it_loads_stays_below_96_000_bytes_and_30_000_packed(
    web: Any, link: dict[str, str], db: Database
) -> None:
    lay_row(
        db,
        "ackerwinde",
        "bush magic climbing mung snap snake broad princess",
        "bush*3 snake*2 mung*2 5",
    )
    page = web.get(link["Anna"] + "?lang=de").get_data(as_text=True)
    loaded = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    assert {
        "/static/app.css",
        "/static/plan.js",
        "/static/postal/order.css",
        "/static/postal/order.js",
    } <= loaded
    files = [
        page.encode(),
        *((Path(gm.web.__path__[0]) / path[1:]).read_bytes() for path in loaded),
    ]
    assert sum(map(len, files)) <= 96_000
    assert sum(len(gzip.compress(file)) for file in files) <= 30_000


def test_salts_are_never_used_twice(web: Any, link: dict[str, str], db: Database) -> None:
    for field in "ABCABC":
        send(web, link["Anna"], form(to_1_1=field))
    salts = [salt for (salt,) in db.execute("SELECT salt FROM revision")]
    assert len(set(salts)) == 6
    assert {len(salt) for salt in salts} == {16}


def test_a_page_that_goes_by_the_browsers_language_says_so_to_caches(
    web: Any, link: dict[str, str]
) -> None:
    assert web.get("/", headers={"Accept-Language": "de"}).headers["Vary"] == "Accept-Language"
    assert "Vary" not in web.get("/?lang=de").headers
    assert "Vary" not in web.get(link["Anna"]).headers  # in the language of the seat


def test_a_page_shows_the_newest_lists_however_many_were_sent(
    web: Any, link: dict[str, str], db: Database, frozen_time: Any
) -> None:
    for number in range(40):
        frozen_time.shift(60)
        assert send(web, link["Anna"], form(to_1_1="AB"[number % 2])).status_code == 303
    html = web.get(link["Anna"]).get_data(as_text=True)
    shown = {int(number) for number in re.findall(r"fill=(\d+)", html)}
    assert (min(shown), len(shown)) == (11, 29)  # the thirtieth is the one that counts
