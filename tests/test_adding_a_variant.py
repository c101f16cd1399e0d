"""Adding a variant adds folders and edits no line: a copy of the project with the folders of
minibohn plays it.

The tests themselves stand in `toy/played.py` and run in the copy; the contract is tried there
too.
"""

import re
import shlex
from pathlib import Path

import pytest

from tests.added import copy_of_the_house, run

DOCUMENT = Path(__file__).parent.parent / "docs" / "variants.md"
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with one more game."""
    return copy_of_the_house(tmp_path_factory.mktemp("copy"))


@pytest.mark.parametrize(
    ("file", "of"),
    [
        pytest.param("rules/test_contract.py", "minibohn", id="contract"),
        pytest.param("test_hidden_cards.py", "minibohn", id="unseen"),
        pytest.param("test_played.py", "not no_door", id="doors"),
        pytest.param("test_played.py", "no_door", id="hidden"),
    ],
)
def test_a_game_is_added_by_folders_alone(copied: Path, tmp_path: Path, file: str, of: str) -> None:
    said = run(copied, *PYTEST, f"--basetemp={tmp_path / 'inner'}", f"tests/{file}", "-k", of)
    assert " passed" in said
    assert "skipped" not in said


@pytest.mark.skipif(not DOCUMENT.exists(), reason="the documents lie in the checkout")
def test_the_commands_in_the_document_add_and_start_a_game(copied: Path, tmp_path: Path) -> None:
    block = re.search(r"```\n(cp .*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    lines = [shlex.split(line) for line in block[1].splitlines()]
    for _, _, source, target in (line for line in lines if line[0] == "cp"):
        folders = (DOCUMENT.parent.parent / source, copied / target / "minibohn")
        theirs, ours = (
            {file.name for file in folder.iterdir()} - {"__pycache__"} for folder in folders
        )
        assert theirs == ours
    for line in lines:
        if line[0] == "bohnenpost":
            run(copied, "-m", "gm", "--home", str(tmp_path / "home"), *line[1:])
    assert "running" in run(
        copied, "-m", "gm", "--home", str(tmp_path / "home"), "game", "show", "erbsen"
    )
