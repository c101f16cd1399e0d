"""What wants a game master, in all their games: words, players who came or left, refused mail,
games that are held or over, lists that are missing.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from gm import store
from gm.clock import DAY
from gm.games.inbox import Word
from gm.mail import refused
from gm.store.db import Database, write
from gm.store.games import GOING, Game
from gm.store.mails import Mail
from gm.store.seats import Seat
from rounds.engine.verdict import PROVEN

PLAYED = ("open", *GOING)
"""Games in which players are mailed to."""
TWICE = 2
"""From this number of NMRs in a row on the game master is told."""


class Task(Struct, frozen=True):
    """Something to do in a game, since when (None: not known) and about which seats. `what`: what
    is wrong, in the words of whatever says so; `mail`: refused, to somebody without a seat.
    """

    kind: str
    """`word`: words of a player; `refused`: a mail was; `left`: a player has left and the seat is
    empty; `silent`: NMRs in a row, and no list now; `joined`: players took seats of an open game;
    `ready`: all its seats are taken; `asked`: players have not answered whether they are there;
    `there`: all have said that they are; `held`; `damaged`: rows that cannot be read; `finished`;
    `unproven`: over, and its record does not verify; `today`: lists are missing and the deadline
    is within a day.
    """
    game: Game
    since: int | None
    seats: tuple[Seat, ...] = ()
    what: str = ""
    mail: Mail | None = None
    word: Word | None = None


class Facts(Struct, frozen=True):
    """What is stored of some games, by their ids, that tasks are made of."""

    seats: Mapping[str, Sequence[Seat]]
    refusals: Mapping[tuple[str, int], tuple[str, int]]
    refused: Mapping[str, Sequence[Mail]]
    left: Sequence[tuple[str, str]]
    joined: Mapping[str, Mapping[str, int]]
    last_closed: Mapping[str, int]
    waited_for: Mapping[str, Sequence[store.rounds.Waited]]
    put_away: Mapping[str, str]


def facts(db: Database, games: Sequence[Game], seats: Mapping[str, Sequence[Seat]]) -> Facts:
    """What tasks are made of, in a handful of statements for all these games."""
    ids, going = [game.id for game in games], [game.id for game in games if game.is_going]
    mails, left = refused.without_seat(db, ids), store.seats.left(db, going)
    return Facts(
        seats,
        store.told.newest_refusals(db, [game.id for game in games if game.status in PLAYED]),
        {game: [mail for mail in mails if mail.game == game] for game in ids},
        left,
        store.requests.joined(db, [game.id for game in games if game.status == "open"]),
        store.rounds.last_closed(db, ids),
        store.rounds.waited_for_lately(db, going),
        store.meta.all_of(
            db, [*(_key("silent", game) for game in going), *(_key("left", *one) for one in left)]
        ),
    )


def put_away(db: Database, game: str, kind: str, seat: str, until: int) -> bool:
    """Show a task, `left` or `silent`, no more, unless it happens anew after an instant. False if
    it was put away.
    """
    with write(db):
        key = _key(kind, game, seat)
        if int(store.meta.remembered(db, key) or 0) >= until:
            return False
        store.meta.remember(db, key, str(until))
    return True


def _key(kind: str, game: str, seat: str = "") -> str:
    return f"put away {kind} {game} {seat}".rstrip()


def oldest_first(tasks: Sequence[Task]) -> list[Task]:
    """Games that stand still, what players wrote, then the rest, oldest first; last the deadlines
    that come by themselves, nearest first: of those there may be as many as games.
    """

    def place(task: Task) -> tuple[bool, bool, bool, int]:
        stands_still = task.kind in ("held", "damaged")
        return (task.kind == "today", not stands_still, task.kind != "word", task.since or 0)

    return sorted(tasks, key=place)


def of_game(
    game: Game, found: Facts, late: tuple[Seat, ...], words: Sequence[Word], now: int
) -> list[Task]:
    """What is to be done in a game. `late`: the seats whose lists are missing."""
    tasks = of_state(game, late, now, found.last_closed.get(game.id))
    tasks += [Task("word", game, word.at, word=word) for word in words]
    for mail in found.refused[game.id]:
        tasks.append(Task("refused", game, mail.failed_at, what=mail.error or "", mail=mail))
    for seat in found.seats[game.id]:
        if (game.id, seat.number) in found.refusals:
            error, at = found.refusals[game.id, seat.number]
            tasks.append(Task("refused", game, at, (seat,), error))
    if game.status == "open":
        tasks += _before_the_start(game, found)
    return tasks + (_of_seats(game, found, late) if game.is_going else [])


def of_state(
    game: Game, late: tuple[Seat, ...], now: int, last_closed: int | None = None
) -> list[Task]:
    """What is to be done because of where a game stands, as far as its own row tells."""
    if game.status == "held":
        return [Task("held", game, game.deadline, what=game.error or "")]
    if game.status == "finished":
        if game.verdict in (None, PROVEN):
            return [Task("finished", game, last_closed)]
        return [Task("unproven", game, last_closed, what=game.verdict or "")]
    if game.is_open and game.deadline is not None and game.deadline - now < DAY and late:
        return [Task("today", game, game.deadline - DAY, late)]
    return []


def _before_the_start(game: Game, found: Facts) -> list[Task]:
    seats, joined = found.seats[game.id], found.joined[game.id]
    newest = max(joined.values(), default=game.created_at)
    people = [seat for seat in seats if seat.address]
    if silent := not_answered(seats):
        return [Task("asked", game, max(seat.asked_at or 0 for seat in silent), silent)]
    if people and all(seat.ready_at for seat in people) and len(seats) in game.engine.seats:
        return [Task("there", game, max(seat.ready_at or 0 for seat in people))]
    if game.seats is not None and len(seats) >= game.seats:
        return [Task("ready", game, newest)]
    came = tuple(seat for seat in seats if seat.name in joined)
    return [Task("joined", game, newest, came)] if came else []


def _of_seats(game: Game, found: Facts, late: tuple[Seat, ...]) -> list[Task]:
    """Whoever left, and in one task whoever missed round after round and has not ordered now."""
    closed = found.waited_for[game.id]
    waits = [(one.closed_at, one.kept_waiting) for one in closed]
    tasks = [
        Task("left", game, seat.removed_at, (seat,))
        for seat in found.seats[game.id]
        if (game.id, seat.name) in found.left
    ]
    if silent := tuple(s for s in late if s.address and silence(s, waits)[1] >= TWICE):
        tasks.append(Task("silent", game, closed[-1].closed_at, silent))
    return [task for task in tasks if not _is_put_away(task, found)]


def _is_put_away(task: Task, found: Facts) -> bool:
    seat = task.seats[0].name if task.kind == "left" else ""
    return (task.since or 0) <= int(found.put_away.get(_key(task.kind, task.game.id, seat), 0))


def silence(seat: Seat, closed: Sequence[tuple[int, Mapping[str, bool]]]) -> tuple[int, int]:
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


def not_answered(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats that were asked before the start whether they are there, and have not answered."""
    return tuple(seat for seat in seats if seat.asked_at is not None and seat.ready_at is None)
