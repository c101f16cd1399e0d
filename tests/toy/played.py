"""What must hold where minibohn is installed as a package: `tests/test_adding_a_variant.py` runs
this there.

Anna begins and reads German, Bert reads English; both are people. Their hands are known to
nobody else.
"""

import json
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlencode

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from gm import clock, seeds, store
from gm.games import lead
from gm.installation import Installation
from gm.paths import TEMPLATES, of_game
from gm.rendering.dates import LANGUAGES
from gm.rendering.own_words import bean_names
from gm.rendering.sentences import environment, sentence
from gm.service import tick
from gm.store.db import Database
from gm.store.games import Game
from rounds.engine.notation import Problem, TextSpan
from rounds.engine.variant import find, names
from tests.service.whole.one_game import (
    begun,
    close,
    game,
    mails,
    order,
    page_of,
    seat,
    send,
    table,
    text_of,
    words,
)
from tests.steps import bohnenpost, sign_in

NAME = "minibohn"
PLAYERS = {"Anna": "de", "Bert": "en"}


@pytest.fixture
def erbsen(installation: Installation, db: Database) -> Game:
    """A game that has just started."""
    return begun(installation, db, "erbsen", NAME, PLAYERS)


def order_by_turn(db: Database) -> None:
    """A robot's list of the seat whose turn it is."""
    (name,) = find(NAME).awaited(table(db))
    order(db, name)


def test_nothing_is_said_in_words_of_another_game(
    installation: Installation, erbsen: Game, db: Database, web: Any
) -> None:
    tick(installation)
    subjects = {str(mail["To"]): str(mail["Subject"]) for mail in mails(installation, "start")}
    assert "die Partie beginnt" in subjects["anna@example.org"]
    assert "the game begins" in subjects["bert@example.org"]
    lead.abort(db, "erbsen", "Rain.", clock.now())
    assert "The standing counts as it is. Reason: Rain." in words(web.get("/p/erbsen?lang=en"))


def test_the_rules_of_every_game_are_listed_and_one_without_a_page_of_its_own_shows_its_deck(
    web: Any,
) -> None:
    page = web.get("/rules?lang=en").text
    titles = re.findall(r'href="/rules/([a-z]+)\?lang=en">Rules<span class="sr"> \((.*?)\)', page)
    assert sorted(name for name, _ in titles) == list(names())
    assert titles[0] == ("postal", "Postal Bohnanza")
    assert (NAME, "Minibohn") in titles
    page = web.get(f"/rules/{NAME}?lang=en").text
    for variety in seeds.deck(NAME).varieties:
        assert bean_names("en")[variety.id]["one"] in page
    assert "2 for 1 taler, 4 for 2 talers, 6 for 3 talers, 7 for 4 talers" in page
    assert web.get(f"/rules/{NAME}/full").status_code == 404
    assert web.get("/rules/postal/full").status_code == 200


def test_what_is_refused_is_said_in_the_own_words_of_the_game_at_its_control(
    installation: Installation, db: Database, web: Any, erbsen: Game
) -> None:
    answer = send(
        web,
        page_of(installation, "Anna"),
        1,
        ("plant_1", "yes"),
        ("plant_2", "yes"),
        ("plant_3", "yes"),
    )
    assert answer.status_code == 422
    assert '<a href="#plant_3">' in answer.text
    assert "In einem Zug werden höchstens 2 Karten der Hand gepflanzt." in words(answer)
    empty = send(web, page_of(installation, "Anna"), 1)
    assert '<a href="#pass">' in empty.text
    for strange in ("plant_4", "choice", "text", "to_1_1"):
        assert send(web, page_of(installation, "Anna"), 1, (strange, "yes")).status_code == 400


# --- the game master


def test_it_has_a_card_and_a_sample_report(web: Any) -> None:
    for path in ("/", "/rules"):
        page = web.get(f"{path}?lang=en").text
        assert f'<a class="btn" href="/rules/{NAME}?lang=en">Rules' in page
        assert f'href="/rules/{NAME}/report?lang=en">See a report' in page
    report = web.get(f"/rules/{NAME}/report?lang=en")
    assert (report.status_code, "A sample report" in report.text) == (200, True)
    assert f"/rules/{NAME}/report?lang=en" in web.get("/sitemap.xml").text


def test_a_new_game_is_made_at_the_desk_with_the_own_rules(uli: Any, db: Database) -> None:
    page = uli.get(f"/desk/new?variant={NAME}").text
    assert f'value="{NAME}"' in page
    assert 'name="rule_hand"' in page


def test_how_strong_a_robot_plays_is_chosen_with_its_seat(
    installation: Installation, db: Database, web: Any
) -> None:
    made = ("--gm", "Uli", "--gm-address", "uli@example.org")
    bohnenpost("game", "new", "erbsen", "--variant", NAME, *made, home=installation.home)
    bohnenpost("game", "open", "erbsen", home=installation.home)
    seat_of = ("game", "seat", "erbsen", "--name", "Anna", "--robot")
    assert (
        "there are sleepy, strong"
        in bohnenpost(*seat_of, "--strength", "weak", status=2, home=installation.home).output
    )
    person = ("game", "seat", "erbsen", "--name", "Bert", "--address", "bert@example.org")
    assert (
        "add --robot"
        in bohnenpost(*person, "--strength", "sleepy", status=2, home=installation.home).output
    )
    uli = sign_in(installation, db)
    page = uli.get("/desk/game/erbsen?lang=de").text
    assert re.findall(r'<option value="(\w+)"( selected)?>\s*(\w+)', page)[-2:] == [
        ("sleepy", "", "Sleepy"),
        ("strong", " selected", "Stark"),
    ]
    for name, strength, address, status in (
        ("Anna", "weak", "", 422),
        ("Anna", "sleepy", "", 303),
        # no robot: what is chosen for one does not matter
        ("Bert", "sleepy", "bert@example.org", 303),
    ):
        robot = () if address else (("robot", "yes"),)
        fields = (
            ("name", name),
            ("address", address),
            ("language", "en"),
            ("strength", strength),
            *robot,
            ("whole", "yes"),
        )
        given = uli.post(
            "/desk/game/erbsen/seat",
            data=urlencode(fields),
            content_type="application/x-www-form-urlencoded",
        )
        assert given.status_code == status
    assert [(seat(db, name).robot, seat(db, name).strength) for name in PLAYERS] == [
        (1, "sleepy"),
        (0, ""),
    ]
    bohnenpost("game", "start", "erbsen", home=installation.home)
    bohnenpost("run", home=installation.home)
    closed = store.rounds.get(db, "erbsen", 1)
    assert closed is not None
    assert closed.lists == {"Anna": "pass"}
    assert "Anna (robot, sleepy)" in words(web.get("/p/erbsen?lang=en"))
    assert "robot, sleepy" in words(uli.get("/desk/game/erbsen?lang=en"))
    assert (
        "a robot plays, sleepy"
        in bohnenpost("game", "show", "erbsen", home=installation.home).output
    )


# --- mails and pages of a whole game


def played_to_the_end(
    installation: Installation, db: Database, frozen_time: Any, silent: Sequence[int] = (3, 8)
) -> None:
    while game(db).status == "running":
        if game(db).round not in silent:
            order_by_turn(db)
        close(db, frozen_time)
        tick(installation)


def test_reports_go_to_who_must_know_and_each_holds_the_own_hand_alone(
    installation: Installation, db: Database, erbsen: Game, frozen_time: Any
) -> None:
    tick(installation)
    start = {mail["To"].addresses[0].username: mail for mail in mails(installation, "start")}
    assert set(start) == {"anna", "bert"}
    own = {"anna": ("Deine Hand", "Anna", "de"), "bert": ("Your hand", "Bert", "en")}
    for who, (heading, name, language) in own.items():
        shown = ", ".join(
            f"{n}\u00a0{bean_names(language)[card]['short']}"
            for n, card in enumerate(table(db).hand(name), 1)
        )
        assert f"{heading}: {shown}".replace("\u00a0", " ") in text_of(start[who]).replace(
            "\u00a0", " "
        )
        assert heading in text_of(start[who], "html")
    for number, readers in (
        (1, ["anna"]),
        (2, ["anna", "bert"]),
        (3, ["bert"]),
        (4, ["anna", "bert"]),
    ):
        order_by_turn(db)
        close(db, frozen_time)
        tick(installation)
        reports = [
            mail for mail in mails(installation, "report") if f".{number}." in mail["Message-ID"]
        ]
        assert sorted(mail["To"].addresses[0].username for mail in reports) == readers
    last = {mail["To"].addresses[0].username: text_of(mail) for mail in reports}
    assert "Zug 2, nach dem Aufdecken" in last["anna"]
    assert "Turn 2, after the reveal" in last["bert"]
    assert "is revealed" not in last["bert"]  # he was told when it was
    assert "wird aufgedeckt" in last["anna"]  # of the round before, of which no mail came


def test_a_whole_game_is_told_on_every_page_and_proven_by_its_record(
    installation: Installation,
    db: Database,
    web: Any,
    erbsen: Game,
    frozen_time: Any,
    tmp_path: Path,
) -> None:
    played_to_the_end(installation, db, frozen_time)
    rounds = game(db).round - 1
    pages = [
        "/",
        "/p/erbsen",
        "/p/erbsen/record.json",
        "/api/v1/games/erbsen",
        "/table",
        "/zine",
        "/zine.txt",
    ]
    pages += [f"/p/erbsen/r{n}{end}" for n in range(1, rounds + 1) for end in ("", ".txt")]
    for page in pages:
        for language in LANGUAGES:
            assert (page, web.get(f"{page}?lang={language}").status_code) == (page, 200)
    assert "turn 3, before the reveal" in words(web.get("/p/erbsen/r5?lang=en")).lower()
    record = tmp_path / "erbsen.json"
    record.write_text(
        bohnenpost("export", "erbsen", home=installation.home).output, encoding="utf-8"
    )
    told = json.loads(bohnenpost("replay", str(record), "--json", home=installation.home).output)
    assert len(told["rounds"]) == rounds
    assert told["rounds"][0]["hands"] == {
        n: list(store.rounds.table_after(db, game(db), 0).hand(n)) for n in PLAYERS
    }
    assert sum(len(round_["reshuffled"]) > 0 for round_ in told["rounds"]) == 1
    chain = store.rounds.get(db, "erbsen", rounds)
    assert chain is not None
    kept = ("--commitment", game(db).commitment or "", "--chain", f"{rounds}={chain.chain}")
    assert "PROVEN" in bohnenpost("verify", str(record), *kept, home=installation.home).output
    for mail in mails(installation, "final"):
        assert "fallback" not in mail["Message-ID"]
        for talers in told["result"]["talers"].values():
            assert str(talers) in text_of(mail)
    page = words(web.get("/p/erbsen?lang=en"))
    last = {str(mail["To"].addresses[0].username): mail for mail in mails(installation, "final")}
    for name in PLAYERS:
        own = [one for one in told["rounds"] if one["seat"] == name]
        revealed = sum(one["phase"] == 1 and one["revealed"] is not None for one in own)
        taken = sum(one["played"] == "take" for one in own)
        assert f"{name}: {taken} of {revealed} revealed cards taken" in page
        assert f"{name}: {taken} of {revealed} revealed cards taken" in text_of(last["bert"])
        for kind in ("plain", "html"):
            assert f"{name}: {taken} von {revealed} aufgedeckten Karten genommen" in text_of(
                last["anna"], kind
            )
    kinds = db.execute("SELECT DISTINCT kind FROM mail WHERE sent_at IS NULL").fetchall()
    assert kinds == [("receipt",)]  # reports told the same


def test_no_mail_and_no_page_fell_back_to_plain_words(
    installation: Installation,
    db: Database,
    web: Any,
    erbsen: Game,
    frozen_time: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    played_to_the_end(installation, db, frozen_time)
    assert [
        record.getMessage()
        for record in caplog.records
        if record.levelname in ("ERROR", "CRITICAL")
    ] == []
    german = [
        text_of(mail)
        for mail in mails(installation, "")
        if mail["To"].addresses[0].username == "anna"
    ]
    english = {
        "turn",
        "Your hand",
        "revealed",
        "discard pile",
        "Your fields",
        "is dealt",
        "are dealt",
    }
    assert german
    assert [word for text in german for word in english if word in text] == []


# --- words


def in_templates(folder: Path) -> set[str]:
    options = {
        "**": {
            "silent": "false",
            "trim_blocks": "true",
            "lstrip_blocks": "true",
            "newstyle_gettext": "true",
        }
    }
    found = extract_from_dir(str(folder), [("**.html", "jinja2"), ("**.txt", "jinja2")], options)
    return {message if isinstance(message, str) else message[0] for _, _, message, _, _ in found}


def catalogue(file: Path) -> dict[str, Any]:
    with file.open("rb") as data:
        found = read_po(data, locale="de")
    return {
        message.id if isinstance(message.id, str) else message.id[0]: message
        for message in found
        if message.id
    }


def test_the_own_catalogue_has_every_sentence_that_the_common_one_lacks_and_no_other() -> None:
    own, common = catalogue(of_game("templates", NAME) / "de.po"), catalogue(TEMPLATES / "de.po")
    assert set(own) == in_templates(of_game("templates", NAME)) - set(common)
    for message in own.values():
        strings = (
            [message.string] if isinstance(message.string, str) else list(message.string or ())
        )
        assert all(strings), message.id
        assert not message.fuzzy


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_problem_and_moment_has_its_words(language: str) -> None:
    variant = find(NAME)
    kinds = {kind.__struct_config__.tag: kind for kind in get_args(variant.events)}
    values = {"str": "pea", "int": 2}
    told = {
        tag: sentence(
            language, kind(*(values[types.__name__] for types in kind.__annotations__.values()))
        )
        for tag, kind in kinds.items()
    }
    assert len(set(told.values())) == len(kinds) == 7
    own = import_module(f"{NAME}.notation").Problem
    place = TextSpan(1, 1, 1, "x")
    problems = [
        own(code=code, card=card, limit=limit, variety="pea")
        for code in OWN_CODES
        for card in (None, 1)
        for limit in (1, 3)
    ]
    problems += [
        Problem(code=code, limit=2, cards=3, hint="1", place=place) for code in COMMON_CODES
    ]
    for problem in problems:
        text = sentence(language, problem)
        assert "%(" not in text
        assert len(text) > 10
    stands = environment(language).filters["stands"]
    assert "1" in stands(variant.moment(_first_table()), NAME, 1)


OWN_CODES = ("PHASE", "CARD", "TWICE", "MANY", "NO_FIELD")
COMMON_CODES = ("WORD", "EMPTY", "NUMBER", "CHARACTER", "PASS", "LIMIT", "NOT_AWAITED")


def _first_table() -> Any:
    variant = find(NAME)
    deck = seeds.deck(NAME)
    return variant.set_up(deck, variant.house_rules(), tuple(PLAYERS), lambda _, size: range(size))[
        0
    ]
