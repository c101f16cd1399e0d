"""Links that open something. Each ends in a token, an HMAC of what it is for and for whom; the
database holds only hashes of tokens.
"""

import base64
import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path
from typing import NamedTuple

from rounds.engine.shuffle import enc

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
IN_TEXT = re.compile(rf"(?<![A-Za-z0-9_-]){TOKEN.pattern}(?![A-Za-z0-9_-])")
"""A token among other words, alone or at the end of a link."""
API_TOKEN = re.compile(rf"([a-z0-9][a-z0-9-]{{0,31}})\.([1-9][0-9]{{0,3}})\.({TOKEN.pattern})")
"""What a program signs with: game, number of the seat, token."""
PLACE = re.compile(rf"([a-z0-9][a-z0-9-]{{0,31}})(?:\.({TOKEN.pattern}))?")
"""The name of a game in the paths of its pages: its id, and for a private game the spectators' key.
"""
KEY_BYTES = 32
PRACTICE = "practice--"
PRACTICE_ID = re.compile(PRACTICE + "[a-z2-7]{12}")
"""The id of a practice game."""
ENDS, ENDS_OF_PRACTICE = "AEIMQUYcgkosw048", "BFJNRVZdhlptx159"
"""The last character of a token holds four bits of six. In a token of a practice game the others
are not zero, so the address alone says where it is to be looked up.
"""


class Link(NamedTuple):
    """A kind of link: what its token is for, and its path."""

    use: str
    path: str


LINKS = {
    "seat": Link("link", "/z/{token}"),
    "calendar": Link("calendar", "/c/{token}.ics"),
    "unsubscribe": Link("unsubscribe", "/u/{token}"),
    "news_of_act": Link("news-of-act", "/u/several/{number}/{token}"),
    "my_games": Link("my-games", "/m/{token}"),
    "joining": Link("join", "/j/{number}/{token}"),
    "invited": Link("invited", "/i/{number}/{token}"),
    "follow": Link("follow", "/follow/{number}/{token}"),
    "unfollow": Link("follow", "/u/follow/{number}/{token}"),
    "invitation": Link("invite", "/p/{game}/join/{token}"),
    "password": Link("password", "/desk/password/{who}/{token}"),
}
"""In this order: a seat's page, its calendar feed, where a mail program stops its reminders, or
news of several games; the page of all seats of an address; the buttons that take a seat that was
asked for, or that somebody was invited to, and begin and end following; the door of a private game;
where a game master sets a password.
"""


def new_key(file: Path) -> None:
    """A fresh link key in a file that only its owner may read."""
    with open(file, "xb", opener=_private) as out:  # Path.open knows no opener
        out.write(secrets.token_bytes(KEY_BYTES))


def path(key: bytes, kind: str, game: str = "", who: str = "", number: int = 0) -> str:
    """The path of a link: its kind, the game, the name of a seat or an address, and a number."""
    link = LINKS[kind]
    # an address may hold / ? # and %
    spelled = base64.urlsafe_b64encode(who.encode()).decode().rstrip("=")
    return link.path.format(
        game=game, who=spelled, number=number, token=token(key, game, who, number, link.use)
    )


def token(key: bytes, game: str, who: str, number: int, use: str = "link") -> str:
    """The 43 characters that a link ends in. Raising the number makes another one and kills this.

    Tokens of different uses never open the same thing.
    """
    mac = hmac.digest(key, enc(f"bohn1.{use}", game, who, str(number)), "sha256")
    text = base64.urlsafe_b64encode(mac).rstrip(b"=").decode()
    if is_practice(game):
        text = text[:-1] + ENDS_OF_PRACTICE[ENDS.index(text[-1])]
    return text


def new_practice_id() -> str:
    """The id of another practice game."""
    return PRACTICE + base64.b32encode(secrets.token_bytes(8)).decode().lower()[:12]


def is_practice(word: str) -> bool:
    """True for the id, the place and the tokens of a practice game."""
    is_token = TOKEN.fullmatch(word) is not None
    return (
        word[-1] in ENDS_OF_PRACTICE
        if is_token
        else bool(PRACTICE_ID.fullmatch(word.partition(".")[0]))
    )


def token_hash(text: str) -> str:
    """The hash that is stored of a link, and that it is looked up by."""
    return hashlib.sha256(text.encode()).hexdigest()


def key_check(key: bytes) -> str:
    """What the database stores to notice that the key file was lost or exchanged; it reveals
    nothing of the key.
    """
    return hmac.digest(key, b"bohn1.link-key-check", "sha256").hex()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
