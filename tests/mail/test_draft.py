"""A draft: its headers, its links, what all of a round share, and the fallback where its own
words cannot be written.
"""

import logging
from dataclasses import replace
from email.utils import parsedate_to_datetime
from itertools import count
from typing import Any

import pytest
from msgspec import structs

from gm import store
from gm.installation import Installation
from gm.mail.draft import RenderOnce, draft_of, whole_message_id
from gm.mail.queue import Recipient
from gm.mail.writing import rendered
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.seats import Seat
from tests.dates import NOON
from tests.steps import event_of, parsed, plain_text, queued, written

NOW = int(NOON.timestamp())
ULI = Recipient("uli@example.org", "de")


def test_every_mail_has_the_headers_of_its_game(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    anna = store.seats.numbered(db, "ackerwinde", 1)
    mail = queued(db, event_of("ready"), anna)
    found, domain = written(db, installation, mail), installation.config.mail_domain
    assert found["From"] == f"Ackerwinde <{installation.config.mail_address}>"
    assert (found["To"], found["Reply-To"]) == (anna.address, "Uli <uli@example.org>")
    assert found["Message-ID"] == f"<{mail.message_id}@{domain}>"
    assert (found["X-Bohnenpost-Game"], found["List-Id"]) == ("ackerwinde", None)
    assert found["Date"].endswith("+0100")  # where the game is played
    assert found["Auto-Submitted"] == "auto-generated"
    assert parsedate_to_datetime(found["Date"]) == NOON


def test_a_mail_refers_to_the_first_that_was_sent_to_the_same_person(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    bert, anna = (store.seats.numbered(db, "ackerwinde", number) for number in (2, 1))

    minutes = count()

    def after(kind: str, seat: Seat, *, sent: bool = True, of: int = 0) -> tuple[Any, Any, str]:
        mail = queued(db, event_of(kind), seat, of)
        found = written(db, installation, mail)
        with write(db):
            if sent:
                sent_at = NOW + next(minutes) * 60
                store.mails.end(
                    db, mail.id, {"sent_at": sent_at, "message_id": found["Message-ID"]}
                )
            else:
                store.mails.end(db, mail.id, {"withdrawn_at": NOW})
        return found["References"], found["In-Reply-To"], found["Message-ID"]

    root = f"<ackerwinde.{ackerwinde.created_at}@{installation.config.mail_domain}>"
    invited = after("invite", bert)
    assert invited[:2] == (None, None)
    first = after("ready", bert)
    assert first[:2] == (None, None)  # an invitation heads no game
    assert after("receipts_off", anna)[:2] == (None, None)
    second = after("link", bert, sent=False)
    assert second[:2] == (f"{root} {first[2]}", first[2])
    for _ in range(3):  # no mail's parent has a parent
        assert after("start", bert)[:2] == (f"{root} {first[2]}", first[2])
    with write(db):
        db.execute("UPDATE seat SET link_number = 2 WHERE number = 2")
    other = store.seats.numbered(db, "ackerwinde", 2)
    assert after("link_new", other, of=1)[:2] == (None, None)


def test_mails_come_from_the_name_of_the_installation_where_it_has_one(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    named = replace(
        installation,
        config=replace(
            installation.config, mail_from=f"Beans <{installation.config.mail_address}>"
        ),
    )
    assert (
        written(db, named, queued(db, event_of("alarm"), ULI))["From"]
        == f"Beans <{installation.config.mail_address}>"
    )


def test_a_message_id_gets_its_domain_once(installation: Installation) -> None:
    whole = whole_message_id("ready.1.ackerwinde.00", installation.config)
    assert whole == f"<ready.1.ackerwinde.00@{installation.config.mail_domain}>"
    assert whole_message_id(whole, installation.config) == whole


def test_headers_stand_in_place_of_those_of_every_mail_or_besides(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    draft = draft_of(installation, ackerwinde, None, queued(db, event_of("alarm"), ULI), NOW)
    found = parsed(
        draft.compose(
            "alarm", headers={"Reply-To": "cem@example.org", "X-Bean": "mung"}, desk=draft.desk
        )
    )
    assert (found.get_all("Reply-To"), found["X-Bean"]) == (["cem@example.org"], "mung")


def test_a_player_is_given_the_link_the_mail_was_queued_for_and_a_master_none(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    anna = store.seats.numbered(db, "ackerwinde", 1)
    mail = queued(db, event_of("ready"), anna)
    draft = draft_of(installation, ackerwinde, anna, mail, NOW)
    assert draft.words["link"] == installation.url("seat", "ackerwinde", "Anna", 1)
    assert draft.words["settings"] == f"{draft.words['link']}/mail"
    of_gm = draft_of(installation, ackerwinde, None, mail, NOW)
    assert "link" not in of_gm.words
    assert of_gm.words["settings"] == f"{installation.config.base_url}/desk/settings"
    assert of_gm.desk == f"{installation.config.base_url}/desk/game/ackerwinde"


def test_what_mails_share_is_made_with_the_first() -> None:
    once = RenderOnce()
    assert [
        once("head", caller=lambda: "first"),
        once("head", caller=lambda: "second"),
        once("foot", caller=lambda: "third"),
    ] == [
        "first",
        "first",
        "third",
    ]
    assert once.pieces == {("head",): "first", ("foot",): "third"}


@pytest.mark.parametrize(
    ("number", "subject", "says"),
    [
        (1, "Ackerwinde: Neues aus Runde 1", "Alles steht auf der Seite der Partie"),
        (2, "Ackerwinde: news of round 1", "Everything stands on its page"),
    ],
)
def test_a_letter_that_cannot_be_written_says_where_everything_stands(
    db: Database,
    installation: Installation,
    ackerwinde: Game,
    caplog: pytest.LogCaptureFixture,
    number: int,
    subject: str,
    says: str,
) -> None:
    """Nothing is known of the link that this mail tells of."""
    seat = store.seats.numbered(db, "ackerwinde", number)
    with caplog.at_level(logging.CRITICAL):
        found = written(db, installation, queued(db, event_of("lost", 99), seat))
    assert found["Subject"] == subject
    assert says in plain_text(found)
    assert installation.game_url(ackerwinde) in plain_text(found)
    assert installation.url("seat", "ackerwinde", seat.name, 1) in plain_text(found)


def test_the_fallback_of_who_has_no_seat_shows_no_link_and_the_others_are_written(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    batch = [
        queued(db, event_of("confirm", ref), Recipient(f"{name}@example.org", "en"))
        for ref, name in ((98, "d"), (99, "e"))
    ]
    found = [
        parsed(data)
        for _, data in rendered(db, installation, batch, NOW)
        if isinstance(data, bytes)
    ]
    assert [mail["To"] for mail in found] == ["d@example.org", "e@example.org"]
    assert all("/z/" not in plain_text(mail) for mail in found)


def test_a_mail_of_no_game_is_none(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    mail = store.mails.after(db, 0)[0]
    nowhere = structs.replace(mail, game="distel")
    with pytest.raises(LookupError, match="belongs to no game"):
        list(rendered(db, installation, [nowhere], NOW))
