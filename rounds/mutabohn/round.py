"""A round: field work seat by seat, a call, perhaps the end of the turn. Then, once, the end."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from rounds.classic.orders import field_work
from rounds.classic.pile import draw, in_base_order, reveal
from rounds.classic.round import closed, is_first_call, laid_down, last_round, lists_of, ranks
from rounds.classic.table import FIELD, must_order
from rounds.engine import variant
from rounds.engine.beans import Deck
from rounds.engine.events import Absent, Event
from rounds.engine.notation import Orders
from rounds.engine.shuffle import Chance
from rounds.family.fields import final_events, may_harvest
from rounds.mutabohn.bonus import values
from rounds.mutabohn.check import carried_out
from rounds.mutabohn.events import Fed, Fined
from rounds.mutabohn.stand_in import stand_in
from rounds.mutabohn.state import State, start
from rounds.mutabohn.table import FULL, HouseRules, Table, begin


class Result(variant.Result, frozen=True):
    """The end: `score` in hundredths of a taler decides (M30); `talers` after the final harvest;
    `hands`: the number of cards that were left.
    """

    score: dict[str, int]
    bonus: dict[str, int]
    fines: dict[str, int]
    hands: dict[str, int]

    @property
    def points(self) -> dict[str, int]:
        """What ranks go by."""
        return self.score


def set_up(
    deck: Deck, rules: HouseRules, seats: Sequence[str], chance: Chance
) -> tuple[Table, tuple[Event, ...]]:
    """The first table: hands and bonus cards are dealt, and cards revealed (M8)."""
    events = list[Event]()
    table = reveal(begin(deck, rules, seats, chance), chance, events)
    return replace(table, ending=table.turn >= table.last_turn), tuple(events)


def adjudicate(
    table: Table, orders: Mapping[str, Orders | None], chance: Chance
) -> tuple[Table, tuple[Event, ...]]:
    """Close the round: (table, the checked orders of every seat, None for no list) → the next
    table and what happened.

    Total for orders checked against this very table. Raises ValueError once the game is over.
    """
    events, lists = list[Event](), lists_of(table, orders, stand_in)
    fined = fined_now(table)
    states, pile = dict[str, State](), table.bonus_pile
    for seat in table.round_order:  # one after the other, because of the bonus pile (M22)
        events += [Absent(seat)] if orders[seat] is None and seat in must_order(table) else []
        events += [Fined(seat)] if seat in fined else []
        state = carried_out(start(table, seat, pile), *field_work(lists[seat]))
        events += [event for brought in state.brought for event in brought]
        states[seat], pile = state, state.pile or ()
    after = _with_bonus(closed(table, states, lists, events), states, pile)
    after = replace(after, fines={seat: n + (seat in fined) for seat, n in table.fines.items()})
    if table.phase == FIELD:
        after = replace(after, feed={seat: one.feed for seat, one in states.items() if one.feed})
    if not after.over and not is_first_call(table):
        after = _next_turn(after, chance, events)
    events += final_events(after.farms, after.deck, result(after))
    return after, tuple(events)


def fined_now(table: Table) -> tuple[str, ...]:
    """The active seats with fewer cards than they must plant, in round order (M5)."""
    few = (seat for seat in table.active if len(table.hands[seat]) < table.must_plant)
    return tuple(few) if table.phase == FIELD else ()


def _with_bonus(table: Table, states: Mapping[str, State], pile: tuple[int, ...]) -> Table:
    return replace(
        table,
        held={seat: states[seat].held for seat in table.seats},
        bonus_pile=pile,
        cashed={seat: (*table.cashed[seat], *states[seat].cashed) for seat in table.seats},
    )


def _next_turn(table: Table, chance: Chance, events: list[Event]) -> Table:
    """What was kept and received lies now, the active seats draw, and the next turn is revealed,
    if there is one (M26, M28).
    """
    table = laid_down(table)
    if not table.ending:
        table = draw(table, chance, events, fed)
    if not table.ending:
        table = reveal(replace(table, turn=table.turn + 1), chance, events, fed)
        table = replace(table, ending=table.ending or table.turn >= table.last_turn)
    table = replace(table, feed={})
    return table if any(table.open.values()) else last_round(table)


def fed(table: Table, events: list[Event]) -> Table:
    """The pile has run out, or a card is due and there is none: seats in round order harvest
    what they let it have, where the bean rule allows (M27).
    """
    for seat in table.round_order:
        for field in table.feed.get(seat, ""):
            farm = table.farms[seat]
            grown = farm.fields["AB".index(field)]
            if grown is None or not may_harvest(farm, field):
                continue
            talers = table.deck[grown.variety].talers(grown.cards)
            coins, others = grown.divided(talers)
            events.append(Fed(seat, field, grown.variety, grown.cards, talers))
            table = replace(
                table,
                farms=table.farms | {seat: farm.with_field(field, None, talers)},
                coins=table.coins | {seat: (*table.coins[seat], *coins)},
                discard=in_base_order(table, (*table.discard, *others)),
            )
    return table


# --- the end


def bonus_of(table: Table, seat: str) -> int:
    """What a seat has cashed, in hundredths."""
    paid = values(table.deck)
    return sum(paid[code] for code, _ in table.cashed[seat])


def result(table: Table) -> Result | None:
    """Talers after the final harvest and bonus less the fines, in hundredths; None while the
    game runs (M30).
    """
    if not table.over:
        return None
    talers = {seat: table.farms[seat].worth(table.deck) for seat in table.seats}
    bonus = {seat: bonus_of(table, seat) for seat in table.seats}
    hands = {seat: len(table.hands[seat]) for seat in table.seats}
    score = {seat: FULL * (talers[seat] - table.fines[seat]) + bonus[seat] for seat in table.seats}
    return Result(talers, ranks(table.rules, score, hands), score, bonus, dict(table.fines), hands)
