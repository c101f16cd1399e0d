"""The house is built as its maps say: folders in their order, statements in the store."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.figures import ORDER, ROOT, figures, modules

pytestmark = pytest.mark.skipif(not (ROOT / "gm").is_dir(), reason="the source is out of reach")


def test_what_is_forbidden_is_nowhere() -> None:
    """What `make figures` prints and says of that it must be 0."""
    assert [f"{one.name}: {one.where}" for one in figures() if one.forbidden and one.value] == []


def test_the_map_names_every_folder_of_the_service_in_its_order() -> None:
    rows = re.findall(r"^\| `gm/(\w*)/?` \|", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE)
    folders = {file.parent.name for file in (ROOT / "gm").glob("*/__init__.py")}
    assert rows == ["", *(folder for folder in ORDER if folder in folders)]
    assert set(rows[1:]) == folders


def test_the_map_names_the_door_of_every_folder() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for folder, doors in re.findall(r"^\| `gm/(\w+)/` \|[^|]*\| ([^|]*) \|", text, re.MULTILINE):
        for door in re.findall(r"`([\w.]+)`", doors):
            package = ROOT / "gm" / folder
            name = door.split(".")[0]
            assert (
                folder == name or (package / f"{name}.py").exists() or f"def {name}(" in (package / "__init__.py").read_text()
            ), door


def test_the_map_of_the_rules_names_every_file() -> None:
    rows = re.findall(r"^\| `([\w/.]+)` \|", (ROOT / "rounds" / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    there = {file.name for file in (ROOT / "rounds").glob("*.py")} | {
        f"{file.parent.name}/" for file in (ROOT / "rounds").glob("*/__init__.py")
    }
    assert set(rows) == there - {"__init__.py"}


def test_the_domain_of_mails_is_known_only_where_letters_are_written() -> None:
    known = {name for name, file in modules("gm").items() if "mail_domain" in file.read_text(encoding="utf-8")}
    assert {name for name in known if not name.startswith("gm.mail.")} <= {"gm.config", "gm.installation"}


def test_tests_lie_beside_their_subject() -> None:
    places = {file.parent.relative_to(ROOT / "tests" / "gm") for file in (ROOT / "tests" / "gm").rglob("test_*.py")}
    there = {file.parent.relative_to(ROOT / "gm") for file in modules("gm").values()}
    assert places - {Path("whole")} <= there


def test_a_red_test_is_named_when_it_fails(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text("def test_red():\n    assert 0\n\ndef test_green():\n    pass\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, tmp_path / "test_two.py"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    before_the_end = done.stdout.partition("= FAILURES =")[0]
    assert re.search(r"FAILED .*test_two\.py::test_red\n\.", before_the_end), done.stdout
