"""Random games of the classic kind, checked in every round."""

from collections import Counter
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from gm import seeds
from rounds.classic import variant
from rounds.classic.events import Planted, Traded
from rounds.classic.table import HouseRules, Table
from rounds.engine.beans import Deck, Variety
from rounds.engine.events import Event
from rounds.engine.farm import FIELDS
from rounds.engine.notation import Orders, Refused
from rounds.engine.shuffle import Chance
from rounds.family.events import Bought, Harvested

CAST = ("Anna", "Bert", "Cem", "Dörte", "Emil", "Fritz", "Gerda")


class Played(Struct, frozen=True):
    """One round of a game."""

    before: Table
    lists: dict[str, Orders | None]
    events: tuple[Event, ...]
    after: Table


def chance(seed: object) -> Chance:
    return lambda label, size: tuple(Random(f"{seed} {label}").sample(range(size), size))


def deck_of(players: int) -> Deck:
    return variant.deck_for(seeds.deck("classic"), players)


def part_of(deck: Deck, players: int, random: Random) -> Deck:
    """A part of a deck that is just enough to deal from."""
    some = Counter(random.sample(deck.base_order(), random.randint(8 * players, 12 * players)))
    return Deck(tuple(Variety(v.id, some[v.id], v.beanometer) for v in deck.varieties))


def all_cards(table: Table) -> Counter[str]:
    """Every card, wherever it is (T1)."""
    found = Counter(table.draw_pile) + Counter(table.discard)
    for seat in table.seats:
        found.update(table.hand(seat))
        found.update(table.lying[seat])
        found.update(table.received.get(seat, ()))
        found.update(card for card in table.open.get(seat, ()) if card)
        found.update(table.coins[seat])
        for grown in table.farms[seat].fields:
            found.update({grown.variety: grown.cards} if grown else {})
        assert len(table.coins[seat]) == table.farms[seat].talers
    return found


def some_list(table: Table, seat: str, random: Random) -> str | None:
    """A list: of the robot, of chance as far as it is legal, or none."""
    if random.random() < 0.2:
        return None
    if random.random() < 0.5:
        return variant.robot(variant.view(table, seat))
    beans, cards = table.deck.ids, list(variant.view(table, seat).cards)
    text = []
    for _ in range(random.randint(0, 6)):
        give = random.choice([*cards, *beans, "0"])
        ways = "|".join(random.choice([*beans, "0"]) for _ in range(random.randint(1, 3)))
        text.append(f"{give}={ways}{random.choice(['', '', '@1', '@2'])}")
    work = (
        random.sample(["HA", "HB", "HC", "buy"], k=random.randint(0, 2))
        if table.phase != "call"
        else []
    )
    text = [
        *work,
        *(["auto"] if table.phase != "call" else []),
        *text,
        *random.choice([[], ["keep"]]),
    ]
    while text:
        try:
            variant.read_orders(table, seat, " ".join(text))
        except Refused as error:
            wrong = {problem.order for problem in error.problems if problem.order}
            if not wrong:
                return None
            text = [word for number, word in enumerate(text, start=1) if number not in wrong]
        else:
            return " ".join(text)
    return None if table.due(seat) else "pass"


def play(players: int, seed: int, *, is_small: bool) -> tuple[Played, ...]:
    """A random game, checked in every round."""
    random = Random(f"{players} {seed} {is_small}")
    rules = HouseRules(turns=random.choice(("together", "single")), calls=random.choice((1, 2)))
    whole, draw = deck_of(players), chance((players, seed))
    deck = part_of(whole, players, random) if is_small else whole
    table, _ = variant.set_up(deck, rules, CAST[:players], draw)
    rounds, cards = list[Played](), Counter(deck.base_order())
    while not variant.is_over(table):
        assert all_cards(table) == cards
        lists = {seat: read(table, seat, some_list(table, seat, random)) for seat in table.seats}
        after, events = variant.adjudicate(table, lists, draw)
        backwards = dict(reversed(lists.items()))
        assert variant.adjudicate(table, backwards, draw) == (after, events)  # T9
        check_trades(table, events)
        check_hands(table, after)
        check_harvests(table, events)
        check_view(table, random)
        rounds.append(Played(table, lists, events, after))
        table = after
    assert all_cards(table) == cards
    assert table.ending  # T5
    assert table.run_outs == table.size.run_outs or not table.draw_pile
    return tuple(rounds)


def read(table: Table, seat: str, text: str | None) -> Orders | None:
    """Checked orders; canonical text read and written again is the same (T6)."""
    orders = (
        variant.stand_in(table, seat) if text is None else variant.read_orders(table, seat, text)
    )
    written = variant.write_orders(table, orders)
    assert variant.read_orders(table, seat, written) == orders
    return None if text is None else orders


def check_trades(table: Table, events: tuple[Event, ...]) -> None:
    """Every trade has an active seat (T3), and nobody gives what was not there when the turn
    began (T2).
    """
    given: dict[str, Counter[str]] = {seat: Counter() for seat in table.seats}
    for event in events:
        if isinstance(event, Traded):
            assert set(event.seats) & set(table.active)
            for seat, cards in zip(event.seats, event.cards, strict=True):
                given[seat].update(cards)
    for seat, gone in given.items():
        assert not gone - Counter((*table.hand(seat), *filter(None, table.open.get(seat, ()))))


def check_hands(table: Table, after: Table) -> None:
    """A hand is the old hand with gaps, drawn cards behind it (T4)."""
    for seat in table.seats:
        old = [place for place in after.hands[seat] if place in table.hands[seat]]
        new = [place for place in after.hands[seat] if place not in table.hands[seat]]
        assert list(after.hands[seat]) == [*old, *new]
        assert old == sorted(old, key=table.hands[seat].index)
        assert all(place >= table.gone for place in new)


def check_harvests(table: Table, events: tuple[Event, ...]) -> None:
    """A single bean is harvested only by a farm of which no field holds more (T7)."""
    beans = {
        seat: [grown.cards if grown else 0 for grown in table.farms[seat].fields]
        for seat in table.seats
    }
    for event in events:
        if isinstance(event, Planted):
            beans[event.seat][FIELDS.index(event.field)] += 1
        elif isinstance(event, Bought):
            beans[event.seat].append(0)
        elif isinstance(event, Harvested):
            field = FIELDS.index(event.field)
            assert event.beans == beans[event.seat][field] > 0
            assert event.beans > 1 or max(beans[event.seat]) == 1
            beans[event.seat][field] = 0


def check_view(table: Table, random: Random) -> None:
    """Two cards of other hands and of the pile exchanged: the view of a seat stays as it is
    (T8).
    """
    seat = random.choice(table.seats)
    hidden = [place for other in table.seats if other != seat for place in table.hands[other]]
    hidden += range(table.gone, len(table.cards))
    if len(hidden) > 1:
        one, other = random.sample(hidden, 2)
        cards = list(table.cards)
        cards[one], cards[other] = cards[other], cards[one]
        assert variant.view(replace(table, cards=tuple(cards)), seat) == variant.view(table, seat)
