"""What a game master sees: all games by deadline with what is to be done in them, who has ordered
(never what), how reliable people are.
"""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from gm import errors, store
from gm.deadline.health import late
from gm.deadline.outage import last_tick
from gm.games import inbox
from gm.games.awaited import among
from gm.games.names import same_mailbox
from gm.people import joining
from gm.store.db import Database
from gm.store.games import Game
from gm.store.seats import Seat
from gm.web.desk import todo
from gm.web.desk.todo import Task


class GameLine(Struct, frozen=True):
    """A game on the desk: how many lists are in, and whose are missing. Robots and seats without
    a player are not awaited.

    `damage`: what of its rows cannot be read; then the rest is not known. `late`: the seats of
    `missing`; `people`: who plays.
    """

    game: Game
    rounds: int | None
    orders_in: int
    awaited: int
    missing: tuple[str, ...]
    damage: str | None = None
    late: tuple[Seat, ...] = ()
    people: tuple[str, ...] = ()
    tasks: tuple[Task, ...] = ()

    def is_found(self, q: str, kind: str) -> bool:
        """Whether it is a game of this kind, and its name or that of somebody in it has these
        words.
        """
        words = " ".join((self.game.name, self.game.id, *self.people)).casefold()
        return kind in ("", self.game.variant) and q.strip().casefold() in words


class Reliability(Struct, frozen=True):
    """How reliable somebody is over all games: rounds in which they had to order, and how many
    of them were NMRs.
    """

    rounds: int
    nmrs: int


class SeatLine(Struct, frozen=True):
    """A seat as its game master sees it. `at`: when its orders came; `delivered_at`: when the
    mail server accepted the newest report or first row; `refused`: its words if it refused the
    newest mail; `row`: NMRs in a row.
    """

    seat: Seat
    version: int | None
    at: int | None
    by_gm: bool
    delivered_at: int | None
    refused: str | None
    nmrs: int
    row: int
    record: Reliability


class Health(Struct, frozen=True):
    """Mail and deadlines: mails by state, the last one accepted, when deadlines were last looked
    at, what is wrong.

    `full`: the kinds of mails to strangers of which no more go out within this hour.
    """

    waiting: int
    refused: int
    last_sent: int | None
    last_tick: int | None
    trouble: tuple[str, ...]
    full: tuple[str, ...]


def lines(db: Database, games: Sequence[Game], now: int) -> list[GameLine]:
    """The games as lines of the desk, in the given order: a handful of statements for all of them.
    A damaged game does not keep the others from being shown.
    """
    try:
        return _lines(db, games, now)
    except Exception as error:  # one bad game must never stop the others
        if len(games) != 1:
            return [line for game in games for line in lines(db, [game], now)]
        damage, (game,) = _damage(error, games[0]), games
        known = [replace(task, since=None) for task in todo.of_state(game, (), now)]
        tasks = (*known, Task("damaged", game, None, what=damage))
        return [GameLine(game, None, 0, 0, (), damage=damage, tasks=tasks)]


def _damage(error: Exception, game: Game) -> str:
    if errors.is_environment(error):
        raise error
    return errors.in_words(error, errors.noted(error, f"{game.id} on the desk"))


def _lines(db: Database, games: Sequence[Game], now: int) -> list[GameLine]:
    ids = [game.id for game in games]
    seats, ordered = store.seats.of_games(db, ids), store.lists.have_ordered(db, ids)
    unread = inbox.unread_of(db, {game.id: (game, seats[game.id]) for game in games})
    facts = todo.facts(db, games, seats)
    found = []
    for game in games:
        lists, _ = among(game, seats[game.id], ordered[game.id]), game.schedule
        words = [word for word in unread if word.game is game]
        found.append(
            GameLine(
                game,
                game.engine.length(game.rules),
                lists.number,
                len(lists.awaited),
                tuple(seat.called for seat in lists.missing),
                late=lists.missing,
                people=tuple(seat.called for seat in seats[game.id]),
                tasks=tuple(todo.of_game(game, facts, lists.missing, words, now)),
            )
        )
    return found


def seat_lines(db: Database, game: Game) -> list[SeatLine]:
    """The seats of a game with all that their game master may know."""
    newest = store.lists.newest(db, game.id, game.round)
    closed = [(c.closed_at, c.kept_waiting) for c in store.rounds.closed(db, game.id) if c.number]
    delivered = store.told.newest_reports_sent(db, game.id)
    refused = store.told.newest_refusals(db, [game.id])
    records = store.rounds.awaited_of_players(db, game.id)
    lines_of_seats = []
    for seat in store.seats.of_game(db, game.id):
        revision = newest.get(seat.number)
        nmrs, row = todo.silence(seat, closed)
        lines_of_seats.append(
            SeatLine(
                seat=seat,
                version=revision.number if revision else None,
                at=revision.at if revision else None,
                by_gm=bool(revision and revision.by_gm),
                delivered_at=delivered.get(seat.number),
                refused=refused.get((game.id, seat.number), (None, 0))[0],
                nmrs=nmrs,
                row=row,
                record=Reliability(*records.get(seat.number, (0, 0))),
            )
        )
    return lines_of_seats


def alike(db: Database, game: Game) -> list[tuple[str, ...]]:
    """Seats whose addresses may be one mailbox in several spellings. Only for the game master to
    know.
    """
    by_mailbox: dict[str, list[str]] = {}
    for seat in store.seats.of_game(db, game.id):
        if seat.address:
            by_mailbox.setdefault(same_mailbox(seat.address), []).append(seat.called)
    return [tuple(names) for names in by_mailbox.values() if len(names) > 1]


def health(db: Database, now: int) -> Health:
    """The state of mail and deadlines now."""
    trouble = tuple(sorted({finding.kind for finding in late(db, now)}))
    return Health(
        *store.mails.mail_figures(db), last_tick(db) or None, trouble, joining.full(db, now)
    )


def away_during(seat: Seat, game: Game) -> bool:
    """True if the player is away at the deadline of the open round."""
    if seat.away_from is None or seat.away_to is None or game.deadline is None:
        return False
    day = datetime.fromtimestamp(game.deadline, ZoneInfo(game.schedule.zone)).date().isoformat()
    return seat.away_from <= day <= seat.away_to
