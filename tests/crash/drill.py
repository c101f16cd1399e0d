"""The restore drill, with the commands of the guide: a service in use is copied, lost, and
brought back.

`python -m tests.crash.drill FOLDER` makes everything in FOLDER. Nothing may be lost but what
came after the copy began.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from gm import store
from gm.installation import open_installation

PLAYERS = ("Anna", "Bert", "Cem")
LISTS = ("1", "2", "1 2", "pass")


def main(folder: Path) -> float:
    """Seconds it took; raises AssertionError if anything is missing afterwards."""
    began, home = time.monotonic(), folder / "house"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    os.environ |= {
        "BOHNENPOST_HOME": str(home),
        "BOHNENPOST_PORT": str(port),
        "BOHNENPOST_BASE_URL": f"http://localhost:{port}",
    }
    bohnenpost(
        "game",
        "new",
        "ackerwinde",
        "--gm",
        "Uli",
        "--gm-address",
        "uli@example.org",
        "--zone",
        "UTC",
        "--at",
        "20:00",
    )
    bohnenpost("game", "open", "ackerwinde")
    for player in PLAYERS:
        bohnenpost(
            "game",
            "seat",
            "ackerwinde",
            "--name",
            player,
            "--address",
            f"{player.lower()}@example.org",
        )
    bohnenpost("game", "start", "ackerwinde")
    server = subprocess.Popen(
        [sys.executable, "-m", "gm", "serve"], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    server.stdout.readline()
    receipts, stop = play(port, home)
    time.sleep(2)
    until = time.time()
    bohnenpost("backup", str(folder / "copy.db"))
    time.sleep(1)
    server.send_signal(signal.SIGKILL)
    server.wait()
    stop.set()
    before = [(player, receipt) for at, player, receipt in list(receipts) if at < until]
    later = len(receipts) - len(before)
    (home / "bohnenpost.db").unlink()
    for left in home.glob("bohnenpost.db-*"):
        left.unlink()
    bohnenpost("restore", str(folder / "copy.db"), "--yes")
    compare(home, before)
    bohnenpost("resume")
    bohnenpost("doctor")
    print(f"{len(before)} receipts from before the copy, all there; {later} from after it")
    assert before
    assert later
    return time.monotonic() - began


def bohnenpost(*args: str) -> str:
    """Run a command that must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "gm", *args], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{args}: {done.stdout}{done.stderr}"
    return done.stdout


def play(port: int, home: Path) -> tuple[list[tuple[float, str, dict[str, Any]]], threading.Event]:
    """Every player changes their mind without end; each receipt with the moment it arrived."""
    receipts: list[tuple[float, str, dict[str, Any]]] = []
    stop = threading.Event()
    found = open_installation(home, os.environ)
    with found.connection() as db:
        tokens = {
            seat.name: found.api_token(seat) for seat in store.seats.of_game(db, "ackerwinde")
        }

    def one(player: str) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            body = json.dumps({"round": 1, "orders": LISTS[number % len(LISTS)]}).encode()
            headers = {
                "Authorization": f"Bearer {tokens[player]}",
                "Content-Type": "application/json",
            }
            url = f"http://localhost:{port}/api/v1/games/ackerwinde/seat/orders"
            try:
                with urllib.request.urlopen(
                    urllib.request.Request(url, body, headers), timeout=5
                ) as answer:
                    receipts.append((time.time(), player, json.load(answer)))
            except OSError:
                pass
            time.sleep(0.15)

    for player in PLAYERS:
        threading.Thread(target=one, args=(player,), daemon=True).start()
    return receipts, stop


def compare(home: Path, before: list[tuple[str, dict[str, Any]]]) -> None:
    """Every list that was answered before the copy began is there, with its orders."""
    found = open_installation(home, os.environ)
    with found.connection() as db:
        numbers = {seat.name: seat.number for seat in store.seats.of_game(db, "ackerwinde")}
        for player, receipt in before:
            sql = "SELECT orders FROM revision WHERE seat = ? AND number = ?"
            stored = db.execute(sql, [numbers[player], receipt["revision"]]).fetchone()
            assert stored == (receipt["orders"],), (player, receipt, stored)


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    print(f"drill passed in {main(Path(sys.argv[1])):.1f} s")
