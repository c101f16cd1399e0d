"""Mail to followers, and to people who asked to be one: no personal link is in it."""

from collections.abc import Callable
from typing import Any

from gm import store
from gm.mail.draft import Draft, RenderOnce
from gm.mail.to_players import about, name_of
from gm.rendering.reports import leading, report
from gm.rendering.sentences import render
from gm.rendering.zine import round_words
from gm.store.db import Database
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
        shared[language] = (told_round(db, draft), RenderOnce(), RenderOnce())
    words, of_text, of_html = shared[language]
    stop = _stop(db, draft)
    return _with_stop(
        db,
        draft,
        "follow_report",
        html=draft.render("round.html", **words, once=of_html, stop=stop),
        shared=(of_text, of_html),
        once=of_text,
        **words,
    )


def told_round(db: Database, draft: Draft) -> dict[str, Any]:
    """A round as everybody may read it: in text, and what its HTML says; there no more seats than
    in the reports of players.
    """
    game, language = draft.game, draft.mail.language
    closed = report(db, game, draft.mail.round)
    words = round_words(db, draft.installation, game, closed, language)
    text = render(language, "pages/round.txt", **words)
    of = name_of(db, draft, closed.number)
    return {**words, "leading": leading(closed), "round_text": text, "of": of}


def _opened(db: Database, draft: Draft, _: dict[str, Any]) -> bytes:
    """A game takes players."""
    words = about(db, draft)
    return _with_stop(db, draft, "opened", taken=len(words["players"]), **words)


def _stop(db: Database, draft: Draft) -> str:
    return draft.installation.url("unfollow", *_follower(db, draft).whose)


def _with_stop(db: Database, draft: Draft, name: str, **words: Any) -> bytes:
    """A mail with the link and the one click that ends these mails (RFC 8058)."""
    stop = _stop(db, draft)
    domain = draft.installation.config.mail_domain
    of = f"{draft.of_game.id}." if draft.of_game else ""
    one_click = {
        "List-Id": f"<{of}{domain}>",
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    return draft.compose(name, headers={**one_click, "Reply-To": None}, stop=stop, **words)


def _follower(db: Database, draft: Draft) -> Follower:
    follower = store.requests.follower(db, draft.mail.about or 0)
    if follower is None:
        raise LookupError(f"nobody follows for whom mail {draft.mail.id} is")
    return follower


WRITERS: dict[str, Callable[[Database, Draft, dict[str, Any]], bytes]] = {
    "follow": _asked,
    "follow_report": _follow_report,
    "opened": _opened,
}
"""How each kind of mail to a follower is written."""
