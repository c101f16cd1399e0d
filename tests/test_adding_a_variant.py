"""A game is a package of its own: that of `toy/` is installed by pip into a fresh environment and
plays there. Its own tests stand in `toy/played.py`; those that ask every game are run there too.
"""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from gm import store
from gm.installation import Installation
from gm.paths import SEEDS
from gm.store.db import Database, write
from tests.added import TESTS, TOY, environment_with, run, surroundings
from tests.dates import NOW
from tests.steps import seat_game, start

DOCUMENT = TESTS.parent / "docs" / "variants.md"
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with one more game."""
    return environment_with(tmp_path_factory.mktemp("fresh"), TOY)


@pytest.mark.everything
@pytest.mark.parametrize(
    ("files", "of"),
    [
        (("toy/played.py",), ""),
        (("rules/test_contract.py",), "minibohn"),
        (
            (
                *("test_hidden_cards.py", "mail", "web/test_state.py"),
                *("web/test_site_files.py", "web/test_practice.py"),
            ),
            "minibohn and not sample_report",
        ),
    ],
    ids=["own", "contract", "doors"],
)
def test_a_game_is_installed_and_plays(
    python: Path, tmp_path: Path, files: Sequence[str], of: str
) -> None:
    paths = (f"tests/{file}" for file in files)
    said = run(python, *PYTEST, f"--basetemp={tmp_path / 'inner'}", *paths, "-k", of)
    assert " passed" in said
    assert "skipped" not in said


@pytest.mark.everything
def test_no_other_game_is_hidden_by_it(python: Path, tmp_path: Path) -> None:
    """The tests that look at every game pass beside it."""
    files = ("rules/test_fence.py", "rules/test_variant.py", "service/test_seeds.py")
    said = run(
        python, *PYTEST, f"--basetemp={tmp_path / 'inner'}", *(f"tests/{file}" for file in files)
    )
    assert " passed" in said


@pytest.mark.everything
def test_two_packages_with_one_name_are_refused_at_the_start(tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(TOY / "minibohn", other / "another")
    project = (TOY / "pyproject.toml").read_text(encoding="utf-8")
    project = project.replace('name = "minibohn"', 'name = "another"')
    project = project.replace('= "minibohn"\n', '= "another"\n').replace(
        '["minibohn"]', '["another"]'
    )
    (other / "pyproject.toml").write_text(project, encoding="utf-8")
    python = environment_with(tmp_path / "fresh", TOY, other)
    said = run(python, "-m", "gm", "--home", str(tmp_path / "home"), "game", "list", status=3)
    assert "two packages bring a game called 'minibohn'" in said
    assert "minibohn and another" in said or "another and minibohn" in said
    assert "Traceback" not in said
    assert not (tmp_path / "home").exists()


@pytest.mark.everything
def test_a_package_that_is_not_there_is_named_at_the_start(tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(TOY / "minibohn", other / "minibohn")
    project = (TOY / "pyproject.toml").read_text(encoding="utf-8")
    project = project.replace('minibohn = "minibohn"', 'minibohn = "nothere"')
    (other / "pyproject.toml").write_text(project, encoding="utf-8")
    python = environment_with(tmp_path / "fresh", other)
    said = run(python, "-m", "gm", "--home", str(tmp_path / "home"), "game", "list", status=3)
    assert "the package 'nothere', which is to bring the game 'minibohn', is not there" in said
    assert "Traceback" not in said


def package_of(folder: Path, name: str, code: str) -> Path:
    """A folder with an installed package that brings the game `odd`, for PYTHONPATH."""
    packages = folder / "packages"
    info = packages / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (packages / name).mkdir()
    (packages / name / "__init__.py").write_text(code, encoding="utf-8")
    (info / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[bohnenpost.games]\nodd = {name}\n", encoding="utf-8")
    return packages


def bohnenpost(home: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """What a command says, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "gm", "--home", str(home), *args],
        env=surroundings() | env,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.everything
def test_a_package_may_stand_on_a_game_that_is_there(tmp_path: Path) -> None:
    packages = package_of(
        tmp_path,
        "oddbohn",
        "from dataclasses import replace\nfrom rounds.mutabohn import variant as mutabohn\n"
        "variant = replace(mutabohn, name='odd', based_on='mutabohn')",
    )
    shutil.copytree(SEEDS / "mutabohn", packages / "oddbohn" / "seeds")
    for line in (
        "game new erbsen --variant odd --gm Uli --gm-address uli@example.org --gm-language en",
        "game open erbsen",
        *(f"game seat erbsen --name {name} --robot" for name in ("Rita", "Rosa")),
        "game seat erbsen --name Anna --address anna@example.org",
        "game start erbsen",
        "game show erbsen",
    ):
        done = bohnenpost(tmp_path / "home", *line.split(), PYTHONPATH=str(packages))
        assert done.returncode == 0, done.stdout + done.stderr
    assert "odd, GM Uli" in done.stdout


BROKEN = {
    "one that raises": ("raise RuntimeError('no luck')", "RuntimeError: no luck"),
    "one that ends": ("raise SystemExit(4)", "SystemExit: 4"),
    "one with a fault": ("variant = (", "SyntaxError: '(' was never closed"),
    "one without a game": ("", "AttributeError: module 'broken' has no attribute 'variant'"),
    "one with nothing": ("variant = None", "its `variant` is no Variant"),
    "one of another name": ("from rounds.duel import variant", "its `variant` is called 'duel'"),
    "one on nothing": (
        "from dataclasses import replace\nfrom rounds.duel import variant as duel\n"
        "variant = replace(duel, name='odd', based_on='nothing')",
        "no variant is called 'nothing'",
    ),
    "one without a deck": (
        "from dataclasses import replace\nfrom rounds.duel import variant as duel\n"
        "variant = replace(duel, name='odd')",
        "the deck of the package 'broken'",
    ),
}


ALL = ("run", "serve", "worker", "demo", "doctor")


@pytest.mark.parametrize(
    ("way", "commands"),
    [(way, ALL if number == 0 else ALL[:1]) for number, way in enumerate(BROKEN)],
    ids=BROKEN,
)
def test_a_package_that_is_broken_is_named_at_the_start_of_every_command(
    installation: Installation, db: Database, tmp_path: Path, way: str, commands: Sequence[str]
) -> None:
    code, says = BROKEN[way]
    for number in range(4):
        seat_game(installation, f"game{number}")
        start(installation, f"game{number}")
    with write(db):
        for number in range(4):
            store.games.update(db, f"game{number}", {"deadline": NOW - 1})
    packages = package_of(tmp_path, "broken", code)

    def run_with(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
        return bohnenpost(installation.home, *args, **env)

    for command in commands:
        refused = run_with(command, PYTHONPATH=str(packages))
        assert refused.returncode == 3, refused.stdout + refused.stderr
        assert says in refused.stderr
        assert "Traceback" not in refused.stderr
        assert len(refused.stderr.splitlines()) == 1
    if commands is ALL:  # without it everything goes on
        run_with("run", "--clock-is-right")
        assert [game.round for game in store.games.all_games(db)] == [2] * 4


@pytest.mark.everything
@pytest.mark.skipif(not DOCUMENT.exists(), reason="the documents lie in the checkout")
def test_the_commands_in_the_document_start_a_game(python: Path, tmp_path: Path) -> None:
    block = re.search(r"```\n(pip install .*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    install, *lines = [shlex.split(line) for line in block[1].splitlines()]
    assert (DOCUMENT.parent.parent / install[-1]).samefile(TOY)
    for line in lines:
        if line[0] == "bohnenpost":
            run(python, "-m", "gm", "--home", str(tmp_path / "home"), *line[1:])
    show = ("-m", "gm", "--home", str(tmp_path / "home"), "game", "show", "erbsen")
    assert "running" in run(python, *show)
