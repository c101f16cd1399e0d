"""Names and addresses as they are stored: in one spelling, with letters of one alphabet, and not
to be taken for others.
"""

import re
import unicodedata

from gm.errors import Refusal
from rounds.engine.record import MAX_NAME, name_fault
from rounds.engine.witness import harmless

RESERVED = {
    "gm",
    "gamemaster",
    "spielleitung",
    "spielleiter",
    "spielleiterin",
    "system",
    "bohnenpost",
    "admin",
    "nobody",
    "niemand",
}
"""Names that would be taken for the game master or the service."""
LONGEST_ADDRESS = 254
LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
UNREADABLE = re.compile("[\0-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Categories of characters that can't be read or that turn other text about; emoji, joiners and
marks are allowed.
"""
HALF = re.compile("[\ud800-\udfff]")
LONGEST_DESCRIPTION = 1000
MACHINES = {"postmaster", "mailer-daemon", "abuse", "noreply", "no-reply"}
"""Mailboxes that answer automatically, or that nobody reads."""
EAST_ASIAN = {
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "KATAKANA-HIRAGANA",
    "IDEOGRAPHIC",
    "HANGUL",
    "BOPOMOFO",
}
"""Scripts that are written side by side in one name."""
MOST_PARTS = 4
"""Most characters that become one when a text is normalised. Longer texts are not normalised,
because the cost grows with the square of the marks behind one letter.
"""


def composed(text: str) -> str:
    """The normal form of a name or address in Unicode; too long ones are returned as they are."""
    return (
        unicodedata.normalize("NFC", text)
        if len(text) <= max(MOST_PARTS * MAX_NAME, LONGEST_ADDRESS)
        else text
    )


def checked_name(name: str) -> str:
    """The normal form of a name. Raises Refusal unless it can be the name of a seat, a game or a
    game master.
    """
    name = composed(name)
    if name_fault(name) or name != harmless(name):
        raise Refusal("bad_name", name=name, limit=MAX_NAME)
    return name


def checked_player(name: str) -> str:
    """The normal form of a player's name: with a letter or digit, letters of one script only,
    and none of our own names. Raises Refusal.
    """
    name = checked_name(name)
    letters = [char for char in name if char.isalpha()]
    if not letters and not any(char.isdigit() for char in name):
        raise Refusal("bad_name", name=name, limit=MAX_NAME)
    if (
        len(
            {
                _script(char)
                for char in letters
                if unicodedata.category(char) != "Lm" and char not in "ªº"
            }
        )
        > 1
    ):
        raise Refusal("name_mixed", name=name)
    if "".join(filter(str.isalnum, _plain(name))) in RESERVED:
        raise Refusal("name_reserved", name=name)
    return name


def looks_like(name: str, other: str) -> bool:
    """True if two names differ in capitals, marks and blanks alone."""
    return _plain(name) == _plain(other)


def plain_words(text: str) -> str:
    """Words as they are stored: one kind of line end, no unreadable characters, no line that
    mails would carry as proof.
    """
    return harmless(HALF.sub("\ufffd", UNREADABLE.sub("", LINE_END.sub("\n", text))).strip())


def checked_description(text: str) -> str:
    """Words about a game as they are stored. Raises Refusal if they are too long."""
    text = plain_words(text)
    if len(text) > LONGEST_DESCRIPTION:
        raise Refusal("bad_description", limit=LONGEST_DESCRIPTION)
    return text


def checked_address(address: str, own: str = "") -> str:
    """The address as mail goes there, with an ASCII domain.

    Raises Refusal unless this is one plain mail address of a person; `own` is the address our
    mails come from.
    """
    if len(address) > LONGEST_ADDRESS:
        raise Refusal("bad_address", address=address)
    local, _, domain = composed(address).rpartition("@")
    try:
        spelled = domain.encode("idna").decode() if not domain.isascii() else domain
        if not domain.isascii() and spelled.encode().decode("idna") != domain.lower():
            # the older rules would write to another domain
            raise Refusal("bad_address", address=address)
    except UnicodeError:
        raise Refusal("bad_address", address=address) from None
    whole = f"{local}@{spelled}"
    plain = all(
        char.isascii() and char.isprintable() and char not in ' ",:;<>()[]\\' for char in whole
    )
    # no dot beside a dot, or at an end
    dotted = all(local.split(".")) and all(spelled.split(".")) and "." in spelled
    short = len(local) <= 64 and len(whole) <= LONGEST_ADDRESS
    if not (plain and short and dotted and "@" not in local) or local.startswith("=?"):
        raise Refusal("bad_address", address=address)
    if local.casefold() in MACHINES or whole.casefold() == own.casefold():
        raise Refusal("no_person", address=address)
    return whole


def same_mailbox(address: str) -> str:
    """A text that is the same for all spellings that many providers deliver to one mailbox: no
    capitals, no dots, nothing behind a plus.
    """
    local, _, domain = address.casefold().rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{domain}"


def _script(letter: str) -> str:
    script = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if script in EAST_ASIAN else script


def _plain(name: str) -> str:
    """A name without capitals, marks and blanks."""
    letters = unicodedata.normalize("NFKD", name.casefold()).replace(" ", "")
    return "".join(char for char in letters if not unicodedata.combining(char))
