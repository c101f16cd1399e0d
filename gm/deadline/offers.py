"""What an act would make of a deadline, and what may be chosen instead, for the desk and the
commands.
"""

from msgspec import Struct
from sqlite_utils import Database

from gm import errors
from gm.clock import DAY
from gm.deadline import rollback
from gm.games import lead, promises
from gm.store.games import Game


class Offer(Struct, frozen=True):
    """The deadline that follows by itself (None: closed by hand), whether it was `promised`, and
    all that may be chosen.
    """

    first: int | None
    promised: bool
    choices: tuple[int, ...]


class Offers(Struct, frozen=True):
    """What can be done to a game's deadlines now; None where something can't."""

    starting: Offer | None
    resuming: Offer | None
    closing: Offer | None
    taking_back: Offer | None
    keeps_until: int | None
    """If the game is paused now: until when resuming keeps the deadline."""
    earliest: int | None
    """How far the deadline may be brought forward."""


def offers(db: Database, game: Game, now: int) -> Offers:
    """The offers for a game as it stands."""
    is_open = game.is_open and game.deadline is not None and now < game.deadline
    return Offers(
        starting=_offer(game, promises.at_start(game, now), None, now, 0)
        if game.status in ("draft", "open")
        else None,
        resuming=_resuming(db, game, now) if game.status == "paused" else None,
        closing=_closing(game, now)
        if game.status in ("running", "held") and not promises.is_last(game)
        else None,
        taking_back=_taking_back(db, game, now)
        if game.status in ("running", "paused", "held") and game.round > 1
        else None,
        keeps_until=promises.keeps_until(game, now) if is_open else None,
        earliest=_earliest(db, game, now) if is_open else None,
    )


def _earliest(db: Database, game: Game, now: int) -> int | None:
    # a table that cannot be read
    with errors.passed_over(f"{game.id}, how far its deadline may be brought forward"):
        return lead.earliest(db, game, now)
    return None


def _resuming(db: Database, game: Game, now: int) -> Offer:
    ahead = max(
        promises.least(game.schedule), (_earliest(db, game, now) or game.deadline or now) - now
    )
    return _offer(game, promises.after_pause(game, now), game.deadline, now, ahead)


def _closing(game: Game, now: int) -> Offer:
    """The deadlines that may follow if the round is closed now."""
    first = promises.after_close(game, now)
    promised = game.deadline if first == game.deadline else game.next_deadline
    ahead = max(promises.shortest(game.schedule), (game.next_deadline or now) - now)
    return _offer(game, first, promised, now, ahead)


def _taking_back(db: Database, game: Game, now: int) -> Offer:
    promised = rollback.promised_to_last(db, game)
    ahead = max(DAY, (promised or now) - now)
    return _offer(game, promises.of_reopened(game.schedule, promised, now), promised, now, ahead)


def _offer(game: Game, first: int | None, promised: int | None, now: int, ahead: int) -> Offer:
    return Offer(
        first,
        first is not None and first == promised,
        tuple(promises.choices(game.schedule, first, now, ahead)),
    )
