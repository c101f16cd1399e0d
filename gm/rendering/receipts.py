"""The receipts of a seat as a text that a player keeps, and that `verify` reads beside mails."""

from gm import store
from gm.rendering.sentences import render
from gm.store.db import Database
from gm.store.games import Game
from gm.store.seats import Seat


def receipts(db: Database, game: Game, seat: Seat, language: str) -> str:
    """Every list of the seat's present player, also those that the game master typed in: orders,
    digest and salt. Of the open round only those of the present link.
    """
    places = [other.name for other in store.seats.of_game(db, game.id)]
    return render(
        language,
        "receipts.txt",
        game=game,
        seat=seat,
        place=places.index(seat.name) + 1,
        zone=game.schedule.zone,
        lists=store.lists.of_player(db, seat, game.round),
    )
