"""The one place that asks what time it is. Everything else is handed an instant."""

import time
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from socket import gethostname

HOUR, DAY = 3600, 24 * 3600
"""Seconds."""


def now() -> int:
    """The current instant in whole UTC seconds since 1970."""
    return int(datetime.now(UTC).timestamp())


def written(instant: int) -> str:
    """An instant for programs, in UTC: 2026-11-22T19:00:00Z."""
    return datetime.fromtimestamp(instant, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def boot_id() -> str:
    """A text that differs after each start of the machine; empty if the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


@cache
def machine() -> str:
    """The name of this machine."""
    try:
        return Path("/etc/machine-id").read_text(encoding="ascii").strip() or gethostname()
    except OSError:
        return gethostname()


def boot() -> int:
    """Seconds since the machine started, sleep included. Nobody sets this second clock, so it shows
    when the first one jumps.
    """
    kind = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return int(time.clock_gettime(kind))
