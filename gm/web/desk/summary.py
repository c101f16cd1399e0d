"""What a game master sees: what is to be done, all games by deadline, who has ordered (never
what), how reliable people are.
"""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlite_utils import Database

from gm import errors, store
from gm.clock import DAY
from gm.deadline.health import late
from gm.deadline.outage import last_tick
from gm.games.awaited import lists_in
from gm.games.inbox import Word, unread
from gm.games.names import same_mailbox
from gm.mail import refused
from gm.people import joining
from gm.store.file import doctor
from gm.store.games import Game
from gm.store.seats import Seat
from rounds.engine.verdict import PROVEN


class GameLine(Struct, frozen=True):
    """A game on the desk: how many lists are in, and whose are missing. Robots and seats without
    a player are not awaited.

    `damage`: what of its rows cannot be read; then the rest is not known. `people`: who plays.
    """

    game: Game
    rounds: int | None
    orders_in: int
    awaited: int
    missing: tuple[str, ...]
    damage: str | None = None
    people: tuple[str, ...] = ()

    def is_found(self, q: str = "", kind: str = "", **_: str) -> bool:
        """Whether it is a game of this kind, and its name or that of somebody in it has these
        words.
        """
        words = " ".join((self.game.name, self.game.id, *self.people)).casefold()
        return kind in ("", self.game.variant) and q.strip().casefold() in words


class Task(Struct, frozen=True):
    """Something to do in a game. `seat`: to which mail was refused, or `mail`, to somebody
    without a seat.
    """

    kind: str
    """`held`; `damaged`: rows that cannot be read; `unproven`: over, and its record does not
    verify; `today`: lists are missing and the deadline is within a day; `refused`: mail; `left`:
    players have left and nobody has their seats; `silent`: two NMRs in a row; `ready`: all seats
    of an open game are taken; `asked`: who is there.
    """
    game: Game
    names: tuple[str, ...] = ()
    what: str = ""
    seat: str = ""
    mail: int = 0


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


def lines(db: Database, games: list[Game]) -> list[GameLine]:
    """The games as lines of the desk, in the given order. A damaged game does not keep the
    others from being shown.
    """
    game_lines = []
    for game in games:
        try:
            game_lines.append(_line(db, game))
        except Exception as error:  # one bad game must never stop the others
            game_lines.append(GameLine(game, None, 0, 0, (), damage=_damage(error, game)))
    return game_lines


def _damage(error: Exception, game: Game) -> str:
    if errors.is_environment(error):
        raise error
    return errors.in_words(error, errors.noted(error, f"{game.id} on the desk"))


def tasks(db: Database, listed: list[GameLine], now: int) -> list[Task]:
    """What is to be done, most urgent first."""
    to_do: list[Task] = []
    for line in listed:
        to_do += _state_tasks(line, now)
        try:
            to_do += (
                [Task("damaged", line.game, what=line.damage)]
                if line.damage
                else _people_tasks(db, line.game)
            )
        except Exception as error:  # one bad game must never stop the others
            to_do.append(Task("damaged", line.game, what=_damage(error, line.game)))
    order = ("held", "damaged", "unproven", "today", "refused", "left", "silent", "ready", "asked")
    return sorted(to_do, key=lambda task: order.index(task.kind))


def _state_tasks(line: GameLine, now: int) -> list[Task]:
    game, to_do = line.game, []
    if game.status == "held":
        to_do.append(Task("held", game, what=game.error or ""))
    if game.verdict not in (None, PROVEN):
        to_do.append(Task("unproven", game, what=game.verdict or ""))
    if game.is_open and game.deadline is not None and game.deadline - now < DAY and line.missing:
        to_do.append(Task("today", game, line.missing))
    return to_do


def _people_tasks(db: Database, game: Game) -> list[Task]:
    to_do = [
        Task("refused", game, (m.address,), m.error or "", mail=m.id)
        for m in refused.without_seat(db, game.id)
    ]
    if game.status == "open":
        seats = store.seats.of_game(db, game.id)
        if silent := not_answered(seats):
            to_do.append(Task("asked", game, silent))
        elif game.seats is not None and len(seats) >= game.seats:
            to_do.append(Task("ready", game, tuple(seat.name for seat in seats)))
    if game.is_going:
        details = seat_lines(db, game)
        to_do += [
            Task("refused", game, (d.seat.called,), d.refused, d.seat.name)
            for d in details
            if d.refused is not None
        ]
        if left := tuple(store.seats.left(db, game.id)):
            to_do.append(Task("left", game, left))
        twice = tuple(d.seat.called for d in details if d.row >= 2 and d.seat.address)
        if twice:
            to_do.append(Task("silent", game, twice))
    return to_do


def not_answered(seats: Sequence[Seat]) -> tuple[str, ...]:
    """The seats that were asked before the start whether they are there, and have not answered."""
    return tuple(seat.name for seat in seats if seat.asked_at is not None and seat.ready_at is None)


def seat_lines(db: Database, game: Game) -> list[SeatLine]:
    """The seats of a game with all that their game master may know."""
    newest = store.lists.newest(db, game.id, game.round)
    closed = [(c.closed_at, c.kept_waiting) for c in store.rounds.closed(db, game.id) if c.number]
    lines_of_seats = []
    for seat in store.seats.of_game(db, game.id):
        revision = newest.get(seat.number)
        silent = [
            waits[seat.name]
            for at, waits in closed
            if seat.name in waits and seat.was_played(at) and not seat.robot
        ]
        lines_of_seats.append(
            SeatLine(
                seat=seat,
                version=revision.number if revision else None,
                at=revision.at if revision else None,
                by_gm=bool(revision and revision.by_gm),
                delivered_at=store.mails.newest_report_sent(db, seat),
                refused=store.mails.newest_refusal(db, seat),
                nmrs=sum(silent),
                row=len(silent)
                - max((i + 1 for i, nmr in enumerate(silent) if not nmr), default=0),
                record=reliability(db, seat.address) if seat.address else Reliability(0, 0),
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


def reliability(db: Database, address: str) -> Reliability:
    """The reliability of an address, over all games in which it holds a seat now, since it does."""
    return Reliability(*store.rounds.awaited_of(db, address))


def health(db: Database, now: int) -> Health:
    """The state of mail and deadlines now."""
    trouble = tuple(sorted({finding.kind for finding in late(db, now)}))
    return Health(*doctor.mail_figures(db), last_tick(db) or None, trouble, joining.full(db, now))


def away_during(seat: Seat, game: Game) -> bool:
    """True if the player is away at the deadline of the open round."""
    if seat.away_from is None or seat.away_to is None or game.deadline is None:
        return False
    day = datetime.fromtimestamp(game.deadline, ZoneInfo(game.schedule.zone)).date().isoformat()
    return seat.away_from <= day <= seat.away_to


def inbox(db: Database, listed: list[GameLine]) -> list[Word]:
    """Players' unread words, of all games, newest first."""
    unread_words: list[Word] = []
    for line in listed:
        with errors.passed_over(f"the words to the masters of {line.game.id}"):
            unread_words += unread(db, line.game)
    return sorted(unread_words, key=lambda word: -word.at)


def _line(db: Database, game: Game) -> GameLine:
    lists, rounds = lists_in(db, game), game.engine.length(game.rules)
    return GameLine(
        game,
        rounds,
        lists.number,
        len(lists.awaited),
        tuple(seat.called for seat in lists.missing),
        people=tuple(seat.called for seat in store.seats.of_game(db, game.id)),
    )
