"""What people read first is run, not hoped for: the commands of the README and of the first
game, and every link.
"""

import hashlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
FIRST_GAME = ROOT / "docs" / "first-game.md"

pytestmark = pytest.mark.skipif(not README.exists(), reason="the README lies in the checkout")


def blocks(file: Path, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", file.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def commands() -> list[str]:
    return [
        line
        for block in blocks(FIRST_GAME, "sh")
        for line in block.replace("\\\n", " ").splitlines()
        if line.startswith("bohnenpost ")
    ]


def test_the_two_commands_are_there_and_make_knows_them() -> None:
    listed = {
        line.split()[1]
        for block in blocks(README, "sh")
        for line in block.splitlines()
        if line.startswith("make ")
    }
    assert listed == {"demo", "test"}
    for target in listed:
        done = subprocess.run(
            ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.everything
def test_the_commands_for_a_real_game_work_as_written(tmp_path: Path) -> None:
    ran = []
    for line in commands():
        words = shlex.split(line, comments=True)[1:]
        if words[0] in ("serve", "tonight"):
            continue  # run until stopped: test_serve.py and test_tonight.py start and stop them
        command = [sys.executable, "-m", "gm", "--home", str(tmp_path / "club"), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        ran.append(words[0])
    assert ran.count("game") >= 4
    assert "run" in ran


def test_the_settings_it_shows_are_taken(tmp_path: Path) -> None:
    from gm.config import load

    (settings,) = blocks(FIRST_GAME, "toml")
    file = tmp_path / "bohnenpost.toml"
    file.write_text(settings, encoding="utf-8")
    assert load(file, {}).smtp_host


@pytest.mark.parametrize(
    "file", [README, FIRST_GAME, ROOT / "CONTRIBUTING.md"], ids=lambda file: file.name
)
def test_what_it_links_to_is_there(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for linked in re.findall(r"\]\(((?!http)[^)#]+)\)|src=\"([^\"]+)\"", text):
        assert (file.parent / (linked[0] or linked[1])).exists(), linked


def test_the_sum_of_the_saved_check_is_that_of_the_file_that_is_served() -> None:
    from gm.web.check_file import check_file

    stated = dict(
        re.findall(
            r"^(de|en) ([0-9a-f]+)$",
            (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    assert stated == {
        language: hashlib.sha256(check_file(language).encode()).hexdigest()
        for language in ("de", "en")
    }
