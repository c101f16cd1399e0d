"""What every page of the desk needs: who is signed in, the form that was sent, the page around
it.
"""

from typing import Any
from urllib.parse import urlsplit

from flask import g, request, url_for
from flask.wrappers import Response

from gm import clock, store
from gm.links import TOKEN
from gm.people import accounts
from gm.store.accounts import Master
from gm.store.games import Game
from gm.web.forms import Form, Unusable, read_form, typed_text
from gm.web.page import database, error_page, installation, language, page, see_other
from rounds.engine.record import GAME_ID

COOKIE = "desk"
"""The session's cookie."""
MAX_TYPED = 4000

DIGITS_OF_ID = 18
"""The most digits of a number that certainly fits into a column."""

DIGITS_OF_INSTANT, DIGITS_OF_READING = 12, 11
"""Most digits of a deadline, and of the instant up to which words were read."""


def session_cookie_name() -> str:
    """The name of the session's cookie. With the prefix a browser takes it from this very host
    alone.
    """
    return f"__Host-{COOKIE}" if installation().config.is_secure else COOKIE


def signed_in() -> Master | None:
    """The game master whose session this request carries."""
    token = request.cookies.get(session_cookie_name(), "")
    return accounts.signed_in(database(), token, clock.now()) if TOKEN.fullmatch(token) else None


def only_signed_in() -> Response | None:
    """Everything here is for game masters. What was typed into a page whose session is over is
    given back.
    """
    g.master = signed_in()
    if g.master is not None:
        return None
    if request.method in ("GET", "HEAD"):
        came_from = urlsplit(request.referrer or "").path
        just_now = "lost" if came_from.startswith(("/desk/sign-in", "/desk/password/")) else None
        return see_other(url_for("signin.sign_in_page", lang=language(), cookie=just_now))
    return error_page("signed_out", sent=typed_text())


def master() -> Master:
    """The game master who is signed in."""
    master_of_request: Master = g.master
    return master_of_request


def game_of_master(game_id: str) -> Game | None:
    """The game, if the signed-in game master leads it."""
    game = store.games.get(database(), game_id) if GAME_ID.fullmatch(game_id) else None
    return game if game and master().address in store.games.masters(database(), game.id) else None


def read_desk_form(repeatable: str = "day") -> Form:
    """The form of this request. Raises Unusable for a damaged one, or a text that is too long."""
    form = read_form(repeatable)
    if any(len(text) > MAX_TYPED for _, text in form.items(multi=True)):
        raise Unusable("too_large")
    return form


def whole_number(form: Form, name: str, digits: int = 5) -> int:
    """The whole number in a field of a form, of at most `digits` digits. Raises Unusable for
    anything else.
    """
    text = form.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= digits):
        raise Unusable("damaged")
    return int(text)


def instant(form: Form, name: str) -> int | None:
    """A deadline that the page offers; None if none was chosen. Raises Unusable for anything
    else.
    """
    return whole_number(form, name, DIGITS_OF_INSTANT) if form.get(name) else None


def desk_page(template: str, status: int = 200, **values: Any) -> Response:
    """A page of the desk, in the game master's language."""
    if "game" in values:
        values["zone"] = values["game"].schedule.zone
    said = request.args.get("said")
    return page(
        template, status, default_language=master().language, master=master(), said=said, **values
    )
