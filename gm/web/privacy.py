"""Privacy and imprint: what is stored about whom, and what the host says on pages of their own."""

from pathlib import Path

from flask import Blueprint, current_app
from flask.wrappers import Response
from markupsafe import Markup

from gm import demo
from gm.config import Config
from gm.people import accounts, following, joining
from gm.web.desk import signin
from gm.web.page import error_page, installation, page

pages = Blueprint("privacy", __name__)


KEPT = {
    "request": joining.VALID_SECONDS,
    "followed": following.KEPT_SECONDS,
    "session": accounts.SESSION_SECONDS,
    "known": signin.KNOWN_SECONDS,
    "attempt": accounts.WINDOW_SECONDS,
    "practice": demo.KEPT_SECONDS,
}
"""How many seconds something is kept."""


def texts(home: Path, config: Config) -> dict[str, Markup]:
    """The host's texts by the settings that name their files, as HTML. Raises BadConfig."""
    from markdown_it import MarkdownIt  # noqa: PLC0415  # a twentieth of a second

    # lines of an address stay lines; HTML is shown as text
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table")
    written = {name: config.text_of_host(name, home) for name in ("imprint", "privacy")}
    return {name: Markup(reader.render(text)) for name, text in written.items() if text}  # noqa: S704


@pages.get("/imprint")
def imprint() -> Response:
    """Who is responsible for this service, in the host's words."""
    told = current_app.extensions["of_host"]
    return (
        page("imprint.html", told=told["imprint"]) if "imprint" in told else error_page("not_found")
    )


@pages.get("/privacy")
def privacy() -> Response:
    """What is stored about whom, and for how long; before it the host's own words."""
    told = current_app.extensions["of_host"].get("privacy")
    return page("privacy.html", told=told, kept=KEPT, settings=installation().config)
