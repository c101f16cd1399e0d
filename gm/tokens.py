"""Personal links: an HMAC of game, seat and link number opens one seat of one game. The database holds only its hash."""

import base64
import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

from rounds.shuffle import enc

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
IN_TEXT = re.compile(rf"(?<![A-Za-z0-9_-]){TOKEN.pattern}(?![A-Za-z0-9_-])")
"""A token among other words, alone or at the end of a link."""
API_TOKEN = re.compile(rf"([a-z0-9][a-z0-9-]{{0,31}})\.([1-9][0-9]{{0,3}})\.({TOKEN.pattern})")
"""What a program signs with: game, number of the seat, token."""
PLACE = re.compile(rf"([a-z0-9][a-z0-9-]{{0,31}})(?:\.({TOKEN.pattern}))?")
"""What the pages of a game are named by: its id, for a private game with the spectators' key behind it."""
KEY_BYTES = 32


def new_key(file: Path) -> None:
    """A fresh link key in a file that only its owner may read."""
    with open(file, "xb", opener=_private) as out:  # Path.open knows no opener
        out.write(secrets.token_bytes(KEY_BYTES))


def token(key: bytes, game: str, seat: str, number: int, use: str = "link") -> str:
    """The 43 characters of a personal link. Raising the number makes another one and kills this.

    Another `use` (`calendar`, `unsubscribe`) makes a token of its own, which opens nothing else.
    """
    mac = hmac.digest(key, enc(f"bohn1.{use}", game, seat, str(number)), "sha256")
    return base64.urlsafe_b64encode(mac).rstrip(b"=").decode()


def token_hash(text: str) -> str:
    """What a seat stores of its link, and what it is looked up by."""
    return hashlib.sha256(text.encode()).hexdigest()


def key_check(key: bytes) -> str:
    """What the database stores to notice that the key file was lost or exchanged; it reveals nothing of the key."""
    return hmac.digest(key, b"bohn1.link-key-check", "sha256").hex()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
