"""The files with rule cases in `seeds/`, and whose they are."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gm import paths, seeds
from rounds.engine.record import read_json
from rounds.engine.variant import names
from tests.cases import Case, Cases

OF_GAME: dict[str, Cases] = {
    name: import_module(f"tests.cases.{name}").CASES
    for name in names()
    if find_spec(f"tests.cases.{name}")
}
"""How the cases of each game are read and run."""


def case_files(game: str) -> list[Path]:
    """The files with the rule cases of a game, by name."""
    found = (paths.of_game("seeds", game) / "cases").glob("*.*")
    return sorted(file for file in found if file.suffix in (".toml", ".json"))


def cases_in(file: Path, game: str | None = None) -> list[tuple[str, Case]]:
    """The cases of a file, each with the name of its game. A JSON file names it in its schema; a
    TOML file belongs to that of its folder in `seeds/`.

    Any other is read as the default game's. Raises ValueError for a file that belongs to no game
    with cases.
    """
    is_ours = file.suffix == ".toml"
    document: Any = seeds.load(file) if is_ours else read_json(file.read_bytes(), dict)
    schema = str(document.get("schema", ""))
    named = schema.removeprefix("bohnenpost-").partition("-cases/")[0] or game
    known = [name for name in (named, file.absolute().parent.parent.name) if name in OF_GAME]
    of = known[0] if known else seeds.default_variant()
    return [(of, case) for case in OF_GAME[of].read(document)]
