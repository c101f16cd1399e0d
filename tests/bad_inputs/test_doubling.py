"""Twice the input costs about twice, at every door: what is merely large holds nobody up.

Seconds say nothing on a busy machine, so two runs are compared: the same input, doubled twice.
In step with the input that is four times the cost, with its square sixteen times; nine times,
more than triple for each doubling, is too much. Counted is only what the thread itself computes,
and one good attempt is enough.
"""

import gc
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gm.installation import Installation
from gm.store.games import Game
from tests.bad_inputs.doors import Doors
from tests.rules.prover import as_bytes, proven_game
from tests.steps import seat_game

LARGEST = 64_000
"""What a form or a body may have."""
ATTEMPTS, SMALL_RUNS = 10, 3
TOO_MUCH = 3 * 3
MARKS = "\u0300\u0327"
"""Two marks in the wrong order: each pair has to be sorted when a text is normalised."""

Make = Callable[[int], bytes]


@pytest.fixture
def doors(installation: Installation, ackerwinde: Game, tmp_path: Path) -> Iterator[Doors]:
    seat_game(installation, "beinwell")
    found = Doors(installation, tmp_path)
    found.most_seconds = float("inf")
    yield found
    found.close()


def text(pattern: str, before: str = "", behind: str = "") -> Make:
    """So many bytes of a pattern over and over; `#` in it becomes another number each time."""

    def make(size: int) -> bytes:
        longest = pattern.replace("#", "12345")
        times = range(size // len(longest.encode()))
        return (
            before + "".join(pattern.replace("#", f"{number:05}") for number in times) + behind
        ).encode()

    return make


def body(pattern: str, name: str) -> Make:
    """The same in a field of a body for programs."""
    return lambda size: json.dumps(
        {"round": 1, "orders": "1", name: text(pattern)(size).decode()}
    ).encode()


def table_of(seats: int, orders: str | None) -> bytes:
    """A record of one round with so many seats, each with these orders."""
    whole = proven_game(4, seats=1, rules={"rounds": 1})
    names = [f"s{number}" for number in range(seats)]
    return as_bytes(whole | {"seats": names, "rounds": [{"orders": dict.fromkeys(names, orders)}]})


def in_record(change: Callable[[dict[str, Any], int], object]) -> Make:
    """A record that was proven until somebody changed it."""

    def make(size: int) -> bytes:
        whole = proven_game(4, seats=3, rules={})
        change(whole, size)
        return as_bytes(whole)

    return make


def proven(size: int) -> bytes:
    names = tuple(f"s{number}" for number in range(size // 200))
    return as_bytes(proven_game(4, seats=len(names), rules={"rounds": 1}, names=names))


def set_in(path: str, value: Callable[[int], Any]) -> Make:
    """A record with another value at a place like `fairness.setup`."""
    *outer, last = path.split(".")

    def change(whole: dict[str, Any], size: int) -> None:
        for key in outer:
            whole = whole[int(key)] if isinstance(whole, list) else whole[key]
        whole[last] = value(size)

    return in_record(change)


PART = '--x\r\nContent-Disposition: form-data; name="#"\r\n\r\n1\r\n'
MAIL = "Content-Type: text/plain; charset=utf-8\r\n\r\n"
FRAME = "round=1&rev=0&action=submit&whole=yes&"
SHAPES: dict[str, dict[str, Make]] = {
    "JSON": {
        "keys": text('"#":1,', "{", '"x":1}'),
        "keys twice": text('"#":1,', "{", '"00000":1}'),
        "a list": text("1,", "[", "1]"),
        "depth": lambda size: b"[" * (size // 2) + b"]" * (size // 2),
        "digits": text("1"),
        "digits behind a point": text("1", "0."),
        "escapes": text("\\u00e4", '"', '"'),
        "lines": text("\n", "", "x"),
        "press": body("x", "press"),
        "press of letters and points": body("a.1.", "press"),
        "press like keys": body("A" * 43 + " ", "press"),
        "press of lines": body("\r\n", "press"),
    },
    "form": {
        "fields": text("a#=1&", FRAME),
        "one field": text("a=1&", FRAME),
        "ampersands": text("&", FRAME),
        "percent signs": text("%", FRAME),
        "bytes": text("%C3", FRAME + "press="),
        "press": text("x", FRAME + "press="),
        "clearings": text("pre_1_1=HA&", FRAME),
        "cards": text("to_#_1=A&", FRAME),
    },
    "form in parts": {
        "parts": text(PART, "", "--x--\r\n"),
        "one part": text("x", PART, "\r\n--x--\r\n"),
        "almost boundaries": text("\r\n--", PART, "\r\n--x--\r\n"),
        "headers": text("A: b\r\n", "--x\r\n", "\r\n\r\n--x--"),
        "parameters": text("; a#=b", "--x\r\nContent-Disposition: form-data", "\r\n\r\n1\r\n--x--"),
        "escapes": text(
            '\\"', '--x\r\nContent-Disposition: form-data; name="', '"\r\n\r\n1\r\n--x--'
        ),
    },
    "sign-up": {
        "name": text("x"),
        "name of marks": text(MARKS, "a"),
        "address": text("x", "Eve\n", "@example.org"),
        "domain": text("ü.", "Eve\na@", "org"),
    },
    "lost link": {"domain": text("ü.", "a@", "org"), "marks": text(MARKS, "a@a", ".org")},
    "my games": {"domain": text("ü.", "a@", "org")},
    "follow": {"marks": text(MARKS, "a@a", ".org")},
    "private notes": {"letters": text("x"), "lines": text("\r\n"), "marks": text(MARKS, "a")},
    "mail address": {
        "local part": text("a", "", "@example.org"),
        "domain": text("x.", "a@", "org"),
        "other letters": text("ü", "a@", ".org"),
        "other domains": text("ü.", "a@", "org"),
        "marks": text(MARKS, "a@a", ".org"),
        "at signs": text("@"),
    },
    "address": {
        "letters": text("x"),
        "slashes": text("/x"),
        "dots": text("../"),
        "bytes": text("%ff"),
        "query": text("&a=1", "zine?since=1"),
        "digits": text("1", "p/ackerwinde/r"),
    },
    "language": {
        "languages": text("a#;q=0.5,"),
        "parts": text("a-"),
        "one": text("a"),
        "weights": text("1", "de;q=0."),
    },
    "cookie": {
        "many": text("a#=b;"),
        "quotes": text("\\101", 'desk="', '"'),
        "one": text("A", "desk="),
    },
}
FEW: dict[str, dict[str, Make]] = {
    "order text": {
        "plantings": text("1 "),
        "words": text("x "),
        "halves of a pass": text("pa ss "),
        "a word": text("x"),
        "digits": text("1"),
        "strange": text("ж"),
        "strange words": text("ж "),
        "marks": text(MARKS, "a"),
        "lines": text("x\n"),
        "blanks": text(" ", "1"),
        "sums": text("1+"),
        "stacks": text("1x1"),
        "arrows": text("->"),
        "dashes": text("-"),
    }
}
"""At most 4,000 characters are read."""
FILES: dict[str, dict[str, Make]] = {
    "record": {
        "keys": text('"#":1,', "{", '"x":1}'),
        "seats": lambda size: table_of(size // 30, None),
        "seats with lists": lambda size: table_of(size // 30, "1>A"),
        "seats with bad lists": lambda size: table_of(size // 30, "9>A"),
        "a whole game": proven,
        "strangers": set_in(
            "rounds.0.orders", lambda size: dict.fromkeys(map(str, range(size // 10)))
        ),
        "phrases": set_in(
            "fairness.phrases", lambda size: dict.fromkeys(map(str, range(size // 10)), "x")
        ),
        "a phrase of marks": set_in(
            "fairness.phrases", lambda size: {"Anna": "a" + MARKS * (size // 4)}
        ),
        "notes": set_in(
            "fairness.rounds.0.notes",
            lambda size: [{"kind": "x", "at": "x", "text": "x"}] * (size // 35),
        ),
        "receipts": set_in(
            "fairness.rounds.0.receipts", lambda size: dict.fromkeys(map(str, range(size // 10)))
        ),
        "set-up": set_in(
            "fairness.setup", lambda size: dict.fromkeys(map(str, range(size // 10)), 1)
        ),
        "house rules": set_in(
            "house_rules", lambda size: dict.fromkeys(map(str, range(size // 10)), 1)
        ),
        "orders": set_in("rounds.0.orders.Anna", lambda size: "1 " * (size // 2)),
        "rounds": in_record(
            lambda whole, size: whole["rounds"].extend(whole["rounds"][:1] * (size // 100))
        ),
        "deck": in_record(
            lambda whole, size: (
                whole.pop("fairness") and whole.update(deck=list(map(str, range(size // 8))))
            )
        ),
        "a name of marks": set_in("seats", lambda size: ["a" + MARKS * (size // 4)]),
    },
    "settings": {
        "keys": text("k#=1\n"),
        "parts of a key": text("a.", "", "b=1"),
        "parts of a heading": text("a.", "[", "b]"),
        "headings": text("[t#]\n"),
        "a list": text("1,", "a=[", "]"),
        "depth": text("[", "a="),
        "tables in tables": text("b={", "a={"),
        "text": text("x", 'a="'),
        "quotes": text('"', 'a="""'),
        "comments": text("#\n"),
        "digits": text("9", "port="),
        "an address of pages": text("a", 'base_url="https://', '"'),
        "a sender": text("a@", 'mail_from="', '"'),
        "almost a setting": text("a", "smtp_", "=1"),
    },
    "mails": {
        "a line above a value": text("x", "A: b\r\n\r\n", "\r\n" + "a" * 64),
        "commas above a value": text("x, ", "A: b\r\n\r\n", "\r\n" + "a" * 64),
        "lines above a value": text("x\r\n", "A: b\r\n\r\n", "a" * 64),
        "values": text("a" * 64 + "\r\n", "A: b\r\n\r\n"),
        "marks": text(MARKS, MAIL, "\r\n"),
        "signs of a quotation": text("> ", "A: b\r\n\r\n"),
        "half a tag": text("<", MAIL.replace("plain", "html")),
        "half a break": text("<br ", MAIL.replace("plain", "html")),
        "parts": text("--b\r\n\r\n", "Content-Type: multipart/mixed; boundary=b\r\n\r\n"),
        "mails in mails": text("Content-Type: message/rfc822\r\n\r\n"),
        "parameters": text("a=b;", "Content-Type: text/plain;", "\r\n\r\nx"),
        "parameters of a part": text("a;", "Content-Disposition: ", "\r\n\r\nx"),
        "comments": text("(", "Message-ID: ", "\r\n\r\nx"),
    },
}
EACH = [
    pytest.param(door, make, largest, id=f"{door}: {name}")
    for largest, doors_of in ((LARGEST, SHAPES | FILES), (4000, FEW))
    for door, shapes in doors_of.items()
    for name, make in shapes.items()
]


def computed(let_in: Callable[[bytes], None], data: bytes) -> float:
    """What letting it in costs this thread."""
    gc.disable()
    try:
        began = time.thread_time()
        let_in(data)
        return time.thread_time() - began
    finally:
        gc.enable()


@pytest.mark.everything
@pytest.mark.parametrize(("door", "make", "largest"), EACH)
def test_twice_the_input_costs_about_twice(
    doors: Doors, door: str, make: Make, largest: int
) -> None:
    let_in = (doors.each | doors.more)[door]
    small, large = make(largest // 4), make(largest)
    let_in(small)  # what is read, compiled and remembered once
    found = []
    for _ in range(ATTEMPTS):
        found.append(
            computed(let_in, large) / min(computed(let_in, small) for _ in range(SMALL_RUNS))
        )
        if found[-1] <= TOO_MUCH:
            return
    pytest.fail(f"four times the input costs {min(found):.1f} times as much, at best")
