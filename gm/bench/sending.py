"""Sending: our outbox against the bare `smtplib`, on one connection to the same sink in the same run, and a commit for each mail.

The commit is what keeps a kill from repeating more than one mail.
"""

import smtplib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from sqlite_utils import Database

from gm import store
from gm.bench.batch import run
from gm.bench.fixtures import fall_due, furnish
from gm.bench.measure import Figure, Options, once, typically
from gm.mail.delivery import lease, send_one
from gm.mail.transports import MAILS_PER_CONNECTION, transport
from gm.store.db import write

GAMES = 40


def send(options: Options) -> Iterator[Figure]:
    """Sending with everything around it."""
    sink = subprocess.Popen([sys.executable, "-m", "gm.bench.smtp_sink"], stdout=subprocess.PIPE, text=True)
    assert sink.stdout is not None
    try:
        port = int(sink.stdout.readline())
        with tempfile.TemporaryDirectory() as folder:
            house = furnish(Path(folder), GAMES, options.seats)
            now = fall_due(house)
            run("close", house, now, GAMES)
            run("write", house, now, GAMES)
            config = replace(house.config, smtp_host="127.0.0.1", smtp_port=port, smtp_tls="none")
            with house.connection() as db:
                mails = [(mail.address, mail.bytes) for mail in store.mails_not_sent(db) if mail.bytes is not None]
                bare, commit = once(lambda: _bare(mails, port)).wall / len(mails), typically(lambda: _commit(db)).wall

                def ours() -> None:
                    with transport(config, house.mail_folder) as server:
                        mail = lease(db, now)
                        while mail is not None:
                            mail = send_one(db, server, mail, now).following

                took = once(ours)
        yield Figure("sending, a mail", took.wall / len(mails), "us", "smtplib and a commit", bare + commit, 1.5)
    finally:
        sink.kill()
        sink.communicate()


def _commit(db: Database) -> None:
    with write(db):
        store.remember(db, "bench", str(time.time_ns()))


def _bare(mails: list[tuple[str, bytes]], port: int) -> None:
    for start in range(0, len(mails), MAILS_PER_CONNECTION):
        with smtplib.SMTP("127.0.0.1", port) as smtp:
            for address, data in mails[start : start + MAILS_PER_CONNECTION]:
                smtp.sendmail("a@example.org", [address], data)
