"""One act on several games: each game by itself, one mail to each person, once whatever crashes."""

import re
from datetime import date
from typing import Any

import msgspec
import pytest
from icalendar import Calendar

from gm import store
from gm.clock import DAY, HOUR
from gm.errors import Refusal
from gm.games import changes, lead, several
from gm.games.reminding import remind_now
from gm.games.several import Asked, Sender, ask, foresee, go_on, outcomes, undo
from gm.installation import Installation
from gm.mail import sending
from gm.mail.transports import PermanentFailure, TemporaryFailure
from gm.open_round import standing
from gm.people import seating
from gm.service import submit, tick, tick_mail
from gm.store.db import Database, write
from tests.dates import NOW, SUNDAY
from tests.steps import (
    bohnenpost,
    dump_of,
    parsed,
    plain_text,
    seat_game,
    start,
    stored_mails,
    write_all,
)

GAMES = ("ackerwinde", "feuerbohne", "saubohne", "kidneybohne")
ULI = Sender("uli@example.org", "Uli")
WEEK_LATER = Asked("later", days=7, words="I am away.")


@pytest.fixture
def club(installation: Installation, db: Database) -> tuple[str, ...]:
    """Four games of each kind that have begun. Anna has one address in all of them, Bert another
    one in each.
    """
    for game, variant in zip(GAMES, ("postal", "duel", "classic", "mutabohn"), strict=True):
        seat_game(
            installation, game, ("Anna", "Bert", "Cem")[: 2 if variant == "duel" else 3], variant
        )
        start(installation, game)
    with write(db):
        db.execute("UPDATE seat SET address = 'anna@example.org' WHERE name = 'Anna'")
        db.execute("DELETE FROM mail_bytes")
        db.execute("DELETE FROM mail")
    return GAMES


def games(db: Database) -> dict[str, Any]:
    return {game: store.games.existing(db, game) for game in GAMES}


def asked(db: Database, what: Asked = WEEK_LATER, token: str = "t", **more: Any) -> int:
    seen = {game.id: several.seen(game) for game in games(db).values()}
    return ask(db, what, seen, ULI, NOW, token=token, **more)


def do(db: Database, number: int, now: int = NOW) -> dict[str, str]:
    """Do all that waits; what became of each game."""
    while go_on(db, now):
        pass
    act = store.acts.by_id(db, number)
    assert act is not None
    return {one.game.id: one.outcome.code for one in outcomes(db, act) if one.outcome}


def mails(db: Database) -> list[Any]:
    """The mails about several games, or those that will be."""
    which = """act IS NOT NULL AND joined IS NULL AND 1 < (SELECT count(*) FROM mail AS other
            WHERE other.batch = mail.batch)"""
    found = {mail.batch: mail for mail in reversed(stored_mails(db, which))}
    return sorted(found.values(), key=lambda mail: mail.id)


def told(db: Database, kind: str = "news") -> list[Any]:
    """The mails about one game that are of a kind and not joined to another."""
    of_several = {mail.batch for mail in mails(db)}
    rows = stored_mails(db, "kind = ?", kind)
    return [mail for mail in rows if mail.batch not in of_several]


def test_all_games_move_and_each_person_is_told_once(
    club: tuple[str, ...], installation: Installation, db: Database
) -> None:
    before = games(db)
    assert do(db, asked(db)) == dict.fromkeys(GAMES, "done")
    for game in games(db).values():
        assert game.deadline == before[game.id].deadline + 7 * DAY
        (note,) = store.notes.of_round(db, game.id, 1)
        assert (note.kind, note.text, note.new) == ("deadline", "I am away.", game.deadline)
    write_all(db, installation)
    (anna,) = mails(db)
    assert anna.address == "anna@example.org"
    assert sorted(mail.address for mail in told(db)) == [
        f"{name}@{game}.example.org"
        for name in ("bert", "cem")
        for game in sorted(GAMES)
        if (name, game) != ("cem", "feuerbohne")
    ]
    mail = parsed(anna.bytes)
    text = plain_text(mail)
    assert mail["Subject"] == "Ackerwinde und 3 weitere: neue Termine"
    assert mail["Reply-To"] == "Uli <uli@example.org>"
    assert mail["From"].startswith("Bohnenpost <")
    assert mail["References"] is None
    links = [
        installation.url("seat", game, "Anna", store.seats.numbered(db, game, 1).link_number)
        for game in GAMES
    ]
    assert re.findall(r"http\S+/z/\S+", text) == links
    assert text.count("I am away.") == 1
    (entries,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    found: Any = Calendar.from_ical(entries.get_content())
    assert sorted(str(event["UID"]).partition(".")[0] for event in found.walk("VEVENT")) == sorted(
        GAMES
    )


def test_the_same_button_is_counted_once_and_the_same_wish_changes_nothing(
    club: tuple[str, ...], db: Database
) -> None:
    first = asked(db)
    assert asked(db) == first
    do(db, first)
    moved = games(db)
    assert asked(db) == first
    assert not go_on(db, NOW)
    assert do(db, asked(db, token="other")) == dict.fromkeys(GAMES, "same")
    assert games(db) == moved
    assert len(mails(db)) == 1


def test_a_game_that_moved_on_is_left_alone_and_named(club: tuple[str, ...], db: Database) -> None:
    number = asked(db)
    lead.pause(db, "saubohne", "", NOW)
    paused = store.games.existing(db, "saubohne")
    assert do(db, number) == dict.fromkeys(GAMES, "done") | {"saubohne": "game_moved_on"}
    assert store.games.existing(db, "saubohne") == paused


def test_a_held_game_is_not_moved_in_a_bunch(club: tuple[str, ...], db: Database) -> None:
    with write(db):
        store.games.update(db, "saubohne", {"status": "held", "error": "silence"})
    assert do(db, asked(db))["saubohne"] == "held_alone"
    assert store.games.existing(db, "saubohne").status == "held"
    assert do(db, asked(db, Asked("announced", words="Look."), "b"))["saubohne"] == "done"


def test_a_damaged_game_holds_up_no_other(club: tuple[str, ...], db: Database) -> None:
    with write(db):
        db.execute("UPDATE game SET rule = '[]' WHERE id = 'feuerbohne'")
    number = asked(db)
    while go_on(db, NOW):
        pass
    codes = [part.outcome for part in store.acts.parts(db, number)]
    assert [
        f'"{code}"' in (text or "")
        for text, code in zip(codes, ("done", "damaged", "done", "done"), strict=True)
    ] == [True] * 4


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("after", range(4))
def test_killed_after_each_game_the_next_pass_goes_on(
    club: tuple[str, ...], installation: Installation, db: Database, after: int
) -> None:
    number, before = asked(db), games(db)
    for _ in range(after):
        go_on(db, NOW)

    def kill(*_: Any) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.acts, "told" if after == 3 else "keep", kill)
        with pytest.raises(Killed):
            go_on(db, NOW)
    assert [part.outcome is None for part in store.acts.parts(db, number)].count(False) == after
    assert len(stored_mails(db)) == 0
    tick(installation, NOW)
    assert all(game.deadline == before[game.id].deadline + 7 * DAY for game in games(db).values())
    assert len(mails(db)) == 1
    assert len(told(db)) == 7
    notes = [note for game in GAMES for note in store.notes.of_round(db, game, 1)]
    assert len(notes) == len(GAMES)


@pytest.mark.parametrize(
    "what",
    [
        WEEK_LATER,
        Asked("later", to="2026-11-29"),
        Asked("left_out", days_out=(date(2026, 11, 29),)),
        Asked("paused", words="Holidays."),
    ],
)
def test_an_act_is_undone_with_one_mail_more(
    club: tuple[str, ...], db: Database, what: Asked
) -> None:
    before = {
        game.id: (game.deadline, game.status, game.schedule.left_out) for game in games(db).values()
    }
    first = asked(db, what)
    assert do(db, first) == dict.fromkeys(GAMES, "done")
    act = store.acts.by_id(db, first)
    assert act is not None
    with pytest.raises(Refusal, match="too_late_to_undo"):
        undo(db, act, ULI, NOW + several.UNDO_SECONDS)
    with write(db):
        db.execute("UPDATE mail SET sent_at = ?", [NOW])
    back = undo(db, act, ULI, NOW + 60)
    assert undo(db, act, ULI, NOW + 61) == back
    assert do(db, back, NOW + 62) == dict.fromkeys(GAMES, "done")
    after = {
        game.id: (game.deadline, game.status, game.schedule.left_out) for game in games(db).values()
    }
    assert after == before
    assert len(mails(db)) == 2


def test_what_would_happen_is_told_and_nothing_happens(club: tuple[str, ...], db: Database) -> None:
    lead.pause(db, "saubohne", "", NOW)
    with write(db):
        db.execute("UPDATE seat SET news = 0 WHERE game = 'feuerbohne' AND number = 2")
        db.execute("DELETE FROM mail")
    before = list(dump_of(db))
    found = {
        one.game.id: one for one in foresee(db, WEEK_LATER, list(games(db).values()), ULI, NOW)
    }
    assert list(dump_of(db)) == before
    acker, feuer = found["ackerwinde"], found["feuerbohne"]
    assert acker.note is not None
    assert acker.note.new == SUNDAY + 7 * DAY
    assert [seat.called for seat in acker.mailed] == ["Anna", "Bert", "Cem"]
    assert ([seat.called for seat in feuer.mailed], feuer.quiet) == (["Anna"], ("Bert",))
    assert found["saubohne"].outcome is not None
    assert found["saubohne"].outcome.code == "not_running"


def test_a_reminder_of_several_games_is_one_mail(
    club: tuple[str, ...], installation: Installation, db: Database, web: Any
) -> None:
    now = SUNDAY - HOUR
    number = asked(db, Asked("reminded"))
    assert do(db, number, now) == dict.fromkeys(GAMES, "done")
    act = store.acts.by_id(db, number)
    assert act is not None
    reached = {one.game.id: [seat.called for seat in one.mailed] for one in outcomes(db, act)}
    assert reached["ackerwinde"] == ["Anna", "Bert", "Cem"]
    assert len(stored_mails(db, "kind = 'reminder'")) == sum(map(len, reached.values()))
    write_all(db, installation)
    (anna,) = mails(db)
    mail = parsed(anna.bytes)
    assert mail["Subject"] == "Ackerwinde und 3 weitere: dein Zug fehlt noch"
    text = plain_text(mail)
    assert text.count("Abgabe bis So., 22. November") == 4
    assert "Keine Erinnerungen mehr in diesen Partien:" in text
    stop = mail["List-Unsubscribe"].strip("<>").removeprefix(installation.config.base_url)
    assert "nicht mehr erinnert" in web.get(stop).text
    assert web.post(stop).status_code == 200
    seats = [store.seats.numbered(db, game, 1) for game in GAMES]
    assert [seat.lead_times == () for seat in seats] == [
        game in reached and "Anna" in reached[game] for game in GAMES
    ]


def test_one_click_ends_news_of_all_games_of_the_mail(
    club: tuple[str, ...], installation: Installation, db: Database, web: Any
) -> None:
    with write(db):
        db.execute("UPDATE seat SET news = 0 WHERE game = 'saubohne'")
    number = asked(db)
    lead.pause(db, "kidneybohne", "", NOW)
    do(db, number)
    write_all(db, installation)
    (anna,) = mails(db)
    stop = parsed(anna.bytes)["List-Unsubscribe"].strip("<>")
    path = stop.removeprefix(installation.config.base_url)
    assert "Ackerwinde, Feuerbohne<" in web.get(path).get_data(as_text=True).replace("&#44;", ",")
    assert web.post(path).status_code == 200
    news = {game: store.seats.numbered(db, game, 1).news for game in GAMES}
    assert news == {"ackerwinde": 0, "feuerbohne": 0, "saubohne": 0, "kidneybohne": 1}
    assert store.seats.numbered(db, "ackerwinde", 2).news
    do(db, asked(db, Asked("announced", words="Hello."), "b"))
    assert len(mails(db)) == 1


def test_the_link_of_a_mail_ends_what_is_still_theirs_and_that_of_a_game_no_other(
    club: tuple[str, ...], installation: Installation, db: Database, web: Any
) -> None:
    number = asked(db)
    do(db, number)
    write_all(db, installation)
    (anna,) = mails(db)
    path = parsed(anna.bytes)["List-Unsubscribe"].strip("<>")
    path = path.removeprefix(installation.config.base_url)
    seat = store.seats.numbered(db, "ackerwinde", 1)
    of_one = installation.path("unsubscribe", "ackerwinde", "Anna", seat.link_number)
    assert "Saubohne" not in web.get(f"{of_one}/news?act={number}").text
    assert web.post(f"{of_one}/receipts?act={number}").status_code == 200
    receipts = {game: store.seats.numbered(db, game, 1).receipts for game in GAMES}
    assert receipts == dict.fromkeys(GAMES, 1) | {"ackerwinde": 0}
    assert web.get(path.replace(f"/{number}/", f"/{number + 1}/")).status_code == 404
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", NOW)
    with write(db):
        db.execute("UPDATE seat SET address = 'x@example.org' WHERE game = 'saubohne'")
    assert web.post(path).status_code == 200
    news = {game: store.seats.numbered(db, game, 1).news for game in GAMES}
    assert news == dict.fromkeys(GAMES, 0) | {"saubohne": 1}


def test_undoing_gives_back_what_was_left_of_a_pause_and_an_early_closing(
    club: tuple[str, ...], db: Database
) -> None:
    with write(db):
        db.execute("UPDATE game SET early_after = 24 * 3600")
    before = {game.id: standing(db, game).may_close_early for game in games(db).values()}
    act = store.acts.by_id(db, asked(db))
    assert act is not None
    do(db, act.id)
    assert not standing(db, games(db)["ackerwinde"]).may_close_early
    act = store.acts.by_id(db, act.id)
    assert act is not None
    do(db, undo(db, act, ULI, NOW + 60), NOW + 60)
    assert {game.id: standing(db, game).may_close_early for game in games(db).values()} == before
    lead.pause(db, "ackerwinde", "", NOW + HOUR)
    paused = store.games.existing(db, "ackerwinde")
    later, stood = NOW + 13 * HOUR, {"ackerwinde": several.seen(paused)}
    number = ask(db, Asked("resumed"), stood, ULI, later, token="back")
    do(db, number, later)
    act = store.acts.by_id(db, number)
    assert act is not None
    do(db, undo(db, act, ULI, later + 300), later + 300)
    again = store.games.existing(db, "ackerwinde")
    assert (again.status, again.paused_at) == ("paused", paused.paused_at)


def test_commands_take_several_games(
    club: tuple[str, ...], installation: Installation, db: Database
) -> None:
    def said(*args: object, status: int = 0) -> list[str]:
        return bohnenpost("game", *args, home=installation.home, status=status).output.splitlines()

    before = games(db)
    tried = said("extend", *GAMES, "--days", "7", "--dry-run")
    assert tried[0].startswith("ackerwinde: done, round 1 ends on Sun 29 November 2026")
    assert games(db) == before
    said("extend", *GAMES, "--days", "7", "--reason", "I am away.")
    assert all(game.deadline == SUNDAY + 7 * DAY for game in games(db).values())
    (note,) = store.notes.of_round(db, "saubohne", 1)
    assert note.text == "I am away."
    again = said("extend", *GAMES, "--days", "7")
    assert again == [f"{game}: nothing to change: it is so already" for game in GAMES]
    said("pause", "saubohne")
    paused = said("pause", *GAMES)
    assert paused[2] == "saubohne: nothing to change: it is so already"
    assert said("remind", *GAMES[:2], status=1)[0].startswith("ackerwinde: nothing was done: ")
    said("resume", *GAMES)
    assert {game.status for game in games(db).values()} == {"running"}
    said("announce", *GAMES, "Merry Christmas!")
    assert [note.text for note in store.notes.of_round(db, "feuerbohne", 1)][
        -1
    ] == "Merry Christmas!"
    assert len(mails(db)) == 4
    assert "--next is for one game" in " ".join(
        said("extend", *GAMES, "--days", "7", "--next", "x", status=2)
    )
    assert "no game" in " ".join(said("pause", "saubohne", "missing", status=2))


def test_a_game_that_somebody_else_leads_by_now_is_left_alone(
    club: tuple[str, ...], db: Database
) -> None:
    first = asked(db)
    with write(db):
        db.execute("UPDATE game_gm SET address = 'mara@example.org' WHERE game = 'saubohne'")
    assert do(db, first) == dict.fromkeys(GAMES, "done") | {"saubohne": "not_led"}
    with write(db):
        db.execute("UPDATE game_gm SET address = 'mara@example.org' WHERE game = 'kidneybohne'")
    act = store.acts.by_id(db, first)
    assert act is not None
    back = do(db, undo(db, act, ULI, NOW))
    assert back == {"ackerwinde": "done", "feuerbohne": "done", "kidneybohne": "not_led"}


def test_who_leaves_the_first_game_hears_of_the_others(
    club: tuple[str, ...], installation: Installation, db: Database
) -> None:
    do(db, asked(db))
    write_all(db, installation)
    seating.remove_seat(db, "ackerwinde", "Anna", "", NOW)
    key = installation.link_key
    seating.renew_link(db, key, "saubohne", "Anna", NOW)
    with write(db):
        db.execute("UPDATE seat SET language = 'en' WHERE name = 'Anna'")
    write_all(db, installation)
    (anna,) = stored_mails(db, "seat = 1 AND bytes IS NOT NULL AND act IS NOT NULL")
    text = plain_text(parsed(anna.bytes or b""))
    links = [
        installation.url("seat", game, "Anna", store.seats.numbered(db, game, 1).link_number)
        for game in GAMES[1:]
    ]
    assert re.findall(r"http\S+/z/\S+", text) == links


def test_who_loses_every_seat_is_not_mailed(
    club: tuple[str, ...], installation: Installation, db: Database
) -> None:
    do(db, asked(db))
    write_all(db, installation)
    for game in GAMES:
        seating.remove_seat(db, game, "Anna", "", NOW)
    write_all(db, installation)
    to_anna = stored_mails(db, "act IS NOT NULL AND seat = 1")
    assert [mail.withdrawn_at is not None for mail in to_anna] == [True] * 4
    assert [mail.bytes for mail in to_anna] == [None] * 4


def test_news_switched_off_in_between_is_respected(club: tuple[str, ...], db: Database) -> None:
    number = asked(db)
    go_on(db, NOW)
    with write(db):
        db.execute("UPDATE seat SET news = 0 WHERE name = 'Anna'")
    do(db, number)
    assert mails(db) == []


def test_nothing_done_is_nothing_to_undo(club: tuple[str, ...], db: Database) -> None:
    first = asked(db, Asked("resumed"))
    assert do(db, first) == dict.fromkeys(GAMES, "same")
    act = store.acts.by_id(db, first)
    assert act is not None
    with pytest.raises(Refusal, match="nothing_to_undo"):
        undo(db, act, ULI, NOW)


def test_what_cannot_be_put_back_exactly_is_not_undone(club: tuple[str, ...], db: Database) -> None:
    now = SUNDAY - HOUR
    first = asked(db, Asked("left_out", days_out=(date(2026, 11, 22),)))
    assert do(db, first, now) == dict.fromkeys(GAMES, "done")
    moved = games(db)
    act = store.acts.by_id(db, first)
    assert act is not None
    back = undo(db, msgspec.structs.replace(act, at=now), ULI, now)
    assert do(db, back, now) == dict.fromkeys(GAMES, "not_wholly_undone")
    assert games(db) == moved


def test_what_a_co_master_did_since_is_not_undone(club: tuple[str, ...], db: Database) -> None:
    first = asked(db, Asked("paused"))
    do(db, first)
    act = store.acts.by_id(db, first)
    assert act is not None
    lead.resume(db, "saubohne", "", NOW + 1)
    lead.pause(db, "saubohne", "In hospital.", NOW + 2)
    back = do(db, undo(db, act, ULI, NOW + 3), NOW + 3)
    assert back == dict.fromkeys(GAMES, "done") | {"saubohne": "game_moved_on"}
    assert store.games.existing(db, "saubohne").status == "paused"


def test_a_second_reminder_within_the_hour_is_none(club: tuple[str, ...], db: Database) -> None:
    now = SUNDAY - HOUR
    do(db, asked(db, Asked("reminded")), now)
    before = len(stored_mails(db))
    assert do(db, asked(db, Asked("reminded"), "b"), now) == dict.fromkeys(GAMES, "same")
    assert len(stored_mails(db)) == before


def test_days_are_left_out_where_rounds_end_by_themselves(
    club: tuple[str, ...], db: Database
) -> None:
    changes.change(db, ["saubohne"], changes.Wish(hours=24), "", NOW)
    changes.change(db, ["kidneybohne"], changes.Wish(weekdays=()), "", NOW)
    before, days = games(db)["saubohne"].deadline, (date(2026, 11, 20),)
    done = do(db, asked(db, Asked("left_out", days_out=days)))
    assert (done["saubohne"], done["kidneybohne"]) == ("done", "no_calendar")
    assert games(db)["saubohne"].deadline == before + DAY


def test_a_forgotten_text_is_not_the_name_of_a_game(
    club: tuple[str, ...], installation: Installation, db: Database
) -> None:
    for ids in (GAMES, GAMES[-2:]):
        told = bohnenpost("game", "announce", *ids, home=installation.home, status=2).output
        assert "kidneybohne is a game" in told
    assert stored_mails(db) == []


def test_who_leaves_every_game_is_forgotten_in_these_mails_too(
    club: tuple[str, ...], db: Database
) -> None:
    do(db, asked(db))
    anna = store.seats.numbered(db, "saubohne", 1)
    assert "news" in [mail["kind"] for mail in store.lists.mails_of_player(db, anna)]
    for game in GAMES:
        seating.forget(db, store.seats.numbered(db, game, 1), NOW)
        left = stored_mails(db, "address = 'anna@example.org' AND act IS NOT NULL")
        assert [mail.game for mail in left] == list(GAMES[GAMES.index(game) + 1 :])


def test_a_mail_about_several_games_is_looked_after_like_one(
    club: tuple[str, ...], installation: Installation, db: Database
) -> None:
    """It waits, is found by each game, moves with a seat, is refused and sent again."""

    def to_anna() -> dict[str | None, tuple[str, int | None, bool]]:
        write_all(db, installation)
        rows = stored_mails(db, "act = ? AND seat = 1", number)
        return {mail.game: (mail.address, mail.joined, mail.bytes is not None) for mail in rows}

    number, old, new = asked(db), "anna@example.org", "new@example.org"
    do(db, number)
    (first, *_) = stored_mails(db, "act = ? AND seat = 1", number)
    joined = {
        game: (old, None if game == GAMES[0] else first.id, game == GAMES[0]) for game in GAMES
    }
    assert to_anna() == joined
    seating.change_address(db, installation.link_key, "ackerwinde", "Anna", new, NOW)
    second = stored_mails(db, "act = ? AND game = 'feuerbohne' AND seat = 1", number)[0]
    assert to_anna() == {
        "ackerwinde": (new, None, True),
        "feuerbohne": (old, None, True),
        "saubohne": (old, second.id, False),
        "kidneybohne": (old, second.id, False),
    }
    with write(db):
        written = store.mails.leased(db, second.id)
        assert written is not None
        answer = PermanentFailure(550, "no such user")
        sending._store_outcome(db, written, answer, NOW, in_doubt=False)
    refused = stored_mails(db, "failed_at IS NOT NULL")
    assert [mail.game for mail in refused] == list(GAMES[1:])
    with write(db):
        assert store.mails.withdraw(db, refused[2].id, NOW)
        for mail in refused[:2]:
            store.mails.retry(db, mail.id, NOW)
    assert to_anna() == {
        "ackerwinde": (new, None, True),
        "feuerbohne": (old, None, True),
        "saubohne": (old, second.id, False),
        "kidneybohne": (old, second.id, False),
    }
    again = store.mails.leased(db, second.id)
    assert again is not None
    assert b"Kidneybohne" not in again.data
    with write(db):
        sending._store_outcome(db, again, None, NOW, in_doubt=False)
    sent = stored_mails(db, "sent_at IS NOT NULL")
    assert [mail.game for mail in sent] == ["feuerbohne", "saubohne"]


def test_an_act_undone_before_its_mails_went_out_is_told_to_nobody(
    club: tuple[str, ...], installation: Installation, db: Database
) -> None:
    number = asked(db)
    do(db, number)
    write_all(db, installation)
    (anna,) = mails(db)
    with write(db):  # being sent just now
        store.mails.update(db, anna.id, {"next_try": NOW + 900})
    act = store.acts.by_id(db, number)
    assert act is not None
    do(db, undo(db, act, ULI, NOW), NOW)
    write_all(db, installation)
    waiting = stored_mails(db, "withdrawn_at IS NULL AND joined IS NULL")
    assert [(mail.address, mail.act == number) for mail in waiting] == [
        ("anna@example.org", True),
        ("anna@example.org", False),
    ]


@pytest.mark.parametrize("ordered", ["ackerwinde", "kidneybohne"])
def test_who_has_ordered_meanwhile_is_reminded_of_the_other_games_alone(
    club: tuple[str, ...], installation: Installation, db: Database, ordered: str
) -> None:
    def to_anna() -> str:
        write_all(db, installation)
        (mail,) = stored_mails(db, "seat = 1 AND bytes IS NOT NULL AND act IS NOT NULL")
        return plain_text(parsed(mail.bytes or b""))

    now = SUNDAY - HOUR
    do(db, asked(db, Asked("reminded")), now)
    assert ordered.capitalize() in to_anna()
    game, anna = store.games.existing(db, ordered), store.seats.numbered(db, ordered, 1)
    own = game.engine.view(store.rounds.open_table(db, game), "Anna")
    submit(db, game, anna, game.round, game.engine.robot(own), "", "", by="seat")
    assert sending.lease(db, now) is not None  # somebody else's
    assert ordered.capitalize() not in to_anna()
    assert "Feuerbohne" in to_anna()


@pytest.mark.parametrize(
    "what",
    [
        WEEK_LATER,
        Asked("left_out", days_out=(date(2026, 11, 22),)),
        Asked("paused", words="Holidays."),
        Asked("announced", words="Merry Christmas!"),
        Asked("reminded"),
    ],
    ids=lambda what: what.kind,
)
def test_every_kind_of_act_and_its_undo_are_one_mail_a_person(
    club: tuple[str, ...], installation: Installation, db: Database, what: Asked
) -> None:
    def sent_by(number: int) -> list[str]:
        do(db, number)
        write_all(db, installation)
        tick_mail(installation, NOW)
        return [mail.address for mail in stored_mails(db, "act = ? AND joined IS NULL", number)]

    number = asked(db, what)
    addresses = sent_by(number)
    assert "anna@example.org" in addresses
    assert len(set(addresses)) == len(addresses)
    assert stored_mails(db, "act = ? AND sent_at IS NULL", number) == []
    act = store.acts.by_id(db, number)
    assert act is not None
    if several.may_undo(act, NOW):
        assert sorted(sent_by(undo(db, act, ULI, NOW))) == sorted(addresses)


def test_a_game_damaged_before_the_mails_are_written_silences_no_other(
    club: tuple[str, ...], installation: Installation, db: Database
) -> None:
    do(db, asked(db))
    with write(db):
        db.execute("UPDATE game SET rule = '{}' WHERE id = 'feuerbohne'")
    write_all(db, installation)
    to_anna = stored_mails(db, "act IS NOT NULL AND seat = 1")
    told = {mail.game: (mail.failed_at is None, mail.bytes is not None) for mail in to_anna}
    assert told == dict.fromkeys(GAMES, (True, True)) | {"feuerbohne": (False, False)}


def test_a_mail_that_was_put_off_is_withdrawn_by_an_undo(
    club: tuple[str, ...], installation: Installation, db: Database
) -> None:
    number = asked(db)
    do(db, number)
    write_all(db, installation)
    refuse(db, TemporaryFailure("451 later"))
    act = store.acts.by_id(db, number)
    assert act is not None
    do(db, undo(db, act, ULI, NOW + 60), NOW + 60)
    waiting = stored_mails(db, "withdrawn_at IS NULL")
    assert waiting == []


def refuse(db: Database, answer: Any) -> None:
    """The mail server answers the mail about several games like this."""
    (anna,) = mails(db)
    mail = store.mails.leased(db, anna.id)
    assert mail is not None
    with write(db):
        sending._store_outcome(db, mail, answer, NOW, in_doubt=False)


@pytest.mark.parametrize("held", ["ackerwinde", "kidneybohne"])
def test_a_held_game_holds_no_reminder_of_another(
    club: tuple[str, ...], installation: Installation, db: Database, held: str
) -> None:
    now = SUNDAY - HOUR
    do(db, asked(db, Asked("reminded")), now)
    write_all(db, installation)
    with write(db):
        db.execute("UPDATE mail SET withdrawn_at = 1 WHERE seat <> 1")
        store.games.update(db, held, {"status": "held", "error": "x"})
    assert sending.lease(db, now) is None
    write_all(db, installation)
    leased = sending.lease(db, now)
    assert leased is not None
    told = [leased.game, *(mail.game for mail in store.mails.joined_to(db, leased))]
    assert told == [game for game in GAMES if game != held]
    assert held.capitalize().encode() not in leased.data
    (waits,) = stored_mails(db, "game = ? AND seat = 1 AND act IS NOT NULL", held)
    assert (waits.withdrawn_at, waits.joined) == (None, None)


def test_what_is_written_anew_after_a_refusal_has_the_present_link(
    club: tuple[str, ...], installation: Installation, db: Database
) -> None:
    do(db, asked(db))
    write_all(db, installation)
    (anna,) = mails(db)
    refuse(db, PermanentFailure(550, "no such user"))
    seating.renew_link(db, installation.link_key, "saubohne", "Anna", NOW)
    with write(db):
        store.mails.put_off_for_server(db, anna.id, NOW, NOW, "the server is to blame")
    write_all(db, installation)
    (again,) = stored_mails(db, "id = ?", anna.id)
    seat = store.seats.numbered(db, "saubohne", 1)
    link = installation.url("seat", "saubohne", "Anna", seat.link_number)
    assert link in plain_text(parsed(again.bytes or b""))


def test_a_hosts_act_is_undone_at_the_desk_in_ones_own_games_alone(
    club: tuple[str, ...], db: Database
) -> None:
    with write(db):
        db.execute("UPDATE game_gm SET address = 'mara@example.org' WHERE game = 'saubohne'")
    number = asked(db, Asked("paused", by_host=True))
    do(db, number)
    act = store.acts.by_id(db, number)
    assert act is not None
    assert several.undoable(db, act, NOW) == 3


def test_who_was_reminded_by_hand_meanwhile_is_not_reminded_again(
    club: tuple[str, ...], db: Database
) -> None:
    now = SUNDAY - HOUR
    number = asked(db, Asked("reminded"))
    go_on(db, now)
    by_hand = remind_now(db, "ackerwinde", now)
    do(db, number, now)
    assert len(stored_mails(db, "kind = 'reminder' AND game = 'ackerwinde'")) == len(by_hand)


def test_a_mail_written_anew_is_as_old_as_before(
    club: tuple[str, ...], installation: Installation, db: Database
) -> None:
    do(db, asked(db))
    write_all(db, installation)
    refuse(db, TemporaryFailure("451 later"))
    seating.renew_link(db, installation.link_key, "saubohne", "Anna", NOW)
    assert {(m.tries, m.first_try) for m in stored_mails(db, "seat = 1 AND act IS NOT NULL")} == {
        (1, NOW)
    }
