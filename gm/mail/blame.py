"""Whether the address or the mail server is to blame for a refused mail."""

import msgspec
from msgspec import Struct

from gm import store
from gm.mail.kinds import kind_of
from gm.mail.transports import PermanentFailure
from gm.store.db import Database
from gm.store.mails import Mail

REMEMBERED = "refusal"
SERVER, POLICY, ADDRESS, NOBODY = "server", "policy", "address", "nobody"


class Row(Struct, frozen=True):
    """Refusals in a row with no mail accepted between: the mails, the code, the server's last
    words.

    `by_server`: the server was found to blame. `several`: they went to different people.
    """

    mails: tuple[int, ...]
    code: int
    words: str
    by_server: bool
    several: bool = False


def judge(db: Database, mail: Mail, answer: PermanentFailure) -> tuple[str, list[int]]:
    """Who is to blame for this refusal, and the mails for which that is known now. Inside
    `write`.

    `server` and `policy`: the mail is tried again. Two people in a row were answered alike, or
    the server says that it does not take this from us. `address`: the mail failed; anything
    else, and mails refused again although others' mail was accepted meanwhile. Mails to
    strangers' addresses never count as the server's fault: two made-up addresses would hold up
    everybody's mail.
    """
    if _others_taken_since(db, mail):
        return POLICY if answer.by_policy else ADDRESS, [mail.id]
    before = _row(db)
    if kind_of(mail.kind).to_anybody:
        waits = answer.by_policy or (before is not None and before.by_server)
        return POLICY if waits else ADDRESS, [mail.id]
    alike = before if before is not None and before.code == answer.code else None
    mails = tuple(dict.fromkeys((*(alike.mails if alike else ()), mail.id)))
    second = alike is not None and store.told.any_to_others(db, alike.mails, mail.address)
    by_server = second or answer.by_policy or (alike is not None and alike.by_server)
    several = second or (alike is not None and alike.several)
    row = msgspec.json.encode(Row(mails, answer.code, str(answer), by_server, several)).decode()
    store.meta.remember(db, REMEMBERED, row)
    if second:
        return SERVER, list(mails)
    return POLICY if by_server else ADDRESS, [mail.id]


def one_was_taken(db: Database) -> None:
    """A mail was accepted: refusals before it are not in a row with those after it. Inside
    `write`.
    """
    store.meta.forget(db, REMEMBERED)


def server_fault(db: Database, *, for_one: bool = False) -> str | None:
    """The words with which the mail server refuses us, as long as a mail waits because of it;
    else None.

    Refuses different people, or with `for_one` one person alone.
    """
    row = _row(db)
    if row is None or not row.by_server or row.several is for_one:
        return None
    return row.words if store.told.any_waiting(db, row.mails) else None


def _others_taken_since(db: Database, mail: Mail) -> bool:
    """True if this mail was tried before, and others' mail was accepted since."""
    return mail.first_try is not None and store.told.others_were_sent(
        db, mail.address, mail.first_try
    )


def _row(db: Database) -> Row | None:
    text = store.meta.remembered(db, REMEMBERED)
    return None if text is None else msgspec.json.decode(text, type=Row)
