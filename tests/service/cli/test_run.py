"""`run` from cron: it speaks when there is something to say, and its status says whether all is
well.
"""

from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from gm import clock
from gm.clock import DAY
from gm.games import lead
from gm.installation import Installation
from gm.store.db import write
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.postbox import Postbox
from tests.steps import bohnenpost

ANNA = "anna@ackerwinde.example.org"


@pytest.fixture
def with_server(
    installation: Installation, postbox: tuple[Postbox, int], ackerwinde: Game
) -> Postbox:
    """A started game, and settings that name a mail server; the first mails are sent."""
    settings = f'smtp_host = "127.0.0.1"\nsmtp_port = {postbox[1]}\nsmtp_tls = "none"\n'
    (installation.home / "bohnenpost.toml").write_text(settings, encoding="utf-8")
    run(installation)
    return postbox[0]


def run(installation: Installation, status: int = 0, **env: str) -> str:
    """What `run` writes on both streams."""
    done: Result = bohnenpost(
        "run", "--clock-is-right", home=installation.home, status=status, **env
    )
    return done.output


def test_what_is_put_off_is_told_once(
    installation: Installation, with_server: Postbox, frozen_time: Any, caplog: Any
) -> None:
    with_server.answers = {ANNA: ["451 later"] * 3}
    frozen_time.move_to(SUNDAY)
    assert "1 mail put off" in run(installation)
    assert run(installation) == ""  # it waits for its next try
    caplog.clear()
    frozen_time.shift(301)
    assert run(installation) == ""  # put off again
    assert caplog.messages == []
    frozen_time.shift(DAY)
    run(installation)
    frozen_time.shift(DAY)
    assert "1 mail accepted" in run(installation)


def test_trouble_with_the_mail_server_is_told_once_a_day_until_it_is_over(
    installation: Installation, with_server: Postbox, frozen_time: Any, caplog: Any
) -> None:
    with_server.sender_answer = "550 not you"
    frozen_time.move_to(SUNDAY)
    assert "mail waits: the sender is refused" in run(installation, 1)  # and the round is closed
    caplog.clear()
    for _ in range(3):
        frozen_time.shift(60)
        assert run(installation, 1) == ""
    assert caplog.messages == []
    frozen_time.shift(DAY)
    assert "mail waits: the sender is refused" in run(installation, 1)
    assert run(installation, 1) == ""
    with_server.sender_answer = None
    assert "3 mails accepted" in run(installation)
    assert run(installation) == ""
    frozen_time.shift(6 * DAY)
    with_server.sender_answer = "550 not you"
    assert "mail waits: the sender is refused" in run(installation, 1)


def test_a_password_that_cannot_be_read_keeps_mail_waiting_and_nothing_else(
    installation: Installation, ackerwinde: Game, frozen_time: Any
) -> None:
    (installation.home / "bohnenpost.toml").write_text(
        'smtp_host = "127.0.0.1"\nsmtp_user = "beans"\n', encoding="utf-8"
    )
    for command in (
        ["gm", "add", "uli@example.org"],
        ["game", "list"],
        ["game", "show", "ackerwinde"],
        ["backup"],
        ["mail", "list"],
    ):
        bohnenpost(*command, home=installation.home)
    assert "mail waits: smtp_user and smtp_password: set both or neither" in run(installation, 1)
    nowhere = str(installation.home / "nowhere")
    assert run(installation, 1, BOHNENPOST_SMTP_PASSWORD_FILE=nowhere) == ""
    frozen_time.move_to(SUNDAY)
    assert "1 round closed" in run(installation, 1, BOHNENPOST_SMTP_PASSWORD_FILE=nowhere)
    found = bohnenpost(
        "doctor", home=installation.home, status=1, BOHNENPOST_SMTP_PASSWORD_FILE=nowhere
    ).output
    assert "smtp_password_file" in found
    for service in ("serve", "worker"):
        out = bohnenpost(
            service, home=installation.home, status=3, BOHNENPOST_SMTP_PASSWORD_FILE=nowhere
        ).output
        assert "smtp_password_file" in out


def test_a_server_that_refuses_everybody_is_status_1_between_two_tries_too(
    installation: Installation, with_server: Postbox, frozen_time: Any
) -> None:
    with_server.answers = {
        f"{name}@ackerwinde.example.org": ["550 no"] * 99 for name in ("anna", "bert", "cem")
    }
    frozen_time.move_to(SUNDAY)
    assert "mail waits: the mail server refuses us" in run(installation, 1)
    run(installation, 1)
    assert run(installation, 1) == ""  # nothing is tried before five minutes are over
    with_server.answers = {}
    frozen_time.shift(301)
    assert "accepted" in run(installation)


def test_a_password_that_others_can_read_is_no_news_each_minute(
    installation: Installation, ackerwinde: Game, caplog: Any
) -> None:
    file = installation.home / "bohnenpost.toml"
    file.write_text('smtp_password = "secret"\n', encoding="utf-8")
    file.chmod(0o644)
    run(installation)
    caplog.clear()
    assert run(installation) == ""
    assert caplog.messages == []


def test_a_held_game_and_a_round_that_waits_are_no_words_and_status_1(
    installation: Installation, ackerwinde: Game, frozen_time: Any, db: Any
) -> None:
    run(installation)
    with write(db):
        db.execute("UPDATE game SET status = 'held', error = 'silence'")
    assert run(installation, 1) == ""
    assert (
        "ackerwinde is held"
        in bohnenpost("run", "--verbose", home=installation.home, status=1).output
    )


def test_nothing_to_do_is_no_words_and_status_0(
    installation: Installation, ackerwinde: Game, tmp_path: Path
) -> None:
    run(installation)
    with installation.connection() as db:
        lead.pause(db, "ackerwinde", "", clock.now())
    run(installation)
    assert run(installation) == ""
