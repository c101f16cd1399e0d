"""A report answers first what its reader asks first: my talers, my rank, what I did, what
happened, until when, the next row.
"""

import re
from email.message import EmailMessage
from unicodedata import category, east_asian_width

import pytest

from gm import store
from gm.config import Config
from gm.games import create
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.mail.writing import rendered
from gm.people import seating
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.steps import lay_row, parsed, seat_game, start, stored_mails, write_all

ROW = "bush bush bush mung snap snake broad princess"
FARM = "bush*3 - - 2"


@pytest.fixture
def reports(db: Database, installation: Installation, ackerwinde: Game) -> dict[str, EmailMessage]:
    """The reports of the first round by seat, written in one batch: Anna overtakes Bert, Cem
    sent nothing.
    """
    lay_row(db, "ackerwinde", ROW, FARM)
    game, seats = store.games.existing(db, "ackerwinde"), store.seats.of_game(db, "ackerwinde")
    save_orders(db, game, seats[0], "HA 1>A", press="Moin")
    save_orders(db, game, seats[1], "pass")
    return reports_of(db, installation)


def reports_of(db: Database, installation: Installation) -> dict[str, EmailMessage]:
    """Close the first round; its reports by seat."""
    close_due(db, Config(), SUNDAY)
    queued = [mail for mail in store.mails.after(db, 0) if mail.kind == "report" and mail.seat]
    made = {}
    for (mail, *_), data in rendered(db, installation, queued, SUNDAY):
        assert isinstance(data, bytes)
        made[store.seats.numbered(db, "ackerwinde", mail.seat or 0).name] = parsed(data)
    return made


def bodies(mail: EmailMessage) -> tuple[str, str]:
    """The text, and the words of the HTML behind the preview."""
    plain, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert plain is not None
    assert html is not None
    return plain.get_content(), re.sub(
        r"\s+", " ", re.sub(r"<[^>]+>", " ", html.get_content().partition("</div>")[2])
    )


def in_order(text: str, *parts: str) -> bool:
    words = " ".join(text.replace("&nbsp;", " ").split())
    places = [words.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


def test_it_begins_with_the_readers_own_line_and_the_row_stands_before_what_others_did(
    reports: dict[str, EmailMessage],
) -> None:
    text, html = bodies(reports["Anna"])
    own, first = "Du: 3 Taler (+1), Rang 1.", "Anna übernimmt die Führung: drei Buschbohnen"
    assert in_order(
        text,
        own,
        "A: 3 Busch, +1",
        first,
        "DU BIST DRAN",
        "/z/",
        "RANGLISTE",
        "DIE REIHE VON RUNDE 2",
        "WAS DIE ANDEREN",
    )
    assert in_order(
        html,
        own,
        "A: 3 Busch, +1",
        first,
        "Du bist dran (Runde 2), bis:",
        "Rangliste",
        "Die Reihe von Runde 2",
        "Was die anderen",
    )
    assert all(len(line) <= 72 or line.startswith("http") for line in text.splitlines())


def test_every_reader_has_the_own_row_marked_and_no_other(reports: dict[str, EmailMessage]) -> None:
    for name, mail in reports.items():
        mark = {"Bert": "(you)"}.get(name, "(du)")
        for body in bodies(mail):
            assert [who for who in reports if f"{who} {mark}" in body] == [name]
            assert body.count(mark) == 1


def test_the_own_deeds_stand_at_the_top_and_not_among_those_of_the_others(
    reports: dict[str, EmailMessage],
) -> None:
    for name, mail in reports.items():
        for body in bodies(mail):
            others = re.split("(?i)was die anderen taten|what the others did|press", body)[1]
            assert {who for who in reports if re.search(rf"\b{who}(:| ·)", others)} == set(
                reports
            ) - {name}


def test_who_sent_nothing_reads_at_the_top_that_the_stand_in_played(
    reports: dict[str, EmailMessage],
) -> None:
    for body in bodies(reports["Cem"]):
        assert in_order(
            body,
            "Du: ",
            "Kein Zug eingegangen, es spielte der Vertreter",
            "Anna übernimmt die Führung",
        )


def test_the_preview_says_the_own_line_and_the_first_headline(
    reports: dict[str, EmailMessage],
) -> None:
    html = reports["Bert"].get_body(("html",))
    assert html is not None
    hidden = re.search(r"opacity:0\">(.*?)</div>", html.get_content(), re.DOTALL)
    assert hidden is not None
    assert " ".join(hidden[1].split()).startswith(
        "You: 2 talers, rank 2. Anna takes the lead with three Bush beans. Deadline "
    )


NAMES = (
    "Anna",
    "A" * 16,
    "B" * 17,
    "C" * 20,
    "Bartholomäus von und zu",
    "D" * 40,
    "林黛玉",
    "林黛玉賈寶玉薛寶釵王熙鳳",
    "กิตติศักดิ์ ศรีสุขุม",
)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: two for a wide letter, none for a sign above
    or below another.
    """
    return sum(
        0 if category(one) == "Mn" else 2 if east_asian_width(one) in "WF" else 1 for one in text
    )


def test_the_columns_of_the_ranking_stand_whatever_people_are_called(
    db: Database, installation: Installation, frozen_time: object
) -> None:
    seat_game(installation, players=())
    for number, name in enumerate(NAMES):
        address = f"player{number}@example.org"
        create.add_seat(
            db, installation.link_key, game="ackerwinde", name=name, address=address, language="en"
        )
    start(installation)
    lay_row(db, "ackerwinde", ROW, FARM)
    text, _ = bodies(reports_of(db, installation)["C" * 20])
    bars = [re.fullmatch(r"(.{8,}?)[#.]+ +\d+ \+ \d+", line) for line in text.splitlines()]
    assert [columns(bar[1]) for bar in bars if bar] == [25] * len(NAMES)
    assert all(columns(line) <= 72 for line in text.splitlines() if "http" not in line)


@pytest.mark.parametrize(
    ("name", "won"),
    [
        ("Ackerwinde", "Ackerwinde: Anna, Bert (es spielt der Vertreter) gewinnen gemeinsam"),
        (
            "Die große Winterrunde im Verein",
            "Die große Winterrunde im Verein: Anna, Bert gewinnen gemeinsam",
        ),
        (
            "Die große Winterrunde im Verein der Gartenfreunde",
            "Anna und Bert (es spielt der Vertreter) gewinnen gemeinsam",
        ),
    ],
)
def test_the_last_subject_names_who_won_and_who_played_for_them(
    installation: Installation, db: Database, name: str, won: str
) -> None:
    seat_game(installation, "ackerwinde", ("Anna", "Bert"), rounds=1)
    start(installation, "ackerwinde")
    with write(db):
        store.games.update(db, "ackerwinde", {"name": name})
    seating.remove_seat(db, "ackerwinde", "Bert", "", SUNDAY - 1)
    close_due(db, Config(), SUNDAY)
    write_all(db, installation)
    (final,) = stored_mails(db, "kind = 'final'")
    subject = str(parsed(final.bytes or b"")["Subject"])
    assert subject.startswith(won)
    assert len(subject) <= 72


def test_the_last_subject_names_winners_whatever_they_are_called(
    installation: Installation, db: Database
) -> None:
    seat_game(installation, "ackerwinde", rounds=1)
    with write(db):
        for number, letter in enumerate("ABC", start=1):
            store.seats.update(db, "ackerwinde", number, {"name": letter * 40})
    start(installation, "ackerwinde")
    close_due(db, Config(), SUNDAY)
    write_all(db, installation)
    for mail in stored_mails(db, "kind = 'final'"):
        subject = str(parsed(mail.bytes or b"")["Subject"])
        assert all(letter * 10 in subject for letter in "ABC")
        assert len(subject) <= 72
