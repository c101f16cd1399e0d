"""Once more with the same people: after the end each player says yes or no, and the next game
begins with those who said yes.
"""

import re
import secrets

from msgspec import Struct

from gm import errors, store
from gm.clock import DAY
from gm.errors import Refusal
from gm.games import create
from gm.people.seating import check_link_unchanged
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat
from rounds.engine.record import GAME_ID, JOINERS, MAX_NAME, name_fault

ANSWER_SECONDS = 3 * DAY
"""How long after the end the players may answer."""
PAIR = 2
NUMBERED = re.compile(r"(.*[^\d\W])[ -]+(\d{1,4})")
"""A name with a number behind: not one with a date or a version."""
KEPT = ("html", "receipts", "news", "reminder_leads", "away_from", "away_to")
"""What a player has set goes on with the seat."""


class Answers(Struct, frozen=True):
    """What the players of a finished game have said: the names of their seats in the order of
    joining. `players`: how many there were at the end; `next`: the game that goes on from this one,
    once somebody said yes or the game master has opened it.
    """

    players: int
    yes: tuple[str, ...]
    no: tuple[str, ...]
    silent: tuple[str, ...]
    until: int
    next: Game | None

    @property
    def waits(self) -> bool:
        """True if the next game is neither begun nor called off."""
        return self.next is None or self.next.waits_for_answers

    def is_taken(self, now: int) -> bool:
        """True if an answer is taken now."""
        return self.waits and now < self.until

    def is_decided(self, now: int) -> bool:
        """True if all players have answered or had their time, and the next game waits for that."""
        return self.waits and (not self.silent or now >= self.until)

    @property
    def is_enough(self) -> bool:
        """True if two said yes, or the only player there was."""
        return 0 < len(self.yes) >= min(PAIR, self.players)


def answers(db: Database, game: Game) -> Answers | None:
    """What the players of a game have said; None if there is nothing to say: it is not over or was
    ended early, or its game master wants no answers and has not opened the next one.
    """
    if game.status != "finished" or game.aborted:
        return None
    following, asks = store.games.next_of(db, game.id), game.asks_again and not game.archived_at
    if not (asks or following):
        return None
    seats = store.seats.of_game(db, game.id)
    said: dict[int | None, list[str]] = {1: [], 0: [], None: []}
    for seat in store.seats.people(seats):
        said[seat.again].append(seat.name)
    over = store.rounds.last_closed(db, [game.id]).get(game.id, 0)
    players = sum(not seat.robot and (seat.removed_at or over) >= over for seat in seats)
    until = over + ANSWER_SECONDS if asks else 0
    return Answers(players, tuple(said[1]), tuple(said[0]), tuple(said[None]), until, following)


def answer(db: Database, seat: Seat, *, yes: bool, now: int) -> None:
    """Store what a player says. The first yes makes the next game, whose commitment is public from
    then on.

    Raises Refusal if no answer is taken any more, and Replaced if the seat has changed hands.
    """
    with write(db):
        check_link_unchanged(db, seat)
        game = store.games.existing(db, seat.game)
        before = answers(db, game)
        if before is None or not before.is_taken(now):
            raise Refusal("no_answer_taken", game=game.id)
        store.seats.update(db, game.id, seat.number, {"again": int(yes)})
        if yes and before.next is None:
            _make_next(db, game, now)


def play_again(db: Database, key: bytes, game: Game, now: int) -> Game:
    """Open a finished game once more as its game master asks, under the next name. Raises Refusal
    as `create.play_again` does, and if one that has begun goes on from it already.
    """
    with write(db):
        going_on = store.games.next_of(db, game.id)
        if going_on is not None and (going_on.status == "open" or going_on.round):
            raise Refusal("goes_on", game=going_on.id)
        return create.play_again(db, key, game.id, *next_name(db, game), now)


def begin_one(db: Database, key: bytes, now: int, first: str = "") -> bool:
    """Begin one game whose players have all answered or had their time, that of `first` before
    others: with two who said yes, or the only one there was; otherwise it is called off. False if
    there is none.
    """
    waiting = store.games.previous_of_waiting(db)
    for game in sorted(waiting, key=lambda game: game.id != first):
        # one game never stops the others
        with errors.passed_over(f"once more after {game.id}"), write(db):
            said = answers(db, game)
            if said is None or said.next is None or not said.is_decided(now):
                continue
            if said.is_enough:
                _begin(db, key, said, game, now)
            else:
                off = {"status": "finished", "aborted": 1, "archived_at": now}
                store.games.update(db, said.next.id, off)
            return True
    return False


def _make_next(db: Database, game: Game, now: int) -> None:
    """Make the next game, with its secret and its commitment. It stays a draft, which nobody can
    join or see in a list.
    """
    game_id, name = next_name(db, game)
    create.copy_game(db, game, game_id, name, now, previous=game.id)
    create.publish(db, game_id, status="draft")


def next_name(db: Database, game: Game) -> tuple[str, str]:
    """The id and the name of a game that goes on from this one: with the next number behind."""
    base, number = _numbered(game.name)
    tail = f" {number + 1}"
    base = base[: MAX_NAME - len(tail)].rstrip()
    while base and name_fault(base.rstrip(JOINERS) + tail):  # cut within a sign
        base = base[:-1]
    # after a restore: an id that was lost with a game may stand in mails
    lost = secrets.token_hex(2) if store.meta.remembered(db, create.LINKS) else ""
    game_id, count = "", number
    while not GAME_ID.fullmatch(game_id) or store.games.get(db, game_id):
        count += 1
        end = f"-{count}{lost}"
        game_id = f"{_numbered(game.id)[0][: 32 - len(end)].rstrip('-')}{end}"
    return game_id, (base.rstrip(JOINERS) + tail).strip()


def _numbered(name: str) -> tuple[str, int]:
    """A name without the number at its end, and that number; 1 if it has none."""
    found = NUMBERED.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, 1)


def _begin(db: Database, key: bytes, said: Answers, before: Game, now: int) -> None:
    """Seats for those who said yes and the same robots, more robots up to the least number, in the
    order of before; then the start.
    """
    assert said.next is not None
    game = said.next.id
    store.games.update(db, game, {"status": "open"})
    for seat in store.seats.of_game(db, before.id):
        if seat.robot or seat.name in said.yes:
            who = (seat.called, seat.address, seat.language)
            taken = create.take_seat(
                db,
                key,
                game,
                *who,
                strength=seat.strength,
                is_person=not seat.robot,
                was_there=True,
            )
            kept = {name: getattr(seat, name) for name in KEPT}
            store.seats.update(db, game, taken.number, {"ready_at": now, **kept})
    create.add_robots(db, key, said.next, store.seats.of_game(db, before.id))
    create.begin(db, game, now)
