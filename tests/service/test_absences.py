"""Days on which a player is away, as people write them."""

from datetime import date
from typing import Any

import pytest

from gm import store
from gm.calendar import read_day
from gm.errors import Refusal
from gm.store.db import Database
from gm.store.games import Game

TODAY = date(2026, 11, 20)
CHRISTMAS_EVE = date(2026, 12, 24)


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-24",
        "24.12.2026",
        "24. 12. 2026",
        "24.12.",
        "24.12",
        " 24.12. ",
        "24 Dec",
        "24 dec 2026",
        "24 December",
        "24. Dez.",
        "24. Dezember 2026",
        "24.Dezember",
        "Dec 24",
        "December 24, 2026",
        "Dez. 24",
    ],
)
def test_a_day_is_read_as_people_write_it(text: str) -> None:
    assert read_day(text, TODAY) == CHRISTMAS_EVE


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("6 Jan", date(2027, 1, 6)),
        ("20.11.", TODAY),
        ("19 Nov", date(2027, 11, 19)),
        ("29.2.", date(2028, 2, 29)),
        ("3. März", date(2027, 3, 3)),
        ("1 May", date(2027, 5, 1)),
        ("1. Mai", date(2027, 5, 1)),
        ("5 Okt", date(2027, 10, 5)),
    ],
)
def test_without_a_year_it_is_the_next_such_day(text: str, day: date) -> None:
    assert read_day(text, TODAY) == day


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "24",
        "12/24/2026",
        "3/4/2026",
        "32.12.",
        "24.13.2026",
        "29.2.2027",
        "24 Foo",
        "Dec Dec",
        "24 Dec 26",
        "2026-13-01",
        "M 3",
        "٢٤.12.2026",
        "24.12.2026 20:00",
        "0.1.",
        "24.Dec.Dec",
    ],
)
def test_what_is_no_day_or_two_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="bad_date"):
        read_day(text, TODAY)


def save(web: Any, path: str, first: str, last: str) -> Any:
    fields = {
        "html": "yes",
        "receipts": "yes",
        "language": "en",
        "away_from": first,
        "away_to": last,
        "whole": "yes",
    }
    return web.post(f"{path}/mail", data=fields)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        (("24.12.2026", "6.1.2027"), ("2026-12-24", "2027-01-06")),
        (("24 Dec", "6 Jan"), ("2026-12-24", "2027-01-06")),
        (("10. Nov", "22.11."), ("2026-11-10", "2026-11-22")),
        (("2026-12-24", "2026-12-24"), ("2026-12-24", "2026-12-24")),
        (("", ""), (None, None)),
    ],
)
def test_an_absence_is_stored_and_offered_to_the_date_picker(
    web: Any,
    link: dict[str, str],
    db: Database,
    ackerwinde: Game,
    typed: tuple[str, str],
    stored: tuple[str | None, str | None],
) -> None:
    answer = save(web, link["Anna"], *typed)
    assert answer.status_code == 200
    anna = store.seats.of_game(db, "ackerwinde")[0]
    assert (anna.away_from, anna.away_to) == stored
    assert f'name="away_from" type="date" value="{stored[0] or ""}"' in " ".join(
        answer.get_data(as_text=True).split()
    )


@pytest.mark.parametrize(
    "typed",
    [("24.12.2026", ""), ("", "24 Dec"), ("24.12.2026", "23.12.2026"), ("bald", "<später>")],
)
def test_what_is_no_absence_comes_back_as_it_was_typed(
    web: Any, link: dict[str, str], db: Database, ackerwinde: Game, typed: tuple[str, str]
) -> None:
    answer = save(web, link["Bert"], *typed)
    page = " ".join(answer.get_data(as_text=True).split())
    assert answer.status_code == 422
    assert "both written like 24.12.2026, 24 Dec or 2026-12-24" in page
    assert f'name="away_from" type="text" maxlength="40" value="{typed[0]}"' in page
    assert store.seats.of_game(db, "ackerwinde")[1].away_from is None
