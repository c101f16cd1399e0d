"""Every number of the list of bad inputs has a test that carries it in its name."""

import re
from pathlib import Path

from tests.bad_inputs.texts import TEXTS

TESTS = Path(__file__).parent.parent
LAST = 153
NAMED = re.compile(r"def (test_\w*b\d{3}\w*)")
NUMBERS = re.compile(r"b(\d{3})(?:_to_b(\d{3}))?")


def test_every_number_has_a_test() -> None:
    found = set(TEXTS)
    for file in TESTS.rglob("test_*.py"):
        for name in NAMED.findall(file.read_text(encoding="utf-8")):
            for first, last in NUMBERS.findall(name):
                found |= set(range(int(first), int(last or first) + 1))
    assert set(range(1, LAST + 1)) - found == set()
