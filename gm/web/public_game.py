"""Which game an address shows: a private one only with the spectators' key."""

import hmac

from flask import current_app, g

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


def seat_link(game: Game, taken: int) -> str:
    """The address under which others take a seat; empty if none can be taken. `taken`: how many
    are. That of a private game is for its players only.
    """
    if game.status != "open" or (game.seats is not None and taken >= game.seats):
        return ""
    home = installation()
    if "tonight" in current_app.extensions:
        return home.tonight_url(game.id)
    return f"{home.game_url(game)}/join" if game.listed else home.url("invitation", game.id)
