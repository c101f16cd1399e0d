"""The mails that somebody kept, in a folder or an mbox file, and the lines of proof in each."""

import html
import mailbox
import re
from collections.abc import Iterator, Mapping, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from pathlib import Path
from typing import NamedTuple

from rounds.engine.witness import IGNORABLE, Line, read, unread

LARGEST = 2**22
"""No mail of ours is larger."""
LONGEST_FIELD = 2000
"""A field of a mail that says what a part is, and takes too long or too much stack to read if it
is longer: none of ours is.
"""
PACKED = (
    *(b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!"),
    *(b"\xd0\xcf\x11\xe0", b"\xff\xfe", b"\xfe\xff"),
)
"""How files begin that hold mails in a form that is not read: packed, Outlook, UTF-16."""
HARMLESS = ("text/", "image/", "application/ics", "application/pgp-sig", "application/pkcs7-sig")
"""How the kinds of parts begin that are read, or that carry no proof."""
ENCODINGS = {"", "7bit", "8bit", "binary", "quoted-printable", "base64"}
ODD_CHARSETS = ("utf-16", "utf-32", "utf-7", "punycode", "idna", "unicode", "raw_unicode")
"""How character sets begin that take long to read, or make other text of plain bytes."""
PACKED_NAMES = (".eml", ".msg", ".zip", ".gz")
HEADERS = {"from", "message-id", "content-type", "subject"}
"""A text without any of these headers is no mail."""
VALUE = re.compile(r"(?<![^\W_])[^\W_]{64}(?![^\W_])")
"""64 letters and digits, also if they only look like hexadecimal ones."""
WRAPPING = re.compile(rb"\A(?:\xef\xbb\xbf|\s+|[0-9]+ *\r?\n|>From [^\n]*\n)*")
TAG = re.compile(r"<[^<>]*>")
BREAK = re.compile(r"<(?:br|/p|/h\d|/tr|/td|/div)\b[^<>]*>", re.IGNORECASE)


class Kept(NamedTuple):
    """The lines of proof of each mail that has some, and the names of these mails; the names of
    the mails that were left out, because they cannot be read or their lines are not found; of
    mails without a line of the game that their head names, this game by the mail's name.
    """

    mails: Sequence[list[Line]] = ()
    left_out: Sequence[str] = ()
    names: Sequence[str] = ()
    silent: Mapping[str, str] = {}


def mails(path: Path) -> Kept:
    """What is kept in a folder and its subfolders, or in an mbox file; a text that is no mail
    counts as one.

    What is attached to a mail is part of it. Raises OSError for unreadable files.
    """
    mails: dict[str, list[Line]] = {}
    left_out, silent = [], {}
    for name, data in _files(path):
        texts = _texts(data)
        # what is attached came with its mail: a promise beside the secret is none
        if lines := [line for text in texts or () for line in read(text)]:
            mails[name] = lines
        if texts is None:
            left_out.append(name)
        elif (game := _named_game(data)) and all(line.game != game for line in lines):
            silent[name] = game
    return Kept([*mails.values()], left_out, [*mails], silent)


def _named_game(data: bytes | None) -> str:
    """The id of the game that the head of a mail names; empty if it names none."""
    return str(message_from_bytes(data or b"").get("X-Bohnenpost-Game", "")).strip()


def _texts(data: bytes | None) -> list[str] | None:
    """The texts of a mail and of those attached to it. None for a mail that is too large, that is
    packed, made to take long or to fail, or that seems to say more than the lines in its texts.
    """
    if data is None or data.startswith(PACKED):
        return None
    try:
        data = _without_wrapping(data)
        if _has_long_field(data):
            return None
        mail = message_from_bytes(data, policy=policy.default)
        if not _is_mail(mail):
            texts = mentioned = [data.decode(errors="replace")]
        else:
            names = [part.get_filename() or "" for part in mail.walk() if not part.is_multipart()]
            if any(name.lower().endswith(PACKED_NAMES) for name in names):
                return None
            if not all(map(_is_understood, mail.walk())):
                return None
            texts = [_text(one) for one in _with_attached(mail)]
            mentioned = [
                _readable(part) for part in mail.walk() if part.get_content_maintype() == "text"
            ]
    except (RecursionError, LookupError, ValueError, AttributeError):
        return None  # too deep, an unknown charset, a body that is none
    lines = {line for text in texts for line in read(text)}
    # what seems to be a line of proof must be one, where lines are looked for
    if any(unread(text) or not lines.issuperset(read(text)) for text in mentioned):
        return None
    return texts if lines or not _seems_to_prove(data, mail, mentioned) else None


def _seems_to_prove(data: bytes, mail: Message, texts: Sequence[str]) -> bool:
    """True if a mail without a line of proof carries a value that belongs to one."""
    values = [VALUE.search(IGNORABLE.sub("", text)) for text in texts]
    return b"Proof:" in data or (_is_mail(mail) and any(values))


def _without_wrapping(data: bytes) -> bytes:
    """A mail without what some programs put before it: blank lines, a mark of order, the number of
    its bytes, a line of a mailbox.
    """
    return WRAPPING.sub(b"", data, 1)


def _is_understood(part: Message) -> bool:
    """Whether a part of a mail is read as mail programs show it, or can carry no proof."""
    kind, encodings = part.get_content_type(), part.get_all("Content-Transfer-Encoding", [])
    encoding = str(encodings[0]).strip().lower() if encodings else ""
    if len(encodings) > 1 or encoding not in ENCODINGS:
        return False
    if part.is_multipart():
        return not kind.startswith("message/") or encoding not in ("base64", "quoted-printable")
    charset = str(part.get_content_charset("")).lower().replace("_", "-")
    return kind.startswith(HARMLESS) and not charset.startswith(ODD_CHARSETS)


def _is_mail(mail: Message) -> bool:
    # fields may come twice
    return not HEADERS.isdisjoint(name.lower() for name in mail.keys())  # noqa: SIM118


def _has_long_field(data: bytes) -> bool:
    """Whether a head in a mail, read without taking its fields apart, has one that is too long."""
    return any(
        len(value) > LONGEST_FIELD
        for part in message_from_bytes(data).walk()
        for name, value in part.raw_items()
        if name.lower().startswith("content-") or name.lower() == "message-id"
    )


def _with_attached(mail: Message) -> Iterator[Message]:
    yield mail
    for part in mail.walk():
        if part.get_content_type() == "message/rfc822" and isinstance(part.get_payload(), list):
            yield from part.get_payload()  # type: ignore[misc]


def _text(mail: Message) -> str:
    """The plain text of a mail, else what can be read of its HTML; may be empty."""
    body = mail.get_body(("plain", "html")) if isinstance(mail, EmailMessage) else None
    return "" if body is None else _readable(body)


def _readable(part: Message) -> str:
    content = str(part.get_content())  # type: ignore[attr-defined]
    if part.get_content_subtype() == "html":
        content = html.unescape(TAG.sub("", BREAK.sub("\n", content)))
    return content


def _files(path: Path) -> Iterator[tuple[str, bytes | None]]:
    """Each mail with its name; None for one that is too large."""
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if not file.is_file():
            continue
        with file.open("rb") as opened:
            start = opened.read(2**16)
        name = str(file.relative_to(path)) if path.is_dir() else file.name
        if start.startswith(b"From "):
            yield from _of_mbox(file, name)
        elif file.stat().st_size <= LARGEST:
            yield name, file.read_bytes()
        else:
            yield name, None


def _of_mbox(file: Path, name: str) -> Iterator[tuple[str, bytes | None]]:
    """Each mail of the box, one at a time; None instead of one that is too large."""
    box, number, mail = mailbox.mbox(file, create=False), 1, b""
    try:
        # the box itself yields the mails, in an older form
        for key in box.iterkeys():
            data = box.get_bytes(key)
            if mail and not _is_mail(message_from_bytes(data[: 2**16])):
                # a mail may have a line that begins with "From "
                mail = (mail + b"\n" + data)[: LARGEST + 1]
                continue
            if mail:
                yield f"{name}, mail {number}", mail if len(mail) <= LARGEST else None
                number += 1
            mail = data
    finally:
        box.close()
    if mail:
        yield f"{name}, mail {number}", mail if len(mail) <= LARGEST else None
