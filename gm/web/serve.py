"""Web and ticks in one process, ended cleanly by SIGTERM; or ticks alone."""

import signal
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from types import FrameType

from apscheduler.schedulers.background import BackgroundScheduler
from flask import Flask
from waitress.server import create_server

TICK_SECONDS = 10

Tick = Callable[[], object]


LARGEST_BODY, LARGEST_HEAD = 128 * 1024, 32 * 1024
"""Bytes after which the server itself hangs up; the pages refuse sooner, in words."""
SILENT_SECONDS = 60
"""A connection that says nothing for so long is closed."""


def serve(app: Flask, host: str, port: int, ticks: list[Tick], ready: Callable[[], None]) -> None:
    """Serve pages until SIGTERM or Ctrl-C, with every tick in a thread of its own, each ten seconds.

    `ready` is called once the socket listens. Requests and ticks that run at the end are finished. Raises OSError if the port
    is taken.
    """
    server = create_server(
        app, host=host, port=port, threads=8, channel_timeout=SILENT_SECONDS, clear_untrusted_proxy_headers=False,
        max_request_body_size=LARGEST_BODY, max_request_header_size=LARGEST_HEAD, ident=None,
    )  # fmt: skip
    signal.signal(signal.SIGTERM, _leave)  # without it requests and ticks would die at once
    scheduler = _scheduler(ticks)
    scheduler.start()
    ready()
    try:
        server.run()  # swallows SystemExit, then gives running requests five seconds
    finally:
        scheduler.shutdown(wait=True)


def tick_until_stopped(ticks: list[Tick], ready: Callable[[], None]) -> None:
    """The ticks alone, until SIGTERM or Ctrl-C; what was begun is finished."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    scheduler = _scheduler(ticks)
    scheduler.start()
    ready()
    stop.wait()
    scheduler.shutdown(wait=True)


def _scheduler(ticks: list[Tick]) -> BackgroundScheduler:
    """No job store and no grace limit: the table of games is the truth, this only wakes us up."""
    scheduler = BackgroundScheduler(timezone=UTC)
    for tick in ticks:
        scheduler.add_job(
            tick,
            "interval",
            seconds=TICK_SECONDS,
            next_run_time=datetime.now(UTC),
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
        )
    return scheduler


def _leave(_: int, __: FrameType | None) -> None:
    sys.exit(0)
