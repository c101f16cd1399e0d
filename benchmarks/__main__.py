"""`python -m benchmarks [NAME …] [--games N]`: a line for each figure, with its yardstick and
their ratio.
"""

import argparse
from collections.abc import Callable, Iterator
from itertools import chain

from benchmarks import batch, chromium, deadlines, desk, page, readers, rules, start, years
from benchmarks.measure import Figure

ALL: dict[str, Callable[[int], Iterator[Figure]]] = {
    "start": lambda _: start.start(),
    "page": lambda _: chain(page.alone(), page.beside_practice()),
    "desk": lambda _: desk.desk(),
    "batch": batch.growing,
    "late": lambda _: deadlines.late(),
    "readers": lambda _: readers.readers(),
    "servers": lambda _: readers.servers(),
    "heavy": lambda _: rules.heavy(),
    "standing": lambda _: rules.standing(),
    "lengths": rules.lengths,
    "robots": lambda _: rules.robots(),
    "years": lambda _: years.years(),
    "chromium": lambda _: chromium.rows(),
}


def line(figure: Figure) -> str:
    """A figure as it is printed."""
    ratio = (
        f"{figure.figure / figure.against:6.2f} of {figure.yardstick}, {figure.against:.4g}"
        if figure.against
        else ""
    )
    return f"{figure.name:<52} {figure.figure:>9.4g} {figure.unit:<5} {ratio}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ALL))
    parser.add_argument(
        "--games", type=int, default=1000, help="the largest batch; 10000 takes some minutes"
    )
    asked = parser.parse_args()
    if odd := set(asked.names) - ALL.keys():
        parser.error(f"no such benchmark: {', '.join(sorted(odd))}; there are: {', '.join(ALL)}")
    for name in asked.names or ALL:
        for figure in ALL[name](asked.games):
            print(line(figure), flush=True)


if __name__ == "__main__":
    main()
