"""The schema that a database has on every engine, and what is said of one that has another."""

import re
from pathlib import Path

SCHEMA = Path(__file__).parent / "schema.sql"
_MADE = re.findall(r"^CREATE TABLE (\w+)(.*?)^\)", SCHEMA.read_text(encoding="utf-8"), re.M | re.S)
TABLES = tuple(name for name, _ in _MADE)
"""All tables; none refers to a later one."""
OF_GAMES = tuple(name for name, columns in _MADE if re.search("^    game ", columns, re.M))
"""Those whose rows belong to a game."""
NUMBERED = ("dead_link", "note", "act", "mail", "joining", "follower")
"""Those that number their rows."""


class NotOurs(Exception):
    """This is no database of this program, or cannot be opened as one."""
