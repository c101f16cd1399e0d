"""What a personal link opens: a seat, its game, and the orders sent by it."""

from flask import g
from msgspec import Struct

from gm import clock, store
from gm.games.orders import in_time
from gm.links import TOKEN, token_hash
from gm.store.games import Game
from gm.store.lists import Revision
from gm.store.seats import Seat
from gm.web.page import database


class LinkTarget(Struct, frozen=True):
    """A seat behind its link, its game, and the orders that count in the open round, whoever
    sent them.
    """

    token: str
    game: Game
    seat: Seat
    counting: Revision | None

    @property
    def newest(self) -> Revision | None:
        """The orders that count, if this link sent them."""
        return self.counting if self.counting and self.counting.is_of(self.seat) else None

    @property
    def sealed(self) -> Revision | None:
        """The orders that count, if an earlier link sent them: they exist, but this link does
        not show them.
        """
        return None if self.newest else self.counting

    @property
    def is_playable(self) -> bool:
        """True if orders are taken now."""
        return in_time(self.game, clock.now()) and self.game.takes(self.seat.name)

    def own_lists(self) -> list[Revision]:
        """The orders that this link has sent for the open round, newest first."""
        lists = store.lists.revisions(database(), self.game.id, self.game.round, self.seat.number)
        return [revision for revision in lists if revision.is_of(self.seat)]

    def older(self, number: str) -> Revision | None:
        """One of them by its number, to start from again."""
        return next(
            (revision for revision in self.own_lists() if str(revision.number) == number), None
        )


def target_of(token: str) -> LinkTarget | None:
    """What a link opens; None if nothing. The page takes the language of the seat."""
    if not TOKEN.fullmatch(token):
        return None
    seat = store.seats.by_link(database(), token_hash(token))
    game = store.games.get(database(), seat.game) if seat else None
    if seat is None or game is None:
        return None
    g.language = seat.language
    return LinkTarget(
        token, game, seat, store.lists.newest(database(), game.id, game.round).get(seat.number)
    )
