"""Every row and every statement: a module for each family of tables, called by its name, as in
`store.mails.due(db, now)`.

`db` opens the one SQLite file and is the only way to change it; what concerns the file as a
whole lies in `file/`.
"""

from gm.store import (
    accounts,
    acts,
    connections,
    db,
    due,
    games,
    lists,
    mails,
    meta,
    notes,
    requests,
    rounds,
    seats,
    told,
)

__all__ = [
    "accounts",
    "acts",
    "connections",
    "db",
    "due",
    "games",
    "lists",
    "mails",
    "meta",
    "notes",
    "requests",
    "rounds",
    "seats",
    "told",
]
