"""The words of a game's own: where its macros stand, what its beans are called."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from gm.paths import TEMPLATES, of_game
from rounds.engine.events import Event
from rounds.engine.notation import Problem
from rounds.engine.variant import Step, defined_by, lineage, names

_spoken_of: ContextVar[str] = ContextVar("spoken_of", default="")


@contextmanager
def speaking_of(variant: str) -> Iterator[None]:
    """While this lasts sentences are about this game: its beans have the names that it gives
    them, its points are in its unit.
    """
    token = _spoken_of.set(variant)
    try:
        yield
    finally:
        _spoken_of.reset(token)


def spoken_of() -> str:
    """The game that sentences are about; empty if they are about none, or several."""
    return _spoken_of.get()


def macros_of(variant: str, file: str) -> list[str]:
    """The templates in which a macro about a game may stand: its own, that of the game it stands
    on, the plain one that serves any game.
    """
    return [f"{one}/{file}" for one in (*lineage(variant), "plain")]


def words_of(value: Event | Problem, file: str) -> list[str]:
    """The templates in which the sentence for a value may stand: that of the folder that defines
    it or what defines its kind, then the common one.
    """
    folders = dict.fromkeys(filter(None, map(defined_by, type(value).__mro__)))
    return [*(f"{folder}/{file}" for folder in folders), file]


@cache
def has_template(name: str) -> bool:
    """True if there is a template of this name."""
    game, _, rest = name.partition("/")
    return (of_game("templates", game) / rest if rest else TEMPLATES / name).is_file()


def of_kind(events: Iterable[Event], *kinds: str) -> list[Event]:
    """The events of these kinds."""
    return [event for event in events if event.kind in kinds]


def happens(steps: Iterable[Step]) -> list[Event]:
    """The events of these steps, one after the other."""
    return [event for step in steps for event in step.events]


def bean_picture(variety: str) -> str:
    """The address of the picture of a bean: its own game's, else the one of all games."""
    return _picture(variety, spoken_of())


@cache
def _picture(variety: str, variant: str) -> str:
    for one in lineage(variant) if variant else ():
        file = of_game("static", one) / "beans.svg"
        if file.is_file() and f'id="{variety}"' in file.read_text(encoding="utf-8"):
            return f"/static/{one}/beans.svg#{variety}"
    return f"/static/beans.svg#{variety}"


def picture_to_share(variant: str) -> str:
    """The address of the picture that goes with a link to a game: 1200 × 630 for those that have
    one, else the icon.
    """
    has_one = (one for one in lineage(variant) if (of_game("static", one) / "og.png").is_file())
    of = next(has_one, None)
    return f"/static/{of}/og.png" if of else "/static/icon-512.png"


def bean_sheets() -> list[str]:
    """The addresses of the style sheets with the colours of beans that a game has of its own."""
    games = reversed(lineage(spoken_of())) if spoken_of() else ()
    own = (one for one in games if (of_game("static", one) / "beans.css").is_file())
    return [f"/static/{one}/beans.css" for one in own]


@cache
def bean_names(language: str, variant: str = "") -> Mapping[str, Mapping[str, str]]:
    """The names of varieties in a language: short, one, many."""
    return {variety: words[language] for variety, words in _beans(variant).items()}


def bean_colour(variety: str) -> str:
    """The colour of a bean in mails; grey where its game names none."""
    colour: str = _beans(spoken_of()).get(variety, {}).get("colour", "#8d8878")
    return colour


@cache
def _beans(variant: str) -> Mapping[str, Mapping[str, Any]]:
    """What `templates/<variant>/beans.toml` and those of the games it stands on say; without a
    variant those of all games.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for folder in reversed(lineage(variant) if variant else names()):
        file = of_game("templates", folder) / "beans.toml"
        found |= tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found
