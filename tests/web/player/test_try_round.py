"""A closed round tried again: from every farm, as it was played or otherwise, and never stored."""

import hashlib
import re
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest

from gm import store
from gm.config import Config
from gm.installation import Installation
from gm.service import close_due
from gm.store.db import Database
from gm.store.games import Game
from rounds.engine.variant import find
from tests.dates import SUNDAY
from tests.steps import dump_of, form, lay_row, send, words

TRY = "/p/ackerwinde/r1/try"


@pytest.fixture
def played(web: Any, db: Database, link: dict[str, str], ackerwinde: Game) -> Game:
    """A round in which Anna planted two of three Bush beans on A and harvested C; Bert and Cem
    sent nothing.
    """
    lay_row(
        db, "ackerwinde", "bush*3 snake magic mung snap climbing broad princess", "- - broad*2 2"
    )
    assert send(web, link["Anna"], form(to_1_1="A", to_1_2="A", pre_end="HC")).status_code == 303
    assert close_due(db, Config(), SUNDAY)
    return store.games.existing(db, "ackerwinde")


def controls(answer: Any) -> list[str]:
    """What the form of a page says."""
    html = answer.get_data(as_text=True)
    return [
        f"{name}={value}" for name, value in re.findall(r'name="(\w+)" value="(\w+)" checked', html)
    ]


def test_a_round_opens_from_every_farm_as_it_was_played(web: Any, played: Game) -> None:
    assert controls(web.get(TRY)) == ["to_1_1=A", "to_1_2=A", "pre_end=HC"]
    for number, name in ((1, "Anna"), (2, "Bert"), (3, "Cem")):
        answer = web.get(f"{TRY}?seat={number}&lang=en")
        text = words(answer)
        assert answer.status_code == 200
        assert "Only a try: nothing is sent, and nothing is stored." in text
        assert re.search(rf'aria-current="page">{name}</a>', answer.get_data(as_text=True))
        assert "/z/" not in answer.get_data(as_text=True)
        assert 'method="post"' not in answer.get_data(as_text=True)
    assert controls(web.get(f"{TRY}?seat=2")) == ["to_7_1=C"]  # what the stand-in played


def test_another_list_is_checked_and_its_result_shown_without_a_script(
    web: Any, played: Game
) -> None:
    tried = web.get(
        f"{TRY}?{urlencode({'seat': 3, 'lang': 'en', 'to_1_1': 'A', 'to_2_1': 'B', 'pre_end': 'HC', 'typed': ''})}"
    )
    assert "Pos. 2: Snake → B" in words(tried)
    assert "harvest C: 2 Broad, +1" in words(tried)
    typed = web.get(f"{TRY}?{urlencode({'seat': 3, 'lang': 'en', 'typed': '1>A 2>B HC'})}")
    assert controls(typed) == ["to_1_1=A", "to_1_2=A", "to_1_3=A", "to_2_1=B", "pre_end=HC"]
    shared = web.get(f"{TRY}?seat=3&to_1_1=A&fbclid=IwAR0")  # Facebook adds that to a link
    assert controls(shared) == ["to_1_1=A"]
    wrong = web.get(f"{TRY}?{urlencode({'seat': 3, 'lang': 'en', 'to_1_1': 'C'})}")
    assert wrong.status_code == 422
    assert "Position 1: Broad beans grow on field C here" in words(wrong)
    assert controls(web.get(f"{TRY}?seat=1&to_1_1=")) == ["pass=yes"]


def test_a_try_stores_nothing(
    web: Any, installation: Installation, played: Game, db: Database
) -> None:
    def stored() -> str:
        return hashlib.sha256("\n".join(dump_of(db)).encode()).hexdigest()

    before = stored()
    for path in (
        TRY,
        f"{TRY}?seat=2&to_1_1=A",
        f"{TRY}?seat=2&typed=1>A",
        f"{TRY}?seat=2&to_1_1=Z",
    ):
        web.get(path)
    assert web.post(TRY, data={"to_1_1": "A", "whole": "yes"}).status_code == 405
    assert stored() == before


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/p/ackerwinde/r2/try", 404),  # the round is open
        ("/p/ackerwinde/r0/try", 404),
        ("/p/nothing/r1/try", 404),
        (f"{TRY}?seat=4", 404),
        (f"{TRY}?seat=x", 404),
        (f"{TRY}?to_1_1=D", 400),
        (f"{TRY}?to_9_1=A", 400),
        (f"{TRY}?what=ever", 400),
    ],
)
def test_only_closed_rounds_and_their_farms_can_be_tried(
    web: Any, played: Game, path: str, status: int
) -> None:
    assert web.get(path).status_code == status


def test_the_page_of_a_round_leads_there(web: Any, played: Game, link: dict[str, str]) -> None:
    assert f'href="{TRY}?lang=en">Try it from here</a>' in web.get(
        "/p/ackerwinde/r1?lang=en"
    ).get_data(as_text=True)
    own = web.get(f"{link['Bert']}/r1?lang=en").get_data(as_text=True)
    assert f'href="{TRY}?seat=2&amp;lang=en">Try it from here</a>' in own


def test_where_a_form_shows_what_others_may_not_see_no_round_is_tried(
    web: Any, played: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [name for name in ("duel", "postal") if find(name).form.open] == ["postal"]  # type: ignore[union-attr]
    hidden = replace(played.engine, form=replace(played.engine.form, open=False))  # type: ignore[type-var]
    monkeypatch.setattr(Game, "engine", hidden)
    assert web.get(TRY).status_code == 404
    assert "Try it from here" not in web.get("/p/ackerwinde/r1?lang=en").get_data(as_text=True)
