"""Order text at every door: the desk's form, the API, the command line, a record. The same
answer everywhere.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import html5lib
import pytest

from gm import seeds, store
from gm.installation import Installation
from gm.rendering.sentences import sentence
from gm.store.db import Database
from gm.store.games import Game
from rounds.engine.notation import Refused
from rounds.postal.orders import read_orders
from tests.bad_inputs.texts import FARM, ROW, TEXTS, Refusals
from tests.postal_tables import table
from tests.steps import bohnenpost, lay_row, sign_in

AT = table(farm=FARM)
MOST_SHOWN = 50


def spoken(text: str) -> list[str]:
    """The sentences of a text's problems, in English."""
    try:
        read_orders(AT, "Anna", text)
    except Refused as refused:
        return [sentence("en", problem) for problem in refused.problems]
    return []


def plain(text: str) -> str:
    return re.sub(r"\s+", "", text)


Answer = tuple[bool, list[tuple[str, str | None]] | str | None, list[str]]
"""Whether it was taken; codes with hints, or the canonical text, where the door tells them; the
words it says, without blanks.
"""


def by_api(installation: Installation, db: Database, web: Any, text: str) -> Answer:
    headers = {
        "Authorization": f"Bearer {installation.api_token(store.seats.of_game(db, 'ackerwinde')[0])}"
    }
    answer = web.post(
        "/api/v1/games/ackerwinde/seat/orders", json={"round": 1, "orders": text}, headers=headers
    )
    assert answer.status_code in (200, 201, 422), answer.get_data(as_text=True)
    if answer.status_code == 422:
        problems = answer.json["problems"]
        return (
            False,
            [(p["code"], p.get("hint")) for p in problems],
            [plain(p["detail"]) for p in problems],
        )
    return True, answer.json["orders"], []


def by_desk(installation: Installation, db: Database, web: Any, text: str, uli: Any) -> Answer:
    fields = [("seat", "Anna"), ("orders", text), ("whole", "yes")]
    path = "/desk/game/ackerwinde/orders?lang=en"
    answer = uli.post(
        path, data=urlencode(fields), content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code in (303, 422), answer.status_code
    page = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(
        answer.get_data(as_text=True)
    )
    if answer.status_code == 422 and text.strip() and text.isprintable():
        assert text in [field.get("value") for field in page.findall(".//input[@name='orders']")]
    return answer.status_code == 303, None, ["".join("".join(page.itertext()).split())]


def by_command(installation: Installation, db: Database, web: Any, text: str) -> Answer:
    if "\x00" in text:  # no shell can hand that over
        return False, None, [plain(said) for said in spoken(text)]
    status = 1 if spoken(text) else 0
    said = bohnenpost(
        "game", "orders", "ackerwinde", "Anna", "--", text, home=installation.home, status=status
    ).output
    return status == 0, None, [plain(said)]


def by_record(
    installation: Installation, db: Database, web: Any, text: str, folder: Path
) -> Answer:
    """Two rounds in which Bert tidies up, so that the third has the row and Anna's farm that the
    texts are for.
    """
    first = "princess princess bush bush bush magic magic climbing"
    second = "climbing snap snap snap snap snap snap snap"
    third = "bush magic climbing mung snap snake broad princess"
    dealt = f"{first} {second} {third}".split()
    left = list(seeds.deck("postal").base_order())
    for card in dealt:
        left.remove(card)
    rounds: list[dict[str, str]] = [
        {"Anna": "1>A 2>A HA 3>A 4>A 5>A 6>B 7>B", "Bert": "1>A 2>A HA 3>A 4>A 5>A 6>B 7>B"},
        {"Anna": "pass", "Bert": "2>C 3>C 4>C 5>C 6>C 7>C 8>C"},
        {"Anna": text, "Bert": "pass"},
    ]
    record = {
        "format": "bohnenpost/1",
        "variant": "postal",
        "game": "x",
        "seats": ["Anna", "Bert"],
        "deck": dealt + left,
        "rounds": [{"orders": orders} for orders in rounds],
    }
    file = folder / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    status = 1 if spoken(text) else 0
    said = bohnenpost("replay", file, "--json", status=status)
    if status:
        return False, None, [plain(said.stderr)]
    played = json.loads(said.stdout)["rounds"][2]
    assert played["row"][2] == ["climbing", 3]
    return True, played["farms"]["Anna"]["orders"], []


DOORS: dict[str, Callable[..., Answer]] = {
    "API": by_api,
    "desk": by_desk,
    "command": by_command,
    "record": by_record,
}


@pytest.fixture
def laid(installation: Installation, ackerwinde: Game, db: Database) -> Installation:
    """The row and the farms that the texts are for."""
    lay_row(db, "ackerwinde", ROW, FARM)
    return installation


@pytest.mark.parametrize("number", [pytest.param(number, id=f"b{number:03}") for number in TEXTS])
@pytest.mark.parametrize("door", DOORS)
def test_order_text(
    laid: Installation, db: Database, web: Any, tmp_path: Path, door: str, number: int
) -> None:
    more: list[Any] = (
        [tmp_path] if door == "record" else [sign_in(laid, db)] if door == "desk" else []
    )
    for text, expected in TEXTS[number]:
        before = _rows(db)
        taken, told, said = DOORS[door](laid, db, web, text, *more)
        assert taken is isinstance(expected, str), text
        if taken:
            assert told in (None, expected), text
            if door != "record":
                newest = store.lists.newest(db, "ackerwinde", 1)[1]
                assert newest.orders == expected, text
            continue
        assert _rows(db) == before, text
        if told is not None:
            assert told == expected[:MOST_SHOWN], text
        assert isinstance(expected, list)
        _says_all(spoken(text), said, expected)


def _says_all(sentences: list[str], said: list[str], expected: Refusals) -> None:
    """Every problem is told in words, up to fifty; of the others how many there are."""
    assert len(sentences) == len(expected)
    everything = "".join(said)
    for sentence_ in sentences[:MOST_SHOWN]:
        assert plain(sentence_) in everything, sentence_


def _rows(db: Database) -> list[Any]:
    tables = ("revision", "mail", "note", "press", "game")
    return [db.execute(f"SELECT * FROM {table}").fetchall() for table in tables]


def test_half_a_character_is_no_text_at_any_door(
    laid: Installation, db: Database, web: Any, tmp_path: Path
) -> None:
    headers = {
        "Authorization": f"Bearer {laid.api_token(store.seats.of_game(db, 'ackerwinde')[0])}",
        "Content-Type": "application/json",
    }
    body = b'{"round": 1, "orders": "\\ud800"}'
    assert (
        web.post("/api/v1/games/ackerwinde/seat/orders", data=body, headers=headers).status_code
        == 400
    )
    file = tmp_path / "record.json"
    file.write_text('{"format": "bohnenpost/1", "game": "\\ud800"}', encoding="utf-8")
    assert "half a character" in bohnenpost("replay", file, status=1).stderr


def test_the_newest_counts_also_after_a_pass(laid: Installation, db: Database, web: Any) -> None:
    for text, expected in (("1>A", "1>A"), ("pass", "pass"), ("1>A", "1>A")):
        assert by_api(laid, db, web, text)[:2] == (True, expected)
        assert store.lists.newest(db, "ackerwinde", 1)[1].orders == expected
    assert db.execute("SELECT count(*) FROM revision").fetchone() == (3,)


def test_deep_stacks_are_read_at_every_door(
    installation: Installation, ackerwinde: Game, db: Database, web: Any
) -> None:
    lay_row(db, "ackerwinde", "snap*18 snake*30 bush*16 magic*12 mung broad climbing princess")
    assert by_api(installation, db, web, "1x10>C HC 1x8>C")[:2] == (True, "1x10>C HC 1>C")
    assert by_desk(
        installation, db, web, " ".join(["1x1>A"] * 18 + ["2x1>B"] * 29), sign_in(installation, db)
    )[0]
    assert store.lists.newest(db, "ackerwinde", 1)[1].orders == "1>A 2x29>B"


def test_what_cannot_be_seen_is_shown_by_its_name(
    laid: Installation, db: Database, web: Any
) -> None:
    assert "⟨U+200B⟩" in by_api(laid, db, web, "H\u200bA")[2][0]


def test_sql_in_a_list_is_text(laid: Installation, db: Database, web: Any) -> None:
    assert not by_api(laid, db, web, "' OR 1=1 --; DROP TABLE game")[0]
    assert db.execute("SELECT count(*) FROM game").fetchone() == (1,)
