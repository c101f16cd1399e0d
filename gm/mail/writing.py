"""Writing mails as finished bytes. Each kind is a pair of templates, a subject and a text;
reports have HTML besides.
"""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from gm import errors, store
from gm.installation import Installation
from gm.mail import to_followers, to_masters, to_players
from gm.mail.draft import draft_of
from gm.mail.kinds import OUT_OF_THREADS
from gm.store.db import Database, write
from gm.store.mails import Mail

log = logging.getLogger(__name__)

WRITERS = to_players.WRITERS | to_masters.WRITERS | to_followers.WRITERS
"""How each kind of mail is written: (database, draft, what the mails of its batch share so far)
→ bytes.
"""


def rendered(
    db: Database, installation: Installation, batch: Sequence[Mail], now: int
) -> Iterator[tuple[Sequence[Mail], bytes | Exception]]:
    """The finished bytes of mails of one batch, or why not even the fallback could be written;
    each with the mail, and with those that it tells too.

    What all seats share is rendered once per language. A template that fails costs one mail its
    words, never the round its mails.
    """
    if not batch:  # somebody else has written it meanwhile
        return
    if batch[0].act is not None and len(batch) > 1:
        for address in dict.fromkeys(mail.address for mail in batch):  # some may have moved
            to_one = [mail for mail in batch if mail.address == address]
            write_them = rendered if len(to_one) == 1 else _of_act
            yield from write_them(db, installation, to_one, now)
        return
    of, game = batch[0].game, None
    if of is not None and (game := store.games.get(db, of)) is None:
        raise LookupError(f"mail {batch[0].id} belongs to no game")
    seats = {seat.number: seat for seat in store.seats.of_game(db, of)} if of else {}
    sent = store.told.first_sent(db, of, OUT_OF_THREADS) if of else {}
    secret = store.rounds.revealed_secret(db, game) if game is not None else None
    shared: dict[str, Any] = {}
    for mail in batch:
        after = sent.get((mail.seat, mail.link_number, mail.address))
        draft = draft_of(installation, game, seats.get(mail.seat or 0), mail, now, after, secret)
        try:
            yield [draft.mail], WRITERS[mail.kind](db, draft, shared)
        except Exception as trouble:  # the fallback must not depend on what failed
            if errors.is_environment(trouble):
                raise
            log.exception(
                "mail %s (%s of round %s of %s) could not be written",
                mail.id,
                mail.kind,
                mail.round,
                of,
            )
            if game is None:  # the fallback tells where a game stands
                yield [draft.mail], trouble
                continue
            try:
                fallback: bytes | Exception = draft.compose("fallback")
            except Exception as error:
                fallback = error
            yield [draft.mail], fallback


def _of_act(
    db: Database, installation: Installation, batch: Sequence[Mail], now: int
) -> Iterator[tuple[Sequence[Mail], bytes | Exception]]:
    """One mail about several games; if that fails, one about each."""
    try:
        mail, data = to_players.of_several(db, installation, batch, now)
    except Exception as trouble:
        if errors.is_environment(trouble):
            raise
        log.exception("mail %s about several games could not be written", batch[0].id)
        for alone in batch:
            try:
                yield from rendered(db, installation, [alone], now)
            except Exception as error:  # its game is damaged, the others' are not
                if errors.is_environment(error):
                    raise
                yield [alone], error
    else:
        yield [mail, *batch[1:]], data


@contextmanager
def failing(db: Database, mail_id: int, now: int) -> Iterator[None]:
    """Run the block. If its mails make it fail, mark this mail and its whole batch as failed, which
    the desk lists; other mails go on.
    """
    try:
        yield
    except Exception as error:
        if errors.is_environment(error):
            raise
        why = errors.in_words(error, errors.noted(error, f"mails like {mail_id}"))
        with write(db):
            store.mails.fail_unwritten_in_batch_of(db, mail_id, now, why)


def keep(db: Database, mails: Sequence[Mail], finished: bytes | Exception, now: int) -> None:
    """Store the bytes of a mail, and which others it tells, or why there are none. Inside
    `write`.
    """
    if isinstance(finished, Exception):
        why = f"{type(finished).__name__}: {finished}"[:500]
        store.mails.fail_to_write(db, mails[0].id, now, why)
    else:
        store.mails.keep_written(db, mails, finished, hashlib.sha256(finished).hexdigest(), now)
