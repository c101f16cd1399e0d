"""What is wrong is found whatever the rest of a row reads as."""

import pytest

from gm import store
from gm.installation import Installation, NoInstallation, open_installation
from gm.store.db import write
from gm.store.file import doctor
from gm.store.games import Game
from gm.store.sqlite import File
from tests.dates import SUNDAY
from tests.steps import garble

MINUTE = 60


def test_nothing_is_wrong_with_a_game_that_has_started(db: File, ackerwinde: Game) -> None:
    assert db.damage() == []
    assert db.strangers() == []
    assert list(doctor.damaged_columns(db)) == []


def test_a_sound_row_is_read_by_one_statement(db: File, ackerwinde: Game) -> None:
    asked: list[str] = []
    with db.tracer(lambda sql, values: asked.append(sql)):
        list(doctor.damaged_columns(db))
    of_mails = [sql for sql in asked if "FROM mail " in sql]
    assert len(of_mails) == db.table("mail").count


def test_a_row_that_is_deleted_meanwhile_is_no_damage(db: File, ackerwinde: Game) -> None:
    found = doctor.damaged_columns(db)
    garble(db, "mail", "kind", "CAST(X'ff' AS TEXT)", "rowid = 1")
    assert next(found).column == "kind"
    with write(db):
        db.execute("DELETE FROM mail WHERE rowid > 1")
    assert list(found) == []


@pytest.mark.parametrize(
    ("table", "column", "value", "place"),
    [
        ("game", "rule", "'{}'", "table game, row ackerwinde, column rule"),
        ("game", "variant", "'chess'", "table game, row ackerwinde, column variant"),
        (
            "seat",
            "reminder_leads",
            "'[true]'",
            "table seat, row ackerwinde 1, column reminder_leads",
        ),
        ("round", "receipts", "'[]'", "table round, row ackerwinde 0, column receipts"),
        ("mail", "kind", "CAST(X'ff' AS TEXT)", "table mail, row ackerwinde 1, column kind"),
    ],
)
def test_a_column_that_cannot_be_read_is_named_with_its_row_and_its_game(
    db: File, ackerwinde: Game, table: str, column: str, value: str, place: str
) -> None:
    garble(db, table, column, value, "rowid = 1")
    found = next(iter(doctor.damaged_columns(db)))
    assert (found.place, found.game) == (place, "ackerwinde")
    assert found.why


def test_a_table_that_the_rules_cannot_read_is_named(db: File, ackerwinde: Game) -> None:
    garble(db, "round", "state", "'{}'")
    (found,) = doctor.damaged_columns(db)
    assert found.place == "table round, row ackerwinde 0, column state"


def test_a_row_that_points_to_none_is_damage(db: File, ackerwinde: Game) -> None:
    garble(db, "seat", "game", "'nowhere'", "number = 1")
    assert [line for line in db.damage() if "seat" in line]


def test_a_trigger_is_a_stranger_and_keeps_the_database_shut(
    installation: Installation, db: File
) -> None:
    with write(db):
        db.execute("CREATE TRIGGER sly AFTER INSERT ON seat BEGIN DELETE FROM note; END")
    assert db.strangers() == ["trigger"]
    with pytest.raises(NoInstallation, match="there is a trigger in it"):
        open_installation(installation.home, {})


def test_what_is_late_is_told_apart_from_what_waits(db: File, ackerwinde: Game) -> None:
    late = SUNDAY + 5 * MINUTE
    assert store.games.overdue_rounds(db, SUNDAY) == []
    assert store.games.overdue_rounds(db, SUNDAY + 1) == [("ackerwinde", 1, SUNDAY)]
    assert store.due.waiting_rounds(db, late) == []
    with write(db):
        store.games.update(db, "ackerwinde", {"error": "x", "retry_at": late + MINUTE})
    assert store.due.waiting_rounds(db, late) == [("ackerwinde", 1, SUNDAY, "x", late + MINUTE)]


def test_work_on_a_game_that_failed_rests_until_it_is_tried_again(
    db: File, ackerwinde: Game
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"retry_at": SUNDAY + MINUTE})
    for now, due in ((SUNDAY, []), (SUNDAY + MINUTE - 1, []), (SUNDAY + MINUTE, ["ackerwinde"])):
        assert store.due.rounds(db, now) == due
        assert store.due.due_batch(db, now) == ((1, "ackerwinde", 1) if due else (0, None, None))
    assert store.due.next_deadline(db, 0, SUNDAY - 1) is None
    assert store.due.next_retry(db, SUNDAY - 1) == SUNDAY + MINUTE


def test_a_held_game_is_named_with_its_error_and_a_mail_that_was_refused_with_its_words(
    db: File, ackerwinde: Game
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"status": "held", "error": "silence"})
        mail = store.mails.all_not_sent(db)[0]
        store.mails.update(db, mail.id, {"failed_at": 1, "error": "550 no"})
    garble(db, "game", "rule", "'{}'")
    garble(db, "mail", "language", "CAST(X'ff' AS TEXT)")
    assert doctor.held_games(db) == [("ackerwinde", "silence")]
    assert doctor.refusals(db) == [(mail.kind, mail.round, mail.address, "550 no", "ackerwinde", 1)]


def test_mail_counts_as_never_tried_only_while_it_waits(db: File, ackerwinde: Game) -> None:
    waiting = store.mails.all_not_sent(db)
    queued = waiting[0].queued_at
    assert store.mails.never_tried(db, queued) == (0, 0)
    assert store.mails.never_tried(db, queued + 1) == (len(waiting), queued)
    with write(db):
        for mail, change in zip(
            waiting, ({"sent_at": 1}, {"tries": 1}, {"withdrawn_at": 1}), strict=False
        ):
            store.mails.update(db, mail.id, change)
    assert store.mails.never_tried(db, queued + 1)[0] == len(waiting) - 3
