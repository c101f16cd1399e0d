"""What somebody's own mails bear witness to: commitment, chain values and digests, found by the words that stand before them."""

import html
import mailbox
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from msgspec import Struct

from rounds.record import RecordError, read_record
from rounds.verdict import Given

HEX = re.compile(r"[0-9a-f]{64}")
MAIL_ID = re.compile(r"<(?P<kind>[a-z]+)\.(?P<round>\d{1,4})\.(?P<game>[a-z0-9][a-z0-9-]{0,31})\.[0-9a-f]{16}@")
PAGE = re.compile(r"/p/([a-z0-9][a-z0-9-]{0,31})(?![a-z0-9-])")
LABELS = {
    "commitment": re.compile(r"bohn-shuffle-1|promise behind the deck|Versprechen hinter dem (Kartens|S)tapel"),
    "chain": re.compile(r"(The chain (over|begins|up to)|Die Kette (über|beginnt|bis)) ?"),
    "withdrawn": re.compile(r"Taken back with|Mit einer früheren Fassung"),
    "digest": re.compile(r"Digest of this list|Prüfsumme dieses Zuges"),
    "used": re.compile(r"^(?P<seat>.+), (version|Fassung) (?P<revision>\d{1,7})\b"),
}
"""The line before a value says what it is, in the words of this program and of older ones."""
SECRET = re.compile(r"this is the secret|das ist das Geheimnis", re.IGNORECASE)
ROUNDS = (
    re.compile(r"^(?:.*: )?(?:Report on round|Bericht über Runde) (\d{1,4})\b", re.MULTILINE),
    re.compile(r"^(?:Round|Runde) (\d{1,4}) (?:was played again|wurde noch einmal ausgewertet)", re.MULTILINE),
    re.compile(r"^(?:your orders for round|dein Zug für Runde) (\d{1,4})\b", re.MULTILINE),
)
START = re.compile(r"^(?:.*: )?(?:The game begins|Die Partie beginnt)\b", re.MULTILINE)
REVISION = re.compile(r"(?:are in: version|ist da: Fassung) (\d{1,7})\b")
GREETING = re.compile(r"^(?:Hello|Hallo) (.+),$", re.MULTILINE)
LARGEST = 2**22
"""No mail of ours is larger; what is larger in a folder is no mail of ours."""
LONGEST_LINE = 2000
"""Characters of a line that is read: no value, and nothing that stands above one, is longer."""
LONG_FIELD = re.compile(rb"^(?:content-[a-z-]+|message-id):(?:[^\n]|\n[ \t]){2000}", re.IGNORECASE | re.MULTILINE)
"""A field of a mail that costs with its square, or more than Python's stack, to read: none of ours is that long."""
TAG = re.compile(r"<[^<>]*>")
BREAK = re.compile(r"<(?:br|/p|/h\d|/tr|/td|/div)\b[^<>]*>", re.IGNORECASE)


class Letter(Struct, frozen=True):
    """One mail: whose game and round it tells of (None: not said), who is greeted, and its values as (kind, seat, revision, hex).

    `late`: it publishes the secret, so its commitment was not there before.
    """

    game: str | None
    round: int | None
    reader: str
    late: bool
    values: tuple[tuple[str, str, int, str], ...]

    def all(self, kind: str) -> list[str]:
        """Its values of a kind."""
        return [value for found, _, _, value in self.values if found == kind]


class Witness(Struct, frozen=True):
    """What the mails say of one game. `own`: the digest of the newest list of each reader and round; `odd`: (kind, round) of
    which they say different things."""

    given: Given
    own: dict[tuple[int, str], str]
    odd: tuple[tuple[str, int], ...]
    letters: int


def letters(path: Path) -> list[Letter]:
    """The mails of a folder, with all folders in it, or of an mbox file. Raises OSError for what cannot be read."""
    return [letter for data in _mails(path) if (letter := _letter(data)) is not None]


def _letter(data: bytes) -> Letter | None:
    """What the bytes of a mail say; None for what only somebody writes who wants the reading to take long, or to fail."""
    if len(data) > LARGEST or LONG_FIELD.search(data):
        return None
    try:
        return read(message_from_bytes(data, policy=policy.default))
    except RecursionError:
        return None


def read(mail: EmailMessage) -> Letter:
    """What a mail says, its Message-ID first: nobody but this program writes that."""
    letter = read_text(_text(mail))
    named = MAIL_ID.match(str(mail.get("Message-ID", "")).strip())
    if named is None:
        return letter
    number = letter.round if named["kind"] == "news" else int(named["round"])
    return Letter(named["game"], number, letter.reader, letter.late, letter.values)


def read_text(text: str) -> Letter:
    """The same of the words alone. Only what begins at the margin counts: players' words are indented."""
    text = "\n".join(_plain(line) for line in text.splitlines())
    page, greeting = PAGE.search(text), GREETING.search(text)
    found = [int(match[1]) for pattern in ROUNDS if (match := pattern.search(text))]
    number = found[0] if found else 0 if START.search(text) else None
    sent = REVISION.search(" ".join(text.split()))
    values = tuple(_values(text.splitlines(), int(sent[1]) if sent else 0))
    return Letter(page[1] if page else None, number, greeting[1] if greeting else "", bool(SECRET.search(text)), values)


def _plain(line: str) -> str:
    """A line as this program wrote it, without the marks of a quotation; empty for one that is too long to be ours."""
    return re.sub(r"^(> ?)+", "", unicodedata.normalize("NFC", line)).rstrip() if len(line) <= LONGEST_LINE else ""


def _values(lines: list[str], sent: int) -> Iterator[tuple[str, str, int, str]]:
    """Every value whose label stands right above it; `sent`: the revision a receipt tells of."""
    for at, line in enumerate(lines):
        if not HEX.fullmatch(line):
            continue
        above = at
        while above and lines[above - 1] and not HEX.fullmatch(lines[above - 1]):
            above -= 1
            hit = next(((kind, m) for kind, pattern in LABELS.items() if (m := pattern.search(lines[above]))), None)
            if hit:
                kind, part = hit[0], hit[1].groupdict()
                yield kind, part.get("seat") or "", int(part.get("revision") or sent), line
                break


def _text(mail: EmailMessage) -> str:
    """Its words: the plain text, else what is to be read of its HTML. Empty where there is nothing readable."""
    body = mail.get_body(("plain", "html"))
    try:
        content = "" if body is None else str(body.get_content())
    except (LookupError, ValueError, AttributeError):  # an unknown charset, a body that is none
        return ""
    if body is not None and body.get_content_subtype() == "html":
        content = html.unescape(TAG.sub("", BREAK.sub("\n", content)))
    return content


def _mails(path: Path) -> Iterator[bytes]:
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


def compared(data: bytes, mails: Sequence[Letter], kept: Given) -> tuple[Given, list[str], int]:
    """What a record is to be compared with: what is given, then what the mails of its game say. With what is to be looked at,

    and how many mails say something. A record that is none is compared with what is given alone.
    """
    try:
        record = read_record(data)
    except RecordError:
        return kept, [], 0
    found = witness(mails, record.game)
    look = [f"your mails say different things of {kind}, round {number}: left out" for kind, number in found.odd]
    proofs = record.fairness.rounds if record.fairness else ()
    for (number, reader), digest in sorted(found.own.items()):
        used = proofs[number - 1].receipts.values() if 1 <= number <= len(proofs) else None
        if used is not None and not any(receipt and receipt.receipt == digest for receipt in used):
            why = "a replacement, a removal or a round taken back would explain it"
            look.append(f"round {number}: the newest list that {reader} has a receipt for was not played; {why}")
    if not found.letters:
        look.append(f"none of the mails tells of {record.game}")
    mine, theirs = kept, found.given
    chains, receipts = {**theirs.chains, **mine.chains}, {**theirs.receipts, **mine.receipts}
    return Given(mine.commitment or theirs.commitment, chains, receipts), look, found.letters


def witness(mails: Iterable[Letter], game: str) -> Witness:
    """What the mails say of a game; what was taken back, and a commitment that came with the secret, is left out."""
    own_game = [letter for letter in mails if letter.game in (game, None) and letter.values]
    back = {value for letter in own_game for value in letter.all("withdrawn")}
    standing = [letter for letter in own_game if not back & set(letter.all("chain"))]
    said: dict[tuple[str, int, str], set[str]] = {}
    newest: dict[tuple[int, str], tuple[int, str]] = {}
    for letter in standing:
        for kind, seat, revision, value in letter.values:
            if kind == "commitment" and not letter.late:
                said.setdefault((kind, 0, ""), set()).add(value)
            elif kind in ("chain", "used") and letter.round is not None:
                said.setdefault((kind, letter.round, seat), set()).add(value)
            elif kind == "digest" and letter.round is not None:
                key = (letter.round, letter.reader)
                newest[key] = max(newest.get(key, (0, "")), (revision, value))
    sure = {key: min(values) for key, values in said.items() if len(values) == 1}
    odd = sorted({(kind, number) for (kind, number, _), values in said.items() if len(values) > 1})
    given = Given(
        sure.get(("commitment", 0, "")),
        {number: value for (kind, number, _), value in sure.items() if kind == "chain"},
        {(number, seat): value for (kind, number, seat), value in sure.items() if kind == "used"},
    )
    return Witness(given, {key: value for key, (_, value) in newest.items()}, tuple(odd), len(own_game))
