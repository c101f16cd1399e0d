"""Every list comes in by `service.submit`: no other way stores one, and the same words mean the
same at every door.
"""

import re
from pathlib import Path
from typing import Any

import pytest

import gm
from gm import service, store
from gm.games.orders import MAX_TO_GM, Late, Refused
from gm.installation import Installation
from gm.rendering.sentences import sentence
from gm.store.db import Database
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.steps import form, send, words

ODD = {
    "one\r\ntwo": "one\ntwo",
    "one\rtwo\x0bthree\x0cfour\x85five\u2028six\u2029seven": "one\ntwo\nthree\nfour\nfive\nsix\nseven",
    "o\x00n\x1be\x7f\x9f": "one",
    "\u202eone\u2066": "one",
    " \r\n one \t": "one",
    " \r\n\x00 ": "",
    "a\r\n" * (MAX_TO_GM // 2 - 1) + "ab": "a\n" * (MAX_TO_GM // 2 - 1) + "ab",
}
"""Notes as they may arrive, and as they are stored; the last is as long as it may be once its
line ends are one sign each.
"""


def notes(db: Database) -> list[str]:
    return [to_gm for (to_gm,) in db.execute("SELECT to_gm FROM press ORDER BY seat")]


def posted(
    installation: Installation, web: Any, seat: int, body: dict[str, object], what: str = "orders"
) -> Any:
    """What a program of this seat is answered."""
    with installation.connection() as db:
        token = installation.api_token(store.seats.of_game(db, "ackerwinde")[seat])
    path = f"/api/v1/games/ackerwinde/seat/{what}?lang=en"
    return web.post(
        path,
        json={"round": 1, "orders": "pass", **body},
        headers={"Authorization": f"Bearer {token}"},
    )


def test_nothing_but_the_door_stores_a_list() -> None:
    root = Path(gm.__file__).parent
    storing = re.compile(r"\bsave_orders\b|lists\.add\(|INTO revision|insert\w*\(db, \"revision\"")
    found = {
        str(file.relative_to(root))
        for file in root.rglob("*.py")
        if storing.search(file.read_text(encoding="utf-8"))
    }
    assert found - {"store/file/migrations.py"} == {
        "service.py",
        "games/orders.py",
        "store/lists.py",
    }


@pytest.mark.parametrize("note", ODD, ids=lambda note: ascii(note)[:40])
def test_an_odd_note_is_stored_alike_at_every_door(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    link: dict[str, str],
    db: Database,
    note: str,
) -> None:
    assert send(web, link["Anna"], form(1, **{"pass": "yes"}, note=note)).status_code == 303
    assert posted(installation, web, 1, {"note": note}, "check").status_code == 200
    assert posted(installation, web, 1, {"note": note}).status_code == 201
    service.submit(
        db, ackerwinde, store.seats.of_game(db, "ackerwinde")[2], 1, "pass", note=note, by="seat"
    )
    assert notes(db) == ([ODD[note]] * 3 if ODD[note] else [])


@pytest.mark.parametrize("odd", ["long", "link", "token"])
def test_a_note_that_cannot_be_stored_is_refused_alike_at_every_door(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    link: dict[str, str],
    db: Database,
    odd: str,
) -> None:
    cem = store.seats.of_game(db, "ackerwinde")[2]
    note = {
        "long": "a\r\n" * (MAX_TO_GM // 2) + "b",
        "link": f"my {installation.config.base_url}{link['Cem']}",
        "token": f"my {installation.api_token(cem)}",
    }[odd]
    with pytest.raises(Refused) as refused:
        service.submit(db, ackerwinde, cem, 1, "9>A", note=note, by="seat")
    (name, first), (other, _) = refused.value.found
    assert (name, first.code, other) == ("note", "LONG" if odd == "long" else "KEY", "orders")
    for what in ("check", "orders"):
        answer = posted(installation, web, 1, {"orders": "9>A", "note": note}, what)
        assert answer.status_code == 422
        assert [(p["key"], p["code"]) for p in answer.json["problems"]] == [
            (n, p.code) for n, p in refused.value.found
        ]
    for action in ("check", "submit"):
        answer = send(
            web, f"{link['Anna']}?lang=en", form(to_1_1="A", to_2_1="A", note=note, action=action)
        )
        assert answer.status_code == 422
        assert sentence("en", first) in words(answer)
    assert (store.lists.newest(db, "ackerwinde", 1), notes(db)) == ({}, [])


def test_words_that_are_left_out_stay_and_empty_ones_go(db: Database, ackerwinde: Game) -> None:
    anna = store.seats.of_game(db, "ackerwinde")[0]

    def sent(text: str, **said: str) -> list[tuple[str, str]]:
        service.submit(db, ackerwinde, anna, 1, text, by="program", **said)
        return [(word.text, word.to_gm) for word in store.lists.press(db, "ackerwinde", 1)]

    assert sent("pass", press="Moin", note="auch") == [("Moin", "auch")]
    assert sent("1>A") == [("Moin", "auch")]
    assert sent("1>A", press="") == [("", "auch")]
    assert sent("1>A", note="") == []


@pytest.mark.parametrize(("round_number", "after"), [(2, 0), (0, 0), (1, 7 * 86400)])
def test_a_list_that_is_late_is_not_even_read(
    db: Database, ackerwinde: Game, frozen_time: Any, round_number: int, after: int
) -> None:
    frozen_time.move_to(SUNDAY - 1 + after)
    with pytest.raises(Late):
        service.submit(
            db,
            ackerwinde,
            store.seats.of_game(db, "ackerwinde")[0],
            round_number,
            "nonsense",
            by="seat",
        )
    assert store.lists.newest(db, "ackerwinde", 1) == {}
