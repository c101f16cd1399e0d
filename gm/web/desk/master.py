"""Which mails a game master gets."""

from flask import Blueprint, request, url_for
from flask.wrappers import Response

from gm.games import inbox
from gm.mail.kinds import TO_CHOOSE
from gm.web.desk.frame import desk_page, master, only_signed_in, read_desk_form
from gm.web.forms import Unusable
from gm.web.page import database, see_other

pages = Blueprint("master", __name__, url_prefix="/desk")
pages.before_request(only_signed_in)


@pages.get("/settings")
def settings() -> Response:
    """The kinds of mail that can be chosen."""
    return desk_page("desk_settings.html", kinds=TO_CHOOSE)


@pages.post("/settings")
def save_settings() -> Response:
    """Store them."""
    form = read_desk_form()
    if not set(form) <= set(TO_CHOOSE):
        raise Unusable("damaged")
    inbox.choose(database(), master().address, tuple(form))
    return see_other(url_for("master.settings", said="done", lang=request.args.get("lang")))
