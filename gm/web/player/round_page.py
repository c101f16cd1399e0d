"""A closed round as the player of a seat sees it: own line first, own rows marked, and the way
to the orders.
"""

from flask import Blueprint
from flask.wrappers import Response

from gm import clock
from gm.rendering.reports import own_line, own_views, report
from gm.store.db import reading
from gm.web.lobby import words_of_round
from gm.web.page import database, error_page, language, page
from gm.web.player.link import target_of

pages = Blueprint("round_page", __name__)


@pages.get("/z/<token>/r<int:number>")
def own_round(token: str, number: int) -> Response:
    """The page of a round behind a personal link."""
    with reading(database()):
        target = target_of(token)
        if target is None:
            return error_page("gone")
        if not 0 < number < target.game.round:
            return error_page("not_found")
        game, seat = target.game, target.seat
        closed = report(database(), game, number)
        words = words_of_round(database(), game, closed)
        have = own_line(game, closed, seat, language())
        was_theirs = seat.was_played(closed.closed_at)  # not what an earlier player alone knew
        own = own_views(database(), game, closed, seat) if was_theirs else []
        words |= {"seat": seat, "link": f"/z/{token}", "have": have, "own": own}
        return page("round.html", **words, now=clock.now())
