"""Many processes at once: each round once, every list a definite answer, the last receipted one
used.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gm.installation import FILE, Installation, open_installation
from gm.paths import read_toml
from gm.service import tick_mail
from gm.store.connections import opened
from gm.store.db import Place
from tests import invariants
from tests.dates import SUNDAY
from tests.faster import few_first
from tests.postgres import SERVER, move_to_server
from tests.steps import seat_game, start

ROOT = Path(__file__).parent.parent.parent
CROWDS = 1000 if os.environ.get("BOHNENPOST_SOAK") else 50


def crowd(*args: object) -> list[list[tuple[int, Any]]]:
    """Per home, (exit status, answer) of each process."""
    command = [sys.executable, "-m", "tests.crash.crowd", *map(str, args)]
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, timeout=900
    )
    return [[tuple(ended) for ended in json.loads(line)] for line in done.stdout.splitlines()]


def copy_to(homes: list[Path], original: Installation, part: int) -> None:
    """Each with a database of its own."""
    for number, home in enumerate(homes):
        shutil.copytree(original.home, home)
        if SERVER is not None:
            move_to_server(home, SERVER.create(f"crowd_{time.monotonic_ns()}_{part}_{number}"))


def place_of(home: Path) -> Place:
    """Where the database of a home is."""
    settings = home / "bohnenpost.toml"
    if not settings.exists():
        return home / FILE
    return str(read_toml(settings.read_text(encoding="utf-8"))["database"])


@pytest.mark.parametrize("part", few_first(range(2), 1))
@pytest.mark.usefixtures("frozen_time")
def test_eight_processes_run_together_and_each_round_is_closed_once(
    fresh_home: Path, tmp_path: Path, part: int
) -> None:
    installation = open_installation(Path(shutil.copytree(fresh_home, tmp_path / "home")), {})
    for number in range(2):
        seat_game(installation, f"game-{number}", players=("Anna",))
        start(installation, f"game-{number}")
    tick_mail(installation, SUNDAY - 9000)
    homes = [tmp_path / f"crowd-{number}" for number in range(CROWDS // 2)]
    copy_to(homes, installation, part)
    for home, ended in zip(homes, crowd("run", 8, SUNDAY, *homes), strict=True):
        assert [status for status, _ in ended] == [0] * 8, ended
        assert Counter(game for _, games in ended for game in games) == {"game-0": 1, "game-1": 1}
        invariants.check(place_of(home))
        assert len(list((home / "mail").glob("*-report-*.eml"))) == 2
        with opened(place_of(home)) as db:
            assert (
                db.execute(
                    "SELECT count(*) FROM mail WHERE sent_at IS NULL OR tries <> 1"
                ).fetchone()[0]
                == 0
            )


@pytest.mark.parametrize("part", few_first(range(2), 1))
def test_thirty_races_around_a_deadline_leave_no_post_without_an_answer(
    tmp_path: Path, part: int
) -> None:
    """The real clock and the real deadline. Every list gets a receipt or a refusal, and the
    newest receipted one is played.
    """
    original = open_installation(tmp_path / "original", {}, create=True)
    seat_game(original, players=("Anna",))
    start(original)
    homes = [tmp_path / f"race-{number}" for number in range(15)]
    copy_to(homes, original, part)
    for home, ended in zip(homes, crowd("race", 3, 2, *homes), strict=True):
        assert [status for status, _ in ended] == [0] * 5, ended
        answers = [answer for _, said in ended[:3] for answer in said]
        assert {answer if answer in ("late", "busy") else "receipt" for _, answer in answers} <= {
            "receipt",
            "late",
            "busy",
        }
        receipts = sorted(
            {(int(answer), text) for text, answer in answers if answer not in ("late", "busy")}
        )
        assert receipts
        assert any(answer == "late" for _, answer in answers)
        assert [game for _, said in ended[3:] for game in said] == ["ackerwinde"]
        with opened(place_of(home)) as db:
            stored = db.execute("SELECT number, orders FROM revision ORDER BY number").fetchall()
            used, deadline = db.execute(
                "SELECT orders, deadline FROM round WHERE number = 1"
            ).fetchone()
            late = db.execute("SELECT count(*) FROM revision WHERE at >= ?", [deadline]).fetchone()[
                0
            ]
        assert receipts == stored
        assert json.loads(used) == {"Anna": stored[-1][1]}
        assert late == 0
        invariants.check(place_of(home))
