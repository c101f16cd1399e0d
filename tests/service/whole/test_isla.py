"""La Isla Bohnita through the service: by form, by robots, by nobody; its mails prove it."""

import json
from pathlib import Path
from typing import Any

import pytest

from gm import store
from gm.installation import Installation
from gm.rendering.dates import LANGUAGES
from gm.service import tick
from gm.store.db import Database
from gm.store.games import Game
from rounds.isla import variant
from rounds.isla.form import fill_form
from tests.postbox import Postbox
from tests.service.whole.one_game import (
    begun,
    close,
    command,
    mails,
    order,
    page_of,
    play_to_the_end,
    saved,
    send,
    table,
    text_of,
    verified,
    words,
)
from tests.steps import with_server

NAME, PLAYERS = "inselbeet", {"Anna": "de", "Bert": "en", "Cem": "de", "Dörte": "en"}


@pytest.fixture
def isla(installation: Installation, db: Database) -> Game:
    """A game that has just started."""
    return begun(installation, db, NAME, "isla", PLAYERS)


def test_a_game_runs_to_the_end_and_the_mails_that_arrived_prove_it(
    installation: Installation,
    db: Database,
    web: Any,
    isla: Game,
    frozen_time: Any,
    postbox: tuple[Postbox, int],
    tmp_path: Path,
) -> None:
    box, port = postbox
    mailing = with_server(installation, port)
    play_to_the_end(mailing, db, frozen_time, PLAYERS)
    record = saved(mailing, web)
    own = [data for to, data in box.mails if to == "bert@example.org"]
    assert "PROVEN" in verified(installation, record, own, tmp_path)
    told = json.loads(command(installation, "replay", str(record), "--json"))
    assert set(told["result"]) == {"talers", "hands", "ranks"}
    assert {"bay", "visits", "raids", "farms", "trades"} <= set(told["rounds"][0])
    assert {"ships", "away"} <= set(told["rounds"][0]["farms"]["Anna"])
    assert sum(len(one["visits"]) for one in told["rounds"]) > 5
    assert any(one["raids"] for one in told["rounds"])


def test_pages_and_mails_say_that_the_island_is_a_house_version(
    installation: Installation, db: Database, web: Any, isla: Game, frozen_time: Any
) -> None:
    for _ in range(4):
        for name in PLAYERS:
            order(db, name)
        close(db, frozen_time)
    tick(installation)
    pages = (page_of(installation, "Bert"), f"/p/{NAME}", f"/p/{NAME}/t/2", "/rules/isla")
    says = {
        "en": "House version: island and raids are ours",
        "de": "Insel und Kaperfahrten sind von uns",
    }
    for page in pages:
        for language in LANGUAGES:
            assert says[language] in words(web.get(f"{page}?lang={language}")), page
    for who, language in PLAYERS.items():
        assert says[language] in " ".join(text_of(mails(installation, "report", who)[-1]).split())
    assert "Bohnbay" in text_of(mails(installation, "report", "Anna")[-1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_is_said_in_words(
    installation: Installation, db: Database, web: Any, isla: Game, language: str
) -> None:
    where = f"{page_of(installation, 'Anna')}?lang={language}"
    typed = "auto A>T HS S>T buy S buy X S>havana X>bay T>bay S>bay"
    wrong = send(web, where, 1, ("text", typed))
    assert wrong.status_code == 422
    expected = {
        "de": (
            "kein solches Schiff",
            "S ist leer.",
            "Zu kaufen gibt es",
            "Das kostet",
            "zwei Häfen",
        ),
        "en": ("no such ship", "S is empty.", "For sale are", "That costs", "two harbours"),
    }[language]
    assert [sentence for sentence in expected if sentence not in words(wrong)] == []


def test_a_form_loads_and_sails(
    installation: Installation, db: Database, web: Any, isla: Game, frozen_time: Any
) -> None:
    for _ in range(2):  # the stand-in has planted
        close(db, frozen_time)
    at = table(db)
    field, grown = next(
        (one, held) for one, held in zip("AB", at.farms["Anna"].fields, strict=True) if held
    )
    harbour = "bay" if grown.variety in at.bay else "aco"
    lies = at.bay if harbour == "bay" else at.discard
    sails = f"S>{harbour}:{grown.variety}" if grown.variety in lies else ""
    orders = variant.read_orders(at, "Anna", f"{field}>S auto {sails} hold")
    shown = fill_form(at, "Anna", orders)
    assert shown.chosen[f"field_{field}"] == "S"
    sent = send(web, page_of(installation, "Anna"), 3, *shown.chosen.items())
    assert sent.status_code == 303, words(sent)
    assert store.lists.revisions(db, NAME, 3, 1)[0].orders == variant.write_orders(at, orders)
    page = words(web.get(f"{page_of(installation, 'Anna')}?lang=en"))
    assert "Your fields and ships" in page
    assert f"field {field} ({grown.cards} " in page
