"""Practice: a game against robots, at once, without address or mail, and forgotten after a day."""

from flask import Blueprint, current_app, request, url_for
from flask.wrappers import Response

from gm import clock, demo, store
from gm.installation import Installation
from gm.seeds import has_demo
from gm.web.forms import read_form
from gm.web.limits import is_too_often
from gm.web.page import database, error_page, installation, is_practice, language, see_other
from gm.web.player.link import target_of
from rounds.engine.variant import names

pages = Blueprint("practice", __name__)

OF_PRACTICE = {
    "practice",
    "play",
    "round_page",
    "lobby",
    "state",
    "try_round",
    "give_up",
}
"""The blueprints whose pages a practice game has; the others are about mail, seats and people."""


@pages.post("/practice/<variant>")
def begin(variant: str) -> Response:
    """Begin a game against robots and open its order page."""
    home: Installation | None = current_app.extensions.get("practice")
    if home is None or variant not in names() or not has_demo(variant):
        return error_page("not_found")
    read_form()
    if is_too_often("practice"):
        return error_page("too_many")
    if current_app.extensions["limits"]["practice_in_all"].is_reached(""):
        return error_page("much_practice")
    with home.connection() as db:
        you = demo.begin_practice(db, home, variant, language())
    if you is None:
        return error_page("much_practice")
    link = home.path("seat", you.game, you.name, you.link_number)
    return see_other(f"{link}?lang={language()}")


@pages.post("/z/<token>/close")
def close(token: str) -> Response:
    """Close the open round of a practice game, unless it is another one than the page showed, and
    tell what happened.
    """
    target = target_of(token) if is_practice() else None
    if target is None:
        return error_page("gone")
    read_form()
    number, game, now = request.args.get("round", 0, type=int), target.game, clock.now()
    if not game.closes_at_once:
        demo.make_due(database(), game.id, number, now)
    demo.go_on(database(), installation().config, game.id)
    lang = request.args.get("lang")
    if 0 < number < store.games.existing(database(), game.id).round and not game.closes_at_once:
        return see_other(url_for("round_page.own_turn", token=token, number=number, lang=lang))
    return see_other(url_for("play.order_page", token=token, lang=lang))


@pages.before_app_request
def refuse_other_pages() -> Response | None:
    """Show nothing of a practice game that is about mail, seats or people."""
    is_other = is_practice() and request.blueprint not in OF_PRACTICE
    return error_page("not_found") if is_other else None


@pages.after_app_request
def answer_at_once(answer: Response) -> Response:
    """After a form of a practice game, let robots order and rounds that are complete close."""
    if request.method == "POST" and answer.status_code == 303 and is_practice():
        target = target_of((request.view_args or {})["token"])
        if target is not None:
            demo.go_on(database(), installation().config, target.game.id)
    return answer
