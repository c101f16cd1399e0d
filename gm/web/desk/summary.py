"""What a game master sees: what is to be done, all games by deadline, who has ordered (never
what), how reliable people are.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlite_utils import Database

from gm import errors, store
from gm.clock import DAY
from gm.deadline.health import late
from gm.deadline.outage import last_tick
from gm.games import inbox
from gm.games.awaited import among
from gm.games.inbox import Word
from gm.games.names import same_mailbox
from gm.mail import refused
from gm.people import joining
from gm.store.file import doctor
from gm.store.games import Game
from gm.store.seats import Seat
from rounds.engine.verdict import PROVEN


class Task(Struct, frozen=True):
    """Something to do in a game. `seats`: those of `names` that can be handed over; `seat`: to
    which mail was refused, or `mail`, to somebody without a seat.
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
    seats: tuple[str, ...] = ()
    seat: str = ""
    mail: int = 0


class GameLine(Struct, frozen=True):
    """A game on the desk: how many lists are in, and whose are missing. Robots and seats without
    a player are not awaited.

    `damage`: what of its rows cannot be read; then the rest is not known. `late`: the seats of
    `missing`; `people`: who plays;
    `words`: what nobody has read.
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
    words: tuple[Word, ...] = ()

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
        tasks = (*_state_tasks(game, (), now), Task("damaged", game, what=damage))
        return [GameLine(game, None, 0, 0, (), damage=damage, tasks=tasks)]


def _damage(error: Exception, game: Game) -> str:
    if errors.is_environment(error):
        raise error
    return errors.in_words(error, errors.noted(error, f"{game.id} on the desk"))


def _lines(db: Database, games: Sequence[Game], now: int) -> list[GameLine]:
    ids = [game.id for game in games]
    seats, ordered = store.seats.of_games(db, ids), store.lists.have_ordered(db, ids)
    unread = inbox.unread_of(db, {game.id: (game, seats[game.id]) for game in games})
    people_tasks = _people_tasks(db, games, seats)
    found = []
    for game in games:
        lists = among(game, seats[game.id], ordered[game.id])
        missing = tuple(seat.called for seat in lists.missing)
        found.append(
            GameLine(
                game,
                game.engine.length(game.rules),
                lists.number,
                len(lists.awaited),
                missing,
                late=lists.missing,
                people=tuple(seat.called for seat in seats[game.id]),
                tasks=(*_state_tasks(game, missing, now), *people_tasks[game.id]),
                words=tuple(word for word in unread if word.game is game),
            )
        )
    return found


def tasks(listed: Sequence[GameLine]) -> list[Task]:
    """What is to be done: first what only the game master can do; many lists may be missing."""
    order = ("held", "damaged", "unproven", "refused", "left", "silent", "today", "ready", "asked")
    to_do = [task for line in listed for task in line.tasks]
    return sorted(to_do, key=lambda task: order.index(task.kind))


def _state_tasks(game: Game, missing: tuple[str, ...], now: int) -> list[Task]:
    to_do = []
    if game.status == "held":
        to_do.append(Task("held", game, what=game.error or ""))
    if game.verdict not in (None, PROVEN):
        to_do.append(Task("unproven", game, what=game.verdict or ""))
    if game.is_open and game.deadline is not None and game.deadline - now < DAY and missing:
        to_do.append(Task("today", game, missing))
    return to_do


def _people_tasks(
    db: Database, games: Sequence[Game], seats: Mapping[str, Sequence[Seat]]
) -> dict[str, list[Task]]:
    """What is to be done in each game because of its people, by its id."""
    to_do: dict[str, list[Task]] = {game.id: [] for game in games}
    by_id, going = {game.id: game for game in games}, [game.id for game in games if game.is_going]
    for m in refused.without_seat(db, list(to_do)):
        if m.game is not None:
            task = Task("refused", by_id[m.game], (m.address,), m.error or "", mail=m.id)
            to_do[m.game].append(task)
    refusals = store.mails.newest_refusals(db, going)
    left = store.seats.left(db, going)
    closed = store.rounds.waited_for_lately(db, going)
    for game in games:
        of_game = seats[game.id]
        if game.status == "open":
            if silent := not_answered(of_game):
                to_do[game.id].append(Task("asked", game, silent))
            elif game.seats is not None and len(of_game) >= game.seats:
                names = tuple(seat.name for seat in of_game)
                to_do[game.id].append(Task("ready", game, names))
        if not game.is_going:
            continue
        to_do[game.id] += [
            Task("refused", game, (seat.called,), refusals[game.id, seat.number], seat=seat.name)
            for seat in of_game
            if (game.id, seat.number) in refusals
        ]
        if gone := tuple(name for of, name in left if of == game.id):
            to_do[game.id].append(Task("left", game, gone, seats=gone))
        waits = [(one.closed_at, one.kept_waiting) for one in closed[game.id]]
        if twice := [seat for seat in of_game if seat.address and _silence(seat, waits)[1] >= 2]:
            names = tuple(seat.called for seat in twice)
            seats_of = tuple(seat.name for seat in twice)
            to_do[game.id].append(Task("silent", game, names, seats=seats_of))
    return to_do


def _silence(seat: Seat, closed: Sequence[tuple[int, Mapping[str, bool]]]) -> tuple[int, int]:
    """How many NMRs a seat's player has, and how many since the last list. `closed`: of each round
    when it was closed, and who had to order and sent nothing.
    """
    silent = [
        waits[seat.name]
        for at, waits in closed
        if seat.name in waits and seat.was_played(at) and not seat.robot
    ]
    since = max((i + 1 for i, nmr in enumerate(silent) if not nmr), default=0)
    return sum(silent), len(silent) - since


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
        nmrs, row = _silence(seat, closed)
        lines_of_seats.append(
            SeatLine(
                seat=seat,
                version=revision.number if revision else None,
                at=revision.at if revision else None,
                by_gm=bool(revision and revision.by_gm),
                delivered_at=store.mails.newest_report_sent(db, seat),
                refused=store.mails.newest_refusal(db, seat),
                nmrs=nmrs,
                row=row,
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


def words(listed: Sequence[GameLine]) -> list[Word]:
    """Players' unread words, of all games, newest first."""
    return sorted((word for line in listed for word in line.words), key=lambda word: -word.at)
