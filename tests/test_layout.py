"""The project is laid out as its maps say: folders in their order, statements in the store."""

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from tests.steps import bohnenpost

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(not (ROOT / "gm").is_dir(), reason="the source is out of reach")


def sources(folder: str) -> dict[str, str]:
    """The text of every module below a folder, by its path from there."""
    top = ROOT / folder
    return {
        file.relative_to(top).as_posix(): file.read_text(encoding="utf-8")
        for file in top.rglob("*.py")
    }


def test_statements_stand_in_the_store_alone() -> None:
    asks = re.compile(
        r"\.(execute|executemany|executescript|conn)\b|\"(SELECT|INSERT|UPDATE|DELETE|PRAGMA) "
    )
    assert [
        name
        for name, text in sources("gm").items()
        if asks.search(text) and not name.startswith("store/")
    ] == []


def test_chance_comes_from_the_operating_system_alone() -> None:
    draws = re.compile(r"^\s*(from|import) random\b", re.MULTILINE)
    assert [name for name, text in sources("gm").items() if draws.search(text)] == []


def test_the_map_names_every_folder_of_the_service() -> None:
    rows = re.findall(
        r"^\| `gm/(\w*)/?` \|", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {*rows} - {""} == {file.parent.name for file in (ROOT / "gm").glob("*/__init__.py")}


def test_the_map_of_the_rules_names_every_file() -> None:
    top = ROOT / "rounds"
    text = (top / "README.md").read_text(encoding="utf-8")
    folders = {file.parent.name for file in top.glob("*/__init__.py")}
    assert set(re.findall(r"^\| `(\w+)/`", text, re.MULTILINE)) == folders
    assert set(re.findall(r"`(\w+\.py)`", text)) == {file.name for file in top.glob("*/*.py")}


def test_the_domain_of_mails_is_known_only_where_mails_are_written() -> None:
    known = {name for name, text in sources("gm").items() if "mail_domain" in text}
    assert {name for name in known if not name.startswith("mail/")} <= {
        "config.py",
        "installation.py",
    }


@pytest.mark.everything
def test_a_red_test_is_named_when_it_fails(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text(
        "def test_red():\n    assert 0\n\ndef test_green():\n    pass\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.conftest",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        [*command, tmp_path / "test_two.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    before_the_end = done.stdout.partition("= FAILURES =")[0]
    assert re.search(r"FAILED .*test_two\.py::test_red\n\.", before_the_end), done.stdout


def test_the_lock_names_the_extras_that_packages_ask_for() -> None:
    """Of an extra that the lock does not name pip takes the newest version, and refuses it."""
    lock = (ROOT / "requirements-test.lock").read_text("utf-8")
    wanted = {
        found[0]
        for package in metadata.distributions()
        for text in package.requires or []
        if "extra ==" not in text and (found := re.match(r"[\w.-]+\[\w+\]", text))
    }
    assert {name for name in wanted if f"{name}==" not in lock} == set()


def test_the_version_is_the_same_everywhere() -> None:
    (newest, *_) = re.findall(r"^## (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == newest
    assert bohnenpost("--version").output.split()[-1] == newest


def test_every_module_is_imported_without_what_only_unix_has() -> None:
    code = """
import importlib, pkgutil, sys
sys.modules.update(dict.fromkeys(("resource", "fcntl", "pwd", "grp", "termios")))
import gm, rounds
for package in (gm, rounds):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
