"""Games that are over: the verdict on their record and the hindsight are computed once and
stored.
"""

from typing import Any

import msgspec
from sqlite_utils import Database

from gm import errors, store
from gm.deadline.retry import ending
from gm.proof.fairness import verdict
from gm.proof.hindsight import look_back
from gm.store.db import write


def settle_one(db: Database) -> bool:
    """Compute verdict and hindsight of one game that is over. False if none is left. A failure is
    stored as the verdict.
    """
    over = store.games.next_to_settle(db)
    if over is None:
        return False
    try:
        with ending(db, over, lambda other, why: _keep(other, over, why, None)):
            game = store.games.get(db, over)
            assert game is not None
            result, hindsight = verdict(db, game), look_back(db, game)
    except Exception as error:  # one bad game must never stop the others
        if errors.is_environment(error):
            raise
        result, hindsight = (
            errors.in_words(error, errors.noted(error, f"looking back at {over}")),
            None,
        )
    _keep(db, over, result, hindsight)
    return True


def _keep(db: Database, game: str, verdict: str, hindsight: Any) -> None:
    kept = msgspec.json.encode(hindsight).decode() if hindsight else None
    with write(db):
        store.games.update(db, game, {"verdict": verdict, "hindsight": kept})
