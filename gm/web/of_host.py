"""What the host says on pages of their own: the imprint, and about data that is stored."""

from pathlib import Path
from typing import NamedTuple

from flask import Blueprint, current_app
from flask.wrappers import Response
from markupsafe import Markup

from gm import demo
from gm.config import Config
from gm.people import accounts, following, joining
from gm.web.desk import signin
from gm.web.page import error_page, installation, page

pages = Blueprint("of_host", __name__)


class Kept(NamedTuple):
    """How many seconds something is kept."""

    request: int = joining.VALID_SECONDS
    followed: int = following.KEPT_SECONDS
    session: int = accounts.SESSION_SECONDS
    known: int = signin.KNOWN_SECONDS
    attempt: int = accounts.WINDOW_SECONDS
    practice: int = demo.KEPT_SECONDS


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
    return page("privacy.html", told=told, kept=Kept(), settings=installation().config)
