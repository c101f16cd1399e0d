"""A record with its proofs, everything that can be changed in one, and what people might forge."""

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

from tests.rules.prover import proven_game


def a_game() -> dict[str, Any]:
    """With lists of three seats, an NMR and a note in it; Cem is a robot, Bert was typed in.
    Always the same one.
    """
    return copy.deepcopy(_the_game())


@cache
def _the_game() -> dict[str, Any]:
    for seed in range(1000):
        record = proven_game(seed, seats=3)
        receipts = [r for proof in record["fairness"]["rounds"] for r in proof["receipts"].values()]
        rich = (
            None in receipts
            and any(p["notes"] for p in record["fairness"]["rounds"])
            and len(record["rounds"]) > 3
        )
        setup = record["fairness"]["setup"]
        if rich and (setup["robots"], setup["unconfirmed"]) == (["Cem"], ["Bert"]):
            return record
    raise AssertionError("no such game")


def proofs(record: Any) -> Any:
    return record["fairness"]["rounds"]


def noted(record: Any) -> Any:
    return next(proof["notes"] for proof in proofs(record) if proof["notes"])


def listed(record: Any) -> tuple[int, str]:
    return next((i, s) for i, p in enumerate(proofs(record)) for s, r in p["receipts"].items() if r)


def absent(record: Any) -> tuple[int, str]:
    return next(
        (i, s) for i, p in enumerate(proofs(record)) for s, r in p["receipts"].items() if not r
    )


def unlike(record: Any) -> Any:
    return next(
        sent for sent in record["rounds"] if sent["orders"]["Anna"] != sent["orders"]["Bert"]
    )


def swap(items: Any, one: Any, other: Any) -> bool:
    items[one], items[other] = items[other], items[one]
    return True


CHANGES: dict[str, Callable[[Any], Any]] = {
    "a round missing": lambda r: r["rounds"].pop(1),
    "a round and its proof missing": lambda r: (r["rounds"].pop(1), proofs(r).pop(1)),
    "the last round missing": lambda r: (r["rounds"].pop(), proofs(r).pop()),
    "the last round missing, called aborted": lambda r: (
        r["rounds"].pop(),
        proofs(r).pop(),
        r["fairness"].update(end="finished"),
    ),
    "a round doubled": lambda r: (
        r["rounds"].insert(1, r["rounds"][1]),
        proofs(r).insert(1, proofs(r)[1]),
    ),
    "two rounds swapped": lambda r: swap(r["rounds"], 0, 1),
    "two rounds and their proofs swapped": lambda r: [
        swap(items, 0, 1) for items in (r["rounds"], proofs(r))
    ],
    "a list missing": lambda r: r["rounds"][0]["orders"].pop("Anna"),
    "a list dropped to an NMR": lambda r: r["rounds"][listed(r)[0]]["orders"].update(
        {listed(r)[1]: None}
    ),
    "an NMR made a pass": lambda r: r["rounds"][absent(r)[0]]["orders"].update(
        {absent(r)[1]: "pass"}
    ),
    "a list and its receipt dropped": lambda r: (
        r["rounds"][listed(r)[0]]["orders"].update({listed(r)[1]: None}),
        proofs(r)[listed(r)[0]]["receipts"].update({listed(r)[1]: None}),
    ),
    "two lists swapped": lambda r: swap(unlike(r)["orders"], "Anna", "Bert"),
    "another list": lambda r: r["rounds"][listed(r)[0]]["orders"].update(
        {listed(r)[1]: "HA HB HC 1>A"}
    ),
    "a list of somebody who does not play": lambda r: r["rounds"][0]["orders"].update(Emil="pass"),
    "a receipt missing": lambda r: proofs(r)[0]["receipts"].pop("Bert"),
    "two receipts swapped": lambda r: swap(proofs(r)[0]["receipts"], "Anna", "Cem"),
    "a receipt of another round": lambda r: swap(proofs(r)[0], "receipts", "notes"),
    "a phrase too much": lambda r: r["fairness"]["phrases"].update(Emil=""),
    "a note missing": lambda r: noted(r).pop(),
    "a note doubled": lambda r: noted(r).append(noted(r)[0]),
    "a note changed": lambda r: noted(r)[0].update(text="Gut gemacht"),
    "a note with something hidden": lambda r: noted(r)[0].update(who="Emil"),
    "a note at no time": lambda r: noted(r)[0].update(at="yesterday"),
    "a note with a withdrawn chain": lambda r: noted(r)[0].update(withdrawn=["0" * 64]),
    "the robots missing": lambda r: r["fairness"]["setup"].pop("robots"),
    "a robot called a person": lambda r: r["fairness"]["setup"].update(robots=[]),
    "a robot called twice": lambda r: r["fairness"]["setup"].update(robots=["Cem", "Cem"]),
    "a robot from elsewhere": lambda r: r["fairness"]["setup"].update(robots=["Cem", "Dörte"]),
    "robots that are no list": lambda r: r["fairness"]["setup"].update(robots="Cem"),
    "a robot that was typed in": lambda r: r["fairness"]["setup"].update(
        unconfirmed=["Bert", "Cem"]
    ),
    "a deadline missing": lambda r: proofs(r)[0].pop("deadline"),
    "another deadline": lambda r: proofs(r)[0].update(deadline="2026-01-20T18:59:59Z"),
    "closed at another time": lambda r: proofs(r)[0].update(closed="2026-01-20T19:01:00Z"),
    "closed before the deadline": lambda r: proofs(r)[0].update(closed="2026-01-20T18:59:59Z"),
    "closed at no time": lambda r: proofs(r)[0].update(closed="yesterday"),
    "another house rule": lambda r: r["house_rules"].update(
        nmr_empty=not r["house_rules"]["nmr_empty"]
    ),
    "another house rule in both": lambda r: (
        r["house_rules"].update(nmr_empty=not r["house_rules"]["nmr_empty"]),
        r["fairness"]["setup"]["house_rules"].update(nmr_empty=r["house_rules"]["nmr_empty"]),
    ),
    "another deck": lambda r: swap(r["fairness"]["setup"]["deck"], 0, 1),
    "the seats in another order": lambda r: swap(r["seats"], 0, 1),
    "another game": lambda r: (r.update(game="other"), r["fairness"]["setup"].update(game="other")),
    "another secret": lambda r: r["fairness"].update(secret="0" * 64),
    "another end": lambda r: r["fairness"].update(end="aborted"),
    "no end": lambda r: r["fairness"].pop("end"),
    "a salt missing": lambda r: proofs(r)[listed(r)[0]]["receipts"][listed(r)[1]].pop("salt"),
    "an unknown key": lambda r: r.update(comment="!"),
    "an unknown key in the set-up": lambda r: r["fairness"]["setup"].update(comment="!"),
}


FORGERIES: dict[str, Callable[[Any], Any]] = {
    "another player's list dropped and called an NMR": CHANGES["a list dropped to an NMR"],
    "an NMR called a pass": CHANGES["an NMR made a pass"],
    "another list": lambda r: r["rounds"][listed(r)[0]]["orders"].update({listed(r)[1]: "pass"}),
    "another order of the seats": lambda r: (
        r["seats"].reverse(),
        r["fairness"]["setup"]["seats"].reverse(),
    ),
    "another house rule": CHANGES["another house rule in both"],
    "a deadline moved": CHANGES["another deadline"],
    "a round closed at another time": CHANGES["closed at another time"],
    "a robot called a person": CHANGES["a robot called a person"],
    "a note dropped": CHANGES["a note missing"],
    "a note invented": lambda r: proofs(r)[0]["notes"].append(
        {"kind": "by_gm", "at": "2026-11-20T19:00:00Z", "text": ""}
    ),
    "the game cut short and called aborted": lambda r: (
        r["rounds"].pop(),
        proofs(r).pop(),
        r["fairness"].update(end="aborted"),
    ),
}
