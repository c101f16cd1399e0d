"""Pages and what a clock starts, in one process that SIGTERM ends cleanly."""

import resource
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from apscheduler.schedulers.background import BackgroundScheduler
from flask import Flask
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server

LARGEST_BODY, LARGEST_HEAD = 128 * 1024, 32 * 1024
"""Bytes after which the server itself hangs up; the pages refuse sooner, in words."""
SILENT_SECONDS = 60
"""A connection that says nothing for so long is closed, and one whose request has not arrived as a whole by then."""
MOST_CONNECTIONS, OTHER_FILES = 4000, 300
"""Connections open at once, and files that are left to everything else, where the system allows that many."""


MOST_AT_ONCE = 4
"""Requests of one connection that wait for their answers: browsers and proxies send one. Many large answers that nobody reads
would hold a thread for as long as the connection is open."""


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection whose request must arrive as a whole in time: bytes of a request that has begun do not extend it. One that
    asks for much before it reads is closed.
    """

    last_activity: float

    def handle_read(self) -> None:
        """Read what has come; as long as the same request arrives, its first byte stays the last sign of life."""
        arriving, since = self.request, self.last_activity
        super().handle_read()
        if arriving is not None and self.request is arriving:
            self.last_activity = since
        if len(self.requests) > MOST_AT_ONCE:
            self.will_close = True


def new_server(app: Flask, host: str, port: int) -> Any:
    """A server that listens, and that neither many connections nor slow ones stop. Raises OSError if the port is taken."""
    sockets: dict[int, object] = {}
    server = create_server(
        app, map=sockets, host=host, port=port, threads=8, channel_timeout=SILENT_SECONDS, cleanup_interval=10,
        connection_limit=_connections(), asyncore_use_poll=True,  # select() knows no file beyond 1024
        clear_untrusted_proxy_headers=False, max_request_body_size=LARGEST_BODY, max_request_header_size=LARGEST_HEAD, ident=None,
    )  # fmt: skip
    for listener in sockets.values():  # localhost may be two of them
        if isinstance(listener, BaseWSGIServer):
            listener.channel_class = Channel
    return server


def _connections() -> int:
    """How many connections may be open, after asking the system for as many files as it takes; never so many that pages find no
    file for the database.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OTHER_FILES
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    files = wanted if soft == resource.RLIM_INFINITY else min(wanted, soft)
    return max(files - OTHER_FILES, files // 2)


def serve(app: Flask, host: str, port: int, scheduler: BackgroundScheduler, ready: Callable[[], None]) -> None:
    """Serve pages until SIGTERM or Ctrl-C, with the jobs of a scheduler in threads of their own.

    `ready` is called once the socket listens. Requests and ticks that run at the end are finished. Raises OSError if the port
    is taken.
    """
    server = new_server(app, host, port)
    signal.signal(signal.SIGTERM, _leave)  # without it requests and ticks would die at once
    scheduler.start()
    ready()
    try:
        server.run()  # swallows SystemExit, then gives running requests five seconds
    finally:
        scheduler.shutdown(wait=True)


def _leave(_: int, __: FrameType | None) -> None:
    sys.exit(0)
