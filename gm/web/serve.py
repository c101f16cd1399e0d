"""Web and ticks in one process, ended cleanly by SIGTERM."""

import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from types import FrameType

from apscheduler.schedulers.background import BackgroundScheduler
from flask import Flask
from waitress.server import create_server

TICK_SECONDS = 10


def serve(app: Flask, host: str, port: int, tick: Callable[[], object] | None, ready: Callable[[], None]) -> None:
    """Serve pages until SIGTERM or Ctrl-C; with a tick also close rounds and send mail, every ten seconds.

    `ready` is called once the socket listens. Requests and the tick that run at the end are finished. Raises OSError if the
    port is taken.
    """
    scheduler = BackgroundScheduler(timezone=UTC)
    if tick:
        # no job store and no grace limit: the table of games is the truth, this only wakes us up
        scheduler.add_job(
            tick, "interval", seconds=TICK_SECONDS, next_run_time=datetime.now(UTC), coalesce=True, max_instances=1,
            misfire_grace_time=None,
        )  # fmt: skip
    server = create_server(app, host=host, port=port, threads=8)
    signal.signal(signal.SIGTERM, _leave)  # without it requests and tick would die at once
    scheduler.start()
    ready()
    try:
        server.run()  # swallows SystemExit, then gives running requests five seconds
    finally:
        scheduler.shutdown(wait=True)


def _leave(_: int, __: FrameType | None) -> None:
    sys.exit(0)
