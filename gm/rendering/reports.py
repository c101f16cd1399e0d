"""A closed round as anybody may see it: views, events, press and notes. Pages and mails are made
of it; no rule is decided here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gm import errors, store
from gm.proof.fairness import taken_back
from gm.rendering.sentences import Cache, render
from gm.store.db import Database
from gm.store.games import Game
from gm.store.lists import Source
from gm.store.notes import Note
from gm.store.rounds import ClosedRound
from gm.store.seats import ActualPlayers, Seat
from rounds.engine.events import Absent, Event, Ranked
from rounds.engine.record import ReceiptProof
from rounds.engine.variant import Table, find, shared_ranks
from rounds.engine.witness import write

MOST_TOLD, LEADERS = 20, 10
"""In a game with more than MOST_TOLD seats mails tell of the first LEADERS only: mail programs cut
longer mails.
"""
MOST_CACHED = 10_000
"""Number of rounds whose headline is cached."""
WORTH_TELLING = 10
"""How many rounds the page of a finished game tells of."""


class Deed(Struct, frozen=True):
    """What one seat did in a round, or the stand-in for it, and what else became of it."""

    seat: str
    absent: bool
    events: tuple[Event, ...]


class Report(Struct, frozen=True):
    """One closed round as anybody may see it; number 0 is the start, which has no `before` and
    no deeds.

    `moment`: where the game stood before it; `ranking`: the seats by rank after it, empty
    without a ranking; `sources`: how the orders of each seat came in, None if unknown or without
    orders. `withdrawn`: lines of proof of what its notes take back. `others`: who played for whom;
    `places`: of each seat in the record's list, from 1.
    """

    number: int
    version: int
    closed_at: int
    moment: Any
    before: Any
    after: Any
    ranking: tuple[str, ...]
    events: tuple[Event, ...]
    deeds: tuple[Deed, ...]
    press: tuple[tuple[str, str], ...]
    notes: tuple[Note, ...]
    places: dict[str, int]
    receipts: dict[str, ReceiptProof | None]
    sources: dict[str, Source | None]
    chain: str
    withdrawn: tuple[str, ...]
    others: ActualPlayers

    def main_seats(self, own: str | None = None, *, every: bool = False) -> tuple[str, ...]:
        """The seats that a page tells of: all, or of a ranking of more than twenty the first ten,
        the own one with its neighbours, and those without orders.
        """
        if every or len(self.ranking) <= MOST_TOLD:
            return everyone(self)
        absent = tuple(deed.seat for deed in self.deeds if deed.absent)
        around = near(self, own) if own else ()
        shown = {*leading(self), *around, *absent}
        return tuple(seat for seat in self.ranking if seat in shown)


def report(db: Database, game: Game, number: int) -> Report:
    """The report of a closed round. Raises LookupError if the round is not closed."""
    return next(reports(db, game, [n for n in (number - 1, number) if n >= 0]))


def reports(db: Database, game: Game, numbers: Sequence[int] | None = None) -> Iterator[Report]:
    """The reports of consecutive closed rounds, newest first; of all rounds if none are named. Of
    named rounds the first only says what the next began with, unless it is the start.

    Raises LookupError, once the first report is asked for, if a named round is not closed.
    """
    closed = store.rounds.closed(db, game.id, numbers)
    if numbers is not None and len(closed) != len(numbers):
        raise LookupError(f"rounds {numbers} of {game.id} are not all closed")
    positions, seats = _positions(db, game, closed), store.seats.of_game(db, game.id)
    for index in range(len(closed) - 1, -1, -1):
        this = closed[index]
        if index == 0 and this.number:
            return
        yield _report_of(
            db, game, seats, this, positions[index - 1] if this.number else None, positions[index]
        )


def versions_of(db: Database, game: Game, number: int) -> list[Report]:
    """Every version of a round that was taken back and played again, oldest first; the last is
    the one that stands, if any.
    """
    seats = store.seats.of_game(db, game.id)

    def every(number: int) -> list[ClosedRound]:
        standing = store.rounds.get(db, game.id, number)
        return [*store.rounds.withdrawn(db, game.id, number), *([standing] if standing else [])]

    versions, earlier = every(number), every(number - 1)
    # of the round before, the version that each was played on
    before = [
        max(
            (one for one in earlier if one.closed_at <= played.closed_at),
            key=lambda one: one.closed_at,
        )
        for played in versions
    ]
    positions = _positions(db, game, [*before, *versions])
    return [
        _report_of(db, game, seats, *played)
        for played in zip(versions, positions, positions[len(versions) :], strict=False)
    ]


def untold(db: Database, game: Game, number: int, seat: str) -> list[Report]:
    """The rounds right before this one whose report was not for this seat, oldest first."""
    readers = game.engine.readers
    if readers is None:
        return []
    first = number
    while first > 1 and seat not in readers(
        store.rounds.table_after(db, game, first - 2), store.rounds.table_after(db, game, first - 1)
    ):
        first -= 1
    return [report(db, game, earlier) for earlier in range(first, number)]


class _Position(NamedTuple):
    """A table, and what everybody sees of it."""

    at: Table
    seen: Any


def _positions(db: Database, game: Game, closed: Iterable[ClosedRound]) -> list[_Position]:
    """The tables after closed rounds."""
    variant, deck, chance = game.engine, store.rounds.deck(game), store.rounds.chance(db, game)
    tables = [variant.storage.unpack(one.state.encode(), deck, chance) for one in closed]
    return [_Position(table, variant.view(table, None)) for table in tables]


def _report_of(
    db: Database,
    game: Game,
    seats: Sequence[Seat],
    closed: ClosedRound,
    before: _Position | None,
    after: _Position,
) -> Report:
    variant, names = game.engine, {seat.number: seat.name for seat in seats}
    happened = variant.read_events(closed.events)
    receipts = msgspec.json.decode(closed.receipts, type=dict[str, ReceiptProof | None])
    came = store.lists.sources(db, closed.game, closed.number)
    notes = tuple(store.notes.of_round(db, closed.game, closed.number))
    numbers = {seat.name: seat.number for seat in seats}
    return Report(
        number=closed.number,
        version=closed.version,
        closed_at=closed.closed_at,
        moment=None if before is None else variant.moment(before.at),
        before=None if before is None else before.seen,
        after=after.seen,
        ranking=tuple(variant.scores.of(after.seen)) if variant.scores else (),
        events=happened,
        deeds=deeds(closed.lists, happened),
        press=tuple(
            (names[p.seat], p.text)
            for p in store.lists.press(db, closed.game, closed.number)
            if p.text
        ),
        notes=notes,
        places={seat.name: place for place, seat in enumerate(seats, start=1)},
        receipts=receipts,
        sources={
            seat: came.get((numbers[seat], used.revision)) if used else None
            for seat, used in receipts.items()
        },
        chain=closed.chain,
        withdrawn=tuple(write(line) for line in taken_back(notes)),
        others=store.seats.actual_players(seats, closed.closed_at),
    )


def headlines(db: Database, game: Game, report: Report) -> tuple[Event, ...]:
    """The headlines of a round, the best first; none for the start."""
    if report.before is None:
        return ()
    earlier = [
        game.engine.read_events(stored)
        for stored in store.rounds.events_before(db, game.id, report.number)
    ]
    told = game.engine.headlines(report.before, report.events, report.after, earlier)
    return tuple(_with_players(one, report) for one in told)


def _with_players(headline: Event, report: Report) -> Event:
    """A headline that names a winner with who played for the seats in the end."""
    named = "others" in headline.__struct_fields__
    return replace(headline, others=tuple(report.others.items())) if named else headline


class Latest(Struct, frozen=True):
    """Where a game stands, and the best headline of its last round."""

    moment: object
    headline: Event | None


# by the chain value of a round too, so that rounds taken back are told anew
_latest = Cache[Latest](MOST_CACHED)
_best = Cache[Event | None](MOST_CACHED)


def latest(db: Database, games: Sequence[Game]) -> dict[str, Latest]:
    """Where these games stand, by their ids; of each at least one round is closed. A game that
    cannot be read is left out.
    """
    found = {}
    for game_id, chain in store.rounds.newest_chains(db, [game.id for game in games]).items():
        with errors.passed_over(f"{game_id} in the list of games"):
            found[game_id] = _latest(game_id, chain, caller=partial(_read_latest, db, game_id))
    return found


def _read_latest(db: Database, game_id: str) -> Latest:
    game = store.games.existing(db, game_id)
    told = headlines(db, game, report(db, game, game.round - 1))
    return Latest(game.engine.moment(store.rounds.open_table(db, game)), told[0] if told else None)


def best_headlines(game: Game, newest_first: Sequence[Report]) -> dict[int, Event]:
    """The best headline of each round that has one, by its number; from the reports of all
    rounds.
    """
    found: dict[int, Event] = {}
    earlier: list[Sequence[Event]] = []
    for report in reversed(newest_first):
        best = _best(game.id, report.chain, caller=partial(_best_of, game, report, earlier))
        if best:
            found[report.number] = _with_players(best, report)
        earlier.append(report.events)
    return found


def rounds_worth_telling(best: Mapping[int, Event]) -> list[int]:
    """The numbers of at most `WORTH_TELLING` rounds, in order: those whose best headline is of the
    rarest kinds, of equal ones the later. The last headline, the result, is none of them.
    """
    kinds = Counter(type(headline) for headline in best.values())
    rounds = sorted(best)[:-1]
    rarest = sorted(rounds, key=lambda number: (kinds[type(best[number])], -number))
    return sorted(rarest[:WORTH_TELLING])


def _best_of(game: Game, report: Report, earlier: Sequence[Sequence[Event]]) -> Event | None:
    if report.before is None:
        return None
    told = game.engine.headlines(report.before, report.events, report.after, earlier)
    return told[0] if told else None


def ranking(game: Game, report: Report) -> list[tuple[int, str, int]]:
    """Rank, name and points of each seat after a round, the best first; empty where there is no
    ranking, and at the start.
    """
    scores, places = game.engine.scores, ranks(game, report)
    points = scores.of(report.after) if scores and places else {}
    return sorted(((places[name], name, of) for name, of in points.items()), key=lambda one: one[0])


def ranks(game: Game, report: Report) -> dict[str, int]:
    """The rank of each seat after a round: at the end as the rules decide it, which know what else
    counts than points; before it by points. Empty where there is no ranking, and at the start.
    """
    if game.engine.scores is None or report.before is None:
        return {}
    decided = {event.seat: event.rank for event in report.events if isinstance(event, Ranked)}
    return decided or shared_ranks(game.engine.scores.of(report.after))


def everyone(report: Report) -> tuple[str, ...]:
    """All seats, by rank if there is a ranking."""
    return report.ranking or tuple(deed.seat for deed in report.deeds)


def leading(report: Report) -> tuple[str, ...]:
    """The seats that every mail tells of: all, or the first ten of a ranking of more than
    twenty.
    """
    ranking = report.ranking
    return ranking[:LEADERS] if len(ranking) > MOST_TOLD else everyone(report)


def near(report: Report, seat: str) -> tuple[str, ...]:
    """In a game of more than twenty, the recipient and their neighbours in the ranking."""
    ranking = report.ranking
    if len(ranking) <= MOST_TOLD:
        return ()
    place = ranking.index(seat)
    return ranking[max(place - 1, 0) : place + 2]


def rules_line(game: Game, language: str) -> str:
    """The house rules of a game in one line; empty if it is played as usual."""
    return _rules_line(game.variant, game.house_rules, language)


@lru_cache(100)
def _rules_line(variant: str, house_rules: str, language: str) -> str:
    rules = msgspec.json.decode(house_rules, type=find(variant).house_rules)
    return render(language, f"{variant}/rules.txt", rules=rules, rules_of=variant).strip()


def own_line(game: Game, report: Report, seat: Seat, language: str) -> str:
    """What a seat has after a round, in a line of the game's own; empty at the start, and if the
    game has none.
    """
    if not report.before:
        return ""
    return render(language, f"{game.variant}/have.txt", game=game, report=report, seat=seat).strip()


def every_view(db: Database, game: Game, number: int) -> list[tuple[Any, Any]]:
    """What each seat saw before a closed round and after it, once the game is over and nothing is
    hidden any more; nothing before, and if all see the same.
    """
    if game.status != "finished" or not game.engine.sees_more:
        return []
    before, after = (store.rounds.table_after(db, game, at) for at in (number - 1, number))
    view, seats = game.engine.view, store.seats.of_game(db, game.id)
    return [(view(before, seat.name), view(after, seat.name)) for seat in seats]


def own_views(db: Database, game: Game, closed: Report, seat: Seat) -> list[Any]:
    """What a seat saw before a round and sees after it; nothing if all see the same.

    Only the latter at the start, and where the list that was used came by an earlier link: what
    became of its orders is not for whoever has the link now.
    """
    if not game.engine.sees_more:
        return []
    used = closed.receipts.get(seat.name)
    sent = store.lists.revisions(db, game.id, closed.number, seat.number)
    is_others = any(used and one.number == used.revision and not one.is_of(seat) for one in sent)
    first = closed.number if is_others or not closed.number else closed.number - 1
    return [
        game.engine.view(store.rounds.table_after(db, game, at), seat.name)
        for at in range(first, closed.number + 1)
    ]


def deeds(seats: Iterable[str], events: Sequence[Event]) -> tuple[Deed, ...]:
    """What happened to each seat that had to order."""
    own: dict[str, list[Event]] = {seat: [] for seat in seats}
    for event in events:
        if (seat := getattr(event, "seat", None)) in own:
            own[seat].append(event)
    return tuple(
        Deed(
            seat,
            absent=any(isinstance(event, Absent) for event in happened),
            events=tuple(event for event in happened if not isinstance(event, Absent)),
        )
        for seat, happened in own.items()
    )
