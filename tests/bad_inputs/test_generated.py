"""Generated inputs through every door: mutations of good and bad ones with a fixed seed, and
whatever hypothesis thinks of.

With BOHNENPOST_SOAK ten times as many.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gm.installation import Installation
from gm.store.db import Database
from gm.store.games import Game
from tests.bad_inputs.doors import Doors, corpus
from tests.faster import few_first
from tests.steps import seat_game

INPUTS = 100_000 if os.environ.get("BOHNENPOST_SOAK") else 10_000
CORPUS = corpus()
SHARE = {"record": 0.02, "settings": 0.1, "order text": 0.28}
"""The part of all inputs that goes through a door; the others share the rest."""
PIECES = [
    *(b"\x00", b"\xff", b"\xc3", b"\xe2\x80\xae", b"\xf0\x9f\xab\x98", b"\\ud800"),
    *(b"&", b"=", b"%", b'"', b"'", b"\n", b"\r", b"{", b"[", b"]", b"}", b",", b"/", b".."),
    *(
        b"null",
        b"NaN",
        b"1e999",
        b"9" * 50,
        b"-1",
        b"pass",
        b"HA",
        b"3x2>B",
        b"<script>",
        b"whole=yes",
        b" " * 99,
    ),
]


def mutated(rng: Random, start: bytes) -> bytes:
    """Something near a given input."""
    data = bytearray(start)
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(6):
            case 0:
                data[at:at] = rng.choice(PIECES)
            case 1:
                del data[at : at + rng.choice([1, 2, 5, 20])]
            case 2 if data:
                data[min(at, len(data) - 1)] = rng.randrange(256)
            case 3:
                data[at:at] = data[at : at + rng.randrange(1, 30)] * rng.choice([1, 2, 50])
            case 4:
                data = data[at:] + data[:at]
            case _:
                data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(6)))
    return bytes(data[:70_000])


@pytest.fixture
def doors(installation: Installation, ackerwinde: Game, tmp_path: Path) -> Iterator[Doors]:
    seat_game(installation, "beinwell")
    found = Doors(installation, tmp_path)
    yield found
    found.close()


@pytest.mark.parametrize("door", few_first([*CORPUS], 3))
def test_no_generated_input_breaks_anything(
    doors: Doors, db: Database, door: str, capsys: Any
) -> None:
    rng = Random(door)
    others = (1 - sum(SHARE.values())) / (len(CORPUS) - len(SHARE))
    number = round(INPUTS * SHARE.get(door, others))
    for _ in range(number):
        doors.each[door](mutated(rng, rng.choice(CORPUS[door])))
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with capsys.disabled():
        if INPUTS > 10_000:
            print(f"\n{door}: {number} inputs, the longest computed for {doors.longest:.3f} s")


@pytest.mark.parametrize("door", CORPUS)
def test_nothing_that_hypothesis_thinks_of_breaks_anything(doors: Doors, door: str) -> None:
    @settings(
        max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(
        st.one_of(
            st.binary(max_size=300),
            st.text(max_size=200).map(lambda text: text.encode(errors="surrogatepass")),
        )
    )
    def enter(data: bytes) -> None:
        doors.each[door](data)

    enter()
