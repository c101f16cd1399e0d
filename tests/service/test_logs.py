"""The log holds no key, no address, no body, and one line for each event."""

import json
import logging
import os
import subprocess
import sys
from io import StringIO
from typing import Any

import pytest

from gm import errors
from gm.cli import logs
from gm.installation import Installation
from gm.store.games import Game
from gm.web import create_app
from tests.web.routes import PERMITTED


@pytest.fixture
def heard() -> Any:
    """What a handler of ours writes."""
    out = StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logs.Lines())
    logging.getLogger().addHandler(handler)
    yield out
    logging.getLogger().removeHandler(handler)


def test_keys_and_addresses_are_cut_and_control_characters_spelled_out() -> None:
    token = "Ab1_-" + "x" * 38
    said = logs.masked(
        f"GET /z/{token} for anna.b@example.org\x1b[31m\r\n /u/{token}?x ackerwinde.1.{token}"
    )
    assert token not in said
    assert said.count("Ab1_-x…") == 3
    assert "ann…@example.org" in said
    assert "\x1b" not in said
    assert "\\x1b" in said
    # digests are printed in reports
    assert logs.masked("sha256 " + "a" * 64) == "sha256 " + "a" * 64


def test_one_event_is_one_line_of_json_whatever_it_says(heard: StringIO) -> None:
    logging.getLogger("gm.x").error("two\nlines of %s", "Anna <anna@example.org>")
    try:
        raise ValueError("carl@example.org\n{")
    except ValueError as error:
        errors.noted(error, "a try")
    first, second = (json.loads(line) for line in heard.getvalue().splitlines())
    assert (first["level"], first["where"], first["what"]) == (
        "error",
        "gm.x",
        "two\nlines of Anna <ann…@example.org>",
    )
    assert "Traceback" in second["trace"]
    assert "carl@" not in second["trace"]


FIELDS = {
    "press": "A word nobody may read",
    "whole": "yes",
    "address": "anna@ackerwinde.example.org",
    "password": "hunter2",
}


def test_a_fault_in_any_route_puts_no_link_and_no_word_of_a_form_into_the_log(
    installation: Installation,
    ackerwinde: Game,
    link: dict[str, str],
    heard: StringIO,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    token = link["Anna"].rpartition("/")[2]

    def fail(*_: object, **__: object) -> Any:
        raise RuntimeError(f"a link {link['Anna']} of anna@ackerwinde.example.org")

    monkeypatch.setattr("gm.web.guard.is_too_often", lambda what: False)
    for place in (
        "gm.store.seats.by_link",
        "gm.store.games.get",
        "gm.web.desk.signin.accounts.sign_in",
    ):
        monkeypatch.setattr(place, fail)
    web = create_app(installation).test_client()
    statuses = set()
    for route in PERMITTED:
        method, _, rule = route.partition(" ")
        path = (
            rule.replace("<token>", token)
            .replace("<game_id>", "ackerwinde")
            .replace("<number>", "1")
            .replace("<int:number>", "1")
        )
        fields = {
            "press": "A word nobody may read",
            "whole": "yes",
            "address": "anna@ackerwinde.example.org",
            "password": "hunter2",
        }
        answer = web.open(path, method=method, data=fields if method == "POST" else None)
        statuses.add(answer.status_code)
        answer.close()
    said = heard.getvalue()
    assert 500 in statuses
    assert said.count('"trace"') > 10
    for secret in (token, "anna@ackerwinde", "A word nobody may read", "hunter2"):
        assert secret not in said
    assert "Traceback" not in "".join(
        answer.get_data(as_text=True) for answer in [web.get(link["Anna"])]
    )


@pytest.mark.long
def test_a_command_that_is_not_read_by_a_person_logs_json(
    installation: Installation, ackerwinde: Game
) -> None:
    nobody = os.environ | {
        "BOHNENPOST_SMTP_HOST": "127.0.0.1",
        "BOHNENPOST_SMTP_PORT": "1",
        "BOHNENPOST_SMTP_TLS": "none",
    }
    command = [sys.executable, "-m", "gm", "-v", "--home", str(installation.home), "run"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=nobody)
    assert done.returncode == 1
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert "mail waits: 127.0.0.1:1" in lines[0]["what"]
    assert all(set(line) >= {"at", "level", "where", "what"} for line in lines)
