"""Game masters who may sign in."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm.clock import DAY
from gm.store.db import select_one, update

LINK_SECONDS = 7 * DAY


class Master(Struct, frozen=True):
    """A game master who may sign in. `password`: hashed, None before the first one; `link_number`: of the one-time link.

    `mails`: the kinds of mail chosen, beside those that always come.
    `host`: whether they look after this installation, and may let game masters go.
    """

    address: str
    name: str
    language: str
    password: str | None
    link_number: int
    link_at: int
    mails: str
    host: int

    @property
    def link_ends(self) -> int:
        """Until when the one-time link works, unless it is used before."""
        return self.link_at + LINK_SECONDS

    @property
    def chosen(self) -> tuple[str, ...]:
        """The kinds of mail this game master wants."""
        return msgspec.json.decode(self.mails, type=tuple[str, ...])


def gm_of(db: Database, address: str) -> Master | None:
    """The game master with this mail address."""
    return select_one(db, Master, "SELECT * FROM gm WHERE address = lower(?)", address)


def update_master(db: Database, address: str, changed: Mapping[str, Any]) -> None:
    """Change these columns of a game master."""
    update(db, "gm", {"address": address.lower()}, changed)


def standby_list(db: Database) -> list[dict[str, Any]]:
    """Everybody who would take over a seat, longest first: name, language, address, whose list they are on, and since when."""
    return list(db.query("SELECT name, language, address, gm, at FROM standby ORDER BY at"))


def standby_of(db: Database, master: str) -> list[dict[str, object]]:
    """Who would take over a seat, as far as this game master sees it, longest first; each address once."""
    sql = "SELECT *, min(at) AS at FROM standby WHERE gm IN ('', ?) GROUP BY address ORDER BY at"
    return list(db.query(sql, [master]))
