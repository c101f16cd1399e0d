"""Every command and every setting is documented, and the rules say the same in both languages."""

import re
from collections import Counter
from dataclasses import fields
from itertools import zip_longest
from pathlib import Path

import pytest

from gm.cli import main
from gm.config import Config
from gm.games import house_rules
from gm.rendering.own_words import bean_names

COMMANDS = Path(__file__).parent.parent / "docs" / "commands.md"
RULES = COMMANDS.parent / "rules"

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


def sections(name: str) -> list[str]:
    """The rules, cut before every heading and every ruling."""
    return re.split(
        r"^(?=#|\*\*P\d|- \*\*T\d)", (RULES / name).read_text(encoding="utf-8"), flags=re.MULTILINE
    )[1:]


def said(section: str) -> dict[str, object]:
    """What both languages must have alike: the level and the number of a heading or a ruling,
    figures, code, readings, cells.
    """
    plain = re.sub(r"(?<=\d),(?=\d)", ".", section)
    return {
        "begins": re.match(
            r"(#+|\*\*|- \*\*)(?: ?(?:Part|Teil))? ?([PT]\d+|[\d.]*)", section, re.DOTALL
        ).groups(),  # type: ignore[union-attr]
        "figures": sorted(re.findall(r"\d+(?:\.\d+)*", plain)),
        "code": Counter(re.findall(r"`[^`]+`", section)),
        "readings": re.findall(r"\(([a-e])\)", section),
        "items": len(re.findall(r"^(?:-|\d\.) ", section, re.MULTILINE)),
        "cells": [line.count(" |") for line in section.splitlines() if line.startswith("| ")],
    }


def test_the_rules_say_the_same_in_both_languages() -> None:
    for english, german in zip_longest(
        sections("postal.md"), sections("postal.de.md"), fillvalue=""
    ):
        assert said(english) == said(german), german


def test_the_worked_examples_name_the_same_beans_in_both_languages() -> None:
    names = {variety: words["short"] for variety, words in bean_names("de").items()}
    both = zip(sections("postal.md"), sections("postal.de.md"), strict=True)
    worked = [(en, de) for en, de in both if en.startswith(("## 1.6", "## 1.7"))]
    assert len(worked) == 2
    for english, german in worked:
        expected = [names[variety] for variety in re.findall(rf"\b({'|'.join(names)})\b", english)]
        assert len(expected) > 10
        assert re.findall(rf"\b({'|'.join(names.values())})\b", german) == expected
