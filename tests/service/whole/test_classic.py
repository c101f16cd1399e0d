"""The classic game through the service: by form without script, by a program, by robots, by
nobody; and what is hidden stays so.

Anna and Cem read German, Bert and Dörte English.
"""

import json
import re
from typing import Any

import pytest

from gm import clock, store
from gm.config import Config
from gm.deadline.closing import make_complete_due
from gm.deadline.reminders import remind
from gm.deadline.rollback import rollback
from gm.installation import Installation
from gm.people import seating
from gm.rendering.dates import LANGUAGES
from gm.rendering.own_words import bean_names
from gm.service import close_due, tick
from gm.store.db import Database, write
from gm.store.games import Game
from rounds.classic import variant
from tests.service.whole.one_game import (
    begun,
    close,
    command,
    game,
    mails,
    order,
    page_of,
    saved,
    send,
    table,
    text_of,
    words,
)
from tests.steps import sign_in

NAME, PLAYERS = "saubohne", {"Anna": "de", "Bert": "en", "Cem": "de", "Dörte": "en"}


@pytest.fixture
def classic(installation: Installation, db: Database) -> Game:
    """A game that has just started."""
    return begun(installation, db, NAME, "classic", PLAYERS)


# --- pages


def test_the_form_shows_the_own_cards_by_their_places(
    installation: Installation, db: Database, web: Any, classic: Game
) -> None:
    page = words(web.get(page_of(installation, "Anna") + "?lang=en"))
    assert "turn 1, planting and trading" in page
    short = {bean: names["short"] for bean, names in bean_names("en").items()}
    for place, bean in enumerate(table(db).hand("Anna"), start=1):
        assert f"{short[bean]} hand {place}" in page
    for place, bean in enumerate(table(db).open["Anna"], start=1):
        assert f"{short[bean]} open {place}" in page


def test_a_list_by_form_is_taken_and_its_deals_are_said_in_words(
    installation: Installation, db: Database, web: Any, classic: Game
) -> None:
    open_card = table(db).open["Anna"][0]
    other = next(bean for bean in table(db).deck.ids if bean != open_card)
    sent = send(web, page_of(installation, "Anna"), 1, ("text", f"auto r1={other}|0 keep"))
    assert sent.status_code == 303
    page = words(web.get(sent.headers["Location"].partition("#")[0] + "?lang=en"))
    short = {bean: names["short"] for bean, names in bean_names("en").items()}
    assert (
        f"Offer: {short[open_card]} for {short[other]}; else give {short[open_card]} for nothing"
        in page
    )
    assert "No deal stays: only those that name no single card do." in page


def test_a_list_that_only_text_can_say_is_told_in_words_with_a_script_too(
    installation: Installation, db: Database, web: Any, classic: Game
) -> None:
    order(db, "Anna", "h1>A")
    assert re.search('nojs"><h2>Ergebnis', web.get(page_of(installation, "Anna")).text)
    order(db, "Anna", "h1>A HA")
    assert re.search('panel"><h2>Ergebnis', web.get(page_of(installation, "Anna")).text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_is_said_in_words(
    installation: Installation, db: Database, web: Any, classic: Game, language: str
) -> None:
    where = f"{page_of(installation, 'Anna')}?lang={language}"
    wrong = send(web, where, 1, ("text", "h1>C h9=0 0=0 0=coffee"))
    assert wrong.status_code == 422
    expected = {
        "de": (
            "Ein Feld C hast du nicht",
            "keine Karte h9",
            "Nichts für nichts",
            "keine Kaffeebohnen",
            "noch angebaut",
        ),
        "en": (
            "You have no field C",
            "no card h9",
            "Nothing for nothing",
            "no Coffee beans",
            "must still be planted",
        ),
    }[language]
    assert [sentence for sentence in expected if sentence not in words(wrong)] == []


# --- a turn


def test_a_turn_takes_two_rounds_and_silence_in_the_second_is_no_fault(
    installation: Installation, db: Database, web: Any, classic: Game, frozen_time: Any
) -> None:
    assert "Then no orders came from you" in words(
        web.get(page_of(installation, "Anna") + "?lang=en")
    )
    for name in PLAYERS:
        order(db, name)
    close(db, frozen_time)
    assert (table(db).turn, table(db).phase) == (1, "call")
    page = words(web.get(page_of(installation, "Anna") + "?lang=en"))
    assert "Then you have passed; what happens" in page
    assert "you are absent" not in page
    views = {name: variant.view(table(db), name) for name in PLAYERS}
    for name in PLAYERS:
        own = words(web.get(page_of(installation, name) + "?lang=en")).partition("On the market")[0]
        assert ("Before you now, to be planted in the next turn:" in own) is bool(
            views[name].farm(name).received
        )
    assert any(view.farm(name).received for name, view in views.items())
    close(db, frozen_time)
    assert (table(db).turn, table(db).phase) == (2, "field")
    fields = {
        "round": "2",
        "rev": "0",
        "text": "pass",
        "action": "submit",
        "whole": "yes",
    }  # of a window that was open since the call
    late = web.post(page_of(installation, "Anna") + "?lang=en", data=fields)
    assert late.status_code == 409
    assert "No list of yours counts, so you have passed." in words(late)
    told = web.get(f"/api/v1/games/{NAME}/rounds/2").json
    assert not any(farm["absent"] for farm in told["farms"].values())
    tick(installation)
    first, second = map(text_of, mails(installation, "report", "Bert"))
    drawn = ", ".join(bean_names("en")[bean]["short"] for bean in table(db).hand("Bert")[-3:])
    assert "Turn 1, planting and trading" in first
    assert f"You drew: {drawn}" in second
    assert "You drew" not in first


def test_the_form_shows_the_standing_deals_that_a_new_list_ends(
    installation: Installation, db: Database, web: Any, classic: Game, frozen_time: Any
) -> None:
    order(db, "Anna", "auto 0=cocoa@3 keep")
    close(db, frozen_time)
    page = words(web.get(page_of(installation, "Anna") + "?lang=en"))
    assert "Your standing deals: 0=cocoa@3 keep A list that you send replaces them." in page
    assert "Your standing deals" not in words(web.get(page_of(installation, "Bert") + "?lang=en"))


def test_a_report_marks_the_own_trades_and_says_to_its_reader_alone_what_found_nobody(
    installation: Installation, db: Database, classic: Game, frozen_time: Any
) -> None:
    own, (given, wanted), gave = a_trade(db)
    order(db, "Anna", f"auto r1={wanted}@2 0=cocoa@3 keep")
    order(db, "Bert", f"auto {given}={own}@1")
    order(db, "Cem", "auto")
    order(db, "Dörte", f"auto h5={own if gave != own else wanted}@3|h5=0@3")
    close(db, frozen_time)
    tick(installation)
    reports = {name: mails(installation, "report", name)[0] for name in PLAYERS}
    found = {name: " ".join(text_of(report).split()) for name, report in reports.items()}
    german, english = (
        {bean: names["short"] for bean, names in bean_names(language).items()}
        for language in ("de", "en")
    )
    assert f"* Anna gibt Bert {german[own]} für {german[wanted]}" in found["Anna"]
    assert f"* Anna gives {english[own]} to Bert for {english[wanted]}" in found["Bert"]
    assert f"Anna gibt Bert {german[own]} für {german[wanted]}" in found["Cem"]
    assert [name for name in PLAYERS if "* = " in found[name]] == ["Anna", "Bert"]
    assert (
        f"else give {english[gave]} for nothing (only with Cem) While the game runs nobody is told"
        in found["Dörte"]
    )
    assert "Deine bleibenden Angebote: Kakao geschenkt nehmen (nur mit Cem)" in found["Anna"]
    assert [
        name for name in PLAYERS if re.search("found nobody|niemanden fanden", found[name])
    ] == ["Anna", "Dörte"]
    html = {name: text_of(report, "html") for name, report in reports.items()}
    assert [name for name in PLAYERS if re.search(r"(Anna|Bert) \((du|you)\)</b>", html[name])] == [
        "Anna",
        "Bert",
    ]
    assert all("⇄" in told for told in html.values())


def test_the_page_of_a_round_shows_trades_as_a_picture_and_marks_those_of_who_opens_it(
    installation: Installation, db: Database, web: Any, classic: Game, frozen_time: Any
) -> None:
    own, (given, wanted), _ = a_trade(db)
    order(db, "Anna", f"auto r1={wanted}@2")
    order(db, "Bert", f"auto {given}={own}@1")
    order(db, "Cem", "auto 0=blue|0=green|0=soy")
    close(db, frozen_time)
    for name, marked in ((None, False), ("Anna", True), ("Cem", False)):
        where = f"{page_of(installation, name)}/r1" if name else f"/p/{NAME}/r1"
        page = web.get(f"{where}?lang=en")
        assert page.status_code == 200
        picture = page.text.partition('<ol class="trades">')[2].partition("</ol>")[0]
        assert [picture.count(f">{sign}<") for sign in "⇄→"] == [1, 0]
        assert ('<li class="me">' in picture, "Anna (you)" in picture) == (marked, marked)
        assert ("Only for you" in page.text) == (name is not None)


def a_trade(db: Database) -> tuple[str, tuple[str, str], str]:
    """What Anna's first open card is; a card of Bert's of another variety, its label and its
    variety; Dörte's last card.
    """
    own = table(db).open["Anna"][0]
    cards = variant.view(table(db), "Bert").cards
    label = next(label for label in cards if label not in ("h1", "h2") and cards[label] != own)
    return own, (label, cards[label]), table(db).hand("Dörte")[4]


def test_on_the_own_page_of_a_round_a_seat_reads_what_it_alone_knows_and_no_successor_does(
    installation: Installation, db: Database, web: Any, classic: Game, frozen_time: Any
) -> None:
    for name in PLAYERS:
        order(db, name, "auto h5=0@3|h5=garden@3" if name == "Dörte" else "auto")
    kept = table(db).hand("Dörte")[4]
    close(db, frozen_time)
    page = page_of(installation, "Dörte") + "/r1?lang=en"
    names = {bean: known["short"] for bean, known in bean_names("en").items()}
    own = words(web.get(page)).partition("Only for you")[2]
    assert f"Your deals that found nobody: give {names[kept]} for nothing (only with Cem)" in own
    assert all(names[bean] in own for bean in table(db).hand("Dörte"))
    assert "found nobody" not in words(web.get(page_of(installation, "Anna") + "/r1?lang=en"))
    assert "Only for you" not in words(web.get(f"/p/{NAME}/r1?lang=en"))
    seating.replace_player(
        db,
        installation.link_key,
        NAME,
        "Dörte",
        player="Emil",
        address="emil@example.org",
        language="en",
        keep_orders=False,
        reason="",
        now=clock.now(),
    )
    later = web.get(installation.path("seat", NAME, "Dörte", 2) + "/r1?lang=en")
    assert "you play Dörte" in words(later)
    assert "Only for you" not in words(later)


def test_what_became_of_a_list_is_not_told_to_whoever_has_the_link_now(
    installation: Installation, db: Database, web: Any, classic: Game, frozen_time: Any
) -> None:
    """By page or mail; the list was sent before the game master changed the address."""
    for name in PLAYERS:
        order(db, name, "auto h5=0@3|h5=garden@3" if name == "Dörte" else "auto")
    seating.change_address(
        db, installation.link_key, NAME, "Dörte", "other@example.org", clock.now()
    )
    close(db, frozen_time)
    tick(installation)
    page = words(web.get(installation.path("seat", NAME, "Dörte", 2) + "/r1?lang=en"))
    (mail,) = [one for one in mails(installation, "report") if one["To"] == "other@example.org"]
    for text in (page.partition("Only for you")[2], text_of(mail)):
        assert "Your hand" in text
        assert "found nobody" not in text


def test_who_does_not_trade_once_more_is_neither_absent_nor_silent(
    installation: Installation, db: Database, classic: Game, frozen_time: Any
) -> None:
    """Not one of the four sends anything in round 2 (K11), nor in round 3, as in round 1."""
    with write(db):
        db.execute("UPDATE mail SET sent_at = 1")
    close(db, frozen_time)
    with write(db):
        db.execute("UPDATE game SET silence_guard = 1")
    for number, nmrs in ((2, 1), (3, 2)):
        assert game(db).round == number
        tick(installation)
        close(db, frozen_time)
        assert game(db).status == "running"
        assert store.rounds.awaited_of_players(db, NAME)[1] == (nmrs, nmrs)
    closed = [store.rounds.get(db, NAME, number) for number in (1, 2, 3)]
    assert [one and sum(one.kept_waiting.values()) for one in closed] == [4, 0, 4]


def test_a_round_that_waits_for_nobody_closes_early_as_any_other(
    installation: Installation, db: Database, web: Any, classic: Game, frozen_time: Any
) -> None:
    """All have standing deals in the second call (K13). Who changes them may, as long as the
    game gives time.
    """
    with write(db):
        db.execute("UPDATE game SET early_after = 3600")
    for name in PLAYERS:
        order(db, name, "auto 0=blue keep")
    close(db, frozen_time)
    assert (table(db).phase, variant.awaited(table(db))) == ("call", ())
    assert "orders in" not in words(web.get(f"/p/{NAME}?lang=en"))
    assert "waits for nobody" in words(sign_in(installation, db).get("/desk?lang=en"))
    frozen_time.move_to(clock.now() + 3599)
    assert tick(installation).closed == ()
    frozen_time.move_to(clock.now() + 1)
    (closed,) = tick(installation).closed
    assert (closed.round, closed.seats, closed.absent) == (2, 0, 0)
    assert (table(db).turn, table(db).phase) == (2, "field")


def test_a_round_closes_early_when_all_that_are_waited_for_have_sent(
    installation: Installation, db: Database, classic: Game, frozen_time: Any
) -> None:
    with write(db):
        db.execute("UPDATE game SET early_after = 0")
    for name in list(PLAYERS)[:3]:
        order(db, name, "auto 0=blue keep")
    assert not make_complete_due(db, clock.now())
    order(db, "Dörte", "auto")
    frozen_time.move_to(clock.now() + 60)
    assert make_complete_due(db, clock.now())
    assert close_due(db, Config(), clock.now())
    assert (table(db).phase, variant.awaited(table(db))) == ("call", ("Dörte",))
    remind_at = game(db).deadline
    assert remind_at is not None
    frozen_time.move_to(remind_at - 3600)
    remind(db, remind_at - 3600)
    assert db.execute("SELECT DISTINCT seat FROM mail WHERE kind = 'reminder'").fetchall() == [(4,)]


def test_a_round_that_is_taken_back_is_played_again_with_the_same_cards(
    installation: Installation, db: Database, classic: Game, frozen_time: Any
) -> None:
    before = table(db)
    for name in PLAYERS:
        order(db, name)
    close(db, frozen_time)
    closed = table(db)
    rollback(db, NAME, 1, "A letter came late.", clock.now())
    assert table(db) == before
    for name in PLAYERS:
        order(db, name)
    close(db, frozen_time)
    assert table(db) == closed


# --- a whole game, its record and its proof


def test_a_game_runs_to_the_end_and_is_proven(
    installation: Installation, db: Database, web: Any, classic: Game, frozen_time: Any
) -> None:
    count = 0
    while game(db).status == "running":
        for name in PLAYERS:
            count += 1
            if count % 7:
                order(db, name)
        close(db, frozen_time)
    record = saved(installation, web)
    (kept,) = db.execute("SELECT commitment FROM game").fetchone()
    rounds = game(db).round - 1
    last = web.get(f"/api/v1/games/{NAME}/rounds/{rounds}").json["chain"]
    assert "PROVEN" in command(
        installation, "verify", str(record), "--commitment", kept, "--chain", f"{rounds}={last}"
    )
    told = json.loads(command(installation, "replay", str(record), "--json"))
    for line in told["rounds"]:
        assert set(line) == {
            "orders",
            "turn",
            "phase",
            "active",
            "open",
            "discard",
            "draw_pile",
            "run_outs",
            "farms",
            "trades",
            "hands",
            "drawn",
            "deals",
            "reshuffled",
        }
        assert set(line["orders"]) == set(line["deals"]) == set(PLAYERS)
    assert sum(len(line["trades"]) for line in told["rounds"]) > 10
    assert told["rounds"][-1]["phase"] == "last"
    for number in (1, rounds):
        for end in ("", ".txt"):
            for language in LANGUAGES:
                assert web.get(f"/p/{NAME}/r{number}{end}?lang={language}").status_code == 200
    assert "%(" not in words(web.get(f"/p/{NAME}?lang=de"))
    over = words(web.get(f"/p/{NAME}?lang=en"))
    assert re.search("wins? (together )?with [a-z0-9]+ taler", over)
    assert not re.search("may buy a third field|more for [0-9]+ taler", over)


@pytest.mark.long
@pytest.mark.parametrize(("turns", "calls", "players"), [("together", "1", 6), ("single", "2", 3)])
def test_robots_play_under_every_house_rule(
    installation: Installation, db: Database, frozen_time: Any, turns: str, calls: str, players: int
) -> None:
    rules = ("--rule", f"turns={turns}", "--rule", f"calls={calls}", "--rule", "tie=far")
    command(
        installation,
        "game",
        "new",
        NAME,
        "--variant",
        "classic",
        "--gm",
        "Uli",
        "--gm-address",
        "uli@example.org",
        *rules,
    )
    command(installation, "game", "open", NAME)
    command(installation, "game", "seat", NAME, "--name", "Anna", "--address", "anna@example.org")
    for number in range(1, players):
        command(installation, "game", "seat", NAME, "--name", f"Robot {number}", "--robot")
    command(installation, "game", "start", NAME)
    while game(db).status == "running":
        order(db, "Anna")
        tick(installation)
        close(db, frozen_time)
    closed = [store.rounds.get(db, NAME, number) for number in range(1, game(db).round)]
    assert all(one is not None and None not in one.lists.values() for one in closed)


# --- nobody learns of what is hidden from him


@pytest.mark.parametrize(
    ("turns", "to_anna", "to_bert"),
    [
        (
            "together",
            "Spielzug 1, zweiter Handel, bis So. 29.11., 20:00: Bert gab dir {}",
            "Turn 1, second call, until Sun 29 Nov, 20:00: You gave Anna {}",
        ),
        (
            "single",
            "Spielzug 1, zweiter Handel, bis So. 29.11., 20:00: Bert gab dir {}",
            "Turn 1, second call (Anna), until Sun 29 Nov, 20:00: You gave Anna {}",
        ),
    ],
)
def test_a_subject_says_what_happened_to_its_reader_and_whose_turn_it_is(
    installation: Installation,
    db: Database,
    frozen_time: Any,
    turns: str,
    to_anna: str,
    to_bert: str,
) -> None:
    begun(installation, db, NAME, "classic", PLAYERS, turns=turns)
    label, bean = next(iter(variant.view(table(db), "Bert").cards.items()))
    planting = "auto" if "Bert" in table(db).active else ""
    order(db, "Bert", f"{planting} {label}=0")
    order(db, "Anna", f"auto 0={bean}")
    close(db, frozen_time)
    tick(installation)
    for name, language, said in (("Anna", "de", to_anna), ("Bert", "en", to_bert)):
        (report,) = mails(installation, "report", name)
        assert report["Subject"] == said.format(bean_names(language)[bean]["short"])
        whose = {"single": {"de": "", "en": "YOUR ORDERS (turn 1, second call, active: Anna)"}}
        assert whose.get(turns, {}).get(language, "") in text_of(report)


@pytest.mark.parametrize("turns", ["single", "together"])
def test_no_subject_is_longer_than_72_letters_whatever_players_are_called(
    installation: Installation, db: Database, frozen_time: Any, turns: str
) -> None:
    names = ["Bartholomaeus-von-und-zu-Hohenlinden", "Doerte-Annemarie-Schulze", "Cem"]
    begun(installation, db, NAME, "classic", dict.fromkeys(names, "en"), turns=turns)
    for sent in (names, names[2:], []):
        for name in sent:
            order(db, name)
        close(db, frozen_time)
        tick(installation)
    subjects = [mail["Subject"] for mail in mails(installation, "report")]
    assert len(subjects) == 9
    assert max(map(len, subjects)) <= 72
