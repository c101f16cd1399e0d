"""A demo whose pages are really served, on a free port of this machine."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path

from flask import send_file
from flask.wrappers import Response
from waitress.server import create_server

from gm.cli.demo import Demo, pages, set_up
from gm.installation import open_practice
from gm.web import create_app

AXE = "/axe.min.js"
"""Where the pages served find axe: their policy allows scripts of their own server alone, and
handing half a megabyte to a page as an expression takes longer than loading it.
"""
AXE_FILE = str(files("axe_playwright_python") / "axe.min.js")


def axe_script() -> Response:
    """The script of axe, to be kept by the browser."""
    return send_file(AXE_FILE, max_age=3600)


@contextmanager
def served_demo(
    folder: Path,
    language: str,
    look_at: Callable[[Response], Response] | None = None,
    variant: str = "postal",
) -> Iterator[tuple[Demo, str]]:
    """The demo and your personal link, until the end of the block; every answer passes
    `look_at`.
    """
    probe = create_server(lambda *_: [], host="127.0.0.1", port=0)
    port = probe.effective_port
    probe.close()
    found, link = set_up(variant, folder, f"http://localhost:{port}", language)
    app = create_app(found.home, open_practice(found.home))
    app.extensions["demo"] = found
    app.register_blueprint(pages)
    app.add_url_rule(AXE, view_func=axe_script)
    if look_at:
        app.after_request(look_at)
    server = create_server(app, host="127.0.0.1", port=port)

    def run() -> None:
        with suppress(OSError):  # its socket is closed under it at the end
            server.run()

    threading.Thread(target=run, daemon=True).start()
    try:
        yield found, link
    finally:
        server.close()
