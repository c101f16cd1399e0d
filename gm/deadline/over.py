"""Games that are over: the verdict on their record, the hindsight and the standing are computed
once and stored.
"""

from typing import Any

import msgspec

from gm import errors, store
from gm.deadline.retry import ending
from gm.games.league import StoredResult, remembered_standing
from gm.proof.fairness import verdict
from gm.proof.hindsight import look_back
from gm.store.db import Database, write


def settle_one(db: Database, game_id: str | None = None) -> bool:
    """Compute verdict, hindsight and standing of one game that is over, or of this one. False if
    nothing is left to do. Why there is no verdict is stored in its place.
    """
    over = store.games.next_to_settle(db, game_id)
    if over is None:
        return False
    result = hindsight = standing = None
    try:
        with ending(db, over, lambda other, why: _keep(other, over, why, None, None)):
            game = store.games.get(db, over)
            assert game is not None
            result = verdict(db, game)
            hindsight, standing = look_back(db, game), remembered_standing(db, game)
    except Exception as error:  # one bad game must never stop the others
        if errors.is_environment(error):
            raise
        why = errors.in_words(error, errors.noted(error, f"looking back at {over}"))
        result = result or why
    _keep(db, over, result, hindsight, standing)
    return True


def _keep(
    db: Database, game: str, found: str, hindsight: Any, standing: StoredResult | None
) -> None:
    kept = {
        name: msgspec.json.encode(value).decode() if value else None
        for name, value in (("hindsight", hindsight), ("standing", standing))
    }
    with write(db, game):
        store.games.update(db, game, {"verdict": found, **kept})
