"""All seats of an address behind one mailed link: who gets it, what it opens, and when it dies."""

import re
from typing import Any

import pytest
from msgspec import structs

from gm import clock, restore, store
from gm.clock import DAY, HOUR
from gm.config import Config
from gm.games import create, lead
from gm.games.orders import Refused, save_orders
from gm.installation import Installation
from gm.people import joining, my_games, seating
from gm.service import close_due, submit, tick_mail
from gm.store.db import Database, write
from gm.store.file import backup
from gm.store.seats import Seat
from tests.dates import SUNDAY
from tests.steps import fingerprint, garble, seat_game, send, sent_mails, start, stored_mails, words

ANNA, OTHER = "anna@ackerwinde.example.org", "anna@new.example.org"
LINK = re.compile(r"https?://\S+(/m/[A-Za-z0-9_-]{43})\b")


@pytest.fixture
def both(installation: Installation, db: Database) -> None:
    """Two running games: Anna plays `ackerwinde` and, by the same address, `wicke`; Bert and Cem
    have an address in each.
    """
    seat_game(installation)
    seat_game(installation, "wicke", ("Bert", "Cem"))
    create.add_seat(
        db, installation.link_key, game="wicke", name="Anna", address=ANNA, language="de"
    )
    start(installation)
    start(installation, "wicke")
    with write(db):
        store.games.update(db, "wicke", {"deadline": SUNDAY + DAY})


def ask(web: Any, address: str = ANNA) -> Any:
    return send(web, "/my-games", [("address", address), ("whole", "yes")])


def links(installation: Installation, db: Database) -> list[tuple[str, str]]:
    """(address, path) of every mail with such a link that went out, oldest first."""
    found = [
        (to, LINK.search(text))
        for kind, to, text in sent_mails(installation, db)
        if kind == "my_games"
    ]
    return [(to, path[1]) for to, path in found if path]


def asked(web: Any, installation: Installation, db: Database) -> str:
    assert ask(web).status_code == 303
    return links(installation, db)[-1][1]


def seat(db: Database, game: str = "ackerwinde", name: str = "Anna") -> Seat:
    return seating.seat_named(db, game, name)


def personal(installation: Installation, db: Database, game: str, name: str = "Anna") -> str:
    return installation.path("seat", game, name, seat(db, game, name).link_number)


# ---- who gets it ----


def test_mail_and_page_name_the_same_last_day_and_the_answer_when_to_ask_again(
    both: None, web: Any, installation: Installation, db: Database, frozen_time: Any
) -> None:
    with write(db):
        db.execute("UPDATE seat SET language = 'en'")
    frozen_time.move_to("2026-11-20 23:30:00")  # the next day in Berlin
    answer = ask(web)
    assert "ask for it again after an hour" in words(web.get(answer.headers["Location"]))
    ((_, _, mail),) = [one for one in sent_mails(installation, db) if one[0] == "my_games"]
    path = LINK.search(mail)
    assert path
    day = re.search(r"It works until ([^;.]+)", " ".join(mail.split()))
    assert day
    assert f"It works until {day[1]}." in words(web.get(f"{path[1]}?lang=en"))


def test_the_link_is_mailed_to_the_address_as_the_seat_has_it(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    assert "No account, no password" in words(web.get("/my-games?lang=en"))
    answer = ask(web, ANNA.upper())
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sent/games?lang=en")
    assert "Look into your mailbox" in words(web.get(answer.headers["Location"]))
    ((to, path),) = links(installation, db)
    assert to == ANNA
    ((_, _, text),) = [mail for mail in sent_mails(installation, db) if mail[0] == "my_games"]
    assert "führt zu jeder" in text
    assert "gib ihn nicht weiter" in re.sub(r"\s+", " ", text)
    assert "/z/" not in text
    assert "Deine Partien" in words(web.get(path))


def test_the_answer_tells_nothing_of_an_address(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    known, unknown = ask(web), ask(web, "nobody@example.org")
    assert (known.status_code, known.headers["Location"], known.data) == (
        303,
        unknown.headers["Location"],
        unknown.data,
    )
    assert [to for to, _ in links(installation, db)] == [ANNA]


def test_what_is_no_address_is_said_and_kept(both: None, web: Any, db: Database) -> None:
    answer = ask(web, "anna")
    assert answer.status_code == 422
    assert "is not one plain mail address" in words(answer)
    assert 'value="anna"' in answer.get_data(as_text=True)
    assert send(web, "/my-games", [("address", "x" * 401), ("whole", "yes")]).status_code == 400
    assert send(web, "/my-games", [("address", ANNA)]).status_code == 400
    assert db.execute("SELECT count(*) FROM my_games").fetchone() == (0,)


def test_one_mail_an_hour_and_each_closes_the_page_of_the_one_before(
    both: None, web: Any, installation: Installation, db: Database, frozen_time: Any
) -> None:
    first = asked(web, installation, db)
    ask(web)
    assert len(links(installation, db)) == 1
    frozen_time.shift(HOUR)
    second = asked(web, installation, db)
    assert first != second
    assert web.get(first).status_code == 404
    assert web.get(second).status_code == 200
    frozen_time.shift(90 * DAY - 1)
    assert web.get(second).status_code == 200
    frozen_time.shift(1)
    dead = web.get(second + "?lang=en")
    assert dead.status_code == 404
    assert "works for 90 days" in words(dead)
    assert 'action="/my-games' in dead.get_data(as_text=True)


def test_a_mail_that_waits_is_not_sent_once_another_is_asked(
    both: None, installation: Installation, db: Database, frozen_time: Any
) -> None:
    my_games.send_my_games(db, installation, ANNA, clock.now())
    frozen_time.shift(HOUR)
    my_games.send_my_games(db, installation, ANNA, clock.now())
    assert len(links(installation, db)) == 1


def renewed(web: Any, path: str) -> Any:
    return send(web, f"{path}/renew", [("close", "yes"), ("whole", "yes")])


def test_the_page_itself_mails_another_link_and_is_closed(
    both: None, web: Any, installation: Installation, db: Database, frozen_time: Any
) -> None:
    first = asked(web, installation, db)
    frozen_time.shift(HOUR)
    answer = renewed(web, first)
    assert answer.headers["Location"] == "/sent/games?lang=de"
    assert [web.get(path).status_code for path in (first, links(installation, db)[-1][1])] == [
        404,
        200,
    ]
    assert renewed(web, first).status_code == 404
    assert first != links(installation, db)[-1][1]


def test_the_page_itself_mails_one_link_an_hour_too(
    both: None, web: Any, installation: Installation, db: Database, frozen_time: Any
) -> None:
    first = asked(web, installation, db)
    frozen_time.shift(HOUR - 1)
    answer = renewed(web, first)
    assert answer.status_code == 422
    assert "vor weniger als einer Stunde" in words(answer)
    assert [path for _, path in links(installation, db)] == [first]
    assert web.get(first).status_code == 200
    frozen_time.shift(1)
    renewed(web, first)
    second = links(installation, db)[-1][1]
    for _ in range(3):
        renewed(web, second)
        ask(web)
    assert [path for _, path in links(installation, db)] == [first, second]


def test_a_press_of_every_button_leaves_the_page_open(
    both: None, web: Any, installation: Installation, db: Database, frozen_time: Any
) -> None:
    first = asked(web, installation, db)
    frozen_time.shift(HOUR)
    assert send(web, f"{first}/renew", [("whole", "yes")]).status_code == 422
    assert [path for _, path in links(installation, db)] == [first]
    html = web.get(first).get_data(as_text=True)
    assert '<input type="checkbox" name="close" value="yes" required>' in html


def test_a_new_personal_link_closes_the_page_that_leads_to_it(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    anna = store.seats.of_game(db, "ackerwinde")[0]
    assert anna.address
    my_games.send_my_games(db, installation, anna.address, clock.now())
    link = store.accounts.my_games(db, anna.address)
    assert link is not None
    page = installation.url("my_games", who=link.address, number=link.at)
    assert web.get(page).status_code == 200
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", clock.now())
    assert web.get(page).status_code == 404
    told = next(text for kind, _, text in sent_mails(installation, db) if kind == "link_new")
    assert "Hattest du einen Link zu all deinen Partien, öffnet auch der nichts mehr" in " ".join(
        told.split()
    )


def test_what_an_address_in_other_capitals_follows_is_shown_to_it_alone(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    for address, is_shown in ((ANNA.upper(), False), (ANNA, True)):
        row = {"game": "wicke", "address": address, "language": "en", "at": clock.now()}
        with write(db):
            db.execute("DELETE FROM follower")
            number = store.requests.add_follower(db, row)
            store.requests.update_follower(db, number, {"confirmed_at": clock.now()})
        assert (f"/follow/{number}/" in web.get(asked(web, installation, db)).text) is is_shown


def test_an_address_in_other_capitals_has_a_link_of_its_own(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    """There are servers where these are mailboxes of two people: neither may open the other's
    seats.
    """
    other = ANNA.replace("anna", "ANNA")
    seat_game(installation, "zaunwinde", ())
    create.add_seat(
        db, installation.link_key, game="zaunwinde", name="Anna", address=other, language="en"
    )
    ask(web, ANNA)
    found = dict(links(installation, db))
    assert found.keys() == {ANNA, other}
    pages = {to: words(web.get(path + "?lang=en")) for to, path in found.items()}
    assert ["Wicke" in pages[to] for to in (ANNA, other)] == [True, False]
    assert ["Zaunwinde" in pages[to] for to in (ANNA, other)] == [False, True]
    move(installation, db, "ackerwinde", "anna@third.example.org")
    move(installation, db, "wicke", "anna@third.example.org")
    assert [web.get(found[to]).status_code for to in (ANNA, other)] == [404, 200]


# ---- what it opens ----


def test_every_seat_of_the_address_stands_there_by_deadline(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    path = asked(web, installation, db)
    text = words(web.get(path + "?lang=en"))
    assert "Waiting for you Ackerwinde , Sun 22 November 2026, 20:00 CET" in text
    assert "then: Wicke" in text
    cards = "By deadline Ackerwinde Postal Bohnanza · Anna 10 rounds, about 2 months .* round 1 of 10 .* nothing sent yet .* Wicke .* nothing sent yet"
    assert re.search(cards, text)
    html = web.get(path).get_data(as_text=True)
    for game in ("ackerwinde", "wicke"):
        assert f'href="{personal(installation, db, game)}?lang=de"' in html
        assert web.get(personal(installation, db, game)).status_code == 200
    for name in ("Bert", "Cem"):
        assert personal(installation, db, "wicke", name) not in html


def test_what_is_in_is_told_and_what_waits_comes_first(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    path = asked(web, installation, db)
    save_orders(db, store.games.existing(db, "ackerwinde"), seat(db), "1>A")
    text = words(web.get(path + "?lang=en"))
    assert "Waiting for you Wicke" in text
    assert "✓ version 1 is in" in text
    assert "1&gt;A" not in text
    save_orders(db, store.games.existing(db, "wicke"), seat(db, "wicke"), "pass")
    assert "✓ Nothing is waiting for you." in words(web.get(path + "?lang=en"))


def test_the_rank_is_by_talers_and_nobody_has_one_while_all_have_the_same(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    path = asked(web, installation, db) + "?lang=en"
    assert "rank" not in words(web.get(path))
    table = store.rounds.open_table(db, store.games.existing(db, "ackerwinde"))
    anna, bert, cem = table.farms
    farms = {
        "farms": (
            structs.replace(anna, talers=2),
            structs.replace(bert, talers=5),
            structs.replace(cem, talers=2),
        )
    }
    with write(db):
        state = (
            store.games.existing(db, "ackerwinde")
            .engine.storage.pack(structs.replace(table, **farms))
            .decode()
        )
        db.execute("UPDATE round SET state = ? WHERE number = 0", [state])
    assert "round 1 of 10, rank 2" in words(web.get(path))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"status": "paused", "paused_at": 1}, "paused the GM will tell how it goes on"),
        ({"status": "held", "error": "silence"}, "held the GM will tell how it goes on"),
        ({"deadline": 1}, "being closed the report follows by mail"),
        ({"awaited": '["Bert"]'}, "not your turn waiting for Bert"),
    ],
)
def test_a_game_that_waits_for_nothing_of_mine_says_why(
    both: None,
    web: Any,
    installation: Installation,
    db: Database,
    changed: dict[str, object],
    told: str,
) -> None:
    path = asked(web, installation, db)
    with write(db):
        store.games.update(db, "ackerwinde", changed)
    text = words(web.get(path + "?lang=en"))
    assert told in text
    assert "Waiting for you Wicke" in text


def test_a_game_before_the_start_asks_whether_one_is_there(
    web: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation)
    path = asked(web, installation, db)
    assert "not started yet your seat is safe" in words(web.get(path + "?lang=en"))
    joining.ask_who_is_there(db, "ackerwinde", clock.now())
    assert "Ackerwinde : are you there?" in words(web.get(path + "?lang=en"))


def test_a_finished_game_leads_to_its_page_and_no_seat(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    path = asked(web, installation, db)
    lead.abort(db, "wicke", "", clock.now())
    lead.abort(db, "ackerwinde", "", clock.now())
    html = web.get(path + "?lang=en").get_data(as_text=True)
    assert "You have no seat in a game that is not over." in html
    assert 'href="/p/wicke?lang=en"' in html
    assert "/z/" not in html


def test_a_game_that_cannot_be_read_hides_no_other(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    path = asked(web, installation, db)
    garble(db, "game", "gm_name", "CAST(x'ff' AS TEXT)", "id = 'ackerwinde'")
    text = words(web.get(path + "?lang=en"))
    assert "Waiting for you Wicke" in text
    assert "Ackerwinde" not in text


def test_reading_the_page_changes_nothing_and_no_cache_keeps_it(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    path = asked(web, installation, db)
    before = fingerprint(installation)
    answer = web.get(path)
    web.head(path)
    assert fingerprint(installation) == before
    assert (answer.headers["Cache-Control"], answer.headers["X-Robots-Tag"]) == (
        "no-store",
        "noindex",
    )
    assert answer.headers["Referrer-Policy"] == "same-origin"


# ---- each link opens what it is for ----


def test_no_kind_of_link_opens_the_door_of_another(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    token = asked(web, installation, db).removeprefix("/m/")
    for door in (
        f"/z/{token}",
        f"/z/{token}/mail",
        f"/u/{token}",
        f"/c/{token}.ics",
        f"/p/ackerwinde.{token}",
    ):
        assert web.get(door).status_code == 404
    assert (
        web.get(
            "/api/v1/games/ackerwinde/seat",
            headers={"Authorization": f"Bearer ackerwinde.1.{token}"},
        ).status_code
        == 401
    )
    base = installation.config.base_url
    seats = [
        installation.url("seat", "ackerwinde", "Anna", 1),
        installation.url("calendar", "ackerwinde", "Anna", 1).removesuffix(".ics"),
    ]
    seats.append(installation.url("unsubscribe", "ackerwinde", "Anna", 1))
    for other in seats:
        assert web.get(f"/m/{other.removeprefix(base)[3:]}").status_code == 404


def test_no_report_receipt_or_reminder_carries_the_link(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    path = asked(web, installation, db)
    save_orders(db, store.games.existing(db, "ackerwinde"), seat(db), "1>A")
    tick_mail(installation, clock.now())
    close_due(db, Config(), SUNDAY)
    told = [(kind, text) for kind, _, text in sent_mails(installation, db) if kind != "my_games"]
    assert {"start", "report", "receipt"} <= {kind for kind, _ in told}
    for kind, text in told:
        assert "/m/" not in text, kind
        if kind in ("start", "report", "receipt"):
            assert "/my-games?lang=" in text, kind
    assert web.get(path).status_code == 200


def test_press_with_the_link_in_it_is_refused(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    link = installation.config.base_url + asked(web, installation, db)
    with pytest.raises(Refused) as refused:
        submit(
            db,
            store.games.existing(db, "ackerwinde"),
            seat(db),
            1,
            "pass",
            press=f"Look: {link}",
            by="seat",
        )
    assert [(name, problem.code) for name, problem in refused.value.found] == [("press", "KEY")]


def test_what_is_stored_of_the_address_names_the_link(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    data = personal(installation, db, "ackerwinde") + "/data?lang=en"
    assert "A link to all games" not in words(web.get(data))
    path = asked(web, installation, db)
    answer = web.get(data)
    assert "A link to all games of your address was mailed on Fri 20 November 2026" in words(answer)
    assert path not in answer.get_data(as_text=True)
    assert "wicke" not in answer.get_data(as_text=True).casefold()


# ---- seats that go elsewhere ----


def move(installation: Installation, db: Database, game: str, to: str = OTHER) -> None:
    seating.change_address(db, installation.link_key, game, "Anna", to, clock.now())


def replace(installation: Installation, db: Database, game: str) -> None:
    seating.replace_player(
        db,
        installation.link_key,
        game,
        "Anna",
        player="Dörte",
        address="doerte@example.org",
        language="de",
        keep_orders=True,
        reason="",
        now=clock.now(),
    )


def remove(installation: Installation, db: Database, game: str) -> None:
    seating.remove_seat(db, game, "Anna", "", clock.now())


def forget(installation: Installation, db: Database, game: str) -> None:
    seating.forget(db, seat(db, game), clock.now())


@pytest.mark.parametrize("leave", [move, replace, remove, forget])
def test_a_seat_that_left_the_address_is_not_behind_its_link_and_with_the_last_one_the_link_dies(
    both: None, web: Any, installation: Installation, db: Database, leave: Any
) -> None:
    path = asked(web, installation, db)
    leave(installation, db, "ackerwinde")
    html = web.get(path + "?lang=en").get_data(as_text=True)
    assert "Wicke" in html
    assert "Ackerwinde" not in html
    assert f"/z/{installation.url('seat', 'ackerwinde', 'Anna', 2).rpartition('/')[2]}" not in html
    leave(installation, db, "wicke")
    assert web.get(path).status_code == 404
    assert db.execute("SELECT count(*) FROM my_games").fetchone() == (0,)
    (told,) = stored_mails(db, "kind = 'my_games'")
    assert (told.address, told.bytes) == ("", None)
    setup_again(installation, db)
    assert web.get(path).status_code == 404  # the address has a seat again, and has not asked again


def setup_again(installation: Installation, db: Database) -> None:
    seat_game(installation, "zaunwinde", ())
    create.add_seat(
        db, installation.link_key, game="zaunwinde", name="Anna", address=ANNA, language="de"
    )


def test_a_seat_given_up_before_the_start_takes_the_link_with_it(
    web: Any, installation: Installation, db: Database
) -> None:
    seat_game(installation)
    path = asked(web, installation, db)
    forget(installation, db, "ackerwinde")
    assert web.get(path).status_code == 404


def test_the_new_address_opens_the_seat_by_a_link_of_its_own(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    old = asked(web, installation, db)
    move(installation, db, "ackerwinde")
    ask(web, OTHER)
    to, new = links(installation, db)[-1]
    assert to == OTHER
    assert "Ackerwinde" in words(web.get(new))
    assert "Wicke" not in words(web.get(new))
    assert "Ackerwinde" not in words(web.get(old))


def test_a_mail_not_yet_sent_goes_nowhere_once_the_address_has_no_seat(
    both: None, installation: Installation, db: Database
) -> None:
    my_games.send_my_games(db, installation, ANNA, clock.now())
    for game in ("ackerwinde", "wicke"):
        move(installation, db, game)
    assert links(installation, db) == []


def test_a_restore_brings_no_such_link_back(
    both: None, web: Any, installation: Installation, db: Database, tmp_path: Any
) -> None:
    path = asked(web, installation, db)
    backup.make(db, tmp_path / "copy.db", clock.now())
    db.close()
    restore.restore(
        installation.database,
        installation.link_key,
        tmp_path / "copy.db",
        clock.now(),
        installation.home,
    )
    assert web.get(path).status_code == 404


# ---- absence, once for all ----


def test_an_absence_is_kept_for_every_seat(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    path = asked(web, installation, db)
    days = [("away_from", "24.12.2026"), ("away_to", "2. Januar 2027"), ("whole", "yes")]
    answer = send(web, f"{path}/away", days)
    assert answer.status_code == 303
    html = web.get(answer.headers["Location"]).get_data(as_text=True)
    assert "✓ Gespeichert." in html
    assert 'value="2026-12-24"' in html
    for game in ("ackerwinde", "wicke"):
        assert (seat(db, game).away_from, seat(db, game).away_to) == ("2026-12-24", "2027-01-02")


@pytest.mark.parametrize(
    "days", [("tomorrow", "later"), ("2026-12-24", "2026-12-01"), ("2026-12-24", "")]
)
def test_days_that_are_none_are_given_back_and_change_nothing(
    both: None, web: Any, installation: Installation, db: Database, days: tuple[str, str]
) -> None:
    path = asked(web, installation, db)
    answer = send(
        web,
        f"{path}/away?lang=en",
        [("away_from", days[0]), ("away_to", days[1]), ("whole", "yes")],
    )
    assert answer.status_code == 422
    assert f'value="{days[0]}"' in answer.get_data(as_text=True)
    assert "Your games" in words(answer)
    assert [seat(db, game).away_from for game in ("ackerwinde", "wicke")] == [None, None]


def test_a_damaged_form_changes_nothing(
    both: None, web: Any, installation: Installation, db: Database
) -> None:
    path = asked(web, installation, db)
    assert send(web, f"{path}/away", [("whole", "yes")]).status_code == 400
    assert send(web, f"{path}/renew", []).status_code == 400
    assert web.get(path).status_code == 200


# ---- the receipt ----


def receipt(installation: Installation, db: Database) -> str:
    return re.sub(
        r"\s+",
        " ",
        next(text for kind, _, text in reversed(sent_mails(installation, db)) if kind == "receipt"),
    )


def test_the_receipt_names_the_next_game_that_waits_and_no_link_to_it(
    both: None, installation: Installation, db: Database
) -> None:
    save_orders(db, store.games.existing(db, "ackerwinde"), seat(db), "1>A")
    text = receipt(installation, db)
    assert "Als Nächstes wartet auf dich: Wicke, Mo., 23. November 2026, 20:00 Uhr MEZ." in text
    assert personal(installation, db, "wicke") not in text
    save_orders(db, store.games.existing(db, "wicke"), seat(db, "wicke"), "pass")
    assert "Als Nächstes" not in receipt(installation, db)


def test_the_receipt_names_no_game_of_an_address_that_the_seat_went_to(
    both: None, installation: Installation, db: Database
) -> None:
    """It goes to who sent the list, and that address has no other game."""
    with write(db):
        store.games.update(db, "ackerwinde", {"deadline": SUNDAY + 2 * DAY})
    save_orders(db, store.games.existing(db, "wicke"), seat(db, "wicke", "Bert"), "pass")
    seating.change_address(
        db, installation.link_key, "wicke", "Bert", "bert@ackerwinde.example.org", clock.now()
    )
    told = [(to, text) for kind, to, text in sent_mails(installation, db) if kind == "receipt"]
    assert [to for to, _ in told] == ["bert@wicke.example.org"]
    assert "Waiting for you next" not in told[0][1]
    assert "Ackerwinde" not in told[0][1]


def test_a_game_that_cannot_be_read_costs_the_receipt_nothing_else(
    both: None, installation: Installation, db: Database
) -> None:
    save_orders(db, store.games.existing(db, "ackerwinde"), seat(db), "1>A")
    garble(db, "game", "gm_name", "CAST(x'ff' AS TEXT)", "id = 'wicke'")
    text = receipt(installation, db)
    assert "1>A" in text
    assert "Als Nächstes" not in text
