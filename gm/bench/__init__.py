"""How fast a deadline batch is, stage by stage.

Each line is a figure, a yardstick measured in the same run (the same work done with the bare library), their ratio, the target,
and whether it holds. Figures move by a factor of two from machine to machine and hour to hour; ratios do not. So targets are
ratios; a time that has nothing to be compared with stands beside a loop of fixed work, and fails nothing.
"""

from gm.bench.measure import Bench


def benches() -> dict[str, Bench]:
    """All benches by name, in the order of the work."""
    from gm.bench import batch, engine, page, sending, start  # noqa: PLC0415  # nothing else of the program needs them

    return {
        "engine": engine.rounds,
        "hindsight": engine.hindsight,
        "close": batch.close,
        "write": batch.write,
        "send": sending.send,
        "batch": batch.whole,
        "large": batch.large,
        "storage": batch.storage,
        "page": page.pages,
        "start": start.start,
        "robots": engine.robots,
        "heavy": engine.heavy,
    }
