"""Files that browsers and crawlers ask every site for, and the accessibility page."""

import json
from collections.abc import Iterator
from itertools import islice

from flask import Blueprint, current_app, request
from flask.wrappers import Response

from gm import store
from gm.clock import HOUR
from gm.rendering.dates import LANGUAGES
from gm.rendering.how_to_play import full_rules
from gm.rendering.sentences import render
from gm.web.offline import worker
from gm.web.page import database, installation, language, page
from gm.web.rules import cards

pages = Blueprint("site", __name__)

MOST_ADDRESSES = 50_000
"""The most addresses that a site map may name."""
BACKGROUND = "#f5f3ec"
"""The colour behind the icon while the program opens."""


@pages.get("/favicon.ico")
def favicon() -> Response:
    """The icon under its old name."""
    return current_app.send_static_file("favicon.ico")


@pages.get("/apple-touch-icon.png")
def home_screen_icon() -> Response:
    """The icon that some phones ask for by this name."""
    return current_app.send_static_file("icon-192.png")


@pages.get("/robots.txt")
def robots() -> Response:
    """What crawlers may read. Personal links are not named: they answer `noindex`, which
    crawlers see only if they may read them.
    """
    return _kept(
        Response(
            render("en", "robots.txt", base=installation().config.base_url), mimetype="text/plain"
        )
    )


@pages.get("/sitemap.xml")
def sitemap() -> Response:
    """The pages that search engines may show, in every language."""
    paths = list(islice(_public_pages(), MOST_ADDRESSES // len(LANGUAGES)))
    words = {"base": installation().config.base_url, "languages": LANGUAGES, "paths": paths}
    return _kept(Response(render("en", "sitemap.txt", **words), mimetype="application/xml"))


def _public_pages() -> Iterator[str]:
    yield from ("/", "/rules", "/table", "/verify", "/accessibility")
    for card in cards(language()):
        yield f"/rules/{card.variant}"
        if full_rules(card.variant, language()):
            yield f"/rules/{card.variant}/full"
        if card.has_sample:
            yield f"/rules/{card.variant}/report"
    for game in store.games.all_games(database()):
        if game.is_public:
            yield f"/p/{game.id}"
            if game.status == "open":
                yield f"/p/{game.id}/join"
            yield from (f"/p/{game.id}/r{number}" for number in range(1, game.round))


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """What makes the site an app on a phone or a desktop."""
    icons = [
        {"src": f"/static/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    content = {
        "id": "/",
        "name": "Bohnenpost",
        "short_name": "Bohnenpost",
        "description": render(language(), "manifest.txt").strip(),
        "lang": language(),
        "start_url": "/my-games?app=1",  # leads to "/" unless the link to all games is kept
        "scope": "/",
        "display": "standalone",
        "background_color": BACKGROUND,
        "theme_color": BACKGROUND,
        "icons": [icon | {"purpose": purpose} for icon in icons for purpose in ("any", "maskable")],
    }
    return _kept(
        Response(
            json.dumps(content, ensure_ascii=False) + "\n", mimetype="application/manifest+json"
        )
    )


@pages.get("/sw.js")
def service_worker() -> Response:
    """The service worker. Browsers fetch it anew at every visit, so a new version works at once."""
    answer = Response(worker(), mimetype="text/javascript", headers={"Cache-Control": "no-cache"})
    answer.add_etag()
    answer.make_conditional(request)  # which may make it a 304
    return answer


@pages.get("/offline")
def offline() -> Response:
    """The page that is shown without a network if nothing is cached."""
    return page("offline.html")


@pages.get("/accessibility")
def accessibility() -> Response:
    """What was done and tried so that everybody can play, and what was not."""
    return page("accessibility.html")


def _kept(answer: Response) -> Response:
    answer.headers["Cache-Control"] = f"public, max-age={HOUR}"
    return answer
