"""Notes: what was done to a round stands there once, and goes by mail to who wants it, or to
everybody.
"""

import pytest

from gm import store
from gm.clock import DAY
from gm.games import notes
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.notes import Note
from tests.dates import SUNDAY


def told(db: Database) -> list[tuple[int, int | None]]:
    """The note and the seat of each piece of news."""
    return [
        (mail.about or 0, mail.seat) for mail in store.mails.after(db, 0) if mail.kind == "news"
    ]


def test_a_note_stands_at_its_round_and_mails_nobody(db: Database, ackerwinde: Game) -> None:
    with write(db):
        number = store.notes.add(
            db,
            "ackerwinde",
            1,
            "away",
            "  until\u2068 Monday\u202e\r\n",
            SUNDAY,
            seat="Anna",
            who="Dörte",
            old=1,
            new=2,
            changed="{}",
        )
    found = store.notes.by_id(db, number)
    assert found == Note(
        number, "ackerwinde", 1, "away", SUNDAY, "until Monday", "Anna", 1, 2, "Dörte", "{}"
    )
    assert told(db) == []


def test_news_goes_to_every_seat_that_wants_it(db: Database, ackerwinde: Game) -> None:
    with write(db):
        store.seats.update(db, "ackerwinde", 2, {"news": 0})
        change = notes.work_out(ackerwinde, {}, "announced", "Moin", SUNDAY, who="Uli")
        notes.keep_and_mail(db, change, SUNDAY)
    (note,) = store.notes.of_round(db, "ackerwinde", 1)
    assert (note.text, note.who) == ("Moin", "Uli")
    assert told(db) == [(note.id, 1), (note.id, 3)]


@pytest.mark.parametrize("kind", ["rollback", "aborted", "restored"])
def test_what_a_player_has_lost_is_told_wanted_or_not(
    db: Database, ackerwinde: Game, kind: str
) -> None:
    with write(db):
        store.seats.update(db, "ackerwinde", 2, {"news": 0})
        notes.keep_and_mail(db, notes.work_out(ackerwinde, {}, kind, "", SUNDAY), SUNDAY)
    assert [seat for _, seat in told(db)] == [1, 2, 3]


def test_a_moved_deadline_keeps_the_first_one_and_is_noted_with_both(
    db: Database, ackerwinde: Game
) -> None:
    for days in (1, 2):
        with write(db):
            game = store.games.existing(db, "ackerwinde")
            change = notes.moved(game, SUNDAY + days * DAY, "deadline", "Advent", SUNDAY)
            notes.keep_and_mail(db, change, SUNDAY)
    game = store.games.existing(db, "ackerwinde")
    assert (game.deadline, game.scheduled_deadline, game.sequence) == (
        SUNDAY + 2 * DAY,
        SUNDAY,
        ackerwinde.sequence + 2,
    )
    found = store.notes.of_round(db, "ackerwinde", 1)
    assert [(note.old, note.new) for note in found] == [
        (SUNDAY, SUNDAY + DAY),
        (SUNDAY + DAY, SUNDAY + 2 * DAY),
    ]
    assert len(told(db)) == 6


def test_a_deadline_where_there_was_none_is_the_first_one(db: Database, ackerwinde: Game) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"deadline": None, "scheduled_deadline": None})
        game = store.games.existing(db, "ackerwinde")
        notes.keep_and_mail(db, notes.moved(game, SUNDAY + DAY, "deadline", "", SUNDAY), SUNDAY)
    game = store.games.existing(db, "ackerwinde")
    assert game.deadline == game.scheduled_deadline == SUNDAY + DAY
