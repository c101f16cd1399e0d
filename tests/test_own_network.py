"""Friends in one room, on a network of its own: another machine is the phone."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.everything,
    pytest.mark.skipif(
        os.name != "posix" or os.geteuid() != 0 or shutil.which("ip") is None,
        reason="needs root and ip",
    ),
]

HERE, PHONE = "192.168.177.1", "192.168.177.2"
ASK = """import sys, urllib.parse, urllib.request
class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_): return None
data = urllib.parse.urlencode(dict(f.split("=") for f in sys.argv[2:])).encode() or None
try: answer = urllib.request.build_opener(Stay).open(sys.argv[1], data, 10)
except urllib.error.HTTPError as error: answer = error
print(answer.status, answer.headers.get("Location", ""))"""


def ip(*args: str) -> None:
    subprocess.run(["ip", *args], check=True)


@pytest.fixture
def network() -> Iterator[None]:
    """Two machines, `bohn-a` and `bohn-b`, and a cable."""
    for side in "ab":
        ip("netns", "add", f"bohn-{side}")
    try:
        ip(
            "link",
            "add",
            "bohn-va",
            "netns",
            "bohn-a",
            "type",
            "veth",
            "peer",
            "bohn-vb",
            "netns",
            "bohn-b",
        )
        for side, address in (("a", HERE), ("b", PHONE)):
            ip("-n", f"bohn-{side}", "addr", "add", f"{address}/24", "dev", f"bohn-v{side}")
            ip("-n", f"bohn-{side}", "link", "set", f"bohn-v{side}", "up")
            ip("-n", f"bohn-{side}", "link", "set", "lo", "up")
        yield
    finally:
        for side in "ab":
            ip("netns", "del", f"bohn-{side}")


@contextmanager
def running(home: Path, *args: str) -> Iterator[str]:
    """A command on the first machine, as far as it says how to stop it."""
    command = [
        "ip",
        "netns",
        "exec",
        "bohn-a",
        sys.executable,
        "-u",
        "-m",
        "gm",
        "--home",
        str(home),
    ]
    environ = {k: v for k, v in os.environ.items() if not k.startswith("BOHNENPOST")}
    with subprocess.Popen(
        [*command, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environ
    ) as serving:
        assert serving.stdout is not None
        said = ""
        while "Ctrl-C" not in said and (line := serving.stdout.readline()):
            said += line
        try:
            yield said
        finally:
            serving.terminate()


def asked(side: str, url: str, *fields: str) -> tuple[int, str]:
    """What a page or form answers on one of the machines, and where it leads."""
    command = ["ip", "netns", "exec", f"bohn-{side}", sys.executable, "-c", ASK, url, *fields]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    status, _, location = done.stdout.strip().partition(" ")
    return int(status), location


def test_another_machine_sits_down_and_has_no_waiting_room(network: None, tmp_path: Path) -> None:
    with running(tmp_path / "home", "tonight") as said:
        assert "only this machine opens that" in said  # it has no way out, so no address to guess
    command = ["tonight", "--variant", "duel", "--host", HERE]
    with running(tmp_path / "home", *command) as said:
        address = re.findall(rf"http://{re.escape(HERE)}:\S+/t/\w+", said)[0]
        base = address.partition("/t/")[0]
        assert asked("b", address)[0] == 200
        status, link = asked("b", address, "name=Anna", "whole=yes")
        assert (status, link[:3]) == (303, "/z/")
        assert asked("b", base + link)[0] == 200
        for path in ("/tonight", "/tonight/begin"):
            fields = ["whole=yes"] if path.endswith("begin") else []
            assert asked("b", base + path, *fields)[0] == 404
            assert asked("a", "http://localhost:8120" + path, *fields)[0] in (200, 303)
        assert asked("b", address)[0] == 404  # it has begun


def test_pages_are_served_to_the_network_with_the_switch_alone(
    network: None, tmp_path: Path
) -> None:
    settings = tmp_path / "home" / "bohnenpost.toml"
    settings.parent.mkdir()
    settings.write_text(f'base_url = "http://{HERE}:8120"\nport = 8120\n')
    with running(tmp_path / "home", "serve", "--lan"):
        assert asked("b", f"http://{HERE}:8120/")[0] == 200
        assert asked("a", "http://localhost:8120/")[0] == 200
    with running(tmp_path / "home", "serve") as said:
        assert "serve --lan" in said
    for public in ("http://8.8.8.8:8120", "http://beans.example.org"):
        settings.write_text(f'base_url = "{public}"\n')
        with running(tmp_path / "home", "serve", "--lan") as said:
            assert "unencrypted" in said
    with running(tmp_path / "home", "tonight", "--host", "8.8.8.8") as said:
        assert "no address inside a network" in said
