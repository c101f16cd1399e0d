"""Following a game: the forms, the button in the mail, and the one click that ends it."""

import hmac

from flask import Blueprint, g, request, url_for
from flask.wrappers import Response

from gm import clock, store
from gm.errors import Refusal
from gm.links import TOKEN
from gm.people import following
from gm.store.games import Game
from gm.store.requests import Follower
from gm.web.forms import Unusable, read_form, typed_address
from gm.web.page import database, installation, language, page, see_other
from gm.web.public_game import visible_game

pages = Blueprint("follow", __name__)


@pages.get("/opens")
def ask_for_openings() -> Response:
    """The form for a mail whenever a game opens."""
    return _form(None)


@pages.post("/opens")
def send_for_openings() -> Response:
    """Mail a button to the address."""
    return _send(None)


@pages.get("/p/<place>/follow")
def ask_for_game(place: str) -> Response:
    """The form for the reports of a game."""
    return _form(_public(place))


@pages.post("/p/<place>/follow")
def send_for_game(place: str) -> Response:
    """Mail a button to the address. The answer is the same whether or not it follows already."""
    return _send(_public(place))


@pages.get("/follow/<int:number>/<token>")
@pages.get("/u/follow/<int:number>/<token>")
def follower_page(number: int, token: str) -> Response:
    """Asks first: mail scanners open every link. Says all that is stored."""
    return _follower_page(_follower(number, token))


@pages.post("/follow/<int:number>/<token>")
def confirm(number: int, token: str) -> Response:
    """The button: mails come from now on. A scanner that presses every button leaves the box as
    it is.
    """
    follower = _follower(number, token)
    if set(read_form()) != {"mine"}:
        return _follower_page(follower, 422)
    try:
        following.confirm(database(), follower, clock.now())
    except Refusal as refusal:
        return _follower_page(follower, 409, refusal)
    return _follower_page(_follower(number, token), is_new=True)


@pages.post("/u/follow/<int:number>/<token>")
def stop(number: int, token: str) -> Response:
    """One click (RFC 8058): no more of these mails, and nothing of the follower is kept.

    A scanner that presses every button before the first mail leaves the box as it is: the mail
    still does what it is for.
    """
    follower = _follower(number, token)
    if follower.confirmed_at is None and not (
        request.form.get("forget") or request.form.get("List-Unsubscribe")
    ):
        return _follower_page(follower, 422)
    answer = _follower_page(follower, is_stopped=True)
    following.stop(database(), follower.id, clock.now())
    return answer


def _public(place: str) -> Game:
    """A game that can be followed. Raises Unusable for any other, as if there were none."""
    game = visible_game(place)
    if game is None or not following.can_be_followed(game):
        raise Unusable("not_found")
    return game


def _send(game: Game | None) -> Response:
    address = typed_address()
    try:
        own = installation().config.mail_address
        following.ask(database(), game, address, language(), clock.now(), own=own)
    except Refusal as refusal:
        return _form(game, refusal, address)
    return see_other(url_for("join.sent", what="follow", lang=language()))


def _form(game: Game | None, refusal: Refusal | None = None, typed: str = "") -> Response:
    return page("follow.html", 422 if refusal else 200, game=game, refusal=refusal, typed=typed)


def _follower(number: int, token: str) -> Follower:
    """The follower of a mailed link. Raises Unusable for a wrong link."""
    follower = (
        store.requests.follower(database(), number)
        if TOKEN.fullmatch(token) and number < 2**63
        else None
    )
    if follower is None or not hmac.compare_digest(
        token, installation().token("follow", *follower.whose)
    ):
        raise Unusable("gone_follow")
    g.language = follower.language
    return follower


def _follower_page(
    follower: Follower,
    status: int = 200,
    refusal: Refusal | None = None,
    *,
    is_new: bool = False,
    is_stopped: bool = False,
) -> Response:
    return page(
        "follower.html",
        status,
        of=follower,
        game=store.games.get(database(), follower.game) if follower.game else None,
        now=clock.now(),
        stop=installation().path("unfollow", *follower.whose),
        start=installation().path("follow", *follower.whose),
        refusal=refusal,
        is_new=is_new,
        is_stopped=is_stopped,
    )
