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
from gm.store.mails import Mail
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


@pages.get("/i/<int:number>/<token>")
def invitation_page(number: int, token: str) -> Response:
    """What a mailed invitation leads to: who is in, and a button that takes a seat."""
    mail, game = _invited(number, token)
    return _form_of_invited(mail, game)


@pages.post("/i/<int:number>/<token>")
def accept(number: int, token: str) -> Response:
    """Take a seat at the invited address. What an address that has one gets is in its mailbox:
    an invitation may have been passed on.
    """
    mail, game = _invited(number, token)
    form, home = read_form(), installation()
    name = form.get("name", "")
    if set(form) != {"name"} or len(name) > MAX_TYPED:
        raise Unusable("damaged")
    lang = language(mail.language)
    try:
        seat = joining.accept_invitation(database(), home.link_key, mail, name, lang, clock.now())
    except Refusal as refusal:
        return _form_of_invited(mail, game, refusal, name)
    if seat is None:
        return see_other(url_for("join.sent", what="links", lang=lang))
    return see_other(f"{home.path('seat', game.id, seat.name, seat.link_number)}?lang={lang}")


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


def _invited(number: int, token: str) -> tuple[Mail, Game]:
    """The mail with this invitation, and its game. Raises Unusable if it opens nothing."""
    try:
        mail = store.mails.by_id(database(), number if number < 2**63 else 0)
        game = store.games.existing(database(), mail.game or "")
    except (LookupError, Refusal):
        raise Unusable("gone") from None
    proof = installation().token("invited", game.id, mail.address, mail.id)
    if mail.kind != "invite" or not hmac.compare_digest(token.encode(), proof.encode()):
        raise Unusable("gone")
    return mail, game


def _form_of_invited(
    mail: Mail, game: Game, refusal: Refusal | None = None, typed: str | None = None
) -> Response:
    if typed is None:
        typed = joining.proposed_name(database(), game.id, mail.address)
    return _form(game, refusal, {"name": typed}, mail)


def _form(
    game: Game,
    refusal: Refusal | None = None,
    typed: dict[str, str] | None = None,
    invitation: Mail | None = None,
) -> Response:
    home, seats = installation(), store.seats.of_game(database(), game.id)
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
        invited=invitation and invitation.address,
        own=[seat.name for seat in seats if invitation and seat.is_at(invitation.address)],
        door=home.path("invitation", game.id) if not game.listed else f"/p/{game.id}/join",
        default_language=invitation.language if invitation else None,
    )
