"""A round: one list of one seat, what comes of it, perhaps the reveal and the end of the turn.
Then, once, the end.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from rounds.duel.account import played
from rounds.duel.check import carried_out
from rounds.duel.events import Cascaded, InShort, Offered, Resigned
from rounds.duel.notation import RESIGN, THEN
from rounds.duel.plan import carry_out_plan, split
from rounds.duel.stand_in import stand_in
from rounds.duel.state import State, merged, start
from rounds.duel.table import AFTER, BEFORE, DRAWN, REVEALED, Table
from rounds.engine.events import Absent, Event
from rounds.engine.farm import Stack
from rounds.engine.notation import Orders
from rounds.engine.shuffle import Chance
from rounds.engine.variant import Result, shared_ranks
from rounds.family.events import Drew, Revealed
from rounds.family.fields import final_events


def adjudicate(
    table: Table, orders: Mapping[str, Orders | None], _: Chance | None = None
) -> tuple[Table, tuple[Event, ...]]:
    """Close the round: (table, the checked orders of the active seat, None for no list) → the
    next table and what happened.

    Total for orders checked against this very table. Raises ValueError once the game is over.
    """
    if table.over:
        raise ValueError("the game is over")
    before, seat, sent = table, table.active, orders[table.active]
    events: list[Event] = [Absent(seat)] if sent is None else []
    done = stand_in(table, seat) if sent is None else sent
    if done == (RESIGN,):
        events.append(Resigned(seat))
        table = replace(table, resigned=seat)
    else:
        exact, plan = split(done)
        state = carried_out(start(table, seat), *exact)
        table = _told(state, events)
        if table.phase == BEFORE:
            table = reveal(table, events)
            if THEN in done and not table.over:
                table = _told(carry_out_plan(start(table, seat), plan), events)
                table = end_turn(table, events)
        else:
            table = end_turn(table, events)
    events.append(InShort(seat, played(before, events)))
    table = replace(table, round=table.round + 1)
    events += final_events(table.farms, table.deck, result(table))
    return table, tuple(events)


def _told(state: State, events: list[Event]) -> Table:
    """The table after a list, and what happened added to `events`."""
    table, seat = state.table, state.seat
    events += [one.event for one in merged(state.done)]
    gone = {*state.planted, state.dropped}
    hand = tuple(place for card, place in enumerate(table.hands[seat], start=1) if card not in gone)
    after = replace(
        table,
        farms=table.farms | {seat: state.farm},
        discard=state.discard,
        hands=table.hands | {seat: hand},
    )
    return (
        replace(after, row=state.left) if state.phase == AFTER else replace(after, offer=state.left)
    )


def reveal(table: Table, events: list[Event]) -> Table:
    """Three cards make the row, and the cascade follows in one run (D31, D32)."""
    shown = table.draw_pile[:REVEALED]
    cascade = 0
    while cascade < len(table.discard) and table.discard[cascade] in shown:
        cascade += 1
    moved = table.discard[:cascade]
    events.append(Revealed(table.active, shown))
    if moved:
        events.append(Cascaded(table.active, moved))
    cards = (*shown, *moved)
    row = tuple(Stack(variety, cards.count(variety)) for variety in dict.fromkeys(shown))
    return replace(
        table, phase=AFTER, row=row, discard=table.discard[cascade:], gone=table.gone + len(shown)
    )


def end_turn(table: Table, events: list[Event]) -> Table:
    """What is left of the row is the offer, two cards are drawn (D35, D37); the last card of the
    pile ends the game (D38).
    """
    seat, drawn = table.active, min(DRAWN, len(table.draw_pile))
    other = next(one for one in table.seats if one != seat)
    events += [Offered(seat, table.row, other), Drew(seat, drawn)]
    hand = (*table.hands[seat], *range(table.gone, table.gone + drawn))
    table = replace(
        table, offer=table.row, row=(), gone=table.gone + drawn, hands=table.hands | {seat: hand}
    )
    return table if table.over else replace(table, turn=table.turn + 1, phase=BEFORE)


# --- the end


def result(table: Table) -> Result | None:
    """Talers after the final harvest, and ranks; None while the game runs. Who resigned is
    second (D49).
    """
    if not table.over:
        return None
    talers = {seat: farm.worth(table.deck) for seat, farm in table.farms.items()}
    if table.resigned is not None:
        return Result(talers, {seat: 2 if seat == table.resigned else 1 for seat in table.seats})
    return Result(talers, ranks(talers, {seat: len(table.hands[seat]) for seat in table.seats}))


def ranks(talers: Mapping[str, int], cards: Mapping[str, int]) -> dict[str, int]:
    """Most talers, then most cards in hand, else the rank is shared (D41)."""
    return shared_ranks({seat: (own, cards[seat]) for seat, own in talers.items()})
