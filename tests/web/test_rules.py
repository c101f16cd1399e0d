"""How to play, as a page for everybody: its figures are the deck's and the recorded round's, and
every page leads to it.
"""

import re
from html import unescape
from typing import Any
from urllib.parse import urljoin
from weakref import ref

import pytest

import gm.web.rules
from gm import seeds
from gm.cli.demo import Demo
from gm.installation import Installation
from gm.rendering.how_to_play import full_rules
from gm.rendering.sentences import environment
from gm.store.games import Game
from gm.web import create_app
from rounds.engine.beans import Deck, Variety
from rounds.engine.variant import names
from tests.steps import seat_game, words

RULES = "/rules/postal"


def test_one_game_alone_is_where_the_rules_lead(web: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.web.rules.names", lambda: ("postal",))
    answer = web.get("/rules?lang=de")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/rules/postal?lang=de")
    assert web.get("/rules").headers["Location"] == RULES


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            (
                "Growing beans by mail",
                "Plow a field that brings nothing yet: it costs 3 talers",
                "After usually 10 rounds",
            ),
        ),
        (
            "de",
            (
                "Bohnen anbauen per Post",
                "Umpflügen kostet 3 Taler",
                "Nach meist 10 Runden",
                "ZAT (Zugabgabetermin)",
            ),
        ),
    ],
)
def test_how_to_play_is_told_in_both_languages(
    web: Any, language: str, told: tuple[str, ...]
) -> None:
    answer = web.get(f"{RULES}?lang={language}")
    page = words(answer).replace(" ,", ",").replace(" )", ")")
    assert answer.status_code == 200
    for sentence in told:
        assert sentence in page
    assert "Uwe Rosenberg" in page
    assert "Markus Berger" in page


def test_every_variety_stands_there_with_its_cards_and_its_beanometer(web: Any) -> None:
    page = words(web.get(f"{RULES}?lang=en"))
    assert f"The {len(seeds.deck('postal').varieties)} varieties" in page
    for variety in seeds.deck("postal").varieties:
        name = environment("en").filters["bean"](variety.id)
        tiers = ", ".join(
            f"{n} for {t} taler{'s' * (t > 1)}"
            for t, n in enumerate(variety.beanometer, start=1)
            if n
        )
        figures = " ".join(f"{n or '–'} {t}" for t, n in enumerate(variety.beanometer, start=1))
        assert f"{name} {figures} {tiers} {variety.cards} cards" in page


def test_no_figure_of_a_variety_is_typed_in(web: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Deck((Variety("mung", 7, (0, 11, 12, 13)), Variety("snap", 19, (21, 26, 28, 29))))
    monkeypatch.setattr("gm.web.rules.seeds.deck", lambda variant: other)
    page = words(web.get(f"{RULES}?lang=en"))
    assert "The 2 varieties" in page
    assert (
        "here the Snap bean: 21 for 1 taler, 26 for 2 talers, 28 for 3 talers, 29 for 4 talers."
        in page
    )
    assert "25 Snap beans still bring 1 taler; no field ever brings more than 4 talers." in page
    assert "11 Mung beans bring 2 talers at once." in page
    assert "7 cards" in page


def test_the_cascade_is_told_as_it_happened(web: Any) -> None:
    page = words(web.get(f"{RULES}?lang=en"))
    assert "Why it sometimes says ×3" in page
    assert (
        "first position of its variety: Broad, Magic, Climbing, Climbing. Mung does not fit" in page
    )
    assert "Position 1 now holds 3 Climbing beans." in page


def test_the_turn_to_read_along_shows_the_purse_after_every_order(web: Any) -> None:
    html = web.get(f"{RULES}?lang=en").text
    walk = html[html.index('class="walk"') : html.index("</ol>", html.index('class="walk"'))]
    assert re.findall(r'class="wt num">(\d+) talers?<', walk) == [
        "1",
        "1",
        "2",
        "2",
        "2",
        "6",
        "6",
        "6",
    ]
    assert 'aria-label="7 Climbing beans on A, 2 Snake beans on B, 2 Magic beans on C"' in walk


def test_no_house_rule_is_told_as_if_it_were_fixed(web: Any) -> None:
    page = words(web.get(f"{RULES}?lang=en"))
    for hedged in (
        "After usually 10 rounds",
        "as a rule it plants what already grows",
        "as a rule from position 1 to 8",
        "As a rule it harvests a full field",
        "As a rule it plants nothing on fields that were empty",
        "the number of rounds (1 to 12)",
    ):
        assert hedged in page


def test_caches_may_keep_the_rules_and_nobody_gets_a_cookie(web: Any) -> None:
    for path in (RULES, f"{RULES}/full"):
        answer = web.get(f"{path}?lang=en")
        assert answer.headers["Cache-Control"] == "public, max-age=3600"
        assert "Set-Cookie" not in answer.headers
        assert "noindex" not in answer.text
        again = web.get(f"{path}?lang=en", headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
    assert web.get(RULES).headers["Vary"] == "Accept-Language"


def test_in_the_demo_they_are_not_kept_for_they_say_how_the_game_stands(
    installation: Installation, ackerwinde: Game
) -> None:
    app = create_app(installation)
    app.extensions["demo"] = Demo(installation, "ackerwinde")
    assert "Cache-Control" not in app.test_client().get(RULES).headers


@pytest.mark.parametrize(
    "path", ["/rules/missing", "/rules/missing/full", "/rules/Postal", "/rules/postal/fuller"]
)
def test_rules_that_are_not_there_are_not_found(web: Any, path: str) -> None:
    assert web.get(path).status_code == 404


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_rules_in_full_have_every_ruling_and_lead_to_each(web: Any, language: str) -> None:
    answer = web.get(f"{RULES}/full?lang={language}")
    words(answer)
    found = full_rules("postal", language)
    assert found is not None
    assert found.language == language
    rulings = set(re.findall(r'<strong id="(P\d+)">', answer.text))
    assert rulings == {f"P{number}" for number in range(1, 53)}
    assert set(re.findall(r'href="#([PT]\d+)"', answer.text)) <= rulings | {
        f"T{number}" for number in range(1, 10)
    }
    for section in found.sections:
        assert f'<a href="#{section.anchor}">' in answer.text
        assert f' id="{section.anchor}">' in answer.text


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("variant", names())
def test_every_link_of_the_rules_opens_a_page(web: Any, variant: str, language: str) -> None:
    for page in ("", "/full", "/report"):
        path = f"/rules/{variant}{page}"
        answer = web.get(f"{path}?lang={language}")
        assert answer.status_code == 200 or page == "/report", path
        for address in re.findall(r'<a[^>]* href="([^"#][^"]*)"', answer.text):
            if answer.status_code == 200 and not address.startswith(("http", "mailto:")):
                assert web.get(urljoin(path, unescape(address))).status_code == 200, address


def test_a_variant_without_words_of_its_own_shows_its_deck(
    web: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = environment("en")
    plain = english.get_template("plain/how_to_play.html")
    monkeypatch.setitem(
        english.cache,  # type: ignore[arg-type]
        (ref(english.loader), "postal/how_to_play.html"),
        plain,
    )
    monkeypatch.setattr(gm.web.rules, "full_rules", lambda variant, language: None)
    page = words(web.get(f"{RULES}?lang=en"))
    assert "Postal Bohnanza What the cards of this game are worth." in page
    assert "Snap bean 18 3 for 1 taler, 6 for 2 talers, 8 for 3 talers, 9 for 4 talers" in page
    assert "The rules in full" not in page
    assert web.get(f"{RULES}/full").status_code == 404


def test_of_several_games_there_is_a_list(web: Any) -> None:
    answer = web.get("/rules?lang=de")
    assert "Bohnanza per Post" in words(answer)
    assert all(f'href="/rules/{name}?lang=de"' in answer.text for name in names())


def test_every_page_leads_to_the_rules_and_those_of_a_game_to_its_own(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str]
) -> None:
    for path in ("/", "/table", "/zine", "/verify", "/desk/sign-in", "/nothing"):
        assert '<a href="/rules?lang=en"' in web.get(f"{path}?lang=en").text, path
    for path in (
        "/p/ackerwinde",
        "/p/ackerwinde/join",
        link["Anna"],
        f"{link['Anna']}/mail",
        f"{RULES}/full",
    ):
        assert '<a href="/rules/postal?lang=en">Rules</a>' in web.get(f"{path}?lang=en").text, path
    assert 'aria-current="page">Rules</a>' in web.get(f"{RULES}?lang=en").text


def test_who_takes_a_seat_or_orders_is_offered_the_rules(
    web: Any, installation: Installation, link: dict[str, str]
) -> None:
    seat_game(installation, "beinwell")
    for path in ("/p/beinwell/join", installation.path("invitation", "beinwell")):
        assert (
            '<a href="/rules/postal?lang=en">How to play, on one page</a>'
            in web.get(f"{path}?lang=en").text
        )
    assert (
        '<p class="ask"><a href="/rules/postal?lang=en" target="_blank"'
        in web.get(f"{link['Anna']}?lang=en").text
    )
