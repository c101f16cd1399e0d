"""A stage on which an act of the service is killed, or its disk refuses, at one system call.

    python -m tests.crash.stage HOME     HOME: an installation with a started game, left as it is

Run as a process of its own: it imports everything and compiles the templates once, then forks a
child for each line of JSON on standard input, attaches strace to the child alone, lets it act,
and answers with its exit status and what it said.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gm import clock, store
from gm.games.orders import save_orders
from gm.installation import open_installation
from gm.service import tick_mail, tick_rounds

DEADLINE = 1795374000


def submit(home: Path, _: dict[str, str]) -> None:
    """Anna sends a list; what she is shown is printed after the commit, as the page is."""
    clock.now = lambda: DEADLINE - 100
    installation = open_installation(home, {})
    with installation.connection() as db:
        game = store.games.existing(db, "ackerwinde")
        receipt = save_orders(db, game, store.seats.of_game(db, "ackerwinde")[0], "1>A")
    os.write(1, json.dumps([receipt.revision.number, receipt.revision.orders]).encode())


def close(home: Path, environ: dict[str, str]) -> None:
    """The round falls due."""
    closed = tick_rounds(open_installation(home, environ), DEADLINE).closed
    os.write(1, json.dumps([item.game for item in closed]).encode())


def mail(home: Path, environ: dict[str, str]) -> None:
    """Its mails are written and sent."""
    tick_mail(open_installation(home, environ), DEADLINE)


def everything(home: Path, environ: dict[str, str]) -> None:
    """All three, one after the other."""
    submit(home, environ)
    close(home, environ)
    mail(home, environ)


ACTS = {"submit": submit, "close": close, "mail": mail, "everything": everything}


def play(
    act: str, home: str, environ: dict[str, str], inject: str | None, kill_after: float | None
) -> dict[str, Any]:
    """Fork, attach, let it go, and tell how it ended."""
    said, trace = Path(home) / "said", Path(home) / "trace"
    child = os.fork()
    if child == 0:
        _act(act, Path(home), environ, said)
    os.waitpid(child, os.WUNTRACED)
    tracer = None
    if inject:
        name = inject.partition(":")[0]
        command = [
            "strace",
            "-qq",
            "-o",
            str(trace),
            "-p",
            str(child),
            "-e",
            f"trace={name}",
            "-e",
            f"inject={inject}",
        ]
        tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        if not _is_attached(tracer, child):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            tracer.kill()
            return {"error": f"strace did not attach: {tracer.communicate()[1].strip()}"}
    os.kill(child, signal.SIGCONT)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if tracer is not None:
        tracer.communicate()
    return {
        "status": os.waitstatus_to_exitcode(status),
        "said": said.read_text() if said.exists() else "",
        "hit": inject is not None and "(INJECTED)" in trace.read_text(errors="replace"),
    }


def _is_attached(tracer: subprocess.Popen[str], child: int) -> bool:
    """Wait until strace holds the child. False if strace has ended, or after half a minute."""
    for _ in range(30_000):
        if f"TracerPid:\t{tracer.pid}" in Path(f"/proc/{child}/status").read_text():
            return True
        if tracer.poll() is not None:
            return False
        time.sleep(0.001)
    return False


def _act(act: str, home: Path, environ: dict[str, str], said: Path) -> None:
    """In the child: wait to be let go, act, and leave without tidying up."""
    out = os.open(said, os.O_CREAT | os.O_WRONLY)
    os.dup2(out, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.kill(os.getpid(), signal.SIGSTOP)
    try:
        ACTS[act](home, environ)
    except Exception:
        os._exit(1)
    os._exit(0)


def rehearse(home: Path) -> None:
    """Close a round and write its mails in a copy of an installation, so that every child finds
    the templates compiled.
    """
    with TemporaryDirectory() as spare:
        installation = open_installation(Path(shutil.copytree(home, Path(spare) / "home")), {})
        tick_rounds(installation, DEADLINE)
        tick_mail(installation, DEADLINE)


if __name__ == "__main__":
    rehearse(Path(sys.argv[1]))
    for line in sys.stdin:
        print(json.dumps(play(**json.loads(line))), flush=True)
