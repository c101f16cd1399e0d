"""Every command and every setting is documented."""

from dataclasses import fields
from pathlib import Path

import pytest

from gm.cli import main
from gm.config import Config
from gm.game import house_rules

COMMANDS = Path(__file__).parent.parent / "docs" / "commands.md"

pytestmark = pytest.mark.skipif(not COMMANDS.exists(), reason="the documents lie in the checkout")


def test_every_command_is_documented() -> None:
    text = COMMANDS.read_text(encoding="utf-8")
    for name, command in main.commands.items():
        assert f"`{name}" in text, name
        for inner in getattr(command, "commands", {}):
            assert f"`{name} {inner}" in text, f"{name} {inner}"


def test_every_house_rule_of_the_postal_game_is_documented() -> None:
    text = COMMANDS.read_text(encoding="utf-8")
    for rule in house_rules.known("postal"):
        values = ", ".join(f"`{value}`" for value in rule.values) or f"`{rule.choices}`"
        assert f"| `{rule.key}` | {values} | `{rule.default}` |" in text


def test_every_setting_is_documented() -> None:
    text = COMMANDS.read_text(encoding="utf-8")
    for setting in fields(Config):
        assert f"`{setting.name}`" in text, setting.name
