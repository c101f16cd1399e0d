"""What broke in other hands: names of machines, large numbers, files of another user, games that
were forgotten.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from gm import clock, store
from gm.cli import main
from gm.installation import Installation, NoInstallation, not_writable, open_installation
from gm.rendering.sentences import render
from gm.store.db import Database, write
from gm.store.games import Game
from rounds.engine.variant import find, names
from rounds.postal.hindsight import Hindsight, SeatHindsight
from tests.steps import bohnenpost, process, seat_game, start

DAY = 24 * 3600


@pytest.mark.parametrize("host", ["nosuch.invalid", "300.1.1.1", "a b", "x" * 70])
def test_a_machine_that_is_none_is_named_in_one_line(installation: Installation, host: str) -> None:
    with process("--home", str(installation.home), "serve", "--host", host) as running:
        out, _ = running.communicate(timeout=300)
    assert running.returncode == 3, out
    assert host in out
    assert "Traceback" not in out


@pytest.mark.parametrize("number", [2**63, 2**64, 10**30, -(2**64)])
@pytest.mark.parametrize("act", ["show", "retry", "forget"])
def test_a_number_that_no_column_holds_is_no_mail(
    installation: Installation, ackerwinde: Game, number: int, act: str
) -> None:
    out = bohnenpost("mail", act, "--", number, home=installation.home, status=2).output
    assert f"No such mail waits or was refused: {number}" in out


@contextmanager
def another_user(folder: Path) -> Iterator[None]:
    """As somebody to whom this folder belongs, but not what was made in it before."""
    os.chown(folder, 65534, 65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
@pytest.mark.parametrize("name", ["link.key", "bohnenpost.db", "bohnenpost.toml", "mail"])
def test_a_file_of_another_user_is_named_with_its_owner(name: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "home"
        Path(place).chmod(0o755)
        open_installation(home, {}, create=True)
        (home / "bohnenpost.toml").touch(0o600)
        (home / "mail").mkdir(0o700)
        for file in home.iterdir():
            if file.name != name:
                os.chown(file, 65534, 65534)
        with another_user(home):
            if name == "mail":
                (found,) = not_writable(open_installation(home, {}))
                assert f"{home / 'mail'} cannot be written" in found
                return
            with pytest.raises(NoInstallation) as caught:
                open_installation(home, {})
        assert f"{home / name}: belongs to another user (root)" in str(caught.value)
        assert "put it back" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_doctor_names_a_mail_folder_that_cannot_be_written() -> None:
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "home"
        Path(place).chmod(0o755)
        open_installation(home, {}, create=True)
        (home / "mail").mkdir(0o700)
        for name in ("bohnenpost.db", "link.key"):
            os.chown(home / name, 65534, 65534)
        with another_user(home):
            out = bohnenpost("doctor", home=home, status=1).output
        assert "mail cannot be written: it belongs to another user (root)" in out


def test_a_game_that_is_paused_for_weeks_is_not_well(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    for days, status in ((29, 0), (40, 1)):
        with write(db):
            paused = {"status": "paused", "paused_at": clock.now() - days * DAY}
            store.games.update(db, "ackerwinde", paused)
        out = bohnenpost("doctor", home=installation.home, status=status).output
    assert "ackerwinde" in out
    assert "game resume" in out


@pytest.mark.parametrize("name", ["mail..example.org", f"{'x' * 64}.example.org", ".example.org"])
def test_a_mail_server_whose_name_cannot_be_one_names_its_setting(
    installation: Installation, ackerwinde: Game, name: str
) -> None:
    file = installation.home / "bohnenpost.toml"
    file.write_text(f'smtp_host = "{name}"\n', encoding="utf-8")
    for command in (["run"], ["doctor"], ["mail", "test", "anna@example.org"]):
        out = bohnenpost(*command, home=installation.home, status=1).output
        assert f"smtp_host: '{name}' is no name of a machine" in out
        assert "codec" not in out


@pytest.mark.parametrize("variant", names())
def test_orders_of_a_robot_are_not_typed_in(
    installation: Installation, db: Database, variant: str
) -> None:
    players = ("Anna", "Bert")[: find(variant).seats[-1] - 1]
    seat_game(installation, "rainy", players, variant)
    bohnenpost("game", "seat", "rainy", "--name", "Robo", "--robot", home=installation.home)
    start(installation, "rainy")
    out = bohnenpost("game", "orders", "rainy", "Robo", "pass", home=installation.home, status=2)
    assert "Robo is a robot and orders by itself." in out.output
    assert store.lists.newest(db, "rainy", 1) == {}


@pytest.mark.parametrize("file", ["luck.txt", "luck.html", "hindsight.html"])
@pytest.mark.parametrize(("language", "one"), [("en", "1 taler"), ("de", "1 Taler")])
def test_one_taler_is_said_in_the_singular(
    ackerwinde: Game, language: str, one: str, file: str
) -> None:
    seats = {name: SeatHindsight(1, 1, 1, ((0, 1),)) for name in ("Anna", "Bert")}
    found = Hindsight(1, ("pass",), 1, seats)
    report = SimpleNamespace(others={})
    text = render(
        language,
        f"postal/{file}",
        game=ackerwinde,
        hindsight=found,
        report=report,
        others={},
        leading=("Anna", "Bert"),
    )
    text = " ".join(text.split())
    assert f"Anna: {one}, 100 %" in text
    assert "1 talers" not in text
    assert text.count(one) >= 3


@pytest.mark.parametrize("name", ["", "copies/"])
def test_a_copy_goes_to_no_place_that_is_not_there(
    installation: Installation, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = bohnenpost("backup", name, home=installation.home, status=2).output
    assert "name a file, or a folder that is there" in out
    assert [file.name for file in tmp_path.iterdir()] == ["home"]


def test_a_text_is_read_from_standard_input_and_has_a_limit(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    for act in ("announce", "comment"):
        done = CliRunner().invoke(
            main,
            ["--home", str(installation.home), "game", act, "ackerwinde", "-"],
            input=f"Snow\non {act} ice\n",
        )
        assert done.exit_code == 0, done.output
        long = bohnenpost(
            "game", act, "ackerwinde", "x" * 4001, home=installation.home, status=2
        ).output
        assert "at most 4000 fit" in long
    texts = [note.text for note in store.notes.of_round(db, "ackerwinde", 1)]
    assert texts == ["Snow\non announce ice", "Snow\non comment ice"]


def test_a_page_of_another_site_may_read_what_anybody_may(
    web: Any, installation: Installation, ackerwinde: Game
) -> None:
    for path in ("/api/v1/games", "/api/v1/games/ackerwinde", "/p/ackerwinde/record.json"):
        assert web.get(path).headers["Access-Control-Allow-Origin"] == "*"
    for path in ("/", "/p/ackerwinde", installation.path("seat", "ackerwinde", "Anna", 1)):
        assert "Access-Control-Allow-Origin" not in web.get(path).headers
