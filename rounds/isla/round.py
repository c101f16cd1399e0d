"""A round: field work, visits, raids, a call, perhaps the end of the turn. Then, once, the end."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from rounds.classic.orders import field_work
from rounds.classic.pile import draw, reveal, take
from rounds.classic.round import (
    Result,
    closed,
    is_first_call,
    laid_down,
    last_round,
    lists_of,
    ranks,
)
from rounds.classic.stand_in import stand_in
from rounds.classic.table import must_order
from rounds.engine.beans import Deck
from rounds.engine.events import Absent, Event
from rounds.engine.notation import Orders
from rounds.engine.shuffle import Chance
from rounds.family.events import FinalHarvest
from rounds.family.fields import final_events
from rounds.isla.check import carried_out
from rounds.isla.events import Laid
from rounds.isla.sea import at_home, sail
from rounds.isla.state import start
from rounds.isla.table import ROW, TRADING, HouseRules, Table, begin


def set_up(
    deck: Deck, rules: HouseRules, seats: Sequence[str], chance: Chance
) -> tuple[Table, tuple[Event, ...]]:
    """The first table: hands are dealt, the cards of Bohnbay laid, and cards revealed (I16)."""
    events = list[Event]()
    table = _filled(begin(deck, rules, seats, deck.shuffled(chance)), chance, events)
    return reveal(table, chance, events), tuple(events)


def _filled(table: Table, chance: Chance, events: list[Event]) -> Table:
    """Bohnbay is filled up from the draw pile (I18)."""
    places, table = take(table, ROW - len(table.bay), chance, events)
    cards = tuple(table.cards[place] for place in places)
    events += [Laid(cards)] if cards else []
    return replace(table, bay=(*table.bay, *cards))


def adjudicate(
    table: Table, orders: Mapping[str, Orders | None], chance: Chance
) -> tuple[Table, tuple[Event, ...]]:
    """Close the round: (table, the checked orders of every seat, None for no list) → the next
    table and what happened.

    Total for orders checked against this very table. Raises ValueError once the game is over.
    """
    events, lists = list[Event](), lists_of(table, orders, stand_in)
    states = {
        seat: carried_out(start(table, seat), *field_work(lists[seat]))
        for seat in table.round_order
    }
    for seat, state in states.items():
        events += [Absent(seat)] if orders[seat] is None and seat in must_order(table) else []
        events += [one.event for one in state.done]
    called = list[Event]()  # a call touches neither ships nor fields, coins or discard pile
    after = sail(table, closed(table, states, lists, called), states, events)
    events += called
    if not after.over and not is_first_call(table):
        after = _next_turn(after, chance, events)
    end = result(after)
    events += _final_sales(after) if end else []
    events += final_events(after.farms, after.deck, end)
    return after, tuple(events)


def _next_turn(table: Table, chance: Chance, events: list[Event]) -> Table:
    """What was kept and received lies now, the active seats draw, Bohnbay is filled, and the next
    turn is revealed, if there is one; the ships of who is active then are at home.
    """
    table = laid_down(table)
    if not table.ending:
        table = draw(table, chance, events)
    if not table.ending:
        table = _filled(table, chance, events)
    if not table.ending:
        table = reveal(replace(table, turn=table.turn + 1), chance, events)
    if any(table.open.values()):
        return at_home(table, table.active)
    is_loaded = any(any(table.loads(seat)) for seat in table.seats)
    return at_home(last_round(table, more=is_loaded), table.seats)


# --- the end


def _final_sales(table: Table) -> list[Event]:
    """Every trading ship is sold by itself (I26)."""
    return [
        FinalHarvest(
            seat, ship, load.variety, load.cards, table.deck[load.variety].talers(load.cards)
        )
        for seat in table.seats
        for ship, load in table.loads(seat, TRADING)
    ]


def worth_of_ships(table: Table, seat: str) -> int:
    """What the trading ships of a seat would earn, each by itself."""
    loads = (load for _, load in table.loads(seat, TRADING))
    return sum(table.deck[load.variety].talers(load.cards) for load in loads)


def result(table: Table) -> Result | None:
    """Talers after everything is sold, and ranks; None while the game runs (I26)."""
    if not table.over:
        return None
    talers = {
        seat: table.farms[seat].worth(table.deck) + worth_of_ships(table, seat)
        for seat in table.seats
    }
    hands = {seat: len(table.hands[seat]) for seat in table.seats}
    return Result(talers, ranks(table.rules, talers, hands), hands)
