"""The mails that somebody kept, in a folder or an mbox file, and the lines of proof in each."""

import html
import mailbox
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from pathlib import Path

from rounds.engine.witness import Line, read

LARGEST = 2**22
"""Files in a folder that are larger are no mails of ours."""
LONG_FIELD = re.compile(
    rb"^(?:content-[a-z-]+|message-id):(?:[^\n]|\n[ \t]){2000}", re.IGNORECASE | re.MULTILINE
)
"""A field of a mail that takes too long or too much stack to read: none of ours is that long."""
HEADERS = {"from", "message-id", "content-type"}
"""A text without any of these headers is no mail."""
TAG = re.compile(r"<[^<>]*>")
BREAK = re.compile(r"<(?:br|/p|/h\d|/tr|/td|/div)\b[^<>]*>", re.IGNORECASE)


def mails(path: Path) -> list[list[Line]]:
    """The lines of proof of each mail of a folder and its subfolders, or of an mbox file; a text
    that is no mail counts as one.

    A mail forwarded as an attachment counts by itself. Raises OSError for unreadable files.
    """
    return [lines for data in _files(path) for text in _texts(data) if (lines := read(text))]


def _texts(data: bytes) -> list[str]:
    """The texts of a mail and of those attached to it. Parts made to take long, or to fail, are
    left out.
    """
    if len(data) > LARGEST or LONG_FIELD.search(data):
        return []
    try:
        mail = message_from_bytes(data, policy=policy.default)
        # fields may come twice
        if HEADERS.isdisjoint(name.lower() for name in mail.keys()):  # noqa: SIM118
            return [data.decode(errors="replace")]
        return [_text(one) for one in _with_attached(mail)]
    except RecursionError:
        return []


def _with_attached(mail: Message) -> Iterator[Message]:
    yield mail
    for part in mail.walk():
        if part.get_content_type() == "message/rfc822" and isinstance(part.get_payload(), list):
            yield from part.get_payload()  # type: ignore[misc]


def _text(mail: Message) -> str:
    """The plain text of a mail, else what can be read of its HTML; may be empty."""
    body = mail.get_body(("plain", "html")) if isinstance(mail, EmailMessage) else None
    try:
        content = "" if body is None else str(body.get_content())
    except (LookupError, ValueError, AttributeError):  # an unknown charset, a body that is none
        return ""
    if body is not None and body.get_content_subtype() == "html":
        content = html.unescape(TAG.sub("", BREAK.sub("\n", content)))
    return content


def _files(path: Path) -> Iterator[bytes]:
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if not file.is_file():
            continue
        with file.open("rb") as opened:
            start = opened.read(5)
        if start == b"From ":
            yield from _of_mbox(file)
        elif file.stat().st_size <= LARGEST:
            yield file.read_bytes()


def _of_mbox(file: Path) -> Iterator[bytes]:
    box = mailbox.mbox(file, create=False)
    try:
        for key in box.keys():  # noqa: SIM118  # the box itself yields the mails, in an older form
            yield box.get_bytes(key)
    finally:
        box.close()
