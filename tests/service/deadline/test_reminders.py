"""Reminders: only to seats without a list, at their own lead times, once per deadline, never
stale.
"""

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import Any

from gm import store
from gm.config import Config
from gm.deadline.reminders import remind
from gm.deadline.upcoming import next_pass
from gm.games import lead
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.mail.transports import FolderTransport
from gm.service import close_due, write_mails
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.postbox import send_due

HOUR, DAY = 3600, 86400


def reminded(db: Database, now: int) -> list[tuple[int, int]]:
    """(seat, lead time in hours) of the reminders queued now."""
    before = db.execute("SELECT coalesce(max(id), 0) FROM mail").fetchone()[0]
    remind(db, now)
    assert remind(db, now) == 0
    found = db.execute(
        "SELECT seat, lead / 3600 FROM mail WHERE kind = 'reminder' AND id > ? ORDER BY seat",
        [before],
    )
    return found.fetchall()


def early_start(db: Database) -> None:
    """As if the round had begun five days before its deadline."""
    with write(db):
        db.execute("UPDATE game SET round_at = ?", [SUNDAY - 5 * DAY])


def test_only_who_has_no_list_is_reminded_at_48_and_6_hours(db: Database, ackerwinde: Game) -> None:
    early_start(db)
    save_orders(db, ackerwinde, store.seats.of_game(db, "ackerwinde")[0], "pass")
    assert reminded(db, SUNDAY - 48 * HOUR - 1) == []
    assert reminded(db, SUNDAY - 48 * HOUR) == [(2, 48), (3, 48)]
    assert reminded(db, SUNDAY - 48 * HOUR) == []
    assert reminded(db, SUNDAY - 6 * HOUR - 1) == []
    assert reminded(db, SUNDAY - 6 * HOUR) == [(2, 6), (3, 6)]
    assert reminded(db, SUNDAY - 1) == []
    assert reminded(db, SUNDAY) == []


def test_in_a_short_round_there_is_one_in_its_last_quarter(db: Database, ackerwinde: Game) -> None:
    with write(db):
        db.execute("UPDATE game SET round_at = ?", [SUNDAY - 12 * HOUR])
        db.execute("UPDATE seat SET reminder_leads = '[]' WHERE number = 3")
        db.execute("UPDATE seat SET reminder_leads = '[7200]' WHERE number = 2")
    assert reminded(db, SUNDAY - 6 * HOUR) == [(1, 6)]  # not short: each has their own
    with write(db):
        db.execute("UPDATE game SET round_at = ?", [SUNDAY - HOUR])
    assert next_pass(db, SUNDAY - HOUR, SUNDAY) == SUNDAY - 900
    assert reminded(db, SUNDAY - 901) == []
    assert [seat for seat, _ in reminded(db, SUNDAY - 900)] == [1, 2]
    assert reminded(db, SUNDAY - 1) == []


def test_after_an_outage_only_the_shortest_lead_time_is_made_up_for(
    db: Database, ackerwinde: Game
) -> None:
    early_start(db)
    assert reminded(db, SUNDAY - HOUR) == [(1, 6), (2, 6), (3, 6)]
    assert reminded(db, SUNDAY - HOUR + 1) == []


def test_a_round_younger_than_the_lead_time_does_not_remind_of_it(
    db: Database, ackerwinde: Game
) -> None:
    with write(db):
        db.execute("UPDATE game SET round_at = ?", [SUNDAY - 40 * HOUR])
    assert reminded(db, SUNDAY - 39 * HOUR) == []
    assert reminded(db, SUNDAY - 6 * HOUR) == [(1, 6), (2, 6), (3, 6)]


def test_an_extension_reminds_once_more(db: Database, ackerwinde: Game) -> None:
    early_start(db)
    assert len(reminded(db, SUNDAY - 48 * HOUR)) == 3
    lead.extend(db, "ackerwinde", SUNDAY + 3 * DAY, "", SUNDAY - 47 * HOUR)
    assert reminded(db, SUNDAY - 6 * HOUR) == []
    assert reminded(db, SUNDAY + DAY) == [(1, 48), (2, 48), (3, 48)]


def test_players_choose_their_own_lead_times_or_none(db: Database, ackerwinde: Game) -> None:
    early_start(db)
    with write(db):
        db.execute("UPDATE seat SET reminder_leads = '[]' WHERE number = 1")
        db.execute("UPDATE seat SET reminder_leads = '[7200]' WHERE number = 2")
    assert reminded(db, SUNDAY - 48 * HOUR) == [(3, 48)]
    assert reminded(db, SUNDAY - 2 * HOUR) == [(2, 2), (3, 6)]


def test_paused_and_finished_games_remind_nobody(db: Database, ackerwinde: Game) -> None:
    early_start(db)
    lead.pause(db, "ackerwinde", "", SUNDAY - 50 * HOUR)
    assert reminded(db, SUNDAY - 48 * HOUR) == []


def send(db: Database, installation: Installation, now: int) -> int:
    while write_mails(db, installation, now):
        pass
    with FolderTransport(installation.mail_folder) as folder:
        while send_due(db, folder, now):
            pass
    return len(list(installation.mail_folder.glob("*-reminder-*.eml")))


def test_a_reminder_is_withdrawn_when_orders_came_before_it_was_sent(
    db: Database, installation: Installation, ackerwinde: Game, frozen_time: Any
) -> None:
    early_start(db)
    reminded(db, SUNDAY - 48 * HOUR)
    save_orders(
        db, store.games.existing(db, "ackerwinde"), store.seats.of_game(db, "ackerwinde")[1], "pass"
    )
    assert send(db, installation, SUNDAY - 48 * HOUR) == 2
    withdrawn = db.execute("SELECT seat FROM mail WHERE withdrawn_at IS NOT NULL").fetchall()
    assert withdrawn == [(2,)]


def test_a_reminder_is_withdrawn_after_its_deadline_or_when_that_moved(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    early_start(db)
    reminded(db, SUNDAY - 48 * HOUR)
    lead.extend(db, "ackerwinde", SUNDAY + DAY, "", SUNDAY - 47 * HOUR)
    assert send(db, installation, SUNDAY - 47 * HOUR) == 0
    assert len(reminded(db, SUNDAY + DAY - 6 * HOUR)) == 3
    close_due(db, Config(), SUNDAY + DAY)
    assert send(db, installation, SUNDAY + DAY) == 0


def test_a_reminder_says_when_and_what_would_be_played_and_how_to_stop_it(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    early_start(db)
    reminded(db, SUNDAY - 48 * HOUR)
    send(db, installation, SUNDAY - 48 * HOUR)
    (file,) = installation.mail_folder.glob("*-reminder-seat2.eml")
    mail = BytesParser(EmailMessage, policy=policy.default).parsebytes(file.read_bytes())
    assert mail["Subject"] == "Ackerwinde: no orders from you yet, deadline Sun 22 Nov, 20:00"
    body = " ".join(mail.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert "The deadline is Sun 22 November 2026, 20:00 CET (2 days left)." in body
    assert "If you send nothing, this is played for you: nothing" in body
    stop = installation.url("unsubscribe", "ackerwinde", "Bert", 1)
    assert mail["List-Unsubscribe"] == f"<{stop}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    raw = file.read_bytes()
    assert f"List-Unsubscribe: <{stop}>\r\n".encode() in raw
