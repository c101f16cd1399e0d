"""How long until something is there: a command's help, the first page."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from gm.bench.fixtures import furnish
from gm.bench.measure import MICRO, Figure, Options, typically
from gm.bench.ports import free_port, wait_for

PROGRAM = [sys.executable, "-m", "gm"]


def start(options: Options) -> Iterator[Figure]:
    """`--help`, and the first page after `serve`, against a Python that imports `click` and ends."""
    bare, took = _seconds(sys.executable, "-c", "import click"), _seconds(*PROGRAM, "--help")
    yield Figure("bohnenpost --help", took, "s", "import click", bare, 3)
    with tempfile.TemporaryDirectory() as folder:
        house = furnish(Path(folder), 10, options.seats)
        port = free_port()
        environ = os.environ | {"BOHNENPOST_PORT": str(port), "BOHNENPOST_BASE_URL": f"http://localhost:{port}"}
        began = time.perf_counter()
        served = subprocess.Popen(  # noqa: S603  # our own program
            [*PROGRAM, "--home", str(house.home), "serve"], env=environ, stdout=subprocess.DEVNULL
        )
        wait_for(port)
        yield Figure("first page after serve", time.perf_counter() - began, "s", "import click", bare, 4)
        served.terminate()
        served.wait()


def _seconds(*command: str) -> float:
    return typically(lambda: subprocess.run(command, capture_output=True, check=True), tries=5).wall / MICRO  # noqa: S603
