"""`mail`: what it says of mails that wait."""

import json

from gm import store
from gm.installation import Installation
from gm.service import write_mails
from gm.store.db import Database
from gm.store.games import Game
from tests.dates import SUNDAY
from tests.steps import bohnenpost


def ids(installation: Installation) -> list[str]:
    lines = bohnenpost("mail", "list", "--json", home=installation.home).output.splitlines()
    return [json.loads(line)["message_id"] for line in lines]


def test_a_waiting_mail_is_known_by_the_message_id_it_will_have(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    queued = ids(installation)
    shown = bohnenpost("mail", "show", 1, home=installation.home).output
    assert write_mails(db, installation, SUNDAY) is True
    assert queued == ids(installation) == [mail.message_id for mail in store.mails.all_not_sent(db)]
    assert f"Message-ID   {queued[0]}\n" in shown
