"""What a closed round looks like to anybody: views, events, press and notes. Pages and mails are made of it;

no rule is decided here.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from sqlite_utils import Database

from gm import seeds, store
from gm.rendering.sentences import for_variant, render
from gm.store import ClosedRound, Game, Others, Seat, Source, others
from rounds.events import Absent, AnyEvent, Cascaded, Discarded, FinalHarvest, Harvested, Planted, Plowed
from rounds.record import ReceiptProof
from rounds.variant import find

MOST_TOLD, LEADERS = 20, 10
"""A mail with the farms of more seats than this would be cut by mail programs, and read by nobody."""


class Deed(Struct, frozen=True):
    """What one seat did in a round, or what the stand-in did for it."""

    seat: str
    absent: bool
    events: tuple[AnyEvent, ...]
    final: tuple[FinalHarvest, ...]


class Report(Struct, frozen=True):
    """One closed round as anybody may see it; number 0 is the start, which has no `before` and no deeds.

    `sources`: how the list of each seat that was used came in; None if nobody knows, or there was none.
    `others`: who played for whom then.
    """

    number: int
    version: int
    closed_at: int
    before: Any
    after: Any
    events: tuple[AnyEvent, ...]
    deeds: tuple[Deed, ...]
    discarded: tuple[Discarded, ...]
    cascaded: tuple[Cascaded, ...]
    press: tuple[tuple[str, str], ...]
    notes: tuple[store.Note, ...]
    receipts: dict[str, ReceiptProof | None]
    sources: dict[str, Source | None]
    chain: str | None
    withdrawn: tuple[str, ...]
    others: Others


def report(db: Database, game: Game, number: int) -> Report:
    """The report of a closed round. Raises LookupError if the round is not closed."""
    return next(reports(db, game, [n for n in (number - 1, number) if n >= 0]))


def reports(db: Database, game: Game, numbers: Sequence[int] | None = None) -> Iterator[Report]:
    """The reports of consecutive closed rounds, newest first; of all rounds if none are named. The first one needs the round
    before it.

    Raises LookupError if a named round is not closed.
    """
    closed = store.closed_rounds(db, game.id, numbers)
    if numbers is not None and len(closed) != len(numbers):
        raise LookupError(f"rounds {numbers} of {game.id} are not all closed")
    variant, deck, cards = game.engine, seeds.deck(game.variant), store.cards(db, game)
    views = [variant.view(variant.unpack(c.state.encode(), deck, cards), None) for c in closed]
    seats = store.seats(db, game.id)
    for index in range(len(closed) - 1, -1, -1):
        this = closed[index]
        if index == 0 and this.number:
            return
        yield _told(db, seats, this, views[index - 1] if this.number else None, views[index])


def versions_of(db: Database, game: Game, number: int) -> list[Report]:
    """Every version of a round that was taken back and played again, oldest first; the last is the one that stands, if any."""
    variant, deck, cards = game.engine, seeds.deck(game.variant), store.cards(db, game)
    seats = store.seats(db, game.id)

    def view(closed: ClosedRound) -> Any:
        return variant.view(variant.unpack(closed.state.encode(), deck, cards), None)

    def every(number: int) -> list[ClosedRound]:
        standing = store.closed_round(db, game.id, number)
        return [*store.withdrawn(db, game.id, number), *([standing] if standing else [])]

    def before(closed: ClosedRound) -> ClosedRound:
        """What it was played on: the version of the round before that stood then."""
        earlier = [other for other in every(number - 1) if other.closed_at <= closed.closed_at]
        return max(earlier, key=lambda other: other.closed_at)

    return [_told(db, seats, closed, view(before(closed)), view(closed)) for closed in every(number)]


def _told(db: Database, seats: Sequence[Seat], closed: ClosedRound, before: Any, after: Any) -> Report:
    happened, names = closed.happened, {seat.number: seat.name for seat in seats}
    receipts = msgspec.json.decode(closed.receipts, type=dict[str, ReceiptProof | None])
    came = store.sources(db, closed.game, closed.number)
    numbers = {seat.name: seat.number for seat in seats}
    return Report(
        number=closed.number,
        version=closed.version,
        closed_at=closed.closed_at,
        before=before,
        after=after,
        events=happened,
        deeds=deeds(closed.lists, happened),
        discarded=tuple(event for event in happened if isinstance(event, Discarded)),
        cascaded=tuple(event for event in happened if isinstance(event, Cascaded)),
        press=tuple((names[p.seat], p.text) for p in store.press(db, closed.game, closed.number) if p.text),
        notes=tuple(store.notes(db, closed.game, closed.number)),
        receipts=receipts,
        sources={seat: came.get((numbers[seat], used.revision)) if used else None for seat, used in receipts.items()},
        chain=closed.chain,
        withdrawn=tuple(
            old.chain for old in store.withdrawn(db, closed.game, closed.number) if old.chain and old.version < closed.version
        ),
        others=others(seats, closed.closed_at),
    )


def everyone(told: Report) -> tuple[str, ...]:
    """All seats, by rank where there is a ranking."""
    return _ranking(told) or tuple(deed.seat for deed in told.deeds)


def leading(told: Report) -> tuple[str, ...]:
    """The seats that every reader of a mail is told of: all, or the first ten of a ranking of more than twenty."""
    ranking = _ranking(told)
    return ranking[:LEADERS] if len(ranking) > MOST_TOLD else everyone(told)


def near(told: Report, seat: str) -> tuple[str, ...]:
    """Of whom a reader is told besides in a game of more than twenty: who is before them in the ranking, they, who is behind."""
    ranking = _ranking(told)
    if len(ranking) <= MOST_TOLD:
        return ()
    place = ranking.index(seat)
    return ranking[max(place - 1, 0) : place + 2]


def _ranking(told: Report) -> tuple[str, ...]:
    """The seats by rank; none where the variant has no ranking to show."""
    return tuple(farm.seat for farm in getattr(told.after, "standing", ()))


def rules_line(game: Game, language: str) -> str:
    """The house rules of a game in one line."""
    return _rules_line(game.variant, game.house_rules, language)


@lru_cache(100)
def _rules_line(variant: str, house_rules: str, language: str) -> str:
    rules = msgspec.json.decode(house_rules, type=find(variant).house_rules)
    return render(language, for_variant(variant, "rules.txt"), rules=rules).strip()


def deeds(seats: Iterable[str], events: Sequence[AnyEvent]) -> tuple[Deed, ...]:
    """What happened to each seat's farm."""
    own: dict[str, list[AnyEvent]] = {seat: [] for seat in seats}
    for event in events:
        if isinstance(event, Absent | Planted | Harvested | Plowed | FinalHarvest) and event.seat in own:
            own[event.seat].append(event)
    return tuple(
        Deed(
            seat,
            absent=any(isinstance(event, Absent) for event in happened),
            events=tuple(event for event in happened if isinstance(event, Planted | Harvested | Plowed)),
            final=tuple(event for event in happened if isinstance(event, FinalHarvest)),
        )
        for seat, happened in own.items()
    )
