"""The fence around the rules: what they may import, and that no variant is named outside its own folders."""

import ast
import re
from pathlib import Path

import pytest

import gm
import rounds
from gm.paths import SEEDS, TEMPLATES
from rounds.variant import find, names

RULES = Path(rounds.__path__[0])
SERVICE = Path(gm.__path__[0])
SCRIPTS = SERVICE / "web" / "static"
OF_SOME_GAMES = {
    "plow",
    "cascade",
    "discard",
    "row",
    "pile",
    "farm",
    "farms",
    "taler",
    "talers",
    "harvest",
    "plant",
    "hand",
    "trade",
}
"""A script for all games has no word for these."""
ALLOWED = {
    "collections", "dataclasses", "difflib", "functools", "hashlib", "hmac", "importlib", "itertools", "json", "math", "msgspec",
    "pkgutil", "re", "rounds", "struct", "typing", "unicodedata",
}  # fmt: skip


def imports(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


@pytest.mark.parametrize("file", sorted(RULES.rglob("*.py")), ids=lambda file: str(file.relative_to(RULES)))
def test_the_rules_import_nothing_with_a_clock_a_disk_or_a_wire(file: Path) -> None:
    assert imports(file) <= ALLOWED
    assert "open(" not in re.sub(r"_open\(|\.open\(", "", file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", [SERVICE, RULES], ids=lambda folder: folder.name)
def test_chance_comes_from_the_operating_system_alone(folder: Path) -> None:
    for file in folder.rglob("*.py"):
        assert not imports(file) & {"random", "numpy"}, file


def test_no_variant_is_named_outside_its_own_folders() -> None:
    files = [*SERVICE.rglob("*.py"), *RULES.rglob("*.py"), *TEMPLATES.rglob("*.html"), *TEMPLATES.rglob("*.txt")]
    files += SCRIPTS.rglob("*.*")
    for name in names():
        own = (RULES / name, TEMPLATES / name, SEEDS / name, SCRIPTS / name)
        outside = [file for file in files if not any(file.is_relative_to(folder) for folder in own)]
        assert len(outside) > 30
        naming = [file for file in outside if re.search(rf"""["'/.]{name}["'/.]""", file.read_text(encoding="utf-8"))]
        assert naming == []


@pytest.mark.parametrize("file", sorted(SCRIPTS.glob("*.js")), ids=lambda file: file.name)
def test_a_script_for_all_games_knows_no_game_and_nothing_that_only_some_have(file: Path) -> None:
    words = set(re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", file.read_text(encoding="utf-8")).lower()))
    assert not words & {*names(), *OF_SOME_GAMES}
    assert not re.search(r"rules\.\w", file.read_text(encoding="utf-8"))  # no house rule is common to all


def test_an_unknown_variant_is_named_with_those_that_are_known() -> None:
    with pytest.raises(LookupError, match=r"'skat'.*postal"):
        find("skat")
