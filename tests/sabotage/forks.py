"""A process that has read pytest and the libraries once, and forks for every run: the project
itself each run reads anew.

A line of JSON on its input, `{"folder": …, "arguments": […], "output": …}`, is one run; its exit
status is a line of its output.
"""

import gc
import json
import os
import signal
import sys
from typing import Any, NoReturn

import apscheduler.schedulers.background
import babel.messages.pofile
import click.testing
import flask
import hypothesis
import icalendar
import jinja2.ext
import markdown_it
import msgspec
import pytest
import sqlite_utils
import time_machine
import waitress.server
import werkzeug.security

LIBRARIES = (
    *(
        apscheduler,
        babel,
        click,
        flask,
        hypothesis,
        icalendar,
        jinja2,
        markdown_it,
        msgspec,
        pytest,
        sqlite_utils,
        time_machine,
    ),
    *(waitress, werkzeug),
)
SECONDS = 300


def run(folder: str, arguments: list[str], output: str) -> NoReturn:
    """Be `python -m pytest` in a folder, with what it prints in a file; a run without an end is
    killed.
    """
    signal.alarm(SECONDS)
    os.chdir(folder)
    sys.path.insert(0, folder)
    to = os.open(output, os.O_WRONLY | os.O_CREAT)
    for number in (1, 2):
        os.dup2(to, number)
    status: Any = pytest.main(arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(status))


def serve() -> None:
    """Do what is asked, one run after the other, until the input ends."""
    gc.freeze()  # libraries are no garbage: no run looks through them
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run(**json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    serve()
