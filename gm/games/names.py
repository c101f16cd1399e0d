"""Names and addresses as they are stored: in one spelling, with letters of one alphabet, and not
to be taken for others.
"""

import re
import unicodedata

from gm.errors import Refusal
from gm.store.notes import plain_words
from rounds.engine.record import JOINERS, MAX_NAME, name_fault
from rounds.engine.witness import IGNORABLE, harmless

RESERVED = {
    "gm",
    "thegm",
    "gamemaster",
    "thegamemaster",
    "spielleitung",
    "diespielleitung",
    "spielleiter",
    "spielleiterin",
    "derspielleiter",
    "diespielleiterin",
    "system",
    "bohnenpost",
    "admin",
    "administrator",
    "nobody",
    "niemand",
}
"""Names that would be taken for the game master or the service, as `_plain` writes them."""
MARK = re.compile(
    r".*[(\[{]\s*(gm|sl|spielleitung|robot|roboter|now|jetzt|you|du|with you|mit dir"
    r"|(the |der )?stand-in|(es spielt )?(der )?vertreter)\b",
    re.IGNORECASE,
)
"""Names that end like what pages write behind one: "Cem (GM)", "Bert (now Zoe)"."""
BULLET = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)])\s+(?=\S)")
QUOTES = "\"'„“”»«‘’‚"
LIKE_PUNCTUATION = re.compile("[\u02b9-\u02ff\u0640\u01c3\ua78b\ua78c]").match
"""Whether a letter is drawn as an apostrophe, a colon, an exclamation mark, a stroke."""
VOICED = "\u3099\u309a"
"""Marks of Japanese that make another sound; other marks with a class of their own are ornament."""
BLANK = "\u115f\u1160\u3164\uffa0\u2800"
"""Letters and signs that are drawn as a blank: fillers of Hangul, an empty pattern of Braille."""
LONGEST_ADDRESS = 254
VIRAMA = 9
"""Its combining class in Unicode."""
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
    joiners = [at for at, char in enumerate(name) if char in JOINERS]
    if (
        name_fault(name.rstrip(JOINERS))
        or name != harmless(name)
        or any(char in BLANK for char in name)
        or not all(_is_needed(name, at) for at in joiners)
    ):
        raise Refusal("bad_name", name=name, limit=MAX_NAME)
    if _letters(name) == "proof":  # "Proof: 5 talers" at the margin of a mail
        raise Refusal("name_reserved", name=name)
    return name.rstrip(JOINERS)


def checked_player(name: str) -> str:
    """The normal form of a player's name: with a letter or digit, letters of one script only
    (Latin ones also beside East Asian ones), and none of our own names. What lists and mail
    programs put around a name is no part of it. Raises Refusal.
    """
    name = checked_name(_bare(name))
    letters = [char for char in name if char.isalpha()]
    if not letters and not any(char.isdigit() for char in name):
        raise Refusal("bad_name", name=name, limit=MAX_NAME)
    scripts = {
        _script(char) for char in letters if unicodedata.category(char) != "Lm" and char not in "ªº"
    }
    if len(scripts) > 1 and scripts != {"LATIN", "CJK"}:
        raise Refusal("name_mixed", name=name)
    if _letters(name) in RESERVED or MARK.match(name):
        raise Refusal("name_reserved", name=name)
    return name


def _bare(name: str) -> str:
    """A name without the bullet or number before it, and the quotation marks around it."""
    name = BULLET.sub("", name).strip()
    if len(name) > 2 and name[0] in QUOTES and name[-1] in QUOTES:
        return name[1:-1].strip()
    return name


def looks_like(name: str, other: str) -> bool:
    """True if two names differ in capitals, marks, blanks, punctuation and what is drawn as
    nothing alone.
    """
    return (_letters(name) or _plain(name)) == (_letters(other) or _plain(other))


def is_named_like(name: str, master: str) -> bool:
    """True if a name could be taken for that of this game master, also with what pages add."""
    own, letters = _letters(master), _letters(name)
    titled = {both for title in RESERVED for both in (f"{own}{title}", f"{title}{own}")}
    return letters == own or letters in titled


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
    # a half or full width is another form of the same letter
    whole = unicodedata.normalize("NFKC", letter)[0]
    script = unicodedata.name(whole, "").partition(" ")[0]
    return "CJK" if script in EAST_ASIAN else script


def _plain(name: str) -> str:
    """A name without capitals, marks, blanks and what is drawn as nothing. Capitals of other
    styles become such only when the text is decomposed, hence twice.
    """
    capitals = unicodedata.normalize("NFKD", name)
    letters = unicodedata.normalize("NFKD", capitals.casefold())
    return "".join(
        char
        for char in IGNORABLE.sub("", letters)
        if (not unicodedata.combining(char) or char in VOICED)
        and not char.isspace()
        and char not in BLANK
    )


def _letters(name: str) -> str:
    """What `_plain` leaves of a name, without punctuation and letters that look like it: letters,
    digits and combining marks.
    """
    return "".join(
        char
        for char in _plain(name)
        if (char.isalnum() or unicodedata.category(char)[0] == "M") and not LIKE_PUNCTUATION(char)
    )


def _is_needed(name: str, at: int) -> bool:
    """Whether a script, or a picture made of several, needs a joiner at this place: beside a
    virama, behind a letter of Arabic, between pictures (RFC 5892, appendix A, and emoji).
    """
    before, after = IGNORABLE.sub("", name[:at])[-1:], IGNORABLE.sub("", name[at:])[:1]
    if not before or name[at + 1 : at + 2] in (*JOINERS,):
        return False
    letters = "".join(char for char in name[:at] if not unicodedata.combining(char))
    is_arabic = unicodedata.bidirectional(letters[-1:] or " ") == "AL" and (
        not after or unicodedata.bidirectional(after) in ("AL", "EN", "AN")
    )
    is_picture = (
        unicodedata.category(before) in ("So", "Sk") and unicodedata.category(after or " ") == "So"
    )
    return VIRAMA in map(unicodedata.combining, (before, after or " ")) or is_arabic or is_picture
