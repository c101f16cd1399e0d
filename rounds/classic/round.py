"""A round: field work, a call, perhaps the end of the turn and the beginning of the next. Then,
once, the end.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from rounds.classic.call import Call
from rounds.classic.check import carried_out
from rounds.classic.deals import of_one_card, tradable
from rounds.classic.events import Traded
from rounds.classic.notation import KEEP, Alternatives, write_deals
from rounds.classic.orders import field_work, wishes_of
from rounds.classic.pile import draw, in_base_order, reveal
from rounds.classic.stand_in import stand_in
from rounds.classic.state import State, start
from rounds.classic.table import CALL, FIELD, LAST, HouseRules, T, Table, begin, must_order
from rounds.engine import variant
from rounds.engine.beans import Deck
from rounds.engine.events import Absent, Event
from rounds.engine.notation import Orders
from rounds.engine.shuffle import Chance
from rounds.engine.variant import shared_ranks
from rounds.family.fields import final_events


class Result(variant.Result, frozen=True):
    """The end; `hands`: the number of cards that were left, which decides ties (K43)."""

    hands: dict[str, int]


def set_up(
    deck: Deck, rules: HouseRules, seats: Sequence[str], chance: Chance
) -> tuple[Table, tuple[Event, ...]]:
    """The first table, on a deck that is shuffled once: hands are dealt, and cards revealed (K6,
    K8).
    """
    events = list[Event]()
    table = reveal(begin(deck, rules, seats, deck.shuffled(chance)), chance, events)
    return table, tuple(events)


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
    after = closed(table, states, lists, events)
    if not after.over and not is_first_call(table):
        after = _next_turn(after, chance, events)
    events += final_events(after.farms, after.deck, result(after))
    return after, tuple(events)


def lists_of(
    table: T, orders: Mapping[str, Orders | None], stand_in: Callable[[T, str], Orders]
) -> dict[str, Orders]:
    """What is played for each seat. Raises ValueError once the game is over."""
    if table.over:
        raise ValueError("the game is over")
    return {
        seat: stand_in(table, seat) if orders[seat] is None else orders[seat] or ()
        for seat in table.seats
    }


def closed(
    table: T, states: Mapping[str, State], lists: Mapping[str, Orders], events: list[Event]
) -> T:
    """The table after all field work and the call, before anything is drawn. After the last
    round the game is over.
    """
    after = replace(_after_field_work(table, states), drawn={}, round=table.round + 1)
    if table.phase == LAST:
        return replace(after, over=True, standing={}, deals={}, unmatched={})
    planted = {seat: state.planted for seat, state in states.items()}
    after = _called(table, after, lists, planted, events)
    return replace(after, phase=CALL) if is_first_call(table) else after


def is_first_call(table: Table) -> bool:
    """Whether the round ends with the first of two calls (K11)."""
    return table.phase == FIELD and table.rules.calls > 1


def _after_field_work(table: T, states: Mapping[str, State]) -> T:
    """The table after all field work, with hands as they were before it."""
    # deals name cards by their numbers of before; planted ones leave the hand after the call
    discarded = tuple(card for state in states.values() for card in state.discarded)
    return replace(
        table,
        farms={seat: states[seat].farm for seat in table.seats},
        coins={seat: states[seat].coins for seat in table.seats},
        discard=in_base_order(table, (*table.discard, *discarded)),
        lying=dict.fromkeys(table.seats, ()),
    )


def _called(
    before: Table,
    table: T,
    lists: Mapping[str, Orders],
    planted: Mapping[str, tuple[str, ...]],
    events: list[Event],
) -> T:
    """The table after the call: what was given is gone, what was received is set aside (K29)."""
    wishes = {seat: wishes_of(lists[seat]) for seat in table.seats}
    cards = {seat: tradable(before, seat, planted[seat]) for seat in table.seats}
    call, received = Call(table.seats, table.round_order, table.active, cards), dict(table.received)
    for seats, gifts in call.match(wishes):
        sides = in_base_order(table, gifts[0]), in_base_order(table, gifts[1])
        events.append(Traded(seats, sides))
        for seat, gift in zip(seats, reversed(sides), strict=True):
            received[seat] = (*received.get(seat, ()), *gift)
    keeps = {seat: KEEP in lists[seat] for seat in table.seats}
    return replace(
        table,
        received=received,
        open={seat: _open_left(shown, call.left[seat]) for seat, shown in table.open.items()},
        hands={seat: _hand_left(table.hands[seat], call.left[seat]) for seat in table.seats},
        standing={
            seat: stay
            for seat in table.seats
            if keeps[seat] and (stay := standing_of(wishes[seat]))
        },
        deals={seat: write_deals(wishes[seat], keep=keeps[seat]) for seat in table.seats},
        unmatched={seat: _unmatched(wishes[seat], seat, call) for seat in table.seats},
        offered=table.offered
        | {seat: found for seat in table.seats if (found := _offered(before, seat, wishes[seat]))},
    )


def _offered(
    before: Table, seat: str, wishes: tuple[Alternatives, ...]
) -> tuple[tuple[int | str, tuple[str, ...]], ...]:
    """What each single card was offered for, and what was to be had for nothing."""
    found, taken = list[tuple[int | str, tuple[str, ...]]](), list[str]()
    for wish in filter(None, map(of_one_card, wishes)):
        if not wish.label:
            taken += wish.gets
            continue
        number = int(wish.label[1:]) - 1
        card = before.hands[seat][number] if wish.label[0] == "h" else before.open[seat][number]
        assert card is not None, wish
        found.append((card, wish.gets))
    return (*found, ("0", tuple(taken))) if found or taken else ()


def standing_of(wishes: tuple[Alternatives, ...]) -> tuple[Alternatives, ...]:
    """What of wishes can stay: the alternatives that name no single card (K34)."""
    general = (tuple(deal for deal in wish.deals if not deal.labels) for wish in wishes)
    return tuple(Alternatives(deals) for deals in general if deals)


def _open_left(shown: tuple[str | None, ...], cards: Mapping[str, str]) -> tuple[str | None, ...]:
    """What is left of the open cards, each in its place."""
    return tuple(cards.get(f"r{number}") for number in range(1, len(shown) + 1))


def _hand_left(hand: tuple[int, ...], cards: Mapping[str, str]) -> tuple[int, ...]:
    """What is left of a hand, in its order (K14)."""
    return tuple(place for number, place in enumerate(hand, start=1) if f"h{number}" in cards)


def _unmatched(wishes: tuple[Alternatives, ...], seat: str, call: Call) -> tuple[Alternatives, ...]:
    return tuple(wish for number, wish in enumerate(wishes) if (seat, number) not in call.used)


def _next_turn(table: Table, chance: Chance, events: list[Event]) -> Table:
    """What was kept and received lies now, the active seats draw (K12), and the next turn is
    revealed, if there is one.
    """
    table = laid_down(table)
    if not table.ending:
        table = draw(table, chance, events)
    if not table.ending:
        table = reveal(replace(table, turn=table.turn + 1), chance, events)
    return last_round(table) if not any(table.open.values()) else table


def laid_down(table: T) -> T:
    """What was kept and received lies now."""
    kept = {seat: tuple(card for card in table.open.get(seat, ()) if card) for seat in table.seats}
    lying = {seat: (*kept[seat], *table.received.get(seat, ())) for seat in table.seats}
    return replace(table, lying=lying, open={}, received={}, phase=FIELD)


def last_round(table: T, *, more: bool = False) -> T:
    """The table for the last round; over if nothing lies that could be planted (K42), and there
    is nothing `more` to do.
    """
    last = replace(table, phase=LAST, open={}, standing={})
    return last if more or any(last.lying.values()) else replace(last, over=True)


# --- the end


def result(table: Table) -> Result | None:
    """Talers after the final harvest, single beans too, and ranks; None while the game runs."""
    if not table.over:
        return None
    talers = {seat: table.farms[seat].worth(table.deck) for seat in table.seats}
    hands = {seat: len(table.hands[seat]) for seat in table.seats}
    return Result(talers, ranks(table.rules, talers, hands), hands)


def ranks(rules: HouseRules, talers: Mapping[str, int], cards: Mapping[str, int]) -> dict[str, int]:
    """Ranked by talers. A tie goes to more cards in hand or, with the house rule `tie = far`, to
    who sits furthest behind the first seat; still equal, they share the rank (K43).
    """
    second = {
        seat: place if rules.tie == "far" else cards[seat] for place, seat in enumerate(talers)
    }
    return shared_ranks({seat: (own, second[seat]) for seat, own in talers.items()})
