"""Text in lines of a width, as terminals and mail programs show it."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from unicodedata import category, east_asian_width

from rounds.engine.witness import harmless

WHOLE_LINES: ContextVar[bool] = ContextVar("whole_lines", default=False)
"""Whether the lines of a text are as long as they are, to be broken by whatever shows them."""
OTHER_WIDTHS = re.compile("[\u0300-\u036f\u0590-\u1fff\u2300-\U0010ffff]")
"""Finds letters that may not be one column wide. Counting columns takes much longer than
counting letters.
"""


@contextmanager
def in_whole_lines() -> Iterator[None]:
    """Inside, no line of a text is broken."""
    token = WHOLE_LINES.set(True)
    try:
        yield
    finally:
        WHOLE_LINES.reset(token)


def wrapped(text: str, indent: int = 0, width: int = 72) -> str:
    """Text in lines of at most `width` columns, further ones indented. Parts joined by a
    no-break space stay together. Inside `in_whole_lines` no line is broken.

    No line is read as proof.
    """
    width = sys.maxsize if WHOLE_LINES.get() else width
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        line, length = "", columns if OTHER_WIDTHS.search(paragraph) else len
        for word in paragraph.split(" "):
            room = width - (indent if lines else 0)
            if line and length(line) + 1 + length(word) > room:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    written = (harmless(line).replace("\u00a0", " ") for line in lines)
    return "\n".join(
        f"{' ' * indent if number and line else ''}{line}" for number, line in enumerate(written)
    )


def columns(text: str) -> int:
    """How many columns a text takes in a terminal: two for a wide letter, none for a sign above
    or below another.
    """
    return sum(
        0 if category(char) in ("Mn", "Me", "Cf") else 2 if east_asian_width(char) in "WF" else 1
        for char in text
    )


def padded(text: str, width: int) -> str:
    """A text padded with blanks to a number of columns."""
    return text + " " * (width - columns(text))
