"""Following by mail without a seat: asked for, confirmed, read, ended by one click; never a
personal link, never unasked.
"""

import re
from email import message_from_bytes, policy
from typing import Any

import pytest

from gm import clock, restore, store
from gm.clock import DAY, HOUR
from gm.config import Config
from gm.deadline.rollback import rollback
from gm.errors import Refusal
from gm.games import create, lead
from gm.installation import Installation
from gm.mail import writing
from gm.people import following, joining, my_games, seating
from gm.rendering.reports import report
from gm.rendering.zine import round_text, round_words
from gm.service import close_due, tick_mail, tidy_up
from gm.store.db import Database, write
from gm.store.file import backup
from gm.store.games import Game
from tests.dates import EVERY_SUNDAY, SUNDAY
from tests.postbox import Postbox, send_due
from tests.steps import seat_game, send, sent_mails, smtp, trace, words, write_all

DOERTE = "doerte@example.org"
GAME, OPENS = "/p/ackerwinde/follow?lang=en", "/opens?lang=en"
BUTTON = re.compile(r"https?://[^/\s]+(/follow/\d+/\S+)")


def ask(web: Any, door: str = GAME, address: str = DOERTE) -> Any:
    return send(web, door, [("address", address), ("whole", "yes")])


def button(installation: Installation, db: Database) -> str:
    """The path in the newest mail with a button."""
    texts = [text for kind, _, text in sent_mails(installation, db) if kind == "follow"]
    found = BUTTON.search(texts[-1])
    assert found
    return found[1]


def press(web: Any, path: str) -> Any:
    return send(web, path, [("mine", "yes"), ("whole", "yes")])


def follows(
    web: Any, installation: Installation, db: Database, door: str = GAME, address: str = DOERTE
) -> str:
    """Somebody asked and confirmed; the path of their page."""
    ask(web, door, address)
    path = button(installation, db)
    assert press(web, path).status_code == 200
    return path


def told(installation: Installation, db: Database, kind: str) -> list[tuple[str, str]]:
    return [(to, text) for found, to, text in sent_mails(installation, db) if found == kind]


def mailed_buttons(db: Database) -> int:
    (number,) = db.execute("SELECT count(*) FROM mail WHERE kind = 'follow'").fetchone()
    return int(number)


def whole_mails(installation: Installation, kind: str) -> list[Any]:
    found = [
        message_from_bytes(file.read_bytes(), policy=policy.default)
        for file in sorted(installation.mail_folder.glob("*.eml"))
    ]
    return [mail for mail in found if mail["Message-ID"].startswith(f"<{kind}.")]


def new_game(db: Database, game: str, **options: Any) -> None:
    """A draft."""
    create.new_game(
        db,
        game=game,
        name=game.capitalize(),
        variant="postal",
        house_rules={},
        gm=("Uli", "uli@example.org"),
        rule=EVERY_SUNDAY,
        now=clock.now(),
        **options,
    )


# ---- asking and confirming ----


def test_reports_come_to_who_asked_and_pressed_the_button(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    page = web.get("/p/ackerwinde?lang=en").get_data(as_text=True)
    assert f'action="{GAME}"' in page
    answer = ask(web)
    assert answer.headers["Location"] == "/sent/follow?lang=en"
    assert "one with a button is on its way" in words(web.get(answer.headers["Location"]))
    path = button(installation, db)
    for _ in range(2):  # scanners open every link
        assert "One press, and the mails come" in words(web.get(path))
    assert send(web, path, [("whole", "yes")]).status_code == 422  # and some press every button
    assert store.requests.followers(db, "ackerwinde") == []
    assert "✓ It is set." in words(press(web, path))
    assert press(web, path).status_code == 200
    assert "You follow Ackerwinde" in words(web.get(path))
    close_due(db, Config(), SUNDAY)
    ((to, text),) = told(installation, db, "follow_report")
    assert to == DOERTE
    assert "Ackerwinde" in text


def test_without_the_button_nothing_more_comes(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    ask(web)
    close_due(db, Config(), SUNDAY)
    new_game(db, "wicke")
    create.open_game(db, "wicke")
    assert told(installation, db, "follow_report") == told(installation, db, "opened") == []


def test_the_answer_does_not_tell_whether_somebody_follows(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    follows(web, installation, db)
    again, other = ask(web), ask(web, address="nobody@example.org")
    assert (again.status_code, again.headers["Location"], again.data) == (
        303,
        other.headers["Location"],
        other.data,
    )
    assert [to for to, _ in told(installation, db, "follow")] == [DOERTE, "nobody@example.org"]


@pytest.mark.parametrize("door", [GAME, OPENS])
def test_what_is_no_address_is_said_and_kept(
    web: Any, ackerwinde: Game, db: Database, door: str
) -> None:
    answer = ask(web, door, "doerte")
    assert answer.status_code == 422
    assert "is not one plain mail address" in words(answer)
    assert 'value="doerte"' in answer.get_data(as_text=True)
    assert send(web, door, [("address", DOERTE)]).status_code == 400
    assert send(web, door, [("address", "x" * 401), ("whole", "yes")]).status_code == 400
    assert db.execute("SELECT count(*) FROM follower").fetchone() == (0,)


@pytest.mark.parametrize(
    "changed",
    [
        {"listed": 0},
        {"status": "draft", "deadline": None},
        {"status": "finished", "deadline": None},
    ],
)
def test_only_a_public_game_that_is_not_over_can_be_followed(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, changed: dict[str, object]
) -> None:
    with write(db):
        store.games.update(db, "ackerwinde", changed)
    key = installation.place(store.games.existing(db, "ackerwinde"))
    for place in ("ackerwinde", key, "nothing"):
        assert web.get(f"/p/{place}/follow").status_code == 404
        assert ask(web, f"/p/{place}/follow").status_code == 404
    page = web.get(f"/p/{key}")
    assert page.status_code == (404 if changed.get("status") == "draft" else 200)
    assert b"/follow" not in page.data


def test_a_button_works_for_seven_days(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    ask(web)
    path = button(installation, db)
    frozen_time.shift(7 * DAY + 1)
    answer = press(web, path)
    assert answer.status_code == 409
    assert "This button has expired" in words(answer)
    tidy_up(installation, clock.now())
    assert db.execute("SELECT count(*) FROM follower").fetchone() == (0,)
    assert db.execute("SELECT address FROM mail WHERE kind = 'follow'").fetchall() == [("",)]
    assert web.get(path).status_code == 404


def test_links_of_others_prove_nothing(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    path = follows(web, installation, db)
    follows(web, installation, db, address="emil@example.org")
    token = path.rpartition("/")[2]
    for door in (
        f"/follow/2/{token}",
        f"/u/follow/2/{token}",
        f"/z/{token}",
        f"/m/{token}",
        f"/u/{token}",
        f"/j/1/{token}",
    ):
        assert web.get(door).status_code == 404, door
    assert web.post(f"/u/follow/2/{token}").status_code == 404
    assert len(store.requests.followers(db, "ackerwinde")) == 2


# ---- what comes ----


def test_the_report_is_the_public_one_and_has_no_link_that_opens_a_seat(
    web: Any, installation: Installation, ackerwinde: Game, link: dict[str, str], db: Database
) -> None:
    follows(web, installation, db)
    close_due(db, Config(), SUNDAY)
    ((_, text),) = told(installation, db, "follow_report")
    game = store.games.existing(db, "ackerwinde")
    public = round_text(db, installation, game, report(db, game, 1), "en")
    assert public.split() == text[: text.index("This round step by step:")].split()
    for secret in (
        "/z/",
        "/m/",
        "/u/ackerwinde",
        "api",
        *(path.removeprefix("/z/") for path in link.values()),
    ):
        assert secret not in text
    (mail,) = whole_mails(installation, "follow_report")
    assert mail["Subject"].startswith("Ackerwinde, round 1: ")
    assert "Reply-To" not in mail
    assert len(re.findall(r"http\S+", text)) == len(re.findall(r"http\S+", public)) + 2


def test_the_report_is_written_once_for_all_who_read_a_language(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    db: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("doerte", "emil", "frieda"):
        follows(web, installation, db, address=f"{name}@example.org")
    follows(web, installation, db, "/p/ackerwinde/follow?lang=de", "gustav@example.org")
    written = []

    def counted(*values: Any) -> dict[str, Any]:
        written.append(values[-1])
        return round_words(*values)

    monkeypatch.setattr("gm.mail.to_followers.round_words", counted)
    close_due(db, Config(), SUNDAY)
    texts = dict(told(installation, db, "follow_report"))
    assert sorted(written) == ["de", "en"]
    assert len(texts) == 4
    assert "Du liest diese Partie per Mail mit" in texts["gustav@example.org"]
    stops = {re.findall(r"/u/follow/\d+/\S+", text)[0] for text in texts.values()}
    assert len(stops) == 4


def test_a_round_that_is_played_again_comes_again(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    follows(web, installation, db)
    close_due(db, Config(), SUNDAY)
    rollback(db, "ackerwinde", 1, "a mistake", SUNDAY)
    assert told(installation, db, "follow_report") == []  # it was not sent yet
    deadline = store.games.existing(db, "ackerwinde").deadline
    assert deadline is not None
    close_due(db, Config(), deadline)
    tick_mail(installation, deadline)
    assert len(whole_mails(installation, "follow_report")) == 1


def test_who_follows_is_told_the_end_and_forgotten_a_month_later(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    follows(web, installation, db)
    while (game := store.games.existing(db, "ackerwinde")).status != "finished":
        assert game.deadline
        frozen_time.move_to(game.deadline)
        close_due(db, Config(), game.deadline)
    tick_mail(installation, clock.now())
    assert len(whole_mails(installation, "follow_report")) == 10
    tidy_up(installation, clock.now() + 29 * DAY)
    assert len(store.requests.followers(db, "ackerwinde")) == 1
    tidy_up(installation, clock.now() + 31 * DAY)
    assert store.requests.followers(db, "ackerwinde") == []
    assert db.execute("SELECT count(*) FROM mail WHERE address = ?", [DOERTE]).fetchone() == (0,)


def test_each_game_that_opens_is_told_once_and_a_private_one_never(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    assert 'href="/opens?lang=en"' in web.get("/?lang=en").get_data(as_text=True)
    follows(web, installation, db, OPENS)
    for name, listed in (("wicke", True), ("geheim", False)):
        new_game(db, name, listed=listed, seats=4)
        create.open_game(db, name)
    ((to, text),) = told(installation, db, "opened")
    assert to == DOERTE
    assert "the game Wicke takes players now: Bohnanza by mail." in text
    assert "/p/wicke/join?lang=en" in text
    close_due(db, Config(), SUNDAY)
    assert told(installation, db, "follow_report") == []


def test_a_mail_about_no_game_names_none(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    new_game(db, "silberdistel", listed=False)
    create.open_game(db, "silberdistel")
    ask(web, OPENS)
    tick_mail(installation, SUNDAY)
    (mail,) = whole_mails(installation, "follow")
    assert mail["From"] == "Bohnenpost <bohnenpost@localhost>"
    assert mail["Subject"] == "Please confirm: a mail when a game opens"
    assert not {"Reply-To", "In-Reply-To", "References"} & set(mail)
    assert b"silberdistel" not in mail.as_bytes().lower()
    assert b"uli@" not in mail.as_bytes()


def test_who_waits_for_the_first_game_of_all_can_ask_to_be_told(
    web: Any, installation: Installation, db: Database
) -> None:
    assert ask(web, OPENS).status_code == 303
    tick_mail(installation, clock.now())
    (mail,) = whole_mails(installation, "follow")
    assert mail["Subject"] == "Please confirm: a mail when a game opens"
    assert mail["In-Reply-To"] is None


# ---- the end of it ----


@pytest.mark.parametrize("door", [GAME, OPENS])
def test_one_click_ends_it_and_nothing_is_kept(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, door: str
) -> None:
    follows(web, installation, db, door)
    close_due(db, Config(), SUNDAY)
    new_game(db, "wicke")
    create.open_game(db, "wicke")
    tick_mail(installation, SUNDAY)
    (mail,) = whole_mails(installation, "follow_report") + whole_mails(installation, "opened")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = mail["List-Unsubscribe"].strip("<>").removeprefix(installation.config.base_url)
    assert stop in mail.get_body(("plain",)).get_content()
    assert "End these mails" in words(web.get(stop + "?lang=en"))
    assert web.get(stop).status_code == 200  # reading changes nothing
    answer = web.post(
        stop + "?lang=en",
        data="List-Unsubscribe=One-Click",
        content_type="application/x-www-form-urlencoded",
    )
    assert "No more mails" in words(answer)
    assert db.execute("SELECT count(*) FROM follower").fetchone() == (0,)
    assert db.execute("SELECT count(*) FROM mail WHERE address = ?", [DOERTE]).fetchone() == (0,)
    gone = web.get(stop + "?lang=en")
    assert gone.status_code == 404
    assert "Perhaps these mails were ended before" in words(gone)


def test_a_press_of_every_button_forgets_no_address(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    ask(web)
    path = button(installation, db)
    page = web.get(path).get_data(as_text=True)
    assert '<input type="checkbox" name="forget" value="yes" required>' in page
    for fields in ([], [("whole", "yes")]):
        answer = send(web, f"/u{path}?lang=en", fields)
        assert (answer.status_code, "Forget this address now" in words(answer)) == (422, True)
    assert press(web, path).status_code == 200


@pytest.mark.parametrize(
    "fields", [[("forget", "yes"), ("whole", "yes")], [("List-Unsubscribe", "One-Click")]]
)
def test_who_never_asked_is_forgotten_by_the_box_or_one_click(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    db: Database,
    fields: list[tuple[str, str]],
) -> None:
    ask(web)
    answer = send(web, f"/u{button(installation, db)}?lang=en", fields)
    assert "No more mails" in words(answer)
    assert db.execute("SELECT count(*) FROM follower").fetchone() == (0,)


@pytest.mark.file
def test_the_worker_writes_nothing_while_nobody_is_to_be_forgotten(
    web: Any, ackerwinde: Game, db: Database
) -> None:
    ask(web)
    said: list[str] = []
    trace(db, said.append)
    following.forget_stale(db, clock.now())
    assert [sql for sql in said if sql.startswith("BEGIN")] == []
    following.forget_stale(db, clock.now() + DAY)
    trace(db, None)
    assert [sql for sql in said if sql.startswith("BEGIN")] == ["BEGIN IMMEDIATE"]


def test_a_mail_that_waits_is_not_sent_to_who_ended_it(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    follows(web, installation, db)
    close_due(db, Config(), SUNDAY)
    following.stop(db, 1, SUNDAY)
    assert told(installation, db, "follow_report") == []


def test_an_address_that_refuses_follows_no_more_and_no_game_master_hears_of_it(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    db: Database,
    postbox: tuple[Postbox, int],
) -> None:
    follows(web, installation, db)
    close_due(db, Config(), SUNDAY)
    box, port = postbox
    box.answers[DOERTE] = ["550 5.1.1 no such user"]
    write_all(db, installation)
    with smtp(installation, port) as transport:
        while send_due(db, transport, SUNDAY):
            pass
    assert DOERTE not in [to for to, _ in box.mails]
    assert store.requests.followers(db, "ackerwinde") == []
    assert db.execute("SELECT count(*) FROM mail WHERE kind = 'refused'").fetchone() == (0,)
    assert db.execute(
        "SELECT count(*) FROM mail WHERE failed_at IS NOT NULL AND withdrawn_at IS NULL"
    ).fetchone() == (0,)


def test_who_leaves_a_game_follows_it_no_more(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    anna = store.seats.of_game(db, "ackerwinde")[0]
    assert anna.address
    follows(web, installation, db, address=anna.address.upper())
    follows(web, installation, db, OPENS, anna.address)
    seating.forget(db, anna, clock.now())
    assert [one.game for one in store.requests.followings_of(db, anna.address)] == [None]


def test_who_leaves_a_game_is_told_what_is_followed_still_and_how_it_ends(
    web: Any, ackerwinde: Game, link: dict[str, str]
) -> None:
    data = f"{link['Anna']}/data?lang=en"
    told = "What your address follows by mail is stored too: the reports of games, and that you are told when one opens."
    assert told in words(web.get(data))
    assert "Leaving ends it for this game alone." in words(web.get(data))
    left = words(send(web, data, [("confirm", "Anna"), ("whole", "yes")]))
    assert (
        "What else your address follows by mail goes on: a link in each of these mails ends it."
        in left
    )


def test_all_that_an_address_follows_stands_on_its_page_of_games(
    web: Any, installation: Installation, ackerwinde: Game, db: Database
) -> None:
    anna = store.seats.of_game(db, "ackerwinde")[0]
    assert anna.address
    path = follows(web, installation, db, OPENS, anna.address)
    my_games.send_my_games(db, installation, anna.address, clock.now())
    link = store.accounts.my_games(db, anna.address)
    assert link is not None
    page = web.get(
        installation.url("my_games", who=link.address, number=link.at) + "?lang=en"
    ).get_data(as_text=True)
    assert f'<a href="{path}?lang=en">Whenever a game opens</a>' in page


def test_a_restore_does_not_bring_back_who_has_ended_it(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, tmp_path: Any
) -> None:
    follows(web, installation, db)
    follows(web, installation, db, address="emil@example.org")
    backup.make(db, tmp_path / "copy.db", clock.now())
    following.stop(db, 1, clock.now())
    db.close()
    restore.restore(
        installation.database,
        installation.link_key,
        tmp_path / "copy.db",
        clock.now(),
        installation.home,
    )
    with installation.connection() as restored:
        assert [one.address for one in store.requests.followers(restored, "ackerwinde")] == [
            "emil@example.org"
        ]


# ---- limits ----


def test_a_mailbox_is_written_to_three_times_an_hour_however_it_is_spelled(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    seat_game(installation, "wicke")
    joining.request_seat(db, "wicke", "Dörte", "doer.te@example.org", "en", clock.now())
    for address in (
        "doerte+1@example.org",
        "doerte+1@example.org",
        "doerte+2@example.org",
        "doerte+3@example.org",
    ):
        assert ask(web, address=address).status_code == 303
    assert [to for to, _ in told(installation, db, "follow")] == [
        "doerte+1@example.org",
        "doerte+2@example.org",
    ]
    frozen_time.shift(HOUR)
    ask(web, address="doerte+1@example.org")
    assert len(told(installation, db, "follow")) == 3


def test_no_more_than_so_many_unconfirmed_addresses_an_hour(
    web: Any, ackerwinde: Game, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(joining.MOST_UNCONFIRMED, "follow", 2)
    answers = [
        ask(web, address=f"{name}@example.org").status_code for name in ("doerte", "emil", "frieda")
    ]
    assert answers == [303, 303, 422]


def test_an_address_that_is_forgotten_at_once_is_still_written_to_three_times_an_hour(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    for _ in range(4):
        ask(web, address="Doer.te+1@example.org")
        if asked := store.requests.followings_of(db, "Doer.te+1@example.org"):
            following.stop(db, asked[0].id, clock.now())
        frozen_time.shift(1)
    assert mailed_buttons(db) == 3
    ask(web)
    assert mailed_buttons(db) == 3
    frozen_time.shift(HOUR)
    ask(web)
    assert mailed_buttons(db) == 4


def test_addresses_that_refuse_count_as_unconfirmed(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    db: Database,
    postbox: tuple[Postbox, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(joining.MOST_UNCONFIRMED, "follow", 2)
    follows(web, installation, db)  # whoever confirms does not count
    box, port = postbox
    for number, status in enumerate([303, 303, 422]):
        address = f"nobody{number}@example.org"
        box.answers[address] = ["550 5.1.1 no such user"]
        assert ask(web, address=address).status_code == status
        write_all(db, installation)
        with smtp(installation, port) as transport:
            while send_due(db, transport, clock.now()):
                pass
        assert store.requests.followings_of(db, address) == []


def test_what_counts_the_mails_to_a_mailbox_is_kept_for_an_hour(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, frozen_time: Any
) -> None:
    ask(web)
    following.stop(db, 1, clock.now())
    (of_mailbox,) = db.execute("SELECT mailbox FROM mail WHERE kind = 'follow'").fetchone()
    assert of_mailbox
    frozen_time.shift(HOUR - 1)
    tidy_up(installation, clock.now())
    assert db.execute("SELECT mailbox FROM mail WHERE kind = 'follow'").fetchone() == (of_mailbox,)
    frozen_time.shift(1)
    tidy_up(installation, clock.now())
    assert db.execute("SELECT mailbox FROM mail WHERE kind = 'follow'").fetchone() == (None,)


def test_no_more_than_so_many_follow(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    db: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(following, "MOST_FOLLOWERS", 1)
    path = follows(web, installation, db)
    ask(web, address="emil@example.org")
    answer = press(web, button(installation, db))
    assert answer.status_code == 409
    assert "So many follow already" in words(answer)
    assert press(web, path).status_code == 200  # who follows already goes on


def test_a_request_that_is_gone_is_not_confirmed(web: Any, ackerwinde: Game, db: Database) -> None:
    ask(web)
    asked = store.requests.follower(db, 1)
    assert asked is not None
    following.stop(db, 1, clock.now())
    with pytest.raises(Refusal, match="expired_follow"):
        following.confirm(db, asked, clock.now())


def test_a_fault_in_one_mail_costs_no_other_its_words(
    web: Any,
    installation: Installation,
    ackerwinde: Game,
    db: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    follows(web, installation, db)

    def broken(*_: Any) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setitem(writing.WRITERS, "follow_report", broken)
    close_due(db, Config(), SUNDAY)
    ((_, text),) = told(installation, db, "follow_report")
    assert "/p/ackerwinde" in text
    assert "/z/" not in text
    assert len(told(installation, db, "report")) == 3


def test_an_aborted_game_is_followed_no_more(web: Any, ackerwinde: Game, db: Database) -> None:
    lead.abort(db, "ackerwinde", "", clock.now())
    assert ask(web).status_code == 404
