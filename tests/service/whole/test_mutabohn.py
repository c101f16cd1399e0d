"""Mutabohn through the service: by form, by robots, by nobody; its mails prove it, and bonus
cards stay hidden.

Anna and Cem read German, Bert and Dörte English.
"""

import json
import re
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

import pytest

from gm import clock
from gm.games import create
from gm.installation import Installation
from gm.rendering.dates import LANGUAGES
from gm.service import tick
from gm.store.db import Database
from gm.store.games import Game
from rounds.mutabohn import variant
from tests.dates import EVERY_SUNDAY
from tests.postbox import Postbox
from tests.service.whole.one_game import (
    begun,
    close,
    command,
    game,
    mails,
    order,
    page_of,
    play_to_the_end,
    saved,
    send,
    table,
    text_of,
    verified,
    words,
)
from tests.steps import with_server

NAME, PLAYERS = "kettenbeet", {"Anna": "de", "Bert": "en", "Cem": "de", "Dörte": "en"}


@pytest.fixture
def mutabohn(installation: Installation, db: Database) -> Game:
    """A game that has just started."""
    return begun(installation, db, NAME, "mutabohn", PLAYERS)


def test_a_game_runs_to_the_end_and_the_mails_that_arrived_prove_it(
    installation: Installation,
    db: Database,
    web: Any,
    mutabohn: Game,
    frozen_time: Any,
    postbox: tuple[Postbox, int],
    tmp_path: Path,
) -> None:
    box, port = postbox
    mailing = with_server(installation, port)
    play_to_the_end(mailing, db, frozen_time, PLAYERS)
    record = saved(mailing, web)
    own = [data for to, data in box.mails if to == "bert@example.org"]
    assert len(own) > 25
    assert "PROVEN" in verified(installation, record, own, tmp_path)
    told = json.loads(command(installation, "replay", str(record), "--json"))
    assert set(told["result"]) == {"score", "talers", "bonus", "fines", "hands", "ranks"}
    assert sum(len(line["cashed"]) for line in told["rounds"]) > 5
    assert {"bonus_pile", "cashed", "fined", "fed", "bonus_hands"} <= set(told["rounds"][0])
    winner = min(told["result"]["ranks"], key=told["result"]["ranks"].__getitem__)
    points = f"{told['result']['score'][winner] / 100:.2f}"
    for page in (f"/p/{NAME}", "/table"):
        assert f"{points} talers" in words(web.get(f"{page}?lang=en"))
        assert f"{points.replace('.', ',')} Taler" in words(web.get(f"{page}?lang=de"))
    last = text_of(BytesParser(EmailMessage, policy=policy.default).parsebytes(own[-1]))
    assert f"{points} talers" in last
    as_text = web.get(f"/p/{NAME}/r{game(db).round - 1}.txt?lang=en").get_data(as_text=True)
    for codes in told["rounds"][-1]["bonus_hands"].values():
        left = f"left over: {', '.join(filter(None, codes))}"
        for text in (words(web.get(f"/p/{NAME}?lang=en")), as_text, last):
            assert left in " ".join(text.split())
    has = f"{told['result']['score']['Bert'] / 100:.2f}"
    assert f"You have {has} talers (rank" in last
    for number in (1, game(db).round - 1):
        for end in ("", ".txt"):
            for language in LANGUAGES:
                assert web.get(f"/p/{NAME}/r{number}{end}?lang={language}").status_code == 200


def test_a_report_tells_mutations_and_only_its_reader_the_bonus_cards(
    installation: Installation, db: Database, web: Any, mutabohn: Game, frozen_time: Any
) -> None:
    for _ in range(4):
        for name in PLAYERS:
            order(db, name)
        close(db, frozen_time)
    tick(installation)
    assert table(db).phase == "field"  # so the last round was a call
    anna = [text_of(mail) for mail in mails(installation, "report", "Anna")]
    bert = [text_of(mail) for mail in mails(installation, "report", "Bert")]
    reports = {"Anna": anna[-1], "Bert": bert[-1]}
    assert any("mutiert: jetzt" in text for text in anna)
    assert any("mutates: now" in text for text in bert)
    assert "Nobody planted or harvested." in reports["Bert"]
    for name, heading in (("Anna", "Deine Bonuskarten"), ("Bert", "Your bonus cards")):
        own = reports[name].partition(heading)[2]
        for place, code in enumerate(table(db).codes(name), start=1):
            assert f"b{place} {code}" in own
        page = words(web.get(f"{page_of(installation, name)}/r4?lang=en")).partition(
            "Only for you"
        )[2]
        assert all(f" {code} " in page for code in table(db).codes(name))
        unseen = page.partition("nobody is told which. ")[2]
        for code, number in variant.view(table(db), name).bonus_unseen.items():
            assert re.search(rf"\b{code}{f' ×{number}' if number > 1 else '(?! ×)'}", unseen)
    assert "Hausfassung" in reports["Anna"]
    assert "House version" in reports["Bert"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_is_said_in_words(
    installation: Installation, db: Database, web: Any, mutabohn: Game, language: str
) -> None:
    where = f"{page_of(installation, 'Anna')}?lang={language}"
    wrong = send(web, where, 1, ("text", "h1>C h4 swap b3 feed AA buy swap b1"))
    assert wrong.status_code == 422
    expected = {
        "de": (
            "die Felder sind A und B",
            "höchstens drei Handkarten",
            "Bonuskarte b3 hast du nicht",
            "zweimal genannt",
            "keine Felder zu kaufen",
            "kostet einen Taler",
            "noch angebaut",
        ),
        "en": (
            "the fields are A and B",
            "At most three cards",
            "no bonus card b3",
            "named twice",
            "No field is for sale",
            "costs one taler",
            "must still be planted",
        ),
    }[language]
    assert [sentence for sentence in expected if sentence not in words(wrong)] == []


def test_the_page_of_a_larger_game_knows_all_its_varieties(
    installation: Installation, db: Database, web: Any
) -> None:
    """Words of pages are kept, and the page of a smaller game came first."""
    begun(installation, db, NAME, "mutabohn", dict.fromkeys(("Anna", "Bert", "Cem"), "en"))
    assert '"mocha"' not in web.get(page_of(installation, "Anna")).text
    cast = ("Anna", "Bert", "Cem", "Dora", "Emil", "Fritz", "Gerd")
    create.new_game(
        db,
        game="riesenbeet",
        name="Riesenbeet",
        variant="mutabohn",
        house_rules={},
        gm=("Uli", "uli@example.org"),
        rule=EVERY_SUNDAY,
        now=clock.now(),
    )
    create.open_game(db, "riesenbeet")
    for name in cast:
        address = f"{name.lower()}@example.org"
        create.add_seat(
            db,
            installation.link_key,
            game="riesenbeet",
            name=name,
            address=address,
            language="en",
        )
    create.start_game(db, "riesenbeet", clock.now())
    page = web.get(installation.path("seat", "riesenbeet", "Anna", 1)).text
    words_of_page = page.partition('id="game-words"')[2].partition("</script>")[0]
    assert '"mocha": "Mocha"' in words_of_page
    assert "/static/mutabohn/beans.svg#mocha" in words_of_page


def test_a_word_alone_is_answered_with_the_order(
    installation: Installation, db: Database, web: Any, mutabohn: Game
) -> None:
    page = page_of(installation, "Anna")
    for word, order_text in (("feed", "feed A"), ("tausche", "swap b1")):
        wrong = send(web, page + "?lang=en", 1, ("text", f"auto {word}"))
        assert f"Perhaps you mean: {order_text}" in words(wrong)


def test_house_rules_are_asked_and_told(installation: Installation, web: Any, db: Database) -> None:
    rules = ("--rule", "turns=single", "--rule", "most_turns=3")
    gm = ("--gm", "Uli", "--gm-address", "uli@example.org")
    command(installation, "game", "new", NAME, "--variant", "mutabohn", *gm, *rules)
    command(installation, "game", "open", NAME)
    page = words(web.get(f"/p/{NAME}?lang=en"))
    assert "one seat after the other; at most 3 turns each" in page
    assert re.search("House version: bonus cards and two beanometers are ours", page)
