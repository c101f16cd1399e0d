"""Many processes at once on one installation, let go together. A process of its own, so that
forking disturbs nobody.

    python -m tests.crash.crowd run N NOW HOME…            in each home N times what `bohnenpost run` does, at the instant NOW
    python -m tests.crash.crowd race SENDERS CLOSERS HOME…   in each home lists are sent and the round closed around a deadline

Prints one line of JSON for each home: (exit status, answer) of each process.
"""

import json
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gm import clock, config, store
from gm.games import orders
from gm.games.orders import Late, save_orders
from gm.installation import Installation, open_installation
from gm.service import tick_mail, tick_rounds
from gm.store.db import write

orders.MOST_LISTS = 10**9  # here everybody presses without end
AFTER = 0.3
"""Seconds a race goes on after its deadline."""
SOON = 3600
"""A deadline that is no further away than this is that of a race."""


def together(acts: list[Callable[[], Any]]) -> list[tuple[int, Any]]:
    """Fork a process for each act, let them go at the same moment, and collect (status, answer)."""
    start_read, start_write = os.pipe()
    children = []
    for act in acts:
        answer_read, answer_write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(start_write)
            os.read(start_read, 1)  # blocks until the parent closes its end
            try:
                os.write(answer_write, json.dumps(act()).encode())
            except BaseException as error:
                os.write(answer_write, json.dumps(f"{type(error).__name__}: {error}").encode())
                os._exit(1)
            os._exit(0)
        os.close(answer_write)
        children.append((child, answer_read))
    os.close(start_read)
    os.close(start_write)
    ended = []
    for child, answer_read in children:
        with os.fdopen(answer_read) as answer:
            said = answer.read()
        ended.append((os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), json.loads(said)))
    return ended


def run(home: Path, now: int) -> list[str]:
    """The games this process closed."""
    installation = open_installation(home, {})
    closed = tick_rounds(installation, now).closed
    tick_mail(installation, now)
    return [item.game for item in closed]


def rehearse(home: Path, now: int) -> None:
    """The same on a copy: whoever is forked then finds its templates compiled."""
    with TemporaryDirectory() as spare:
        run(Path(shutil.copytree(home, Path(spare) / "home")), now)


def pause(deadline: int) -> None:
    """Leave the machine to others between two acts of a race, the shorter the nearer the
    deadline is.
    """
    time.sleep(min(abs(deadline - time.time()) / 10, 0.05))


def sender(installation: Installation, name: int) -> list[tuple[str, str]]:
    """Send list after list for the open round, until a moment after one was too late:

    (list, answer) of each, the answer being its revision, `late` or `busy`.
    """
    answers: list[tuple[str, str]] = []
    number, over = 0, float("inf")
    with installation.connection() as db:
        game, seat = (
            store.games.existing(db, "ackerwinde"),
            store.seats.of_game(db, "ackerwinde")[0],
        )
        while time.time() < over + AFTER:
            number += 1
            text = "pass" if number % 2 else f"1>{'ABC'[name % 3]}"
            try:
                receipt = save_orders(db, game, seat, text, press=f"{name}.{number}")
                answers.append((text, str(receipt.revision.number)))
            except Late:
                answers.append((text, "late"))
                over = min(over, time.time())
            except sqlite3.OperationalError:
                answers.append((text, "busy"))
            pause(deadline_of(installation))
    return answers


def deadline_of(installation: Installation) -> int:
    """The deadline of the open round as it is now."""
    with installation.connection() as db:
        return store.games.existing(db, "ackerwinde").deadline or 0


def closer(installation: Installation) -> list[str]:
    """Close what is due, over and over, from just before the deadline until a moment after it
    and nothing is due any more.
    """
    closed: list[str] = []
    while (deadline := deadline_of(installation)) > time.time() + SOON:
        time.sleep(0.02)
    time.sleep(max(0, deadline - 0.1 - time.time()))
    while True:
        is_over = time.time() >= deadline + AFTER
        done = tick_rounds(installation, clock.now()).closed
        closed += [item.game for item in done]
        if is_over and not done:
            return closed
        pause(deadline)


def set_deadline(installation: Installation, senders: int) -> None:
    """Once as many lists as there are senders have a receipt, the deadline comes at the next
    full second but one.

    However busy the machine is, lists arrive before it and after it.
    """
    with installation.connection() as db:
        for _ in range(6000):
            if db.execute("SELECT count(*) FROM revision").fetchone()[0] >= senders:
                break
            time.sleep(0.01)
        with write(db):
            db.execute("UPDATE game SET deadline = ?", [int(time.time()) + 2])


def race(home: Path, senders: int, closers: int, wait: int) -> list[tuple[int, Any]]:
    """After so many seconds: lists are sent and the round is closed around a deadline. What
    senders and closers answered.
    """
    time.sleep(wait)
    installation = open_installation(home, {})
    acts: list[Callable[[], Any]] = [partial(sender, installation, name) for name in range(senders)]
    acts += [partial(closer, installation)] * closers
    return together([*acts, partial(set_deadline, installation, senders)])[:-1]


def races(homes: list[Path], senders: int, closers: int) -> Iterator[list[tuple[int, Any]]]:
    """A race in each home; one begins every second, for most of a race is waiting."""
    for status, ended in together(
        [partial(race, home, senders, closers, wait) for wait, home in enumerate(homes)]
    ):
        assert status == 0, ended
        yield ended


if __name__ == "__main__":
    config._check_database = lambda config: None  # mails may be files here
    what, first, second, *folders = sys.argv[1:]
    homes = [Path(folder) for folder in folders]
    if what == "run":
        if not (homes[0] / "bohnenpost.toml").exists():  # no copy has a database of its own
            rehearse(homes[0], int(second))
        for home in homes:
            print(json.dumps(together([partial(run, home, int(second))] * int(first))))
    else:
        for ended in races(homes, int(first), int(second)):
            print(json.dumps(ended))
