"""What a host could forge after mails went out: records that agree with themselves, and the mails
that one seat kept of what was played before. Written from the form of the mails alone.
"""

import copy
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from tests.rules.prover import proven_game, resealed

OTHER = "ab" * 32
"""A value that no play of these games has."""


class History(NamedTuple):
    """A record, the texts of the mails that the seat kept, and those of them that say what was
    dropped, by their places.
    """

    record: dict[str, Any]
    mails: list[str]
    telling: list[int]

    def samples(self, rng: Random) -> list[list[str]]:
        """No mail, some with one that tells, all."""
        some = {*rng.sample(range(len(self.mails)), len(self.mails) // 2), rng.choice(self.telling)}
        return [[], [self.mails[place] for place in sorted(some)], self.mails]


def proof(record: dict[str, Any], number: int, kind: str, value: str, more: str = "") -> str:
    """A line of proof as mails carry it."""
    return f"\nProof: {record['game']} {number} {kind}{more}\n{value}\n"


def promise(record: dict[str, Any]) -> str:
    """The first mail."""
    return proof(record, 0, "commitment", record["fairness"]["commitment"])


def report(record: dict[str, Any], number: int, *, last: bool = False) -> str:
    """The report of a round: chain and lists; at the end also the secret."""
    played = record["fairness"]["rounds"][number - 1]
    text = promise(record) + proof(record, number, "chain", played["chain"])
    for place, name in enumerate(record["seats"], start=1):
        if used := played["receipts"][name]:
            seat = f" seat {place} version {used['revision']}"
            text += proof(record, number, "used", used["receipt"], seat)
    return text + (proof(record, number, "secret", record["fairness"]["secret"]) if last else "")


def receipt(record: dict[str, Any], number: int, seat: str) -> str:
    """The receipt of the list that was used in a round."""
    used = record["fairness"]["rounds"][number - 1]["receipts"][seat]
    more = f" seat {record['seats'].index(seat) + 1} version {used['revision']} at {at(number)}"
    return proof(record, number, "receipt", used["receipt"], more)


def at(number: int) -> str:
    """An instant in a round, before its deadline."""
    return f"2026-{number:02}-10T12:00:00Z"


class Forged(NamedTuple):
    """A game as it was played first, the same without Bert's list, and the round it was in."""

    first: dict[str, Any]
    record: dict[str, Any]
    number: int


def without_a_list(seed: int) -> Forged:
    """A game of three and the same game in which Bert sent nothing in one round."""
    for number in range(1000):
        first = proven_game(1000 * seed + number, seats=3)
        sent = [
            at
            for at, played in enumerate(first["rounds"][:-1], start=1)
            if played["orders"]["Bert"] not in (None, "pass")
        ]
        if len(first["rounds"]) > 4 and sent:
            rng = Random(seed)
            dropped = rng.choice(sent)
            record = copy.deepcopy(first)
            record["rounds"][dropped - 1]["orders"]["Bert"] = None
            return Forged(first, record, dropped)
    raise AssertionError("no such game")


def with_notes(seed: int, notes: Callable[[Forged], list[tuple[int, dict[str, Any]]]]) -> History:
    """Bert's list was dropped after the report on its round was mailed, and these notes explain it."""
    forged = without_a_list(seed)
    for number, note in notes(forged):
        forged.record["fairness"]["rounds"][number - 1]["notes"].append({"text": "", **note})
    return kept_of(forged, resealed(forged.record))


def kept_of(forged: Forged, record: dict[str, Any]) -> History:
    """What Bert kept: the promise, the receipt and the report of the first play, the last report."""
    mails = [
        promise(record),
        receipt(forged.first, forged.number, "Bert"),
        *(report(forged.first, number) for number in range(1, forged.number + 1)),
        report(record, len(record["rounds"]), last=True),
    ]
    return History(record, mails, [1, 1 + forged.number])


def chains(forged: Forged) -> list[str]:
    """The chain values that the first play told from the round of the list on."""
    played = forged.first["fairness"]["rounds"]
    return [played[number - 1]["chain"] for number in range(1, forged.number + 1)]


def taken_back(forged: Forged, kind: str, number: int, **more: Any) -> tuple[int, dict[str, Any]]:
    return number, {"kind": kind, "at": at(forged.number), "withdrawn": chains(forged), **more}


def ended_early(seed: int) -> History:
    """Played to the end, told of; the record ends before the round and says that it was aborted."""
    forged = without_a_list(seed)
    record = forged.record
    for rounds in (record["rounds"], record["fairness"]["rounds"]):
        del rounds[max(1, forged.number - 1) :]
    record["fairness"]["end"] = "aborted"
    first, last = forged.first, len(record["rounds"])
    resealed(record)
    mails = [promise(first), *(report(first, number) for number in range(1, last + 1))]
    return History(record, mails, [last])


def ended_with(seed: int, kind: str) -> History:
    """The same, with a note in the round in which it was ended that takes the first play back."""
    history = ended_early(seed)
    first = without_a_list(seed).first
    values = [played["chain"] for played in first["fairness"]["rounds"]]
    note = {"kind": kind, "at": at(1), "text": "", "withdrawn": values}
    history.record["fairness"]["notes"] = [note]
    return history


def told(record: dict[str, Any], number: int, value: str, more: str = "") -> str:
    """A line of a mail that tells of a rollback, or of a restore if it says since when."""
    return proof(record, number, "withdrawn", value, more)


def told_otherwise(
    seed: int, notes: Callable[[Forged], list[tuple[int, dict[str, Any]]]], number: int, more: str
) -> History:
    """Bert's list was dropped; a mail tells of what was taken back, but not as these notes do.

    The rounds with notes were closed late enough for them.
    """
    history, forged = with_notes(seed, notes), without_a_list(seed)
    dropped = forged.number
    for played in history.record["fairness"]["rounds"]:
        if played["notes"]:
            played["deadline"] = played["closed"] = at(dropped + 1)
    record = resealed(history.record)
    mails = [
        promise(record),
        receipt(forged.first, dropped, "Bert"),
        told(record, number or dropped, OTHER, more),
        *(report(record, number) for number in range(1, len(record["rounds"]))),
        report(record, len(record["rounds"]), last=True),
    ]
    return History(record, mails, [1])


def other(kind: str, number: int, day: int, **more: Any) -> tuple[int, dict[str, Any]]:
    """A note that takes back a value of which `told_otherwise` tells."""
    return number, {"kind": kind, "at": at(day), "withdrawn": [OTHER], **more}


def without_a_time(seed: int) -> History:
    """A rollback that a mail told in full, and a receipt of which nobody knows when it came."""
    at_last = at(without_a_list(seed).number)
    history = told_otherwise(seed, lambda f: [other("rollback", 1, f.number)], 1, f" at {at_last}")
    history.mails[1] = history.mails[1].replace(f" at {at_last}", "")
    return history


def without_a_version(seed: int) -> History:
    """Two receipts of a round; of the one that was not used nobody knows whether it is older."""
    forged = without_a_list(seed)
    record = forged.first
    seat = f" seat {record['seats'].index('Bert') + 1} at {at(forged.number)}"
    mails = [
        promise(record),
        receipt(record, forged.number, "Bert"),
        proof(record, forged.number, "receipt", OTHER, seat),
        report(record, len(record["rounds"]), last=True),
    ]
    return History(record, mails, [2])


def given_again(seed: int) -> History:
    """The list that was used has a higher number than the receipt of a later one."""
    forged = without_a_list(seed)
    record, number = forged.first, forged.number
    version = record["fairness"]["rounds"][number - 1]["receipts"]["Bert"]["revision"]
    seat = f" seat {record['seats'].index('Bert') + 1}"
    later = f"{seat} version {version - 1} at 2026-{number:02}-11T12:00:00Z"
    mails = [
        promise(record),
        receipt(record, number, "Bert"),
        proof(record, number, "receipt", OTHER, later),
        report(record, len(record["rounds"]), last=True),
    ]
    return History(record, mails, [2])


def the_secret_alone(seed: int) -> History:
    """The last report tells of the end as it was; the record has one round less. What that round
    told was taken back by a restore, of which a mail tells.
    """
    history = ended_early(seed)
    first, record = without_a_list(seed).first, history.record
    last = len(record["rounds"]) + 1
    value = first["fairness"]["rounds"][last - 1]["chain"]
    note = {"kind": "restored", "at": at(last), "text": "", "withdrawn": [value], "since": last}
    record["fairness"]["notes"] = [note]
    ended = report(first, last) + proof(first, last, "secret", first["fairness"]["secret"])
    mails = [promise(first), *(report(first, n) for n in range(1, last)), ended]
    mails.append(told(record, last, value, f" since {last} at {at(last)}"))
    return History(record, mails, [len(mails) - 2])


def newer_beside_the_secret(seed: int) -> History:
    """A list that Bert never sent was used; its receipt stands in the last report alone."""
    history, forged = without_a_version(seed), without_a_list(seed)
    record, number = history.record, forged.number
    version = record["fairness"]["rounds"][number - 1]["receipts"]["Bert"]["revision"]
    older = copy.deepcopy(record)
    older["fairness"]["rounds"][number - 1]["receipts"]["Bert"].update(
        receipt=OTHER, revision=version - 1
    )
    first, newer, _, last = history.mails
    mails = [first, receipt(older, number, "Bert"), last + newer]
    return History(record, mails, [1])


def gone(forged: Forged, kind: str) -> list[tuple[int, dict[str, Any]]]:
    """Bert's seat changed hands, and the first play was taken back."""
    note = {"kind": kind, "at": at(forged.number), "seat": "Bert"}
    return [(forged.number, note), taken_back(forged, "rollback", 1)]


KINDS: dict[str, Callable[[int], History]] = {
    "taken back by a comment": lambda seed: with_notes(
        seed, lambda f: [taken_back(f, "comment", len(f.record["rounds"]))]
    ),
    "a rollback nobody was told of": lambda seed: with_notes(
        seed, lambda f: [taken_back(f, "rollback", 1)]
    ),
    "a rollback of a later round": lambda seed: with_notes(
        seed, lambda f: [taken_back(f, "rollback", len(f.record["rounds"]))]
    ),
    "a restore nobody was told of": lambda seed: with_notes(
        seed, lambda f: [taken_back(f, "restored", f.number, since=f.number)]
    ),
    "a restore that knew nothing": lambda seed: with_notes(
        seed, lambda f: [(f.number, {"kind": "restored", "at": at(f.number)})]
    ),
    "a seat that was removed": lambda seed: with_notes(seed, lambda f: gone(f, "removed")),
    "a seat that was replaced": lambda seed: with_notes(seed, lambda f: gone(f, "replaced")),
    "no note at all": lambda seed: with_notes(seed, lambda _: []),
    "a game that was ended early": ended_early,
    "a game that was ended early after a rollback": lambda seed: ended_with(seed, "rollback"),
    "a game that was ended early after a restore": lambda seed: ended_with(seed, "restored"),
    "a game that was ended early with a comment": lambda seed: ended_with(seed, "comment"),
    "a rollback told once and noted twice": lambda seed: told_otherwise(
        seed,
        lambda f: [other("rollback", 1, 1), other("restored", f.number, f.number, since=f.number)],
        1,
        f" at {at(1)}",
    ),
    "a rollback noted at another time": lambda seed: told_otherwise(
        seed, lambda f: [other("rollback", 1, f.number)], 1, f" at {at(1)}"
    ),
    "a rollback noted in another round": lambda seed: told_otherwise(
        seed,
        lambda f: [other("rollback", 1, f.number)],
        0,
        f" at {at(without_a_list(seed).number)}",
    ),
    "a rollback noted as a restore": lambda seed: told_otherwise(
        seed,
        lambda f: [other("restored", f.number, f.number, since=0)],
        0,
        f" at {at(without_a_list(seed).number)}",
    ),
    "a rollback noted as a restore since nowhere": lambda seed: told_otherwise(
        seed,
        lambda f: [other("restored", f.number, f.number)],
        0,
        f" at {at(without_a_list(seed).number)}",
    ),
    "a number that was given again after a restore": given_again,
    "the secret of a game that was played to its end": the_secret_alone,
    "a restore noted with another first round": lambda seed: told_otherwise(
        seed,
        lambda f: [other("restored", f.number, f.number, since=1)],
        0,
        f" since 99 at {at(without_a_list(seed).number)}",
    ),
    "a receipt without its version": without_a_version,
    "a receipt without its time": without_a_time,
    "a newer receipt beside the secret": newer_beside_the_secret,
}


def told_in(place: str) -> Callable[[int], History]:
    """Bert's list was dropped by a restore of which nothing but some lines in one mail tell."""

    def forge(seed: int) -> History:
        history = with_notes(seed, lambda f: [taken_back(f, "restored", f.number, since=f.number)])
        forged, record = without_a_list(seed), history.record
        number, mails = forged.number, history.mails
        lines = "".join(
            told(record, number, value, f" since {number} at {at(number)}")
            for value in chains(forged)
        )
        if place == "in the last report":
            mails[-1] += lines
        elif place == "quoted in the last report":
            mails[-1] += lines.replace("\n", "\n> ")
        elif place == "before the last report":
            mails[-1] = lines + mails[-1]
        elif place == "half in the last report":
            half = lines.index("Proof:", len(lines) // 2) if number > 1 else 0
            mails.append(lines[:half])
            mails[-2] += lines[half:]
        else:
            words = {
                "in a reminder": "There are no orders from you yet." + lines,
                "in the file of receipts": receipt(forged.first, number, "Bert") + lines,
                "quoted": lines.replace("\n", "\n> "),
                "beside another game": proof({"game": "other"}, 1, "chain", OTHER) + lines,
                "in a report": report(record, 1) + lines,
            }
            mails.append(words[place])
        return history

    return forge


TOLD_BESIDE_THE_SECRET = (
    "in the last report",
    "quoted in the last report",
    "before the last report",
    "half in the last report",
)
KINDS |= {f"told {place}": told_in(place) for place in TOLD_BESIDE_THE_SECRET}
TOLD_ELSEWHERE = (
    "in a reminder",
    "in the file of receipts",
    "quoted",
    "beside another game",
    "in a report",
)
"""Places where a telling counts: the verdict says what was taken back, and which mail told it."""
