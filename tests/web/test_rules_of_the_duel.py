"""The rules of the duel in full: the same rulings in both languages, each found by its number."""

import re
from typing import Any

import pytest

from gm.rendering.dates import LANGUAGES
from gm.rendering.how_to_play import full_rules
from tests.steps import words

MISSING = {26, 27, 33, 36, 42}
RULINGS = {f"D{number}" for number in range(1, 58)} - {f"D{number}" for number in MISSING}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_is_there_and_every_mention_leads_to_one(web: Any, language: str) -> None:
    page = web.get(f"/rules/duel/full?lang={language}")
    assert page.status_code == 200
    found = full_rules("duel", language)
    assert found is not None
    assert found.language == language
    assert set(re.findall(r'<strong id="(D\d+)">', page.text)) == RULINGS
    assert set(re.findall(r'href="#(D\d+)"', page.text)) <= RULINGS


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            (
                "after 27 turns",
                "for sale, for 3 talers",
                "4 for 1 taler, 7 for 2 talers",
                "From the discard pile slid: Coffee, Coffee",
            ),
        ),
        (
            "de",
            (
                "nach 27 Zügen",
                "zu kaufen, für 3 Taler",
                "4 für 1 Taler",
                "Vom Ablagestapel rutschten dazu: Kaffee, Kaffee",
            ),
        ),
    ],
)
def test_how_to_play_tells_its_figures_from_the_deck_and_a_recorded_row(
    web: Any, language: str, told: tuple[str, ...]
) -> None:
    page = words(web.get(f"/rules/duel?lang={language}"))
    assert [sentence for sentence in told if sentence not in page] == []
    assert "%(" not in page
