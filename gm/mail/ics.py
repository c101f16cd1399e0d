"""The next deadline as a calendar file (RFC 5545): attached to reports, and as a feed each
player can subscribe to.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from gm.installation import Installation
from gm.rendering.sentences import render
from gm.store.games import Game

LINE = "\r\n"
LASTS_SECONDS = 15 * 60
"""Length of an entry; it ends with the deadline."""
MOST_BYTES = 75
"""A longer line goes on in the next, after a space."""


def calendar(
    installation: Installation, game: Game, language: str, now: int, *, has_turn: bool = True
) -> bytes:
    """A calendar with one entry: the deadline of the open round; cancelled if there is none, or
    none for its reader.

    The entry keeps its UID, and its sequence rises whenever the deadline moves, so that a newer
    one replaces an older one. There is always one entry, because programs refuse an empty
    calendar.
    """
    return calendar_of_several(installation, [(game, has_turn)], language, now)


def calendar_of_several(
    installation: Installation, games: Sequence[tuple[Game, bool]], language: str, now: int
) -> bytes:
    """A calendar with an entry for each of these games, at least one; each with whether its reader
    has to order.
    """
    name = games[0][0].name if len(games) == 1 else "Bohnenpost"
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Bohnenpost//EN",
        "METHOD:PUBLISH",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
        f"X-WR-CALNAME:{_text(name)}",
        *(
            line
            for game, has_turn in games
            for line in _entry(installation, game, language, now, has_turn=has_turn)
        ),
        "END:VCALENDAR",
        "",
    ]
    return LINE.join(map(_folded, lines)).encode()


def _entry(
    installation: Installation, game: Game, language: str, now: int, *, has_turn: bool
) -> list[str]:
    comes = has_turn and game.deadline is not None and game.status in ("running", "held")
    ends = game.deadline or game.round_at or game.created_at
    summary, description = render(language, "mail/calendar.txt", game=game).strip().split("\n")
    return [
        "BEGIN:VEVENT",
        f"UID:{game.id}.deadline@{installation.config.mail_domain}",
        f"SEQUENCE:{game.sequence}",
        f"DTSTAMP:{_instant(now)}",
        f"DTSTART:{_instant(ends - LASTS_SECONDS)}",
        f"DTEND:{_instant(ends)}",
        f"SUMMARY:{_text(summary)}",
        f"DESCRIPTION:{_text(description)}",
        f"STATUS:{'CONFIRMED' if comes else 'CANCELLED'}",
        f"URL:{installation.game_url(game)}",
        "END:VEVENT",
    ]


def _text(words: str) -> str:
    """A text as a value, with special characters escaped."""
    for mark in "\\;,":
        words = words.replace(mark, f"\\{mark}")
    return words.replace("\n", "\\n")


def _instant(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y%m%dT%H%M%SZ")


def _folded(line: str) -> str:
    """A line in pieces of whole characters, each short enough."""
    if len(line.encode()) <= MOST_BYTES:
        return line
    pieces, piece = [], ""
    for char in line:
        if len((piece + char).encode()) > MOST_BYTES:
            pieces.append(piece)
            piece = " "
        piece += char
    return LINE.join([*pieces, piece])
