"""Around every request: limits, trusted hosts, the cross-site guard, headers, errors in words."""

import ipaddress
import logging
import re
import time
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, g, request
from flask.wrappers import Response
from werkzeug.exceptions import HTTPException, SecurityError
from werkzeug.middleware.proxy_fix import ProxyFix

from gm import errors
from gm.clock import DAY
from gm.config import LOCAL, Config
from gm.games.orders import Replaced
from gm.service import IDLE
from gm.store.connections import forget_kept
from gm.store.file.migrations import OtherSchema
from gm.web.error_codes import BY_STATUS
from gm.web.forms import Unusable, typed_text
from gm.web.limits import is_too_often, new_limits
from gm.web.offline import HEADER, kept_as
from gm.web.page import API, error_page, installation

log = logging.getLogger(__name__)

MAX_BODY = 64 * 1024
SLOW_SECONDS = 5
MOST_NAMES = 100
"""Most refused host names that are logged, each once."""
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-src 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # no-referrer would make browsers send `Origin: null` with our own forms; this tells other sites
    # nothing either
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
HALF_A_YEAR = 182 * DAY
PRIVATE = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
MAILED_PATHS = ("/z/", "/m/", "/follow/", "/u/", "/c/", "/j/", "/i/")
"""How paths of mailed links begin; one that opens nothing may be a guess."""
MAILED = (*MAILED_PATHS, "/desk/password/", "/p/")
"""How links in mails begin."""
HOST_END, SLASHES, LOCAL_V6 = re.compile(r"\.(?=:|$)"), re.compile("//+"), "[::1]"
ADDED = " .,;:!?)>]}'\"/*\xa0»”’"
"""Signs that mail programs add to the end of a link; no link ends with one."""
FREE_PATHS = (
    "/static/",
    "/healthz",
    "/favicon.ico",
    "/apple-touch-icon.png",
    "/manifest.webmanifest",
    "/sw.js",
)
"""Paths that cost nothing, or that browsers ask for by themselves."""
GIVE_WAY_SECONDS = 0.1
"""How long a page waits while its own process closes rounds."""
STATE = "/state"
"""How the path ends that an open page asks; thirty pages behind one router would use up a limit."""
PRIVATE_PATHS = (*MAILED_PATHS, "/desk", "/demo", "/practice", "/t/", "/tonight", API)


Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


def protect(app: Flask, config: Config) -> None:
    """Put the guard around an application."""
    host = urlsplit(config.base_url).hostname or ""
    # without TLS this machine itself may use either name
    app.config["TRUSTED_HOSTS"] = [host] if config.is_secure else [host, *LOCAL]
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.config["MAX_FORM_MEMORY_SIZE"] = MAX_BODY
    app.extensions["limits"] = new_limits()
    refused: set[str] = set()
    # the visitor's address is taken from the nearest proxies, and nothing else that they say
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=0)  # type: ignore[method-assign]
    app.wsgi_app = _as_it_was_meant(app.wsgi_app)  # type: ignore[method-assign, assignment]
    app.wsgi_app = _health_of_this_machine(app.wsgi_app, host)  # type: ignore[method-assign, assignment]
    app.before_request(_note_beginning)
    app.before_request(_refuse_too_many)
    app.before_request(_refuse_other_sites)
    app.after_request(_add_headers)
    app.teardown_request(_end)
    app.register_error_handler(SecurityError, lambda _: _other_name(host, refused))
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Unusable, lambda error: error_page(error.code, **_sent()))
    app.register_error_handler(Replaced, lambda _: error_page("gone", **_sent()))
    app.register_error_handler(OtherSchema, _other_schema)
    app.register_error_handler(Exception, _unexpected)


def _note_beginning() -> None:
    """Let this process close rounds first, if it does."""
    g.began = time.monotonic()
    IDLE.wait(GIVE_WAY_SECONDS)


def _refuse_too_many() -> Response | None:
    """Count forms, public pages and requests of programs from one machine, before anything is
    read.
    """
    what = _counted_as(request.path, request.method)
    return error_page("too_many", sent=typed_text()) if what and is_too_often(what) else None


def _refuse_other_sites() -> Response | None:
    """Refuse forms sent from another site. Programs that send neither header are let through."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return None
    # mail programs post there by themselves (RFC 8058); the token is all it takes
    if request.path.startswith("/u/"):
        return None
    site, origin = (
        request.headers.get("Sec-Fetch-Site"),
        request.headers.get("Origin") or _origin_of(request.referrer),
    )
    ours = {_place(url) for url in (installation().config.base_url, request.host_url)}
    foreign = (
        site not in ("same-origin", "none")
        if site
        else origin is not None and _place(origin) not in ours
    )
    return error_page("foreign") if foreign else None


def _add_headers(response: Response) -> Response:
    """Add the same headers to every answer; only styles, icons and public pages may be cached."""
    if (
        response.status_code == 404
        and request.path.startswith((*MAILED_PATHS, "/t/"))
        and is_too_often("guess")
    ):
        response = error_page("too_many")
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if installation().config.is_secure:
        response.headers["Strict-Transport-Security"] = f"max-age={HALF_A_YEAR}"
    if request.path.startswith(PRIVATE_PATHS) or g.get("keyed") or response.status_code >= 400:
        response.headers.update(PRIVATE)
    is_public = request.path.startswith(API) or request.path.endswith("/record.json")
    if is_public and request.method in ("GET", "HEAD") and not g.get("keyed"):
        # what anybody may read, also a page of another site; no answer hangs on a cookie
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if request.endpoint == "static" or request.path.endswith((".png", ".ico")):
        # a chat shows the picture of a link by its address
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if kept := kept_as(response):
        response.headers[HEADER] = kept
    if response.status_code == 429:
        response.headers["Retry-After"] = str(g.get("retry_after", 600))
    return response


def _end(_: BaseException | None) -> None:
    """Give the request's connection back, and log a slow request."""
    now = time.monotonic()
    if (seconds := now - g.get("began", now)) > SLOW_SECONDS:
        log.warning("%s %s took %.1f seconds", request.method, request.endpoint, seconds)
    if (database := g.pop("database", None)) is not None:
        if g.pop("failed", False):
            forget_kept(database)
        g.pop("connection").close()


def _place(url: str) -> tuple[str, str | None, int | None] | None:
    """Scheme, host and port of an address in one spelling; None for anything else."""
    try:
        parts = urlsplit(url)
        return (
            parts.scheme,
            parts.hostname,
            parts.port or {"http": 80, "https": 443}.get(parts.scheme),
        )
    except ValueError:
        return None


def _origin_of(referrer: str | None) -> str | None:
    """Where a form was sent from, by its Referer, which is all that older browsers send. None
    without one.
    """
    if not referrer:
        return None
    try:
        parts = urlsplit(referrer)
    except ValueError:
        return referrer
    return f"{parts.scheme}://{parts.netloc}"


def _counted_as(path: str, method: str) -> str | None:
    """The limit that a request counts for; None for pages behind a link or a password, and for
    free paths.
    """
    if path.startswith(API):
        return "api"
    if method == "POST":
        return "form"
    is_free = path.startswith((*PRIVATE_PATHS, *FREE_PATHS)) or path.endswith(STATE)
    return None if is_free else "page"


def _health_of_this_machine(app: Wsgi, host: str) -> Wsgi:
    """The application, with `/healthz` answered from this machine under any host name: a monitor
    knows its port, not its name. Decided by the peer address, not by forwarded headers.
    """

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ.get("PATH_INFO") == "/healthz" and is_this_machine(
            environ.get("REMOTE_ADDR", "")
        ):
            environ["HTTP_HOST"] = host
        return app(environ, start_response)

    return answer


def _as_it_was_meant(app: Wsgi) -> Wsgi:
    """The application, with host and path in the spelling that it knows: a host in small letters
    without a dot at its end, single slashes, and mailed links without the signs that a mail
    program took for a part of them.
    """

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        host = HOST_END.sub("", environ.get("HTTP_HOST", "").lower())
        if host.startswith(LOCAL_V6):  # the list of trusted hosts knows no brackets
            host = host.replace(LOCAL_V6, "localhost", 1)
        environ["HTTP_HOST"] = host
        # as WSGI spells it
        path = environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace")
        path = SLASHES.sub("/", path)
        if path.startswith(MAILED) and path.endswith(tuple(ADDED)):
            path = path.rstrip(ADDED)
        environ["PATH_INFO"] = path.encode().decode("latin-1")
        return app(environ, start_response)

    return answer


def is_this_machine(address: str) -> bool:
    """True for an address of this machine itself, whatever name it is called by."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback


def _other_name(host: str, refused: set[str]) -> Response:
    """Refuse a host name that is not ours. Each is logged once: a misconfigured proxy is found,
    scanners fill no log.
    """
    name = request.headers.get("Host", "")[:100]
    if name not in refused and len(refused) < MOST_NAMES:
        refused.add(name)
        log.warning(
            "refused a request for the host %r: base_url names %r; "
            "does the proxy pass the Host on?",
            name,
            host,
        )
    return Response("This service does not answer under that name.\n", 400, mimetype="text/plain")


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:
        return error.get_response()  # type: ignore[return-value]  # a redirect of Flask's own
    answer = error_page(BY_STATUS.get(status, "damaged" if status < 500 else "broken"))
    if status < 500:
        answer.status_code = status
    if allowed := getattr(error, "valid_methods", None):
        answer.headers["Allow"] = ", ".join(sorted(allowed))
    return answer


def _other_schema(error: OtherSchema) -> Response:
    """This program is too old for its database: its next tick ends it, and whoever looks after
    it starts the new one.
    """
    log.error("%s; this process ends itself", error)
    answer = error_page("busy", **_sent())
    answer.headers["Retry-After"] = "30"
    return answer


def _unexpected(error: Exception) -> Response:
    """The page for a busy or full database; anything else is a fault of ours."""
    g.failed = True  # the connection is not kept: it may be one that cannot write
    if not errors.is_environment(error):
        return error_page(
            "broken", number=errors.noted(error, f"{request.method} {request.endpoint}"), **_sent()
        )
    log.error("the database refused: %s", error)
    answer = error_page("busy", **_sent())
    answer.headers["Retry-After"] = "30"
    return answer


def _sent() -> dict[str, str]:
    """What this request brought, to be given back."""
    return {"sent": g.get("sent", ""), "press": g.get("press", "")}
