"""Every sabotage turns a test red: the patch is put into a copy of the project, and the tests that
guard it are run there.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("gm", "docs", "rounds", "templates", "seeds", "tests", "pyproject.toml")
SABOTAGES = tomllib.loads((Path(__file__).parent / "sabotages.toml").read_text(encoding="utf-8"))[
    "sabotage"
]
PLAIN = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
"""Half a second of imports each: browsers, schemas and workers are for none of these tests. What
is compiled is copied along, but not what is just being written.
"""
QUIETLY = ("-x", "-q", "--tb=line", "-p", "no:cacheprovider")
FAILED = 1
"""Pytest's exit status when tests ran and some failed; a patch that breaks the collection is no
proof.
"""
TYPO = re.compile(
    r"\b(NameError|ImportError|AttributeError|TypeError): .*(not defined|argument|cannot import|no attribute)"
)
"""A patch whose own text cannot run is no proof either."""
UNDEFINED = ("check", "--quiet", "--no-cache", "--select", "E9,F821,F823")

pytestmark = [
    pytest.mark.everything,
    pytest.mark.skipif(not (ROOT / "gm").is_dir(), reason="the source is out of reach"),
]


def patched(folder: Path, old: str, new: str) -> Path:
    """Replace a text that stands in the files of a folder exactly once; the file it stood in."""
    kinds = (".py", ".sql", ".html", ".txt")
    files = (
        [folder]
        if folder.is_file()
        else [file for file in folder.rglob("*") if file.suffix in kinds]
    )
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    found = [file for file, text in texts.items() for _ in range(text.count(old))]
    assert len(found) == 1, f"{folder.name} has {len(found)} times: {old}"
    found[0].unlink()  # it is a second name of the project's own file
    found[0].write_text(texts[found[0]].replace(old, new), encoding="utf-8")
    return found[0]


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a sabotage is done to, copied once: each has the same files under other names, and
    its own of those it changes.
    """
    folder = tmp_path_factory.mktemp("house")
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(
                source, folder / name, ignore=shutil.ignore_patterns("browser", "crash", "*.pyc.*")
            )
        else:
            shutil.copy(source, folder / name)
    return folder


Run = Callable[[Path, list[str]], tuple[int, str]]


@pytest.fixture(scope="module")
def pytest_in() -> Iterator[Run]:
    """Runs pytest in a folder: its exit status, and what it printed."""
    program = [sys.executable, str(Path(__file__).parent / "forks.py")]
    with subprocess.Popen(
        program, env=PLAIN, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as forks:
        asks, answers = forks.stdin, forks.stdout
        assert asks is not None
        assert answers is not None

        def run(
            folder: Path, arguments: list[str], asks: IO[str] = asks, answers: IO[str] = answers
        ) -> tuple[int, str]:
            output = folder / "output.txt"
            print(
                json.dumps({"folder": str(folder), "arguments": arguments, "output": str(output)}),
                file=asks,
                flush=True,
            )
            return int(answers.readline()), output.read_text(encoding="utf-8")

        yield run


@pytest.mark.parametrize(
    "sabotage", SABOTAGES, ids=lambda sabotage: f"{sabotage['number']:02} {sabotage['breaks']}"
)
def test_a_sabotage_turns_a_test_red(
    installation: Path, pytest_in: Run, tmp_path: Path, sabotage: dict[str, Any]
) -> None:
    folder = tmp_path / "house"
    shutil.copytree(installation, folder, copy_function=os.link)
    files = [patched(folder / sabotage["where"], sabotage["old"], sabotage["new"])]
    files += [patched(files[0], old, new) for old, new in sabotage.get("more", ())]
    files += [patched(folder / where, old, new) for where, old, new in sabotage.get("others", ())]
    if code := [file for file in files if file.suffix == ".py"]:
        subprocess.run([sys.executable, "-m", "ruff", *UNDEFINED, *code], check=True)
    # beside other runs of pytest, which clear away each other's older folders
    own = tmp_path / "pytest"
    status, output = pytest_in(folder, [*QUIETLY, f"--basetemp={own}", *sabotage["tests"]])
    assert status == FAILED, output[-5000:]
    assert re.search(r"\d+ failed", output.splitlines()[-1]), output[-5000:]
    assert not TYPO.search(output), output[-5000:]


def test_without_a_sabotage_the_same_tests_are_green(
    installation: Path, pytest_in: Run, tmp_path: Path
) -> None:
    status, output = pytest_in(
        installation, [*QUIETLY, f"--basetemp={tmp_path}", *SABOTAGES[0]["tests"]]
    )
    assert status == 0, output[-5000:]


def test_all_are_there() -> None:
    numbers = [sabotage["number"] for sabotage in SABOTAGES]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 24
