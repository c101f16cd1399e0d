"""How to play the classic game: every figure is the rules', every line of the example comes of
playing it.
"""

import json
import re
from typing import Any

import pytest

from gm import seeds
from gm.paths import SEEDS
from gm.rendering.dates import LANGUAGES
from gm.rendering.how_to_play import full_rules
from gm.rendering.sentences import environment
from rounds.classic import variant as classic
from rounds.classic.table import OPENED, SIZES, Table
from rounds.engine.shuffle import listed_chance
from tests.steps import words

PAGE = "/rules/classic"
RULINGS = {f"K{number}" for number in range(1, 54)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_is_there_and_every_mention_leads_to_one(web: Any, language: str) -> None:
    page = web.get(f"{PAGE}/full?lang={language}")
    found = full_rules("classic", language)
    assert (page.status_code, found and found.language) == (200, language)
    assert set(re.findall(r'<strong id="(K\d+)">', page.text)) == RULINGS
    assert set(re.findall(r'href="#(K\d+)"', page.text)) <= RULINGS


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            (
                "a third is for sale, for 3 talers",
                "it costs 2 talers",
                "You draw three cards",
                "four with six or seven players",
            ),
        ),
        (
            "de",
            (
                "ein drittes kannst du kaufen, für 3 Taler",
                "kostet es 2 Taler",
                "Du ziehst drei Karten",
                "zu sechst oder siebt vier",
            ),
        ),
    ],
)
def test_how_to_play_is_told_in_both_languages(
    web: Any, language: str, told: tuple[str, ...]
) -> None:
    page = words(web.get(f"{PAGE}?lang={language}"))
    assert [sentence for sentence in told if sentence not in page] == []
    assert "%(" not in page
    assert {players: (size.price, size.draws, size.fields) for players, size in SIZES.items()} == {
        3: (None, 3, 3),
        4: (3, 3, 2),
        5: (3, 3, 2),
        6: (2, 4, 2),
        7: (2, 4, 2),
    }
    assert OPENED == 2


def test_what_is_left_out_and_when_the_game_ends_is_told_as_the_rules_have_it(web: Any) -> None:
    page = words(web.get(f"{PAGE}?lang=en"))
    name = environment("en").filters["bean"]
    three, four, five, six, seven = (
        " and ".join(map(name, size.left_out)) for size in SIZES.values()
    )
    assert (four, six) == (five, seven)
    assert (
        f"Three players play without {three} beans, four and five without {four} beans, six and seven without {six} beans"
        in page
    )
    assert {size.run_outs for size in SIZES.values()} == {2, 3}
    assert SIZES[3].run_outs == 2
    assert "run out for the third time (with three players for the second)" in page
    assert "2 Garden beans bring 2 talers at once" in page


def played() -> tuple[list[Table], list[dict[str, str | None]]]:
    """The tables before each round of the example and after the last, and its lists: by hand,
    with nothing of the page's.
    """
    record = json.loads((SEEDS / "classic" / "how_to_play.json").read_text(encoding="utf-8"))
    deck = classic.deck_for(seeds.deck("classic"), len(record["seats"]))
    draw = listed_chance({"deck/main/0": record["deck"]}, deck)
    table, _ = classic.set_up(
        deck, classic.house_rules(**record["house_rules"]), record["seats"], draw
    )
    tables, lists = [table], [orders["orders"] for orders in record["rounds"]]
    for texts in lists:
        read = {
            seat: None if text is None else classic.read_orders(tables[-1], seat, text)
            for seat, text in texts.items()
        }
        tables.append(classic.adjudicate(tables[-1], read, draw)[0])
    return tables, lists


def test_the_turn_to_read_along_is_what_comes_of_playing_it(web: Any) -> None:
    (*_, before, after), lists = played()
    html = web.get(f"{PAGE}?lang=en").text
    example = html[
        html.index('id="example"') : html.index("</section>", html.index('id="example"'))
    ]
    assert lists[-1]["Anna"] == "1>A 2>A h1>B HA h2>A h3=wax|h3=stink r1=wax|r1=0 h5=stink"
    labels = re.findall(r'role="img" aria-label="([^"]*\d [^"]*)">', example)
    assert labels[0] == listed("", before.lying["Anna"]) == "1 Blue, 2 Blue"
    assert labels[1] == listed("h", before.hand("Anna"))
    assert labels[2] == listed("r", [card for card in before.open["Anna"] if card])
    walk = example[example.index('class="walk"') : example.index("</ol>")]
    assert re.findall(r'class="wtx">([^<]*)<', walk) == [
        "Blue on A, now 3",
        "Blue on A, now 4",
        "Stink on B, now 1",
        "Harvest A: 4 Blue, +1",
        "Wax on A, now 1",
        "Offer: Red for Wax; else Red for Stink",
        "Offer: Green for Wax; else give Green for nothing",
        "Offer: Chili for Stink",
    ]
    assert re.findall(r'class="wt num">(\d+) talers?<', walk) == ["0", "0", "0", "1", "1"]
    assert labels[-1] == "1 Wax bean on A, 1 Stink bean on B"
    farm = after.farms["Anna"]
    assert [(grown.variety, grown.cards) for grown in farm.fields if grown] == [
        ("wax", 1),
        ("stink", 1),
    ]
    assert farm.talers == 1


def listed(letter: str, cards: Any) -> str:
    name = environment("en").filters["bean"]
    return ", ".join(f"{letter}{number} {name(card)}" for number, card in enumerate(cards, start=1))


def test_of_the_deals_that_are_shown_those_fit_that_are_said_to(web: Any) -> None:
    (*_, before, after), lists = played()
    page = words(web.get(f"{PAGE}?lang=en"))
    for said in (
        "Anna Offer: Chili for Stink",
        "Bert Offer: Stink for Red",
        "Cem Offer: Wax + Wax for Red",
        "Dörte Offer: take Green for nothing",
        "Bert gives Stink to Anna for Red.",
        "Anna gives Green to Dörte.",
    ):
        assert said in page
    assert (lists[-1]["Cem"] or "").endswith(" 2wax=red")
    assert after.received == {"Bert": ("red",), "Anna": ("stink",), "Dörte": ("green",)}
    assert {seat for seat in before.seats if after.unmatched[seat]} == {"Anna", "Cem"}
    alone = classic.read_orders(
        before, "Cem", (lists[-1]["Cem"] or "").replace(" 2wax=red", " wax=red")
    )
    others = {
        seat: classic.read_orders(before, seat, lists[-1][seat] or "") for seat in before.seats
    }
    fitting, _ = classic.adjudicate(
        before, {**others, "Cem": alone}, lambda label, size: range(size)
    )
    assert "wax" in fitting.received["Anna"]  # one for one would have fitted


def test_the_seven_points_that_differ_are_the_same_on_both_pages(web: Any) -> None:
    html = web.get(f"{PAGE}?lang=en").text
    points = re.findall(
        r"<li>([^<]*)</li>",
        html[html.index('id="differs"') : html.index("</ol>", html.index('id="differs"'))],
    )
    assert len(points) == 7
    rules = re.search(
        r"What differs from the printed game.*?<ol>(.*?)</ol>",
        web.get(f"{PAGE}/full?lang=en").text,
        re.DOTALL,
    )
    assert rules
    assert rules[1].count("<li>") == 7
