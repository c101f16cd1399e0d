"""Readers of one process that overlap keep no writer of another process out."""

import subprocess
import sys
import textwrap

from gm import store
from gm.installation import Installation
from gm.store.db import write

READERS = """
import sys, threading, time
from pathlib import Path
from gm.store.connections import opened
from gm.store.db import reading

def read():
    with opened(Path(sys.argv[1])) as db:
        while True:
            with reading(db):
                db.execute("SELECT count(*) FROM meta").fetchone()
                time.sleep(0.005)

for _ in range(8):
    threading.Thread(target=read, daemon=True).start()
print("they read", flush=True)
sys.stdin.read()
"""


def test_a_writer_gets_through_overlapping_readers_of_one_process(
    installation: Installation,
) -> None:
    command = [sys.executable, "-c", textwrap.dedent(READERS), str(installation.database)]
    readers = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert readers.stdout is not None
        assert readers.stdout.readline() == "they read\n"
        with installation.connection() as db:
            for number in range(20):
                with write(db):  # waits ten seconds, then it is locked
                    store.meta.remember(db, "written", str(number))
            assert store.meta.remembered(db, "written") == "19"
    finally:
        readers.kill()
        readers.communicate()
