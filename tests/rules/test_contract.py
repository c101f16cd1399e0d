"""What the service relies on, for every variant found by folder: one test file, no list of
variants.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from gm import seeds
from gm.rendering.dates import LANGUAGES
from gm.rendering.own_words import has_template
from gm.rendering.sentences import environment
from rounds.engine import shuffle
from rounds.engine.beans import DECK_LABEL, PILE_LABEL, RESHUFFLE_LABEL
from rounds.engine.events import Absent, Event
from rounds.engine.notation import Orders, Refused
from rounds.engine.record import RecordError, read_record, replay, replay_document
from rounds.engine.shuffle import Chance
from rounds.engine.variant import Variant, find, names
from rounds.engine.verdict import PROVEN
from rounds.engine.verify import verify
from tests.faster import few_first
from tests.rules.played import (
    STRANGER,
    Game,
    as_json,
    chance,
    close,
    deck_of,
    game,
    proven,
    read,
    record_of,
)

SAMPLE = 16
"""So many places of a pile are exchanged with one another."""
RESERVED = {
    "round",
    "receipts",
    "notes",
    "deadline",
    "closed",
    "orders",
    "game",
    "version",
    "press",
    "sources",
    "chain",
}
"""What the chain, the record and the API say of a round beside its account."""
ALL = [pytest.param(find(name), id=name) for name in names()]


@pytest.mark.parametrize("absent", [0, 3])
@pytest.mark.parametrize("variant", ALL)
def test_a_game_runs_until_nobody_may_order_and_then_has_ranks(
    variant: Variant, absent: int
) -> None:
    for seed in range(5):
        found = game(variant, seed, absent)
        rounds = len(found.rounds)
        assert [table.round for table in found.tables] == list(range(1, rounds + 2))
        assert [variant.result(table) is None for table in found.tables] == [True] * rounds + [
            False
        ]
        assert variant.length(variant.house_rules()) in (None, rounds)
        end = variant.result(found.tables[-1])
        assert end is not None
        assert set(end.talers) == set(end.ranks) == set(found.seats)
        for one in found.seats:
            assert end.ranks[one] == 1 + sum(rank < end.ranks[one] for rank in end.ranks.values())
            assert all(
                end.points[one] >= end.points[other]
                for other in found.seats
                if end.ranks[one] < end.ranks[other]
            )


@pytest.mark.parametrize("variant", ALL)
def test_who_is_awaited_may_order_and_sits_at_the_table(variant: Variant) -> None:
    found = game(variant)
    for table in found.tables:
        awaited, able = variant.awaited(table), variant.may_order(table)
        assert set(variant.must_order(table)) <= set(awaited) <= set(able) <= set(found.seats)
        assert len(set(able)) == len(able)
    for played in found.rounds if variant.readers else ():
        assert variant.readers is not None
        assert set(variant.readers(played.before, played.after)) <= set(found.seats)


@pytest.mark.parametrize("variant", ALL)
def test_exactly_those_who_must_order_and_do_not_are_told_to_be_absent(variant: Variant) -> None:
    for played in game(variant, absent=3).rounds:
        absent = [event.seat for event in played.events if isinstance(event, Absent)]
        assert sorted(absent) == sorted(
            seat for seat in variant.must_order(played.before) if played.texts[seat] is None
        )


@pytest.mark.parametrize("variant", ALL)
def test_a_round_played_twice_is_the_same_and_nothing_is_changed_in_place(variant: Variant) -> None:
    for absent in (0, 3):
        found = game(variant, absent=absent)
        for played in found.rounds:
            stored, seen = variant.storage.pack(played.before), seen_by(found, played.before)
            assert close(variant, played.before, played.texts, found.chance) == (
                played.after,
                played.events,
            )
            variant.tell(played.before, played.events, played.after)
            variant.secrets(played.before, played.events, played.after)
            assert (variant.storage.pack(played.before), seen_by(found, played.before)) == (
                stored,
                seen,
            )
        with pytest.raises(AttributeError):
            found.start.round = 7


@pytest.mark.parametrize("variant", ALL)
def test_the_stand_in_and_every_robot_play_legal_canonical_lists(variant: Variant) -> None:
    for table in tables_of(variant):
        for seat in variant.may_order(table):
            robots = {variant.robot, *variant.strengths.values()}
            texts = [robot(variant.view(table, seat)) for robot in robots]
            for orders in (
                variant.stand_in(table, seat),
                *(variant.read_orders(table, seat, text) for text in texts),
            ):
                text = variant.write_orders(table, orders)
                assert variant.read_orders(table, seat, text) == orders
                assert variant.write_orders(table, variant.read_orders(table, seat, text)) == text
                for step in variant.preview(table, seat, orders):
                    assert variant.read_events(as_json(step.events)) == step.events


@pytest.mark.parametrize("variant", ALL)
def test_the_strongest_robot_plays_where_no_strength_is_chosen(variant: Variant) -> None:
    assert [*variant.strengths.values(), variant.robot][-2:].count(variant.robot) == 1 + bool(
        variant.strengths
    )
    for strength, robot in variant.strengths.items():
        assert variant.robot_of(strength) is robot
    for none in ("", "of another program"):
        assert variant.robot_of(none) is variant.robot


@pytest.mark.parametrize("variant", [variant for variant in ALL if find(str(variant.id)).hindsight])
def test_a_game_that_is_over_can_be_looked_back_at_and_what_is_found_is_kept(
    variant: Variant,
) -> None:
    found, look = game(variant, absent=3), variant.hindsight
    assert look is not None
    seen = look.find(found.tables, [played.events for played in found.rounds])
    assert msgspec.json.decode(as_json(seen), type=look.kind) == seen
    with pytest.raises(ValueError, match="not over"):
        look.find(found.tables[:-1], [played.events for played in found.rounds[:-1]])
    for name in ("luck.txt", "luck.html", "hindsight.html"):
        assert has_template(f"{variant.name}/{name}")


@pytest.mark.parametrize("variant", ALL)
def test_silence_is_what_the_stand_in_orders(variant: Variant) -> None:
    for played in game(variant, absent=3).rounds:
        for seat in played.texts:
            silent, _ = close(variant, played.before, {**played.texts, seat: None}, chance(1))
            spoken = variant.write_orders(played.before, variant.stand_in(played.before, seat))
            ordered, events = close(
                variant, played.before, {**played.texts, seat: spoken}, chance(1)
            )
            assert ordered == silent
            assert not [
                event for event in events if isinstance(event, Absent) and event.seat == seat
            ]


@pytest.mark.parametrize("variant", ALL)
def test_orders_that_make_no_sense_are_refused_with_every_problem(variant: Variant) -> None:
    for table in tables_of(variant):
        for seat in variant.may_order(table):
            for text, least in (
                ("", 1),
                ("what ever", 2),
                ("pass pass", 2),
                ("\x00", 1),
                ("1\u200b>A", 1),
            ):
                with pytest.raises(Refused) as caught:
                    variant.read_orders(table, seat, text)
                assert len(caught.value.problems) >= least
                assert all(problem.code for problem in caught.value.problems)


@pytest.mark.parametrize("variant", ALL)
def test_a_stored_table_comes_back(variant: Variant) -> None:
    for absent in (0, 3):
        found = game(variant, absent=absent)
        for table in found.tables:
            assert (
                variant.storage.unpack(variant.storage.pack(table), deck_of(variant), found.chance)
                == table
            )


@pytest.mark.parametrize("variant", ALL)
def test_events_survive_being_stored(variant: Variant) -> None:
    for absent in (0, 3):
        found = game(variant, absent=absent)
        for events in (found.dealt, *(played.events for played in found.rounds)):
            assert variant.read_events(as_json(events)) == events
            assert all(
                hash(event) == hash(again)
                for event, again in zip(events, variant.read_events(as_json(events)), strict=True)
            )


@pytest.mark.parametrize("variant", ALL)
def test_what_is_told_of_a_round_is_json_for_the_chain_and_takes_none_of_its_names(
    variant: Variant,
) -> None:
    for absent in (0, 3):
        for played in game(variant, absent=absent).rounds:
            account = msgspec.to_builtins(variant.tell(played.before, played.events, played.after))
            secret = msgspec.to_builtins(
                variant.secrets(played.before, played.events, played.after)
            )
            assert not RESERVED & {*account, *secret}
            assert not set(account) & set(secret)
            assert json.loads(shuffle.canonical(account)) == json.loads(as_json(account))
            json.loads(shuffle.canonical(secret))
            assert not any(isinstance(value, float) for value in inside(account))


def inside(value: Any) -> Iterator[Any]:
    yield value
    parts: Iterable[Any] = (
        value.values()
        if isinstance(value, dict)
        else value
        if isinstance(value, list | tuple)
        else ()
    )
    for part in parts:
        yield from inside(part)


@pytest.mark.parametrize("variant", ALL)
def test_what_pages_and_mails_say_beside_the_view_can_be_remembered(variant: Variant) -> None:
    """Sentences are kept by what they are made of, so it must have a hash."""
    found = game(variant)
    for table in found.tables:
        hash(variant.moment(table))
        if variant.scores:
            scores = variant.scores.of(variant.view(table, None))
            assert set(scores) == set(found.seats)
            assert list(scores.values()) == sorted(scores.values(), reverse=True)
    end = variant.result(found.tables[-1])
    assert end is not None
    assert (
        variant.scores is None
        or dict(variant.scores.of(variant.view(found.tables[-1], None))) == end.points
    )


@pytest.mark.parametrize("variant", ALL)
def test_headlines_follow_from_what_everybody_knows_and_can_be_remembered(variant: Variant) -> None:
    """They are made of public tables and events alone, so nothing hidden is in them; each has
    words in every language.
    """
    for absent in (0, 3):
        found, earlier = game(variant, absent=absent), list[Sequence[Event]]()
        for played in found.rounds:
            seen = [variant.view(table, None) for table in (played.before, played.after)]
            headlines = variant.headlines(seen[0], played.events, seen[1], earlier)
            assert headlines == variant.headlines(seen[0], played.events, seen[1], tuple(earlier))
            for headline in headlines:
                hash(headline)
                assert all(
                    environment(language).filters["headline"](headline) for language in LANGUAGES
                )
            earlier.append(played.events)


@pytest.mark.parametrize("variant", ALL)
def test_a_form_says_every_list_that_it_is_filled_with(variant: Variant) -> None:
    """What is said by its controls is the same list again."""
    if variant.form is None:
        pytest.skip("ordered as text")
    for table in tables_of(variant):
        for seat in variant.may_order(table):
            for orders in (
                variant.stand_in(table, seat),
                variant.read_orders(table, seat, robots_list(variant, table, seat)),
            ):
                shown = variant.form.fill(table, seat, orders)
                typed = variant.form.read(table, seat, shown.sent)
                assert variant.read_orders(table, seat, typed.text) == orders
                with pytest.raises(Refused) as refused:  # its number says how many come before
                    variant.read_orders(table, seat, f"{typed.text}\n?")
                last = max(problem.order or 0 for problem in refused.value.problems)
                assert len(typed.controls) >= last - 1
                assert variant.form.controls(shown.sent) == shown
            as_json(variant.form.data(table, seat))


# --- what is hidden


def seen_by(found: Game, table: Any) -> dict[str | None, bytes]:
    """What each viewer sees, byte by byte; None: everybody."""
    return {viewer: as_json(found.variant.view(table, viewer)) for viewer in (None, *found.seats)}


def places(size: int) -> list[int]:
    """Places of a pile to be exchanged: all of a small one; of a large one the first, the last
    and some between.
    """
    if size <= 2 * SAMPLE:
        return list(range(size))
    return [
        *range(SAMPLE - 6),
        SAMPLE - 4,
        *Random(size).sample(range(SAMPLE, size - 2), 4),
        size - 2,
        size - 1,
    ]


def exchanged(inner: Chance, label: str, one: int, other: int) -> Chance:
    """The same chance with two cards of a pile in each other's place."""

    def draw(asked: str, size: int) -> Sequence[int]:
        numbers = list(inner(asked, size))
        if asked == label:
            numbers[one], numbers[other] = numbers[other], numbers[one]
        return numbers

    return draw


class Exchange(Struct, frozen=True):
    """A game played again with two cards in each other's place, as long as everybody sees the
    same table.

    `differs`: for each such table the seats that see another one; `faults`: what told everybody
    meanwhile; `is_of_a_hand`: whether hands are others where everybody sees another table at
    last.
    """

    differs: list[frozenset[str]]
    faults: list[str]
    is_of_a_hand: bool


class Look(Struct, frozen=True):
    """All that a table of a game shows: who sees what, what is told and stored, and what is sent
    next would do.
    """

    seen: dict[str | None, bytes]
    told: bytes
    stored: bytes
    silences: dict[str, str]
    proposals: list[tuple[Event, ...]]


def looks(found: Game) -> list[Look]:
    """At each table of a game."""
    made = []
    for number, table in enumerate(found.tables):
        texts = found.rounds[number].texts if number < len(found.rounds) else {}
        made.append(
            Look(
                seen_by(found, table),
                as_json(found.variant.tell(*_told(found, number))) if number else b"",
                found.variant.storage.pack(table),
                silences(found.variant, table, texts),
                proposals(found.variant, table, read(found.variant, table, texts)),
            )
        )
    return made


def exchange(found: Game, seen: list[Look], label: str, one: int, other: int) -> Exchange:
    """Play the same lists; look at all that is public in each round, until everybody sees
    another table than was `seen`.
    """
    variant, differs, faults, is_of_a_hand = (
        found.variant,
        list[frozenset[str]](),
        list[str](),
        False,
    )
    draw = exchanged(found.chance, label, one, other)
    table, events = variant.set_up(deck_of(variant), variant.house_rules(), found.seats, draw)
    before, account = None, b""
    for number, (here, look) in enumerate(zip(found.tables, seen, strict=True)):
        now, then = seen_by(found, table), look.seen
        if now[None] != then[None]:
            is_of_a_hand = hands_of(variant, table) != hands_of(variant, here)
            break
        expected = found.rounds[number - 1].events if number else found.dealt
        sees = frozenset(viewer for viewer in found.seats if now[viewer] != then[viewer])
        # else both were laid down in this round
        is_hidden = table != here and (not differs or differs[-1] <= sees)
        for what, differ in (
            ("the events", events != expected),
            ("the account", account != look.told),
            ("the stored table", variant.storage.pack(table) != look.stored),
        ):
            faults += (
                [f"after {number} rounds: {what} of places {one} and {other}"]
                if differ and is_hidden
                else []
            )
        differs.append(sees)
        if number == len(found.rounds):
            break
        before = table
        texts = found.rounds[number].texts
        try:
            if silences(variant, table, texts) != look.silences:
                break  # the stand-in plays the card, or shows that it is none of others
            lists = read(variant, table, texts)
            if proposals(variant, table, lists) != look.proposals:
                # the list offers the card: what others want decides whether it is shown in this
                # round
                break
            table, events = variant.adjudicate(table, lists, draw)
        except Refused:  # the list names the card: it is shown in this round
            break
        account = as_json(variant.tell(before, events, table))
    return Exchange(differs, faults, is_of_a_hand)


def silences(variant: Variant, table: Any, texts: dict[str, str | None]) -> dict[str, str]:
    """What is played for each seat that sends nothing."""
    silent = [seat for seat, text in texts.items() if text is None]
    return {seat: variant.write_orders(table, variant.stand_in(table, seat)) for seat in silent}


def proposals(
    variant: Variant, table: Any, lists: dict[str, Orders | None]
) -> list[tuple[Event, ...]]:
    """What the lists would do, as far as that hangs on the lists of others."""
    steps = [
        step
        for seat, orders in lists.items()
        if orders is not None
        for step in variant.preview(table, seat, orders)
    ]
    return [step.events for step in steps if step.farm is None]


def hands_of(variant: Variant, table: Any) -> Any:
    """What is told of the hands before a round once the game is over."""
    return variant.secrets(table, (), table).get("hands")


def _told(found: Game, number: int) -> tuple[Any, tuple[Event, ...], Any]:
    played = found.rounds[number - 1]
    return played.before, played.events, played.after


def exchanges(found: Game, nth: int) -> dict[tuple[str, int, int], Exchange]:
    """Every nth exchange of two different cards of a game: by label and places."""
    made, seen = {}, looks(found)
    for label, cards in piles(found).items():
        for one, other in [*combinations(places(len(cards)), 2)][::nth]:
            if cards[one] != cards[other]:
                made[label, one, other] = exchange(found, seen, label, one, other)
    return made


@pytest.mark.long
@pytest.mark.parametrize(("absent", "nth"), few_first([(0, 5), (3, 1)], 1))
@pytest.mark.parametrize("variant", ALL)
def test_a_hidden_card_is_seen_by_one_seat_at_most_and_nothing_told_or_stored_hangs_on_it(
    variant: Variant, absent: int, nth: int
) -> None:
    """Who sees a card is found by exchanging it with one that nobody sees. What the public table
    does not tell is known to one seat, or to none; and of a hand it tells nothing. Where the
    variant says that seats see more than others, all of them do.

    While nobody tells them apart on the public table no byte of events, account or stored table
    changes.
    """
    found = game(variant, 1, absent)
    made = exchanges(found, nth)
    assert [fault for exchange in made.values() for fault in exchange.faults] == []
    alone: set[str] = set()
    for number in range(len(found.rounds)):
        unseen = {
            (label, place)
            for (label, one, other), exchange in made.items()
            if number < len(exchange.differs) and not exchange.differs[number]
            for place in (one, other)
        }
        for (label, one, other), exchange in made.items():
            if number < len(exchange.differs) and {(label, one), (label, other)} & unseen:
                assert len(exchange.differs[number]) <= 1, (number, label, one, other)
                alone |= exchange.differs[number]
            if number == len(exchange.differs) and {(label, one), (label, other)} & unseen:
                assert not exchange.is_of_a_hand, (number, label, one, other)
    assert alone == (set(found.seats) if variant.sees_more else set())


def piles(found: Game) -> dict[str, list[str]]:
    """The cards that were shuffled, by label, top first. Piles that are shuffled later are told
    in `secrets`, as `reshuffled`.
    """
    secrets = (found.variant.secrets(r.before, r.events, r.after) for r in found.rounds)
    later = enumerate((pile for each in secrets for pile in each.get("reshuffled", ())), start=1)
    made = {DECK_LABEL: list(deck_of(found.variant).shuffled(found.chance))}
    made |= {RESHUFFLE_LABEL.format(number): list(pile) for number, pile in later}
    made |= other_piles(found)
    assert {label: len(pile) for label, pile in made.items()} == found.drawn
    return made


def other_piles(found: Game) -> dict[str, list[str]]:
    """The piles of other cards than beans, by label, top first."""
    base = {name: deck_of(found.variant).pile(name) for name in deck_of(found.variant).piles}
    labels = {PILE_LABEL.format(name): cards for name, cards in base.items()}
    return {
        label: [cards[number] for number in found.chance(label, len(cards))]
        for label, cards in labels.items()
    }


# --- records


def listed(found: Game) -> dict[str, Any]:
    """The record of a game with its piles listed."""
    others = other_piles(found)
    deck, *later = (cards for label, cards in piles(found).items() if label not in others)
    return (
        record_of(found)
        | {"deck": deck}
        | ({"reshuffles": later} if later else {})
        | ({"piles": others} if others else {})
    )


@pytest.mark.parametrize("absent", [0, 3])
@pytest.mark.parametrize("variant", ALL)
def test_a_record_with_its_piles_plays_the_same_game_again(variant: Variant, absent: int) -> None:
    found = game(variant, 3, absent)
    record = read_record(json.dumps(listed(found)).encode())
    replayed = replay(record, variant, seeds.deck(variant.name))
    assert replayed.result == variant.result(found.tables[-1])
    assert [played.events for played in replayed.rounds] == [
        played.events for played in found.rounds
    ]
    assert [r.after for r in replayed.rounds] == found.tables[1:]
    document = json.loads(json.dumps(replay_document(record, replayed, variant)))
    for played, line in zip(found.rounds, document["rounds"], strict=True):
        account = variant.tell(played.before, played.events, played.after)
        assert line["orders"] == json.loads(as_json(played.texts))
        assert {key: line[key] for key in account} == json.loads(as_json(account))
    if "trades" in account:  # a hand decides ties there
        left = {seat: len(found.tables[-1].hands[seat]) for seat in found.tables[-1].seats}
        assert document["result"]["hands"] == left


@pytest.mark.parametrize("change", ["exchanged", "more", "fewer"])
@pytest.mark.parametrize("variant", ALL)
def test_a_pile_that_was_never_shuffled_is_no_part_of_a_record(
    variant: Variant, change: str
) -> None:
    document = listed(game(variant, 3))
    later = [list(pile) for pile in document.get("reshuffles", [])]
    if change == "more":
        later.append(list(document["deck"][:3]))
    elif not later:
        return
    elif change == "fewer":
        later.pop()
    else:
        later[-1] = [
            *later[-1][1:],
            next(card for card in document["deck"] if card != later[-1][0]),
        ]
    record = read_record(json.dumps(document | {"reshuffles": later}).encode())
    with pytest.raises(RecordError):
        replay(record, variant, seeds.deck(variant.name))


@pytest.mark.parametrize("variant", ALL)
def test_a_record_lists_exactly_the_other_piles_that_the_game_has(variant: Variant) -> None:
    document = listed(game(variant, 3))
    piles = document.get("piles", {})
    wrong = [piles | {"gold/main/0": ["x"]}, *({} for _ in piles)]
    wrong += [piles | {label: cards[1:]} for label, cards in piles.items()]
    wrong += [piles | {label: [*cards[1:], "AAAAA"]} for label, cards in piles.items()]
    for other in wrong:
        record = read_record(json.dumps(document | {"piles": other}).encode())
        with pytest.raises(RecordError, match=r"^piles"):
            replay(record, variant, seeds.deck(variant.name))
    with pytest.raises(RecordError, match=r"^piles: they are listed only where the deck is"):
        read_record(json.dumps(record_of(game(variant, 3)) | {"piles": {}}).encode())


@pytest.mark.parametrize("change", ["stranger", "idle", "more", "missing"])
@pytest.mark.parametrize("variant", ALL)
def test_lists_of_who_may_not_order_and_after_the_end_are_refused(
    variant: Variant, change: str
) -> None:
    document = listed(game(variant, 3))
    rounds, found = document["rounds"], game(variant, 3)
    if change == "stranger":
        rounds[0] = {"orders": {**rounds[0]["orders"], STRANGER: "pass"}}
    elif change == "more":
        rounds.append(rounds[-1])
    elif change == "missing":
        rounds[0] = {"orders": dict(list(rounds[0]["orders"].items())[1:])}
    else:
        idle = [(n, set(found.seats) - set(played.texts)) for n, played in enumerate(found.rounds)]
        number, who = next(((n, who) for n, who in idle if who), (0, set()))
        if not who:
            pytest.skip("everybody may order in every round")
        rounds[number] = {"orders": {**rounds[number]["orders"], min(who): "pass"}}
    with pytest.raises(RecordError, match=r"^round \d+: "):
        replay(read_record(json.dumps(document).encode()), variant, seeds.deck(variant.name))


@pytest.mark.parametrize("absent", [0, 3])
@pytest.mark.parametrize("variant", ALL)
def test_a_game_drawn_from_a_secret_is_proven_by_its_record(variant: Variant, absent: int) -> None:
    record, kept = proven(variant, absent)
    verdict = verify(record, seeds.deck, kept)
    assert verdict.verdict == PROVEN, verdict.line


def tables_of(variant: Variant) -> list[Any]:
    """The tables of two games, each before a round."""
    return [played.before for absent in (0, 3) for played in game(variant, absent=absent).rounds]


def robots_list(variant: Variant, table: Any, seat: str) -> str:
    return variant.robot(variant.view(table, seat))
