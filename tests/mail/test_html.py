"""The HTML of mails loads nothing and leaves no hole: no picture, no drawing, no relative address."""

import re
from typing import Any

import pytest

from gm.installation import Installation
from gm.service import tick
from gm.store.db import Database
from rounds.engine.variant import find, names
from tests.service.whole.one_game import begun, close, game, mails, order, text_of

NAMES = ("Anna", "Bert", "Cem", "Emil")


@pytest.mark.long
@pytest.mark.parametrize("variant", names())
def test_no_mail_of_a_whole_game_has_a_picture_or_a_relative_address(
    installation: Installation, db: Database, frozen_time: Any, variant: str
) -> None:
    most = max(seats for seats in range(1, 5) if seats in find(variant).seats)
    players = {name: ("de", "en")[place % 2] for place, name in enumerate(NAMES[:most])}
    begun(installation, db, "probe", variant, players)
    count = 0
    while game(db).status == "running":
        for name in players:
            count += 1
            if game(db).takes(name) and count % 7:
                order(db, name)
        close(db, frozen_time)
        tick(installation)
    htmls = [text_of(mail, "html") for mail in mails(installation, "") if mail.get_body(("html",))]
    assert len(htmls) > 15
    for html in htmls:
        assert not re.search(r"<(svg|img|use|picture|object|link|script)\b", html)
        addresses = re.findall(r"""(?:href|src|action)=["']([^"']*)""", html)
        assert all(re.match(r"https?://|mailto:", address) for address in addresses), addresses
