"""The draw pile: drawing, revealing, running out, shuffling again (1.6)."""

from collections.abc import Callable

from msgspec.structs import replace

from rounds.classic.events import RanOut, Reshuffled
from rounds.classic.table import OPENED, T, Table, shuffled
from rounds.engine.events import Event
from rounds.engine.shuffle import Chance
from rounds.family.events import Drew, Revealed


def in_base_order(table: Table, cards: tuple[str, ...]) -> tuple[str, ...]:
    """The same cards, variety by variety."""
    return tuple(
        variety for variety, number in table.deck.counts(cards).items() for _ in range(number)
    )


Feed = Callable[[T, list[Event]], T]
"""What adds cards to the discard pile before it is shuffled, and tells it."""


def take(
    table: T,
    number: int,
    chance: Chance,
    events: list[Event],
    feed: Feed[T] = lambda table, _: table,
) -> tuple[list[int], T]:
    """The places of the next cards, as many as there are, and the table without them."""
    places = list[int]()
    for _ in range(number):
        if not table.ending and not table.draw_pile:
            table = feed(table, events)
            table = (
                _shuffled_again(table, chance, events)
                if table.discard
                else replace(table, ending=True)
            )
        if table.ending:
            break
        places.append(table.gone)
        table = replace(table, gone=table.gone + 1)
        if not table.draw_pile:
            table = _run_out(table, chance, events, feed)
    return places, table


def draw(
    table: T, chance: Chance, events: list[Event], feed: Feed[T] = lambda table, _: table
) -> T:
    """Each active seat draws to the back of its hand (K36), as long as there is something to
    draw (K39).
    """
    numbers = dict[str, int]()
    for seat in table.active:
        places, table = take(table, table.draws(seat), chance, events, feed)
        if places:
            numbers[seat] = len(places)
            events.append(Drew(seat, len(places)))
            table = replace(table, hands=table.hands | {seat: (*table.hands[seat], *places)})
    return replace(table, drawn=numbers)


def reveal(
    table: T, chance: Chance, events: list[Event], feed: Feed[T] = lambda table, _: table
) -> T:
    """Two cards for each active seat (K8); seats after the last run-out get one card or none
    (K40).
    """
    shown = dict[str, tuple[str | None, ...]]()
    for seat in table.active:
        places, table = take(table, OPENED, chance, events, feed)
        cards = tuple(table.cards[place] for place in places)
        shown[seat] = cards
        if cards:
            events.append(Revealed(seat, cards))
    return replace(table, open=shown)


def _run_out(table: T, chance: Chance, events: list[Event], feed: Feed[T]) -> T:
    """The last card was taken: the discard pile is shuffled at once, unless it was the last time
    (K37) or is empty (K41).
    """
    table = replace(table, run_outs=table.run_outs + 1)
    events.append(RanOut(table.run_outs))
    if table.run_outs == table.size.run_outs:
        return replace(table, ending=True)
    table = feed(table, events)
    return _shuffled_again(table, chance, events) if table.discard else table


def _shuffled_again(table: T, chance: Chance, events: list[Event]) -> T:
    pile = in_base_order(table, table.discard)
    events.append(Reshuffled(len(pile)))
    piles = (*table.reshuffled, pile)
    return replace(
        table, cards=table.cards + shuffled(pile, len(piles), chance), reshuffled=piles, discard=()
    )
