"""Mail: written once, sent with the same bytes until it is taken, refused ones shown. The server
is a real one.
"""

import re
from dataclasses import replace
from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm import store
from gm.config import Config
from gm.deadline.rollback import rollback
from gm.games import create
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.mail import writing
from gm.mail.draft import Draft
from gm.mail.mime import serialise
from gm.mail.queue import Event, put
from gm.mail.sending import lease, send_one
from gm.mail.transports import FolderTransport, TransportDown
from gm.rendering.reports import report
from gm.rendering.sentences import environment
from gm.service import close_due, order_robot, tick_mail, write_mails
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.mails import Leased
from tests.dates import SUNDAY
from tests.postbox import Postbox, send_due
from tests.steps import garble, parsed, seat_game, smtp, start, stored_mails, trace, write_all


def test_all_mails_of_a_round_are_written_once_in_one_go(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    assert write_mails(db, installation, SUNDAY) is True
    first = stored_mails(db)
    assert all(mail.bytes and mail.written_at == SUNDAY for mail in first)
    assert write_mails(db, installation, SUNDAY + 1) is False
    assert stored_mails(db) == first


def test_a_message_id_gets_its_domain_with_the_letter_and_keeps_it(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    queued = stored_mails(db)[0].message_id
    assert re.fullmatch(r"start\.0\.ackerwinde\.[0-9a-f]{16}", queued)
    write_all(db, installation)
    mail = stored_mails(db)[0]
    assert (
        mail.message_id
        == f"<{queued}@{installation.config.mail_domain}>"
        == parsed(mail.bytes or b"")["Message-ID"]
    )
    with write(db):
        store.mails.update(db, mail.id, {"written_at": None})
    write_all(
        db,
        replace(
            installation, config=replace(installation.config, mail_from="beans@moved.example.org")
        ),
    )
    again = stored_mails(db)[0]
    assert again.message_id == mail.message_id == parsed(again.bytes or b"")["Message-ID"]


def test_a_mail_queued_by_an_older_program_keeps_its_message_id(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    whole = "<start.0.ackerwinde.0123456789abcdef@old.example.org>"
    with write(db):
        store.mails.update(db, 1, {"message_id": whole})
    write_all(db, installation)
    mail = stored_mails(db)[0]
    assert mail.message_id == whole == parsed(mail.bytes or b"")["Message-ID"]


def test_two_writers_at_once_write_a_batch_once(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    """The other one writes it between our two looks at the table."""
    looks = []

    def meddle(statement: str) -> None:
        if statement.startswith("SELECT * FROM mail"):
            looks.append(statement)
            if len(looks) == 1:
                with installation.connection() as other:
                    assert write_mails(other, installation, SUNDAY)

    trace(db, meddle)
    assert write_mails(db, installation, SUNDAY + 1) is True
    assert {mail.written_at for mail in stored_mails(db)} == {SUNDAY}


def test_a_sent_mail_arrives_byte_for_byte_and_is_marked_after_it_was_taken(
    db: Database, installation: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    box, port = postbox
    write_all(db, installation)
    stored = [(mail.address, mail.bytes) for mail in stored_mails(db)]
    with smtp(installation, port) as transport:
        while send_due(db, transport, SUNDAY):
            pass
    assert box.mails == stored
    assert box.connections == 1
    assert [(mail.sent_at, mail.bytes) for mail in stored_mails(db)] == [(SUNDAY, None)] * 3
    assert store.mails.waiting(db) == 0


def test_what_is_refused_for_now_is_sent_again_later_with_the_same_bytes(
    db: Database, installation: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    box, port = postbox
    anna = "anna@ackerwinde.example.org"
    box.answers = {anna: ["451 greylisted", "451 greylisted"]}
    write_all(db, installation)
    before = stored_mails(db)[0]
    tries: list[int] = []
    for now in range(SUNDAY, SUNDAY + 3000, 100):
        with smtp(installation, port) as transport:
            while send_due(db, transport, now):
                pass
        if stored_mails(db)[0].tries != len(tries):
            tries.append(now - SUNDAY)
    assert tries == [0, 300, 900]
    assert stored_mails(db)[0].sent_at == SUNDAY + 900
    arrived = [data for address, data in box.mails if address == anna]
    assert arrived == [before.bytes]


def test_a_server_that_is_not_there_counts_against_no_mail(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    write_all(db, installation)
    with smtp(installation, 1) as transport, pytest.raises(TransportDown):
        send_due(db, transport, SUNDAY)
    assert [(mail.tries, mail.sent_at, mail.failed_at) for mail in stored_mails(db)] == [
        (0, None, None)
    ] * 3
    with FolderTransport(installation.mail_folder) as folder:
        assert send_due(db, folder, SUNDAY) is True


def test_a_mail_that_is_being_sent_is_left_alone_by_others(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    write_all(db, installation)

    taken: list[int] = []

    class Nosy:
        def send(self, mail: Leased) -> None:
            taken.append(mail.id)
            if len(taken) == 1:
                with installation.connection() as other:
                    while send_due(other, Nosy(), SUNDAY):
                        pass

    assert send_due(db, Nosy(), SUNDAY)
    assert sorted(taken) == [1, 2, 3]


def test_a_sender_that_died_gives_its_mail_back(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    class Killed(BaseException):
        pass

    class Deadly:
        def send(self, mail: Leased) -> None:
            raise Killed

    write_all(db, installation)
    with pytest.raises(Killed):
        send_due(db, Deadly(), SUNDAY)
    with FolderTransport(installation.mail_folder) as folder:
        assert [send_due(db, folder, SUNDAY) for _ in range(3)] == [True, True, False]
        assert [send_due(db, folder, SUNDAY + 900) for _ in range(2)] == [True, False]


def test_without_a_server_mails_are_files_for_their_owner_alone(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    write_all(db, installation)
    first = stored_mails(db)[0]
    with FolderTransport(installation.mail_folder) as folder:
        send_due(db, folder, SUNDAY)
    (file,) = installation.mail_folder.iterdir()
    assert file.name == "000001-ackerwinde-r0-start-seat1.eml"
    assert file.read_bytes() == first.bytes
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_report_reads_the_same_as_text_and_as_html_in_the_players_language(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    anna, bert, _ = store.seats.of_game(db, "ackerwinde")
    save_orders(db, ackerwinde, anna, "1>A 2>B", press="Moin <b>alle</b>")
    save_orders(db, ackerwinde, bert, "pass")
    close_due(db, Config(), SUNDAY)
    write_all(db, installation)
    german, english, _ = [
        parsed(mail.bytes or b"") for mail in stored_mails(db) if mail.kind == "report"
    ]
    assert german["Subject"] == "Ackerwinde, Runde 2, bis So. 29.11., 20:00: Eine ruhige Runde"
    assert (
        english["Subject"]
        == "Ackerwinde, round 2: your turn until Sun 29 Nov, 20:00; A quiet round"
    )
    assert german["Reply-To"] == "Uli <uli@example.org>"
    assert german["Auto-Submitted"] == "auto-generated"
    for mail, seat, words in (
        (german, "Anna", ("Kein Zug eingegangen", "So., 29. November 2026, 20:00 Uhr MEZ")),
        (english, "Bert", ("No orders, the stand-in played", "Sun 29 November 2026, 20:00 CET")),
    ):
        text, html = _bodies(mail)
        link = installation.url("seat", "ackerwinde", seat, 1)
        for word in (*words, link, f"{installation.config.base_url}/p/ackerwinde", "Anna", "Cem"):
            assert word in text
            assert word in html
        assert "Moin <b>alle</b>" in text
        assert "Moin &lt;b&gt;alle&lt;/b&gt;" in html
        assert html.count(f'{link}"') <= 2
        assert max(len(line) for line in text.splitlines()) <= 76
        assert len(mail.as_bytes()) < 90_000


def _bodies(mail: EmailMessage) -> tuple[str, str]:
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text is not None
    assert html is not None
    return text.get_content(), html.get_content()


def test_what_mails_of_a_round_have_in_common_holds_nothing_of_one_reader(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    """Anna and Cem read German, so most of their reports is made once for both."""
    close_due(db, Config(), SUNDAY)
    write_all(db, installation)
    names = [seat.name for seat in store.seats.of_game(db, "ackerwinde")]
    told = {
        names[(mail.seat or 0) - 1]: _bodies(parsed(mail.bytes or b""))
        for mail in stored_mails(db)
        if mail.kind == "report"
    }
    assert set(told) == {"Anna", "Bert", "Cem"}
    for reader, (text, html) in told.items():
        for name in names:
            link = installation.url("seat", "ackerwinde", name, 1)
            assert (link in text, link in html) == (name == reader,) * 2
            assert (f"<b>{name}</b></p>" in html) == (name == reader)


def test_a_receipt_says_the_orders_in_words_and_the_farm_after_them(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    table = store.rounds.open_table(db, ackerwinde)
    anna = store.seats.of_game(db, "ackerwinde")[0]
    text = ackerwinde.engine.write_orders(table, ackerwinde.engine.read_orders(table, "Anna", "1"))
    save_orders(db, ackerwinde, anna, text)
    write_all(db, installation)
    (mail,) = [parsed(mail.bytes or b"") for mail in stored_mails(db) if mail.kind == "receipt"]
    assert mail["Subject"] == "Ackerwinde, Runde 1: Zug angekommen (Fassung 1)"
    body = mail.get_body(("plain",))
    assert body is not None
    content = body.get_content()
    assert "→ A" in content
    assert "1>A" in content
    assert "Kasse: 0 Taler" in content


def test_a_template_that_fails_costs_one_mail_its_words_and_no_round(
    db: Database, installation: Installation, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = writing.WRITERS["start"]

    def fail_for_bert(db: Database, draft: Draft, shared: dict[str, Any]) -> bytes:
        if draft.seat and draft.seat.name == "Bert":
            raise ZeroDivisionError
        return real(db, draft, shared)

    monkeypatch.setitem(writing.WRITERS, "start", fail_for_bert)
    write_all(db, installation)
    written = [parsed(mail.bytes or b"") for mail in stored_mails(db)]
    assert [mail.is_multipart() for mail in written] == [True, False, True]
    assert installation.url("seat", "ackerwinde", "Bert", 1) in written[1].get_content()
    assert "could not be written in full" in " ".join(written[1].get_content().split())


@pytest.mark.parametrize(
    "subject",
    [
        "Jürgen Müller hat ein Größe-Problem mit sehr vielen Wörtern",
        "Zoë ☃ " * 12,
        "=?utf-8?q?Uli?= wins",
    ],
)
def test_headers_come_back_as_they_were_written(subject: str) -> None:
    link = "<https://beans.example.org/z/" + "x" * 90 + ">"
    data = serialise(
        {"From": "a@b.org", "To": "c@d.org", "Subject": subject.strip(), "List-Unsubscribe": link},
        "Ä" * 200,
        "<p>Ä</p>",
    )
    data.decode("ascii")
    assert parsed(data)["Subject"] == subject.strip()
    assert f"List-Unsubscribe: {link}\r\n".encode() in data


@pytest.mark.parametrize(
    "name",
    [
        "Ackerwinde",
        "Beans: a club, e.V.",
        'The "Acker" \\ gang',
        "=?utf-8?q?Uli?=",
        "Größe Bohnen für Jürgen",
        "Größe " * 12,
        "A" * 60,
        "Bohnenfreundinnen " * 3,
    ],
)
def test_a_sender_is_shown_by_the_name_it_has(name: str) -> None:
    address = "a-rather-long-mailbox-for-all-beans@mail.beans.example.org"
    data = serialise({"From": f"{name.strip()} <{address}>", "To": "c@d.org", "Subject": "x"}, "x")
    assert max(len(line) for line in data.split(b"\r\n")) <= 78
    (sender,) = parsed(data)["From"].addresses
    # the standard library puts a blank between the encoded words of a long name, where there is
    # none
    assert (sender.display_name.replace(" ", ""), sender.addr_spec) == (
        name.replace(" ", ""),
        address,
    )
    assert sender.display_name == name.strip() or len(name.encode()) > 45


def test_the_sender_of_a_mail_is_the_game_or_the_name_in_the_settings(
    installation: Installation, ackerwinde: Game, db: Database
) -> None:
    write_all(db, installation)
    assert {parsed(mail.bytes or b"")["From"] for mail in stored_mails(db)} == {
        "Ackerwinde <bohnenpost@localhost>"
    }
    with write(db):
        db.execute("UPDATE mail SET written_at = NULL")
    write_all(
        db,
        replace(
            installation, config=replace(installation.config, mail_from="Beans <beans@example.org>")
        ),
    )
    assert {parsed(mail.bytes or b"")["From"] for mail in stored_mails(db)} == {
        "Beans <beans@example.org>"
    }


@pytest.mark.long
@settings(max_examples=300)
@given(
    st.text(), st.text(), st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])))
)
def test_whatever_a_mail_says_comes_back_as_it_was_written(
    text: str, html: str, entry: list[str]
) -> None:
    invitation = "".join(f"{line}\r\n" for line in ["BEGIN:VCALENDAR", *entry]).encode()
    data = serialise({"From": "a@b.org", "To": "c@d.org", "Subject": "x"}, text, html, invitation)
    data.decode("ascii")
    assert max(len(line) for line in data.split(b"\r\n")) <= 78
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert b"\r" not in data.replace(b"\r\n", b"")
    mail = parsed(data)
    assert [part.get_content_type() for part in mail.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "text/calendar",
    ]
    assert not [defect for part in mail.walk() for defect in part.defects]
    for kind, written in (("plain", text), ("html", html)):
        body = mail.get_body((kind,))
        assert body is not None
        meant = written.replace("\r\n", "\n").replace("\r", "\n").encode(errors="replace").decode()
        assert body.get_content().replace("\r\n", "\n").removesuffix("\n") == meant.removesuffix(
            "\n"
        )
    attached = next(mail.iter_attachments())
    assert attached.get_payload(decode=True) == invitation


@settings(max_examples=300)
@given(st.text(), st.text(), st.text())
def test_what_mails_share_is_encoded_once_and_comes_out_the_same(
    before: str, shared: str, behind: str
) -> None:
    text = f"{before}\n{shared}\n{behind}"
    headers = {"From": "a@b.org", "To": "c@d.org", "Subject": "x"}
    for _ in range(2):
        assert serialise(headers, text, text, None, shared=(shared, shared)) == serialise(
            headers, text, text
        )


def test_a_line_end_in_a_header_is_refused() -> None:
    with pytest.raises(ValueError, match="one line"):
        serialise({"Subject": "a\r\nBcc: x@y.org"}, "text")


def large_game(
    installation: Installation, db: Database, game: str, robots: int, **rules: Any
) -> None:
    """The cast and many robots at one table."""
    seat_game(installation, game, **rules)
    for number in range(robots):
        create.add_seat(
            db,
            installation.link_key,
            game=game,
            name=f"Rosa {number}.",
            address=None,
            language="de",
            robot=True,
        )
    start(installation, game)


def play_weeks(db: Database, frozen_time: Any, weeks: int) -> None:
    """So many rounds; the cast sends nothing."""
    for now in range(SUNDAY, SUNDAY + weeks * 7 * 86400, 7 * 86400):
        frozen_time.move_to(now - 1)
        while order_robot(db, now - 1):
            pass
        close_due(db, Config(), now)


def test_the_report_of_a_game_with_twelve_seats_fits_into_what_mail_programs_show_whole(
    db: Database, installation: Installation, frozen_time: Any
) -> None:
    """Text and HTML say the same of every seat; under 90 kB, because Gmail cuts at 102."""
    large_game(installation, db, "zwoelf", 9)
    play_weeks(db, frozen_time, 6)
    write_all(db, installation)
    newest = [mail for mail in stored_mails(db) if mail.kind == "report"][-3:]
    for mail in newest:
        data = mail.bytes or b""
        assert len(data) < 90_000
        text, html = _bodies(parsed(data))
        told = report(db, store.games.existing(db, "zwoelf"), mail.round)
        bare = " ".join(
            re.sub(r"<[^>]+>", " ", html).replace("&nbsp;", " ").replace("\u00a0", " ").split()
        )
        plain = " ".join(text.split())
        for deed in told.deeds:
            sentences = [
                environment(mail.language).filters["sentence"](event) for event in deed.events
            ]
            assert "; ".join(sentences) in bare
            assert "; ".join(sentences) in plain
        assert all(proven_last(body) for body in (text, html))


def proven_last(body: str) -> bool:
    """Whether the numbers that prove a round stand behind everything one reads."""
    numbers = [found.start() for found in re.finditer("[0-9a-f]{64}", body)]
    return (
        bool(numbers) and numbers[0] > body.rindex("/mail") and numbers[0] > body.rindex("Bohnanza")
    )


@pytest.mark.long
def test_the_report_of_a_large_game_tells_of_the_reader_their_neighbours_and_the_first_ten(
    db: Database, installation: Installation, frozen_time: Any
) -> None:
    large_game(installation, db, "viele", 27)
    play_weeks(db, frozen_time, 4)
    write_all(db, installation)
    for mail in stored_mails(db):
        if mail.kind == "start" and mail.seat == 2:
            for body in _bodies(parsed(mail.bytes or b"")):
                assert re.search(r"/r0(?![\w-])", body) is None  # but in a random link
                assert "The lists that were used" not in body
    newest = {
        (mail.seat or 0): mail
        for mail in stored_mails(db)
        if mail.kind == "report" and mail.round == 4
    }
    told = report(db, store.games.existing(db, "viele"), 4)
    ranking = [farm.seat for farm in told.after.standing]
    for number, name in enumerate(("Anna", "Bert", "Cem"), start=1):
        place = ranking.index(name)
        expected = {*ranking[:10], *ranking[max(place - 1, 0) : place + 2]}
        assert len(expected) > 10
        data = newest[number].bytes or b""
        assert len(data) < 90_000
        for body in _bodies(parsed(data)):
            marked = r"(?: \((?:robot|Roboter)\))?"
            assert {
                name for name in ranking if re.search(rf"\b{name}{marked}:|>{name}{marked} <", body)
            } == expected
            assert f"{installation.config.base_url}/p/viele/r4" in body
            assert proven_last(body)
            for seat in expected:
                used = told.receipts[seat]
                assert used is None or used.receipt in body


def test_the_last_report_and_a_correction_of_a_large_game_keep_to_the_same_few(
    db: Database, installation: Installation, frozen_time: Any
) -> None:
    large_game(installation, db, "viele", 27, rounds=2)
    close_due(db, Config(), SUNDAY)
    write_all(db, installation)
    while send_due(db, FolderTransport(installation.mail_folder), SUNDAY):
        pass
    rollback(db, "viele", 1, "Irrtum", SUNDAY + 60)
    close_due(db, Config(), SUNDAY + 7 * 86400)
    close_due(db, Config(), SUNDAY + 14 * 86400)
    write_all(db, installation)
    told = report(db, store.games.existing(db, "viele"), 1)
    place = [farm.seat for farm in told.after.standing].index("Bert")
    expected = {
        farm.seat
        for index, farm in enumerate(told.after.standing)
        if index < 10 or abs(index - place) <= 1
    }
    (news,) = [
        parsed(mail.bytes or b"")
        for mail in stored_mails(db)
        if (mail.seat, mail.kind, mail.round) == (2, "news", 2)
    ]
    said = news.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    listed = {farm.seat for farm in told.after.standing if f"{farm.seat}: no orders" in said}
    assert listed == expected
    assert f"{installation.config.base_url}/p/viele/r1" in said
    (final,) = [
        parsed(mail.bytes or b"")
        for mail in stored_mails(db)
        if (mail.seat, mail.kind) == (2, "final")
    ]
    for body in _bodies(final):
        assert 10 <= body.count(" % of it") <= 13


def test_a_refused_sender_is_no_mails_fault(
    db: Database, installation: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    box, port = postbox
    box.sender_answer = "553 sender not allowed"
    write_all(db, installation)
    with smtp(installation, port) as transport, pytest.raises(TransportDown, match="553"):
        send_due(db, transport, SUNDAY)
    assert {(mail.tries, mail.failed_at) for mail in stored_mails(db)} == {(0, None)}


def test_what_was_sent_is_noted_though_no_further_mail_can_be_leased(
    db: Database, installation: Installation, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_all(db, installation)
    first = lease(db, SUNDAY)
    assert first is not None

    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("gm.mail.sending._is_stale", broken)
    assert send_one(db, FolderTransport(installation.mail_folder), first, SUNDAY).following is None
    assert [mail.sent_at for mail in stored_mails(db)] == [SUNDAY, None, None]


def test_a_reminder_of_a_game_that_cannot_be_read_fails_and_the_others_go_out(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    with write(db):
        anna = store.seats.of_game(db, "ackerwinde")[0]
        put(
            db,
            "ackerwinde",
            1,
            Event(kind="reminder", lead=1, deadline=SUNDAY),
            [anna],
            SUNDAY - 3600,
        )
    write_all(db, installation, SUNDAY - 3600)
    garble(db, "game", "gm_name", "CAST(x'ff' AS TEXT)")
    sent, mail = 0, lease(db, SUNDAY - 3600)
    with FolderTransport(installation.mail_folder) as transport:
        while mail is not None:
            sent, mail = sent + 1, send_one(db, transport, mail, SUNDAY - 3600).following
    assert sent == 3
    assert {
        (kind, at is None, failed is None)
        for kind, at, failed in db.execute("SELECT kind, sent_at, failed_at FROM mail")
    } == {
        ("start", False, True),
        ("reminder", True, False),
    }


def test_no_mail_goes_out_once_the_database_is_held(
    db: Database, installation: Installation, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy takes the place of the database while mails are written."""

    def write_and_hold(db: Database, installation: Installation, now: int) -> bool:
        written = write_mails(db, installation, now)
        if not written:
            with write(db):
                db.execute(
                    "INSERT INTO meta VALUES ('held', ?)", ['{"at":1,"copied_at":1,"games":[]}']
                )
        return written

    monkeypatch.setattr("gm.service.write_mails", write_and_hold)
    assert tick_mail(installation, SUNDAY).accepted == 0
    assert [mail.sent_at for mail in stored_mails(db)] == [None] * 3


def test_each_mail_is_marked_and_the_next_leased_in_one_transaction(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    write_all(db, installation)
    mail, commits = lease(db, SUNDAY), list[str]()
    trace(db, lambda statement: commits.append(statement) if statement == "COMMIT" else None)
    with FolderTransport(installation.mail_folder) as transport:
        while mail is not None:
            mail = send_one(db, transport, mail, SUNDAY).following
    assert len(commits) == len(stored_mails(db)) == 3
    assert all(mail.sent_at for mail in stored_mails(db))


@pytest.mark.long
def test_five_days_are_counted_from_the_first_try(
    db: Database, installation: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    box, port = postbox
    anna = "anna@ackerwinde.example.org"
    box.answers = {anna: ["451 later"] * 200}
    write_all(db, installation)
    down_until, day = SUNDAY + 6 * 86400, 86400
    for now in range(down_until, down_until + 6 * day, 3600):
        with smtp(installation, port) as transport:
            while send_due(db, transport, now):
                pass
        failed = stored_mails(db)[0].failed_at
        if failed:
            break
    assert failed is not None
    assert 5 * day <= failed - down_until <= 5 * day + 2 * 4200


def test_mails_that_cannot_be_written_at_all_hold_up_no_others(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    seat_game(installation, "beinwell")
    start(installation, "beinwell")
    with write(db):
        db.execute("UPDATE game SET rule = '{}' WHERE id = 'ackerwinde'")
    write_all(db, installation)
    expected = [("ackerwinde", True)] * 3 + [("beinwell", False)] * 3
    assert [(mail.game, mail.failed_at is not None) for mail in stored_mails(db)] == expected
