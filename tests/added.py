"""A copy of the project to which nothing but the folders of one more game were added: those in
`toy/`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import gm
import rounds
from gm.paths import SEEDS, TEMPLATES

TESTS = Path(__file__).parent
TOY = TESTS / "toy"
HELPERS = (
    "conftest.py",
    "dates.py",
    "doors.py",
    "faster.py",
    "postal_tables.py",
    "postbox.py",
    "second_game.py",
    "steps.py",
)
"""What its tests need of ours."""
IGNORED = shutil.ignore_patterns(".*", "*.pyc.*")
"""What is compiled is copied along, so that no process compiles it again; but not what is just
being written.
"""


def copy_of_the_house(copy: Path) -> Path:
    """The project with one more game in a folder, and the tests that `toy/played.py` and the
    contract have for it.
    """
    for folder, name in (
        (gm.__path__[0], "gm"),
        (rounds.__path__[0], "rounds"),
        (TEMPLATES, "templates"),
        (SEEDS, "seeds"),
    ):
        shutil.copytree(folder, copy / name, ignore=IGNORED)
    for folder, name in (
        ("rounds", "rounds"),
        ("seeds", "seeds"),
        ("templates", "templates"),
        ("static", "gm/web/static"),
    ):
        shutil.copytree(TOY / folder, copy / name, ignore=IGNORED, dirs_exist_ok=True)
    shutil.copytree(TESTS.parent / "docs" / "rules", copy / "docs" / "rules")
    (copy / "tests" / "rules").mkdir(parents=True)
    for file in (*HELPERS, "rules/played.py", "rules/test_contract.py", "test_hidden_cards.py"):
        shutil.copy(TESTS / file, copy / "tests" / file)
    shutil.copy(TOY / "played.py", copy / "tests" / "test_played.py")
    shutil.copy(TESTS.parent / "pyproject.toml", copy)
    return copy


def python(copy: Path) -> tuple[list[str], dict[str, str]]:
    """The command of a Python that finds the copy before anything else, and its environment."""
    environment = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTEST", "BOHNENPOST"))
    }
    return [sys.executable], environment | {
        "PYTHONPATH": str(copy),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }


def run(copy: Path, *command: str) -> str:
    """What a command in the copy says; it must succeed."""
    start, environment = python(copy)
    done = subprocess.run(
        [*start, *command], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
