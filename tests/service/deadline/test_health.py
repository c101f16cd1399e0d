"""`doctor` names what is wrong, why, and since when, as people say it."""

from typing import Any

import pytest

from gm import clock, store
from gm.clock import HOUR
from gm.deadline.health import examine, late
from gm.games import lead
from gm.installation import Installation
from gm.service import tick, tick_mail
from gm.store.db import Database, write
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.postbox import Postbox
from tests.steps import bohnenpost, with_server

ANNA, BERT, CEM = (f"{name}@ackerwinde.example.org" for name in ("anna", "bert", "cem"))
REFUSALS = (
    "550 5.1.1 No such user",
    "554 5.7.1 Relay access denied",
    "530 5.7.0 Authentication required",
)


def found(db: Database) -> dict[str, str]:
    """What is found now, by kind."""
    return {finding.kind: finding.what for finding in examine(db, clock.now())}


def test_a_round_that_is_overdue_says_since_when_and_why(
    installation: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    tick(installation)
    frozen_time.move_to(SUNDAY + 2 * HOUR)
    what = found(db)["overdue"]
    assert what.startswith(
        "round 1: it was to be closed on Sun 22 November 2026, 19:00 UTC (2 hours ago); "
    )
    assert (
        "no process has looked after deadlines and mail since Fri 20 November 2026, 12:00 UTC (2 days 9 hours ago)"
        in what
    )
    assert "start bohnenpost serve, or let cron start bohnenpost run" in found(db)["tick"]
    with write(db):
        store.games.update(
            db, "ackerwinde", {"error": "fault 00c0ffee", "retry_at": clock.now() + 60}
        )
    assert "waits: its last try failed (fault 00c0ffee)" in found(db)["overdue"]
    with write(db):
        store.games.update(db, "ackerwinde", {"error": None, "retry_at": None})
        store.meta.remember(db, store.meta.here(db, "clock_waits"), "-1")
    assert "if it is right now: bohnenpost run --clock-is-right" in found(db)["overdue"]


def test_mail_that_is_stuck_says_since_when(
    db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    frozen_time.shift(3 * HOUR)
    assert found(db)["mail"].startswith(
        "3 mails not tried once, the oldest waits since Fri 20 November 2026, 12:00 UTC (3 hours ago)"
    )


def test_a_held_game_says_what_lets_it_go_on(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    for error, says in (
        (
            "silence",
            "far more players than last time sent nothing; bohnenpost game extend ackerwinde",
        ),
        (
            "fault 00c0ffee",
            "fault 00c0ffee; once that is mended: bohnenpost game release ackerwinde",
        ),
    ):
        with write(db):
            store.games.update(db, "ackerwinde", {"status": "held", "error": error})
        assert says in bohnenpost("doctor", home=installation.home, status=1).output


@pytest.mark.parametrize(
    "words",
    [
        "550 5.1.1 No such user",
        "554 5.7.1 Relay access denied",
        "530 5.7.0 Authentication required",
    ],
)
def test_one_recipient_who_is_refused_makes_the_service_no_less_healthy_and_two_do(
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    postbox: tuple[Postbox, int],
    words: str,
    web: Any,
) -> None:
    mailing = with_server(installation, postbox[1])
    postbox[0].answers = {CEM: [words] * 9}  # the last of three: no mail is taken after it
    tick_mail(mailing, clock.now())
    assert late(db, clock.now()) == []
    assert web.get("/healthz").status_code == 200
    assert words in " ".join(found(db).values())
    lead.announce(db, "ackerwinde", "Moin", clock.now())
    postbox[0].answers = {address: [words] * 9 for address in (ANNA, BERT, CEM)}
    tick_mail(mailing, clock.now())
    assert [finding.kind for finding in late(db, clock.now())] == ["server"]
    assert web.get("/healthz").status_code == 503


def test_a_mail_that_was_refused_says_when(db: Database, ackerwinde: Game) -> None:
    with write(db):
        db.execute("UPDATE mail SET failed_at = ?, error = '550 no' WHERE seat = 1", [clock.now()])
    assert (
        found(db)["refused"]
        == f"start of round 0 to {ANNA}, on Fri 20 November 2026, 12:00 UTC: 550 no"
    )
