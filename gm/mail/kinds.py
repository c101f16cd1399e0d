"""The kinds of mail, and what sets each apart; the modules `to_*` write them."""

from msgspec import Struct


class Kind(Struct, frozen=True):
    """Whom mails of a kind go to, and of what the column `about` has the number; empty: it tells
    of nothing that has one.

    `has_button`: there is something to press; `in_thread`: it belongs with the mails of its game,
    which one that invites to it does not; `may_be_chosen`: game masters say in their settings
    whether they want it; `offers_seat`: pointless once none can be taken; `to_anybody`: to any
    address that a stranger types; `is_last`: the address is erased once it is sent or given up.
    """

    to: str
    about: str = ""
    has_button: bool = True
    in_thread: bool = True
    may_be_chosen: bool = False
    offers_seat: bool = False
    to_anybody: bool = False
    is_last: bool = False


PLAYER, MASTER, FOLLOWER = "player", "game master", "follower"
KINDS = {
    "start": Kind(PLAYER, "version"),
    "report": Kind(PLAYER, "version"),
    "final": Kind(PLAYER, "version", has_button=False),
    "receipt": Kind(PLAYER, "list"),
    "reminder": Kind(PLAYER),
    "row": Kind(PLAYER),  # that a turn which was begun waits
    "news": Kind(PLAYER, "note"),
    "several": Kind(PLAYER, has_button=False),  # news and reminders of one act, written together
    "called_off": Kind(PLAYER, "note", has_button=False),
    "confirm": Kind(PLAYER, "request", in_thread=False, offers_seat=True, to_anybody=True),
    "invite": Kind(PLAYER, in_thread=False, offers_seat=True),
    "welcome": Kind(PLAYER, "request"),  # or nothing, if no request came before
    "ready": Kind(PLAYER, offers_seat=True),
    "takeover": Kind(PLAYER),
    "lost": Kind(PLAYER, "dead link", has_button=False),
    "left": Kind(PLAYER, "dead link", has_button=False, is_last=True),
    "moved_away": Kind(PLAYER, "note", has_button=False),
    "moved_here": Kind(PLAYER, "note"),
    "gm_tried": Kind(PLAYER, "note", has_button=False),
    "receipts_off": Kind(PLAYER),
    "link": Kind(PLAYER),
    "link_again": Kind(PLAYER),
    "link_new": Kind(PLAYER),
    "link_own": Kind(PLAYER),
    "link_restored": Kind(PLAYER),
    "my_games": Kind(PLAYER),
    "words": Kind(MASTER, "seat", may_be_chosen=True),
    "joined": Kind(MASTER, "seat", may_be_chosen=True),
    "gm_report": Kind(MASTER, "version", may_be_chosen=True),
    "alarm": Kind(MASTER),
    "gone": Kind(MASTER, "dead link"),
    "refused": Kind(MASTER, "mail"),
    "sign_in": Kind(MASTER),
    "follow": Kind(FOLLOWER, "follower", in_thread=False, to_anybody=True),
    "follow_report": Kind(FOLLOWER, "follower"),
    "opened": Kind(FOLLOWER, "follower", offers_seat=True),
}


def kind_of(mail: str) -> Kind:
    """The kind of this name; of a row that is damaged one like any."""
    return KINDS.get(mail, Kind(PLAYER))


TO_MASTERS = tuple(name for name, kind in KINDS.items() if kind.to == MASTER)
TO_CHOOSE = tuple(name for name, kind in KINDS.items() if kind.may_be_chosen)
OUT_OF_THREADS = tuple(name for name, kind in KINDS.items() if not kind.in_thread)
