"""A closed round as the player of a seat sees it: own line first, own rows marked, and the way
to the orders.
"""

from flask import Blueprint
from flask.wrappers import Response

from gm import clock
from gm.demo import has_shown_enough
from gm.rendering.reports import own_line, own_views
from gm.rendering.turns import parts_of, turn_of
from gm.store.db import reading
from gm.web.lobby import offers, words_of_turn
from gm.web.page import database, error_page, is_practice, language, page
from gm.web.player.link import target_of

pages = Blueprint("round_page", __name__)


@pages.get("/z/<token>/r<int:number>")
@pages.get("/z/<token>/t/<int:turn>")
def own_turn(token: str, turn: int = 0, number: int = 0) -> Response:
    """The page of a turn, or of that of a round, behind a personal link, as far as it is closed."""
    with reading(database()):
        target = target_of(token)
        if target is None:
            return error_page("gone")
        game, seat = target.game, target.seat
        if 0 < number < game.round:
            turn = turn_of(database(), game, number)
        parts = parts_of(database(), game, turn)
        if not parts:
            return error_page("not_found")
        words = words_of_turn(database(), game, parts)
        have = own_line(game, words["report"], seat, language())
        # not what an earlier player alone knew
        seen = [
            own_views(database(), game, part, seat) if seat.was_played(part.closed_at) else []
            for part in parts
        ]
        words |= {
            "seat": seat,
            "link": f"/z/{target.token}",
            "have": have,
            "seen": seen,
            "own": seen[-1],
        }
        if is_practice() and has_shown_enough(database(), game, parts[-1].number):
            words["offers"] = offers()
        return page("round.html", **words, now=clock.now())
