"""A round: one list of one seat, and the card that follows. Then, once, the end."""

from collections.abc import Mapping

from msgspec.structs import replace

from rounds.engine.events import Absent, Event, Ranked
from rounds.engine.notation import Orders
from rounds.engine.shuffle import Chance
from rounds.engine.variant import Result

from .events import Reshuffled, Revealed
from .notation import Leave, Plant
from .orders import preview, stand_in
from .table import Table, drawn


def adjudicate(
    table: Table, orders: Mapping[str, Orders | None], chance: Chance
) -> tuple[Table, tuple[Event, ...]]:
    """Close the round: the list is carried out, then a card is revealed, or drawn by the seat
    alone.
    """
    seat, phase = table.active, table.moment.phase
    sent = orders[seat]
    events: list[Event] = [Absent(seat)] if sent is None and phase == 1 else []
    done = stand_in(table, seat) if sent is None else sent
    steps = preview(table, seat, done)
    events += [event for step in steps for event in step.events]
    hand = tuple(
        place for card, place in enumerate(table.hands[seat], 1) if Plant(card) not in done
    )
    farm = steps[-1].farm if steps else table.farms[seat]
    discard = (table.revealed, *table.discard) if Leave() in done else table.discard
    card, after = drawn(replace(table, discard=discard, farms=table.farms | {seat: farm}), chance)
    revealed = table.cards[card] if phase == 1 else None
    if revealed:
        events.append(Revealed(seat, revealed))
    else:
        hand = (*hand, card)
    if after.reshuffled != table.reshuffled:
        events.append(Reshuffled(len(after.reshuffled)))
    after = replace(
        after, round=table.round + 1, revealed=revealed, hands=table.hands | {seat: hand}
    )
    if end := result(after):
        events += [
            Ranked(seat, end.ranks[seat], end.talers[seat])
            for seat in sorted(end.ranks, key=end.ranks.__getitem__)
        ]
    return after, tuple(events)


def worth(table: Table) -> dict[str, int]:
    """What the fields of each seat would earn now."""
    return {
        seat: sum(table.deck[grown.variety].talers(grown.cards) for grown in farm.fields if grown)
        for seat, farm in table.farms.items()
    }


def result(table: Table) -> Result | None:
    """The final harvest: the most talers win, equal ones share the rank."""
    if not table.over:
        return None
    talers = worth(table)
    return Result(
        talers,
        {seat: 1 + sum(more > own for more in talers.values()) for seat, own in talers.items()},
    )
