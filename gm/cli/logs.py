"""The log: one line for each message, without keys, addresses or control characters.

A terminal gets plain lines; anything else gets one JSON object per line.
"""

import json
import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from gm.links import IN_TEXT

SAY_ENOUGH = 6
"""How much of a personal link, or of any other key, is shown."""
ADDRESS = re.compile(r"([^\s@<>'\"(),:;]{1,3})[^\s@<>'\"(),:;]*@(?=[A-Za-z0-9])")


def set_up(*, verbose: bool) -> None:
    """Log to stderr, from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(Plain() if sys.stderr.isatty() else Lines())
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler])
    for chatty in ("apscheduler", "waitress"):
        logging.getLogger(chatty).setLevel(logging.ERROR)


@contextmanager
def only_errors(*, unless: bool) -> Iterator[None]:
    """Log no warning of ours in this block, unless it is wanted."""
    ours = logging.getLogger("gm")
    before = ours.level
    ours.setLevel(before if unless else logging.ERROR)
    try:
        yield
    finally:
        ours.setLevel(before)


def masked(text: str) -> str:
    """Redact keys, addresses and control characters."""
    text = ADDRESS.sub(r"\1…@", IN_TEXT.sub(lambda key: f"{key[0][:SAY_ENOUGH]}…", text))
    return "".join(
        char if char.isprintable() or char in "\n\t" else f"\\x{ord(char):02x}" for char in text
    )


class Plain(logging.Formatter):
    """For a terminal: level, place, text; a traceback below."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The line, masked."""
        return masked(super().format(record))


class Lines(logging.Formatter):
    """For a file or a collector: one JSON object per line, a traceback inside it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, masked."""
        entry = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "where": record.name,
            "what": masked(record.getMessage()),
        }
        if record.exc_info:
            entry["trace"] = masked(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)
