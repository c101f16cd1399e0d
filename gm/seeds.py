"""Reads what lies in seeds/: decks, rule cases, recorded games, demos."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from gm import paths
from gm.errors import Refusal
from gm.paths import SEEDS
from rounds.engine.beans import Deck, Variety


@cache
def deck(variant: str) -> Deck:
    """The deck of a variant from `seeds/<variant>/deck.toml`. Raises FileNotFoundError or
    msgspec.ValidationError.
    """
    return Deck(
        msgspec.convert(load(SEEDS / variant / "deck.toml")["variety"], tuple[Variety, ...])
    )


def default_variant() -> str:
    """The variant that is meant if nobody names one, from `seeds/default.toml`."""
    name: str = load(SEEDS / "default.toml")["variant"]
    return name


def load(path: Path) -> dict[str, Any]:
    """A TOML file as a dict. Raises toml.BadToml with line and column."""
    return paths.read_toml(path.read_text(encoding="utf-8"))


def demo_file(variant: str) -> Path:
    """The game that `bohnenpost demo` plays of a variant. Raises Refusal, naming the variants
    that have one, if there is none.
    """
    file = SEEDS / variant / "demo.toml"
    if not file.exists():
        raise Refusal(
            "no_demo",
            variant=variant,
            others=sorted(other.parent.name for other in SEEDS.glob("*/demo.toml")),
        )
    return file


def case_files(variant: str) -> list[Path]:
    """The files with the rule cases of a variant, by name."""
    return sorted(
        file
        for file in (SEEDS / variant / "cases").glob("*.*")
        if file.suffix in (".toml", ".json")
    )
