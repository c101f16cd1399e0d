"""What came to nothing of one's own deals, and why, as far as the own list, cards and trades say."""

import pytest
from msgspec.structs import replace

from rounds.classic.events import Traded
from rounds.classic.view import view
from tests.rules.classic.test_form import AT

BEFORE = view(AT, "Anna")
"""Anna may trade an open Green and of her hand Blue, Red, Chili and Soy, h1 to h4."""


@pytest.mark.parametrize(
    ("deals", "unmatched", "trades", "missed"),
    [
        ("h1=soy", "", ["blue soy"], []),
        ("h1=soy", "h1=soy", [], ["blue for soy: nobody"]),
        ("h1=soy|h1=wax", "", ["blue wax"], ["blue for soy: later, wax from Bert"]),
        ("h1=soy|h1=wax|h1=0", "", ["blue "], ["blue for soy, wax: gift, nothing from Bert"]),
        ("h1=soy|h1=wax", "h1=soy|h1=wax", [], ["blue for soy, wax: nobody"]),
        ("h1=soy blue=wax", "blue=wax", ["blue soy"], ["blue for wax: gone"]),
        ("h1=soy h2=wax", "h1=soy h2=wax", [], ["blue for soy: nobody", "red for wax: nobody"]),
        ("0=soy", "0=soy", [], ["nothing for soy: nobody"]),
        ("h1=soy keep", "h1=soy", [], ["blue for soy: nobody"]),
        ("", "", [], []),
        (
            "h1=soy|h1=wax h2=wax|h2=soy",
            "",
            ["blue wax", "red wax"],
            ["blue for soy: later, wax from Bert"],
        ),
    ],
)
def test_a_list_says_what_came_of_it(
    deals: str, unmatched: str, trades: list[str], missed: list[str]
) -> None:
    after = replace(BEFORE, deals=deals, unmatched=tuple(unmatched.split()))
    events = []
    for trade in trades:
        gave, got = (tuple(filter(None, [side])) for side in trade.split(" "))
        events.append(Traded(("Anna", "Bert"), (gave, got)))
    found = []
    for one in BEFORE.missed(after, events):
        ways = ", ".join("+".join(get) or "nothing" for _, get, _ in one.deals)
        told = f"{'+'.join(one.deals[0][0]) or 'nothing'} for {ways}: {one.why}"
        found.append(
            told + (f", {'+'.join(one.got) or 'nothing'} from {one.other}" if one.other else "")
        )
    assert found == missed


HAND = {f"h{n}": card for n, card in enumerate(("blue", "red", "soy", "wax"), start=1)}


@pytest.mark.parametrize(
    ("anna", "bert", "cem", "near"),
    [
        ("blue=soy", "soy=2blue", "", "Anna blue, Bert soy"),
        ("blue=soy", "soy=red", "", None),
        ("blue=soy", "soy=2blue@3", "", None),
        ("blue=soy|blue=wax", "wax=2blue@1", "", "Anna blue, Bert wax"),
        ("blue=soy red=wax", "soy=2blue", "wax=red+blue", "Anna blue+red, Cem wax"),
        ("", "soy=2wax", "wax=2soy", "Bert soy, Cem wax"),
        ("blue=soy blue=wax", "soy=2blue", "wax=2blue", "Anna blue, Bert soy"),
    ],
)
def test_of_deals_that_found_nobody_those_that_crossed_most_are_a_near_miss(
    anna: str, bert: str, cem: str, near: str | None
) -> None:
    opened = [
        (before, replace(before, deals=deals, unmatched=tuple(deals.split())))
        for seat, deals in {"Anna": anna, "Bert": bert, "Cem": cem}.items()
        for before in [replace(view(AT, seat), cards=HAND)]
    ]
    found = BEFORE.near_miss(opened, [])
    told = found and ", ".join(
        f"{seat} {'+'.join(cards)}" for seat, cards in zip(found.seats, found.cards, strict=True)
    )
    assert told == near
    passive = [(replace(before, active=("Dora",)), after) for before, after in opened]
    assert BEFORE.near_miss(passive, []) is None


def test_trades_of_others_change_nothing_of_it() -> None:
    after = replace(BEFORE, deals="h1=soy|h1=wax h2=0", unmatched=("h2=0",))
    own = Traded(("Bert", "Anna"), (("wax",), ("blue",)))
    others = [
        Traded(("Bert", "Cem"), (("soy",), ("blue",))),
        Traded(("Bert", "Cem"), ((), ("red",))),
    ]
    assert BEFORE.missed(after, [own]) == BEFORE.missed(after, [*others, own]) != ()
