"""Lists: what is read, which problem comes first, what stays (docs/rules/classic.md, 1.4 and
part 3).
"""

from random import Random

import pytest

from gm import seeds
from rounds.classic import variant
from rounds.classic.events import Proposed, Stays
from rounds.classic.notation import write
from rounds.classic.orders import wishes_of
from rounds.classic.table import Table
from rounds.engine.notation import MAX_CHARACTERS, Refused
from tests.cases.classic import read_table
from tests.rules.classic.random_games import play, some_list

HAND = ["red", "blue", "blue", "wax", "soy"]


def table(phase: str = "field", **given: object) -> Table:
    """Anna has a Blue field, a hand of five and two open cards; Bert has a Red bean; four play."""
    anna = {"fields": [["blue", 2], None], "hand": HAND, "open": ["soy", "chili"]}
    seats = {"Anna": anna, "Bert": {"hand": ["red", "eyed"]}}
    return read_table(
        {"given": {"players": 4, "phase": phase, "seats": seats, **given}}, seeds.deck("classic")
    )


def problems(
    text: str, phase: str = "field", seat: str = "Anna", **given: object
) -> list[tuple[int, str]]:
    with pytest.raises(Refused) as caught:
        variant.read_orders(table(phase, **given), seat, text)
    return [(problem.order or 0, problem.code) for problem in caught.value.problems]


def canonical(text: str, phase: str = "field", **given: object) -> str:
    at = table(phase, **given)
    return variant.write_orders(at, variant.read_orders(at, "Anna", text))


def test_the_third_field_is_paid_with_the_topmost_coins() -> None:
    """K22: which cards come back into the game is decided by the order in which they were earned."""
    at = table(seats={"Anna": {"hand": HAND, "coins": ["blue", "soy", "red", "wax"]}})
    orders = dict.fromkeys(at.seats) | {"Anna": variant.read_orders(at, "Anna", "buy h1>A")}
    after, _ = variant.adjudicate(at, orders, lambda _, size: range(size))
    assert after.discard == ("wax", "soy", "red")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("auto", "h1>B h2>A"),
        ("H1 B", "h1>B"),
        ("h1b, h2", "h1>B h2>A"),
        ("ernte a; h1", "HA h1>A"),
        ("auto h3 = Feuerbohne | soja | 0", "h1>B h2>A h3=chili|h3=soy|h3=0"),
        ("h1 2Blaue+r1 = rote @ Bert", "h1>B r1+2blue=red@2"),
        ("h1 blue+blue=red@bert|Augenbohnen@3", "h1>B 2blue=red@2|2blue=eyed@3"),
        ("h1 h4+r2+h3=stink+garden+cocoa", "h1>B r2+h3+h4=stink+garden+cocoa"),
        ("h1 bleibt blue=red", "h1>B blue=red keep"),
        ("h1 chili=red keep keep", "h1>B chili=red keep"),
        ("0=blue h1", "h1>B 0=blue"),
    ],
)
def test_a_list_is_written_in_one_way(text: str, written: str) -> None:
    assert canonical(text) == written
    assert canonical(written) == written


def test_a_partner_is_found_in_capitals_and_in_either_spelling_of_unicode() -> None:
    for name in ("Gül", "GÜL", "gül", "Gu\u0308l", "GU\u0308L"):
        assert canonical(f"h1 blue=red@{name}", players=7) == "h1>B blue=red@7", name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("auto h2=chili", [(2, "PLANTED")]),
        ("h1 h9=chili", [(2, "NOT_YOURS")]),
        ("h1 3blue=chili", [(2, "NOT_YOURS")]),
        # the card that is named is not meant a second time
        ("h1 h2+2blue=chili", [(2, "NOT_YOURS")]),
        ("h1 4blue=coffee", [(2, "CARDS")]),
        ("h1 blue=4red", [(2, "CARDS")]),
        ("h1 h2+h2=coffee", [(2, "DOUBLE")]),
        ("h1 coffee=nonsense", [(2, "UNKNOWN")]),
        ("h1 h9=coffee", [(2, "NOT_YOURS")]),
        ("h1 h100=red", [(2, "WORD")]),
        ("h1 blue=0red", [(2, "WORD")]),
        ("h1 blue=red=0", [(2, "WORD")]),
        ("h1 blue=", [(2, "WORD")]),
        ("h1 blue=red@5", [(2, "PARTNER")]),
        ("h1 blue=red@Anna", [(2, "PARTNER")]),
        ("h1 0=0@9", [(2, "EMPTY_DEAL")]),
        ("h1 blue=red|blue", [(2, "SAME")]),
        ("h03", [(1, "NUMBER"), (0, "UNPLANTED")]),
        ("h1234567", [(1, "NUMBER"), (0, "UNPLANTED")]),
        ("h9", [(1, "RANGE"), (0, "UNPLANTED")]),
        ("h1 h4", [(2, "TOO_MANY")]),
        ("h1z", [(1, "BAD_FIELD"), (0, "UNPLANTED")]),
        ("h1 HA6", [(2, "PARTIAL_HARVEST")]),
        ("h1 HB", [(2, "SINGLE")]),
        ("pass blue=red", [(1, "PASS"), (0, "UNPLANTED")]),
        ("h1 harvest", [(2, "WORD")]),
        ("h1 keep blue", [(3, "WORD")]),
    ],
)
def test_of_several_problems_an_order_tells_the_first(
    text: str, expected: list[tuple[int, str]]
) -> None:
    assert problems(text) == expected


def test_a_hundred_alternatives_are_allowed_and_no_more() -> None:
    fifty = "0=red" + "|0=soy|0=red" * 24 + "|0=soy"
    assert canonical(f"h1 {fifty} {fifty}").count("=") == 100
    assert problems(f"h1 {fifty} {fifty} 0=wax") == [(0, "LIMIT")]


def test_a_list_that_is_too_long_when_it_is_written_out_is_refused() -> None:
    at = read_table(
        {"given": {"players": 3, "seats": {"Anna": {"lying": ["blue"] * 30}}}},
        seeds.deck("classic"),
    )
    long = "auto keep coffee+stink+garden=chili+green+soy@2" + "|chili+green+blue@2" * 99
    assert len(long) < MAX_CHARACTERS
    with pytest.raises(Refused) as caught:
        variant.read_orders(at, "Anna", long)
    assert [problem.code for problem in caught.value.problems] == ["LIMIT"]


@pytest.mark.parametrize("phase", ["call", "last"])
def test_what_a_round_does_not_take_is_refused_with_one_word(phase: str) -> None:
    text = "blue=coffee" if phase == "last" else "h9"
    assert problems(text, phase) == [(1, "NOT_NOW")]
    assert canonical("keep", phase) == "keep"


def test_what_names_a_single_card_does_not_stay() -> None:
    at = table()
    lists = dict.fromkeys(at.seats) | {
        "Anna": variant.read_orders(at, "Anna", "h1 h4=chili|wax=chili h5=0 keep")
    }
    after, _ = variant.adjudicate(at, lists, lambda label, size: range(size))
    assert variant.write_orders(after, variant.stand_in(after, "Anna")) == "wax=chili keep"
    assert after.deals["Anna"] == "h4=chili|wax=chili h5=0 keep"


@pytest.mark.parametrize(
    ("text", "stay", "of"),
    [
        ("h4=chili h5=0 keep", 0, 2),
        ("h4=chili|wax=chili keep", 1, 2),
        ("0=chili keep", 1, 1),
        ("keep", 0, 0),
    ],
)
def test_a_list_is_told_how_many_of_its_deals_stay(text: str, stay: int, of: int) -> None:
    at = table("call")
    *_, last = variant.preview(at, "Anna", variant.read_orders(at, "Anna", text))
    assert last.events == (Stays("Anna", stay, of),)


def test_one_by_one_only_the_active_seat_is_a_partner() -> None:
    rules = {"turns": "single"}
    assert problems("red=chili@3", seat="Bert", rules=rules) == [(1, "PARTNER")]
    at = table(rules=rules)
    assert variant.write_orders(
        at, variant.read_orders(at, "Bert", "red=chili@1 red=chili@3 keep")
    ).endswith("@3 keep")


def test_wishes_are_told_alike_from_a_list_and_from_its_text() -> None:
    random = Random(3)
    tables = [played.before for played in play(5, 1, is_small=False)[:8]]
    for before in tables:
        for seat in before.seats:
            text = some_list(before, seat, random)
            orders = (
                variant.read_orders(before, seat, text) if text else variant.stand_in(before, seat)
            )
            wishes = [write(wish) for wish in wishes_of(orders)]
            said = [
                event for step in variant.preview(before, seat, orders) for event in step.events
            ]
            told = variant.view(before, seat).told(wishes)
            assert [wish.deals for wish in told] == [
                event.deals for event in said if isinstance(event, Proposed)
            ]
    (first,) = variant.view(tables[0], "Anna").told(["2blue+soy=3red@2|0=wax"])
    assert first.deals == ((("blue", "blue", "soy"), ("red",) * 3, "Bert"), ((), ("wax",), None))


def test_a_name_that_begins_with_a_number_takes_no_deal_from_the_seat_of_that_number() -> None:
    seats = ("Anna", "Bert", "2 keep", "2")
    deck = variant.deck_for(seeds.deck("classic"), len(seats))
    at, _ = variant.set_up(deck, variant.house_rules(), seats, lambda _, size: range(size))
    shown, hand = at.open["Anna"][0], at.hand("Anna")[0]
    other = next(bean for bean in deck.ids if bean not in (shown, hand))
    orders = variant.read_orders(at, "Anna", f"auto r1={other}@2, keep")
    text = variant.write_orders(at, orders)
    assert text.endswith(f" r1={other}@2 keep")
    assert variant.read_orders(at, "Anna", text) == orders
