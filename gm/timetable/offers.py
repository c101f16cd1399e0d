"""What an act would make of a deadline, and what may be chosen instead, for the desk and the
commands.
"""

from msgspec import Struct

from gm.store.games import Game
from gm.timetable import promises
from gm.timetable.standing import Standing


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


def offers(stands: Standing, now: int) -> Offers:
    """The offers for a game as it stands."""
    game = stands.game
    is_open = game.is_open and game.deadline is not None and now < game.deadline
    return Offers(
        starting=_offer(game, promises.at_start(game, now), None, now, 0)
        if game.status in ("draft", "open")
        else None,
        resuming=_resuming(stands, now) if game.status == "paused" else None,
        closing=_closing(game, now)
        if game.status in ("running", "held") and not promises.is_last(game)
        else None,
        taking_back=_taking_back(stands, now) if game.is_going and game.round > 1 else None,
        keeps_until=promises.keeps_until(game, now) if is_open else None,
        earliest=stands.earliest(now) if is_open else None,
    )


def _resuming(stands: Standing, now: int) -> Offer:
    game = stands.game
    ahead = max(promises.least(game.schedule), (stands.earliest(now) or game.deadline or now) - now)
    return _offer(game, promises.after_pause(game, now), game.deadline, now, ahead)


def _closing(game: Game, now: int) -> Offer:
    """The deadlines that may follow if the round is closed now."""
    first = promises.after_close(game, now)
    promised = game.deadline if first == game.deadline else game.next_deadline
    ahead = max(promises.shortest(game.schedule), (game.next_deadline or now) - now)
    return _offer(game, first, promised, now, ahead)


def _taking_back(stands: Standing, now: int) -> Offer:
    game, promised = stands.game, stands.before
    ahead = max(promises.REOPENED, (promised or now) - now)
    return _offer(game, promises.of_reopened(game.schedule, promised, now), promised, now, ahead)


def _offer(game: Game, first: int | None, promised: int | None, now: int, ahead: int) -> Offer:
    return Offer(
        first,
        first is not None and first == promised,
        tuple(promises.choices(game.schedule, first, now, ahead)),
    )
