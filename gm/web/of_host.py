"""What the host says on pages of their own: the imprint, and about data that is stored."""

from pathlib import Path
from typing import NamedTuple

from flask import Blueprint, current_app
from flask.wrappers import Response
from markupsafe import Markup

from gm import demo
from gm.config import BadConfig, Config
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
    """The host's texts by the settings that name their files, from the folder of the installation
    on, as HTML. Raises BadConfig for a file that cannot be read.
    """
    from markdown_it import MarkdownIt  # noqa: PLC0415  # a twentieth of a second

    found = {}
    for name in ("imprint", "privacy"):
        if file := getattr(config, name):
            try:
                text = (home / file).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise BadConfig(f"{name}: {error}") from None
            # HTML in it is shown as text
            html = MarkdownIt("commonmark", {"html": False}).render(text)
            found[name] = Markup(html.replace("h1>", "h2>"))  # noqa: S704  # below the page's own
    return found


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
