"""What is told first of a round: every kind of headline is true, weighed, and at most three are
told.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from gm.rendering.dates import LANGUAGES
from gm.rendering.sentences import environment
from rounds.engine.events import Absent, Event
from rounds.family.events import FinalHarvest, Harvested
from rounds.family.headlines import LeadShared, Won
from rounds.postal.events import AnyEvent, Cascaded, Discarded, Planted, Plowed
from rounds.postal.headlines import (
    BestRound,
    BigHarvest,
    FirstTalers,
    LastRow,
    Led,
    Left,
    MostBeans,
    NobodySent,
    NothingLeft,
    Overtook,
    PlowedUnder,
    Quiet,
    Slid,
    TakenByAll,
    Waiting,
    headlines,
)
from rounds.postal.orders import read_orders
from rounds.postal.round import adjudicate
from rounds.postal.table import Table
from rounds.postal.view import View, scores, view
from tests.postal_tables import CAST, random_game, table

PILE = "snake snap broad magic princess mung climbing bush"
SOME_HARVEST: tuple[Event, ...] = (Harvested("Anna", "A", "bush", 3, 1),)
TWO = ("Anna", "Bert")
HERE = import_module("rounds.postal.headlines")  # the package has the function under this name
KINDS = [
    kind
    for kind in vars(HERE).values()
    if isinstance(kind, type) and kind.__module__ == HERE.__name__
]


def at(row: str, farms: Mapping[str, str], **rules: Any) -> Table:
    """A table with these farms, as in `bush*3 - - 2`."""
    each = [table(row, farm=farm, pile=PILE, **rules).farms[0] for farm in farms.values()]
    return replace(table(row, pile=PILE, seats=tuple(farms), **rules), farms=tuple(each))


def told(
    before: Table,
    lists: Mapping[str, str | None],
    earlier: Sequence[Sequence[Event]] = (SOME_HARVEST,),
) -> tuple[Event, ...]:
    """The headlines of a round in which these lists were sent."""
    orders = {
        seat: None if text is None else read_orders(before, seat, text)
        for seat, text in lists.items()
    }
    after, events = adjudicate(before, orders)
    return headlines(view(before, None), events, view(after, None), earlier)


def test_the_winner_is_told_with_the_lead_over_the_next() -> None:
    farms = {"Anna": "bush*3 - - 5", "Bert": "- - - 4", "Cem": "- - - 4"}
    assert told(at("", farms, rounds=1), dict.fromkeys(CAST, "pass"))[0] == Won(
        ("Anna",), 6, 2, ("Bert", "Cem")
    )


def test_winners_with_equal_talers_win_together() -> None:
    farms = {"Anna": "bush*3 - - 3", "Bert": "- - - 4", "Cem": "- - - 1"}
    assert told(at("", farms, rounds=1), dict.fromkeys(CAST, "pass"))[0] == Won(
        ("Anna", "Bert"), 4, 3, ("Cem",)
    )
    assert told(at("", {"Anna": "- - - 2"}, rounds=1), {"Anna": "pass"})[0] == Won(
        ("Anna",), 2, 0, ()
    )


def test_a_new_leader_is_told_with_the_two_best_harvests_and_the_old_one_is_not() -> None:
    farms = {"Anna": "bush*3 magic*3 snap*6 4", "Bert": "- - - 5"}
    assert told(at("", farms), {"Anna": "HA HB HC", "Bert": "pass"})[0] == Led(
        "Anna", (("snap", 6), ("bush", 3))
    )
    assert not any(
        isinstance(one, Led)
        for one in told(at("", farms | {"Anna": "bush*3 - - 5"}), {"Anna": "HA", "Bert": "pass"})[
            1:
        ]
    )
    ahead = at("", {"Anna": "bush*3 - - 6", "Bert": "- - - 5"})
    assert not any(isinstance(one, Led) for one in told(ahead, {"Anna": "HA", "Bert": "pass"}))


def test_a_lead_is_shared_by_who_did_not_lead_together_before() -> None:
    before = at("", {"Anna": "bush*3 - - 4", "Bert": "- - - 5"})
    assert told(before, {"Anna": "HA", "Bert": "pass"})[0] == LeadShared(TWO, 5)
    assert not any(
        isinstance(one, LeadShared)
        for one in told(at("", {"Anna": "- - - 5", "Bert": "- - - 5"}), dict.fromkeys(TWO, "pass"))
    )
    assert not any(
        isinstance(one, LeadShared)
        for one in told(at("", {"Anna": "- - - 0", "Bert": "- - - 0"}), dict.fromkeys(TWO, "pass"))
    )


def test_who_had_less_and_has_more_overtakes_and_who_catches_up_does_not() -> None:
    farms = {"Anna": "- - - 9", "Bert": "snap*6 - - 3", "Cem": "- - - 4"}
    assert told(at("", farms), {**dict.fromkeys(CAST, "pass"), "Bert": "HA"})[0] == Overtook(
        "Bert", ("Cem",), (("snap", 6),)
    )
    even = at("", farms | {"Cem": "- - - 5"})
    assert not any(
        isinstance(one, Overtook)
        for one in told(even, {**dict.fromkeys(CAST, "pass"), "Bert": "HA"})
    )


def test_who_is_passed_because_of_a_plow_is_passed_without_a_harvest() -> None:
    farms = {"Anna": "bush - - 4", "Bert": "- - - 3", "Cem": "- - - 9"}
    assert Overtook("Bert", ("Anna",), ()) in told(
        at("", farms), {**dict.fromkeys(CAST, "pass"), "Anna": "PA"}
    )


def test_when_nobody_sends_anything_it_is_told() -> None:
    assert (
        told(at("bush", {"Anna": "- - - 2", "Bert": "- - - 1"}), dict.fromkeys(TWO))[0]
        == NobodySent()
    )
    assert NobodySent() not in told(at("bush", {"Anna": "- - - 2"}), {"Anna": None})


def test_a_harvest_of_four_talers_is_told_and_weighs_more_when_the_stand_in_brought_it_in() -> None:
    farms = {"Anna": "magic*6 - - 9", "Bert": "broad*5 - - 0"}
    assert told(at("broad", farms), {"Anna": "HA", "Bert": "1"})[:2] == (
        BigHarvest("Anna", "magic", 6, 4, False),
        NothingLeft(),
    )
    asleep = at("bush", {"Anna": "magic*6 - - 9", "Bert": "broad*6 bush magic 0"})
    assert told(asleep, {"Anna": "HA", "Bert": None})[:2] == (
        BigHarvest("Bert", "broad", 6, 4, True),
        BigHarvest("Anna", "magic", 6, 4, False),
    )


def test_the_biggest_harvest_so_far_has_more_beans_than_any_before_and_is_one() -> None:
    before = replace(at("", {"Anna": "snap*6 - - 9", "Bert": "snap*6 - - 0"}), round=3)
    five = ((Harvested("Bert", "A", "snap", 5, 1),),)
    assert told(before, {"Anna": "HA", "Bert": "pass"}, five)[0] == MostBeans("Anna", "snap", 6)
    six = ((Harvested("Bert", "A", "snap", 6, 2),),)
    for lists, earlier, when in (("pass", six, 3), ("HA", five, 3), ("pass", five, 2)):
        found = told(replace(before, round=when), {"Anna": "HA", "Bert": lists}, earlier)
        assert not any(isinstance(one, MostBeans) for one in found)


def test_the_best_round_so_far_counts_what_plowing_cost() -> None:
    before = replace(at("", {"Anna": "bush*3 mung*3 - 9", "Bert": "- - - 0"}), round=3)
    one = ((Harvested("Bert", "A", "bush", 9, 4), Plowed("Bert", "B", "snap", 1, 3)),)
    assert told(before, {"Anna": "HA HB", "Bert": "pass"}, one)[0] == BestRound("Anna", 3)
    assert not any(
        isinstance(told_, BestRound) for told_ in told(before, {"Anna": "HA", "Bert": "pass"}, one)
    )


def test_the_first_talers_are_told_once_and_of_one_seat() -> None:
    before = at("", {"Anna": "bush*3 - - 9", "Bert": "bush*3 - - 0"})
    nothing = ((Harvested("Anna", "A", "bush", 1, 0),),)
    assert told(before, {"Anna": "HA", "Bert": "pass"}, nothing)[0] == FirstTalers("Anna", 1)
    assert not any(
        isinstance(one, FirstTalers) for one in told(before, {"Anna": "HA", "Bert": "HA"}, nothing)
    )
    assert not any(
        isinstance(one, FirstTalers) for one in told(before, {"Anna": "HA", "Bert": "pass"})
    )


def test_cards_that_slide_down_are_told_with_the_highest_stack() -> None:
    before = replace(at("magic", {"Anna": "- - - 0"}), discard=("snap", "snake", "snake", "mung"))
    after, events = adjudicate(before, {"Anna": ()})
    assert [event.position for event in events if isinstance(event, Cascaded)] == [4, 2, 1, 1, 6]
    assert headlines(view(before, None), events, view(after, None), ())[0] == Slid(5, "snake", 1, 3)


def test_one_card_that_slides_down_is_no_headline() -> None:
    found = told(at("magic", {"Anna": "- - - 0"}), {"Anna": "pass"})
    assert not any(isinstance(one, Slid) for one in found)


def test_a_plowed_field_is_told() -> None:
    assert told(at("", {"Anna": "bush*2 - - 9"}), {"Anna": "PA"})[0] == PlowedUnder(
        "Anna", "bush", 2
    )


def test_a_position_that_every_farm_planted_is_told_from_three_farms_on() -> None:
    farms = dict.fromkeys(CAST, "- - - 1")
    assert TakenByAll("bush", 1) in told(at("bush", farms), dict.fromkeys(CAST, "1"))
    assert TakenByAll("bush", 1) not in told(
        at("bush", farms), dict.fromkeys(CAST, "1") | {"Cem": "pass"}
    )
    assert TakenByAll("bush", 1) not in told(
        at("bush", dict.fromkeys(TWO, "- - - 1")), dict.fromkeys(TWO, "1")
    )


def test_the_last_row_is_told_when_it_is_revealed() -> None:
    assert LastRow() in told(at("", {"Anna": "- - - 1"}, rounds=2), {"Anna": "pass"})
    assert LastRow() not in told(at("", {"Anna": "- - - 1"}, rounds=3), {"Anna": "pass"})
    assert LastRow() not in told(at("", {"Anna": "- - - 1"}, rounds=1), {"Anna": "pass"})


def test_what_is_left_lying_is_named_while_it_is_little_and_a_run_on_top_is_told_as_one() -> None:
    one = {"Anna": "- - - 0"}
    assert told(at("bush", one), {"Anna": "1"}) == (NothingLeft(),)
    deep = replace(
        at("", one),
        draw_pile=("snake", "snap", "broad", "magic", "princess", "mung", "mung", "magic"),
    )
    assert told(replace(deep, row=at("bush climbing", one).row), {"Anna": "pass"}) == (
        Left(("bush", "climbing")),
    )
    assert told(replace(deep, row=at("bush bush bush", one).row), {"Anna": "pass"}) == (
        Waiting("bush", 3),
    )
    four = "bush climbing bush climbing snake princess snap"
    quiet = replace(deep, row=at(four, one).row, draw_pile=("broad",) * 4 + ("mung",) * 4)
    assert told(quiet, {"Anna": "pass"}) == (Quiet(),)


def test_there_are_three_at_most_and_never_two_about_one_seat() -> None:
    for seed in range(40):
        earlier: list[Sequence[Event]] = []
        for before, _, after, events in random_game(seed):
            found = headlines(view(before, None), events, view(after, None), earlier)
            about = [seat for one in found for seat in about_(one)]
            assert 1 <= len(found) <= 3
            assert len(about) == len(set(about))
            for one in found:
                check(one, view(before, None), events, view(after, None), earlier)
            earlier.append(events)


def about_(headline: Any) -> tuple[str, ...]:
    return getattr(headline, "seats", None) or tuple(
        filter(None, [getattr(headline, "seat", None)])
    )


def check(
    headline: Any,
    before: View,
    events: Sequence[Any],
    after: View,
    earlier: Sequence[Sequence[Any]],
) -> None:
    """That a headline is true, found out another way."""
    if isinstance(headline, Won | Led | LeadShared | Overtook):
        check_standing(headline, scores(before), events, scores(after))
    elif isinstance(headline, MostBeans | BigHarvest | BestRound | FirstTalers | PlowedUnder):
        check_harvest(headline, events, earlier)
    else:
        check_cards(headline, events, before, after)


def check_standing(
    headline: Any, had: Mapping[str, int], events: Sequence[Any], have: Mapping[str, int]
) -> None:
    match headline:
        case Won(seats, talers, ahead, behind):
            assert all(have[seat] == talers == max(have.values()) for seat in seats)
            assert all(have[seat] == talers - ahead for seat in behind)
            assert {seat for seat in have if have[seat] > talers - ahead} <= set(seats)
        case Led(seat, sheaves):
            assert all(have[other] < have[seat] for other in have if other != seat)
            assert any(had[other] >= had[seat] for other in had if other != seat)
            assert set(sheaves) <= paid(events, seat)
        case LeadShared(seats, talers):
            assert {seat for seat in have if have[seat] == max(have.values())} == set(seats)
            assert have[seats[0]] == talers
        case Overtook(seat, passed, sheaves):
            assert all(had[seat] < had[other] and have[seat] > have[other] for other in passed)
            assert set(sheaves) <= paid(events, seat)


def paid(events: Sequence[Any], seat: str) -> set[tuple[str, int]]:
    return {
        (e.variety, e.beans)
        for e in events
        if isinstance(e, Harvested | FinalHarvest) and e.seat == seat and e.talers
    }


def check_harvest(headline: Any, events: Sequence[Any], earlier: Sequence[Sequence[Any]]) -> None:
    harvests = [event for event in events if isinstance(event, Harvested | FinalHarvest)]
    past = [
        event for one in earlier for event in one if isinstance(event, Harvested | FinalHarvest)
    ]
    match headline:
        case MostBeans(seat, variety, beans):
            assert (seat, variety, beans) in {(e.seat, e.variety, e.beans) for e in harvests}
            assert all(event.beans < beans for event in past)
        case BigHarvest(seat, variety, beans, talers, absent):
            assert (seat, variety, beans, talers) in {
                (e.seat, e.variety, e.beans, e.talers) for e in harvests
            }
            assert absent == (Absent(seat) in events)
        case BestRound(seat, talers):
            assert gains(events)[seat] == talers
            assert all(gain < talers for one in earlier for gain in gains(one).values())
        case FirstTalers(seat, talers):
            assert not any(event.talers for event in past)
            assert {event.seat for event in harvests if event.talers} == {seat}
        case PlowedUnder(seat, variety, beans):
            assert (seat, variety, beans) in {
                (e.seat, e.variety, e.beans) for e in events if isinstance(e, Plowed)
            }


def check_cards(headline: Any, events: Sequence[Any], before: View, after: View) -> None:
    left = [card for event in events if isinstance(event, Discarded) for card in event.cards]
    match headline:
        case NobodySent():
            assert sum(isinstance(event, Absent) for event in events) == len(after.farms)
        case Slid(cards, variety, position, lying):
            assert cards == sum(isinstance(event, Cascaded) for event in events)
            assert (after.row[position - 1].variety, after.row[position - 1].cards) == (
                variety,
                lying,
            )
        case TakenByAll(variety, position):
            took = {
                event.seat
                for event in events
                if isinstance(event, Planted) and event.position == position
            }
            assert took == {farm.seat for farm in after.farms}
            assert before.row[position - 1].variety == variety
        case LastRow():
            assert after.round == after.rounds
        case NothingLeft():
            assert not left
        case Waiting(variety, number):
            assert set(after.discard[:number]) == {variety}
        case Left(varieties):
            assert set(left) == set(varieties)
        case _:
            assert headline == Quiet()


def gains(events: Sequence[Any]) -> Mapping[str, int]:
    found: defaultdict[str, int] = defaultdict(int)
    for event in events:
        if isinstance(event, Harvested | FinalHarvest | Plowed):
            found[event.seat] += -event.talers if isinstance(event, Plowed) else event.talers
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_words(language: str) -> None:
    macros = environment(language).get_template("postal/headlines.txt").module
    assert len(KINDS) >= 12
    for kind in KINDS:
        assert hasattr(macros, str(kind.__struct_config__.tag))  # type: ignore[attr-defined]
        assert kind not in get_args(AnyEvent)


@pytest.mark.parametrize(
    ("headline", "english", "german"),
    [
        (
            Won(("Anna",), 6, 1, ("Bert", "Cem")),
            "Anna wins with six talers, one taler ahead of Bert and Cem",
            "Anna gewinnt: sechs Taler, ein Taler mehr als Bert und Cem",
        ),
        (
            Won(TWO, 13, 2, ("Cem",)),
            "Anna and Bert win together with 13 talers",
            "Anna und Bert gewinnen gemeinsam: 13 Taler",
        ),
        (
            Overtook("Cem", ("Anna",), (("bush", 5), ("princess", 2))),
            "Cem overtakes Anna with five Bush beans and two Princess beans",
            "Cem zieht an Anna vorbei: fünf Buschbohnen und zwei Prinzessbohnen",
        ),
        (
            BigHarvest("Cem", "snake", 7, 4, True),
            "Four talers asleep: the stand-in harvests seven Snake beans for Cem",
            "Vier Taler im Schlaf: Der Vertreter erntet für Cem sieben Schlangenbohnen",
        ),
        (
            FirstTalers("Anna", 1),
            "The first taler of the game goes to Anna",
            "Der erste Taler der Partie geht an Anna",
        ),
        (
            Slid(4, "climbing", 1, 3),
            "Four cards slide down: three Climbing beans lie on position 1 now",
            "Vier Karten rutschen nach: Auf Platz 1 liegen jetzt drei Kletterbohnen",
        ),
        (
            Waiting("snap", 3),
            "Three Snap beans wait on top of the discard pile",
            "Drei Schnittbohnen warten oben auf dem Ablagestapel",
        ),
        (
            Left(("magic", "broad")),
            "Left lying: Magic and Broad",
            "Liegen geblieben: Zauber und Dicke",
        ),
    ],
)
def test_a_headline_is_a_sentence_with_numbers_as_words(
    headline: Event, english: str, german: str
) -> None:
    assert environment("en").filters["headline"](headline) == english
    assert environment("de").filters["headline"](headline) == german
