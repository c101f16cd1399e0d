"""The plain way to write letters says the same as ours: else the two are not to be compared."""

from pathlib import Path

import pytest

from gm.bench.baseline import plainly
from gm.bench.fixtures import fall_due, furnish
from gm.deadline.closing import close_one
from gm.mail.delivery import write_one
from gm.store.db import write
from tests.gm.mail.test_delivery import mails, parsed


@pytest.mark.long
def test_reports_written_the_plain_way_say_the_same(tmp_path: Path) -> None:
    house = furnish(tmp_path, 1, 3)
    now = fall_due(house)

    def words() -> list[tuple[str, str]]:
        found = [parsed(mail.bytes) for mail in mails(db) if mail.bytes]
        return [(mail["To"], " ".join(mail.get_body(("html",)).get_content().split())) for mail in found]  # type: ignore[union-attr]

    with house.connection() as db:
        close_one(db, house.config, now)
        assert write_one(db, house, now)
        ours = words()
        with write(db):
            db.execute("UPDATE mail SET written_at = NULL, bytes = NULL WHERE bytes IS NOT NULL")
        with plainly():
            assert write_one(db, house, now)
        assert words() == ours
        assert len(ours) == 3
