"""The fence around the rules: nothing outside its folders knows a variant or what only it has.
(Imports: `pyproject.toml`.)
"""

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.extract import extract_from_dir

import gm
import rounds
from gm.paths import SEEDS, TEMPLATES
from rounds.engine.notation import Problem
from rounds.engine.variant import defined_by, find, installed, lineage, names

RULES = Path(rounds.__path__[0])
SERVICE = Path(gm.__path__[0])
SCRIPTS = SERVICE / "web" / "static"
OURS = [name for name in names() if name not in installed()]
OF_GAMES = (*OURS, "family")
"""The folders of single games, and of what some share."""
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
READ = {".py", ".html", ".txt", ".js", ".css", ".toml"}
MAY_NAME = (
    'variant = "postal"',  # seeds/default.toml: which game is meant if nobody says
    # credits, on every page of the service
    "its postal form is by Markus Berger and Markus Steffl.",
)
SAID_OF_SOME = re.compile(
    r"\b(rows?|plow\w*|plant\w*|harvest\w*|discard\w*|cascad\w*|fields?|eight cards|ten rounds)\b",
    re.IGNORECASE,
)
MAY_SAY = {
    "rows of the database are damaged": "not of cards",
    "its row cannot be read (%(why)s). Nothing is done with it; the other games go on.": "of the database",
    "twice in a row or more nothing from %(names)s.": "one after the other",
    "harvest first": "a choice of fields, for games that offer one",
    "Talers for a harvest": "every deck says for how many beans there are how many talers",
}


def outside(variant: str) -> list[Path]:
    """Every file of code, words, scripts and data that is not in a folder of this variant, or of
    one that stands on it.
    """
    games = [name for name in names() if variant in lineage(name)]
    own = tuple(top / game for top in (RULES, TEMPLATES, SEEDS, SCRIPTS) for game in games)
    files = [
        file
        for top in (SERVICE, RULES, TEMPLATES, SEEDS)
        for file in top.rglob("*")
        if file.suffix in READ
    ]
    return [file for file in {*files} if not any(file.is_relative_to(folder) for folder in own)]


def is_of_all_games(file: Path) -> bool:
    """Whether it is in no variant's folder: two games may have events and orders of the same
    name.
    """
    return not any(
        file.is_relative_to(top / name)
        for top in (RULES, TEMPLATES, SEEDS, SCRIPTS)
        for name in OF_GAMES
    )


def identifiers(file: Path) -> set[str]:
    """Every name that a module imports or uses."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Name, ast.Attribute, ast.alias)):
            found.add(
                node.id
                if isinstance(node, ast.Name)
                else node.attr
                if isinstance(node, ast.Attribute)
                else node.name
            )
    return found


def of_one_game(variant: str) -> tuple[set[str], set[str]]:
    """What only this variant has: its classes of events and orders, and the names under which
    its events are stored.
    """
    events = [kind for kind in get_args(find(variant).events) if defined_by(kind) == variant]
    notation = import_module(f"rounds.{variant}.notation")
    orders = [
        kind
        for kind in vars(notation).values()
        if isinstance(kind, type)
        and kind.__module__ == notation.__name__
        and not issubclass(kind, Problem)
    ]
    return {kind.__name__ for kind in (*events, *orders)}, {
        str(kind.__struct_config__.tag) for kind in events
    }


@pytest.mark.parametrize("variant", OURS)
def test_no_variant_and_nothing_of_its_own_is_named_outside_its_folders(variant: str) -> None:
    classes, tags = of_one_game(variant)
    assert classes
    assert tags
    name, own = re.compile(rf"\b{variant}\b"), re.compile(rf"""["']({"|".join(tags)})["']""")
    files = outside(variant)
    assert {file.suffix for file in files} == READ
    found = {}
    for file in files:
        text = file.read_text(encoding="utf-8")
        for allowed in MAY_NAME:
            text = text.replace(allowed, "")
        hits = {hit[0] for hit in name.finditer(text)}
        if is_of_all_games(file):
            hits |= {hit[0] for hit in own.finditer(text)} | (
                identifiers(file) & classes if file.suffix == ".py" else set()
            )
        if hits:
            found[str(file)] = hits
    assert found == {}


def test_a_game_takes_only_what_is_public_from_the_game_it_stands_on() -> None:
    taken = {
        (node.module, name.name)
        for game in OURS
        for file in (RULES / game).glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if any(f"{node.module}.".startswith(f"rounds.{below}.") for below in lineage(game)[1:])
    }
    assert len(taken) > 20
    assert {(module, name) for module, name in taken if name.startswith("_")} == set()


def test_no_sentence_for_all_games_says_what_only_some_have() -> None:
    options = {"**.txt": {"newstyle_gettext": "true"}, "**.html": {"newstyle_gettext": "true"}}
    extracted = extract_from_dir(TEMPLATES, [("**.txt", "jinja2"), ("**.html", "jinja2")], options)
    said = set()
    for file, _, sentence, *_ in extracted:
        if file.partition("/")[0] not in OF_GAMES:
            said |= {sentence} if isinstance(sentence, str) else {*sentence}
    assert len(said) > 500
    assert {sentence for sentence in said if SAID_OF_SOME.search(sentence)} == set(MAY_SAY)


@pytest.mark.parametrize("file", sorted(SCRIPTS.glob("*.js")), ids=lambda file: file.name)
def test_a_script_for_all_games_knows_no_game_and_nothing_that_only_some_have(file: Path) -> None:
    words = set(
        re.findall(
            r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", file.read_text(encoding="utf-8")).lower()
        )
    )
    assert not words & {*names(), *OF_SOME_GAMES}
    # no house rule is common to all
    assert not re.search(r"rules\.\w", file.read_text(encoding="utf-8"))


def test_an_unknown_variant_is_named_with_those_that_are_known() -> None:
    with pytest.raises(LookupError, match=r"'skat'.*postal"):
        find("skat")
