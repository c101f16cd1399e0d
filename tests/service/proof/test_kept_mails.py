"""Mails as they were kept: what cannot be read is named and leaves a condition, what can is read."""

import gzip
import json
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from gm.cli import main
from gm.proof.witness import LARGEST
from tests.faster import few_first
from tests.rules.histories import KINDS, History, promise, report, without_a_list
from tests.rules.prover import as_bytes


def as_mail(text: str, subject: str = "a mail") -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "gm@example.org", "bert@example.org", subject
    mail.set_content(text)
    return mail.as_bytes()


def verdict(folder: Path, record: dict[str, Any], mails: list[bytes]) -> dict[str, Any]:
    """What the command says, with the last line it prints for people."""
    kept, file = folder / "mails", folder / "record.json"
    kept.mkdir(parents=True)
    file.write_bytes(as_bytes(record))
    for number, mail in enumerate(mails, start=1):
        (kept / f"{number}.eml").write_bytes(mail)
    asked = ["verify", str(file), "--mails", str(kept)]
    said = CliRunner().invoke(main, asked).output.splitlines()
    found: dict[str, Any] = json.loads(CliRunner().invoke(main, [*asked, "--json"]).output)
    assert found["line"] in said
    return found


@pytest.mark.parametrize("seeds_of_it", few_first([range(1), range(1, 10)], 1))
@pytest.mark.parametrize("kind", KINDS)
def test_the_command_never_simply_proves_a_forged_history(
    tmp_path: Path, kind: str, seeds_of_it: range
) -> None:
    for seed in seeds_of_it:
        history = KINDS[kind](seed)
        for part, mails in enumerate(history.samples(Random(seed))):
            folder = tmp_path / f"{seed} {part}"
            found = verdict(folder, history.record, [as_mail(text) for text in mails])
            assert found["verdict"] != "PROVEN", f"seed {seed}: {found['line']}"


def of_no_note(seed: int) -> History:
    """Nothing but the report of the first play says that a list was dropped."""
    history = KINDS["no note at all"](seed)
    told = history.mails[max(history.telling)]
    return History(history.record, [history.mails[0], told, history.mails[-1]], [1])


ODD_WORDS = {
    "words like a field": "content-a:\n" + " &\n" * 330,
    "a name like a field": "Message-ID: " + "x" * 3000,
    "names that end like a mark": "Jan Proof: no orders received\nBullet-Proof: 5 talers",
    "a name like a field, folded": "Content-Type:\n" + " x" * 3000,
}


@pytest.mark.parametrize("words", ODD_WORDS)
def test_words_in_a_mail_never_keep_it_from_being_read(tmp_path: Path, words: str) -> None:
    history = of_no_note(1)
    first, told, last = history.mails
    mails = [as_mail(first), as_mail(f"Nice round!\n{ODD_WORDS[words]}\n{told}"), as_mail(last)]
    found = verdict(tmp_path, history.record, mails)
    assert (found["verdict"], found["left_out"]) == ("NOT PROVEN", [])


def deep(mail: bytes) -> bytes:
    for number in range(2000):
        head = f"From: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b{number}\n"
        mail = f"{head}\n--b{number}\n".encode() + mail + f"\n--b{number}--\n".encode()
    return mail


def body_of(mail: bytes) -> str:
    return str(message_from_bytes(mail, policy=policy.default).get_content())


def in_parts(kind: str, first: str, mail: bytes, subtype: str = "plain") -> bytes:
    """Two texts of which a mail program shows both, or one; the lines are in the second."""
    parts = MIMEMultipart(kind)
    parts["From"], parts["To"] = "gm@example.org", "bert@example.org"
    parts.attach(MIMEText(first))
    parts.attach(MIMEText(body_of(mail), subtype))
    return parts.as_bytes()


def with_file(mail: bytes) -> bytes:
    one = EmailMessage()
    one["From"], one["To"] = "gm@example.org", "bert@example.org"
    one.set_content("see below")
    one.add_attachment(mail, "application", "octet-stream", filename="2.EML")
    return one.as_bytes()


def in_base64(mail: bytes) -> bytes:
    one = EmailMessage()
    one["From"], one["To"] = "gm@example.org", "bert@example.org"
    one.set_content(body_of(mail), cte="base64")
    return one.as_bytes()


def hidden_chain(mail: bytes, word: str) -> bytes:
    """The lines but the first begin with another word."""
    first, *others = mail.split(b"Proof:")
    return first + b"Proof:" + word.encode().join(others)


UNREADABLE = {
    "a long field": lambda mail: b"Content-Language: " + b"x" * 3000 + b"\n" + mail,
    "a folded field": lambda mail: b"Message-ID: <" + b"x\n " * 1500 + b">\n" + mail,
    "an unknown charset": lambda mail: mail.replace(b'charset="utf-8"', b'charset="klingon"'),
    "a part that is no text": lambda mail: mail.replace(b"text/plain", b"image/png"),
    "lines below a banner": lambda mail: in_parts("mixed", "Careful: from outside!", mail),
    "lines in HTML beside a blank": lambda mail: in_parts("alternative", " ", mail, "html"),
    "lines behind a hard blank": lambda mail: in_parts(
        "alternative", " ", mail.replace(b"Proof: ", b"Proof:&nbsp;"), "html"
    ),
    "one line of two": lambda mail: mail + b"\n" + b"\n    Proof: indented",
    "indented": lambda mail: mail.replace(b"\nProof:", b"\n    Proof:"),
    "indented in base64": lambda mail: in_base64(mail.replace(b"\nProof:", b"\n    Proof:")),
    "a text beside the mails": lambda mail: body_of(mail).replace("Proof:", "  Proof:").encode(),
    "in UTF-16": lambda mail: body_of(mail).encode("utf-16"),
    "packed": lambda mail: gzip.compress(mail, 1),
    "attached as a file": with_file,
    "a sign that nobody sees": lambda mail: mail.replace(b"Proof:", "Pro\u200bof:".encode()),
    "one sign that nobody sees": lambda mail: hidden_chain(mail, "Pro\u2060of:"),
    "a letter that looks alike": lambda mail: hidden_chain(mail, "\u0420roof:"),
    "another word": lambda mail: hidden_chain(mail, "Beweis:"),
    "digits that look alike": lambda mail: as_mail(
        body_of(mail).replace("Proof:", "").translate({48 + n: 0xFF10 + n for n in range(10)})
    ),
    "lines in HTML beside others": lambda mail: in_parts(
        "alternative", body_of(mail).split("\n\n")[0], mail, "html"
    ),
    "attached as data": lambda mail: with_file(mail).replace(b"2.EML", b"receipts.dat"),
    "two ways of packing": lambda mail: b"Content-Transfer-Encoding: base64\n" + mail,
    "another way of packing": lambda mail: mail.replace(b"7bit", b"x-uuencode"),
    "a charset that takes long": lambda mail: mail.replace(b'"utf-8"', b'"punycode"'),
    "behind a name": lambda mail: mail.replace(b"\nProof:", b"\nanna> Proof:"),
    "capital digits": lambda mail: as_mail(body_of(mail).upper().replace("PROOF:", "Beweis:")),
    "many megabytes": lambda mail: mail + b"x\n" * (LARGEST // 2),
    "many parts in parts": deep,
}


@pytest.mark.parametrize("way", few_first([*UNREADABLE], len(UNREADABLE) - 1))
def test_a_mail_that_cannot_be_read_is_named_and_leaves_a_condition(
    tmp_path: Path, way: str
) -> None:
    for seed in range(4):
        history = of_no_note(seed)
        first, told, last = map(as_mail, history.mails)
        spoiled = UNREADABLE[way](told)
        assert spoiled != told
        found = verdict(tmp_path / str(seed), history.record, [first, spoiled, last])
        assert (found["verdict"], found["left_out"]) == ("PROVEN IF", ["2.eml"])
        assert found["line"] == "PROVEN if 1 mail that was not read says nothing else: 2.eml"


def test_rounds_without_an_own_report_are_named_below_the_verdict(tmp_path: Path) -> None:
    history = of_no_note(3)
    first, _, last = map(as_mail, history.mails)
    found = verdict(tmp_path, history.record, [first, last])
    rounds = len(history.record["rounds"])
    assert (found["verdict"], found["without_report"]) == ("PROVEN", [*range(1, rounds)])
    asked = ["verify", str(tmp_path / "record.json"), "--mails", str(tmp_path / "mails")]
    *_, verdict_line, below = CliRunner().invoke(main, asked).output.splitlines()
    assert verdict_line == "PROVEN"
    listed = ", ".join(map(str, range(1, rounds)))
    assert below == f"rounds {listed}: no report of yours was compared"


@pytest.mark.parametrize("form", ["attached", "mbox"])
def test_a_promise_that_comes_with_the_secret_is_none(tmp_path: Path, form: str) -> None:
    record = without_a_list(1).first
    first, last = promise(record), report(record, len(record["rounds"]), last=True)
    mail = EmailMessage()
    mail["From"], mail["Message-ID"] = "gm@example.org", "<1@example.org>"
    mail.set_content(last.replace("\nProof:", "\nFrom the game master\n\nProof:"))
    if form == "attached":
        mail.set_content(last)
        mail.add_attachment(message_from_bytes(as_mail(first), policy=policy.default))
    data = mail.as_bytes()
    kept = data if form == "attached" else b"From gm@example.org Mon Nov 23 10:00:00 2026\n" + data
    assert verdict(tmp_path, record, [kept])["verdict"] == "AGREES ONLY"


@pytest.mark.parametrize("text", ["", "\nProof: other 1 chain\n" + "ab" * 32])
def test_a_mail_of_the_game_that_carries_nothing_of_it_is_named(tmp_path: Path, text: str) -> None:
    history = of_no_note(1)
    first, _, last = map(as_mail, history.mails)
    game = str(history.record["game"])
    for named, left_out in ((game, ["2.eml"]), ("another", [])):
        silent = f"X-Bohnenpost-Game: {named}\n".encode() + as_mail(f"Hello!\n{text}")
        found = verdict(tmp_path / named, history.record, [first, silent, last])
        assert (found["left_out"], found["verdict"]) == (
            left_out,
            "PROVEN IF" if left_out else "PROVEN",
        )
