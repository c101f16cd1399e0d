"""A game whose deck depends on how many play: with three it lacks a variety, from the deal to
the proof.
"""

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import pytest

from gm import seeds, store
from gm.installation import Installation
from gm.proof.fairness import difference
from gm.service import tick
from gm.store.db import Database
from rounds import postal
from rounds.engine.beans import Deck
from rounds.engine.variant import find
from tests.dates import SUNDAY
from tests.steps import cards_of, seat_game, start

RARE = "princess"


@pytest.fixture
def without_rare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Three play without the rare variety, others with all."""
    full = seeds.deck("postal")
    small = Deck(tuple(variety for variety in full.varieties if variety.id != RARE))
    engine = dataclasses.replace(
        find("postal"), deck_for=lambda deck, seats: small if seats == 3 else deck
    )
    monkeypatch.setattr(postal, "variant", engine)
    find.cache_clear()
    yield
    find.cache_clear()


@pytest.mark.parametrize(("players", "rare"), [(("Anna", "Bert", "Cem"), 0), (("Anna", "Bert"), 6)])
def test_it_is_dealt_stored_replayed_and_proven_with_its_own_deck(
    without_rare: None,
    installation: Installation,
    db: Database,
    frozen_time: Any,
    players: tuple[str, ...],
    rare: int,
) -> None:
    seat_game(installation, players=players, rounds=1)
    start(installation)
    game = store.games.existing(db, "ackerwinde")
    assert cards_of(db, game).count(RARE) == rare
    assert dict(json.loads(game.setup or "{}")["deck"]).get(RARE, 0) == rare
    assert difference(db, game) is None
    frozen_time.move_to(SUNDAY)
    tick(installation)
    tick(installation)
    verdict = store.games.existing(db, "ackerwinde").verdict
    assert verdict is not None
    assert verdict.startswith("PROVEN")
