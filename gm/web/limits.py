"""How often something may be done from one machine. Counted in this process alone, so that
reading a page writes nothing.
"""

import ipaddress
import re
import threading
import time
from collections import Counter
from collections.abc import Callable

from flask import current_app, g, request

from gm.config import LOCAL

MOST_KEYS = 100_000
"""If more machines than this are counted, counting begins anew: memory stays bounded."""


WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::\d+)?|([0-9.]+):\d+")
"""How some proxies write an address."""


class Limit:
    """At most `most` times in a window of `seconds`, for each machine."""

    def __init__(self, most: int, seconds: int, now: Callable[[], float] = time.monotonic) -> None:
        """`now` is the clock."""
        self.most, self.seconds = most, seconds
        self._now, self._lock = now, threading.Lock()
        self._window, self._counts = 0, Counter[str]()

    def is_reached(self, who: str) -> bool:
        """Count one more for `who`; True if that is too many."""
        with self._lock:
            window = int(self._now() // self.seconds)
            if window != self._window or len(self._counts) > MOST_KEYS:
                self._window = window
                self._counts.clear()
            self._counts[who] += 1
            return self._counts[who] > self.most


def new_limits(now: Callable[[], float] = time.monotonic) -> dict[str, Limit]:
    """The limits of one process: links and tokens that open nothing, forms, public pages,
    requests of programs, mails asked for, practice games, and those of all machines together.
    `now` is the clock.
    """
    most = {"guess": 100, "form": 300, "page": 1000, "api": 600}
    return {what: Limit(number, 600, now) for what, number in most.items()} | {
        "mail": Limit(20, 3600, now),
        "practice": Limit(30, 3600, now),
        "practice_in_all": Limit(20, 60, now),
    }


def is_too_often(what: str) -> bool:
    """Count this request against its machine; True if that is too many.

    This machine itself is not counted: behind a proxy that the settings do not name, everybody
    comes from there.
    """
    who = machine(request.remote_addr or "")
    limits: dict[str, Limit] = current_app.extensions["limits"]
    is_reached = who not in LOCAL and limits[what].is_reached(who)
    if is_reached:
        g.retry_after = limits[what].seconds
    return is_reached


def machine(address: str) -> str:
    """An address as it is counted: without a port; of IPv6 the network, because one machine has
    many of those addresses. Everything that is no address counts as one machine.
    """
    spelled = WITH_PORT.fullmatch(address)
    try:
        parsed = ipaddress.ip_address((spelled[1] or spelled[2]) if spelled else address)
    except ValueError:
        return ""
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    if isinstance(parsed, ipaddress.IPv6Address) and not parsed.is_loopback:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
