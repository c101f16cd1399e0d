"""A record proves itself, and every change of it is found and named."""

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from gm import seeds
from rounds.engine.shuffle import chain_start, setup_hash
from rounds.engine.verdict import AGREES, NOT_PROVEN, PARTLY, PROVEN, UNCHECKED, Given, Verdict
from rounds.engine.verify import verify
from tests.rules.forgeries import CHANGES, FORGERIES, a_game, listed, proofs
from tests.rules.prover import as_bytes, proven_game, resealed

CHECKS = ["form", "known", "commitment", "set-up", "deck", "play", "receipts", "chain", "end"]


def check(record: dict[str, Any] | bytes, given: Given | None = None) -> Verdict:
    data = record if isinstance(record, bytes) else as_bytes(record)
    return verify(data, seeds.deck, given or Given())


@pytest.mark.long
@pytest.mark.parametrize("block", range(10))
def test_a_thousand_simulated_games_are_proven(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        found = check(proven_game(seed))
        assert (found.verdict, found.where) == (AGREES, "itself"), seed
        assert [name for name, _ in found.checks] == CHECKS


@pytest.mark.parametrize(
    "saved",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") + b"\r\n",
    ],
)
def test_a_record_that_an_editor_saved_with_a_byte_order_mark_is_read(
    saved: Callable[[bytes], bytes],
) -> None:
    assert check(saved(as_bytes(proven_game(7, seats=3)))).verdict == AGREES


def test_what_a_witness_kept_is_compared() -> None:
    record = proven_game(7, seats=3)
    fairness = record["fairness"]
    first = next(name for name, r in fairness["rounds"][0]["receipts"].items() if r)
    digest = fairness["rounds"][0]["receipts"][first]["receipt"]
    chains = {1: fairness["rounds"][0]["chain"], 3: fairness["rounds"][2]["chain"]}
    good = Given(fairness["commitment"], chains, {(1, first): digest})
    assert check(record, good).checks[1] == ("given", "what you gave stands in the record")
    other = "0" * 64
    for given, where in (
        (Given(other), "commitment"),
        (Given(chains={0: other}), "round 0, chain"),
        (Given(chains={2: other}), "round 2, chain"),
        (Given(chains={99: other}), "round 99"),
        (Given(receipts={(1, first): other}), f"round 1, receipt of {first}"),
        (Given(receipts={(1, "Nobody"): other}), "round 1, Nobody"),
        (Given(receipts={(99, first): other}), "round 99"),
    ):
        found = check(record, given)
        assert (found.verdict, found.where) == (NOT_PROVEN, where)
    running = copy.deepcopy(record)
    del running["fairness"]["secret"], running["fairness"]["end"]
    for proof in running["fairness"]["rounds"]:
        for used in proof["receipts"].values():
            if used:
                del used["salt"]
    assert check(running, good).verdict == UNCHECKED
    assert check(running, Given(other)).verdict == NOT_PROVEN


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda r: r.pop("fairness"), "nothing was promised"),
        (lambda r: r["fairness"].update(algorithm="bohn-shuffle-2"), "is not known here"),
        (lambda r: r["fairness"].update(level=2), "is not known here"),
        (lambda r: r["fairness"]["setup"].update(format="bohnenpost-setup/1"), "is not known here"),
        (lambda r: r.update(variant="missing"), "is not known here"),
        (lambda r: r["fairness"].pop("secret"), "the game is not over"),
    ],
)
def test_what_cannot_be_checked_is_not_called_false(change: Callable[[Any], Any], why: str) -> None:
    record = proven_game(3, seats=2)
    change(record)
    found = check(record)
    assert found.verdict == UNCHECKED
    assert why in found.why


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_missing_doubled_or_swapped_is_found_and_named(name: str) -> None:
    record = a_game()
    assert check(record).verdict == AGREES
    before = copy.deepcopy(record)
    CHANGES[name](record)
    assert record != before
    found = check(record)
    assert found.verdict == NOT_PROVEN
    assert found.where
    assert found.why


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("a phrase too much", "phrases, Emil"),
        ("another secret", "commitment"),
        ("a receipt missing", "round 1, receipt of Bert"),
        ("another deck", "set-up, deck"),
        ("the seats in another order", "set-up, seats"),
        ("another end", "end"),
        ("the robots missing", "set-up, robots"),
        ("a robot from elsewhere", "set-up, robots"),
        ("a robot that was typed in", "set-up, unconfirmed"),
        ("a deadline missing", "round 1, times"),
        ("closed before the deadline", "round 1, times"),
        ("another deadline", "round 1, chain"),
    ],
)
def test_each_kind_of_change_is_named_where_it_is(name: str, where: str) -> None:
    record = a_game()
    CHANGES[name](record)
    assert check(record).where == where


def witnesses(record: Any, *rounds: int) -> Given:
    """The commitment, and the chain values of these rounds."""
    return Given(
        record["fairness"]["commitment"],
        {number: proofs(record)[number - 1]["chain"] for number in rounds},
    )


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_that_agrees_with_itself_is_proven_by_no_commitment_and_found_by_the_last_report(
    name: str,
) -> None:
    honest = a_game()
    last = len(honest["rounds"])
    assert check(honest, witnesses(honest, last)).verdict == PROVEN
    forged = copy.deepcopy(honest)
    FORGERIES[name](forged)
    forged = resealed(forged)
    agreeing = check(forged, witnesses(honest))
    assert (agreeing.verdict, agreeing.where) == (AGREES, "your commitment")
    assert agreeing.line.startswith(
        "AGREES with your commitment only: lists and seats were checked against the record"
    )
    assert check(forged, witnesses(honest, last)).verdict == NOT_PROVEN


def test_only_a_commitment_and_the_chain_of_the_last_round_prove_a_whole_game() -> None:
    record = a_game()
    last, promised = len(record["rounds"]), record["fairness"]["commitment"]
    first = chain_start(
        setup_hash(record["fairness"]["setup"]),
        bytes.fromhex(promised),
        record["fairness"]["phrases"],
    ).hex()
    digest = proofs(record)[listed(record)[0]]["receipts"][listed(record)[1]]["receipt"]
    receipts = {(listed(record)[0] + 1, listed(record)[1]): digest}
    for given, verdict, line in (
        (witnesses(record, 1, last), PROVEN, "PROVEN"),
        (
            witnesses(record, 1, 2),
            PARTLY,
            f"PROVEN up to round 2: nothing you gave covers rounds 3 to {last}",
        ),
        (
            witnesses(record, last - 1),
            PARTLY,
            f"PROVEN up to round {last - 1}: nothing you gave covers round {last}",
        ),
        (
            Given(promised, {0: first}),
            PARTLY,
            f"PROVEN up to round 0: nothing you gave covers rounds 1 to {last}",
        ),
        (Given(promised, {}, receipts), AGREES, "AGREES with your commitment only: "),
        (
            Given(None, {last: proofs(record)[-1]["chain"]}),
            AGREES,
            "AGREES with your chain values only: the commitment",
        ),
        (
            Given(None, {}, receipts),
            AGREES,
            f"AGREES with itself only: compare the commitment with your first mail: {promised}",
        ),
        (
            Given(),
            AGREES,
            f"AGREES with itself only: compare the commitment with your first mail: {promised}",
        ),
    ):
        found = check(record, given)
        assert (found.verdict, found.line[: len(line)]) == (verdict, line)


def flips(data: bytes, bits: list[int]) -> list[tuple[int, str]]:
    """The bits whose change alters what is read and is not found, with the verdict."""
    told, missed = json.loads(data), []
    for bit in bits:
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        found = check(bytes(changed))
        if found.verdict == AGREES:
            try:
                same = json.loads(changed) == told
            except ValueError:
                same = False
            if not same:
                missed.append((bit, found.verdict))
    return missed


@pytest.mark.parametrize("part", range(4))
def test_every_bit_of_a_record_counts(part: int) -> None:
    data = as_bytes(proven_game(11, seats=2, rules={"rounds": 1, "nmr_empty": True}))
    assert check(data).verdict == AGREES
    assert flips(data, list(range(part, len(data) * 8, 4))) == []


@pytest.mark.parametrize("part", range(4))
def test_two_thousand_bits_of_other_records_count(part: int) -> None:
    rng = Random(part)
    for seed in range(10):
        data = as_bytes(
            proven_game(100 * part + seed, seats=3, rules={"rounds": rng.randint(1, 4)})
        )
        assert flips(data, rng.sample(range(len(data) * 8), 50)) == []


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"\xff", b"null", b'{"format":"bohnenpost/1"}', b"{" * 10000]
)
def test_no_bytes_break_it(data: bytes) -> None:
    found = check(data)
    assert found.verdict == NOT_PROVEN
    assert found.where.startswith("form")


def test_an_aborted_game_is_proven_as_far_as_it_went() -> None:
    assert check(proven_game(5, seats=2, rules={"rounds": 6}, aborted=True)).verdict == AGREES


def test_a_withdrawn_chain_value_is_named_with_its_note() -> None:
    record = proven_game(21, seats=2, rules={"rounds": 3})
    proofs(record)[1]["notes"] = [
        {
            "kind": "rollback",
            "at": "2026-11-20T19:00:00Z",
            "text": "a letter",
            "withdrawn": ["a" * 64],
        }
    ]
    found = check(record, Given(chains={2: "a" * 64}))
    assert "taken back in round 2" in found.why
    assert "a letter" in found.why


@pytest.mark.parametrize(
    "note",
    [
        {"withdrawn": 7},
        {"withdrawn": None},
        {"withdrawn": "a" * 64},
        {"at": "٢٠٢٦-11-20T19:00:00Z"},
        {"text": 7},
    ],
)
def test_a_note_that_is_none_is_named_whatever_is_asked(note: dict[str, Any]) -> None:
    record = proven_game(21, seats=2, rules={"rounds": 3})
    proofs(record)[0]["notes"] = [
        {"kind": "comment", "at": "2026-11-20T19:00:00Z", "text": "x"} | note
    ]
    assert check(record, Given(chains={1: "a" * 64})).where == "round 1, notes"


def test_a_seat_that_is_not_there_is_said_not_to_be() -> None:
    record = proven_game(7, seats=3)
    assert check(record, Given(receipts={(1, "anna"): "0" * 64})).why == "there is no such seat"
