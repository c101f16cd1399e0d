"""Coverage-guided fuzzing of one door: `python -m tests.bad_inputs.fuzz "order text" -max_total_time=60`; `make fuzz` takes all.

Needs atheris (Linux, Python 3.11 to 3.13). What breaks a promise ends the run, and the input is written to a file `crash-…`.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["gm", "rounds"]):
    from gm.installation import open_installation
    from tests.bad_inputs.doors import Doors, corpus
    from tests.conftest import seat_game, start


def main() -> None:
    """Let in what the fuzzer makes until its time is over."""
    door = sys.argv.pop(1)
    with tempfile.TemporaryDirectory() as folder:
        house = open_installation(Path(folder) / "house", {}, create=True)
        seat_game(house)
        start(house)
        seat_game(house, "beinwell")
        first = Path(folder) / "corpus"
        first.mkdir()
        for number, data in enumerate(corpus()[door]):
            (first / str(number)).write_bytes(data)
        doors = Doors(house, Path(folder))
        atheris.Setup([*sys.argv, str(first)], doors.each[door])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
