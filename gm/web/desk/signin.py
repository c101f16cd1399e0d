"""Signing in: a one-time link sets a password or opens a session, a password opens one. The only
cookies there are.
"""

import base64
import hmac

from flask import Blueprint, g, request, url_for
from flask.wrappers import Response
from werkzeug.datastructures import MultiDict

from gm import clock, store
from gm.clock import DAY
from gm.errors import Refusal
from gm.links import TOKEN
from gm.people import accounts
from gm.store.accounts import Master
from gm.web.desk.frame import session_cookie_name
from gm.web.forms import Unusable, read_form
from gm.web.limits import is_too_often, machine
from gm.web.page import database, error_page, installation, language, page, see_other

pages = Blueprint("signin", __name__, url_prefix="/desk")

KNOWN = "known"
"""The cookie that says that this browser has signed in before; it opens nothing."""
KNOWN_SECONDS = 180 * DAY
MAX_TYPED = 400


@pages.get("/sign-in")
def sign_in_page() -> Response:
    """Sign-in form, and "mail me a link"."""
    asked = request.args
    return page(
        "signin.html",
        refusal=None,
        typed="",
        is_mailed="mailed" in asked,
        cookie_lost="cookie" in asked,
    )


@pages.post("/sign-in")
def sign_in() -> Response:
    """Open a session. Whatever is wrong, the answer is the same; after too many tries there is a
    pause.
    """
    form = _form({"address", "password"})
    address = form.get("address", "").strip()
    network = machine(request.remote_addr or "")
    try:
        token = accounts.sign_in(
            database(),
            address,
            form.get("password", ""),
            network,
            clock.now(),
            is_known=_is_known(address),
        )
    except Refusal as refusal:
        g.retry_after = accounts.WINDOW_SECONDS
        return page(
            "signin.html",
            429 if refusal.code == "too_many" else 403,
            refusal=refusal,
            typed=address,
        )
    return _entered(token)


@pages.post("/link")
def mail_link() -> Response:
    """Mail a one-time link. The answer is the same whether or not the address is known."""
    address = _form({"address"}).get("address", "").strip()
    if is_too_often("mail"):
        return error_page("too_many_mails")
    try:
        accounts.request_link(database(), address, clock.now())
    except Refusal as refusal:
        return page("signin.html", 422, refusal=refusal, typed=address)
    return see_other(url_for("signin.sign_in_page", mailed="yes", lang=language()))


@pages.post("/sign-out")
def sign_out() -> Response:
    """Close the session."""
    _form(set())
    accounts.sign_out(database(), request.cookies.get(session_cookie_name(), ""))
    answer = see_other(url_for("signin.sign_in_page", lang=request.args.get("lang")))
    secure = installation().config.is_secure
    answer.delete_cookie(
        session_cookie_name(),
        path="/" if secure else "/desk",
        secure=secure,
        httponly=True,
        samesite="Lax",
    )
    return answer


@pages.get("/password/<address>/<proof>")
def password_page(address: str, proof: str) -> Response:
    """Sign in with one button, or choose a password. Opening the page uses nothing up: mail
    scanners open every link.
    """
    master = _linked(address, proof)
    return error_page("gone_password") if master is None else _password_page(master, None)


@pages.post("/password/<address>/<proof>")
def set_password(address: str, proof: str) -> Response:
    """Store it; every older session is closed."""
    master = _linked(address, proof)
    if master is None:
        return error_page("gone_password")
    form = _form({"password"})
    try:
        token = accounts.set_password(database(), master, form.get("password", ""), clock.now())
    except Refusal as refusal:
        return _password_page(master, refusal)
    return _entered(token)


@pages.post("/password/<address>/<proof>/enter")
def sign_in_by_link(address: str, proof: str) -> Response:
    """Open a session; the password stays as it is."""
    master = _linked(address, proof)
    if master is None:
        return error_page("gone_password")
    _form(set())
    try:
        token = accounts.sign_in_by_link(database(), master, clock.now())
    except Refusal as refusal:
        return _password_page(master, refusal)
    return _entered(token)


def _password_page(master: Master, refusal: Refusal | None) -> Response:
    return page(
        "password.html",
        422 if refusal else 200,
        default_language=master.language,
        refusal=refusal,
        has_password=master.password is not None,
        enter=f"{request.path.removesuffix('/enter')}/enter",
        choose=request.path.removesuffix("/enter"),
    )


def _is_known(address: str) -> bool:
    """True if this browser has signed in to this account with its present password."""
    master, proof = store.accounts.get(database(), address), request.cookies.get(KNOWN, "")
    if master is None or not TOKEN.fullmatch(proof):
        return False
    return hmac.compare_digest(proof, _proof_of(master))


def _proof_of(master: Master) -> str:
    """The cookie of a browser that has signed in with this game master's present password; it
    opens nothing.
    """
    return installation().token("browser", who=f"{master.address} {master.password or ''}")


def _linked(spelled: str, proof: str) -> Master | None:
    try:
        address = base64.urlsafe_b64decode(spelled + "=" * (-len(spelled) % 4)).decode()
    except ValueError:
        return None
    master = store.accounts.get(database(), address) if TOKEN.fullmatch(proof) else None
    if master is None:
        return None
    right = installation().token("password", who=master.address, number=master.link_number)
    return master if hmac.compare_digest(proof, right) else None


def _form(names: set[str]) -> MultiDict[str, str]:
    form = read_form()
    if set(form) - names or any(len(text) > MAX_TYPED for text in form.values()):
        raise Unusable("damaged")
    return form


def _entered(token: str) -> Response:
    answer = see_other(url_for("desk.overview", lang=request.args.get("lang")))
    secure = installation().config.is_secure
    answer.set_cookie(
        session_cookie_name(),
        token,
        max_age=accounts.SESSION_SECONDS,
        path="/" if secure else "/desk",
        httponly=True,
        samesite="Lax",
        secure=secure,
    )
    master = accounts.signed_in(database(), token, clock.now())
    if master is not None:
        answer.set_cookie(
            KNOWN,
            _proof_of(master),
            max_age=KNOWN_SECONDS,
            path="/desk/sign-in",
            httponly=True,
            samesite="Lax",
            secure=secure,
        )
    return answer
