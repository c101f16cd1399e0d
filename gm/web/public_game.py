"""Which game an address shows: a private one only with the spectators' key."""

import hmac

from flask import g

from gm import store
from gm.links import PLACE
from gm.store.games import Game
from gm.web.page import database, installation


def visible_game(place: str) -> Game | None:
    """The game of this place; None for a draft, a wrong key, and a private game without its key."""
    named = PLACE.fullmatch(place)
    game = store.games.get(database(), named[1]) if named else None
    if named is None or game is None or game.status == "draft":
        return None
    key = named[2] or ""
    if key or not game.listed:
        g.keyed = True
    has_key = hmac.compare_digest(key, installation().token("spectators", game.id))
    return game if has_key or (game.listed and not key) else None
