"""Pages and passes in one process that SIGTERM ends cleanly."""

import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import WSGITask

from gm.web.guard import STATE

LARGEST_BODY, LARGEST_HEAD = 128 * 1024, 32 * 1024
"""Bytes after which the server hangs up; the pages refuse sooner, in words."""
SILENT_SECONDS = 60
"""An idle connection is closed after this long."""
MOST_CONNECTIONS = 700
"""Connections open at once. A process may have 1,024 files open by default."""


class ShortTask(WSGITask):  # type: ignore[misc]
    """An answer, after which the connection is closed if an open page asked for news: a thousand
    such pages would keep all connections for themselves.
    """

    def __init__(self, channel: Any, request: Any) -> None:
        super().__init__(channel, request)
        if request.path.endswith(STATE):
            request.headers["CONNECTION"] = "close"


# an application may not send this header itself
HTTPChannel.task_class = ShortTask


def new_server(app: Flask, host: str, port: int) -> Any:
    """A server that listens, on several addresses if `host` has blanks between them. Slow
    connections are the proxy's job. Raises OSError if the port is taken, or no machine has that
    name.
    """
    hosts = host.split()
    try:
        for name in hosts:
            socket.getaddrinfo(name, port)  # waitress says of a name only that it is invalid
    except UnicodeError as error:
        raise socket.gaierror(socket.EAI_NONAME, str(error)) from None
    return create_server(
        app,
        map={},
        listen=" ".join(f"{f'[{name}]' if ':' in name else name}:{port}" for name in hosts),
        threads=8,
        channel_timeout=SILENT_SECONDS,
        cleanup_interval=10,
        # select() knows no file beyond 1024
        connection_limit=MOST_CONNECTIONS,
        asyncore_use_poll=True,
        clear_untrusted_proxy_headers=False,
        max_request_body_size=LARGEST_BODY,
        max_request_header_size=LARGEST_HEAD,
        ident=None,
    )


def serve(
    app: Flask,
    host: str,
    port: int,
    start: Callable[[], None],
    stop: Callable[[], None],
    ready: Callable[[], None],
) -> None:
    """Serve pages until SIGTERM or Ctrl-C.

    Once the socket listens, `start` is called for what else the process does, then `ready`; at
    the end `stop`. Requests and passes that run then are finished. Raises OSError if the port is
    taken.
    """
    server = new_server(app, host, port)
    for number in (signal.SIGTERM, signal.SIGHUP):  # else requests and ticks would die at once
        signal.signal(number, _leave)
    start()
    ready()
    try:
        server.run()  # swallows SystemExit, then gives running requests five seconds
    finally:
        stop()


def _leave(_: int, __: FrameType | None) -> None:
    sys.exit(0)
