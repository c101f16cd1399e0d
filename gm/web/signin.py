"""The door of the desk: a one-time link sets a password, a password opens a session. The only cookie there is."""

import base64
import hmac

from flask import Blueprint, request, url_for
from flask.wrappers import Response
from werkzeug.datastructures import MultiDict

from gm import accounts, clock, store
from gm.links import TOKEN
from gm.refusal import Refusal
from gm.store import Master
from gm.web.guard import Unusable, read_form
from gm.web.page import database, error_page, installation, page, see_other

pages = Blueprint("signin", __name__, url_prefix="/desk")

COOKIE = "desk"
MAX_TYPED = 400


def signed_in() -> Master | None:
    """The game master whose session this request carries."""
    token = request.cookies.get(COOKIE, "")
    return accounts.signed_in(database(), token, clock.now()) if TOKEN.fullmatch(token) else None


@pages.get("/sign-in")
def sign_in_page() -> Response:
    """Address and password."""
    return page("signin.html", refusal=None, typed="")


@pages.post("/sign-in")
def sign_in() -> Response:
    """Open a session. Whatever is wrong, the answer is the same; after too many tries there is a pause."""
    form = _form({"address", "password"})
    address = form.get("address", "").strip()
    socket = request.remote_addr or ""
    try:
        token = accounts.sign_in(database(), address, form.get("password", ""), socket, clock.now())
    except Refusal as refusal:
        return page("signin.html", 429 if refusal.code == "too_many" else 403, refusal=refusal, typed=address)
    return _entered(token)


@pages.post("/sign-out")
def sign_out() -> Response:
    """Close the session."""
    _form(set())
    accounts.sign_out(database(), request.cookies.get(COOKIE, ""))
    answer = see_other(url_for("signin.sign_in_page"))
    answer.delete_cookie(COOKIE, path="/desk")
    return answer


@pages.get("/password/<address>/<proof>")
def password_page(address: str, proof: str) -> Response:
    """Choose a password. Looking at it uses nothing up: mail scanners open every link."""
    master = _linked(address, proof)
    return error_page("gone") if master is None else page("password.html", default_language=master.language, refusal=None)


@pages.post("/password/<address>/<proof>")
def set_password(address: str, proof: str) -> Response:
    """Store it; every older session is closed."""
    master = _linked(address, proof)
    if master is None:
        return error_page("gone")
    form = _form({"password"})
    try:
        token = accounts.set_password(database(), master, form.get("password", ""), clock.now())
    except Refusal as refusal:
        return page("password.html", 422, default_language=master.language, refusal=refusal)
    return _entered(token)


def _linked(spelled: str, proof: str) -> Master | None:
    try:
        address = base64.urlsafe_b64decode(spelled + "=" * (-len(spelled) % 4)).decode()
    except ValueError:
        return None
    master = store.gm_of(database(), address) if TOKEN.fullmatch(proof) else None
    if master is None:
        return None
    right = installation().password_token(master.address, master.link_number)
    return master if hmac.compare_digest(proof, right) else None


def _form(names: set[str]) -> MultiDict[str, str]:
    form = read_form()
    if set(form) - names or any(len(text) > MAX_TYPED for text in form.values()):
        raise Unusable("damaged")
    return form


def _entered(token: str) -> Response:
    answer = see_other("/desk")
    answer.set_cookie(
        COOKIE, token, max_age=accounts.SESSION_SECONDS, path="/desk", httponly=True, samesite="Lax",
        secure=installation().config.base_url.startswith("https://"),
    )  # fmt: skip
    return answer
