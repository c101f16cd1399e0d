"""A position is no number of beans: what is planted is told as "Pos. 4: Snake → C" wherever it
is told.
"""

import re
from typing import Any

import pytest

from gm import store
from gm.config import Config
from gm.installation import Installation
from gm.rendering.sentences import environment
from gm.service import close_due
from gm.store.db import Database
from gm.store.games import Game
from rounds.postal.events import Planted
from tests.dates import SUNDAY
from tests.steps import event_of, form, lay_row, queued, send, words, written
from tests.steps import plain_text as text_of

ROW = "bush*3 snake magic mung snap snake broad princess"
TOLD = {
    "en": (
        "Pos. 1: Bush → A (2 of 3)",
        "Pos. 2: Snake → C",
        "Pos. 1: Bush ×3",
        r"\d (?:Bush|Snake)\w* on [ABC]",
    ),
    "de": (
        "Platz 1: Busch → A (2 von 3)",
        "Platz 2: Schlange → C",
        "Platz 1: Busch ×3",
        r"\d (?:Busch|Schlange)\w* auf [ABC]",
    ),
}


@pytest.mark.parametrize(
    ("cards", "lying", "english", "german"),
    [
        (1, 1, "Pos. 4: Snake → C", "Platz 4: Schlange → C"),
        (3, 3, "Pos. 4: Snake → C (3 of 3)", "Platz 4: Schlange → C (3 von 3)"),
        (1, 3, "Pos. 4: Snake → C (1 of 3)", "Platz 4: Schlange → C (1 von 3)"),
    ],
)
def test_of_a_stack_it_is_told_how_many_went(
    cards: int, lying: int, english: str, german: str
) -> None:
    planted = Planted("Anna", 4, "snake", cards, lying, "C", cards)
    assert [environment(language).filters["sentence"](planted) for language in ("en", "de")] == [
        english,
        german,
    ]


def told(
    web: Any, installation: Installation, db: Database, link: dict[str, str], language: str
) -> list[str]:
    """Receipt, order page, reminder, report as mail, page and text, page of the game, of who
    ordered `1x2>A 2>C`.
    """
    number = {"de": 1, "en": 2}[language]
    seat = store.seats.numbered(db, "ackerwinde", number)

    def mail_text(kind: str, ref: int = 0) -> str:
        mail = written(db, installation, queued(db, event_of(kind, ref), seat))
        html = mail.get_body(("html",))
        return text_of(mail) + re.sub(
            r"\s+", " ", re.sub(r"<[^>]+>", "", html.get_content()) if html else ""
        )

    def page(path: str) -> str:
        return words(web.get(f"{path}?lang={language}"))

    path = link[seat.name]
    send(web, path, form(to_1_1="A", to_1_2="A", to_2_1="C"))
    found = [page(path), page(f"{path}/receipt"), mail_text("receipt", 1), mail_text("reminder")]
    close_due(db, Config(), SUNDAY)
    text = web.get(f"/p/ackerwinde/r1.txt?lang={language}").get_data(as_text=True)
    closed = [
        mail_text("report"),
        page("/p/ackerwinde/r1"),
        " ".join(text.replace("\xa0", " ").split()),
    ]
    return [*found, *closed, page("/p/ackerwinde")]


@pytest.mark.parametrize("language", ["de", "en"])
def test_wherever_orders_are_told_positions_are_called_so(
    web: Any,
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    link: dict[str, str],
    language: str,
) -> None:
    lay_row(db, "ackerwinde", ROW, "- - snake*2 2")
    some, one, row, wrong = TOLD[language]
    pages = [
        page.replace("\xa0", " ").replace("&nbsp;", " ")
        for page in told(web, installation, db, link, language)
    ]
    for number, page in enumerate(pages):
        assert one in page, number
        assert some in page or number == 3, number  # the stand-in takes what grows already
        assert not re.search(wrong, page), number
    assert row in pages[-1]
