"""What mails bear witness to: the lines in which they carry proof, the same in every language,
compared with a record.

```
Proof: ackerwinde 3 receipt seat 1 version 2 at 2026-11-20T18:59:00Z
6a28c762e383a772ff9b220d0b5a51e81fbaa9311528a0c4aa3e505ae4c344df
```
Nothing else of a mail is read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET, Struct

from rounds.engine.record import Fairness, ReceiptProof, Record
from rounds.engine.shuffle import chain_start, setup_hash
from rounds.engine.verdict import Given

KINDS = ("commitment", "chain", "withdrawn", "receipt", "used", "secret")
GAP = r"(?:[ \t]+|[ \t]*\n)"
"""A mail program may break a long line."""
PROOF = re.compile(
    rf"^Proof:{GAP}([a-z0-9][a-z0-9-]{{0,31}}){GAP}(\d{{1,4}}){GAP}({'|'.join(KINDS)})"
    rf"(?:{GAP}seat{GAP}(\d{{1,4}}))?(?:{GAP}version{GAP}(\d{{1,7}}))?"
    rf"(?:{GAP}since{GAP}(\d{{1,4}}))?(?:{GAP}at{GAP}([0-9TZ:-]{{20}}))?"
    r"[ \t]*\n([0-9a-f]{64})[ \t]*$",
    re.ASCII | re.MULTILINE,
)
MARKS = re.compile(r"^(?:> ?)+", re.MULTILINE)
IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Default_Ignorable_Code_Point of Unicode: what is drawn as nothing. Python has no table of it."""
BLANK = r"[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]{1,99}"
BEGINNING = re.compile(r"^(?:[^\s>]{1,40}>)?[^\w\n]{0,40}Proof:", re.MULTILINE)
LIKENESS = re.compile(
    rf"(?<![0-9A-Za-z_])([0-9]{{1,4}})({BLANK}(?:{'|'.join(KINDS)})"
    rf"(?:{BLANK}(?:seat|version|since|at){BLANK}[0-9A-Za-z:-]{{1,20}})*{BLANK}[0-9a-f]{{64}})"
    "(?![0-9A-Za-z_])",
    re.IGNORECASE,
)
"""What a line of proof says, whatever stands in place of its first word."""


class Line(Struct, frozen=True):
    """One value of a mail. `seat`: its place in the record's seats, from 1; `at`: when a list
    came or a note was made; `since`: the first round of which a restore lost something. 0, ""
    and None where nothing is said.
    """

    game: str
    round: int
    kind: str
    value: str
    seat: int = 0
    version: int = 0
    at: str = ""
    since: int | None = None


class Heard(Struct, frozen=True):
    """What mails say that stands in the record, under which conditions nothing is wrong, and how
    many mails say something. After a contradiction: what was heard before it.

    A condition is what the record takes back, leaves out or excuses though no mail told of it; a
    telling what a mail told of, with its name. `void_reports`: rounds of which a report counts
    for nothing.
    """

    given: Given
    conditions: tuple[str, ...]
    mails: int
    tellings: tuple[str, ...] = ()
    void_reports: tuple[int, ...] = ()
    contradiction: "Contradiction | None" = None


class Contradiction(Exception):
    """What a mail says is not in the record, and nothing in the record explains it."""

    def __init__(self, where: str, why: str) -> None:
        self.where, self.why = where, why
        super().__init__(where, why)


def write(line: Line) -> str:
    """A line as mails carry it, with its value below."""
    seat = f" seat {line.seat}" if line.seat else ""
    version = f" version {line.version}" if line.version else ""
    since = "" if line.since is None else f" since {line.since}"
    at = f" at {line.at}" if line.at else ""
    return f"Proof: {line.game} {line.round} {line.kind}{seat}{version}{since}{at}\n{line.value}"


def telling(game: str, number: int, note: Mapping[str, Any]) -> list[Line]:
    """The lines by which a mail tells of what a recorded note of a round takes back. Those of a
    restore say since when, so that no rollback passes for one.
    """
    since = note.get("since", 0) if note["kind"] == "restored" else None
    return [
        Line(game, number, "withdrawn", value, since=since, at=note["at"])
        for value in note.get("withdrawn", ())
    ]


def read(text: str) -> list[Line]:
    """What a mail's text carries, in its order. Marks of a quotation are taken off; only what
    stands at the margin counts.
    """
    text = MARKS.sub("", text.replace("\r\n", "\n"))
    return [
        Line(
            game,
            int(number),
            kind,
            value,
            int(seat or 0),
            int(version or 0),
            at,
            int(since) if since else None,
        )
        for game, number, kind, seat, version, since, at, value in PROOF.findall(text)
    ]


def unread(text: str) -> int:
    """How many lines of proof a text seems to have besides those that `read` finds: behind other
    marks than those of a quotation, or with a first word that looks like "Proof:" or is another.
    """
    rest = PROOF.sub("\n", MARKS.sub("", text.replace("\r\n", "\n")))
    visible = IGNORABLE.sub("", rest)
    return max(len(BEGINNING.findall(visible)), len(LIKENESS.findall(visible)))


BEGINS = re.compile(f"{IGNORABLE.pattern}*".join("Proof:"))
"""What lines of proof begin with, also if signs without width stand inside."""


def harmless(text: str) -> str:
    """A text of somebody else that neither is nor seems to be proof, wherever mail programs break
    its lines.
    """
    text = BEGINS.sub("Proof :", text)
    visible = IGNORABLE.sub("", text)
    if not LIKENESS.search(visible):
        return text
    return LIKENESS.sub(r"\1:\2", visible)


class _Mail(NamedTuple):
    """What a mail says of a game, and how the mail is called."""

    name: str
    lines: Sequence[Line]

    @property
    def has_secret(self) -> bool:
        """Whether the mail carries the secret of the game. What it promises or tells besides, the
        host may have made up afterwards to fit the record.
        """
        return any(line.kind == "secret" for line in self.lines)


class _Findings:
    """What is heard so far, in the order of the checks."""

    def __init__(self, mails: int) -> None:
        self.commitment: str | None = None
        self.chains: dict[int, str] = {}
        self.receipts: dict[tuple[int, str], str] = {}
        self.conditions: list[str] = []
        self.tellings: list[str] = []
        self.dead: set[tuple[int, str]] = set()
        self.mails = mails

    def heard(self, contradiction: Contradiction | None = None) -> Heard:
        return Heard(
            Given(self.commitment, self.chains, self.receipts),
            tuple(dict.fromkeys(self.conditions)),
            self.mails,
            tuple(dict.fromkeys(self.tellings)),
            tuple(sorted({number for number, _ in self.dead})),
            contradiction,
        )


def hear(
    record: Record,
    fairness: Fairness,
    mails: Sequence[Sequence[Line]],
    names: Sequence[str] = (),
) -> Heard:
    """Compare a record with what each mail carries, the values of one mail in one list. `names`
    of the mails; without them they are numbered.
    """
    own = [
        _Mail(name, lines)
        for name, mail in zip(
            names or [f"mail {number}" for number in range(1, len(mails) + 1)], mails, strict=True
        )
        if (lines := [line for line in mail if line.game == record.game])
    ]
    findings = _Findings(len(own))
    try:
        _compare(record, fairness, own, findings)
    except Contradiction as found:
        return findings.heard(found)
    return findings.heard()


def _compare(
    record: Record, fairness: Fairness, mails: Sequence[_Mail], findings: _Findings
) -> None:
    _look_for_tellings(record.game, fairness, mails, findings)
    findings.commitment = _commitment(fairness, mails)
    _chains(fairness, mails, findings)
    for line, name in _used(record, fairness, mails, findings):
        findings.receipts[line.round, name] = line.value
    for number, seat in sorted(
        {(line.round, line.seat) for mail in mails for line in mail.lines if line.kind == "receipt"}
    ):
        name, value = _receipt(record, fairness, mails, number, seat, findings)
        if value:
            findings.receipts[number, name] = value


def _told(mails: Sequence[_Mail]) -> dict[Line, str]:
    """What mails tell was taken back, with the first mail that does. Beside the secret it tells
    nobody anything.
    """
    return {
        line: mail.name
        for mail in reversed(mails)
        if not mail.has_secret
        for line in mail.lines
        if line.kind == "withdrawn"
    }


def _look_for_tellings(
    game: str, fairness: Fairness, mails: Sequence[_Mail], findings: _Findings
) -> None:
    """What the record takes back or leaves out: as a condition if no mail tells of it."""
    told = _told(mails)
    for number, note in _notes(fairness):
        lines = {*telling(game, number, note)}
        what = f"round {number} was taken back"
        if note["kind"] == "restored":
            what = f"round {_since(note)} and later were lost in a restore"
        what = f"{what} on {_when_and_why(note)}"
        by_value = {(line.round, line.value): name for line, name in told.items()}
        values = {(line.round, line.value) for line in lines}
        if not by_value.keys() >= values:
            findings.conditions.append(what)
        elif lines:
            tellers = " and ".join(sorted({by_value[value] for value in values}))
            if not told.keys() >= lines:  # when and why was told otherwise, or not at all
                what = f"what was told of round {number} was taken back"
            findings.tellings.append(f"{what}, as told in {tellers}")
    last = len(fairness.rounds)
    if fairness.end == "aborted":
        what = f"the game was ended after round {last}"
        teller = next((m for m in mails if _tells_of_an_end(m, last + 1, fairness.secret)), None)
        if teller is None:
            findings.conditions.append(what)
        else:
            findings.tellings.append(f"{what}, as told in {teller.name}")


def _tells_of_an_end(mail: _Mail, number: int, secret: object) -> bool:
    """Whether a mail says that a game was ended early in a round: the last report of a game that
    was played to its end has the chain value of the round, too.
    """
    said = {(line.kind, line.value) for line in mail.lines if line.round == number}
    return ("secret", secret) in said and all(kind != "chain" for kind, _ in said)


def _commitment(fairness: Fairness, mails: Sequence[_Mail]) -> str | None:
    """The commitment that came before the secret: beside it the host could have made it
    afterwards.
    """
    before = [line for mail in mails if not mail.has_secret for line in mail.lines]
    values = sorted({line.value for line in before if line.kind == "commitment"})
    for value in values:
        if value != fairness.commitment:
            raise Contradiction(
                "commitment", f"your mail says {value}, the record says {fairness.commitment}"
            )
    return fairness.commitment if values else None


def _chains(fairness: Fairness, mails: Sequence[_Mail], findings: _Findings) -> None:
    """The values that stand in the record, by round; and the (round, value) whose reports count
    for nothing.
    """
    said: dict[int, set[str]] = {}
    for mail in mails:
        for line in mail.lines:
            if line.kind == "chain":
                said.setdefault(line.round, set()).add(line.value)
    for number, values in sorted(said.items()):
        taken_back = _taken_back(fairness, number)
        standing, found = sorted(values - taken_back), recorded_chain(fairness, number)
        others = [value for value in standing if value != found]
        findings.dead |= {(number, value) for value in (*(values & taken_back), *others)}
        if others and (excuse := _excuse(fairness, number)) is not None:
            findings.conditions += [excuse] if excuse else []
        elif len(standing) > 1:
            raise Contradiction(
                f"round {number}, chain", f"your mails say {standing[0]} and {standing[1]}"
            )
        elif others and found is None:
            raise Contradiction(
                f"round {number}", f"your mail says {others[0]}, the record has no such round"
            )
        elif others:
            raise Contradiction(
                f"round {number}, chain", f"your mail says {others[0]}, the record says {found}"
            )
        if found in standing:
            findings.chains[number] = found


def _taken_back(fairness: Fairness, number: int) -> set[str]:
    """The chain values that may be of this round and that notes take back. A rollback takes back
    its own round and those after it.
    """
    return {
        value
        for at, note in _notes(fairness)
        if note["kind"] == "restored" or at <= number
        for value in note.get("withdrawn", ())
    }


def _when_and_why(note: Mapping[str, Any]) -> str:
    """The instant of a note and its reason, which the host wrote: on one line."""
    reason = " ".join(note["text"].split())
    return f"{note['at']} ({reason})" if reason else str(note["at"])


def recorded_chain(fairness: Fairness, number: int) -> str | None:
    """The chain value of a round in the record; None for a round that it does not have."""
    if number == 0:
        return chain_start(
            setup_hash(fairness.setup), bytes.fromhex(fairness.commitment), fairness.phrases
        ).hex()
    return fairness.rounds[number - 1].chain if number <= len(fairness.rounds) else None


def _excuse(fairness: Fairness, number: int) -> str | None:
    """Why another value of a round than the record's accuses nobody, as a condition, empty for
    none; None if it does.
    """
    if any(note["kind"] == "restored" and "withdrawn" not in note for _, note in _notes(fairness)):
        return f"round {number} was told anew after a restore"
    if number > len(fairness.rounds) and fairness.end == "aborted":
        return f"round {number} was taken back before the game was ended"
    return "" if number > len(fairness.rounds) and fairness.end is UNSET else None


def _used(
    record: Record, fairness: Fairness, mails: Sequence[_Mail], findings: _Findings
) -> Iterator[tuple[Line, str]]:
    """The lists that reports say were used and that stand in the record, with the names of their
    seats.
    """
    for mail in mails:
        chain: dict[int, str] = {}
        for line in mail.lines:
            if line.kind == "chain":
                chain[line.round] = line.value
            if line.kind != "used" or (line.round, chain.get(line.round)) in findings.dead:
                continue
            name, proof = _recorded(record, fairness, line)
            if proof is not None and proof.receipt == line.value:
                yield line, name
            elif line.round not in chain and _taken_back(fairness, line.round):
                # the line that says which play it was of was lost
                findings.conditions.append(
                    f"your report on round {line.round} is one that was taken back"
                )
            elif line.round <= len(fairness.rounds) or _excuse(fairness, line.round) is None:
                stands = (
                    f"the record says {proof.receipt}"
                    if proof
                    else "the record says that no orders were received"
                )
                raise Contradiction(
                    f"round {line.round}, {name}", f"your report says {line.value}, {stands}"
                )
            elif excuse := _excuse(fairness, line.round):
                findings.conditions.append(excuse)


def _receipt(
    record: Record,
    fairness: Fairness,
    mails: Sequence[_Mail],
    number: int,
    seat: int,
    findings: _Findings,
) -> tuple[str, str | None]:
    """A seat, and the digest of its list, if the record has that of a receipt. Raises
    Contradiction for a list that is gone.
    """
    lines = {  # each with a mail without the secret, if there is one
        line: mail
        for mail in sorted(mails, key=lambda mail: not mail.has_secret)
        for line in mail.lines
        if (line.kind, line.round, line.seat) == ("receipt", number, seat)
    }
    name, proof = _recorded(record, fairness, next(iter(lines)))
    place = f"round {number}, {name}"
    found = proof.receipt if proof and any(line.value == proof.receipt for line in lines) else None
    # beside the secret a receipt of the list that was used replaces none
    newer = {line: m for line, m in lines.items() if line.value == found and not m.has_secret}
    gone, used_at, told = [], max((line.at for line in newer), default=""), _told(mails)
    for line in lines:
        if line.value == found:
            continue
        # after a restore numbers are given again: a newer list also came later
        if newer and proof and 0 < line.version < proof.revision and line.at <= used_at:
            tellers = sorted(mail.name for mail in newer.values())
            findings.tellings.append(
                f"{name} sent version {proof.revision} of round {number} after version "
                f"{line.version}, as told in {tellers[0]}"
            )
            continue
        explained = [
            (note, telling(record.game, at, note))
            for at, note in _explanations(fairness, line, name)
        ]
        if not explained:
            gone.append(line)
        elif not line.at or not any(lines and told.keys() >= {*lines} for _, lines in explained):
            findings.conditions.append(_excused(explained[0][0], name, number))
    if number > len(fairness.rounds) and fairness.end != "finished":
        if gone and number > len(fairness.rounds) + 1 and (excuse := _excuse(fairness, number)):
            findings.conditions.append(excuse)
        return name, found  # the round was never closed
    if not gone:
        return name, found
    newest = max(gone, key=lambda line: line.version)
    yours = f"your receipt for version {newest.version} says {newest.value}"
    if proof is None:
        raise Contradiction(place, f"{yours}, the record says that no orders were received")
    if proof.revision <= newest.version:
        raise Contradiction(
            place, f"{yours}, the record used version {proof.revision}: {proof.receipt}"
        )
    findings.conditions.append(f"{name} sent version {proof.revision} of round {number}")
    return name, found


def _recorded(record: Record, fairness: Fairness, line: Line) -> tuple[str, ReceiptProof | None]:
    """The name of a line's seat, and the receipt that the record has of its list in that round."""
    name = _seat(record, line)
    is_there = 1 <= line.round <= len(fairness.rounds)
    return name, fairness.rounds[line.round - 1].receipts.get(name) if is_there else None


def _explanations(
    fairness: Fairness, line: Line, name: str
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The notes of the record, later than a receipt, that tell why its list was not used, with
    their rounds.

    A rollback leaves the lists of its own round as they are, and voids those of later ones. A
    note that would be later than the end of its round explains nothing.
    """
    for number, note in _notes(fairness):
        if line.at <= note["at"] <= _end_of_round(fairness, number):
            voids = {
                "rollback": note.get("withdrawn") and number < line.round,
                "replaced": note.get("seat") == name and number <= line.round,
                "removed": note.get("seat") == name and number <= line.round,
                "restored": _since(note) <= line.round,
            }
            if voids.get(note["kind"]):
                yield number, note


def _end_of_round(fairness: Fairness, number: int) -> str:
    """When a round was closed; for the one in which a game was ended no instant is too late."""
    if number > len(fairness.rounds):
        return "9999-12-31T23:59:59Z"
    return fairness.rounds[number - 1].times.get("closed", "")


def _excused(note: Mapping[str, Any], name: str, number: int) -> str:
    """What the record says of a list that was not used, as a condition."""
    did = {
        "rollback": "an earlier round was taken back",
        "restored": "the service was restored",
        "replaced": f"{name} was replaced",
        "removed": f"{name} was removed",
    }[note["kind"]]
    return f"{did} on {_when_and_why(note)}: your list of round {number} was not used"


def _since(note: Mapping[str, Any]) -> int:
    """The first round of which a restore lost something; all, where the replaced database could
    not be read.
    """
    return int(note.get("since", 0)) if "withdrawn" in note else 0


def _notes(fairness: Fairness) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """All notes of a record, with their rounds."""
    for number, proof in enumerate(fairness.rounds, start=1):
        yield from ((number, note) for note in proof.notes)
    if fairness.notes is not UNSET:
        yield from ((len(fairness.rounds) + 1, note) for note in fairness.notes)


def _seat(record: Record, line: Line) -> str:
    """The name of a seat. Raises Contradiction for one that is not there."""
    if not 1 <= line.seat <= len(record.seats):
        raise Contradiction(
            f"round {line.round}",
            f"your mail tells of seat {line.seat}, the record has {len(record.seats)}",
        )
    return record.seats[line.seat - 1]
