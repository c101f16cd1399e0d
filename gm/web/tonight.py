"""Friends in one room: the page on the machine itself, with the code that phones read, and the page
on which they sit down.
"""

import hmac

from flask import Blueprint, request, url_for
from flask.wrappers import Response

from gm import clock, store
from gm.errors import Refusal
from gm.games import tonight
from gm.links import token_hash
from gm.people import seating
from gm.store.games import Game
from gm.store.seats import Seat
from gm.web.forms import MAX_TYPED, Unusable, read_form
from gm.web.guard import is_this_machine
from gm.web.page import database, error_page, installation, language, page, see_other
from rounds.engine.record import MAX_NAME

pages = Blueprint("tonight", __name__)

COOKIE = "seat"
"""Keeps the personal link of a phone that has sat down, for when it reads the code again."""


@pages.get("/tonight")
def room() -> Response:
    """The waiting room, on this machine alone."""
    return _room()


@pages.post("/tonight/<any(begin, away, link):act>")
def act_in_room(act: str) -> Response:
    """Begin the game, take a seat away before, or give a new link to somebody who lost theirs."""
    game, form = _game_here(), read_form()
    name = form.get("seat", "")
    try:
        if act == "begin" and game.status == "running":
            pass  # pressed twice
        elif act == "begin":
            tonight.begin(database(), installation().link_key, game.id, clock.now())
        elif act == "link":
            return _room(lost=_new_link(game, name))
        else:
            tonight.take_away(database(), game.id, name)
    except Refusal as refusal:
        return _room(refusal)
    return see_other(url_for("tonight.room", lang=request.args.get("lang")))


@pages.get("/t/<code>")
def sit_down_page(code: str) -> Response:
    """Who is in, and the name to type; whoever sits already is led to their own page."""
    game = _game_of(code)
    if link := _own_link(game):
        return see_other(link)
    if game.status != "open":
        return error_page("gone_tonight")
    return _form(game)


@pages.post("/t/<code>")
def sit_down(code: str) -> Response:
    """Take a seat under a name."""
    game, home, form = _game_of(code), installation(), read_form()
    name = form.get("name", "")
    if set(form) != {"name"} or len(name) > MAX_TYPED:
        raise Unusable("damaged")
    if link := _own_link(game):
        return see_other(link)
    try:
        now, lang = clock.now(), language()
        seat = tonight.sit_down(database(), home.link_key, game.id, name, lang, now)
    except Refusal as refusal:
        return _form(game, refusal, name)
    link = home.path("seat", game.id, seat.name, seat.link_number)
    answer = see_other(f"{link}?lang={lang}")
    answer.set_cookie(COOKIE, link, httponly=True, samesite="Lax", path=f"/t/{code}")
    return answer


def _game_here() -> Game:
    """The game of tonight, for whoever sits at this machine. Raises Unusable for others."""
    game = tonight.current(database()) if is_this_machine(request.remote_addr or "") else None
    if game is None:
        raise Unusable("not_found")
    return game


def _new_link(game: Game, name: str) -> tuple[Seat, str]:
    """A seat with its new link, to be read by the phone of whoever sits there."""
    home = installation()
    seat = seating.renew_link_by_hand(database(), home.link_key, game.id, name, clock.now())
    return seat, home.url("seat", game.id, seat.name, seat.link_number)


def _room(refusal: Refusal | None = None, lost: tuple[Seat, str] | None = None) -> Response:
    game = _game_here()
    seats = store.seats.of_game(database(), game.id)
    address = installation().tonight_url(game.id)
    return page(
        "tonight_room.html",
        409 if refusal else 200,
        default_language=game.gm_language,
        game=game,
        seats=seats,
        others=store.seats.actual_players(seats),
        missing=max(0, tonight.least(game) - len(seats)),
        address=address,
        lost=lost,
        refusal=refusal,
    )


def _game_of(code: str) -> Game:
    """The game that phones join by this code. Raises Unusable for any other code."""
    game = tonight.current(database())
    if game is None or not hmac.compare_digest(code.lower().encode(), _code(game)):
        raise Unusable("gone_tonight")
    return game


def _code(game: Game) -> bytes:
    return installation().tonight_url(game.id).rpartition("/")[2].encode()


def _own_link(game: Game) -> str | None:
    """The personal link that this phone has got for the game, if it still opens the seat."""
    link = request.cookies.get(COOKIE, "")
    seat = store.seats.by_link(database(), token_hash(link.rpartition("/")[2]))
    return link if seat is not None and seat.game == game.id and link.startswith("/z/") else None


def _form(game: Game, refusal: Refusal | None = None, typed: str = "") -> Response:
    seats = store.seats.of_game(database(), game.id)
    return page(
        "tonight_join.html",
        422 if refusal else 200,
        game=game,
        names=[seat.name for seat in seats],
        others=store.seats.actual_players(seats),
        refusal=refusal,
        typed=typed,
        max_name=MAX_NAME,
    )
