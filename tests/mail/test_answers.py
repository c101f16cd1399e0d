"""What becomes of a mail, as a table: `answers.txt` says how it reads."""

from pathlib import Path

import pytest

from gm.clock import DAY, HOUR
from gm.deadline.health import late
from gm.installation import Installation
from gm.service import tick_mail as send
from gm.store.db import Database
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.postbox import Postbox
from tests.steps import parsed, plain_text, stored_mails, with_server

ROWS = [
    line.split(" | ")
    for line in Path(__file__).with_name("answers.txt").read_text(encoding="utf-8").splitlines()
    if line.count(" | ") == 5 and not line.startswith(" ")
]
PEOPLE = {name: f"{name.lower()}@ackerwinde.example.org" for name in ("Anna", "Bert", "Cem")}
SAYS = {
    "nobody": "550 5.1.1 No such user",
    "full": "552 5.2.2 mailbox full",
    "later": "451 4.7.1 try later",
    "relay": "554 5.7.1 Relay access denied",
    "listed": "550 your machine is on a list",
    "policy": "553 sender rejected by policy",
}


def states(db: Database) -> str:
    """What became of the mails of the start, those to Anna, Bert and Cem."""
    mails = {mail.address: mail for mail in stored_mails(db) if mail.kind == "start"}
    found = (mails[address] for address in PEOPLE.values())
    return " ".join(
        "sent" if mail.sent_at else ("failed" if mail.failed_at else "waits") for mail in found
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_mail_becomes_what_the_table_says(
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    postbox: tuple[Postbox, int],
    row: list[str],
) -> None:
    box, port = postbox
    served = with_server(installation, port)
    everybody = (*PEOPLE.values(), "uli@example.org")
    answers = dict(zip(everybody, row[0].split(", "), strict=True))
    box.answers = {to: [SAYS[said]] * 999 for to, said in answers.items() if said != "taken"}
    send(served, SUNDAY)
    found = [states(db)]
    fault = "the server" if "server" in {one.kind for one in late(db, SUNDAY)} else "nobody"
    for minutes in range(1, 6):
        send(served, SUNDAY + minutes * 60)
    found.append(states(db))
    for hours in range(1, 6 * 24, 6):
        send(served, SUNDAY + hours * HOUR)
    found.append(states(db))
    told = [plain_text(parsed(data)) for to, data in box.mails if to == "uli@example.org"]
    names = [name for name in PEOPLE if any(PEOPLE[name] in text for text in told)]
    assert [*found, " ".join(names) or "-", fault] == row[1:]
    assert {mail.bytes for mail in stored_mails(db) if mail.failed_at} <= {None}
    box.answers = {}
    send(served, SUNDAY + 7 * DAY)
    assert states(db) == found[-1].replace("waits", "sent")
    assert len([to for to, _ in box.mails if to in PEOPLE.values()]) == states(db).count("sent")
