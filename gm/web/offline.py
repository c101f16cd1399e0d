"""Which pages a browser may keep for times without a network, and the service worker that keeps
them.
"""

import json
import re
from functools import cache
from pathlib import Path

from flask import request
from flask.wrappers import Response

from gm.paths import STATIC, TEMPLATES, digest
from gm.rendering.dates import LANGUAGES
from gm.rendering.sentences import render
from gm.web.page import is_practice

WORKER = Path(__file__).parent / "worker.js"
HEADER = "Offline"
"""Says that a page may be kept: `all` for public pages, `own` for a player's own. Without it
nothing is.
"""
OWN_PAGE = re.compile("/z/[^/]+(/receipt|/r[0-9]+)?")


def kept_as(response: Response) -> str | None:
    """The header's value for this answer; None if no browser may keep it: forms, files, errors,
    the desk and whatever must not be stored. Of a player's pages only the orders, their receipt
    and the rounds are kept.
    """
    is_page = response.mimetype == "text/html" and "Content-Disposition" not in response.headers
    if (
        request.method != "GET"
        or response.status_code != 200
        or not is_page
        or set(request.args) - {"lang"}
    ):
        return None
    if OWN_PAGE.fullmatch(request.path):
        return None if is_practice() else "own"
    return None if response.headers.get("Cache-Control") == "no-store" else "all"


@cache
def worker() -> str:
    """The service worker of this version. If pages, styles or scripts change, it is another one,
    and forgets all that the last one kept.
    """
    words = {language: render(language, "offline.txt").strip() for language in LANGUAGES}
    facts = (
        f"const VERSION = {json.dumps(_version())}, OLD = "
        f"{json.dumps(words, ensure_ascii=False)};\n"
    )
    return facts + WORKER.read_text(encoding="utf-8")


def _version() -> str:
    return digest(STATIC, TEMPLATES, WORKER, Path(__file__))[:12]
