"""Every sabotage turns a test red: the patch is put into a copy of the house, and the tests that guard it are run there."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("gm", "docs", "rounds", "templates", "seeds", "tests", "pyproject.toml")
SABOTAGES = tomllib.loads((Path(__file__).parent / "sabotages.toml").read_text(encoding="utf-8"))["sabotage"]
PLAIN = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
"""Half a second of imports each: browsers, schemas and workers are for none of these tests. What is compiled is copied along."""
FAILED = 1
"""Pytest's exit status when tests ran and some failed; a patch that breaks the collection is no proof."""

pytestmark = pytest.mark.skipif(not (ROOT / "gm").is_dir(), reason="the source is out of reach")


def patched(folder: Path, old: str, new: str) -> Path:
    """Replace a text that stands in the files of a folder exactly once; the file it stood in."""
    files = [folder] if folder.is_file() else [file for file in folder.rglob("*") if file.suffix in (".py", ".html", ".txt")]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    found = [file for file, text in texts.items() for _ in range(text.count(old))]
    assert len(found) == 1, f"{folder.name} has {len(found)} times: {old}"
    found[0].write_text(texts[found[0]].replace(old, new), encoding="utf-8")
    return found[0]


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda sabotage: f"{sabotage['number']:02} {sabotage['breaks']}")
def test_h10_a_sabotage_turns_a_test_red(tmp_path: Path, sabotage: dict[str, Any]) -> None:
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("browser", "crash"))
        else:
            shutil.copy(source, tmp_path / name)
    file = patched(tmp_path / sabotage["where"], sabotage["old"], sabotage["new"])
    for old, new in sabotage.get("more", ()):
        patched(file, old, new)
    for where, old, new in sabotage.get("others", ()):
        patched(tmp_path / where, old, new)
    own = tmp_path / "pytest"  # beside other runs of pytest, which clear away each other's older folders
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", f"--basetemp={own}", *sabotage["tests"]]
    done = subprocess.run(command, cwd=tmp_path, env=PLAIN, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == FAILED, done.stdout[-3000:] + done.stderr[-2000:]
    assert re.search(r"\d+ failed", done.stdout.splitlines()[-1]), done.stdout[-3000:] + done.stderr[-2000:]


def test_all_are_there() -> None:
    numbers = [sabotage["number"] for sabotage in SABOTAGES]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 24
