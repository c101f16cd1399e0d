"""A page from a template, in the visitor's language; and an error, as a page or, for programs,
as JSON.
"""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlencode

import segno
from flask import current_app, g, request
from flask.wrappers import Response
from markupsafe import Markup
from werkzeug.utils import redirect

from gm import store
from gm.demo import Bar, practice_bar
from gm.installation import Installation
from gm.links import is_practice as names_practice
from gm.links import token_hash
from gm.rendering.dates import LANGUAGES
from gm.rendering.sentences import as_html, environment, render
from gm.store.db import Database
from gm.store.games import Game
from gm.web.error_codes import STATUS

CONTROLS = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that no page may contain, but typed text may."""
LOST = {"gone": "seat", "gone_games": "games"}
"""Errors after which a lost link can be mailed again, and what kind of link."""
API = "/api/"
"""Paths below this answer programs, always in JSON."""


def is_practice() -> bool:
    """True if the address of this request names a practice game."""
    place = request.view_args or {}
    word = place.get("token") or place.get("place") or place.get("game_id") or ""
    return request.path.startswith(("/z/", "/p/")) and names_practice(word)


def installation() -> Installation:
    """The installation that this application serves; that of the practice games for a request
    whose address names one.
    """
    served: Installation = current_app.extensions["installation"]
    return current_app.extensions.get("practice") or served if is_practice() else served


def database() -> Database:
    """This request's connection, given back at its end. Raises migrations.OtherSchema if a newer
    program has changed the schema.
    """
    if "database" not in g:
        g.connection = ExitStack()
        g.database = g.connection.enter_context(installation().connection())
    connection: Database = g.database
    return connection


@contextmanager
def database_of_people() -> Iterator[Database]:
    """The database of the games of people, also where the request is for a practice game."""
    if not is_practice():
        yield database()
        return
    with current_app.extensions["installation"].connection() as db:
        yield db


def language(default: str | None = None) -> str:
    """The language of `?lang=`, else the default, else that of the seat this request is for,
    else the browser's.
    """
    asked = request.args.get("lang", "")
    if asked in LANGUAGES:
        return asked
    return default or g.get("language") or request.accept_languages.best_match(LANGUAGES) or "en"


def page(
    template: str, status: int = 200, *, default_language: str | None = None, **values: Any
) -> Response:
    """A whole page as an answer."""
    lang = language(default_language)
    other = next(other for other in LANGUAGES if other != lang)
    common = {
        "other": other,
        "in_other_language": _here_in(other),
        "demo": _bar(values.get("game")),
        "is_practice": is_practice(),
        "can_practise": "practice" in current_app.extensions,
        "place_of": installation().place,
        "code": _code,
        "has_imprint": "imprint" in current_app.extensions["of_host"],
        "is_lan": installation().config.is_lan,
        "is_mailed": installation().config.smtp_host != "",
        "tonight": "tonight" in current_app.extensions,
        "every": "all" in request.args,
        "is_refused": status in (409, 422),
        "site": installation().config.base_url,
        "address": installation().config.base_url + request.path,
    }
    html = CONTROLS.sub("\ufffd", as_html(render(lang, f"pages/{template}", **(common | values))))
    answer = Response(html, status, mimetype="text/html")
    if request.args.get("lang", "") not in LANGUAGES and not (
        default_language or g.get("language")
    ):
        answer.headers["Vary"] = "Accept-Language"
    return answer


def _bar(game: Game | None) -> Bar | None:
    """The bar of the practice game that a page shows, or of the demo's game."""
    if is_practice():
        return practice_bar(database(), game, installation()) if game else None
    demo = current_app.extensions.get("demo")
    shown: Bar | None = demo.bar(database()) if demo else None
    return shown


def _code(address: str) -> Markup:
    """An address as a QR code, to stand in a page."""
    code = segno.make(address, error="m").svg_inline(scale=6, border=3, light="#fff")
    return Markup(code)  # noqa: S704  # made of squares, not of what anybody typed


def _here_in(lang: str) -> str:
    """This address in another language. An answer to a form leads to the page of its address, or
    to the first one if it has none.
    """
    adapter = current_app.create_url_adapter(request)
    has_page = request.method in ("GET", "HEAD") or (
        adapter is not None and adapter.test(request.path, "GET")
    )
    kept = [(key, value) for key, value in request.args.items(multi=True) if key != "lang"]
    return f"{'' if has_page else '/'}?{urlencode([*kept, ('lang', lang)])}"


def why_late(
    game: Game, round_number: int, *, has_turn: bool = True, by_number: bool = False
) -> str:
    """Why orders for this round are not taken. `has_turn`: whether this seat may order now;
    `by_number`: rounds are told by their numbers, as programs count them.
    """
    return render(
        language(),
        "late.txt",
        game=game,
        round=round_number,
        zone=game.schedule.zone,
        has_turn=has_turn,
        by_number=by_number,
    ).strip()


def see_other(url: str) -> Response:
    """Redirect after POST (303)."""
    # Flask's own Response, by the third argument
    return redirect(url, 303, Response)  # type: ignore[return-value]


def error_page(
    code: str,
    *,
    default_language: str | None = None,
    sent: str = "",
    press: str = "",
    number: str | None = None,
    again: str | None = None,
) -> Response:
    """An error in plain words, giving back what was sent. `number`: that of the logged fault, if
    it is one. Programs get a `problem`.

    `again`: what was sent can be sent by another link, as it is (`typed`) or in its `form`.
    """
    if request.path.startswith(API):
        return problem(code)
    if code == "gone" and is_practice():
        code = "gone_practice"
    heading, words = _error_words(code, default_language)
    values = {
        "heading": heading,
        "words": words,
        "sent": sent,
        "press": press,
        "number": number,
        "lost": LOST.get(code),
        "again": again,
    }
    values |= _what_became() if code == "gone" else {"dead": None, "sit_down": ""}
    return page("error.html", STATUS[code], default_language=default_language, **values)


def _what_became() -> dict[str, Any]:
    """What became of the personal link in the address of this request; None if unknown."""
    token = (request.view_args or {}).get("token", "")
    dead = (
        store.seats.dead_link_by_hash(database(), token_hash(token))
        if request.path.startswith("/z/")
        else None
    )
    game = store.games.get(database(), dead.game) if dead else None
    seats = store.seats.people(store.seats.of_game(database(), game.id)) if game else []
    by_hand = [seat.name for seat in seats if not seat.address]
    sit_down = ""
    if game and game.status == "open" and "tonight" in current_app.extensions:
        sit_down = installation().tonight_url(game.id)
    return {
        "dead": dead if game else None,
        "dead_game": game,
        "by_hand": by_hand,
        "sit_down": sit_down,
    }


def problem(code: str, detail: str | None = None, **more: Any) -> Response:
    """An error for a program (RFC 9457), with the code, words and status that people get on a
    page.
    """
    heading, words = _error_words(code, None)
    about = {
        "type": f"{API}v1#{code}",
        "title": heading,
        "status": STATUS[code],
        "code": code,
        "detail": detail or words,
    }
    return Response(
        json.dumps(about | more, ensure_ascii=False) + "\n",
        STATUS[code],
        mimetype="application/problem+json",
    )


def _error_words(code: str, default_language: str | None) -> tuple[str, str]:
    texts: Any = environment(language(default_language)).get_template("pages/errors.html").module
    reads = request.method in ("GET", "HEAD")  # nothing was to be saved
    heading, words = texts.texts["busy_reading" if code == "busy" and reads else code]
    return heading, words
