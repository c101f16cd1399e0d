"""What commands and pages say in small things: one mail, a calendar, a zone by its name, no
round after the last.
"""

import json
import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from gm import clock
from gm.calendar import _zones
from gm.games import lead
from gm.installation import Installation
from gm.rendering.dates import LANGUAGES
from gm.rendering.sentences import environment
from gm.store.db import Database, write
from gm.store.games import Game
from rounds.duel.events import Resigned
from rounds.engine.events import Ranked
from rounds.engine.variant import find
from tests.dates import EVERY_SUNDAY, SUNDAY
from tests.steps import bohnenpost, seat_game, start, words

NOON = int(datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    ("language", "zone", "words"),
    [
        ("de", "Europe/Berlin", "Fr., 20. November 2026, 13:00 Uhr MEZ"),
        ("en", "Europe/Berlin", "Fri 20 November 2026, 13:00 CET"),
        ("de", "Europe/London", "Fr., 20. November 2026, 12:00 Uhr (London)"),
        ("en", "Europe/London", "Fri 20 November 2026, 12:00 GMT"),
        ("de", "America/New_York", "Fr., 20. November 2026, 07:00 Uhr (New York)"),
        ("en", "America/New_York", "Fri 20 November 2026, 07:00 (New York)"),
        ("de", "Asia/Tokyo", "Fr., 20. November 2026, 21:00 Uhr (Tokio)"),
        ("en", "Asia/Kolkata", "Fri 20 November 2026, 17:30 (Kolkata)"),
        ("de", "UTC", "Fr., 20. November 2026, 12:00 Uhr UTC"),
    ],
)
def test_a_zone_is_called_by_name_never_by_an_offset(language: str, zone: str, words: str) -> None:
    assert environment(language).filters["when"](NOON, zone) == words


def shown(installation: Installation, *more: str) -> str:
    return bohnenpost("game", "show", "ackerwinde", *more, home=installation.home).output


def test_game_show_says_the_calendar_and_never_none(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    bohnenpost("game", "remove", "ackerwinde", "Cem", home=installation.home)
    told = shown(installation)
    assert "calendar     every week on Sunday, 20:00 (Europe/Berlin)\n" in told
    assert "None" not in told
    made = ["game", "new", "ohne", "--gm", "Uli", "--gm-address", "uli@example.org"]
    told = bohnenpost(
        *made, "--left-out", "2026-12-27", "--shortest", "1", home=installation.home
    ).output
    assert "left out: 2026-12-27; a round lasts 1 hour at least\n" in told
    made[2] = "hand"
    told = bohnenpost(*made, "--by-hand", home=installation.home).output
    assert "calendar     no fixed deadlines; the GM closes each round by hand\n" in told
    assert "None" not in told
    facts = json.loads(shown(installation, "--json"))
    assert (facts["calendar"]["weekdays"], facts["calendar"]["at"]) == (
        [*EVERY_SUNDAY.weekdays],
        "20:00:00",
    )


def test_a_game_that_is_over_is_in_no_round_and_one_in_the_archive_is_marked(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    with write(db):
        db.execute("UPDATE game SET status = 'finished', round = 11, deadline = NULL")
    assert "status       finished after 10 rounds\n" in shown(installation)
    listed = bohnenpost("game", "list", home=installation.home).output
    assert "ackerwinde           finished      -" in listed
    bohnenpost("game", "archive", "ackerwinde", home=installation.home)
    assert "status       finished after 10 rounds, archived\n" in shown(installation)
    assert (
        "ackerwinde           archived      -"
        in bohnenpost("game", "list", home=installation.home).output
    )
    facts = json.loads(bohnenpost("game", "list", "--json", home=installation.home).output)
    assert (facts["status"], facts["archived"]) == ("finished", True)


def test_a_game_that_was_ended_early_says_in_which_round(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    lead.abort(db, "ackerwinde", "Schluss", clock.now())
    assert "status       finished, ended early in round 1\n" in shown(installation)


def test_one_mail_is_one_mail(
    installation: Installation, db: Database, ackerwinde: Game, frozen_time: Any
) -> None:
    with write(db):
        db.execute("UPDATE mail SET withdrawn_at = 1 WHERE seat > 1")
    assert (
        "would write and send 1 mail\n"
        in bohnenpost("run", "--dry-run", home=installation.home).output
    )
    out = bohnenpost("run", home=installation.home).output
    assert "    1 batch of mail written\n    1 mail accepted\n    0 mails refused\n" in out
    frozen_time.move_to(SUNDAY)
    assert "    1 round closed\n" in bohnenpost("run", home=installation.home).output


def test_remind_is_a_command_too(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    with write(db):
        db.execute("UPDATE seat SET reminder_leads = '[]' WHERE name = 'Cem'")
    assert (
        bohnenpost("game", "remind", "ackerwinde", home=installation.home).output
        == "reminded: Anna, Bert\n"
    )
    bohnenpost("game", "remind", "ackerwinde", home=installation.home)
    assert db.execute("SELECT count(*) FROM mail WHERE kind = 'reminder'").fetchone() == (2,)
    with write(db):
        db.execute("UPDATE seat SET reminder_leads = '[]'")
    assert (
        "reminded: nobody"
        in bohnenpost("game", "remind", "ackerwinde", home=installation.home).output
    )


def test_lists_of_mails_and_of_standbys_are_there_for_programs(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    with write(db):
        db.execute("UPDATE mail SET failed_at = 1, error = '550 no such user' WHERE seat = 1")
    mails = [
        json.loads(line)
        for line in bohnenpost("mail", "list", "--json", home=installation.home).output.splitlines()
    ]
    assert [(mail["address"], mail["state"]) for mail in mails] == [
        ("anna@ackerwinde.example.org", "refused"),
        ("bert@ackerwinde.example.org", "waiting"),
        ("cem@ackerwinde.example.org", "waiting"),
    ]
    assert (mails[0]["error"], mails[0]["queued_at"], "bytes" in mails[0]) == (
        "550 no such user",
        "2026-11-20T12:00:00Z",
        False,
    )
    bohnenpost("standby", "add", "dora@example.org", "--name", "Dörte", home=installation.home)
    (row,) = bohnenpost("standby", "list", "--json", home=installation.home).output.splitlines()
    assert json.loads(row) == {
        "name": "Dörte",
        "language": "de",
        "address": "dora@example.org",
        "gm": "",
        "at": "2026-11-20T12:00:00Z",
    }


def test_the_desk_does_not_say_that_all_is_well_beside_refused_mail(
    installation: Installation, db: Database, ackerwinde: Game, uli: Any
) -> None:
    seat_game(installation, "fremd")
    start(installation, "fremd")
    with write(db):
        db.execute("DELETE FROM game_gm WHERE game = 'fremd'")
        db.execute("UPDATE mail SET sent_at = 1")
        db.execute(
            "UPDATE mail SET sent_at = NULL, failed_at = 1, error = '550' WHERE game = 'fremd' AND seat = 1"
        )
    page = words(uli.get("/desk?lang=en"))
    assert "All is well" not in page
    assert "There is nothing to do in your games." in page
    assert "0 mails wait. 1 mail was refused." in page
    assert "1 mail refused" in page


def test_an_announcement_carries_the_name_of_who_made_it(
    installation: Installation, db: Database, ackerwinde: Game, uli: Any, web: Any, frozen_time: Any
) -> None:
    bohnenpost("game", "announce", "ackerwinde", "Picnic on Sunday", home=installation.home)
    uli.post("/desk/game/ackerwinde/announce", data={"text": "Bring cake", "whole": "yes"})
    page = words(web.get("/p/ackerwinde?lang=en"))
    name = db.execute("SELECT name FROM gm").fetchone()[0]
    assert "Uli (GM): Picnic on Sunday" in page
    assert f"{name} (GM): Bring cake" in page
    with write(db):  # what an older program announced
        db.execute("UPDATE note SET who = NULL")
    assert "<p>Picnic on Sunday</p>" in web.get("/p/ackerwinde?lang=en").get_data(as_text=True)


def test_after_leaving_the_page_says_what_stays(
    web: Any, link: dict[str, str], ackerwinde: Game
) -> None:
    page = words(web.post(f"{link['Bert']}/data?lang=en", data={"confirm": "Bert", "whole": "yes"}))
    assert "Everything about you" not in page
    for stays in (
        "your orders and your press stay",
        "Copies of the database",
        "Other games and the list",
    ):
        assert stays in page


def test_who_leaves_before_the_start_leaves_nothing(web: Any, installation: Installation) -> None:
    seat_game(installation)
    path = installation.path("seat", "ackerwinde", "Bert", 1)
    page = words(web.post(f"{path}/data?lang=en", data={"confirm": "Bert", "whole": "yes"}))
    assert "Everything about you that was stored with this game is removed." in page


def test_the_rules_come_with_the_program() -> None:
    told = bohnenpost("rules").output
    assert told.startswith("# Postal Bohnanza: the rules of the variant `postal`\n")
    assert "## 1.1 Components" in told
    assert bohnenpost("rules", "--lang", "de").output.startswith(
        "# Bohnanza per Post: die Regeln der Variante `postal`\n"
    )


def test_no_form_has_an_empty_action(web: Any, link: dict[str, str]) -> None:
    for path in ("", "/mail", "/data"):
        page = web.get(f"{link['Anna']}{path}").get_data(as_text=True)
        assert 'action=""' not in page
    assert re.search(
        r'<form autocomplete="off" method="post" action="\?lang=en">',
        web.get(f"{link['Anna']}/mail?lang=en").get_data(as_text=True),
    )


def test_what_everybody_may_ask_for_is_described_as_free_of_tokens(web: Any) -> None:
    with web.get("/api/v1/openapi.json") as answer:
        operations = [
            each
            for path in answer.json["paths"].values()
            for each in path.values()
            if "operationId" in each
        ]
    keys = {each["operationId"]: each["security"] for each in operations}
    expected: dict[str, list[dict[str, list[str]]]] = {"games": []}
    # a private game's seats ask with their token
    expected |= {key: [{}, {"token": []}] for key in ("game", "round")}
    expected |= {key: [{"token": []}] for key in ("seat", "seatReceipts", "check", "send")}
    assert keys == expected


def test_the_log_of_a_game_says_all_that_was_done_to_it(
    installation: Installation, db: Database, uli: Any, frozen_time: Any
) -> None:
    def done() -> list[str]:
        page = uli.get("/desk/game/ackerwinde?lang=en").get_data(as_text=True)
        found = re.search(r'<h2 id="loh">.*?</ul>', page, re.DOTALL)
        return re.findall(r"</b> (.*?)</li>", found[0]) if found else []

    seat_game(installation)
    bohnenpost(
        "game",
        "invite",
        "ackerwinde",
        "dora@example.org",
        "emil@example.org",
        home=installation.home,
    )
    assert done() == ["2 invitations were mailed."]
    frozen_time.shift(60)
    bohnenpost("game", "ask", "ackerwinde", home=installation.home)
    assert done()[0] == "Asked who is there: Anna, Bert, Cem."
    with write(db):
        db.execute("UPDATE seat SET ready_at = 1")
    start(installation)
    for act in (
        ["remind", "ackerwinde"],
        ["link", "ackerwinde", "Bert"],
        ["master", "ackerwinde", "vera.lang@example.org"],
    ):
        frozen_time.shift(4000)
        bohnenpost("game", *act, home=installation.home)
    frozen_time.shift(60)
    bohnenpost(
        "game", "master", "ackerwinde", "vera.lang@example.org", "--remove", home=installation.home
    )
    assert done()[:4] == [
        "round 1: ver… does not lead the game any more.",
        "round 1: ver… leads the game too.",
        "The personal link was mailed again: Bert.",
        "round 1: Reminder mailed: Anna, Bert, Cem.",
    ]
    frozen_time.shift(60)
    for act in (
        ["address", "ackerwinde", "Bert", "bert@example.net"],
        ["link", "ackerwinde", "Anna", "--renew"],
    ):
        before = len(done())
        bohnenpost("game", *act, home=installation.home)
        assert len(done()) > before, act


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_letters_of_a_zone_mean_one_offset_and_no_offset_is_turned_round(language: str) -> None:
    when = environment(language).filters["when"]
    for zone in sorted(_zones()):
        offsets: dict[str, set[timedelta | None]] = {}
        for month in range(1, 13):
            at = datetime(2026, month, 15, 12, tzinfo=UTC)
            name = re.sub(r"^.*?\d\d:\d\d( Uhr)? ", "", when(int(at.timestamp()), zone))
            assert not re.search(r"GMT[+-]", name), zone
            if not name.startswith("("):
                offsets.setdefault(name, set()).add(at.astimezone(ZoneInfo(zone)).utcoffset())
        assert all(len(found) == 1 for found in offsets.values()), (zone, offsets)
        assert offsets.get("GMT", {timedelta()}) == {timedelta()}, zone


@pytest.mark.parametrize(
    ("zone", "month", "says"),
    [
        ("Europe/Dublin", 6, "13:00 (Dublin)"),
        ("Europe/Dublin", 12, "12:00 (Dublin)"),
        ("Etc/GMT-1", 6, "13:00 UTC+1"),
        ("Etc/GMT+5", 6, "07:00 UTC\u22125"),
        ("Etc/UTC", 6, "12:00 UTC"),
    ],
)
def test_a_zone_is_never_called_what_it_is_not(zone: str, month: int, says: str) -> None:
    at = int(datetime(2026, month, 21, 12, tzinfo=UTC).timestamp())
    assert environment("en").filters["when"](at, zone).endswith(says)


@pytest.mark.parametrize(
    ("variant", "says"),
    [
        ("classic", "Of equal talers, more cards in the hand have the higher rank."),
        ("duel", "Of equal talers, more cards in the hand have the higher rank."),
        ("mutabohn", "Of equal talers, more cards in the hand have the higher rank."),
    ],
)
@pytest.mark.parametrize(("second", "is_said"), [((2, 7), True), ((1, 7), False), ((2, 6), False)])
@pytest.mark.parametrize("file", ["plain/final.txt", "plain/final.html"])
def test_equal_talers_with_other_ranks_are_explained(
    variant: str, says: str, second: tuple[int, int], is_said: bool, file: str
) -> None:
    env = environment("en")
    report = SimpleNamespace(
        after=SimpleNamespace(over=True, farms=[]),
        events=[Ranked("Anna", 1, 7), Ranked("Bert", *second)],
        others={},
    )
    name = "final" if file.endswith("txt") else "mailed"
    macro = getattr(env.get_template(file).module, name)
    rules = find(variant).house_rules()
    why = env.filters["said"](variant, "of_equal_talers", rules, report.events)
    text = " ".join(str(macro(report, [], "Final harvest", why)).split())
    assert (says in text) is is_said


def test_who_gave_up_a_duel_is_last_for_that_and_not_for_cards() -> None:
    said = environment("en").filters["said"]
    rules, ended = find("duel").house_rules(), [Ranked("Anna", 1, 7), Ranked("Bert", 2, 7)]
    assert said("duel", "of_equal_talers", rules, ended)
    assert said("duel", "of_equal_talers", rules, [Resigned("Bert"), *ended]) == ""
