"""Mail to followers, and to people who asked to be one: no personal link is in it."""

from collections.abc import Callable
from typing import Any

from sqlite_utils import Database

from gm import store
from gm.mail.letter import Letter, RenderOnce
from gm.rendering.reports import report, rules_line
from gm.rendering.zine import round_text
from gm.store.requests import Follower


def _asked(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """The button for somebody who asked to follow."""
    follower = _follower(db, letter)
    url = letter.installation.url("follow", *follower.whose)
    headers = {"Reply-To": None} if follower.game else {**letter.of_no_game, "Reply-To": None}
    return letter.compose("follow", headers=headers, of=follower, button=url)


def _follow_report(db: Database, letter: Letter, shared: dict[str, Any]) -> bytes:
    """The public report, written once for all who read a language."""
    language = letter.mail.language
    if language not in shared:
        told_report = report(db, letter.game, letter.mail.round)
        shared[language] = (
            round_text(db, letter.installation, letter.game, told_report, language),
            RenderOnce(),
        )
    text, once = shared[language]
    return _with_stop(
        db, letter, "follow_report", round_text=text, once=once, shared=(once, RenderOnce())
    )


def _opened(db: Database, letter: Letter, _: dict[str, Any]) -> bytes:
    """A game takes players."""
    seats = len(store.seats.of_game(db, letter.game.id))
    return _with_stop(
        db, letter, "opened", taken=seats, rules_line=rules_line(letter.game, letter.mail.language)
    )


def _with_stop(db: Database, letter: Letter, name: str, **words: Any) -> bytes:
    """A mail with the link and the one click that ends these mails (RFC 8058)."""
    stop = letter.installation.url("unfollow", *_follower(db, letter).whose)
    one_click = {
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    return letter.compose(name, headers={**one_click, "Reply-To": None}, stop=stop, **words)


def _follower(db: Database, letter: Letter) -> Follower:
    follower = store.requests.follower(db, letter.mail.ref)
    if follower is None:
        raise LookupError(f"nobody follows for whom mail {letter.mail.id} is")
    return follower


KINDS: dict[str, Callable[[Database, Letter, dict[str, Any]], bytes]] = {
    "follow": _asked,
    "follow_report": _follow_report,
    "opened": _opened,
}
"""How each kind of mail to a follower is written."""
