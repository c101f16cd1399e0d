"""TOML as every door reads it: settings, rule cases, decks. Nothing nested or dotted without need."""

import tomllib
from typing import Any

MOST_DOTS = 16
"""In one key or heading. The time the reader takes grows with the square of them."""


class BadToml(ValueError):
    """A text that is not read as TOML. The message says why, and where if there is one place."""


def read(text: str) -> dict[str, Any]:
    """A TOML document as a dict. Raises BadToml."""
    for number, line in enumerate(text.splitlines(), start=1):
        pieces = [] if line.lstrip().startswith("#") else line.split("=")
        if any(key.count(".") > MOST_DOTS for key in pieces[:-1] or pieces):
            raise BadToml(f"a key of more than {MOST_DOTS + 1} parts (at line {number}, column 1)")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadToml("nested too deeply") from None
    except ValueError as error:  # also a number of thousands of digits
        raise BadToml(str(error)) from None
