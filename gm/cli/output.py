"""Printing for commands: words from `templates/cli/`, with nothing in them that a terminal would
obey.
"""

import re
import sys
from typing import Any

import click

from gm.rendering.sentences import ISOLATES, render

OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters: old rows and strangers' files may contain anything."""


def say(template: str, *, language: str = "en", err: bool = False, **values: Any) -> None:
    """Print a template of the commands."""
    text = harmless(in_words(template, language=language, **values))
    click.echo(text, nl=bool(text) and not text.endswith("\n"), err=err)


def show_code(address: str) -> None:
    """Print an address, and as a code for phones to read."""
    import segno  # noqa: PLC0415  # most commands start without it

    segno.make(address, error="m").terminal(out=sys.stdout, compact=True)
    click.echo(address)


def in_words(template: str, *, language: str = "en", **values: Any) -> str:
    """A template of the commands, without the signs around names from right to left: a terminal
    turns them by itself, or shows the signs.
    """
    return ISOLATES.sub("", render(language, f"cli/{template}", **values))


def harmless(text: str) -> str:
    """The text with its control characters spelled out."""
    return OBEYED.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
