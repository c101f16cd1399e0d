"""Adding a variant adds folders and edits no line: a copy of the house with the folders of minibohn plays it.

The tests themselves stand in `toy/played.py` and run in the copy; the contract is tried there too.
"""

from pathlib import Path

import pytest

from tests.added import copy_of_the_house, run

PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The house with one more game."""
    return copy_of_the_house(tmp_path_factory.mktemp("copy"))


@pytest.mark.parametrize(("file", "of"), [("test_contract.py", "minibohn"), ("test_played.py", "")])
def test_a_game_is_added_by_folders_alone(copied: Path, tmp_path: Path, file: str, of: str) -> None:
    said = run(copied, *PYTEST, f"--basetemp={tmp_path / 'inner'}", f"tests/{file}", "-k", of)
    assert " passed" in said
    assert "skipped" not in said
