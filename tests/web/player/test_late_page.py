"""What a form for an earlier round is given back as, in games with hidden hands: in words to whoever
had that hand, as it was sent to whoever has the seat since.
"""

from typing import Any

import pytest

from gm import clock
from gm.installation import Installation
from gm.people import seating
from gm.store.db import Database
from rounds.engine.variant import lineage, names
from tests.service.whole.one_game import begun, close, game, page_of, seat, send, table, words

PLAYERS = {"Anna": "de", "Bert": "en", "Cem": "de"}
FIRST = {name: ("plant_h1", "A") for name in names() if "classic" in lineage(name)}
FIRST |= {"duel": ("hand_1", "A")}


@pytest.mark.parametrize("variant", FIRST)
def test_a_form_for_a_hand_of_an_earlier_player_comes_back_as_it_was_sent(
    installation: Installation, db: Database, web: Any, frozen_time: Any, variant: str
) -> None:
    players = {name: "en" for name in PLAYERS if variant != "duel" or name != "Cem"}
    begun(installation, db, "probe", variant, players)
    name = table(db).active if variant == "duel" else "Bert"
    number = game(db).round
    close(db, frozen_time)
    frozen_time.shift(60)
    control = FIRST[variant]
    own = send(web, page_of(installation, name), number, control)
    assert own.status_code == 409
    assert "=A" not in words(own)  # as orders
    seating.replace_player(
        db,
        installation.link_key,
        game(db).id,
        name,
        player="Dora",
        address="dora@example.org",
        language="en",
        keep_orders=False,
        reason="",
        now=clock.now(),
    )
    there = installation.path("seat", "probe", name, seat(db, name).link_number)
    late = send(web, there, number, control)
    assert late.status_code == 409
    assert f"{control[0]}=A" in words(late)
