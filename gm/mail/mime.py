"""A mail as bytes: pure ASCII, every line short, readable by every mail program.

Made by hand because it is most of the work of a deadline; tests parse it back with the standard
library.
"""

import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from email.header import Header
from functools import lru_cache

LINE = "\r\n"
OUTER, INNER = "=_bohnenpost_whole", "=_bohnenpost_words"
"""Boundaries that no body can contain: in quoted-printable and base64 no underscore follows an
equals sign.
"""
UNSAFE = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
LONGEST_LINE = 76
PIECES = 32
"""Number of shared pieces that are kept: of text and HTML of a round in each language, and of
the one before.
"""


def serialise(
    headers: Mapping[str, str],
    text: str,
    html: str | None = None,
    invitation: bytes | None = None,
    *,
    is_file: bool = False,
    shared: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> bytes:
    """The bytes of a mail: text, then HTML, then a calendar file. Bodies are quoted-printable,
    line ends CR LF.

    `is_file`: the calendar is a file to open, instead of shown by the mail program before the
    words. `shared`: pieces of text and of HTML, whole lines, that many mails have in this order;
    encoded once for all. Raises ValueError for a header with a control character, or one other
    than Subject, From and Reply-To that is not ASCII.
    """
    lines = [_header(name, value) for name, value in headers.items()] + ["MIME-Version: 1.0"]
    words = _body("plain", text, shared[0])
    if html is not None:
        words = _many("alternative", INNER, [words, _body("html", html, shared[1])])
    if invitation is not None:
        words = _many("mixed", OUTER, [words, _calendar(invitation, is_file=is_file)])
    return (LINE.join(lines) + LINE + words).encode("ascii")


def _header(name: str, value: str) -> str:
    if UNSAFE.search(value):
        raise ValueError(f"{name}: a header is one line, not {value!r}")
    if name == "Subject" and (
        not value.isascii() or "=?" in value or len(value) > LONGEST_LINE - len("Subject: ")
    ):
        value = _encoded_once(name, value)
    elif name in ("From", "Reply-To"):
        value = _sender_once(value)
    elif not value.isascii():
        raise ValueError(f"{name}: not ASCII: {value!r}")
    elif len(name) + 2 + len(value) > LONGEST_LINE:
        value = value.replace(" ", f"{LINE} ")  # an address is never broken
    return f"{name}: {value}"


@lru_cache(PIECES)
def _encoded_once(name: str, value: str) -> str:
    # what looks encoded already would be decoded by its reader
    charset = "utf-8" if "=?" in value else None
    return Header(value, charset, header_name=name).encode(linesep=LINE)


@lru_cache(PIECES)
def _sender_once(value: str) -> str:
    """A sender like `Bohnen <a@b.org>`: the name quoted or encoded, the address on a line of its
    own if too long.
    """
    name, _, address = value.rpartition(" ")
    if not name:
        return value
    if name.isascii() and "=?" not in name:
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        packed = f'"{escaped}"'
    else:
        packed = Header(name, "utf-8", header_name="From").encode(linesep=LINE)
    fits = len(packed.rpartition(LINE)[2]) + len(address) < LONGEST_LINE - len("From: ")
    return f"{packed} {address}" if fits else f"{packed}{LINE} {address}"


def _body(kind: str, text: str, shared: Sequence[str]) -> str:
    if "\r" in text:
        text, shared = text.replace("\r\n", "\n").replace("\r", "\n"), ()
    packed = (
        (_packed_once if is_shared else _packed)(lines)
        for lines, is_shared in _pieces(text, shared)
    )
    head = (
        f'Content-Type: text/{kind}; charset="utf-8"{LINE}Content-Transfer-Encoding: '
        f"quoted-printable{LINE}{LINE}"
    )
    return head + "".join(packed)


def _pieces(text: str, shared: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """A text split into what is shared and what stands between, as whole lines without the last
    line end.
    """
    rest = "\n" + text.removesuffix("\n") + "\n"
    for piece in shared:
        lines = piece.strip("\n")
        before, found, behind = rest.partition(f"\n{lines}\n")
        if lines and found:
            if before:
                yield before.removeprefix("\n"), False
            yield lines, True
            rest = "\n" + behind
    if rest != "\n":
        yield rest[1:-1], False


def _packed(lines: str) -> str:
    """Whole lines in quoted-printable, without the last line end."""
    plain = lines.replace("\n", LINE) + LINE
    packed = LINE + binascii.b2a_qp(plain.encode(errors="replace"), istext=True).decode("ascii")
    # some servers put a > before it
    return packed.replace("\r\nFrom ", "\r\n=46rom ").removeprefix(LINE)


_packed_once = lru_cache(PIECES)(_packed)


def _calendar(data: bytes, *, is_file: bool) -> str:
    kind = (
        'application/ics; name="deadline.ics"'
        if is_file
        else 'text/calendar; charset="utf-8"; method="PUBLISH"'
    )
    head = (
        f"Content-Type: {kind}",
        "Content-Transfer-Encoding: quoted-printable",
        'Content-Disposition: attachment; filename="deadline.ics"',
        "",
    )
    # encoded once for all of a batch who read a language
    return LINE.join([*head, _packed_once(data.decode().replace(LINE, "\n").removesuffix("\n"))])


def _many(kind: str, boundary: str, parts: list[str]) -> str:
    inside = "".join(f"--{boundary}{LINE}{part}{LINE}" for part in parts)
    return (
        f"Content-Type: multipart/{kind}; "
        f'boundary="{boundary}"{LINE}{LINE}{inside}--{boundary}--{LINE}'
    )
