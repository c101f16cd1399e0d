"""The page on which a seat gives up a game that knows this."""

from flask import Blueprint, request, url_for
from flask.wrappers import Response

from gm import clock, store
from gm.games.orders import Late, Refused, Replaced, TooMany
from gm.service import close_at_once, submit
from gm.web.forms import Unusable, read_form
from gm.web.page import database, error_page, installation, page, see_other
from gm.web.player.link import LinkTarget, target_of

pages = Blueprint("give_up", __name__)


@pages.get("/z/<token>/give-up")
def give_up_page(token: str) -> Response:
    """What giving up means, and what there is instead. Once it is not the turn of this seat any
    more the way back.
    """
    target = _opened(token)
    return _page(target) if target.is_playable else _back(token)


@pages.post("/z/<token>/give-up")
def give_up(token: str) -> Response:
    """Give up, if the name of another seat was typed and the page is not old."""
    target, form = _opened(token), read_form()
    number = form.get("round", "")
    if set(form) != {"round", "name"} or not (number.isascii() and number.isdigit()):
        raise Unusable("damaged")
    typed = form["name"].strip()
    if typed.casefold() not in {name.casefold() for name in _others(target)}:
        return _page(target, typed)
    game, text = target.game, target.game.engine.give_up
    try:
        submit(database(), game, target.seat, int(number[:6]), text, by="seat")
    except (Late, Refused, Replaced):
        return _back(token)  # which says how things stand
    except TooMany:
        return error_page("too_many", sent=text)
    close_at_once(installation(), game, clock.now())
    return _back(token)


def _opened(token: str) -> LinkTarget:
    target = target_of(token)
    if target is None:
        raise Unusable("gone")
    if not target.game.engine.give_up:
        raise Unusable("not_found")
    return target


def _back(token: str) -> Response:
    return see_other(url_for("play.order_page", token=token, lang=request.args.get("lang")))


def _others(target: LinkTarget) -> list[str]:
    seats = store.seats.of_game(database(), target.game.id)
    return [seat.name for seat in seats if seat.name != target.seat.name]


def _page(target: LinkTarget, typed: str | None = None) -> Response:
    return page(
        "give_up.html",
        200 if typed is None else 422,
        default_language=target.seat.language,
        game=target.game,
        seat=target.seat,
        link=f"/z/{target.token}",
        names=_others(target),
        typed=typed,
    )
