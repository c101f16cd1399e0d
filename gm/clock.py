"""The one place that asks what time it is. Everything else is handed an instant."""

import time
from datetime import UTC, datetime


def now() -> int:
    """The current instant in whole UTC seconds since 1970."""
    return int(datetime.now(UTC).timestamp())


def boot() -> int:
    """Seconds since the machine started, sleep included: a second clock that nobody sets, to notice when the first one jumps."""
    kind = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return int(time.clock_gettime(kind))
