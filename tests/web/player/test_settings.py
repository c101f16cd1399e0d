"""Mail settings, one-click unsubscribing, the calendar feed, and how the service says that it is
well.
"""

import json
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from icalendar import Calendar
from msgspec.structs import replace

from gm import clock, store
from gm.config import Config
from gm.deadline.health import examine
from gm.games import lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.mail.ics import calendar
from gm.rendering.sentences import ISOLATES
from gm.service import close_due, write_mails
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat
from tests.dates import SUNDAY
from tests.steps import (
    bohnenpost,
    form,
    parsed,
    plain_text,
    send,
    stored_mails,
    words,
    write_all,
)

DAY = 86400


def anna(db: Database) -> Seat:
    return store.seats.of_game(db, "ackerwinde")[0]


def post(web: Any, path: str, fields: list[tuple[str, str]], **more: Any) -> Any:
    return web.post(
        path, data=urlencode(fields), content_type="application/x-www-form-urlencoded", **more
    )


def test_settings_are_stored_and_shown(web: Any, link: dict[str, str], db: Database) -> None:
    path = link["Anna"] + "/mail"
    assert "Deine Mails" in words(web.get(path))
    answer = post(
        web, path, [("lead", "7200"), ("lead", "604800"), ("html", "no"), ("whole", "yes")]
    )
    assert "Gespeichert" in words(answer)
    seat = anna(db)
    assert (seat.lead_times, seat.html, seat.receipts) == ((604800, 7200), 0, 0)
    html = web.get(path).get_data(as_text=True)
    assert 'value="7200" checked' in html
    assert 'value="172800" checked' not in html


@pytest.mark.parametrize(
    "fields",
    [
        [("language", "fr"), ("whole", "yes")],
        [("lead", "7200")],  # no sentinel
        [("lead", "1"), ("whole", "yes")],
        [("lead", "7200"), ("lead", "7200"), ("whole", "yes")],
        [("html", "maybe"), ("whole", "yes")],
        [("address", "x@evil.org"), ("whole", "yes")],
    ],
)
def test_settings_that_are_none_change_nothing(
    web: Any, link: dict[str, str], db: Database, fields: list[tuple[str, str]]
) -> None:
    before = anna(db)
    assert post(web, link["Anna"] + "/mail", fields).status_code == 400
    assert anna(db) == before


def test_who_wants_no_receipts_and_no_html_gets_none(
    web: Any, link: dict[str, str], installation: Installation, db: Database
) -> None:
    post(web, link["Anna"] + "/mail", [("html", "no"), ("whole", "yes")])
    save_orders(db, store.games.existing(db, "ackerwinde"), anna(db), "pass")
    close_due(db, Config(), SUNDAY)
    while write_mails(db, installation, SUNDAY):
        pass
    (report,) = stored_mails(db, "seat = 1 AND kind NOT IN ('start', 'receipts_off')")
    assert report.kind == "report"
    mail = BytesParser(EmailMessage, policy=policy.default).parsebytes(report.bytes or b"")
    assert mail.get_body(("html",)) is None
    assert mail.get_body(("plain",)) is not None


def unsubscribe(installation: Installation) -> str:
    return installation.path("unsubscribe", "ackerwinde", "Anna", 1)


def test_a_player_chooses_the_language_of_pages_and_mails(
    web: Any, link: dict[str, str], db: Database
) -> None:
    assert (
        post(web, link["Anna"] + "/mail", [("language", "en"), ("whole", "yes")]).status_code == 200
    )
    assert anna(db).language == "en"
    assert "No orders submitted yet." in words(web.get(link["Anna"]))


def test_one_click_stops_reminders_and_nothing_else(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    before = anna(db)
    answer = post(
        web,
        unsubscribe(installation),
        [("List-Unsubscribe", "One-Click")],
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    assert answer.status_code == 200
    after = anna(db)
    assert after.lead_times == ()
    assert (after.html, after.receipts, after.address) == (
        before.html,
        before.receipts,
        before.address,
    )


def test_looking_at_the_unsubscribe_link_changes_nothing(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    before = anna(db)
    assert "Nicht mehr erinnern?" in words(web.get(unsubscribe(installation)))
    assert anna(db) == before


def test_each_kind_of_link_opens_its_own_door_only(
    web: Any, installation: Installation, link: dict[str, str]
) -> None:
    tokens = {
        "z": link["Anna"].rpartition("/")[2],
        "u": unsubscribe(installation).rpartition("/")[2],
        "c": installation.url("calendar", "ackerwinde", "Anna", 1)
        .rpartition("/")[2]
        .removesuffix(".ics"),
    }
    assert len(set(tokens.values())) == 3
    for kind, token in tokens.items():
        statuses = {
            other: web.get(f"/{other}/{token}{'.ics' if other == 'c' else ''}").status_code
            for other in "zuc"
        }
        assert statuses == {other: 200 if other == kind else 404 for other in "zuc"}


def events(data: bytes | str) -> list[Any]:
    """The events of a calendar document, as a calendar program reads it."""
    return list(Calendar.from_ical(data).events)


def feed(web: Any, installation: Installation) -> list[Any]:
    answer = web.get(installation.path("calendar", "ackerwinde", "Anna", 1))
    assert answer.mimetype == "text/calendar"
    return events(answer.get_data())


def test_the_calendar_feed_follows_the_deadline_with_a_rising_sequence(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    (first,) = feed(web, installation)
    assert first["SUMMARY"] == "Ackerwinde: Abgabe"
    assert int(first["DTEND"].dt.timestamp()) == SUNDAY
    lead.extend(db, "ackerwinde", SUNDAY + DAY, "", SUNDAY - DAY)
    (second,) = feed(web, installation)
    assert (second["UID"], int(second["DTEND"].dt.timestamp())) == (first["UID"], SUNDAY + DAY)
    assert second["SEQUENCE"] > first["SEQUENCE"]
    lead.pause(db, "ackerwinde", "", SUNDAY - DAY)
    (third,) = feed(web, installation)
    assert (third["STATUS"], third["SEQUENCE"] > second["SEQUENCE"]) == ("CANCELLED", True)
    assert "/z/" not in web.get(installation.url("calendar", "ackerwinde", "Anna", 1)).get_data(
        as_text=True
    )


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=120))
def test_any_name_of_a_game_is_read_back_from_lines_that_every_calendar_takes(
    installation: Installation, ackerwinde: Game, name: str
) -> None:
    data = calendar(installation, replace(ackerwinde, name=name), "en", SUNDAY)
    assert max(map(len, data.split(b"\r\n"))) <= 75
    assert data.count(b"\n") == data.count(b"\r\n")
    summary = ISOLATES.sub("", events(data)[0]["SUMMARY"])
    assert summary == f"{name}: deadline".strip()


def test_reports_carry_the_deadline_as_a_calendar_file(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    while write_mails(db, installation, SUNDAY - DAY):
        pass
    data = stored_mails(db, "seat = 1")[0].bytes or b""
    mail = BytesParser(EmailMessage, policy=policy.default).parsebytes(data)
    (part,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    (event,) = events(part.get_content())
    assert int(event["DTEND"].dt.timestamp()) == SUNDAY
    assert mail["X-Bohnenpost-Game"] == "ackerwinde"


def test_news_of_a_moved_deadline_reads_well(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    save_orders(db, ackerwinde, store.seats.of_game(db, "ackerwinde")[1], "pass")
    lead.extend(db, "ackerwinde", SUNDAY + 3 * DAY, "Advent", SUNDAY - DAY)
    while write_mails(db, installation, SUNDAY - DAY):
        pass
    data = stored_mails(db, "kind = 'news' AND seat = 2")[0].bytes or b""
    mail = BytesParser(EmailMessage, policy=policy.default).parsebytes(data)
    assert mail["Subject"] == "Ackerwinde, round 1: new deadline Wed 25 Nov, 20:00"
    text = " ".join(mail.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert (
        "moved the deadline from Sun 22 November 2026, 20:00 CET to Wed 25 November 2026, 20:00 CET. Reason: Advent"
        in text
    )
    assert "Your orders (version 1) stay as they are." in text


def test_a_paused_game_says_so_everywhere(web: Any, link: dict[str, str], db: Database) -> None:
    lead.pause(db, "ackerwinde", "Umzug", SUNDAY - DAY)
    own = words(web.get(link["Anna"]))
    assert "macht Pause" in own
    assert "Grund: Umzug" in own
    public = words(web.get("/p/ackerwinde?lang=en"))
    assert "The game is paused." in public
    assert "Reason: Umzug" in public


def test_the_outage_rule_is_published(web: Any, ackerwinde: Game) -> None:
    assert "more than 30 minutes in the last 12 hours before a deadline" in words(
        web.get("/p/ackerwinde?lang=en")
    )


def test_the_health_page_turns_red_when_something_is_late(
    web: Any, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    with write(db):
        db.execute("UPDATE mail SET sent_at = 1")
    assert (web.get("/healthz").status_code, json.loads(web.get("/healthz").data)) == (
        200,
        {"ok": True, "late": []},
    )
    frozen_time.move_to(SUNDAY + 299)
    assert web.get("/healthz").status_code == 200
    frozen_time.move_to(SUNDAY + 301)
    assert (web.get("/healthz").status_code, json.loads(web.get("/healthz").data)["late"]) == (
        503,
        ["overdue"],
    )
    close_due(db, Config(), SUNDAY + 301)
    assert web.get("/healthz").status_code == 200
    frozen_time.move_to(SUNDAY + 301 + 901)
    assert json.loads(web.get("/healthz").data)["late"] == ["mail"]
    with write(db):
        db.execute("UPDATE mail SET sent_at = 1")
        db.execute("INSERT INTO meta VALUES ('clock', ?)", [f"{SUNDAY} 1"])
    assert json.loads(web.get("/healthz").data)["late"] == ["tick"]
    assert b"ackerwinde" not in web.get("/healthz").data


def test_the_doctor_finds_nothing_or_says_what(
    installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    assert bohnenpost("doctor", home=installation.home).output == "all is well\n"
    with write(db):
        db.execute("UPDATE round SET events = '[{}]'")
        db.execute("UPDATE mail SET failed_at = 1, error = '550 no such user' WHERE seat = 1")
        store.games.update(db, "ackerwinde", {"status": "held", "error": "silence"})
    found = [(finding.kind, finding.what) for finding in examine(db, SUNDAY - DAY)]
    assert ("held", "silence") in found
    assert any(
        kind == "damage" and "table round, row ackerwinde 0, column events" in what
        for kind, what in found
    )
    assert any(kind == "refused" and "550 no such user" in what for kind, what in found)
    assert bohnenpost("doctor", home=installation.home, status=1)


@pytest.mark.parametrize(("kind", "before", "after"), [("receipts", 1, 0), ("news", 1, 0)])
def test_one_click_stops_each_kind_of_mail_that_can_be_switched_off(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    db: Database,
    kind: str,
    before: int,
    after: int,
) -> None:
    asked = anna(db)
    assert web.get(f"{unsubscribe(installation)}/{kind}").status_code == 200
    assert anna(db) == asked
    answer = post(
        web,
        f"{unsubscribe(installation)}/{kind}",
        [("List-Unsubscribe", "One-Click")],
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    assert answer.status_code == 200
    assert (getattr(asked, kind), getattr(anna(db), kind)) == (before, after)
    assert (anna(db).lead_times, anna(db).html) == (asked.lead_times, asked.html)


def test_who_has_receipts_switched_off_is_told_once_by_mail(
    web: Any, installation: Installation, link: dict[str, str], db: Database, frozen_time: Any
) -> None:
    """Whoever has found the link could else change the list without a trace in the mailbox, and
    switch them on again.
    """
    path = link["Anna"] + "/mail"
    post(web, path, [("html", "yes"), ("receipts", "yes"), ("news", "yes"), ("whole", "yes")])
    assert "receipts_off" not in [mail.kind for mail in stored_mails(db)]
    for _ in range(3):
        post(web, path, [("html", "yes"), ("news", "yes"), ("whole", "yes")])
        post(web, path, [("html", "yes"), ("news", "yes"), ("receipts", "yes"), ("whole", "yes")])
    post(web, f"{unsubscribe(installation)}/receipts", [("List-Unsubscribe", "One-Click")])
    write_all(db, installation)
    (told,) = [mail for mail in stored_mails(db) if mail.kind == "receipts_off"]
    assert told.address == "anna@ackerwinde.example.org"
    assert f"{link['Anna']}/mail" in plain_text(parsed(told.bytes or b""))
    post(web, path, [("html", "yes"), ("receipts", "yes"), ("whole", "yes")])
    frozen_time.shift(2 * 3600)
    post(web, path, [("html", "yes"), ("whole", "yes")])
    assert [mail.kind for mail in stored_mails(db)].count("receipts_off") == 2


def test_reports_cannot_be_stopped_by_a_click(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    before = anna(db)
    assert (
        post(
            web, f"{unsubscribe(installation)}/report", [("List-Unsubscribe", "One-Click")]
        ).status_code
        == 404
    )
    assert anna(db) == before


def test_receipts_and_news_carry_their_own_one_click(
    web: Any, installation: Installation, link: dict[str, str], db: Database
) -> None:
    assert send(web, link["Anna"], form(to_1_1="A")).status_code == 303
    lead.announce(db, "ackerwinde", "A break over Christmas", clock.now())
    write_all(db, installation)
    heads = {
        mail.kind: BytesParser(EmailMessage, policy=policy.default).parsebytes(mail.bytes or b"")
        for mail in stored_mails(db)
        if mail.seat == 1
    }
    for kind, part in (("receipt", "receipts"), ("news", "news")):
        assert (
            heads[kind]["List-Unsubscribe"]
            == f"<{installation.url('unsubscribe', 'ackerwinde', 'Anna', 1)}/{part}>"
        )
        assert heads[kind]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert heads["start"]["List-Unsubscribe"] is None


def test_who_wants_no_news_is_still_told_that_a_round_is_taken_back_or_the_game_ended(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    post(web, f"{unsubscribe(installation)}/news", [("List-Unsubscribe", "One-Click")])
    lead.announce(db, "ackerwinde", "A break over Christmas", clock.now())
    assert [mail.seat for mail in stored_mails(db) if mail.kind == "news"] == [2, 3]
    lead.abort(db, "ackerwinde", "We stop", clock.now())
    assert [mail.seat for mail in stored_mails(db) if mail.kind == "news"] == [2, 3, 1, 2, 3]
