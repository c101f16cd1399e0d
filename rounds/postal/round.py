"""A round: every list on its own farm, the left-overs, and the next row. Then, once, the end."""

from collections.abc import Mapping

from rounds.engine.events import Absent
from rounds.engine.farm import Farm, Stack
from rounds.engine.notation import Orders
from rounds.engine.shuffle import Chance
from rounds.engine.variant import Result, shared_ranks
from rounds.family.fields import final_events
from rounds.postal.events import AnyEvent, Discarded, Planted
from rounds.postal.orders import carry_out
from rounds.postal.stand_in import stand_in
from rounds.postal.table import ROW, Table, deal


def adjudicate(
    table: Table, orders: Mapping[str, Orders | None], _: Chance | None = None
) -> tuple[Table, tuple[AnyEvent, ...]]:
    """Close the round: (table, checked orders per seat, None for an NMR) → the next table and
    what happened.

    Total for orders checked against this very table. Raises ValueError once the game is over.
    """
    if table.over:
        raise ValueError(f"round {table.round}: the game ended with round {table.rules.rounds}")
    events: list[AnyEvent] = []
    farms: list[Farm] = []
    used = [0] * len(table.row)
    for seat in table.seats:
        farm, happened = play(table, seat, orders[seat])
        farms.append(farm)
        events += happened
        for position, cards in enumerate(planted(table, happened)):
            used[position] = max(used[position], cards)
    discard, left = lay_down(table, used)
    events.append(Discarded(left))
    number = table.round + 1
    row: tuple[Stack, ...] = ()
    pile = table.draw_pile
    if table.round < table.rules.rounds:
        row, discard, dealt = deal(number, pile, discard)
        pile = pile[ROW:]
        events += dealt
    after = Table(table.deck, table.rules, number, row, discard, pile, table.seats, tuple(farms))
    if after.over:
        events += final_events(after.by_seat, after.deck, result(after))
    return after, tuple(events)


def play(table: Table, seat: str, orders: Orders | None) -> tuple[Farm, list[AnyEvent]]:
    """One farm's round: its own list, or the stand-in's (P30), and what happened."""
    events: list[AnyEvent] = []
    if orders is None:
        events.append(Absent(seat))
        orders = stand_in(table, seat)
    done = carry_out(table, seat, orders)
    events += [event for _, event, _ in done]
    return (done[-1][2] if done else table.farm(seat)), events


def planted(table: Table, events: list[AnyEvent]) -> list[int]:
    """How many cards of each position one player planted, whatever became of them later (P49)."""
    cards = [0] * len(table.row)
    for event in events:
        if isinstance(event, Planted):
            cards[event.position - 1] += event.cards
    return cards


def lay_down(table: Table, used: list[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The discard pile with the cards nobody used on top (P8, P10), and these cards in the order
    they were laid down.
    """
    left = [
        stack.variety
        for stack, most in zip(table.row, used, strict=True)
        for _ in range(stack.cards - most)
    ]
    if table.rules.discard_order == "descending":
        left.reverse()
    return (*reversed(left), *table.discard), tuple(left)


def result(table: Table) -> Result | None:
    """Talers after the final harvest, and ranks; None while rounds are missing."""
    if not table.over:
        return None
    talers = {seat: farm.worth(table.deck) for seat, farm in table.by_seat.items()}
    return Result(talers, ranks(talers))


def ranks(talers: Mapping[str, int]) -> dict[str, int]:
    """Equal talers share a rank, and the next one is left out (P42): 1 1 3."""
    return shared_ranks(talers)
