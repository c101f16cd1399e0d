"""The first line of a report and of the page of a round: what others did with its reader."""

from typing import Any

import pytest

from gm import store
from gm.installation import Installation
from gm.rendering.reports import own_line, reports
from gm.store.db import Database
from rounds.engine.variant import lineage, names
from tests.service.whole import one_game

CAST = {"Anna": "en", "Bert": "en", "Cem": "de"}


@pytest.mark.parametrize("variant", [one for one in names() if "classic" in lineage(one)])
def test_it_says_what_was_traded_with_the_reader(
    installation: Installation, db: Database, frozen_time: Any, variant: str
) -> None:
    game = one_game.begun(installation, db, "ackerwinde", variant, CAST)
    for _ in range(6):
        for name in game.engine.awaited(one_game.table(db)):
            one_game.order(db, name)
        one_game.close(db, frozen_time)
    told = []
    for report in reports(db, one_game.game(db)):
        trades: list[Any] = [event for event in report.events if event.kind == "traded"]
        for seat in store.seats.of_game(db, "ackerwinde"):
            line = own_line(game, report, seat, "en")
            own = [trade for trade in trades if seat.name in trade.seats]
            others = {name for trade in own for name in trade.seats} - {seat.name}
            told.append(len(own))
            assert (f"{len(own)} trades were yours." in line) is (len(own) > 2)
            assert all(name in line for name in others) is (len(own) < 3), line
            assert ("gave" in line) is (0 < len(own) < 3), line
    assert {0, 1, 2} <= set(told)
