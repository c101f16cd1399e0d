"""Whether the way to the mail server is open: `mail test` says every step, `doctor` calls."""

import pytest

from gm.installation import Installation
from gm.store.db import Database, write
from gm.store.games import Game
from tests.postbox import Postbox
from tests.steps import bohnenpost, parsed


@pytest.fixture
def settled(installation: Installation, postbox: tuple[Postbox, int]) -> Postbox:
    """Settings with a mail server, for commands."""
    text = f'mail_from = "Beans <b@example.org>"\nsmtp_host = "127.0.0.1"\nsmtp_port = {postbox[1]}\nsmtp_tls = "none"\n'
    (installation.home / "bohnenpost.toml").write_text(text, encoding="utf-8")
    return postbox[0]


def test_mail_test_says_every_step_and_sends_one(
    installation: Installation, settled: Postbox
) -> None:
    out = bohnenpost("mail", "test", "uli@example.org", home=installation.home).output
    steps = [line.split()[0] for line in out.splitlines()]
    assert steps == ["connected", "sender", "recipient", "mail", "the"]
    ((address, data),) = settled.mails
    assert address == "uli@example.org"
    assert [(one.display_name, one.addr_spec) for one in parsed(data)["From"].addresses] == [
        ("Beans", "b@example.org")
    ]
    assert "bohnenpost mail test" in parsed(data).get_content()


def test_mail_test_stops_at_the_step_that_does_not_go_well(
    installation: Installation, settled: Postbox
) -> None:
    settled.answers = {"uli@example.org": ["554 5.7.1 Relay access denied"]}
    result = bohnenpost("mail", "test", "uli@example.org", home=installation.home, status=1)
    assert result.stdout.splitlines()[-1].startswith("sender ")
    assert "it stops here: 554 5.7.1 Relay access denied" in result.stderr
    assert settled.mails == []
    assert "uli@" in bohnenpost("mail", "test", "uli@", home=installation.home, status=2).stderr


def test_without_a_mail_server_mail_test_says_so(installation: Installation) -> None:
    assert (
        "no mail server is set"
        in bohnenpost("mail", "test", "uli@example.org", home=installation.home, status=1).stderr
    )


def test_doctor_calls_the_mail_server(
    installation: Installation, db: Database, ackerwinde: Game, settled: Postbox
) -> None:
    with write(db):
        db.execute("DELETE FROM mail")
    assert "all is well" in bohnenpost("doctor", home=installation.home).output
    assert settled.connections == 1
    assert settled.mails == []
    shut = {"BOHNENPOST_SMTP_PORT": "1"}
    assert (
        "the mail server cannot be reached"
        in bohnenpost("doctor", home=installation.home, status=1, **shut).output
    )
