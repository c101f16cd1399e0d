"""How long until something is there: a command's help, the first page."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.fixtures import furnish
from benchmarks.measure import Figure, seconds
from benchmarks.page import served


def start() -> Iterator[Figure]:
    """`--help`, and the first page after `serve`, against a Python that imports `click` and
    ends.
    """
    bare, took = _run("-c", "import click"), _run("-m", "gm", "--help")
    yield Figure("bohnenpost --help", took, "s", "import click", bare)
    with tempfile.TemporaryDirectory() as folder:
        installation = furnish(Path(folder), 10, 5)
        began = time.perf_counter()
        with served(installation):
            yield Figure(
                "first page after serve", time.perf_counter() - began, "s", "import click", bare
            )


def _run(*arguments: str) -> float:
    return seconds(
        lambda: subprocess.run([sys.executable, *arguments], capture_output=True, check=True),  # noqa: S603
        tries=5,
    )
