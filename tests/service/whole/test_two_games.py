"""Two games at once from a shell, from the first command to the archive: what the desk can do
the commands can do.
"""

import json
import re
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from gm.installation import open_installation
from gm.web import create_app
from tests.dates import SUNDAY
from tests.steps import bohnenpost, send

WEEK = 7 * 24 * 3600
GAMES = ("ackerwinde", "beinwell")


@pytest.fixture
def shell(tmp_path: Path, frozen_time: Any) -> Any:
    """Commands on one installation."""

    def run(*args: object, status: int = 0) -> Result:
        return bohnenpost(*args, home=tmp_path / "club", status=status)

    run.home = tmp_path / "club"  # type: ignore[attr-defined]
    return run


def facts(shell: Any, game: str) -> Any:
    return json.loads(shell("game", "show", game, "--json").output)


def texts(shell: Any, kind: str) -> list[str]:
    files = sorted((shell.home / "mail").glob(f"*-{kind}-*.eml"))
    mails = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]
    return [mail.get_body(("plain",)).get_content() for mail in mails]  # type: ignore[union-attr]


@pytest.mark.long
def test_two_games_from_the_first_command_to_the_archive(shell: Any, frozen_time: Any) -> None:
    open_and_start(shell)
    lead(shell, frozen_time, *GAMES)
    finish(shell, frozen_time)


def open_and_start(shell: Any) -> None:
    """Create, invite, give seats, ask who is there, start without the silent one."""
    for game in GAMES:
        shell(
            "game",
            "new",
            game,
            "--gm",
            "Uli",
            "--gm-address",
            "uli@example.org",
            "--every",
            "1",
            "--seats",
            "4",
            "--rule",
            "rounds=4",
        )
        shell("game", "open", game)
        assert (
            "2 invitations on the way"
            in shell("game", "invite", game, "anna@example.org", "bert@example.org").output
        )
        assert (
            "0 invitations on the way" in shell("game", "invite", game, "ANNA@example.org").output
        )
        for name in ("Anna", "Bert", "Cem", "Dora"):
            shell("game", "seat", game, "--name", name, "--address", f"{name.lower()}@example.org")
        assert (
            "All seats are taken."
            in shell(
                "game", "seat", game, "--name", "Emil", "--address", "emil@example.org", status=2
            ).output
        )
        assert "asked: Anna, Bert, Cem, Dora" in shell("game", "ask", game).output
    shell("run")
    web = open_installation(shell.home, {}).connection
    links = {re.search(r"/z/\S+", text)[0] for text in texts(shell, "ready")}  # type: ignore[index]
    assert len(links) == 8
    with web() as db:
        db.conn.execute("PRAGMA query_only=0")
        db.execute("UPDATE seat SET ready_at = 1 WHERE name <> 'Dora'")
    for game in GAMES:
        shell("game", "remove", game, "Dora", "--reason", "no answer")
        dry = shell("game", "--dry-run", "start", game).output
        assert "would mail start of round 0 to anna@example.org" in dry
        assert facts(shell, game)["status"] == "open"
        shell("game", "start", game)
        assert [seat["name"] for seat in facts(shell, game)["seats"]] == ["Anna", "Bert", "Cem"]
    shell("run")


def lead(shell: Any, frozen_time: Any, one: str, two: str) -> None:
    """Extend, type in, NMR twice, replace, take away, roll back, play again, pause."""
    for _ in range(6):
        shell("game", "extend", one, "--days", "2", "--reason", "fair")
    assert facts(shell, one)["deadline"] == "2026-11-24T20:00:00+01:00"
    shell("game", "announce", one, "Welcome, all of you")
    shell("game", "orders", one, "Bert", "pass")
    assert "the orders are refused" in shell("game", "orders", one, "Bert", "9>A", status=1).output
    for number in range(3):  # Cem is absent again and again
        frozen_time.move_to(SUNDAY + number * WEEK + 2 * 24 * 3600)
        shell("run")
    assert facts(shell, two)["round"] == 4
    for _ in range(2):
        shell(
            "game",
            "replace",
            one,
            "Cem",
            "--player",
            "Emil",
            "--address",
            "emil@example.org",
            "--drop-orders",
            "--reason",
            "twice NMR",
        )
    assert (
        "--keep-orders"
        in shell(
            "game", "replace", two, "Cem", "--player", "X", "--address", "x@x.org", status=2
        ).output
    )
    shell("game", "remove", two, "Cem", "--reason", "no word")
    assert (
        "is 3, not 1"
        in shell("game", "rollback", two, "1", "--reason", "wrong box", status=2).output
    )
    shell("game", "rollback", two, "3", "--reason", "wrong box")
    assert facts(shell, two)["round"] == 3
    assert "would close" not in shell("run", "--dry-run").output
    assert (
        "stays open until"
        in shell("game", "run", two, "3", "--reason", "all agree", status=2).output
    )
    frozen_time.shift(60)
    for name in ("Anna", "Bert"):  # whose lists from before the correction do not count
        shell("game", "orders", two, name, "pass")
    shell("game", "run", two, "3", "--reason", "all agree")
    assert facts(shell, two)["round"] == 4
    shell("game", "pause", one, "--reason", "holidays")
    shell("game", "resume", one)
    shell("game", "comment", one, "Well played")
    shell("game", "link", one, "Anna")
    shell("game", "link", one, "Anna", "--renew")
    shell("game", "address", one, "Anna", "anna@new.example.org")
    assert (
        "led by ola@example.org, uli@example.org"
        in shell("game", "master", one, "ola@example.org").output
    )


def finish(shell: Any, frozen_time: Any) -> None:
    """To the last round, then archive, records and zine."""
    frozen_time.shift(6 * WEEK)
    for _ in range(3):
        shell("run")
        frozen_time.shift(6 * WEEK)
    assert [facts(shell, game)["status"] for game in GAMES] == ["finished", "finished"]
    printed = re.sub(r"\s+", " ", "".join(texts(shell, "report") + texts(shell, "final")))
    assert "Emil spielt von jetzt an für Cem. Grund: twice NMR" in printed
    assert "Für Cem spielt niemand mehr; der Vertreter spielt weiter. Grund: no word" in printed
    assert "Well played" in printed
    for game in GAMES:
        shell("game", "archive", game)
        record = shell.home / f"{game}.json"
        record.write_text(shell("export", game).output, encoding="utf-8")
        assert len(json.loads(shell("replay", record, "--json").output)["rounds"]) == 4
    assert "Runde 4" in shell("zine", "--since", "2026-11-01").output
    shell("run")
    shell("doctor")


def test_a_game_ended_early_from_a_shell_and_the_standby_list(shell: Any) -> None:
    shell("game", "new", "ackerwinde", "--gm", "Uli", "--gm-address", "uli@example.org")
    shell("game", "open", "ackerwinde")
    shell("game", "seat", "ackerwinde", "--name", "Rosa", "--robot")
    assert "needs a person to begin" in shell("game", "start", "ackerwinde", status=2).output
    shell("game", "seat", "ackerwinde", "--name", "Anna", "--address", "anna@example.org")
    shell("game", "start", "ackerwinde")
    assert "--reason" in shell("game", "abort", "ackerwinde", status=2).output
    shell("game", "abort", "ackerwinde", "--reason", "a test")
    assert "it is so already" in shell("game", "abort", "ackerwinde", "--reason", "a test").output
    assert '"deck"' in shell("export", "ackerwinde").output
    shell("standby", "add", "doerte@example.org", "--name", "Dörte")
    assert "Dörte" in shell("standby", "list").output
    shell("standby", "remove", "DOERTE@example.org")
    assert shell("standby", "list").output == ""


def test_a_game_master_gets_a_link_from_a_shell(shell: Any) -> None:
    out = shell("gm", "add", "uli@example.org", "--language", "en").output
    path = re.search(r"http://localhost:8080(/desk/password/\S+)", out)
    assert path is not None
    web = create_app(open_installation(shell.home, {})).test_client()
    assert (
        send(web, path[1], [("password", "a long password"), ("whole", "yes")]).status_code == 303
    )
    assert web.get("/desk").status_code == 200
