"""A host who forges a history after mails went out is never believed without a condition."""

from random import Random

import pytest

from gm import seeds
from rounds.engine.verdict import PROVEN, Given
from rounds.engine.verify import verify
from rounds.engine.witness import read
from tests.rules.histories import KINDS
from tests.rules.prover import as_bytes


@pytest.mark.parametrize("kind", KINDS)
def test_a_forged_history_is_never_simply_proven(kind: str) -> None:
    said = set()
    for seed in range(20):
        history = KINDS[kind](seed)
        for mails in history.samples(Random(seed)):
            found = verify(as_bytes(history.record), seeds.deck, Given(), [read(m) for m in mails])
            assert found.verdict != PROVEN, f"seed {seed}: {found.line}"
            said.add(found.verdict)
    print(f"seeds 0 to 19: {sorted(said)}")
