"""A port for a program that is measured, and when it answers there."""

import http.client
import socket
import time


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def wait_for(port: int) -> None:
    """Until the front page is answered. Raises OSError after twenty seconds."""
    until = time.monotonic() + 20
    while True:
        try:
            asked = http.client.HTTPConnection("localhost", port, timeout=5)
            asked.request("GET", "/")
            if asked.getresponse().read():
                return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.005)
