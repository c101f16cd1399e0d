"""A host who forges a history after mails went out is never believed without a condition."""

from random import Random

import pytest

from gm import seeds
from rounds.engine.verdict import PROVEN, Given
from rounds.engine.verify import verify
from rounds.engine.witness import harmless, read, unread
from tests.faster import few_first
from tests.rules.histories import KINDS, TOLD_ELSEWHERE, told_in
from tests.rules.prover import as_bytes

SEEDS = few_first([range(2), range(2, 20)], 1)


@pytest.mark.parametrize("seeds_of_it", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_forged_history_is_never_simply_proven(kind: str, seeds_of_it: range) -> None:
    said = set()
    for seed in seeds_of_it:
        history = KINDS[kind](seed)
        for mails in history.samples(Random(seed)):
            found = verify(as_bytes(history.record), seeds.deck, Given(), [read(m) for m in mails])
            assert found.verdict != PROVEN, f"seed {seed}: {found.line}"
            said.add(found.verdict)
    print(f"{seeds_of_it}: {sorted(said)}")


@pytest.mark.parametrize("seeds_of_it", SEEDS)
@pytest.mark.parametrize("place", TOLD_ELSEWHERE)
def test_a_verdict_says_what_was_taken_back_and_which_mail_told_it(
    place: str, seeds_of_it: range
) -> None:
    for seed in seeds_of_it:
        history = told_in(place)(seed)
        for mails in history.samples(Random(seed)):
            lines = [read(mail) for mail in mails]
            found = verify(as_bytes(history.record), seeds.deck, Given(), lines)
            assert found.line != PROVEN
            if found.verdict == PROVEN:
                assert "lost in a restore" in found.line
                assert found.line.endswith(f"as told in mail {len(mails)}")
                assert found.void_reports


def test_a_contradiction_hides_nothing_of_what_was_heard_before() -> None:
    history = KINDS["no note at all"](1)
    lines = [read(mail) for mail in history.mails]
    found = verify(as_bytes(history.record), seeds.deck, Given(), lines)
    assert (found.verdict, found.mails) == ("NOT PROVEN", len(history.mails))
    assert found.given.commitment


def test_a_verdict_names_the_mail_in_which_a_newer_receipt_stands() -> None:
    """The only line of a reminder looks like a receipt's own mail."""
    for seed in range(20):
        record, (first, older, last), _ = KINDS["a newer receipt beside the secret"](seed)
        at = last.index("receipt seat")
        newer = last[last.rindex("Proof:", 0, at) :]
        mails = [read(mail) for mail in (first, older, newer, last.replace(newer, ""))]
        found = verify(as_bytes(record), seeds.deck, Given(), mails)
        assert found.line.startswith("PROVEN: Bert sent version ") or found.verdict != PROVEN


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\n", "\u2003"])
def test_nobodys_words_seem_to_be_proof(blank: str) -> None:
    typed = f"look: 3{blank}receipt {'ab' * 32}\nJan Proof: 5 talers"
    assert unread(typed) == 1
    assert unread(harmless(typed).replace("\u00a0", " ")) == 0


def test_many_blank_lines_take_no_time() -> None:
    assert unread("\n" * 1_000_000) == 0
