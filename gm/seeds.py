"""Reads what lies in seeds/: decks, recorded games, demos."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from gm import paths
from gm.errors import Refusal
from rounds.engine.beans import Deck, PileCard, Variety
from rounds.engine.variant import BadPackage, installed, names, refuse_bad_packages


@cache
def deck(variant: str) -> Deck:
    """The deck of a variant from `seeds/<variant>/deck.toml`; each of the other `piles` that it
    names has a file of its own beside it. Raises FileNotFoundError or msgspec.ValidationError.
    """
    folder = paths.of_game("seeds", variant)
    found = msgspec.convert(load(folder / "deck.toml"), _DeckFile)
    return Deck(
        found.variety, {name: _read_pile_cards(folder / f"{name}.toml") for name in found.piles}
    )


class _DeckFile(msgspec.Struct, forbid_unknown_fields=True):
    variety: tuple[Variety, ...]
    piles: tuple[str, ...] = ()


def _read_pile_cards(file: Path) -> tuple[PileCard, ...]:
    cards = msgspec.convert(load(file)["card"], tuple[PileCard, ...])
    if len({card.id for card in cards}) < len(cards):
        raise msgspec.ValidationError(f"{file.name}: a card is there twice")
    return cards


def refuse_bad_games() -> None:
    """Raises BadPackage if a package from outside brings no game that can be played, or one
    without a deck.
    """
    refuse_bad_packages()
    for name, package in installed().items():
        try:
            deck(name)
        except (OSError, KeyError, ValueError) as error:
            raise BadPackage(f"the deck of the package {package!r}: {error}") from None


def default_variant() -> str:
    """The variant that is meant if nobody names one, from `seeds/default.toml`."""
    name: str = load(paths.SEEDS / "default.toml")["variant"]
    return name


def load(path: Path) -> dict[str, Any]:
    """A TOML file as a dict. Raises toml.BadToml with line and column."""
    return paths.read_toml(path.read_text(encoding="utf-8"))


def demo_file(variant: str) -> Path:
    """The file of the game that `bohnenpost demo` plays. If the variant has none, raises Refusal
    and names the variants that have.
    """
    if not has_demo(variant):
        raise Refusal("no_demo", variant=variant, others=[*filter(has_demo, names())])
    return _demo_file(variant)


def has_demo(variant: str) -> bool:
    """Whether a variant has a game that is played against robots."""
    return _demo_file(variant).exists()


def _demo_file(variant: str) -> Path:
    return paths.of_game("seeds", variant) / "demo.toml"
