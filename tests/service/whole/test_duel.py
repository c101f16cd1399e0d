"""A bean duel through the service: by form without script, by a program, by nobody; and what is
hidden stays so at every door.

Anna reads German, Bert English. `start` is 1, so Anna begins.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from gm import clock, restore, store
from gm.deadline.reminders import remind
from gm.deadline.rollback import rollback
from gm.games import lead
from gm.installation import Installation
from gm.proof.hindsight import remembered
from gm.rendering.dates import LANGUAGES
from gm.rendering.own_words import bean_names
from gm.rendering.sentences import counted
from gm.service import tick
from gm.store.db import Database, write
from gm.store.file import backup
from gm.store.games import Game
from gm.store.seats import Seat
from tests.postbox import Postbox
from tests.service.whole import one_game
from tests.service.whole.one_game import (
    begun,
    close,
    command,
    game,
    mails,
    page_of,
    saved,
    send,
    table,
    text_of,
    words,
)
from tests.steps import with_server

NAME, PLAYERS = "feuerbohne", {"Anna": "de", "Bert": "en"}


@pytest.fixture
def duel(installation: Installation, db: Database) -> Game:
    """A game that has just started."""
    return begun(installation, db, NAME, "duel", PLAYERS)


def order(db: Database, text: str | None = None) -> None:
    """A list of the seat whose turn it is, a robot's if no other is given."""
    one_game.order(db, table(db).active, text)


# --- pages


def test_who_is_awaited_gets_the_form_with_the_own_hand_and_the_other_none(
    installation: Installation, db: Database, web: Any, duel: Game
) -> None:
    page = web.get(page_of(installation, "Anna") + "?lang=en")
    assert "turn 1 of 27, before the reveal" in words(page)
    for place, bean in enumerate(table(db).hand("Anna"), start=1):
        assert f"{place} {bean_names('en')[bean]['short']}" in words(page)
    assert 'name="hand_1"' in page.text
    waiting = web.get(page_of(installation, "Bert"))
    assert "Waiting for Anna" in words(waiting)
    assert 'name="hand_1"' not in waiting.text
    for place, bean in enumerate(table(db).hand("Bert"), start=1):
        assert f"{place} {bean_names('en')[bean]['short']}" in words(waiting)


def test_nobody_is_to_move_in_a_game_that_was_ended_early(
    installation: Installation, db: Database, web: Any, duel: Game
) -> None:
    order(db)
    paths = [f"/p/{NAME}", page_of(installation, "Anna"), page_of(installation, "Bert")]
    assert "to move" in words(web.get(f"{paths[0]}?lang=en"))
    lead.abort(db, NAME, "Nobody has time.", clock.now())
    for path in paths:
        assert "to move" not in words(web.get(f"{path}?lang=en")), path


def test_a_turn_by_form_takes_two_lists_in_one_sitting(
    installation: Installation, db: Database, web: Any, duel: Game
) -> None:
    where = page_of(installation, "Anna")
    asked = send(web, where, 1, ("hand_1", "B"))
    assert asked.status_code == 422  # it asks once: the list cannot be changed any more
    assert db.execute("SELECT count(*) FROM revision").fetchone() == (0,)
    sent = send(web, where, 1, ("hand_1", "B"), ("final", "yes"))
    assert sent.status_code == 303
    page = web.get(sent.headers["Location"])
    row = table(db).row
    assert all(f'name="row_{stack.variety}"' in page.text for stack in row)
    assert send(web, where, 2, (f"row_{row[0].variety}", "A"), ("final", "yes")).status_code == 303
    assert (table(db).active, table(db).turn) == ("Bert", 2)
    assert table(db).farms["Anna"].fields[0] == row[0]
    assert table(db).offer == row[1:]
    offered = web.get(page_of(installation, "Bert")).text
    assert all(f'name="offer_{stack.variety}"' in offered for stack in row[1:])


def test_a_plan_by_form_is_the_whole_turn_and_silence_by_nobody_too(
    installation: Installation, db: Database, web: Any, duel: Game, frozen_time: Any
) -> None:
    front = table(db).hand("Anna")[0]
    assert (
        send(
            web,
            page_of(installation, "Anna"),
            1,
            ("hand_1", "A"),
            ("match", "yes"),
            ("final", "yes"),
        ).status_code
        == 303
    )
    assert table(db).farms["Anna"].growing(front) == "A"
    assert (game(db).round, table(db).active) == (2, "Bert")
    close(db, frozen_time)
    assert (game(db).round, table(db).turn, table(db).active) == (3, 3, "Anna")
    told = web.get(f"/api/v1/games/{NAME}/rounds/2").json
    assert told["farms"]["Bert"]["absent"]
    assert " then " in told["farms"]["Bert"]["orders"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_stands_at_its_control(
    installation: Installation, db: Database, web: Any, duel: Game, language: str
) -> None:
    where = f"{page_of(installation, 'Anna')}?lang={language}"
    wrong = send(web, where, 1, ("hand_1", "C"), ("hand_2", "A"))
    assert wrong.status_code == 422
    assert '<a href="#hand_1">' in wrong.text
    assert {"de": "Ein Feld C hast du nicht", "en": "You have no field C"}[language] in words(wrong)
    empty = words(send(web, where, 1))
    assert {"de": "muss angebaut werden", "en": "must be planted"}[language] in empty
    written = send(web, where, 1, ("text", "1 then"))
    assert '<a href="#text">' in written.text
    for strange in (
        ("hand_1", "D"),
        ("hand_3", "A"),
        ("offer_wax", "A"),
        ("drop", "6"),
        ("row_wax", "A"),
        ("first", "PA"),
    ):
        assert send(web, where, 1, strange).status_code == 400


def test_giving_up_ends_the_game_and_says_so(
    installation: Installation, db: Database, web: Any, duel: Game
) -> None:
    where = page_of(installation, "Anna") + "/give-up"
    assert "Bert wins, and the game ends at once" in words(web.get(f"{where}?lang=en"))
    for round_number, name, status in ((1, "Cem", 422), (2, "Bert", 303), (1, " bert", 303)):
        assert (game(db).status, game(db).round) == ("running", 1)
        form = {"round": str(round_number), "name": name, "whole": "yes"}
        assert web.post(where, data=form).status_code == status
    assert web.get(where).status_code == 303
    assert game(db).status == "finished"
    page = words(web.get(f"/p/{NAME}?lang=en"))
    assert "Anna gives up: Bert wins" in page
    told = json.loads(command(installation, "replay", str(saved(installation, web)), "--json"))
    assert told["result"]["ranks"] == {"Anna": 2, "Bert": 1}
    assert told["rounds"][0]["farms"]["Anna"]["orders"] == "resign"
    assert (told["rounds"][0]["left"], told["rounds"][0]["drawn"], told["rounds"][0]["row"]) == (
        None,
        None,
        [],
    )


# --- mails


def test_a_mail_that_is_written_late_asks_nobody_for_orders_who_is_not_awaited(
    installation: Installation, db: Database, duel: Game, frozen_time: Any
) -> None:
    close(db, frozen_time)
    close(db, frozen_time)
    assert table(db).active == "Anna"
    tick(installation)
    for who, link in (("Bert", "Your page of the game:"), ("Anna", "Deine Befehle:")):
        for mail in mails(installation, "report", who):
            assert (link in text_of(mail)) == (who == "Bert")
    assert all(
        "Your orders:" not in text_of(mail) for mail in mails(installation, "report", "Bert")
    )


def test_what_closed_a_round_stands_once_on_its_page(
    installation: Installation, db: Database, web: Any, duel: Game
) -> None:
    order(db, "1>A")
    tick(installation)
    for page in (f"{page_of(installation, 'Anna')}/r1", f"/p/{NAME}/r1", f"/p/{NAME}"):
        assert words(web.get(f"{page}?lang=en")).count("All lists were in:") == 1


def test_a_game_that_is_paused_shows_table_and_hand(
    installation: Installation, db: Database, web: Any, duel: Game
) -> None:
    lead.pause(db, NAME, "Umzug", clock.now())
    page = words(web.get(f"{page_of(installation, 'Anna')}?lang=en"))
    assert "Reason: Umzug" in page
    assert "Only for you: your hand" in page
    assert "The table" in page


def test_only_the_awaited_seat_is_reminded_and_a_turn_is_told_to_who_comes_next(
    installation: Installation, db: Database, web: Any, duel: Game, frozen_time: Any
) -> None:
    tick(installation)
    deadline = game(db).deadline
    assert deadline is not None
    frozen_time.move_to(deadline - 3600)
    remind(db, deadline - 3600)
    assert db.execute("SELECT DISTINCT seat FROM mail WHERE kind = 'reminder'").fetchall() == [(1,)]
    order(db, "1>A")
    close(db, frozen_time)
    order(db, "match")
    close(db, frozen_time)
    tick(installation)
    (report,) = mails(installation, "report")
    text = text_of(report)
    assert str(report["To"]) == "bert@example.org"
    assert "Turn 1 of 27, before the reveal" in text
    assert "card 1 (" in text
    assert "revealed: " in text
    assert "draws 2 cards" in text
    for place, bean in enumerate(table(db).hand("Bert"), start=1):
        assert f"{place} {bean_names('en')[bean]['short']}" in text
    assert "You drew" not in text
    page = words(web.get(page_of(installation, "Anna") + "/r2?lang=en"))
    own = page.partition("Only for you: your hand")[2]
    assert all(bean_names("en")[bean]["short"] in own for bean in table(db).hand("Anna"))
    drawn = ", ".join(bean_names("en")[bean]["short"] for bean in table(db).hand("Anna")[-2:])
    assert f"You drew: {drawn}" in own
    assert "You drew" not in words(web.get(page_of(installation, "Bert") + "/r2?lang=en"))


@pytest.mark.parametrize(
    ("left", "answered_after", "mailed_after"),
    [
        (None, None, [30]),
        (0, None, [30]),
        (None, 29, []),
        (None, 31, [30]),
        (40, None, [20]),
        (40, 19, []),
    ],
)
def test_a_row_that_waits_is_mailed_once(
    installation: Installation,
    db: Database,
    duel: Game,
    frozen_time: Any,
    left: int | None,
    answered_after: int | None,
    mailed_after: list[int],
) -> None:
    """After 30 minutes, or half of those that are `left` of the round; 0: it is closed by hand."""
    if left == 0:
        by_hand = msgspec.json.encode(structs.replace(duel.schedule, weekdays=())).decode()
        with write(db):
            store.games.update(db, NAME, {"rule": by_hand, "deadline": None})
    if left:
        frozen_time.move_to((game(db).deadline or 0) - left * 60)
    order(db, "1>A")
    tick(installation)
    assert table(db).phase == 2
    assert left != 0 or game(db).deadline is None
    assert not left or (game(db).deadline or 0) - clock.now() == left * 60
    arrived = []
    for minutes in range(1, 40):
        frozen_time.shift(60)
        if minutes == answered_after:
            order(db, "match")
        before = len(mails(installation, "row"))
        tick(installation)
        arrived += [minutes] * (len(mails(installation, "row")) - before)
    assert arrived == mailed_after
    for mail in mails(installation, "row"):
        assert "dein Spielzug ist noch nicht zu Ende" in text_of(mail)
        assert "Teil 1 ist getan" in text_of(mail)


# --- a whole game, its record and its proof


@pytest.mark.long
def test_a_game_of_robots_lists_runs_to_the_end_and_is_proven(
    installation: Installation, db: Database, web: Any, duel: Game, frozen_time: Any
) -> None:
    missing = 0
    while game(db).status == "running":
        missing += 1
        if missing % 5:
            order(db)
        close(db, frozen_time)
    assert 27 <= game(db).round - 1 <= 54
    tick(installation)
    record = saved(installation, web)
    (kept,) = db.execute("SELECT commitment FROM game").fetchone()
    last = web.get(f"/api/v1/games/{NAME}/rounds/{game(db).round - 1}").json["chain"]
    said = command(
        installation,
        "verify",
        str(record),
        "--commitment",
        kept,
        "--chain",
        f"{game(db).round - 1}={last}",
    )
    assert "PROVEN" in said
    told = json.loads(command(installation, "replay", str(record), "--json"))
    assert set(told["rounds"][0]) == {
        "orders",
        "turn",
        "phase",
        "seat",
        "offer",
        "discard",
        "draw_pile",
        "row",
        "farms",
        "left",
        "hands",
        "drawn",
    }
    assert told["rounds"][-1]["turn"] == 27
    for number in (1, game(db).round - 1):
        for end in ("", ".txt"):
            for language in LANGUAGES:
                assert web.get(f"/p/{NAME}/r{number}{end}?lang={language}").status_code == 200
    assert "%(" not in words(web.get(f"/p/{NAME}?lang=de"))
    luck_and_skill_are_told(installation, db, web)


def play_on(
    db: Database, mailing: Installation, web: Any, frozen_time: Any, before: int | None = None
) -> None:
    """Each sends a list on the own page as soon as it is their turn, until this round."""
    while game(db).status == "running" and game(db).round != before:
        name, number = table(db).active, game(db).round
        text = game(db).engine.robot(game(db).engine.view(table(db), name))
        where = path_of(mailing, one_game.seat(db, name))
        assert send(web, where, number, ("text", text), ("final", "yes")).status_code == 303
        if game(db).round == number:  # what was taken back or restored stays open
            close(db, frozen_time)
        tick(mailing)
        frozen_time.shift(60)


def path_of(mailing: Installation, seat: Seat) -> str:
    return mailing.path("seat", NAME, seat.name, seat.link_number)


def taken_back(db: Database, mailing: Installation, frozen_time: Any, copy: Path) -> None:
    """The row has been seen, and is seen again."""
    rollback(db, NAME, game(db).round - 1, "a slip", clock.now())
    frozen_time.shift(60)
    tick(mailing)


def by_its_deadline(db: Database, mailing: Installation, frozen_time: Any, copy: Path) -> None:
    """The stand-in plays the rest of the turn too."""
    close(db, frozen_time)
    tick(mailing)


def restored(db: Database, mailing: Installation, frozen_time: Any, copy: Path) -> None:
    """Two lists are lost."""
    backup.make(db, copy, clock.now())
    for _ in range(2):
        order(db)
        tick(mailing)
    frozen_time.shift(60)
    restore.restore(mailing.database, mailing.link_key, copy, clock.now())
    with mailing.connection() as again:
        restore.go_on(again, clock.now())


@pytest.mark.long
@pytest.mark.parametrize(
    "what",
    [None, taken_back, by_its_deadline, pytest.param(restored, marks=pytest.mark.file)],
)
def test_a_duel_takes_one_mail_a_turn_and_they_prove_every_round(  # a game by real mail
    installation: Installation,
    db: Database,
    web: Any,
    duel: Game,
    frozen_time: Any,
    postbox: tuple[Postbox, int],
    tmp_path: Path,
    what: Callable[[Database, Installation, Any, Path], None] | None,
) -> None:
    box, port = postbox
    mailing = with_server(installation, port)
    play_on(db, mailing, web, frozen_time, 20)
    if what:
        what(db, mailing, frozen_time, tmp_path / "copy.db")
    with mailing.connection() as again:
        play_on(again, mailing, web, frozen_time)
        record = saved(mailing, web)
        assert game(again).round - 1 == 54
        paths = {name: path_of(mailing, one_game.seat(again, name)) for name in PLAYERS}
    for name in PLAYERS:
        own = [data for to, data in box.mails if to == f"{name.lower()}@example.org"]
        kinds = Counter(re.findall(rb"Message-ID: <(\w+)", b"".join(own), re.IGNORECASE))
        # of a round that is open again it comes after all
        assert kinds[b"receipt"] <= (what is taken_back)
        assert kinds[b"report"] + kinds[b"start"] + kinds[b"final"] <= 17
        kept = tmp_path / name
        kept.mkdir()
        (kept / "receipts.txt").write_bytes(web.get(f"{paths[name]}/receipts.txt").data)
        for number, data in enumerate(own):
            (kept / f"{number}.eml").write_bytes(data)
        said = command(installation, "verify", str(record), "--mails", str(kept), "--json")
        found = json.loads(said)
        assert (found["line"].partition(":")[0], found["without_report"]) == ("PROVEN", []), found
        if what in (None, by_its_deadline):
            assert (found["line"], found["look"]) == ("PROVEN", [])
        assert found["chains"] == [*range(55)]


def luck_and_skill_are_told(installation: Installation, db: Database, web: Any) -> None:
    """On the page, in the last reports, and in both languages, as it was worked out."""
    found = remembered(game(db))
    page = words(web.get(f"/p/{NAME}?lang=en"))
    last = {
        str(mail["To"].addresses[0].username): re.sub(r"\s+", " ", text_of(mail))
        for mail in mails(installation, "final")
    }
    assert [turn.seat for turn in found.turns[:2]] == list(PLAYERS)
    for held in found.seats:
        row, offer, left = (
            f"{counted(what.beans, 'bean')} ({counted(what.talers, 'taler')})"
            for what in (held.row, held.offer, held.left)
        )
        english = f"{held.seat}: from the row {row}, from the offer {offer}; left for the other, though it fitted: {left}"
        assert english in page
        assert english in last["bert"]
        assert f"{held.seat}: aus der Reihe {held.row.beans} Bohne" in last["anna"]
    cells = re.findall(
        r'<td class="r">(?:(\d+) \((\d+)\)|–)</td>', web.get(f"/p/{NAME}?lang=en").text
    )
    in_turns = [(turn.offer, turn.row, turn.left) for turn in found.turns]
    told = [part for parts in in_turns if any(it.beans for it in parts) for part in parts]
    assert cells[-len(told) :] == [
        (str(it.beans), str(it.talers)) if it.beans else ("", "") for it in told
    ]


@pytest.mark.long
def test_a_robot_plays_its_turns_under_every_house_rule(
    installation: Installation, db: Database, frozen_time: Any
) -> None:
    made = (
        "--gm",
        "Uli",
        "--gm-address",
        "uli@example.org",
        "--rule",
        "three_fields=true",
        "--rule",
        "start=2",
    )
    command(
        installation, "game", "new", NAME, "--variant", "duel", *made, "--rule", "discard=either"
    )
    command(installation, "game", "open", NAME)
    command(installation, "game", "seat", NAME, "--name", "Anna", "--address", "anna@example.org")
    command(installation, "game", "seat", NAME, "--name", "Rosa", "--robot")
    command(installation, "game", "start", NAME)
    assert table(db).active == "Rosa"
    passes = 0
    while game(db).status == "running":
        passes += 1
        assert passes < 100
        if table(db).active == "Anna":
            order(db)
        command(installation, "run")
    closed = [store.rounds.get(db, NAME, number) for number in range(1, game(db).round)]
    assert all(one is not None and None not in one.lists.values() for one in closed)
