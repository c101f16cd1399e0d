"""How often mails with a button go to addresses that somebody typed into a form, and how long the button works."""

from sqlite_utils import Database

from gm import store
from gm.clock import DAY, HOUR
from gm.errors import Refusal
from gm.game.names import same_mailbox
from gm.mail.queue import address_number

VALID_SECONDS = 7 * DAY
"""So long a mailed button works."""
MOST_REQUESTS = 3
"""So often an hour a mailbox is written to, however it is spelled, because somebody typed it into a form."""
MOST_UNCONFIRMED = {"seats": 80, "invitation": 40, "moves": 40, "follow": 40}
"""So many mails an hour go to addresses that nobody has confirmed yet, from the whole installation: each kind for itself, so that
strangers take nothing from those who have a seat or an invitation."""


def is_asked_often(db: Database, address: str, now: int) -> bool:
    """Whether this mailbox was written to too often because of forms, however it is spelled."""
    since, mailbox = now - HOUR, same_mailbox(address)
    for_seats = sum(same_mailbox(other) == mailbox for other in store.requests.mailboxes_asked(db, since))
    return for_seats + store.requests.follow_mails_to(db, mailbox_number(address), since) >= MOST_REQUESTS


def mailbox_number(address: str) -> int:
    """A number that stands for a mailbox, however it is spelled: mails are counted by it when the address is forgotten."""
    return address_number(same_mailbox(address))


def check_ceiling(db: Database, what: str, now: int) -> None:
    """Raises Refusal while too many mails of this kind went to addresses that nobody has confirmed. It is asked before an address
    is looked up, so that the answer tells nothing of it.
    """
    if what in full(db, now):
        raise Refusal("many_asked")


def full(db: Database, now: int) -> tuple[str, ...]:
    """The kinds of mails of which no more go out within this hour."""
    asked = store.requests.unconfirmed_since(db, now - HOUR)
    return tuple(what for what, most in MOST_UNCONFIRMED.items() if asked.get(what, 0) >= most)
