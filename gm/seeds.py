"""Reads what lies in seeds/: decks, rule cases, recorded games, demos."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from gm import paths
from gm.errors import Refusal
from gm.paths import SEEDS
from rounds.engine.beans import Deck, PileCard, Variety
from rounds.engine.variant import installed, names


def of_game(variant: str) -> Path:
    """The folder of a game with its deck, rule cases, recorded games and demo."""
    return paths.of_game("seeds", variant) if variant in installed() else SEEDS / variant


@cache
def deck(variant: str) -> Deck:
    """The deck of a variant from `seeds/<variant>/deck.toml`; each of the other `piles` that it
    names has a file of its own beside it. Raises FileNotFoundError or msgspec.ValidationError.
    """
    folder = of_game(variant)
    found = msgspec.convert(load(folder / "deck.toml"), _DeckFile)
    return Deck(found.variety, {name: _pile(folder / f"{name}.toml") for name in found.piles})


class _DeckFile(msgspec.Struct, forbid_unknown_fields=True):
    variety: tuple[Variety, ...]
    piles: tuple[str, ...] = ()


def _pile(file: Path) -> tuple[PileCard, ...]:
    cards = msgspec.convert(load(file)["card"], tuple[PileCard, ...])
    if len({card.id for card in cards}) < len(cards):
        raise msgspec.ValidationError(f"{file.name}: a card is there twice")
    return cards


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
    file = of_game(variant) / "demo.toml"
    if not file.exists():
        raise Refusal(
            "no_demo",
            variant=variant,
            others=[name for name in names() if (of_game(name) / "demo.toml").exists()],
        )
    return file


def case_files(variant: str) -> list[Path]:
    """The files with the rule cases of a variant, by name."""
    return sorted(
        file
        for file in (of_game(variant) / "cases").glob("*.*")
        if file.suffix in (".toml", ".json")
    )
