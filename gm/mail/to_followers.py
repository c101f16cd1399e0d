"""Mail to followers, and to people who asked to be one: no personal link is in it."""

from collections.abc import Callable
from typing import Any

from sqlite_utils import Database

from gm import store
from gm.mail.draft import Draft, RenderOnce
from gm.rendering.reports import report, rules_line
from gm.rendering.zine import round_text
from gm.store.requests import Follower


def _asked(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """The button for somebody who asked to follow."""
    follower = _follower(db, draft)
    url = draft.installation.url("follow", *follower.whose)
    return draft.compose("follow", headers={"Reply-To": None}, of=follower, button=url)


def _follow_report(db: Database, draft: Draft, shared: dict[str, Any]) -> bytes:
    """The public report, written once for all who read a language."""
    language = draft.mail.language
    if language not in shared:
        closed = report(db, draft.game, draft.mail.round)
        shared[language] = (
            round_text(db, draft.installation, draft.game, closed, language),
            RenderOnce(),
        )
    text, once = shared[language]
    return _with_stop(
        db, draft, "follow_report", round_text=text, once=once, shared=(once, RenderOnce())
    )


def _opened(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """A game takes players."""
    seats = len(store.seats.of_game(db, draft.game.id))
    return _with_stop(
        db, draft, "opened", taken=seats, rules_line=rules_line(draft.game, draft.mail.language)
    )


def _with_stop(db: Database, draft: Draft, name: str, **words: Any) -> bytes:
    """A mail with the link and the one click that ends these mails (RFC 8058)."""
    stop = draft.installation.url("unfollow", *_follower(db, draft).whose)
    one_click = {
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    return draft.compose(name, headers={**one_click, "Reply-To": None}, stop=stop, **words)


def _follower(db: Database, draft: Draft) -> Follower:
    follower = store.requests.follower(db, draft.mail.follower or 0)
    if follower is None:
        raise LookupError(f"nobody follows for whom mail {draft.mail.id} is")
    return follower


KINDS: dict[str, Callable[[Database, Draft, dict[str, Any]], bytes]] = {
    "follow": _asked,
    "follow_report": _follow_report,
    "opened": _opened,
}
"""How each kind of mail to a follower is written."""
