"""Taking a seat by oneself: the form, the page behind the mailed link, and the form for lost
links.
"""

import hmac

from flask import Blueprint, g, url_for
from flask.wrappers import Response

from gm import clock, store
from gm.errors import Refusal
from gm.links import TOKEN
from gm.people import joining
from gm.rendering.dates import LANGUAGES
from gm.rendering.reports import rules_line
from gm.store.games import Game
from gm.store.requests import Joining
from gm.web.forms import MAX_TYPED, Unusable, read_form, typed_address
from gm.web.limits import is_too_often
from gm.web.page import database, error_page, installation, language, page, see_other
from rounds.engine.record import GAME_ID, MAX_NAME

pages = Blueprint("join", __name__)

CONTROL = {
    "bad_name": "name",
    "name_taken": "name",
    "name_mixed": "name",
    "name_reserved": "name",
    "bad_address": "address",
    "no_person": "address",
}
"""The control that a refusal belongs to."""


@pages.get("/p/<game_id>/join")
@pages.get("/p/<game_id>/join/<token>")
def join_page(game_id: str, token: str = "") -> Response:
    """The form for a seat, the house rules and the promise behind the deck. A private game opens
    by its invitation link only.
    """
    game = _open_to(game_id, token)
    return error_page("not_found") if game is None else _form(game)


@pages.post("/p/<game_id>/join")
@pages.post("/p/<game_id>/join/<token>")
def join(game_id: str, token: str = "") -> Response:
    """Mail a button to the address. The answer is the same whether or not the address is known."""
    game = _open_to(game_id, token)
    if game is None:
        return error_page("not_found")
    form = read_form()
    if is_too_often("mail"):
        return error_page("too_many_mails")
    typed = {name: form.get(name, "").strip() for name in ("name", "address", "language")}
    if (
        set(form) - set(typed)
        or typed["language"] not in LANGUAGES
        or any(len(text) > MAX_TYPED for text in typed.values())
    ):
        raise Unusable("damaged")
    try:
        own = installation().config.mail_address
        joining.request_seat(database(), game.id, now=clock.now(), own=own, **typed)
    except Refusal as refusal:
        return _form(game, refusal, typed)
    return see_other(url_for("join.sent", what="seat", lang=language()))


@pages.get("/j/<int:number>/<token>")
def seat_page(number: int, token: str) -> Response:
    """Asks first: mail scanners open every link."""
    request_of_link = _asked(number, token)
    if request_of_link is None:
        return error_page("gone")
    asked, game = request_of_link
    return page("seat.html", default_language=asked.language, asked=asked, game=game, refusal=None)


@pages.post("/j/<int:number>/<token>")
def take_seat(number: int, token: str) -> Response:
    """Take the seat; from here on the personal link opens it."""
    request_of_link = _asked(number, token)
    if request_of_link is None:
        return error_page("gone")
    asked, game = request_of_link
    form, home = read_form(), installation()
    values = {"asked": asked, "game": game}
    if set(form) != {"mine"}:  # a scanner that presses every button leaves the box as it is
        return page("seat.html", 422, default_language=asked.language, refusal=None, **values)
    try:
        seat = joining.confirm_seat(database(), home.link_key, asked, clock.now())
    except Refusal as refusal:
        return page("seat.html", 409, default_language=asked.language, refusal=refusal, **values)
    link = home.path("seat", game.id, seat.name, seat.link_number)
    return see_other(f"{link}?lang={language(seat.language)}")


@pages.post("/links")
def lost_links() -> Response:
    """Mail the links of an address. The answer is the same whether or not the address is known."""
    address = typed_address()
    try:
        joining.send_links(database(), address, clock.now())
    except Refusal as refusal:
        return page("links.html", 422, refusal=refusal, typed=address)
    return see_other(url_for("join.sent", what="links", lang=language()))


@pages.get("/sent/<any(seat, links, games, follow):what>")
def sent(what: str) -> Response:
    """The page that says: look into your mailbox."""
    return page("sent.html", what=what)


def _open_to(game_id: str, token: str) -> Game | None:
    """The game that this address may join; a private one needs its invitation."""
    game = store.games.get(database(), game_id) if GAME_ID.fullmatch(game_id) else None
    if game is None or game.status == "draft":
        return None
    if token:
        g.keyed = True
    invited = bool(token) and hmac.compare_digest(
        token.encode(), installation().token("invite", game.id).encode()
    )
    return game if invited or (game.listed and not token) else None


def _asked(number: int, token: str) -> tuple[Joining, Game] | None:
    """The request of a mailed link, and its game."""
    asked = (
        store.requests.joining(database(), number)
        if TOKEN.fullmatch(token) and number < 2**63
        else None
    )
    game = store.games.get(database(), asked.game) if asked else None
    if asked is None or game is None:
        return None
    proof = installation().token("join", asked.game, asked.address, asked.id)
    return (asked, game) if hmac.compare_digest(token, proof) else None


def _form(
    game: Game, refusal: Refusal | None = None, typed: dict[str, str] | None = None
) -> Response:
    seats = store.seats.of_game(database(), game.id)
    taken = [seat.name for seat in seats]
    return page(
        "join.html",
        (422 if refusal.code in CONTROL else 409) if refusal else 200,
        game=game,
        names=taken,
        others=store.seats.actual_players(seats),
        robots=sum(seat.robot for seat in seats),
        takes=game.status == "open" and (game.seats is None or len(taken) < game.seats),
        rules_line=rules_line(game, language()),
        refusal=refusal,
        wrong=CONTROL.get(refusal.code) if refusal else None,
        typed=typed or {"name": "", "address": "", "language": language()},
        max_name=MAX_NAME,
    )
