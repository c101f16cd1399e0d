"""The table of finished games: ranks, talers and NMRs as the records give them, without a
formula.
"""

from collections.abc import Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct, structs

from gm import errors, store
from gm.store.db import DAMAGE, Database
from gm.store.games import Game
from gm.store.seats import ActualPlayers, Seat


class Place(Struct, frozen=True, kw_only=True):
    """How one seat ended: rank, talers, and in how many rounds it sent nothing.

    `by_person`: somebody played it to the end, no robot and no stand-in; `own_rounds`, `own_nmrs`:
    how many rounds its last player had, and how many of them without orders.
    """

    name: str
    rank: int
    talers: int
    nmrs: int
    rounds: int
    by_person: bool
    own_rounds: int
    own_nmrs: int


class Rank(Place, frozen=True, kw_only=True):
    """The same with who its last player is: the name, and the address if it is not forgotten."""

    person: str | None
    called: str


class Ended(Struct, frozen=True):
    """A finished game and its seats, best first; `others`: who played for whom at the end."""

    game: Game
    closed_at: int
    places: tuple[Rank, ...]
    others: ActualPlayers

    @property
    def winners(self) -> frozenset[str]:
        """The best seats that people played; none if a person had only robots to beat."""
        ranks = {place.name: place.rank for place in self.places if place.by_person}
        return frozenset(
            name for name, rank in ranks.items() if len(ranks) > 1 and rank == min(ranks.values())
        )


class Player(Struct, frozen=True):
    """All games of one name: how many, wins among people (also shared ones), talers and NMRs."""

    name: str
    games: int
    wins: int
    talers: int
    nmrs: int
    rounds: int

    @property
    def was_there(self) -> bool:
        """True if they ordered in at least half of the rounds in which they had to."""
        return 2 * self.nmrs <= self.rounds


class StoredResult(Struct, frozen=True, array_like=True):
    """How a game ended, as it is stored: without addresses, which may be forgotten."""

    closed_at: int
    places: tuple[Place, ...]


class Overview(Struct, frozen=True):
    """The players of each variant, by its name, and the games that they played to the end, newest
    first.
    """

    standings: dict[str, list[Player]]
    games: tuple[str, ...]


def overview(db: Database) -> Overview:
    """What the table of all games tells. Reads each of them."""
    ended = results(db, store.games.played_out(db))
    return Overview(standings(ended), tuple(one.game.id for one in ended))


def results(db: Database, games: Sequence[Game]) -> list[Ended]:
    """How these games ended, the newest first, but for those that were not played to their end."""
    try:
        seats = store.seats.of_games(db, [game.id for game in games])
    except DAMAGE:
        seats = {}  # one of them cannot be read: each by itself
    ended = []
    for game in games:
        with errors.passed_over(f"the result of {game.id}"):
            if (standing := remembered_standing(db, game)) is not None:
                of_game = seats.get(game.id) or store.seats.of_game(db, game.id)
                ended.append(_ended(game, standing, of_game))
    return sorted(ended, key=lambda one: -one.closed_at)


def remembered_standing(db: Database, game: Game) -> StoredResult | None:
    """How a game ended, computed if it is not stored yet or cannot be read; None if it was not
    played to its end.
    """
    if game.standing is not None:
        with suppress(msgspec.MsgspecError):
            return msgspec.json.decode(game.standing, type=StoredResult)
    return None if game.aborted else find_standing(db, game)


def find_standing(db: Database, game: Game) -> StoredResult | None:
    """How a game ended, by its rounds; None if it was not played to its end."""
    closed = store.rounds.closed(db, game.id)
    last = closed[-1]
    result = game.engine.result(store.rounds.table_of(db, game, last.state))
    if result is None:
        return None
    waits, seats = (
        [(c.closed_at, c.kept_waiting) for c in closed if c.number],
        store.seats.of_game(db, game.id),
    )
    instead = store.seats.actual_players(seats, last.closed_at)

    def silent(seat: Seat, *, own: bool) -> list[bool]:
        if seat.robot:  # whatever kept its list from coming
            return []
        return [
            silent[seat.name]
            for at, silent in waits
            if seat.name in silent and (not own or seat.was_played(at))
        ]

    places = (
        Place(
            name=seat.name,
            rank=result.ranks[seat.name],
            talers=result.points[seat.name],
            nmrs=sum(silent(seat, own=False)),
            rounds=len(silent(seat, own=False)),
            by_person=seat.name not in instead or instead[seat.name].by == "player",
            own_rounds=len(silent(seat, own=True)),
            own_nmrs=sum(silent(seat, own=True)),
        )
        for seat in seats
    )
    by_rank = sorted(places, key=lambda place: (place.rank, place.name))
    return StoredResult(last.closed_at, tuple(by_rank))


def _ended(game: Game, standing: StoredResult, seats: Sequence[Seat]) -> Ended:
    of = {seat.name: seat for seat in seats}
    ranks = tuple(
        Rank(**structs.asdict(place), person=of[place.name].address, called=of[place.name].called)
        for place in standing.places
    )
    others = store.seats.actual_players(seats, standing.closed_at)
    return Ended(game, standing.closed_at, ranks, others)


def standings(ended: Sequence[Ended]) -> dict[str, list[Player]]:
    """The players of each variant, by its name. Talers of one game are no measure in another, so
    each has a table of its own; NMRs are counted over all of them.
    """
    variants = sorted({game.game.variant for game in ended})
    return {
        name: players([game for game in ended if game.game.variant == name], ended)
        for name in variants
    }


def players(ended: Sequence[Ended], reliable_in: Sequence[Ended] | None = None) -> list[Player]:
    """People by wins, then by talers a game; last those who were absent in more than half of
    their rounds.

    Two seats are one person if name and address are the same; robots do not count.

    `reliable_in`: the games over which rounds and NMRs are counted, if not the same.
    """
    places_of, counted = (
        _by_person(ended),
        _by_person(ended if reliable_in is None else reliable_in),
    )
    rows = [
        Player(
            name=name,
            games=len(places),
            wins=sum(won for _, won in places),
            talers=sum(place.talers for place, _ in places),
            nmrs=sum(place.own_nmrs for place, _ in counted[name, address]),
            rounds=sum(place.own_rounds for place, _ in counted[name, address]),
        )
        for (name, address), places in places_of.items()
    ]
    return sorted(
        rows,
        key=lambda player: (
            not player.was_there,
            -player.wins,
            -player.talers / player.games,
            player.name,
        ),
    )


def _by_person(ended: Sequence[Ended]) -> dict[tuple[str, str], list[tuple[Rank, bool]]]:
    """The seats of each person, by name and address, and whether they won."""
    seats: dict[tuple[str, str], list[tuple[Rank, bool]]] = {}
    for game in ended:
        winners = game.winners
        for place in game.places:
            if place.person:
                key = (place.called, place.person.casefold())
                seats.setdefault(key, []).append((place, place.name in winners))
    return seats
