"""What a closed round looks like: whose deed was what, and of whom a reader is told."""

import pytest
from msgspec.structs import replace

from gm import store
from gm.config import Config
from gm.deadline.rollback import rollback
from gm.games.orders import save_orders
from gm.rendering.reports import (
    Deed,
    Report,
    best_headlines,
    deeds,
    everyone,
    latest,
    leading,
    near,
    report,
    reports,
    rules_line,
    versions_of,
)
from gm.service import close_due
from gm.store.db import Database
from gm.store.games import Game
from rounds.engine.events import Absent, Event, Ranked
from rounds.engine.farm import Farm
from rounds.family.events import FinalHarvest, Harvested
from rounds.postal.events import Discarded, Planted, Plowed, Revealed
from rounds.postal.headlines import NobodySent
from rounds.postal.view import scores, view
from tests.dates import SUNDAY
from tests.postal_tables import new_game

PLANTED = Planted("Anna", 1, "bush", 1, 1, "A", 1)
HARVESTED = Harvested("Anna", "B", "snap", 3, 1)
PLOWED = Plowed("Cem", "A", "mung", 1, 3)
LAST = FinalHarvest("Anna", "A", "bush", 1, 0)


@pytest.fixture
def start(db: Database, ackerwinde: Game) -> Report:
    return report(db, ackerwinde, 0)


def test_every_seat_has_its_deed_in_the_order_of_the_seats() -> None:
    told = deeds(
        ("Cem", "Anna", "Bert"),
        (PLANTED, Absent("Cem"), PLOWED, HARVESTED, LAST, Ranked("Anna", 1, 3)),
    )
    assert told == (
        Deed("Cem", True, (PLOWED,)),
        Deed("Anna", False, (PLANTED, HARVESTED, LAST, Ranked("Anna", 1, 3))),
        Deed("Bert", False, ()),
    )


def test_what_belongs_to_no_seat_at_the_table_is_nobodys_deed() -> None:
    assert deeds(("Bert",), (PLANTED, Discarded(("bush",)), Revealed(2, ("snap",)))) == (
        Deed("Bert", False, ()),
    )
    assert deeds((), (PLANTED,)) == ()


def test_the_start_has_a_row_and_no_deeds(start: Report) -> None:
    assert (start.number, start.before, start.version) == (0, None, 1)
    assert [event.__class__ for event in start.events] == [Revealed]
    assert (start.press, start.moment, start.withdrawn) == ((), None, ())
    assert start.after.round == 1


def test_a_round_that_is_not_closed_has_no_report(db: Database, ackerwinde: Game) -> None:
    for number in (1, 2, 99):
        with pytest.raises(LookupError, match="not all closed"):
            report(db, ackerwinde, number)
    assert [told.number for told in reports(db, ackerwinde)] == [0]
    assert versions_of(db, ackerwinde, 1) == []


def test_a_round_that_is_taken_back_and_played_again_has_its_own_headline(
    db: Database, ackerwinde: Game
) -> None:
    def best() -> tuple[Event | None, Event | None]:
        game = store.games.existing(db, "ackerwinde")
        told = latest(db, [game])["ackerwinde"].headline
        return told, best_headlines(game, list(reports(db, game))).get(1)

    assert close_due(db, Config(), SUNDAY)
    assert best() == (NobodySent(), NobodySent())
    rollback(db, "ackerwinde", 1, "the wrong box", SUNDAY)
    again = store.games.existing(db, "ackerwinde")
    save_orders(db, again, store.seats.of_game(db, "ackerwinde")[0], "pass")
    assert close_due(db, Config(), again.deadline or 0)
    last, of_round = best()
    assert last == of_round != NobodySent()


def of(start: Report, seats: int) -> Report:
    """A report of a game of so many seats, the last one leading."""
    names = tuple(f"Anna {number}" for number in range(1, seats + 1))
    farms = tuple(Farm(talers=number) for number in range(1, seats + 1))
    seen = view(replace(new_game(1, names), farms=farms), None)
    return replace(start, after=seen, ranking=tuple(scores(seen)), deeds=deeds(names, ()))


@pytest.mark.parametrize(("seats", "told"), [(1, 1), (20, 20), (21, 10), (40, 10)])
def test_a_mail_tells_of_all_or_of_the_first_ten_of_a_large_game(
    start: Report, seats: int, told: int
) -> None:
    found = leading(of(start, seats))
    assert found == tuple(f"Anna {seats - place}" for place in range(told))
    assert everyone(of(start, seats))[:told] == found
    assert len(everyone(of(start, seats))) == seats


@pytest.mark.parametrize(
    ("seats", "seat", "told"),
    [
        (20, 7, ()),
        (21, 21, (21, 20)),
        (21, 7, (8, 7, 6)),
        (21, 1, (2, 1)),
    ],
)
def test_in_a_large_game_a_reader_is_told_of_the_neighbours(
    start: Report, seats: int, seat: int, told: tuple[int, ...]
) -> None:
    assert near(of(start, seats), f"Anna {seat}") == tuple(f"Anna {number}" for number in told)


def test_without_a_ranking_the_seats_are_told_in_their_order(start: Report) -> None:
    plain = replace(start, ranking=(), deeds=deeds(("Cem", "Anna"), ()))
    assert (everyone(plain), leading(plain), near(plain, "Cem")) == (
        ("Cem", "Anna"),
        ("Cem", "Anna"),
        (),
    )


@pytest.mark.parametrize(
    ("rules", "english", "german"),
    [
        ("{}", "", ""),
        ('{"rounds":7}', "House rules: 7 rounds", "Hausregeln: 7 Runden"),
        ('{"rounds":1}', "House rules: 1 round", "Hausregeln: 1 Runde"),
    ],
)
def test_the_house_rules_stand_in_one_line_in_both_languages(
    ackerwinde: Game, rules: str, english: str, german: str
) -> None:
    game = replace(ackerwinde, house_rules=rules)
    assert [rules_line(game, language) for language in ("en", "de")] == [english, german]


def test_all_that_differs_from_the_printed_rules_is_named(ackerwinde: Game) -> None:
    rules = '{"rounds":3,"discard_order":"descending","nmr_empty":true,"nmr_harvest":"lazy"}'
    line = rules_line(replace(ackerwinde, house_rules=rules), "en")
    assert line.count(";") == 3
    assert "\n" not in line
