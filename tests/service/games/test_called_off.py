"""A game that takes players is called off, by desk and command: all who are in it or were
invited are mailed why.
"""

from typing import Any
from urllib.parse import urlencode

import pytest

from gm import clock, store
from gm.errors import Refusal
from gm.games import create, lead
from gm.installation import Installation
from gm.people import joining, masters
from gm.service import tick, tick_mail
from gm.store.db import Database
from tests.doors import FORM
from tests.steps import bohnenpost, seat_game, sign_in

WHY = "My grandmother moves in December."


@pytest.fixture
def with_guests(installation: Installation, db: Database) -> None:
    """Anna and Bert have a seat, Cem is invited (and so is Anna), Dörte has asked for one."""
    seat_game(installation, players=("Anna", "Bert"))
    joining.invite(
        db, "ackerwinde", ["cem@example.org", "Anna@ackerwinde.example.org"], "en", clock.now()
    )
    joining.request_seat(db, "ackerwinde", "Dörte", "doerte@example.org", "de", clock.now())
    tick_mail(installation, clock.now())


def told(db: Database) -> list[str]:
    """Whom a mail that the game is called off goes to."""
    return sorted(
        to for (to,) in db.execute("SELECT lower(address) FROM mail WHERE kind = 'called_off'")
    )


def test_the_command_calls_it_off_and_mails_everybody_once(
    installation: Installation, db: Database, with_guests: None, web: Any
) -> None:
    bohnenpost("game", "abort", "ackerwinde", "--reason", WHY, home=installation.home)
    everybody = [
        "anna@ackerwinde.example.org",
        "bert@ackerwinde.example.org",
        "cem@example.org",
        "doerte@example.org",
    ]
    assert told(db) == everybody
    assert not lead.abort(db, "ackerwinde", WHY, clock.now())
    assert told(db) == everybody
    tick(installation)
    for file in installation.mail_folder.glob("*-called_off-*.eml"):
        assert "grandmother" in file.read_text(encoding="utf-8")
    assert store.games.existing(db, "ackerwinde").is_called_off
    assert "called off" in bohnenpost("game", "show", "ackerwinde", home=installation.home).output


def test_its_pages_say_so_and_nothing_else_breaks(
    installation: Installation, db: Database, with_guests: None, web: Any
) -> None:
    lead.abort(db, "ackerwinde", WHY, clock.now())
    tick(installation)
    link = installation.path("seat", "ackerwinde", "Anna", 1)
    for path in ("/p/ackerwinde?lang=en", f"{link}?lang=en"):
        shown = web.get(path, follow_redirects=True)
        assert shown.status_code == 200
        assert "Ackerwinde, called off" in shown.text
        assert f"The GM called the game off before it began. Reason: {WHY}" in shown.text
        assert "has not started" not in shown.text
    assert "Ackerwinde" not in web.get("/?lang=en").text
    for path in (
        "/api/v1/games/ackerwinde",
        "/api/v1/games",
        "/p/ackerwinde/record.json",
        "/table",
        "/zine",
        "/p/ackerwinde/join",
    ):
        assert web.get(path).status_code < 500
    with pytest.raises(Refusal, match="not_open"):
        joining.request_seat(db, "ackerwinde", "Emil", "emil@example.org", "de", clock.now())
    for line in ("export ackerwinde", "doctor", "game list", "game again ackerwinde beinwell"):
        bohnenpost(*line.split(), home=installation.home)
    with pytest.raises(Refusal, match="not_open"):
        create.start_game(db, "ackerwinde", clock.now())


def test_the_desk_asks_for_the_name_and_a_reason(
    installation: Installation, db: Database, with_guests: None
) -> None:
    uli = sign_in(installation, db)
    masters.add_master(db, "ackerwinde", "uli@example.org")
    page = "/desk/game/ackerwinde"
    assert "Call the game off" in uli.get(f"{page}?lang=en").text

    def press(**fields: str) -> int:
        return int(
            uli.post(
                f"{page}/abort", data=urlencode(fields | {"whole": "yes"}), content_type=FORM
            ).status_code
        )

    assert press(reason=WHY) == press(confirm="Ackerwinde") == press(confirm="x", reason=WHY) == 422
    assert told(db) == []
    assert press(confirm="ackerwinde", reason=WHY) == 303
    assert len(told(db)) == 4
    assert uli.get(f"{page}?lang=en").status_code == 200


def test_a_draft_is_archived_instead(installation: Installation, db: Database) -> None:
    bohnenpost(
        "game",
        "new",
        "beinwell",
        "--gm",
        "Uli",
        "--gm-address",
        "uli@example.org",
        home=installation.home,
    )
    with pytest.raises(Refusal, match="not_running"):
        lead.abort(db, "beinwell", WHY, clock.now())
