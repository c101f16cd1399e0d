"""Sending written mails, with the same bytes until they are accepted."""

import logging

from msgspec import Struct

from gm import errors, store
from gm.clock import DAY
from gm.mail import blame
from gm.mail.kinds import FOLLOWER, kind_of
from gm.mail.queue import Event, masters, put
from gm.mail.transports import PermanentFailure, TemporaryFailure, Transport, TransportDown
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.mails import Leased, Mail

log = logging.getLogger(__name__)

LEASE_SECONDS = 900
"""How long a mail being sent is left alone; afterwards another process may send it."""
FIRST_RETRY, LONGEST_RETRY = 300, 4200
GIVE_UP_SECONDS = 5 * DAY
REMINDING = ("reminder", "row")
"""The kinds that are pointless once orders are in."""
ACCEPTED, REFUSED, PUT_OFF, PUT_OFF_AGAIN = "accepted", "refused", "put off", "put off again"


class SendResult(Struct, frozen=True):
    """What became of a mail, by its id. `following`: the next one, leased; None if none is due."""

    became: dict[int, str]
    following: Leased | None


class ServerRefuses(TransportDown):
    """The server refuses everybody's mail. `became`: the mails for which that is known, all put
    off.
    """

    def __init__(self, words: str, became: dict[int, str]) -> None:
        super().__init__(f"the mail server refuses us: {words}")
        self.became = became


def lease(db: Database, now: int, *, in_doubt: bool = False) -> Leased | None:
    """Lease the mail that is due next; None if none is due. `in_doubt`: the clock may be wrong."""
    with write(db, shared=True):
        return _lease(db, now, in_doubt=in_doubt)


def send_one(
    db: Database, transport: Transport, mail: Leased, now: int, *, in_doubt: bool = False
) -> SendResult:
    """Send a leased mail. What became of it is stored in the transaction that leases the next
    one.

    So there is one commit a mail, and a kill repeats one at most. What is refused for good fails
    and is shown; anything else is tried again later with the same bytes and Message-ID, and not
    given up while the clock is `in_doubt`. Raises TransportDown if the transport itself does not
    work, and ServerRefuses if the server takes nobody's mail: the mail waits, and nothing is
    counted against it.
    """
    try:
        answer = _try(transport, mail)
    except TransportDown:
        with write(db, shared=True):
            store.mails.update(db, mail.id, {"next_try": now})
        raise
    following = None
    with write(db, shared=answer is None):  # a refusal is judged by those of other mails
        became, goes_on = _store_outcome(db, mail, answer, now, in_doubt=in_doubt)
        try:
            if goes_on:
                with write(db, shared=True):
                    following = _lease(db, now, in_doubt=in_doubt)
        except Exception:
            # whatever is wrong with another mail: this one was sent, and is known to be
            log.exception("no further mail could be leased")
    if answer is not None:
        log.warning(
            "mail %s to seat %s of %s is %s: %s",
            mail.id,
            mail.seat,
            mail.game,
            became[mail.id],
            answer,
        )
    if not goes_on:
        raise ServerRefuses(str(answer), became)
    return SendResult(became, following)


def _try(transport: Transport, mail: Leased) -> PermanentFailure | TemporaryFailure | None:
    """Hand a mail to the transport; None if it was accepted. Raises TransportDown."""
    try:
        transport.send(mail)
    except (PermanentFailure, TemporaryFailure) as answer:
        return answer
    return None


def _store_outcome(
    db: Database,
    mail: Mail,
    answer: PermanentFailure | TemporaryFailure | None,
    now: int,
    *,
    in_doubt: bool,
) -> tuple[dict[int, str], bool]:
    """Store what became of a mail, and of others that were refused like it; returns whether the
    next one can be tried. Inside `write`.
    """
    joined = [other.id for other in store.mails.joined_to(db, mail)]
    if answer is None:
        forgotten = {"address": ""} if kind_of(mail.kind).is_last else {}
        sent = {"sent_at": now, "error": None, "tries": mail.tries + 1, **forgotten}
        for number in (mail.id, *joined):
            store.mails.end(db, number, sent)
        blame.one_was_taken(db)
        return {mail.id: ACCEPTED}, True
    put_off = PUT_OFF if mail.first_try is None and not mail.tries else PUT_OFF_AGAIN
    fault, mails = (
        blame.judge(db, mail, answer)
        if isinstance(answer, PermanentFailure)
        else (blame.NOBODY, [mail.id])
    )
    if fault == blame.SERVER:
        for number in mails:  # after the others', and its five days begin anew
            store.mails.put_off_for_server(db, number, now, now + FIRST_RETRY, str(answer))
        return dict.fromkeys(mails, PUT_OFF_AGAIN) | {mail.id: put_off}, False
    refused = {"failed_at": now, "error": str(answer)}
    outcome = refused if fault == blame.ADDRESS else _later(mail, answer, now, in_doubt=in_doubt)
    if "failed_at" not in outcome:
        store.mails.update(db, mail.id, outcome)
        return {mail.id: put_off}, True
    for number in (mail.id, *joined):
        store.mails.end(db, number, outcome)
    if kind_of(mail.kind).is_last:
        store.mails.withdraw(db, mail.id, now)
    elif kind_of(mail.kind).to == FOLLOWER:
        store.requests.remove_follower(db, mail.about or 0, now)
    else:
        _queue_for_masters(db, mail, now)
    return {mail.id: REFUSED}, True


def _later(mail: Mail, error: Exception, now: int, *, in_doubt: bool) -> dict[str, object]:
    """The columns for another try with the same bytes; given up five days after the first try by
    a clock that is right.
    """
    first = now if mail.first_try is None and not in_doubt else mail.first_try
    late = first is not None and now - first >= GIVE_UP_SECONDS and not in_doubt
    wait = min(FIRST_RETRY * 2 ** min(mail.tries, 10), LONGEST_RETRY)
    again = {"failed_at": now} if late else {"next_try": now + wait}
    return {"error": str(error), "tries": mail.tries + 1, "first_try": first, **again}


def _queue_for_masters(db: Database, mail: Mail, now: int) -> None:
    """Mail all game masters of the game about a refused mail, once a day for one address, and
    for all that strangers typed.
    """
    if mail.game is None or mail.kind in ("alarm", "refused"):  # of nobody, or to them
        return
    if store.told.masters_know_refusals(db, mail, now - DAY):
        return
    others = [
        recipient
        for recipient in masters(db, mail.game)
        if recipient.address.casefold() != mail.address.casefold()
    ]
    put(db, mail.game, mail.round, Event(kind="refused", about=mail.id, mark=now), others, now)


def _lease(db: Database, now: int, *, in_doubt: bool) -> Leased | None:
    """Lease the oldest due mail; reminders that are pointless by now are withdrawn on the way.
    Inside `write`.

    A mail that cannot be read, or whose game cannot, fails and is shown; no other waits for it.
    """
    while (
        number := store.mails.next_to_send(db, now, now + LONGEST_RETRY + LEASE_SECONDS)
    ) is not None:
        try:
            mail = store.mails.leased(db, number)
            if mail is None:  # its bytes are gone: it is written anew
                store.mails.unwrite(db, number)
                continue
            together = [mail, *store.mails.joined_to(db, mail)]
            held = [one for one in together if _stays(db, one)]
            stale = [one for one in together if one not in held and _is_stale(db, one, now)]
            waits = (stale and in_doubt) or len(held) == len(together)
        except store.db.DAMAGE as error:
            if errors.is_environment(error):
                raise
            why = errors.in_words(error, errors.noted(error, f"mail {number}"))
            store.mails.part(db, "id = ?", number)
            store.mails.end(db, number, {"failed_at": now, "error": why})
            continue
        if waits:
            store.mails.update(db, mail.id, {"next_try": now + FIRST_RETRY})
        elif stale or held:  # what tells of others too is written anew without these
            for one in stale:
                store.mails.withdraw(db, one.id, now)
            for one in held:
                store.mails.write_alone(db, one)
        else:
            store.mails.update(db, mail.id, {"next_try": now + LEASE_SECONDS})
            return mail
    return None


def _is_stale(db: Database, mail: Mail, now: int) -> bool:
    """True if a queued reminder, or word of a turn that waits, is pointless: orders are in, the
    round is over, or its deadline is another one.

    Also word of a refused mail that is sent again.
    """
    if mail.kind == "refused":
        return not store.told.is_refused(db, mail.about or 0)
    if mail.kind not in REMINDING:
        return False
    game = _game_of(db, mail)
    if (
        game is None
        or not game.is_open
        or (game.round, game.deadline) != (mail.round, mail.deadline)
        or (mail.deadline is not None and now >= mail.deadline)
    ):
        return True
    return mail.seat in store.lists.newest(db, game.id, mail.round)


def _stays(db: Database, mail: Mail) -> bool:
    """True if a reminder belongs to a held game: let go on in time, it still has something to
    say.
    """
    game = _game_of(db, mail) if mail.kind in REMINDING else None
    return game is not None and game.status == "held"


def _game_of(db: Database, mail: Mail) -> Game | None:
    return None if mail.game is None else store.games.get(db, mail.game)
