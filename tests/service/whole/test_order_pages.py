"""A whole game of each kind, as its order pages and the pages of its rounds: each answers."""

from typing import Any

import pytest

from gm.installation import Installation
from gm.rendering.turns import turn_of
from gm.store.db import Database
from rounds.engine.variant import find, names
from tests.service.whole import one_game
from tests.steps import words

OPENED = "What everybody had offered"


@pytest.mark.long
@pytest.mark.parametrize("variant", names())
def test_every_order_page_and_round_of_a_game_answers(
    installation: Installation, db: Database, frozen_time: Any, web: Any, variant: str
) -> None:
    cast = dict(list({"Anna": "en", "Bert": "de", "Cem": "en"}.items())[: find(variant).seats[-1]])
    one_game.begun(installation, db, "ackerwinde", variant, cast)
    link = installation.path("seat", "ackerwinde", "Anna", 1)
    while (game := one_game.game(db)).status != "finished":
        assert "Ackerwinde" in words(web.get(link))
        for name in game.engine.awaited(one_game.table(db)):
            one_game.order(db, name)
        assert "Ackerwinde" in words(web.get(link))  # with the list that was sent
        one_game.close(db, frozen_time)
        closed = words(web.get(f"{link}/r{game.round}"))
        assert "Ackerwinde" in closed
        assert OPENED not in closed or one_game.game(db).status == "finished"
    assert "Ackerwinde" in words(web.get(link))
    is_opened = OPENED in words(web.get("/p/ackerwinde/r1?lang=en"))
    assert is_opened is find(variant).seals_lists
    turns = set()
    for number in range(1, one_game.game(db).round):
        told = turn_of(db, one_game.game(db), number)
        links = [installation.path("seat", "ackerwinde", name, 1) for name in cast]
        home = ("/p/ackerwinde", *links[:2])[number % 3]
        page = web.get(f"{home}/r{number}?lang=en")
        assert words(page) == words(web.get(f"{home}/t/{told}?lang=en"))
        assert f"/p/ackerwinde/r{number}.txt" in page.text
        turns.add(told)
    assert turns == {*range(1, max(turns) + 1)}
    assert variant != "duel" or len(turns) == 27
