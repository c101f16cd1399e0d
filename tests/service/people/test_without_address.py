"""A seat without an address: what every act does to it, with no mail to nobody."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gm import clock, restore, store
from gm.cli import main
from gm.games import create, reminding
from gm.installation import Installation
from gm.people import joining, seating
from gm.service import submit, tick
from gm.store.db import Database
from gm.store.file import backup
from gm.web import create_app
from tests.dates import EVERY_SUNDAY
from tests.service.whole import one_game
from tests.steps import press, seat, sent_mails, sign_in, words


@pytest.fixture
def table(installation: Installation, db: Database) -> None:
    """Anna has no address; Bert and Cem have one. The first round is open."""
    open_table(installation, db)
    create.start_game(db, "ackerwinde", clock.now())


def open_table(installation: Installation, db: Database) -> None:
    create.new_game(
        db,
        game="ackerwinde",
        name="Ackerwinde",
        variant="postal",
        house_rules={"rounds": 2},
        gm=("Uli", "uli@example.org"),
        rule=EVERY_SUNDAY,
        now=clock.now(),
    )
    create.open_game(db, "ackerwinde")
    for name in ("Anna", "Bert", "Cem"):
        create.add_seat(
            db,
            installation.link_key,
            game="ackerwinde",
            name=name,
            address=f"{name.lower()}@example.org",
            language="en",
            by_hand=name == "Anna",
            welcome=True,
        )


def close(installation: Installation, db: Database, frozen_time: Any) -> None:
    frozen_time.move_to((store.games.existing(db, "ackerwinde").deadline or 0) + 1)
    tick(installation)


def bohnenpost(installation: Installation, *args: str) -> Any:
    return CliRunner().invoke(main, ["--home", str(installation.home), *args])


def link(installation: Installation, db: Database) -> str:
    return installation.path("seat", "ackerwinde", "Anna", seat(db, "Anna").link_number)


def addresses(db: Database) -> set[str]:
    """Where all mails go that there are."""
    return {address for (address,) in db.execute("SELECT address FROM mail")}


ACTS: dict[str, Any] = {
    "a report": lambda db, key: None,
    "the game master reminds": lambda db, key: reminding.remind_now(db, "ackerwinde", clock.now()),
    "lost my link": lambda db, key: joining.send_links(db, "anna@example.org", clock.now()),
    "the seat is taken away": lambda db, key: seating.remove_seat(
        db, "ackerwinde", "Anna", "", clock.now()
    ),
    "the player leaves": lambda db, key: seating.forget(db, seat(db, "Anna"), clock.now()),
    "receipts are turned off": lambda db, key: seating.change_settings(
        db, seat(db, "Anna"), {"receipts": 0}, clock.now()
    ),
    "a new link by hand": lambda db, key: seating.renew_link_by_hand(
        db, key, "ackerwinde", "Anna", clock.now()
    ),
    "orders": lambda db, key: submit(
        db, store.games.existing(db, "ackerwinde"), seat(db, "Anna"), 1, "1>A", by="seat"
    ),
}


@pytest.mark.parametrize("act", ACTS)
def test_nothing_is_mailed_to_nobody(
    table: None, installation: Installation, db: Database, frozen_time: Any, act: str
) -> None:
    ACTS[act](db, installation.link_key)
    for _ in range(2):
        close(installation, db, frozen_time)
    assert store.games.existing(db, "ackerwinde").status == "finished"
    assert addresses(db) <= {"bert@example.org", "cem@example.org", "uli@example.org"}
    assert {to for _, to, _ in sent_mails(installation, db)} == addresses(db)


def test_the_receipts_file_proves_the_game_with_the_reports_as_pages(
    table: None,
    installation: Installation,
    db: Database,
    web: Any,
    frozen_time: Any,
    tmp_path: Path,
) -> None:
    own = link(installation, db)
    one_game.order(db, "Anna", "1>A")
    kept = web.get(f"{own}/receipts.txt?lang=en").text
    for number in (1, 2):
        close(installation, db, frozen_time)
        assert "(you)" in words(web.get(f"{own}/r{number}?lang=en"))
    record = tmp_path / "ackerwinde.json"
    record.write_bytes(web.get("/p/ackerwinde/record.json").data)
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "receipts.txt").write_text(kept)
    done = bohnenpost(installation, "verify", str(record), "--mails", str(tmp_path / "mails"))
    assert "receipt" in done.output
    assert done.exit_code == 4, done.output


def test_whoever_has_no_address_may_give_one_and_is_mailed_from_then_on(
    table: None, installation: Installation, db: Database, web: Any
) -> None:
    saved = press(web, f"{link(installation, db)}/mail", ("language", "de"))
    assert saved.status_code == 200
    stored = seat(db, "Anna")
    assert (stored.language, stored.html, stored.receipts, stored.news) == ("de", 1, 1, 1)
    joining.request_address(db, seat(db, "Anna"), "anna@example.org", clock.now())
    asked = store.requests.joining(db, 1)
    assert asked is not None
    joining.confirm_seat(db, installation.link_key, asked, clock.now())
    assert seat(db, "Anna").address == "anna@example.org"
    assert "" not in addresses(db)


@pytest.mark.parametrize("smtp_host", ["", "mail.example.org"])
def test_reports_by_mail_are_offered_where_mail_is_sent(
    table: None, installation: Installation, db: Database, smtp_host: str
) -> None:
    config = replace(installation.config, smtp_host=smtp_host)
    web = create_app(replace(installation, config=config)).test_client()
    own = link(installation, db)
    text = words(web.get(f"{own}/mail?lang=en"))
    assert ("Mail me my reports" in text) is (smtp_host != "")
    assert "Reminders" not in text
    assert (f"{own}/mail" in web.get(own).text) is (smtp_host != "")


def test_the_game_master_may_give_an_address_to_who_has_none(
    table: None, installation: Installation, db: Database
) -> None:
    uli = sign_in(installation, db)
    page = uli.get("/desk/game/ackerwinde?lang=en")
    assert "Orders that came by letter or phone" in words(page)
    seating.change_address(
        db, installation.link_key, "ackerwinde", "Anna", "anna@example.org", clock.now()
    )
    assert seat(db, "Anna").address == "anna@example.org"
    assert "" not in addresses(db)


def test_the_game_master_takes_who_has_no_address_along_to_the_next_game(
    table: None, installation: Installation, db: Database, frozen_time: Any
) -> None:
    for _ in range(2):
        close(installation, db, frozen_time)
    create.play_again(db, installation.link_key, "ackerwinde", "beinwell", "Beinwell", clock.now())
    seats = store.seats.of_game(db, "beinwell")
    assert [(one.name, one.address, one.robot) for one in seats] == [
        ("Anna", None, 0),
        ("Bert", "bert@example.org", 0),
        ("Cem", "cem@example.org", 0),
    ]


@pytest.mark.file
def test_a_restore_says_whose_new_link_is_to_be_handed_over(
    table: None, installation: Installation, db: Database, web: Any, tmp_path: Any
) -> None:
    old = link(installation, db)
    backup.make(db, tmp_path / "copy.db", clock.now())
    done = bohnenpost(installation, "restore", str(tmp_path / "copy.db"), "--yes")
    assert done.exit_code == 0, done.output
    assert "bohnenpost game links ackerwinde Anna" in done.output
    assert "a mail of the game brings yours" not in words(web.get(f"{old}?lang=en"))
    assert "whoever runs this service" in words(web.get(f"{old}?lang=en"))
    with installation.connection() as restored:
        restore.go_on(restored, clock.now())


def test_the_command_prints_new_links_for_those_without_an_address_alone(
    installation: Installation, db: Database, web: Any
) -> None:
    links = partial(bohnenpost, installation, "game", "links", "ackerwinde")
    open_table(installation, db)
    old = link(installation, db)
    printed = links().output
    assert web.get(old).status_code == 404
    assert link(installation, db) in printed
    assert "█" in printed or "▀" in printed
    assert "Bert" not in printed
    create.start_game(db, "ackerwinde", clock.now())
    kept = link(installation, db)
    assert links().exit_code == 2  # all the others' pages would be dead
    assert links("Bert").exit_code == 2
    assert links("Anna", "Bert").exit_code == 2
    assert web.get(kept).status_code == 200
    assert links("anna").exit_code == 0
    assert web.get(kept).status_code == 404
    notes = store.notes.of_round(db, "ackerwinde", 1)
    assert [(note.kind, note.seat) for note in notes] == [("renewed", "Anna")]


def test_a_seat_without_an_address_is_asked_for(
    installation: Installation, db: Database, web: Any
) -> None:
    give = partial(bohnenpost, installation, "game", "seat", "ackerwinde", "--name", "Dora")
    open_table(installation, db)
    for options in ([], ["--no-mail", "--robot"], ["--no-mail", "--address", "d@example.org"]):
        assert give(*options).exit_code == 2
    done = give("--no-mail")
    assert done.exit_code == 0
    found = re.search(r"http\S+(/z/\S+)", done.output)
    assert found
    assert web.get(found[1]).status_code == 200
    assert seat(db, "Dora").robot == 0


def test_the_desk_types_in_their_orders_and_hands_their_seat_over(
    table: None, installation: Installation, db: Database
) -> None:
    uli = sign_in(installation, db)
    typed = press(
        uli, "/desk/game/ackerwinde/orders", ("seat", "Anna"), ("orders", "1>A"), ("round", "1")
    )
    assert typed.status_code == 303
    assert "" not in addresses(db)
