"""A game whose rounds are closed by hand is told nothing of a deadline that it does not have,
whatever is done to it.
"""

from typing import Any

import pytest

from gm import clock, restore, store
from gm.clock import DAY
from gm.deadline.rollback import rollback
from gm.errors import Refusal
from gm.games import lead, reminding
from gm.installation import Installation
from gm.people import seating
from gm.service import tick
from gm.store.db import Database, write
from gm.store.file import backup
from gm.store.games import Game
from tests.steps import seat_game, sent_mails, sign_in, start, words

CALENDAR = '{"weekdays":[],"at":"20:00:00","zone":"Europe/Berlin","weeks":1,"since":"2026-11-16","shortest":24}'
NEVER = (
    "open-ended",
    "when the GM closes the round.",
    "by itself",
    "before its deadline",
    "new deadline",
)


@pytest.fixture
def game(installation: Installation, db: Database) -> Game:
    """A game by hand; everybody reads English."""
    seat_game(installation)
    with write(db):
        db.execute("UPDATE game SET rule = ?", [CALENDAR])
        db.execute("UPDATE seat SET language = 'en'")
    start(installation)
    return store.games.existing(db, "ackerwinde")


def everything_done(installation: Installation, db: Database, frozen_time: Any) -> None:
    """Pause, go on, close, take back, close again, hand a seat on, restore from a copy."""
    lead.pause(db, "ackerwinde", "Advent", clock.now())
    lead.resume(db, "ackerwinde", "back", clock.now())
    for _ in range(2):
        lead.run_now(db, "ackerwinde", 1, "all agree", clock.now())
        tick(installation)
        frozen_time.shift(60)
        rollback(db, "ackerwinde", 1, "a typo", clock.now())
        frozen_time.shift(DAY)
    lead.run_now(db, "ackerwinde", 1, "", clock.now())
    tick(installation)
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Cem",
        player="Dörte",
        address="d@example.org",
        language="en",
        keep_orders=True,
        reason="",
        now=clock.now(),
    )
    copy = installation.home / "copy.db"
    backup.make(db, copy, clock.now())
    restore.restore(installation.database, installation.link_key, copy, clock.now())


def test_no_mail_and_no_page_speaks_of_a_deadline_that_is_none(
    game: Game, installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    everything_done(installation, db, frozen_time)
    with installation.connection() as restored:
        number = store.seats.numbered(restored, "ackerwinde", 1).link_number
        anna = installation.path("seat", "ackerwinde", "Anna", number)
        restore.go_on(restored, clock.now())
        told = sent_mails(installation, restored)
        assert {"news", "report", "takeover", "start"} <= {kind for kind, _, _ in told}
        subjects = "".join(file.read_text() for file in installation.mail_folder.glob("*news*.eml"))
        for phrase in (
            ", round 1: taken back",
            ", round 1: the game goes on",
            ", round 1: played again",
            ", round 2: restored, please look",
        ):
            assert f"Subject: Ackerwinde{phrase}" in subjects
        uli = sign_in(installation, restored)
        pages = [words(web.get(f"{path}?lang=en")) for path in ("/p/ackerwinde", anna)]
        pages += [
            words(uli.get(f"/desk/game/ackerwinde{page}?lang=en"))
            for page in ("", "/run", "/change")
        ]
        for text in [*(text for _, _, text in told), subjects, *pages]:
            plain = " ".join(text.split())
            assert [
                plain[max(plain.index(never) - 60, 0) :][:120] for never in NEVER if never in plain
            ] == []
        assert "The GM closes each round by hand." in pages[0]
        assert "until the GM closes the round; the last version counts" in pages[1]
        assert "It has no deadline: you close it by hand." in pages[2]


def test_a_deadline_that_is_set_by_hand_is_told_as_one(
    game: Game, installation: Installation, db: Database
) -> None:
    lead.extend(db, "ackerwinde", clock.now() + 3 * DAY, "", clock.now())
    assert "The GM set a deadline: Mon 23 November 2026" in sent_mails(installation, db)[-1][
        2
    ].replace("\n", " ")


def test_nobody_is_reminded_of_no_deadline(game: Game, db: Database) -> None:
    with pytest.raises(Refusal, match="no_deadline"):
        reminding.remind_now(db, "ackerwinde", clock.now())
