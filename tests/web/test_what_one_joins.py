"""What a game is, how long and how fast, stands wherever somebody may join it, in every game."""

import re
from typing import Any

import pytest

from gm import clock, store
from gm.installation import Installation
from gm.people import joining
from gm.rendering.sentences import environment
from gm.store.db import Database, write
from rounds.engine.variant import find, names
from tests.dates import EVERY_SUNDAY
from tests.steps import PLAYERS, seat_game, send, sent_mails, words

FOLLOWER = {"game": None, "address": "dora@example.org", "language": "en", "at": 1}


@pytest.mark.parametrize("variant", names())
def test_pages_mails_and_the_api_say_what_one_joins(
    installation: Installation, db: Database, web: Any, variant: str
) -> None:
    with write(db):
        follower = store.requests.add_follower(db, FOLLOWER)
        store.requests.update_follower(db, follower, {"confirmed_at": clock.now()})
    players = list(PLAYERS)[: find(variant).seats[-1] - 1]
    seat_game(installation, "saubohne", players, variant)
    joining.invite(db, "saubohne", ["emil@example.org"], "en", clock.now())
    send(web, "/my-games", [("address", "anna@saubohne.example.org"), ("whole", "yes")])
    mails = {kind: " ".join(text.split()) for kind, _, text in sent_mails(installation, db)}

    game = store.games.existing(db, "saubohne")
    filters = environment("en").filters
    title, brief = filters["title_of"](variant), filters["in_brief"](game, len(players))
    assert brief.partition(" ")[0] in {"10", "27", "about"}
    assert brief.endswith("every week on Sunday, 20:00 (Europe/Berlin) · in German")
    for kind in ("invite", "opened"):
        assert f"{title}: {brief}" in mails[kind]
    to_all = re.search(r"http\S+(/m/\S+)", mails["my_games"])
    assert to_all is not None
    for path in ("/", "/p/saubohne", "/p/saubohne/join", to_all[1]):
        text = words(web.get(f"{path.partition('?')[0]}?lang=en"))
        assert title in text, path
        assert brief in text, path
    (answer,) = web.get("/api/v1/games").json["games"]
    assert (answer["variant"], answer["language"]) == (variant, game.gm_language)
    assert answer["length"]["rounds"] > 1
    assert answer["calendar"]["weekdays"] == list(EVERY_SUNDAY.weekdays)
