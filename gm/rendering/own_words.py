"""The words of a game's own: which of its templates are used."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache

from gm.paths import TEMPLATES
from rounds.engine.events import Event
from rounds.engine.notation import Problem
from rounds.engine.variant import Step, defined_by


def for_variant(variant: str, name: str) -> list[str]:
    """The variant's own template of this name, else the plain one that serves any variant."""
    return [f"{variant}/{name}", f"plain/{name}"]


def words_of(value: Event | Problem, file: str) -> list[str]:
    """The templates in which the sentence for a value may stand: that of the folder that defines
    it, then the common one.
    """
    variant = defined_by(type(value))
    return [f"{variant}/{file}", file] if variant else [file]


@cache
def has_template(name: str) -> bool:
    """True if there is a template of this name."""
    return (TEMPLATES / name).is_file()


def of_kind(events: Iterable[Event], *kinds: str) -> list[Event]:
    """The events of these kinds."""
    return [event for event in events if event.kind in kinds]


def happens(steps: Iterable[Step]) -> list[Event]:
    """The events of these steps, one after the other."""
    return [event for step in steps for event in step.events]


@cache
def bean_names(language: str) -> Mapping[str, Mapping[str, str]]:
    """The names of all varieties in a language, from every `templates/<variant>/beans.toml`:
    short, one, many.
    """
    names: dict[str, Mapping[str, str]] = {}
    for file in sorted(TEMPLATES.glob("*/beans.toml")):
        with file.open("rb") as data:
            names |= {variety: words[language] for variety, words in tomllib.load(data).items()}
    return names
