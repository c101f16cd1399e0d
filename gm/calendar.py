"""The next deadline as a calendar file: attached to reports, and as a feed each player can subscribe to."""

from datetime import UTC, datetime, timedelta

from icalendar import Calendar, Event

from gm.render import render
from gm.store import Game


def calendar(game: Game, language: str, public: str, mail_domain: str, now: int) -> bytes:
    """An iCalendar document with the deadline of the open round, empty if there is none.

    Its sequence rises whenever the deadline moves.
    """
    document = Calendar()
    document.add("prodid", "-//Bohnenpost//EN")
    document.add("version", "2.0")
    document.add("method", "PUBLISH")
    document.add("x-wr-calname", game.name)
    if game.deadline is not None and game.status in ("running", "paused"):
        event = Event()
        event.add("uid", f"{game.id}.round-{game.round}@{mail_domain}")
        event.add("sequence", game.sequence)
        event.add("dtstamp", datetime.fromtimestamp(now, UTC))
        event.add("dtstart", datetime.fromtimestamp(game.deadline, UTC) - timedelta(minutes=15))
        event.add("dtend", datetime.fromtimestamp(game.deadline, UTC))
        event.add("summary", render(language, "mail/calendar.txt", game=game).strip())
        event.add("status", "CANCELLED" if game.status == "paused" else "CONFIRMED")
        event.add("url", public)
        document.add_component(event)
    data: bytes = document.to_ical()
    return data
