"""The one place that asks what time it is. Everything else is handed an instant."""

from datetime import UTC, datetime


def now() -> int:
    """The current instant in whole UTC seconds since 1970."""
    return int(datetime.now(UTC).timestamp())
