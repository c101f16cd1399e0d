"""Acts on several games at the desk: tick, look at what would happen, press once, undo."""

import re
import sqlite3
from html import unescape
from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from gm import store
from gm.clock import DAY
from gm.games import changes, lead, several
from gm.installation import Installation
from gm.people import masters
from gm.service import tick
from gm.store.db import Database, write
from gm.web.desk.several import KINDS
from tests.dates import NOW, SUNDAY
from tests.steps import press, seat_game, sign_in, start, words

GAMES = ("ackerwinde", "feuerbohne", "saubohne")
OTHERS = "kidneybohne"


@pytest.fixture
def uli(installation: Installation, db: Database) -> Any:
    """Uli, who leads three games, at the desk; a fourth is somebody else's."""
    for game in (*GAMES, OTHERS):
        seat_game(installation, game)
        start(installation, game)
    web = sign_in(installation, db)
    with write(db):
        db.execute("DELETE FROM game_gm")
        db.execute("UPDATE game SET gm_address = 'other@example.org' WHERE id = ?", [OTHERS])
    for game in GAMES:
        masters.add_master(db, game, "uli@example.org")
    return web


def deadlines(db: Database) -> dict[str, int | None]:
    return {game: store.games.existing(db, game).deadline for game in (*GAMES, OTHERS)}


def preview(web: Any, act: str, games: tuple[str, ...] = GAMES, **more: str) -> Any:
    asked = {"act": act, "game": list(games), "lang": "en", **more}
    answer = web.get("/desk/several", query_string=asked)
    assert answer.status_code == 200, words(answer)
    return answer


def fields(answer: Any) -> list[tuple[str, str]]:
    """What the browser would send with the button of a preview."""
    html = answer.text[answer.text.index('action="/desk/several') :]
    found = []
    for tag in re.findall(r"<input[^>]*>", html[: html.index("</form>")]):
        kind = re.search(r'type="(\w+)"', tag)
        name, value = re.search(r'name="(\w+)"', tag), re.search(r'value="([^"]*)"', tag)
        is_sent = kind is None or kind[1] in ("hidden", "text", "date") or " checked" in tag
        if name and is_sent and name[1] != "whole":
            found.append((name[1], unescape(value[1] if value else "")))
    return found


def do(web: Any, sent: list[tuple[str, str]]) -> Any:
    return press(web, "/desk/several?lang=en", *sent)


def shown(web: Any, answer: Any) -> str:
    assert answer.status_code == 303, words(answer)
    return words(web.get(answer.headers["Location"]))


def test_ticked_games_are_moved_and_the_desk_says_so(uli: Any, db: Database) -> None:
    before = deadlines(db)
    page = preview(uli, "later", days="7")
    assert "Move 3 games?" in words(page)
    assert "9 people get one mail each." in words(page)
    assert deadlines(db) == before
    told = shown(uli, do(uli, fields(page)))
    assert "3 games moved" in told
    assert "Mail to Anna, Bert, Cem" in told
    week = {game: (at or 0) + 7 * DAY for game, at in before.items()}
    assert deadlines(db) == week | {OTHERS: before[OTHERS]}
    # the same button once more
    assert "3 games moved" in shown(uli, do(uli, fields(page)))
    assert len(db.execute("SELECT * FROM act").fetchall()) == 1


def test_one_game_is_left_out_by_taking_its_tick_away(uli: Any, db: Database) -> None:
    sent = [
        pair for pair in fields(preview(uli, "paused")) if not pair[1].startswith("feuerbohne:")
    ]
    assert "2 games paused" in shown(uli, do(uli, sent))
    assert store.games.existing(db, "feuerbohne").status == "running"


def test_a_game_that_changed_after_the_preview_is_named(uli: Any, db: Database) -> None:
    page = preview(uli, "later", days="7")
    lead.extend(db, "saubohne", SUNDAY + DAY, "", NOW)
    told = shown(uli, do(uli, fields(page)))
    assert "2 games moved" in told
    assert "1 game stayed as it was" in told
    assert "Saubohne The game has moved on since the list was made" in told
    assert store.games.existing(db, "saubohne").deadline == SUNDAY + DAY


def test_what_cannot_be_done_is_said_before(uli: Any, db: Database) -> None:
    lead.pause(db, "saubohne", "", NOW)
    with write(db):
        store.games.update(db, "feuerbohne", {"status": "held", "error": "silence"})
    page = words(preview(uli, "later", days="7"))
    assert "Move 1 game?" in page
    assert "2 games stay as they are" in page
    assert "It is held: look at it first" in page
    assert "Saubohne saubohne is on pause" in page


def test_nothing_of_somebody_elses_game(uli: Any, db: Database) -> None:
    page = preview(uli, "paused", (OTHERS, "saubohne"))
    assert OTHERS.capitalize() not in page.text
    assert "Pause 1 game?" in words(page)
    asked = {"act": "paused", "game": [OTHERS]}
    assert uli.get("/desk/several", query_string=asked).status_code == 404
    sent = [("act", "paused"), ("token", "x"), ("game", f"{OTHERS}:1 {SUNDAY} running")]
    assert do(uli, sent).status_code == 404
    assert store.games.existing(db, OTHERS).status == "running"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ([("act", "paused")], "No game is ticked."),
        ([("act", "announced"), ("words", "  ")], "The comment is empty"),
        ([("act", "later"), ("days", "to"), ("to", "soon")], None),
        ([("act", "later"), ("days", "to"), ("to", "")], "Choose one of the deadlines"),
        ([("act", "left_out"), ("first", "soon")], "soon"),
        ([("act", "left_out"), ("first", "2026-12-24"), ("last", "2027-12-24")], None),
    ],
)
def test_what_cannot_be_meant_is_refused_and_kept(
    uli: Any, db: Database, asked: list[tuple[str, str]], why: str | None
) -> None:
    before = deadlines(db)
    game = store.games.existing(db, "saubohne")
    ticked = [] if asked == [("act", "paused")] else [("game", f"saubohne:{several.seen(game)}")]
    answer = do(uli, [*asked, *ticked, ("token", "x")])
    if answer.status_code == 303:  # each game says by itself why it cannot be
        assert "1 game stayed as it was" in shown(uli, answer)
    else:
        assert answer.status_code == 422
        assert (why or "") in words(answer)
    assert deadlines(db) == before


def test_without_a_tick_the_desk_says_what_to_do(uli: Any) -> None:
    answer = uli.get("/desk/several?act=later&days=7&lang=en")
    assert "Tick the games that it is for, then press again." in shown(uli, answer)


def test_what_takes_longer_is_done_by_the_next_pass(
    uli: Any, installation: Installation, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.web.desk.several.AT_ONCE_SECONDS", 0)
    answer = do(uli, fields(preview(uli, "paused")))
    page = uli.get(answer.headers["Location"])
    assert "3 games are still being worked at" in words(page)
    assert '<meta http-equiv="refresh" content="1">' in page.text
    while several.go_on(db, NOW):
        pass
    page = uli.get(answer.headers["Location"])
    assert "3 games paused" in words(page)
    assert "refresh" not in page.text


def test_an_act_is_undone_for_ten_minutes(uli: Any, db: Database, frozen_time: Any) -> None:
    before = deadlines(db)
    answer = do(uli, fields(preview(uli, "later", days="14")))
    number = re.search(r"done=(\d+)", answer.headers["Location"])
    assert number is not None
    assert "Undo it in all 3 games" in shown(uli, answer)
    undone = shown(uli, press(uli, "/desk/several/undo?lang=en", ("act", number[1])))
    assert "Undone in 3 games" in undone
    assert deadlines(db) == before
    assert "Undo it" not in words(uli.get(answer.headers["Location"]))
    answer = do(uli, fields(preview(uli, "later", days="14")))
    number = re.search(r"done=(\d+)", answer.headers["Location"])
    assert number is not None
    frozen_time.shift(several.UNDO_SECONDS)
    late = shown(uli, press(uli, "/desk/several/undo?lang=en", ("act", number[1])))
    assert "This can be undone for ten minutes" in late
    assert "Undo it" not in late
    assert deadlines(db) != before


def test_the_act_of_another_master_is_not_shown(
    uli: Any, installation: Installation, db: Database
) -> None:
    answer = do(uli, fields(preview(uli, "paused")))
    mara = sign_in(installation, db, "mara@example.org")
    assert "3 games paused" not in words(mara.get(answer.headers["Location"]))
    number = re.search(r"done=(\d+)", answer.headers["Location"])
    assert number is not None
    assert press(mara, "/desk/several/undo", ("act", number[1])).status_code == 404


def test_games_are_found_by_name_by_person_and_by_kind(uli: Any) -> None:
    def found(**asked: str) -> list[str]:
        html = uli.get("/desk", query_string={"lang": "en", **asked}).text
        return re.findall(r'name="game" value="([a-z]+)"', html)

    assert found() == sorted(GAMES)
    assert found(q="SAU") == ["saubohne"]
    assert found(q="anna") == sorted(GAMES)
    assert found(q="nobody") == []
    assert found(kind="duel") == []
    assert found(kind="postal", tick="all") == sorted(GAMES)
    html = uli.get("/desk?tick=all&q=sau").text
    assert re.findall(r'name="game" value="([a-z]+)" checked', html) == ["saubohne"]


def test_games_that_stay_are_carried_along_for_another_look(uli: Any, db: Database) -> None:
    lead.extend(db, "saubohne", SUNDAY + 7 * DAY, "", NOW)
    page = preview(uli, "later", days="7")
    assert "1 game stays as it is" in words(page)
    asked = [*((name, text) for name, text in fields(page) if name == "game"), ("days", "0")]
    again = uli.get(
        "/desk/several", query_string=MultiDict([*asked, ("act", "later"), ("lang", "en")])
    )
    assert "Move 1 game?" in words(again)
    assert "Saubohne" in again.text
    assert "3 games paused" in shown(uli, do(uli, fields(preview(uli, "paused"))))


def test_undo_is_offered_only_where_it_can_be(uli: Any, db: Database, frozen_time: Any) -> None:
    frozen_time.move_to(SUNDAY - 3600)
    answer = do(uli, fields(preview(uli, "later", days="7")))
    told = shown(uli, answer)
    assert "3 games moved" in told
    assert "Undo it" not in told
    number = re.search(r"done=(\d+)", answer.headers["Location"])
    assert number is not None
    undone = shown(uli, press(uli, "/desk/several/undo?lang=en", ("act", number[1])))
    assert "✗ Undone in 0 games" in undone


def test_the_desk_leads_to_the_last_act_for_ten_minutes(
    uli: Any, db: Database, frozen_time: Any
) -> None:
    do(uli, fields(preview(uli, "later", days="14")))
    desk = uli.get("/desk?lang=en").text
    assert "within the last ten minutes" in desk
    (number,) = re.findall(r"/desk\?done=(\d+)", desk)
    assert "Undo it in all 3 games" in words(uli.get(f"/desk?done={number}&lang=en"))
    frozen_time.shift(several.UNDO_SECONDS)
    assert "within the last ten minutes" not in uli.get("/desk?lang=en").text


def test_what_a_week_more_means_for_hours_is_said_and_a_holiday_offered(
    uli: Any, db: Database
) -> None:
    changes.change(db, ["feuerbohne"], changes.Wish(hours=48), "", NOW)
    page = preview(uli, "later", ("ackerwinde", "feuerbohne"), days="7").text
    assert "1 of these games counts its days from list to list" in page
    link = unescape(re.findall(r'href="(/desk/several[?]act=left_out[^"]*)"', page)[0])
    assert ("&game=feuerbohne&" in link, "ackerwinde" in link) == (True, False)
    assert "Leave days out in 1 game?" in words(uli.get(link))


def test_the_other_language_keeps_what_is_asked(uli: Any) -> None:
    page = preview(uli, "later", ("ackerwinde", "feuerbohne"), days="7").text
    (german,) = re.findall(r'<a href="([^"]*)" lang="de"', page)
    assert "2 Partien verschieben?" in words(uli.get(f"/desk/several{unescape(german)}"))


def test_more_games_than_an_act_takes_are_named_at_the_desk(
    uli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.games.several.MOST_GAMES", 2)
    asked = {"act": "later", "game": list(GAMES), "lang": "en"}
    answer = uli.get("/desk/several", query_string=asked)
    assert "An act is for 200 games at most" in shown(uli, answer)


def test_a_text_of_many_lines_is_as_long_as_the_browser_says(uli: Any, db: Database) -> None:
    sent = fields(preview(uli, "announced", ("ackerwinde",)))
    long = "\r\n".join(["Moin"] * 800)
    done = do(uli, [*sent, ("words", long[:-5])])
    assert done.status_code == 303, words(done)


@pytest.mark.parametrize("act", KINDS)
def test_nobody_who_only_looks_waits_for_a_writer(uli: Any, db: Database, act: str) -> None:
    days = {"first": "2026-12-24"} if act == "left_out" else {}
    done = do(uli, fields(preview(uli, "paused", GAMES[:1]))).headers["Location"]
    with write(db):
        assert preview(uli, act, GAMES, words="Hello.", **days).status_code == 200
        assert "Undo" in words(uli.get(done))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE act SET asked = '{\"kind\": 5}'", "Hello Uli"),
        ("UPDATE act_game SET outcome = '[]' WHERE place = 0", "Undo it in all 2 games"),
    ],
)
def test_a_damaged_act_takes_no_desk_down(uli: Any, db: Database, damage: str, said: str) -> None:
    done = do(uli, fields(preview(uli, "paused"))).headers["Location"]
    with write(db):
        db.execute(damage)
    assert said in words(uli.get(done))
    assert press(uli, "/desk/several/undo", ("act", "1")).status_code in (303, 404)


def test_what_a_full_disk_interrupts_was_taken_and_goes_on_by_itself(
    uli: Any, installation: Installation, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> bool:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(store.acts, "keep", full)
        answer = do(uli, fields(preview(uli, "paused")))
    assert "3 games are still being worked at" in shown(uli, answer)
    tick(installation, NOW)
    assert {store.games.existing(db, game).status for game in GAMES} == {"paused"}
