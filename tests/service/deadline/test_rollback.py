"""Taking a round back and playing it again."""

from pathlib import Path
from typing import Any

import pytest

from gm import clock, service, store
from gm.config import Config
from gm.deadline import closing
from gm.deadline.reminders import remind
from gm.deadline.rollback import rollback
from gm.errors import Refusal
from gm.games import lead
from gm.installation import Installation
from gm.open_round import standing
from gm.people import seating
from gm.proof.fairness import difference
from gm.rendering.reports import versions_of
from gm.service import close_due, tick, tick_mail
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web.desk import log
from rounds.engine.witness import read
from tests.dates import SUNDAY
from tests.steps import bohnenpost, form, lay_row, order, send, sent_mails, words

DAY = 24 * 3600


def now_of(db: Database) -> Game:
    return store.games.existing(db, "ackerwinde")


@pytest.fixture
def one_round(ackerwinde: Game, db: Database, frozen_time: Any) -> None:
    """Anna and Bert planted, Cem was absent; the round is closed."""
    order(db, "Anna", "1>A")
    order(db, "Bert", "2>A")
    frozen_time.move_to(SUNDAY)
    assert close_due(db, Config(), clock.now())
    frozen_time.shift(3600)


def take_back(
    db: Database, number: int = 1, reason: str = "Cem's letter lay in the wrong box"
) -> bool:
    return rollback(db, "ackerwinde", number, reason, clock.now())


def test_a_round_taken_back_is_open_again_with_its_lists_and_the_same_cards(
    one_round: None, db: Database
) -> None:
    before = store.rounds.open_table(db, now_of(db))
    order(db, "Anna", "pass")
    assert take_back(db)
    game = now_of(db)
    assert (game.round, game.status, game.deadline) == (1, "running", SUNDAY + 2 * DAY)
    assert {r.orders for r in store.lists.newest(db, "ackerwinde", 1).values()} == {"1>A", "2>A"}
    assert store.lists.newest(db, "ackerwinde", 2) == {}
    assert [old.lists for old in store.rounds.withdrawn(db, "ackerwinde", 1)] == [
        {"Anna": "1>A", "Bert": "2>A", "Cem": None}
    ]
    assert close_due(db, Config(), SUNDAY + 7 * DAY)
    assert store.rounds.open_table(db, now_of(db)) == before
    closed = store.rounds.get(db, "ackerwinde", 1)
    assert closed is not None
    assert closed.version == 2


def test_the_same_orders_again_are_ordered_anew_by_form_program_and_typing(
    one_round: None,
    db: Database,
    installation: Installation,
    web: Any,
    link: dict[str, str],
    frozen_time: Any,
) -> None:
    service.enter_orders(db, "ackerwinde", "Cem", "pass")
    frozen_time.move_to(SUNDAY + 7 * DAY)
    close_due(db, Config(), clock.now())
    take_back(db, 2)
    service.enter_orders(db, "ackerwinde", "Cem", "pass")
    take_back(db, 1)
    with write(db):
        db.execute("UPDATE seat SET removed_at = NULL")
    frozen_time.shift(60)
    assert standing(db, now_of(db)).stays_open is not None
    assert send(web, link["Anna"], form(1, to_1_1="A")).status_code == 303
    bert = installation.api_token(seating.seat_named(db, "ackerwinde", "Bert"))
    body = {"round": 1, "orders": "2>A"}
    answer = web.post(
        "/api/v1/games/ackerwinde/seat/orders",
        json=body,
        headers={"Authorization": f"Bearer {bert}"},
    )
    assert answer.status_code in (200, 201)
    assert standing(db, now_of(db)).stays_open is not None
    for _ in range(2):
        assert service.enter_orders(db, "ackerwinde", "Cem", "3>A")
    assert [store.lists.newest(db, "ackerwinde", 1)[number].number for number in (1, 2, 3)] == [
        2,
        2,
        1,
    ]
    assert standing(db, now_of(db)).stays_open is None
    assert send(web, link["Anna"], form(1, to_1_1="A")).status_code == 303
    assert store.lists.newest(db, "ackerwinde", 1)[1].number == 2


def test_the_desk_still_shows_what_was_done_in_rounds_that_were_taken_back(
    one_round: None, db: Database, frozen_time: Any
) -> None:
    lead.announce(db, "ackerwinde", "A word of round 2", clock.now())
    frozen_time.shift(60)
    take_back(db)
    assert [entry.kind for entry in log.entries(db, now_of(db))] == ["rollback", "announced"]


def test_the_round_is_named_as_a_guard_and_a_second_click_takes_back_no_other(
    one_round: None, db: Database, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY + 7 * DAY)
    close_due(db, Config(), clock.now())
    for number, code in ((1, "other_last"), (3, "other_last"), (0, "other_last")):
        with pytest.raises(Refusal, match=code):
            take_back(db, number)
    with pytest.raises(Refusal, match="no_reason"):
        take_back(db, 2, " ")
    assert take_back(db, 2)
    assert not take_back(db, 2)
    assert now_of(db).round == 2
    assert take_back(db, 1)
    assert now_of(db).round == 1
    assert [note.kind for note in store.notes.of_round(db, "ackerwinde", 1)].count("rollback") == 1


def test_mail_goes_only_to_those_for_whom_something_changed(
    one_round: None, db: Database, installation: Installation, web: Any, frozen_time: Any
) -> None:
    order(db, "Bert", "pass")
    sent_mails(installation, db)
    take_back(db)
    told = {to[:4]: text for kind, to, text in sent_mails(installation, db) if kind == "news"}
    assert set(told) == {"anna", "bert", "cem@"}
    assert "does not count any more" in told["bert"].replace("\n", " ")
    assert "zählt nicht mehr" not in told["anna"].replace("\n", " ")
    service.enter_orders(db, "ackerwinde", "Cem", "3>A")
    frozen_time.move_to(SUNDAY + 7 * DAY)
    close_due(db, Config(), clock.now())
    kinds = [
        (kind, to[:4], version)
        for kind, to, version in db.execute(
            "SELECT kind, address, about FROM mail WHERE round >= 1"
        )
    ]
    again = {to for kind, to, version in kinds if kind == "report" and version == 2}
    assert "cem@" in again
    page = words(web.get("/p/ackerwinde/r1/versions?lang=en"))
    assert "Version 1 (taken back" in page
    assert "Version 2 (stands" in page
    assert "Cem's letter lay in the wrong box" in page.replace("&#39;", "'")
    assert web.get("/p/ackerwinde/r2/versions").status_code == 404
    assert "old and new" in words(web.get("/p/ackerwinde?lang=en"))


def test_a_corrected_report_says_so_first(
    one_round: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    tick(installation)
    take_back(db)
    order(db, "Anna", "1>B")
    frozen_time.move_to(SUNDAY + 7 * DAY)
    tick(installation)
    texts = [f.read_text() for f in installation.mail_folder.glob("*-report-*.eml")]
    corrected = [
        text
        for text in texts
        if "Subject: =?utf-8?q?Korrigiert" in text or "Subject: Korrigiert: Ackerwinde, " in text
    ]
    assert len(corrected) == 1  # only Anna's farm is another one
    unchanged = [
        text
        for kind, to, text in sent_mails(installation, db)
        if kind == "news" and to.startswith("bert")
    ]
    assert "The round was played again. The deadline of the next one is" in unchanged[-1].replace(
        "\n", " "
    )


def test_a_round_played_again_with_nothing_changed_mails_no_report(
    one_round: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    tick(installation)
    take_back(db)
    frozen_time.move_to(SUNDAY + 7 * DAY)
    tick(installation)
    assert (
        db.execute("SELECT count(*) FROM mail WHERE kind = 'report' AND about = 2").fetchone()[0]
        == 0
    )


def test_a_report_that_had_not_gone_out_before_the_round_was_taken_back_comes_with_the_next(
    one_round: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    take_back(db)
    frozen_time.move_to(SUNDAY + 7 * DAY)
    tick(installation)
    sql = "SELECT count(*) FROM mail WHERE kind = 'report' AND about = 2 AND sent_at IS NOT NULL"
    assert db.execute(sql).fetchone()[0] == 3


def test_what_is_still_true_is_not_withdrawn_with_a_round(
    one_round: None, db: Database, installation: Installation
) -> None:
    lead.announce(db, "ackerwinde", "Picnic", clock.now())
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Cem",
        player="Dörte",
        address="d@example.org",
        language="de",
        keep_orders=True,
        reason="",
        now=clock.now(),
    )
    order(db, "Anna", "pass")
    take_back(db)
    waiting = sorted(
        kind
        for (kind,) in db.execute("SELECT kind FROM mail WHERE withdrawn_at IS NULL AND round >= 1")
    )
    # no receipt of the list for round 2
    assert waiting == ["news"] * 5 + ["receipt"] * 2 + ["takeover"]


def test_a_list_dropped_before_is_not_told_to_be_void_by_a_rollback(
    one_round: None, db: Database, installation: Installation
) -> None:
    order(db, "Bert", "pass")
    seating.replace_player(
        db,
        installation.link_key,
        "ackerwinde",
        "Bert",
        player="Dörte",
        address="d@example.org",
        language="en",
        keep_orders=False,
        reason="",
        now=clock.now() - 5,
    )
    take_back(db)
    told = next(
        text
        for kind, to, text in sent_mails(installation, db)
        if kind == "news" and to == "d@example.org"
    )
    assert "does not count any more" not in told.replace("\n", " ")


def test_a_round_taken_back_is_not_closed_early_at_once(
    one_round: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    service.enter_orders(db, "ackerwinde", "Cem", "pass")
    with write(db):
        db.execute("UPDATE game SET early_after = 3600")
        db.execute("UPDATE revision SET round = 1 WHERE round = 2")
    take_back(db)
    tick(installation)
    assert now_of(db).round == 1
    frozen_time.shift(DAY)  # everybody knows the next row by now
    tick(installation)
    assert now_of(db).round == 2


def test_notes_of_the_first_play_do_not_rule_the_next(
    ackerwinde: Game, db: Database, installation: Installation, frozen_time: Any
) -> None:
    lead.run_now(db, "ackerwinde", 1, "all agree", clock.now())
    tick(installation)
    take_back(db)
    assert [note.kind for note in store.notes.of_this_play(db, "ackerwinde", 1)] == []
    assert [note.kind for note in store.notes.of_round(db, "ackerwinde", 1)] == [
        "early",
        "rollback",
    ]


def test_the_comparison_shows_each_version_on_the_table_it_was_played_on(
    one_round: None, db: Database, installation: Installation, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY + 7 * DAY)
    close_due(db, Config(), clock.now())
    old = store.rounds.table_after(db, now_of(db), 1)
    for number in (2, 1):
        frozen_time.shift(60)
        take_back(db, number)
    frozen_time.shift(60)
    order(db, "Anna", "pass")
    order(db, "Bert", "pass")
    for _ in range(2):
        frozen_time.move_to(now_of(db).deadline)
        close_due(db, Config(), clock.now())
    first, second = versions_of(db, now_of(db), 2)
    assert first.before.row == old.row
    assert second.before.row == store.rounds.table_after(db, now_of(db), 1).row
    assert [farm.talers for farm in first.before.farms] == [farm.talers for farm in old.farms]


def test_letting_a_silent_game_go_on_closes_its_round(
    ackerwinde: Game, db: Database, installation: Installation, frozen_time: Any
) -> None:
    with write(db):
        db.execute("UPDATE game SET silence_guard = 1")
    frozen_time.move_to(SUNDAY)
    tick(installation)
    assert (now_of(db).status, now_of(db).error) == ("held", "silence")
    lead.release(db, "ackerwinde", "they are all away", clock.now())
    tick(installation)
    assert now_of(db).round == 2


def test_a_reminder_waits_while_a_game_is_held(
    ackerwinde: Game, db: Database, installation: Installation, frozen_time: Any
) -> None:
    frozen_time.move_to(SUNDAY - 48 * 3600)
    assert remind(db, clock.now())
    with write(db):
        db.execute("UPDATE game SET status = 'held', error = 'differs: x'")
    tick_mail(installation, clock.now())
    assert (
        db.execute(
            "SELECT count(*) FROM mail WHERE kind = 'reminder' AND withdrawn_at IS NULL"
        ).fetchone()[0]
        == 3
    )
    lead.release(db, "ackerwinde", "", clock.now())
    frozen_time.shift(600)
    tick_mail(installation, clock.now())
    assert (
        db.execute(
            "SELECT count(*) FROM mail WHERE kind = 'reminder' AND sent_at IS NOT NULL"
        ).fetchone()[0]
        == 3
    )


def test_a_finished_game_is_not_taken_back(ackerwinde: Game, db: Database) -> None:
    with write(db):
        db.execute("UPDATE game SET status = 'finished', deadline = NULL")
    with pytest.raises(Refusal, match="not_running"):
        take_back(db)


def test_a_game_agrees_with_its_record_after_a_close_and_after_a_rollback(
    one_round: None, db: Database
) -> None:
    assert difference(db, now_of(db)) is None
    take_back(db)
    assert difference(db, now_of(db)) is None


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (
            "UPDATE round SET state = replace(state, '\"talers\":0', '\"talers\":9') WHERE number = 1",
            "round 1, the table after it",
        ),
        (
            "UPDATE round SET orders = replace(orders, '1>A', '1>B') WHERE number = 1",
            "round 1, what happened",
        ),
        ("UPDATE round SET events = '[]' WHERE number = 1", "round 1, what happened"),
        (
            "UPDATE round SET state = replace(state, '\"talers\":0', '\"talers\":9') WHERE number = 0",
            "round 0, the table after it",
        ),
        ("DELETE FROM round WHERE number = 1", "round 1 is missing"),
        ("UPDATE round SET state = '{}' WHERE number = 1", "ValidationError"),
        ("UPDATE round SET orders = replace(orders, '1>A', '9>A') WHERE number = 1", "RecordError"),
    ],
)
def test_doctor_and_restore_say_where_a_game_differs_from_its_record(
    one_round: None, db: Database, installation: Installation, tmp_path: Path, sql: str, found: str
) -> None:
    with write(db):
        db.execute(sql)
    assert found in str(difference(db, now_of(db)))
    assert (
        f"differs  ackerwinde           {found}"
        in bohnenpost("doctor", home=installation.home, status=1).output
    )
    bohnenpost("backup", tmp_path / "copy.db", home=installation.home)
    told = bohnenpost("restore", tmp_path / "copy.db", "--yes", home=installation.home).output
    assert f"ackerwinde differs from what its record gives: {found}" in told


def test_a_game_ended_early_keeps_its_standing_and_publishes_its_secret(
    one_round: None, db: Database, web: Any, installation: Installation, link: dict[str, str]
) -> None:
    secret = db.execute("SELECT secret FROM secret").fetchone()[0].hex()
    assert secret not in web.get("/p/ackerwinde").get_data(as_text=True)
    assert lead.abort(db, "ackerwinde", "Nobody has time any more", clock.now())
    assert not lead.abort(db, "ackerwinde", "", clock.now())
    page = web.get("/p/ackerwinde?lang=en")
    text = words(page)
    assert "ended early" in text
    assert "Nobody has time any more" in text
    assert secret in text
    assert "Final harvest" not in text
    assert [
        to[:4]
        for kind, to, text in sent_mails(installation, db)
        if kind == "news" and "vorzeitig" in text
    ] == ["anna", "cem@"]
    assert "ended early" in words(web.get(f"{link['Anna']}?lang=en"))
    assert "Ackerwinde" not in words(web.get("/table"))


def test_an_announcement_stands_on_the_page_in_a_mail_and_in_the_report(
    ackerwinde: Game, db: Database, web: Any, installation: Installation, frozen_time: Any
) -> None:
    for _ in range(6):
        lead.announce(db, "ackerwinde", "Picnic on <Sunday>!", clock.now())
    assert len(store.notes.of_round(db, "ackerwinde", 1)) == 1
    assert "Picnic on &lt;Sunday&gt;!" in web.get("/p/ackerwinde").get_data(as_text=True)
    assert (
        len(
            [
                text
                for kind, _, text in sent_mails(installation, db)
                if kind == "news" and "Picnic on <Sunday>!" in text
            ]
        )
        == 3
    )
    frozen_time.move_to(SUNDAY)
    close_due(db, Config(), clock.now())
    assert all(
        "Picnic on <Sunday>!" in text
        for kind, _, text in sent_mails(installation, db)
        if kind == "report"
    )


def test_only_what_is_over_goes_to_the_archive(ackerwinde: Game, db: Database, web: Any) -> None:
    with pytest.raises(Refusal, match="not_over"):
        lead.archive(db, "ackerwinde", clock.now())
    lead.abort(db, "ackerwinde", "enough", clock.now())
    assert "Ackerwinde" in words(web.get("/"))
    assert lead.archive(db, "ackerwinde", clock.now())
    assert not lead.archive(db, "ackerwinde", clock.now())
    assert "Ackerwinde" in words(web.get("/")), "one that was ended early stays on the public lists"
    with write(db):
        db.execute("UPDATE game SET aborted = 0")
    assert "Ackerwinde" not in words(web.get("/"))
    assert web.get("/p/ackerwinde").status_code == 200


def test_a_list_typed_in_the_old_form_of_a_round_taken_back_is_told_so(
    one_round: None, db: Database, web: Any, link: dict[str, str]
) -> None:
    take_back(db)
    answer = send(web, link["Anna"], form(2, to_1_1="A"))
    assert answer.status_code == 409
    assert "Er war für eine andere Runde als die, die offen ist." in words(answer)


def test_a_round_taken_back_is_not_closed_within_a_day_unless_everybody_orders_anew(
    one_round: None, db: Database, frozen_time: Any
) -> None:
    """Everybody has seen the row of round 2; whose list is in from before may want to think
    again.
    """
    take_back(db)
    with pytest.raises(Refusal, match="taken_back"):
        lead.run_now(db, "ackerwinde", 1, "all agree", clock.now())
    frozen_time.shift(60)
    for name in ("Anna", "Bert"):
        order(db, name, "pass")
    with pytest.raises(Refusal, match="taken_back"):
        lead.run_now(db, "ackerwinde", 1, "all agree", clock.now())
    order(db, "Cem", "pass")
    assert lead.run_now(db, "ackerwinde", 1, "all agree", clock.now())


@pytest.mark.parametrize(("anew", "after"), [(False, DAY), (True, 3600 + 60)])
def test_an_early_closing_waits_a_day_for_those_whose_lists_are_from_before(
    ackerwinde: Game, db: Database, frozen_time: Any, anew: bool, after: int
) -> None:
    with write(db):
        db.execute("UPDATE game SET early_after = 3600")
    for name in ("Anna", "Bert", "Cem"):
        order(db, name, "pass")
    frozen_time.move_to(SUNDAY)
    assert close_due(db, Config(), clock.now())
    back = SUNDAY + 3600
    frozen_time.move_to(back)
    take_back(db)
    frozen_time.shift(60)
    for name in ("Anna", "Bert", "Cem") if anew else ("Anna", "Bert"):
        order(db, name, "2>A")
    assert not closing.make_complete_due(db, back + after - 1)
    assert closing.make_complete_due(db, back + after)
    assert now_of(db).deadline == back + after


def test_the_mail_of_a_rollback_says_that_the_next_row_comes_again_and_names_the_chain_taken_back(
    one_round: None, db: Database, installation: Installation
) -> None:
    old = store.rounds.get(db, "ackerwinde", 1)
    take_back(db)
    told = next(
        text
        for kind, to, text in sent_mails(installation, db)
        if kind == "news" and to.startswith("bert")
    )
    assert old is not None
    said = " ".join(told.split())
    assert "the new cards in the next row, which everybody has seen, come again" in said
    assert [(line.kind, line.round, line.value) for line in read(told)] == [
        ("withdrawn", 1, old.chain)
    ]


def test_a_list_of_a_table_that_was_taken_back_takes_no_page_away(
    ackerwinde: Game,
    db: Database,
    installation: Installation,
    web: Any,
    link: dict[str, str],
    frozen_time: Any,
) -> None:
    """Anna's `1>A` of round 2 is for a field on which something else grows once round 1 was
    played again.
    """
    frozen_time.move_to(SUNDAY)
    tick(installation)
    order(db, "Anna", "1>A")
    take_back(db)
    frozen_time.shift(2 * DAY)
    tick(installation)
    assert now_of(db).round == 2
    lay_row(
        db, "ackerwinde", "bush magic climbing mung bush snake broad princess", farm="snap - - 0"
    )
    for which in ("", "&fill=1", "&fill=nmr"):
        page = web.get(f"{link['Anna']}?lang=en{which}")
        assert page.status_code == 200
        assert "does not count any more" in words(page)
        assert "Take this one again" not in words(page)
    sent = send(web, link["Anna"], form(2, action="check", to_1_1="B"))
    assert sent.status_code == 200


def test_a_round_taken_back_from_who_sends_nothing_stays_open_too(
    one_round: None, db: Database
) -> None:
    """A robot, or the stand-in of a seat that was taken away, orders nothing anew: there is
    nobody to wait for, but a day.
    """
    take_back(db)
    with write(db):
        db.execute("UPDATE seat SET removed_at = 1")
    assert standing(db, now_of(db)).stays_open is not None
