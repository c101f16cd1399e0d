"""Invitations by mail: the page where a game can be joined, also a private one."""

from collections.abc import Sequence

from sqlite_utils import Database

from gm import games, outbox, refused
from gm.db import write
from gm.outbox import Reader
from gm.refusal import Refusal
from gm.spelling import checked_address


def invite(db: Database, game: str, addresses: Sequence[str], language: str, mail_domain: str, now: int) -> int:
    """Mail each address the way to the table; how many go out: one that was refused goes again.

    Raises Refusal for an odd address or language, nobody invited.
    """
    addresses = [checked_address(address) for address in addresses]
    if language not in games.LANGUAGES:
        raise Refusal("bad_language", language=language)
    with write(db):
        games.in_status(db, game, "open")
        asked = {address.casefold() for address in addresses}
        mails = [mail for mail in refused.unsent(db, game, refused=True) if mail.kind == "invite"]
        again = [mail.id for mail in mails if mail.address.casefold() in asked]
        before = _count(db, game)
        for address in addresses:
            outbox.queue(db, game, 0, "invite", [Reader(address, language)], mail_domain, now, about=outbox.once(address))
        return _count(db, game) - before + refused.retry(db, again, now)


def _count(db: Database, game: str) -> int:
    number: int = db.execute("SELECT count(*) FROM mail WHERE game = ? AND kind = 'invite'", [game]).fetchone()[0]
    return number
