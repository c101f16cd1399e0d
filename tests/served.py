"""A demo whose pages are really served, on a free port of this machine."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from flask.wrappers import Response
from waitress.server import create_server

from gm.demo import Demo, pages, set_up
from gm.web import create_app


@contextmanager
def served_demo(
    folder: Path, language: str, look_at: Callable[[Response], Response] | None = None, variant: str = "postal"
) -> Iterator[tuple[Demo, str]]:
    """The demo and your personal link, until the end of the block; every answer passes `look_at`."""
    probe = create_server(lambda *_: [], host="127.0.0.1", port=0)
    port = probe.effective_port
    probe.close()
    found, link = set_up(variant, folder, f"http://localhost:{port}", language)
    app = create_app(found.home)
    app.extensions["demo"] = found
    app.register_blueprint(pages)
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
