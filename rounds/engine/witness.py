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
from typing import Any

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
    many mails say something.

    A condition is what the record takes back, leaves out or excuses though no mail told of it.
    """

    given: Given
    conditions: tuple[str, ...]
    mails: int


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


BEGINS = re.compile("[\u2066-\u2069]*".join("Proof:"))
"""What lines of proof begin with, also if signs without width stand inside."""


def harmless(text: str) -> str:
    """A text of somebody else that is never read as proof, wherever mail programs break its
    lines.
    """
    return BEGINS.sub("Proof :", text)


def hear(record: Record, fairness: Fairness, mails: Sequence[Sequence[Line]]) -> Heard:
    """Compare a record with what each mail carries, the values of one mail in one list. Raises
    Contradiction.
    """
    own = [
        lines for mail in mails if (lines := [line for line in mail if line.game == record.game])
    ]
    told = {line for mail in own for line in mail if line.kind == "withdrawn"}
    conditions = [*_untold(fairness, own, told)]
    commitment = _commitment(fairness, own)
    chains, dead = _chains(fairness, own, conditions)
    receipts = {
        (line.round, name): line.value
        for line, name in _used(record, fairness, own, dead, conditions)
    }
    for number, seat in sorted(
        {(line.round, line.seat) for mail in own for line in mail if line.kind == "receipt"}
    ):
        name, value = _receipt(record, fairness, own, number, seat, told, conditions)
        receipts |= {(number, name): value} if value else {}
    return Heard(Given(commitment, chains, receipts), tuple(dict.fromkeys(conditions)), len(own))


def _untold(fairness: Fairness, mails: Sequence[Sequence[Line]], told: set[Line]) -> Iterator[str]:
    """What the record takes back or leaves out though no mail tells of it, as conditions."""
    values = {(line.round, line.value) for line in told}
    for number, note in _notes(fairness):
        if values.issuperset((number, value) for value in note.get("withdrawn", ())):
            continue
        if note["kind"] == "rollback":
            yield f"round {number} was taken back on {_when_and_why(note)}"
        else:
            yield f"round {_since(note)} and later were lost in a restore on {_when_and_why(note)}"
    last = len(fairness.rounds)
    if fairness.end == "aborted" and not any(
        _tells_of_an_end(mail, last + 1, fairness.secret) for mail in mails
    ):
        yield f"the game was ended after round {last}"


def _tells_of_an_end(mail: Sequence[Line], number: int, secret: object) -> bool:
    """Whether a mail says that a game was ended early in a round: the last report of a game that
    was played to its end has the chain value of the round, too.
    """
    said = {(line.kind, line.value) for line in mail if line.round == number}
    return ("secret", secret) in said and all(kind != "chain" for kind, _ in said)


def _commitment(fairness: Fairness, mails: Sequence[Sequence[Line]]) -> str | None:
    """The commitment that came before the secret: beside it the host could have made it
    afterwards.
    """
    before = [mail for mail in mails if not any(line.kind == "secret" for line in mail)]
    values = sorted({line.value for mail in before for line in mail if line.kind == "commitment"})
    for value in values:
        if value != fairness.commitment:
            raise Contradiction(
                "commitment", f"your mail says {value}, the record says {fairness.commitment}"
            )
    return fairness.commitment if values else None


def _chains(
    fairness: Fairness, mails: Sequence[Sequence[Line]], conditions: list[str]
) -> tuple[dict[int, str], set[tuple[int, str]]]:
    """The values that stand in the record, by round; and the (round, value) whose reports count
    for nothing.
    """
    said: dict[int, set[str]] = {}
    for mail in mails:
        for line in mail:
            if line.kind == "chain":
                said.setdefault(line.round, set()).add(line.value)
    chains, dead = {}, set()
    for number, values in sorted(said.items()):
        taken_back = _taken_back(fairness, number)
        standing, found = sorted(values - taken_back), recorded_chain(fairness, number)
        others = [value for value in standing if value != found]
        dead |= {(number, value) for value in (*(values & taken_back), *others)}
        if others and (excuse := _excuse(fairness, number)) is not None:
            conditions += [excuse] if excuse else []
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
            chains[number] = found
    return chains, dead


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
    record: Record,
    fairness: Fairness,
    mails: Sequence[Sequence[Line]],
    dead: set[tuple[int, str]],
    conditions: list[str],
) -> Iterator[tuple[Line, str]]:
    """The lists that reports say were used and that stand in the record, with the names of their
    seats.
    """
    for mail in mails:
        chain: dict[int, str] = {}
        for line in mail:
            if line.kind == "chain":
                chain[line.round] = line.value
            if line.kind != "used" or (line.round, chain.get(line.round)) in dead:
                continue
            name, proof = _recorded(record, fairness, line)
            if proof is not None and proof.receipt == line.value:
                yield line, name
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
                conditions.append(excuse)


def _receipt(
    record: Record,
    fairness: Fairness,
    mails: Sequence[Sequence[Line]],
    number: int,
    seat: int,
    told: set[Line],
    conditions: list[str],
) -> tuple[str, str | None]:
    """A seat, and the digest of its list, if the record has that of a receipt. Raises
    Contradiction for a list that is gone.
    """
    lines = [
        line
        for mail in mails
        for line in mail
        if (line.kind, line.round, line.seat) == ("receipt", number, seat)
    ]
    name, proof = _recorded(record, fairness, lines[0])
    place = f"round {number}, {name}"
    found = proof.receipt if proof and any(line.value == proof.receipt for line in lines) else None
    gone, used_at = [], max((line.at for line in lines if line.value == found), default="")
    for line in lines:
        # after a restore numbers are given again: a newer list also came later
        is_newer = found and proof and 0 < line.version < proof.revision and line.at <= used_at
        if line.value == found or is_newer:
            continue  # it was used, or a newer one was that you know of
        explained = [
            (note, telling(record.game, at, note))
            for at, note in _explanations(fairness, line, name)
        ]
        if not explained:
            gone.append(line)
        elif not line.at or not any(lines and told.issuperset(lines) for _, lines in explained):
            conditions.append(_excused(explained[0][0], name, number))
    if number > len(fairness.rounds) and fairness.end != "finished":
        if gone and number > len(fairness.rounds) + 1 and (excuse := _excuse(fairness, number)):
            conditions.append(excuse)
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
    conditions.append(f"{name} sent version {proof.revision} of round {number} herself")
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
