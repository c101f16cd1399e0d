"""Invitations by mail: the page where a game can be joined, also a private one."""

import hashlib
from collections.abc import Sequence

from sqlite_utils import Database

from gm import games, outbox
from gm.db import write
from gm.outbox import Reader


def invite(db: Database, game: str, addresses: Sequence[str], language: str, mail_domain: str, now: int) -> int:
    """Mail each address the way to the table; how many are new. Raises Refusal for what is no address, with nobody invited."""
    for address in addresses:
        games.check_address(address)
    with write(db):
        games.in_status(db, game, "open")
        before = _count(db, game)
        for address in addresses:
            once = int.from_bytes(hashlib.sha256(address.lower().encode()).digest()[:6], "big")
            outbox.queue(db, game, 0, "invite", [Reader(address, language)], mail_domain, now, about=once)
        return _count(db, game) - before


def _count(db: Database, game: str) -> int:
    number: int = db.execute("SELECT count(*) FROM mail WHERE game = ? AND kind = 'invite'", [game]).fetchone()[0]
    return number
