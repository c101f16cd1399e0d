"""Mails as bytes: the exact form of what every mail has (any text at all: test_delivery.py)."""

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

import pytest

from gm.mail.mime import LONGEST_LINE, serialise

TO = {"From": "a@b.org", "To": "c@d.org", "Subject": "x"}


def parsed(data: bytes) -> EmailMessage:
    mail = BytesParser(policy=policy.default).parsebytes(data)
    assert isinstance(mail, EmailMessage)
    return mail


def body(text: str) -> bytes:
    """What stands behind the headers."""
    return serialise(TO, text).partition(b"\r\n\r\n")[2]


def test_a_plain_mail_is_its_headers_in_order_and_its_text() -> None:
    assert serialise(TO, "Hallo Dörte\n") == (
        b"From: a@b.org\r\nTo: c@d.org\r\nSubject: x\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: text/plain; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
        b"Hallo D=C3=B6rte\r\n"
    )


@pytest.mark.parametrize(
    ("html", "invitation", "kinds"),
    [
        (None, None, ["text/plain"]),
        ("<p>x</p>", None, ["multipart/alternative", "text/plain", "text/html"]),
        (None, b"BEGIN:VCALENDAR", ["multipart/mixed", "text/plain", "text/calendar"]),
        (
            "<p>x</p>",
            b"BEGIN:VCALENDAR",
            [
                "multipart/mixed",
                "multipart/alternative",
                "text/plain",
                "text/html",
                "text/calendar",
            ],
        ),
    ],
)
def test_the_parts_of_a_mail_stand_in_their_order(
    html: str | None, invitation: bytes | None, kinds: list[str]
) -> None:
    mail = parsed(serialise(TO, "x", html, invitation))
    assert [part.get_content_type() for part in mail.walk()] == kinds
    assert not [defect for part in mail.walk() for defect in part.defects]


def test_a_calendar_file_is_attached_by_its_name() -> None:
    entry = ("SUMMARY:Bohnen für Dörte=\r\n" + "x" * 300 + "\r\n").encode()
    (part,) = parsed(serialise(TO, "x", None, entry)).iter_attachments()
    assert (part.get_filename(), part.get_content_type()) == ("deadline.ics", "text/calendar")
    assert part["Content-Transfer-Encoding"] == "quoted-printable"
    assert part.get_payload(decode=True) == entry
    (part,) = parsed(serialise(TO, "x", None, entry, is_file=True)).iter_attachments()
    assert part.get_payload(decode=True) == entry
    assert (part.get_filename(), part.get_content_type()) == ("deadline.ics", "application/ics")


@pytest.mark.parametrize(
    ("text", "packed"),
    [
        ("", b"\r\n"),
        ("\n", b"\r\n"),
        ("x", b"x\r\n"),
        ("x\n\ny\n", b"x\r\n\r\ny\r\n"),
        ("a=b", b"a=3Db\r\n"),
        ("blank \n", b"blank=20\r\n"),
        ("From me\nFrom you", b"=46rom me\r\n=46rom you\r\n"),
        ("a\r\nb\rc", b"a\r\nb\r\nc\r\n"),
        ("half \ud83e", b"half ?\r\n"),
    ],
)
def test_a_text_is_quoted_printable_with_whole_lines(text: str, packed: bytes) -> None:
    assert body(text) == packed


@pytest.mark.parametrize("length", [LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 1000])
def test_a_long_line_is_broken_and_comes_back_whole(length: int) -> None:
    data = serialise(TO, "x" * length)
    assert max(len(line) for line in data.split(b"\r\n")) <= LONGEST_LINE
    assert parsed(data).get_content().replace("\r\n", "\n") == "x" * length + "\n"


@pytest.mark.parametrize(
    "odd", ["\n", "\r", "\x00", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\ud83e"]
)
@pytest.mark.parametrize("name", ["Subject", "From", "To", "Message-ID"])
def test_a_header_with_a_control_character_is_refused_by_name(name: str, odd: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: a header is one line"):
        serialise(TO | {name: f"a{odd}Bcc: x@y.org"}, "x")


def test_only_subject_and_sender_may_hold_other_letters() -> None:
    with pytest.raises(ValueError, match="To: not ASCII"):
        serialise(TO | {"To": "dörte@example.org"}, "x")
    assert (
        parsed(serialise(TO | {"Subject": "Dörte", "From": "Dörte <a@b.org>"}, "x"))["Subject"]
        == "Dörte"
    )


@pytest.mark.parametrize(
    ("sender", "header"),
    [
        ("a@b.org", "From: a@b.org"),
        ("Beans <a@b.org>", 'From: "Beans" <a@b.org>'),
        ('The "Acker" \\ gang <a@b.org>', 'From: "The \\"Acker\\" \\\\ gang" <a@b.org>'),
    ],
)
def test_a_sender_is_quoted_as_mail_programs_read_it(sender: str, header: str) -> None:
    assert serialise(TO | {"From": sender}, "x").decode().split("\r\n")[0] == header


@pytest.mark.parametrize("length", [1, 66, 67, 68, 69, 70, 71, 200])
def test_a_subject_of_any_length_comes_back_from_short_lines(length: int) -> None:
    subject = ("bean " * 20)[: length - 1] + "x"
    data = serialise(TO | {"Subject": subject}, "x")
    assert max(len(line) for line in data.split(b"\r\n")) <= 78
    assert (f"Subject: {subject}\r\n".encode() in data) == (length < 70)
    assert parsed(data)["Subject"] == subject


def test_pieces_that_are_shared_change_no_byte() -> None:
    text = "Hallo Anna\nthe row:\n 1 bush\nthe row:\nFrom Uli\n"
    for shared in (
        (),
        ("the row:\n 1 bush",),
        ("the row:", "From Uli\n"),
        ("not there",),
        ("", "\n"),
        ("Hallo",),
    ):
        assert serialise(TO, text, text, None, shared=(shared, shared)) == serialise(TO, text, text)
