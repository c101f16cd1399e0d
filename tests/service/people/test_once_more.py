"""Once more with the same people: who is asked, when the next game begins and with whom."""

import itertools
import json
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from typing import Any

import pytest

from gm import clock, store
from gm.clock import DAY
from gm.games import create, lead
from gm.games.orders import Replaced
from gm.installation import Installation
from gm.people import once_more, seating
from gm.service import play_once_more, tick, tick_rounds
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat
from rounds.engine.variant import find, names
from tests.dates import EVERY_SUNDAY
from tests.service.whole import one_game
from tests.steps import garble, press, seat, send, sign_in, words

CAST = {"Anna": "de", "Bert": "en", "Cem": "en"}
GAME = "Ackerwinde"


def finish(
    installation: Installation,
    db: Database,
    frozen_time: Any,
    variant: str = "postal",
    cast: Mapping[str, str] = CAST,
    **rules: Any,
) -> None:
    """A game that has just ended, and asks its players."""
    one_game.begun(installation, db, "ackerwinde", variant, cast, **rules)
    with write(db):
        store.games.update(db, "ackerwinde", {"asks_again": 1})
    while (game := store.games.existing(db, "ackerwinde")).status != "finished":
        for one in store.seats.of_game(db, game.id):
            if game.takes(one.name):
                one_game.order(db, one.name)
        one_game.close(db, frozen_time)
    tick(installation)


def say(web: Any, installation: Installation, name: str, what: str, status: int = 303) -> Any:
    answer = send(
        web,
        f"{installation.path('seat', 'ackerwinde', name, 1)}/again",
        [("again", what), ("whole", "yes")],
    )
    assert answer.status_code == status
    return answer


def next_game(db: Database) -> Game | None:
    return store.games.next_of(db, "ackerwinde")


def playing(db: Database) -> list[str]:
    return [seat.name for seat in store.seats.of_game(db, "ackerwinde-2")]


def next_playing(db: Database) -> list[str]:
    return [seat.name for seat in store.seats.of_game(db, (next_game(db) or one_game.game(db)).id)]


def started(installation: Installation, db: Database) -> list[str]:
    """Who was mailed that the next game begins."""
    tick(installation)
    sql = (
        "SELECT address FROM mail WHERE game = 'ackerwinde-2' AND seat IS NOT NULL ORDER BY address"
    )
    return [address.partition("@")[0] for (address,) in db.execute(sql)]


@pytest.fixture
def over(installation: Installation, db: Database, frozen_time: Any) -> None:
    """Anna, Bert and Cem have played to the end."""
    finish(installation, db, frozen_time, rounds=2)


@pytest.mark.parametrize(
    ("said", "plays"),
    [
        ("Anna yes, Bert yes, Cem yes", "Anna Bert Cem"),
        ("Cem yes, Anna yes, Bert no", "Anna Cem"),
        ("Anna no, Bert yes, Cem yes", "Bert Cem"),
        ("Anna yes, Anna no, Bert yes, Cem yes", "Bert Cem"),
        ("Anna no, Anna yes, Bert yes, Cem no", "Anna Bert"),
        ("Anna yes, Bert no, Cem no", ""),
        ("Anna no, Bert no, Cem no", ""),
        ("Anna yes, Bert yes, wait", "Anna Bert"),
        ("Anna yes, wait", ""),
        ("Anna yes, Bert yes", None),
        ("Anna no, Bert yes", None),
    ],
)
def test_it_begins_with_two_who_said_yes_once_all_have_answered_or_had_three_days(
    over: None,
    installation: Installation,
    db: Database,
    web: Any,
    frozen_time: Any,
    said: str,
    plays: str | None,
) -> None:
    for step in said.split(", "):
        if step == "wait":
            frozen_time.shift(3 * DAY - 60)
            tick(installation)
            assert playing(db) == []
            frozen_time.shift(60)
            tick(installation)
        else:
            name, what = step.split()
            say(web, installation, name, what)
    game = next_game(db)
    if plays is None:
        assert game is not None
        assert (game.status, playing(db)) == ("draft", [])
        assert game.commitment in web.get("/p/ackerwinde").text
        return
    assert playing(db) == plays.split()
    assert started(installation, db) == plays.lower().split()
    if game is None:  # three times no: whoever thinks better of it may say so
        return
    if plays:
        assert (game.status, game.name, game.round) == ("running", "Ackerwinde 2", 1)
        assert json.loads(game.setup or "")["unconfirmed"] == []
    say(web, installation, "Anna", "yes", 409)
    assert playing(db) == plays.split()


@pytest.mark.parametrize("variant", names())
def test_every_game_is_played_once_more_by_its_page_and_mail(
    installation: Installation, db: Database, web: Any, frozen_time: Any, variant: str
) -> None:
    cast = dict(list(CAST.items())[: find(variant).seats[-1]])
    finish(installation, db, frozen_time, variant, cast)
    for name in cast:
        (mail,) = one_game.mails(installation, "final", name)
        assert f"{installation.path('seat', 'ackerwinde', name, 1)}\n" in one_game.text_of(mail)
        page = web.get(installation.path("seat", "ackerwinde", name, 1) + "?lang=en")
        assert "Again with the same people?" in words(page)
        say(web, installation, name, "yes")
    assert started(installation, db) == [name.lower() for name in cast]
    tells = {
        "de": "Es geht nach „Ackerwinde“ weiter: Du wolltest noch einmal spielen.",
        "en": "It goes on from “Ackerwinde”: you said that you play once more.",
    }
    for name, language in cast.items():
        before, start = one_game.mails(installation, "start", name)
        assert tells[language] not in " ".join(one_game.text_of(before).split())
        for kind in ("plain", "html"):
            assert tells[language] in " ".join(one_game.text_of(start, kind).split())
    assert "It goes on with " in words(web.get("/p/ackerwinde?lang=en"))


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("at", [*range(1, 12), *range(12, 90, 7)])
def test_killed_at_any_statement_of_the_last_answer_it_begins_once_or_the_answer_is_lost(
    over: None,
    installation: Installation,
    db: Database,
    web: Any,
    monkeypatch: pytest.MonkeyPatch,
    at: int,
) -> None:
    say(web, installation, "Anna", "yes")
    say(web, installation, "Bert", "no")
    cem, execute, count = seat(db, "Cem"), type(db).execute, itertools.count(1)

    def dies(self: Any, *statement: Any) -> Any:
        if next(count) == at:
            raise Killed
        return execute(self, *statement)

    with monkeypatch.context() as patched, suppress(Killed), installation.connection() as own:
        patched.setattr(type(db), "execute", dies)
        play_once_more(own, installation, cem, yes=True, now=clock.now())
    tick(installation)
    if seat(db, "Cem").again is None:  # what the player was not told is not stored
        assert playing(db) == []
        play_once_more(db, installation, cem, yes=True, now=clock.now())
    assert playing(db) == ["Anna", "Cem"]
    assert started(installation, db) == ["anna", "cem"]


def test_two_last_answers_and_two_passes_at_once_begin_one_game(
    over: None, installation: Installation, db: Database, web: Any
) -> None:
    say(web, installation, "Anna", "yes")
    seats = [seat(db, "Bert"), seat(db, "Cem")]
    at_once = Barrier(4)

    def answer(who: Seat) -> None:
        at_once.wait(30)
        with installation.connection() as own:
            play_once_more(own, installation, who, yes=True, now=clock.now())

    def look() -> None:
        at_once.wait(30)
        tick_rounds(installation, clock.now())

    with ThreadPoolExecutor(4) as pool:
        done = [
            *(pool.submit(answer, who) for who in seats),
            *(pool.submit(look) for _ in range(2)),
        ]
    assert [one.exception() for one in done] == [None] * 4
    assert playing(db) == [*CAST]
    assert started(installation, db) == ["anna", "bert", "cem"]


def test_until_it_begins_nobody_else_can_join_or_see_it(
    over: None, installation: Installation, db: Database, web: Any
) -> None:
    say(web, installation, "Anna", "yes")
    for path in ("/p/ackerwinde-2", "/p/ackerwinde-2/join", "/api/v1/games/ackerwinde-2"):
        assert web.get(path).status_code == 404
    assert "ackerwinde-2" not in web.get("/").text + web.get("/games/open").text
    one_game.command(installation, "game", "list")
    with pytest.raises(AssertionError, match="begins by itself"):
        one_game.command(installation, "game", "open", "ackerwinde-2")
    one_game.command(installation, "game", "archive", "ackerwinde-2")  # the game master says no
    say(web, installation, "Bert", "yes", 409)
    assert "called off" in words(web.get("/p/ackerwinde?lang=en"))
    tick(installation)
    assert db.execute("SELECT count(*) FROM mail WHERE game = 'ackerwinde-2'").fetchone() == (0,)


def test_who_has_left_or_whose_link_is_another_answers_no_more(
    over: None, installation: Installation, db: Database, web: Any
) -> None:
    say(web, installation, "Anna", "yes")
    say(web, installation, "Bert", "yes")
    before = seat(db, "Anna")
    seating.forget(db, seat(db, "Bert"), clock.now())
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
    say(web, installation, "Anna", "no", 404)
    with pytest.raises(Replaced):  # the link was renewed while the page was being answered
        once_more.answer(db, before, yes=False, now=clock.now())
    say(web, installation, "Bert", "no", 404)
    say(web, installation, "Cem", "yes")
    assert playing(db) == ["Anna", "Cem"]


def test_robots_play_again_and_one_person_is_enough_where_there_was_one(
    installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    one_game.begun(installation, db, "ackerwinde", "duel", {"Anna": "en", "Bert": "en"})
    with write(db):
        store.games.update(db, "ackerwinde", {"asks_again": 1})
        store.seats.update(db, "ackerwinde", 2, {"robot": 1, "address": None})
    one_game.order(db, one_game.table(db).active, "resign")
    one_game.close(db, frozen_time)
    page = words(web.get(f"{installation.path('seat', 'ackerwinde', 'Anna', 1)}?lang=en"))
    assert "begins at once" in page
    assert "it takes two" not in page
    say(web, installation, "Anna", "yes")
    assert playing(db) == ["Anna", "Bert"]
    assert [one.robot for one in store.seats.of_game(db, "ackerwinde-2")] == [0, 1]


def test_two_of_a_table_for_three_play_with_a_robot_more(
    installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    finish(installation, db, frozen_time, "classic")
    for name, what in (("Anna", "yes"), ("Bert", "no"), ("Cem", "yes")):
        say(web, installation, name, what)
    assert playing(db) == ["Anna", "Cem", "Rosa"]


def test_the_game_master_opens_it_once_more_at_the_desk(
    over: None, installation: Installation, db: Database, web: Any
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", {"asks_again": 0})
    uli = sign_in(installation, db)
    assert "Open it once more" in words(uli.get("/desk/game/ackerwinde?lang=en"))
    press(uli, "/desk/game/ackerwinde/play_again")
    game = next_game(db)
    assert game is not None
    assert (game.id, game.name, game.status) == ("ackerwinde-2", "Ackerwinde 2", "open")
    assert playing(db) == [*CAST]
    assert press(uli, "/desk/game/ackerwinde/play_again").status_code == 422
    desk = uli.get("/desk/game/ackerwinde?lang=en").text
    assert 'href="/desk/game/ackerwinde-2?' in desk
    assert "Open it once more" not in desk
    assert "which begins soon" in words(web.get("/p/ackerwinde?lang=en"))


@pytest.mark.parametrize("why", ["aborted", "not wanted", "running"])
def test_nobody_is_asked(
    installation: Installation, db: Database, web: Any, frozen_time: Any, why: str
) -> None:
    one_game.begun(installation, db, "ackerwinde", "postal", CAST)
    with write(db):
        store.games.update(db, "ackerwinde", {"asks_again": int(why != "not wanted")})
    if why == "aborted":
        lead.abort(db, "ackerwinde", "Rain.", clock.now())
    elif why == "not wanted":
        while one_game.game(db).status != "finished":
            one_game.close(db, frozen_time)
    assert say(web, installation, "Anna", "yes", 409)
    assert next_game(db) is None
    assert "Again with the same people?" not in words(
        web.get(one_game.page_of(installation, "Anna"))
    )


def test_private_games_ask_unless_their_game_master_says_no(
    installation: Installation, db: Database
) -> None:
    made = {
        listed: create.new_game(
            db,
            game=f"erbse-{listed}".lower(),
            name="Erbse",
            variant="postal",
            house_rules={},
            gm=("Uli", "uli@example.org"),
            rule=EVERY_SUNDAY,
            now=clock.now(),
            listed=listed,
        ).asks_again
        for listed in (True, False)
    }
    assert made == {True: 0, False: 1}
    one_game.command(installation, "game", "change", "erbse-false", "--no-asks-again")
    assert store.games.existing(db, "erbse-false").asks_again == 0


@pytest.mark.parametrize(
    ("game", "name", "next_id", "next_name"),
    [
        ("ackerwinde", "Ackerwinde", "ackerwinde-2", "Ackerwinde 2"),
        ("ackerwinde-2", "Ackerwinde 2", "ackerwinde-3", "Ackerwinde 3"),
        ("a", "Ackerwinde 12345", "a-2", "Ackerwinde 12345 2"),
        ("b", "Teil 2.0", "b-2", "Teil 2.0 2"),
        ("c", "Nr. 5 - 12.5.2026", "c-2", "Nr. 5 - 12.5.2026 2"),
        ("d2", "17", "d2-2", "17 2"),
        ("e" * 32, "x" * 40, "e" * 30 + "-2", "x" * 38 + " 2"),
        ("f", "A" * 36 + "👩\u200d👧a", "f-2", "A" * 36 + "👩 2"),
    ],
)
def test_the_next_game_has_the_next_number(
    installation: Installation, db: Database, game: str, name: str, next_id: str, next_name: str
) -> None:
    create.new_game(
        db,
        game=game,
        name=name,
        variant="postal",
        house_rules={},
        gm=("Uli", "uli@example.org"),
        rule=EVERY_SUNDAY,
        now=clock.now(),
    )
    assert once_more.next_name(db, store.games.existing(db, game)) == (next_id, next_name)


def test_who_sat_there_before_sits_there_again_whatever_the_game_master_is_called_by_now(
    over: None, installation: Installation, db: Database, web: Any
) -> None:
    say(web, installation, "Anna", "yes")
    with write(db):
        store.games.update(db, "ackerwinde-2", {"gm_name": "Bert", "seats": 2})
    say(web, installation, "Bert", "yes")
    say(web, installation, "Cem", "yes")
    assert playing(db) == [*CAST]


def test_whoever_played_alone_in_the_end_is_not_the_only_one_there_was(
    over: None, installation: Installation, db: Database, web: Any
) -> None:
    say(web, installation, "Anna", "yes")
    for name in ("Bert", "Cem"):
        seating.forget(db, seat(db, name), clock.now())
    tick(installation)
    assert playing(db) == []
    assert "too few wanted" in words(web.get("/p/ackerwinde?lang=en"))


def test_settings_of_mails_go_on_with_a_seat(
    over: None, installation: Installation, db: Database, web: Any
) -> None:
    kept = {"html": 0, "receipts": 0, "news": 0, "reminder_leads": "[]", "away_from": "2026-12-24"}
    with write(db):
        store.seats.update(db, "ackerwinde", 1, kept)
    for name in CAST:
        say(web, installation, name, "yes")
    anna = seat(db, "Anna", "ackerwinde-2")
    assert {name: getattr(anna, name) for name in kept} == kept


def test_what_the_game_master_opens_is_told_as_what_it_is(
    over: None, installation: Installation, db: Database, web: Any
) -> None:
    say(web, installation, "Bert", "no")
    uli = sign_in(installation, db)
    press(uli, "/desk/game/ackerwinde/play_again")
    assert playing(db) == ["Anna", "Cem"]  # Bert has said no
    create.start_game(db, "ackerwinde-2", clock.now())
    tick(installation)
    starts = [one_game.text_of(mail) for mail in one_game.mails(installation, "start", "Anna")]
    assert not any("goes on from" in text or "weiter:" in text for text in starts)
    assert "“Ackerwinde 2”: Anna and Cem." in words(web.get("/p/ackerwinde?lang=en"))


@pytest.mark.parametrize("archived", [False, True])
def test_after_a_call_off_the_game_master_can_open_it_and_only_then(
    over: None, installation: Installation, db: Database, web: Any, *, archived: bool
) -> None:
    say(web, installation, "Anna", "yes")
    uli = sign_in(installation, db)
    again = ("game", "again", "ackerwinde", "neu")
    with pytest.raises(AssertionError, match="goes on already"):
        one_game.command(installation, *again)
    if archived:
        one_game.command(installation, "game", "archive", "ackerwinde-2")
    for name in ("Bert", "Cem") if not archived else ():
        say(web, installation, name, "no")
    assert press(uli, "/desk/game/ackerwinde/play_again").status_code == 303
    following = next_game(db)
    assert following is not None
    assert (following.id, following.status) == ("ackerwinde-3", "open")
    assert (playing(db), next_playing(db)) == ([], ["Anna", *(["Bert", "Cem"] if archived else [])])


@pytest.mark.file
@pytest.mark.parametrize("copied_with", ["nothing said", "a yes"])
def test_a_game_that_a_restore_lost_is_not_mistaken_for_the_one_that_begins_after_it(
    over: None,
    installation: Installation,
    web: Any,
    frozen_time: Any,
    tmp_path: Any,
    copied_with: str,
) -> None:
    def all_say_yes() -> str:
        for name in CAST:
            with installation.connection() as db:
                number = seat(db, name).link_number
            path = installation.path("seat", "ackerwinde", name, number)
            send(web, f"{path}/again", [("again", "yes"), ("whole", "yes")])
        tick(installation)
        with installation.connection() as db:
            game = next_game(db)
            assert game is not None
            assert game.status == "running"
            return f"{game.id} {[note.kind for note in store.notes.of_round(db, game.id, 1)]}"

    if copied_with == "a yes":
        say(web, installation, "Anna", "yes")
    one_game.command(installation, "backup", str(tmp_path / "copy.db"))
    assert all_say_yes() == "ackerwinde-2 []"
    one_game.command(installation, "restore", "--yes", str(tmp_path / "copy.db"))
    one_game.command(installation, "resume")
    frozen_time.shift(700)
    if copied_with == "a yes":
        assert all_say_yes() == "ackerwinde-2 ['restored']"
    else:
        assert re.fullmatch(r"ackerwinde-2[0-9a-f]{4} \[\]", all_say_yes())


def test_a_damaged_draft_stops_nothing_else(
    over: None, installation: Installation, db: Database, web: Any
) -> None:
    say(web, installation, "Anna", "yes")
    garble(db, "game", "name", "CAST(x'ff' AS TEXT)", "id = 'ackerwinde-2'")
    tick(installation)
    assert web.get(installation.path("seat", "ackerwinde", "Bert", 1)).status_code == 200


def test_whoever_says_yes_too_late_is_told_so(
    over: None, installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    frozen_time.shift(3 * DAY)
    assert "decided already" in words(
        send(
            web,
            f"{installation.path('seat', 'ackerwinde', 'Bert', 1)}/again?lang=en",
            [("again", "yes"), ("whole", "yes")],
        )
    )
