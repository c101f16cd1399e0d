"""What every request passes and every answer carries: limits, trusted hosts, the cross-site guard, headers, errors in words."""

import logging
import sqlite3
from urllib.parse import urlsplit

from flask import Flask, g, request
from flask.wrappers import Response
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException, SecurityError

from gm.config import LOCAL, Config
from gm.web.page import error_page

log = logging.getLogger(__name__)

MAX_BODY = 64 * 1024
MAX_FIELDS = 800
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # no-referrer would make browsers send `Origin: null` with our own forms; this tells other sites nothing either
    "Referrer-Policy": "same-origin",
}
PRIVATE = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
ERRORS = {400: "damaged", 403: "foreign", 404: "not_found", 405: "method", 413: "too_large", 415: "damaged"}


class Unusable(Exception):
    """A form that is not read: the name of an error page and its status."""

    def __init__(self, name: str, status: int) -> None:
        """Keep both."""
        self.name, self.status = name, status
        super().__init__(name)


def protect(app: Flask, config: Config) -> None:
    """Put the guard around an application."""
    host = urlsplit(config.base_url).hostname or ""
    app.config["TRUSTED_HOSTS"] = list(LOCAL) if host in LOCAL else [host]
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.config["MAX_FORM_MEMORY_SIZE"] = MAX_BODY

    @app.before_request
    def refuse_other_sites() -> Response | None:
        """A form sent from another site changes nothing; programs that send neither header are let through."""
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return None
        if request.path.startswith("/u/"):  # mail programs post there by themselves (RFC 8058); the token is all it takes
            return None
        site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
        foreign = site not in ("same-origin", "none") if site else origin not in (None, config.base_url, request.host_url[:-1])
        return error_page("foreign", 403) if foreign else None

    @app.after_request
    def add_headers(response: Response) -> Response:
        """The same on every answer; only style, icon and public pages may be kept."""
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.path.startswith(("/z/", "/u/", "/c/", "/j/", "/desk", "/demo")) or response.status_code >= 400:
            response.headers.update(PRIVATE)
        return response

    @app.teardown_request
    def close_database(_: BaseException | None) -> None:
        """Each request has a connection of its own."""
        if (database := g.pop("database", None)) is not None:
            database.close()

    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Unusable, lambda error: error_page(error.name, error.status))
    app.register_error_handler(sqlite3.OperationalError, _database_error)
    app.register_error_handler(Exception, _unexpected)


def read_form(repeatable: str | None = None) -> MultiDict[str, str]:
    """The form of this request, whole: every field once, but for those whose name begins with `repeatable`.

    Raises Unusable for a body that arrived damaged, cut, twice or too large. One bad byte empties a form without a word, so
    the last field of every form is a sentinel.
    """
    if request.mimetype not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        raise Unusable("damaged", 415)
    if request.headers.get("Content-Encoding") or request.files:
        raise Unusable("damaged", 415)
    form: MultiDict[str, str] = MultiDict(request.form)
    if sum(len(values) for values in form.listvalues()) > MAX_FIELDS:
        raise Unusable("too_large", 413)
    if form.poplist("whole") != ["yes"]:
        raise Unusable("damaged", 400)
    if any(len(values) > 1 and not (repeatable and name.startswith(repeatable)) for name, values in form.lists()):
        raise Unusable("damaged", 400)
    return form


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if isinstance(error, SecurityError):
        return Response("This service does not answer under that name.\n", 400, mimetype="text/plain")
    if status < 400:
        return error.get_response()  # type: ignore[return-value]  # a redirect of Flask's own
    return error_page(ERRORS.get(status, "broken"), status)


def _database_error(error: sqlite3.OperationalError) -> Response:
    log.error("the database refused: %s", error)
    answer = error_page("busy", 503, sent=g.get("sent", ""), press=g.get("press", ""))
    answer.headers["Retry-After"] = "30"
    return answer


def _unexpected(error: Exception) -> Response:
    log.exception("%s %s failed", request.method, request.endpoint, exc_info=error)
    return error_page("broken", 500)
