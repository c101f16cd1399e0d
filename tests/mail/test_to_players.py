"""The letters to players: what each kind says first, in both languages, and which a mail program
can switch off.
"""

from collections.abc import Callable
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import Any
from urllib.parse import parse_qs, unquote

import pytest
from icalendar import Calendar

from gm import store
from gm.clock import DAY
from gm.config import Config
from gm.deadline.rollback import rollback
from gm.games import lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.mail import to_players
from gm.mail.queue import Recipient
from gm.service import close_due, write_mails
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import NOW, SUNDAY
from tests.steps import (
    buttons_of,
    event_of,
    html_of,
    plain_text,
    queued,
    seat_game,
    start,
    stored_mails,
    written,
)

SUBJECTS = {
    "start": (
        "Ackerwinde, Runde 1: du bist dran bis ",
        "Ackerwinde, round 1: your turn until ",
    ),
    "reminder": (
        "Ackerwinde: dein Zug fehlt noch, Abgabe bis ",
        "Ackerwinde: no orders from you yet, deadline ",
    ),
    "row": ("Ackerwinde, Runde 1: du bist noch dran", "Ackerwinde, round 1: still your turn"),
    "receipt": (
        "Ackerwinde, Runde 1: Zug angekommen (Fassung 1)",
        "Ackerwinde, round 1: orders received (version 1)",
    ),
    "news": ("Ackerwinde, Runde 1: Pause", "Ackerwinde, round 1: paused"),
    "called_off": ("Ackerwinde findet nicht statt", "Ackerwinde does not take place"),
    "confirm": ("Ackerwinde: bitte bestätige deinen Sitz", "Ackerwinde: please confirm your seat"),
    "lost": (
        "Ackerwinde: du hast deinen Sitz nicht mehr",
        "Ackerwinde: you no longer have a seat",
    ),
    "left": ("Ackerwinde: Du hast die Partie verlassen", "Ackerwinde: you have left"),
    "welcome": ("Ackerwinde: du hast einen Sitz", "Ackerwinde: you have a seat"),
    "receipts_off": ("Ackerwinde: keine Quittungen mehr", "Ackerwinde: receipts are off"),
    "gm_tried": (
        "Ackerwinde: Die Spielleitung wollte für dich ziehen",
        "Ackerwinde: the GM tried to order for you",
    ),
    "my_games": ("Alle deine Partien auf einer Seite", "All your games on one page"),
    "link": ("Ackerwinde: dein persönlicher Link", "Ackerwinde: your personal link"),
    "moved_away": (
        "Ackerwinde: Mails für deinen Sitz gehen woandershin",
        "Ackerwinde: mails for your seat go to another address",
    ),
    "invite": (
        "Uli lädt dich zu Bohnanza per Mail ein: Ackerwinde",
        "Uli invites you to Bohnanza by mail: Ackerwinde",
    ),
    "takeover": (
        "Ackerwinde: du übernimmst Anna, Abgabe bis ",
        "Ackerwinde: you take over from Bert, deadline ",
    ),
    "ready": ("Ackerwinde beginnt bald: Bist du da?", "Ackerwinde begins soon: are you there?"),
}
"""The beginning of the subject of each kind: to Anna, who reads German, and to Bert, who reads
English.
"""


def about(db: Database, kind: str, number: int) -> int:
    """Make what a mail of this kind to a seat is about; its number."""
    seat = store.seats.numbered(db, "ackerwinde", number)
    who = {
        "game": "ackerwinde",
        "name": "Dörte",
        "address": "d@example.org",
        "language": "de",
        "at": NOW,
    }
    if kind == "receipt":
        return save_orders(
            db, store.games.existing(db, "ackerwinde"), seat, "1>A", press="Moin", to_gm="leise"
        ).revision.number
    with write(db):
        if kind == "confirm":
            return store.requests.add_joining(db, who)
        if kind in ("lost", "left"):
            return store.seats.bury(db, seat, "replaced", NOW, "Urlaub")
        news = store.notes.add(db, "ackerwinde", 1, "paused", "Advent", NOW, seat=seat.name)
        return news if kind in ("news", "moved_away", "moved_here") else 0


def mail_of(db: Database, installation: Installation, kind: str, number: int = 2) -> Any:
    """A mail of this kind to a seat."""
    event, of = event_of(kind, about(db, kind, number)), 0 if kind == "start" else 1
    seat = store.seats.numbered(db, "ackerwinde", number)
    if kind == "my_games":
        person = Recipient(seat.address or "", seat.language)
        return written(db, installation, queued(db, event, person, 0, None))
    return written(db, installation, queued(db, event, seat, of))


@pytest.mark.parametrize("kind", ["invite", "welcome", "takeover", "start"])
def test_who_is_new_to_a_game_is_told_where_its_rules_stand(
    db: Database, installation: Installation, ackerwinde: Game, kind: str
) -> None:
    for number, language in ((1, "de"), (2, "en")):
        assert f" {installation.config.base_url}/rules/postal?lang={language} " in plain_text(
            mail_of(db, installation, kind, number)
        )


@pytest.mark.parametrize("kind", SUBJECTS)
def test_each_kind_of_letter_begins_in_the_language_of_its_reader(
    db: Database, installation: Installation, ackerwinde: Game, kind: str
) -> None:
    found = [mail_of(db, installation, kind, number) for number in (1, 2)]
    for mail, begins in zip(found, SUBJECTS[kind], strict=True):
        assert mail["Subject"].startswith(begins)
    assert plain_text(found[0]) != plain_text(found[1])


def test_every_kind_has_a_subject_here_or_is_a_variety_of_one() -> None:
    varieties = {
        "report",
        "final",
        "link_again",
        "link_new",
        "link_own",
        "link_restored",
        "moved_here",
    }
    assert to_players.WRITERS.keys() == SUBJECTS.keys() | varieties


BUTTONS = {
    "start": ("seat", "Submit orders"),
    "reminder": ("seat", "Submit orders"),
    "row": ("seat", "Submit orders"),
    "receipt": ("seat", "Your page of the game"),
    "news": ("seat", "Your page of the game"),
    "called_off": None,
    "confirm": ("joining", "Confirm the seat"),
    "lost": None,
    "left": None,
    "welcome": ("seat", "Open your page"),
    "receipts_off": ("seat", "Look at your mails and your link"),
    "gm_tried": None,
    "my_games": ("my_games", "Open all your games"),
    "link": ("seat", "Open your page"),
    "moved_away": None,
    "invite": ("invited", "Look at it and take a seat"),
    "takeover": ("seat", "Open your page"),
    "ready": ("seat", "Say that you are there"),
}
"""Where the button of each kind leads and what it says; None without one."""


@pytest.mark.parametrize("kind", SUBJECTS)
def test_a_mail_has_one_button_at_most_with_the_words_of_its_text(
    db: Database, installation: Installation, ackerwinde: Game, kind: str
) -> None:
    doors = {
        "seat": installation.url("seat", "ackerwinde", "Bert", 1),
        "joining": f"{installation.config.base_url}/j/",
        "my_games": f"{installation.config.base_url}/m/",
        "invited": f"{installation.config.base_url}/i/",
    }
    mail, meant = mail_of(db, installation, kind), BUTTONS[kind]
    found = [(address, words) for address, words in buttons_of(mail)]
    assert [words for _, words in found] == ([meant[1]] if meant else [])
    for address, words in found:
        assert meant
        assert address.startswith(doors[meant[0]])
        assert kind == "start" or f"{words}: {address}" in plain_text(mail)


def test_news_of_a_game_that_was_ended_have_no_button(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    with write(db):
        note = store.notes.add(db, "ackerwinde", 1, "aborted", "no time", NOW)
        store.games.update(db, "ackerwinde", {"status": "finished", "deadline": None})
    seat = store.seats.numbered(db, "ackerwinde", 2)
    assert buttons_of(written(db, installation, queued(db, event_of("news", note), seat, 1))) == []


def test_what_the_game_master_writes_is_no_link_no_button_and_no_proof(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    own = installation.url("seat", "ackerwinde", "Bert", 1)
    said = f"Read this:\nYour page:\nhttps://evil.example/z/x\n{'-' * 40}\nPro\u2068of: it\n{'ab' * 32}"
    with write(db):
        note = store.notes.add(db, "ackerwinde", 1, "announced", said, NOW)
    seat = store.seats.numbered(db, "ackerwinde", 2)
    mail = written(db, installation, queued(db, event_of("news", note), seat, 1))
    assert buttons_of(mail) == [(own, "Your page of the game")]
    assert 'href="https://evil' not in html_of(mail)
    assert html_of(mail).replace("<bdi>", "").replace("</bdi>", "").count("Proof:") == 1  # our own
    assert html_of(mail).count('<code class="mu"') == 2  # with its value


def test_news_of_a_round_that_was_taken_back_name_the_game_alone(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    with write(db):
        note = store.notes.add(db, "ackerwinde", 3, "announced", "Picnic", NOW)
    seat = store.seats.numbered(db, "ackerwinde", 2)
    mail = written(db, installation, queued(db, event_of("news", note), seat, 3))
    assert mail["Subject"] == "Ackerwinde: a word from the GM"
    assert "Picnic" in plain_text(mail)


@pytest.mark.parametrize("status", ["paused", "held"])
def test_no_subject_says_your_turn_while_a_game_rests(
    db: Database, installation: Installation, ackerwinde: Game, status: str
) -> None:
    with write(db):
        changed = {"status": status, "paused_at": NOW} if status == "paused" else {"status": status}
        store.games.update(db, "ackerwinde", changed)
    assert mail_of(db, installation, "start")["Subject"] == "Ackerwinde; the first row is out"


@pytest.mark.parametrize("kind", SUBJECTS)
def test_who_wants_text_alone_gets_no_html_in_any_mail_to_the_seat(
    db: Database, installation: Installation, ackerwinde: Game, kind: str
) -> None:
    with write(db):
        db.execute("UPDATE seat SET html = 0")
    mail, to_nobody = mail_of(db, installation, kind), ("my_games",)
    assert (mail.get_body(("html",)) is None) is (kind not in to_nobody)


@pytest.mark.parametrize("kind", SUBJECTS)
def test_a_text_begins_with_words_and_no_line_of_it_is_too_long(
    db: Database, installation: Installation, ackerwinde: Game, kind: str
) -> None:
    for number in (1, 2):
        body = mail_of(db, installation, kind, number).get_body(("plain",))
        lines = body.get_content().splitlines()
        assert lines[0][0].isalpha()
        assert not [line for line in lines if len(line) > 72 and "://" not in line]


@pytest.mark.parametrize(("kind", "page"), [("reminder", ""), ("receipt", "/receipts")])
def test_what_can_be_switched_off_has_the_one_click_for_it(
    db: Database, installation: Installation, ackerwinde: Game, kind: str, page: str
) -> None:
    found = mail_of(db, installation, kind)
    assert (
        found["List-Unsubscribe"]
        == f"<{installation.url('unsubscribe', 'ackerwinde', 'Bert', 1)}{page}>"
    )
    assert found["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.parametrize("kind", ["start", "link", "ready", "takeover", "lost"])
def test_what_always_comes_has_none(
    db: Database, installation: Installation, ackerwinde: Game, kind: str
) -> None:
    assert mail_of(db, installation, kind)["List-Unsubscribe"] is None


@pytest.mark.parametrize(
    ("kind", "can"), [("paused", True), ("aborted", False), ("rollback", False)]
)
def test_news_can_be_switched_off_but_not_of_what_is_lost(
    db: Database, installation: Installation, ackerwinde: Game, kind: str, can: bool
) -> None:
    with write(db):
        ref = store.notes.add(db, "ackerwinde", 1, kind, "Advent", NOW)
    found = written(
        db,
        installation,
        queued(db, event_of("news", ref), store.seats.numbered(db, "ackerwinde", 2)),
    )
    stop = f"<{installation.url('unsubscribe', 'ackerwinde', 'Bert', 1)}/news>"
    assert found["List-Unsubscribe"] == (stop if can else None)
    assert "Advent" in plain_text(found)


def test_a_list_that_the_game_master_typed_in_has_a_receipt_in_any_case(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    bert = store.seats.numbered(db, "ackerwinde", 2)
    ref = save_orders(db, ackerwinde, bert, "1>A", source="gm").revision.number
    found = written(db, installation, queued(db, event_of("receipt", ref), bert))
    assert found["List-Unsubscribe"] is None
    assert "The GM typed them in for you" in plain_text(found)


def test_a_receipt_shows_the_list_its_words_and_its_digest(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    said = plain_text(mail_of(db, installation, "receipt"))
    (revision,) = store.lists.revisions(db, "ackerwinde", 1, 2)
    digest = str(revision.digest("Bert"))
    assert all(part in said for part in ("1>A", "Your press: Moin", "For the GM only: leise"))
    assert said.index("Was this not you?") < said.index(digest)


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("link", "If that was not you, nothing has happened."),
        ("link_again", "it is the same link as before."),
        ("link_new", "the old one no longer works"),
        ("link_own", "You, or somebody who had the old link, asked for a new one."),
        (
            "link_restored",
            "all links to the game are new: the one in this mail, those in calendars",
        ),
    ],
)
def test_a_link_comes_with_the_reason_why(
    db: Database, installation: Installation, ackerwinde: Game, kind: str, says: str
) -> None:
    said = plain_text(mail_of(db, installation, kind))
    assert says in said
    assert installation.url("seat", "ackerwinde", "Bert", 1) in said


@pytest.mark.parametrize("kind", SUBJECTS)
def test_nobody_is_asked_to_answer_a_mail_that_may_hold_a_personal_link(
    db: Database, installation: Installation, ackerwinde: Game, kind: str
) -> None:
    """A reply quotes what it answers, and whoever reads the quoted link plays the seat."""
    found = mail_of(db, installation, kind)
    said = plain_text(found).replace("a reply would quote this one", "")
    assert "reply" not in said.lower()
    assert found["Reply-To"] in ("Uli <uli@example.org>", None)
    is_asked = kind not in {"confirm", "confirm_move", "invite", "my_games", "called_off"}
    assert ("mailto:uli@example.org?subject=Ackerwinde" in said) is is_asked


@pytest.mark.parametrize("kind", ["moved_away", "lost", "left"])
def test_who_has_a_seat_no_more_is_given_no_link(
    db: Database, installation: Installation, ackerwinde: Game, kind: str
) -> None:
    ref = about(db, kind, 2)
    found = plain_text(
        written(
            db,
            installation,
            queued(db, event_of(kind, ref), Recipient("bert@ackerwinde.example.org", "en")),
        )
    )
    assert "Hello Bert" in found
    assert "/z/" not in found


def test_who_asks_for_a_seat_is_given_the_button_and_the_promise(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    ref = about(db, "confirm", 2)
    found = plain_text(
        written(
            db, installation, queued(db, event_of("confirm", ref), Recipient("d@example.org", "en"))
        )
    )
    assert installation.url("joining", "ackerwinde", "d@example.org", ref) in found
    assert str(ackerwinde.commitment) in found


def payload(part: Any) -> str:
    """What stands in a part of a mail."""
    return bytes(part.get_payload(decode=True)).decode()


CALENDARS = {"text/calendar", "application/ics"}


def calendar_part(
    db: Database, installation: Installation, kind: str, number: int = 2
) -> tuple[str, str] | None:
    """How a calendar comes with a mail of this kind, and whether its entry stands; None
    without one.
    """
    for part in mail_of(db, installation, kind, number).walk():
        if part.get_content_type() in CALENDARS:
            data = payload(part)
            return part.get_content_type(), data.partition("STATUS:")[2].split()[0]
    return None


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("start", ("text/calendar", "CONFIRMED")),
        ("takeover", ("text/calendar", "CONFIRMED")),
        ("lost", ("text/calendar", "CANCELLED")),
        ("ready", None),
        ("receipt", None),
    ],
)
def test_a_deadline_comes_as_a_calendar_where_it_is_the_news(
    db: Database,
    installation: Installation,
    ackerwinde: Game,
    kind: str,
    expected: tuple[str, str] | None,
) -> None:
    assert calendar_part(db, installation, kind) == expected
    if kind == "lost":
        with write(db):
            store.games.update(db, "ackerwinde", {"status": "finished", "deadline": None})
        assert calendar_part(db, installation, "left") is None  # the last report has cancelled it
    with write(db):
        store.games.update(db, "ackerwinde", {"deadline": None})
    assert calendar_part(db, installation, kind, 1) is None


def told(db: Database, installation: Installation, round_number: int, *kinds: str) -> EmailMessage:
    """The last mail of these kinds to Bert in this round, as his mail program reads it."""
    while write_mails(db, installation, NOW):
        pass
    which = f"seat = 2 AND round = ? AND kind IN ({','.join('?' * len(kinds))})"
    return BytesParser(EmailMessage, policy=policy.default).parsebytes(
        stored_mails(db, which, round_number, *kinds)[-1].bytes or b""
    )


NEWS: dict[str, tuple[Callable[[Database], bool], str | None, str]] = {
    "announced": (
        lambda db: lead.announce(db, "ackerwinde", "Hallo", NOW),
        None,
        "a word from the GM",
    ),
    "deadline": (
        lambda db: lead.extend(db, "ackerwinde", SUNDAY + DAY, "x", NOW),
        "CONFIRMED",
        "new deadline Mon 23 Nov",
    ),
    "paused": (lambda db: lead.pause(db, "ackerwinde", "x", NOW), "CANCELLED", "paused"),
    "aborted": (
        lambda db: lead.abort(db, "ackerwinde", "x", NOW),
        "CANCELLED",
        "the game was ended",
    ),
}


@pytest.mark.parametrize("kind", NEWS)
def test_news_bring_a_calendar_only_if_a_date_moves(
    db: Database, installation: Installation, ackerwinde: Game, kind: str
) -> None:
    act, status, subject = NEWS[kind]
    act(db)
    found = told(db, installation, 1, "news")
    assert subject in found["Subject"]
    parts = [payload(part) for part in found.walk() if part.get_content_type() == "text/calendar"]
    assert [part.partition("STATUS:")[2].split()[0] for part in parts] == (
        [status] if status else []
    )


def test_a_game_that_goes_on_at_its_deadline_has_no_new_one(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    lead.pause(db, "ackerwinde", "x", NOW)
    lead.resume(db, "ackerwinde", "x", NOW + 60)
    goes_on = told(db, installation, 1, "news")
    assert goes_on["Subject"] == "Ackerwinde: the game goes on, deadline Sun 22 Nov, 20:00"
    assert "STATUS:CONFIRMED" in payload(next(goes_on.iter_attachments()))


def test_a_report_has_its_deadline_in_a_file_and_the_last_one_cancels_the_entry(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    entry: Any
    sequences = []
    while (game := store.games.existing(db, "ackerwinde")).status != "finished":
        close_due(db, installation.config, game.deadline or 0)
        (part,) = told(db, installation, game.round, "report", "final").iter_attachments()
        assert part.get_content_type() == "application/ics"
        (entry,) = Calendar.from_ical(payload(part)).events
        sequences.append(entry["SEQUENCE"])
    assert entry["STATUS"] == "CANCELLED"
    assert sequences == sorted(set(sequences))


def by_hand_from_the_next_round(db: Database) -> None:
    by_hand = (
        '{"weekdays":[],"at":"20:00:00","zone":"Europe/Berlin","weeks":1,"since":"2026-11-16"}'
    )
    with write(db):
        store.games.update(db, "ackerwinde", {"rule": by_hand})


def test_an_entry_is_cancelled_though_rounds_are_closed_by_hand_from_now_on(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    by_hand_from_the_next_round(db)
    lead.run_now(db, "ackerwinde", 1, "", NOW)
    close_due(db, installation.config, NOW)
    (part,) = told(db, installation, 1, "report").iter_attachments()
    assert "STATUS:CANCELLED" in payload(part)
    lead.run_now(db, "ackerwinde", 2, "", NOW)
    close_due(db, installation.config, NOW)
    assert [*told(db, installation, 2, "report").iter_attachments()] == []


def test_an_entry_is_cancelled_though_the_game_that_ends_is_closed_by_hand(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    by_hand_from_the_next_round(db)
    lead.abort(db, "ackerwinde", "x", NOW)
    (part,) = told(db, installation, 1, "news").iter_attachments()
    assert "STATUS:CANCELLED" in payload(part)


def test_who_has_no_turn_after_a_rollback_has_no_entry_that_stands(
    db: Database, installation: Installation
) -> None:
    seat_game(installation, players=("Anna", "Bert"), variant="duel")
    start(installation)
    game = store.games.existing(db, "ackerwinde")
    close_due(db, installation.config, game.deadline or 0)
    assert rollback(db, "ackerwinde", 1, "x", game.deadline or 0)
    waits = next(
        seat
        for seat in store.seats.of_game(db, "ackerwinde")
        if not store.games.existing(db, "ackerwinde").awaits(seat.name)
    )
    while write_mails(db, installation, NOW):
        pass
    mail = stored_mails(db, "seat = ? AND kind = 'news'", waits.number)[-1]
    (part,) = (
        BytesParser(EmailMessage, policy=policy.default)
        .parsebytes(mail.bytes or b"")
        .iter_attachments()
    )
    assert "STATUS:CANCELLED" in payload(part)


@pytest.mark.parametrize("address", ["u+%&?x=1@example.org", "u#t@example.org"])
def test_any_address_of_a_game_master_is_written_to_by_one_press(
    db: Database, installation: Installation, ackerwinde: Game, address: str
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"gm_address": address})
    url = next(
        word
        for word in plain_text(mail_of(db, installation, "start")).split()
        if word.startswith("mailto:")
    )
    assert unquote(url.removeprefix("mailto:").partition("?")[0]) == address
    assert parse_qs(url.partition("?")[2]) == {"subject": ["Ackerwinde"]}


def test_a_report_has_html_for_who_wants_it(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    with write(db):
        store.seats.update(db, "ackerwinde", 1, {"html": 0})
        store.seats.update(db, "ackerwinde", 2, {"html": 1})
    assert mail_of(db, installation, "start", 1).get_body(("html",)) is None
    assert mail_of(db, installation, "start", 2).get_body(("html",)) is not None


def test_whoever_goes_on_or_back_is_told_the_old_deadline_and_the_new(
    db: Database, installation: Installation, ackerwinde: Game, frozen_time: Any
) -> None:
    lead.pause(db, "ackerwinde", "", NOW)
    lead.resume(db, "ackerwinde", "", NOW, deadline=SUNDAY + DAY)
    moved = " ".join(plain_text(told(db, installation, 1, "news")).split())
    assert (
        "The deadline moves from Sun 22 November 2026, 20:00 CET to Mon 23 November 2026, 20:00 CET."
        in moved
    )
    lead.pause(db, "ackerwinde", "", NOW)
    lead.resume(db, "ackerwinde", "", NOW)
    stays = " ".join(plain_text(told(db, installation, 1, "news")).split())
    assert "The game goes on; the deadline stays Mon 23 November 2026, 20:00 CET." in stays
    close_due(db, Config(), SUNDAY + DAY)
    rollback(db, "ackerwinde", 1, "a typo", SUNDAY + DAY)
    back = " ".join(plain_text(told(db, installation, 1, "news")).split())
    assert "The new deadline is Tue 24 November 2026, 20:00 CET." in back
    assert "The next round then ends on Sun 29 November 2026, 20:00 CET." in back
