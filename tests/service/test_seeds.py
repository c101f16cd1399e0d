"""What lies in seeds/: every variant has a deck."""

import shutil
from pathlib import Path

import msgspec
import pytest

from gm import paths, seeds
from gm.cli.demo import run_demo
from gm.errors import Refusal
from gm.paths import BadToml
from gm.rendering.sentences import sentence
from rounds.engine.variant import names


def test_every_variant_has_a_deck_with_cards_that_pay() -> None:
    for name in names():
        deck = seeds.deck(name)
        assert deck.size > 0
        assert all(
            variety.cards > 0 and variety.full >= variety.first > 0 for variety in deck.varieties
        )
        assert len(set(deck.ids)) == len(deck.ids)


def test_the_game_that_is_meant_if_nobody_says_is_declared_whatever_sorts_before_it() -> None:
    assert names().index("classic") < names().index("postal")
    assert seeds.default_variant() == "postal"


def test_a_demo_is_a_file_of_its_variant_and_one_without_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seeds.demo_file("postal").name == "demo.toml"
    monkeypatch.setattr(paths, "SEEDS", shutil.copytree(paths.SEEDS, tmp_path / "seeds"))
    (tmp_path / "seeds" / "duel" / "demo.toml").unlink()
    with pytest.raises(Refusal) as refused:
        seeds.demo_file("duel")
    others = ", ".join(
        name for name in names() if (paths.of_game("seeds", name) / "demo.toml").exists()
    )
    assert sentence("en", refused.value) == f"There is no demo of “duel”; there are: {others}."
    with pytest.raises(Refusal):
        run_demo("duel", 0, None, None, print)


def test_a_deck_is_read_once() -> None:
    assert seeds.deck("postal") is seeds.deck("postal")


def test_a_variant_that_is_none_has_no_deck() -> None:
    with pytest.raises(FileNotFoundError):
        seeds.deck("missing")


@pytest.mark.parametrize(
    "text",
    [
        '[[variety]]\nid = "bush"\ncards = 16',
        '[[variety]]\nid = "bush"\ncards = "16"\nbeanometer = [3, 5, 7, 8]',
        "[[variety]]\nid = 7\ncards = 16\nbeanometer = [3, 5, 7, 8]",
        '[[variety]]\nid = "bush"\ncards = 16\nbeanometer = 3',
        "variety = 7",
    ],
)
def test_a_damaged_deck_is_no_deck(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "deck.toml").write_text(text)
    monkeypatch.setattr(paths, "SEEDS", tmp_path)
    with pytest.raises(msgspec.ValidationError):
        seeds.deck.__wrapped__("odd")


def test_a_file_is_read_as_utf_8_and_a_slip_has_its_line(tmp_path: Path) -> None:
    file = tmp_path / "demo.toml"
    file.write_bytes("name = 'Dörte'\n".encode())
    assert seeds.load(file) == {"name": "Dörte"}
    file.write_text("name = 'Anna'\nname = \n")
    with pytest.raises(BadToml, match="line 2"):
        seeds.load(file)
