"""A process of its own that does one part of a batch and says what it took: `python -m gm.bench.worker PART HOME NOW`."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from gm.bench.baseline import plainly
from gm.deadline.closing import close_one
from gm.installation import open_installation
from gm.mail.delivery import write_one


def main(part: str, home: str, now: int) -> None:
    """Close or write all that waits, and print seconds, seconds computed and the most memory, in kilobytes.

    `first`: what the first unit computed, in which templates are compiled.
    """
    house = open_installation(Path(home), {})
    with house.connection() as db:
        parts: dict[str, Callable[[], bool]] = {
            "close": lambda: close_one(db, house.config, now),
            "write": lambda: write_one(db, house, now),
            "plain": lambda: _plainly(lambda: write_one(db, house, now)),
        }
        wall, cpu, first = time.perf_counter(), time.process_time(), 0.0
        while parts[part]():
            first = first or time.process_time() - cpu
    took = {"first": first, "wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    print(json.dumps(took | {"memory": _most_memory()}))


def _plainly(write: Callable[[], bool]) -> bool:
    with plainly():
        return write()


def _most_memory() -> int:
    """Of this program alone: what the process had before it was started does not count. 0 where the system does not say."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
