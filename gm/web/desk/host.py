"""For the host: who leads games here, and letting somebody go. Other game masters get 404."""

from flask import Blueprint, request, url_for
from flask.wrappers import Response

from gm.errors import Refusal
from gm.people import masters
from gm.web.desk.frame import desk_page, master, only_signed_in, read_desk_form
from gm.web.forms import Form
from gm.web.page import database, error_page, see_other

pages = Blueprint("host", __name__, url_prefix="/desk/masters")
pages.before_request(only_signed_in)


@pages.before_request
def only_the_host() -> Response | None:
    """A game master who is no host gets 404."""
    return None if master().host else error_page("not_found")


@pages.get("")
def masters_page() -> Response:
    """Everybody who leads a game or may."""
    return _page()


@pages.post("")
def remove() -> Response:
    """Let one go; their address is typed to confirm. Hosts stay: a command takes that from them
    first.
    """
    form = read_desk_form()
    address = form.get("remove", "").lower()
    try:
        if form.get("confirm", "").strip().casefold() != address.casefold():
            raise Refusal("not_confirmed", name=address)
        if any(
            leader.master and leader.master.host
            for leader in masters.leaders(database())
            if leader.address == address
        ):
            raise Refusal("is_host", address=address)
        masters.remove_gm(database(), address, form.get("heir", ""))
    except Refusal as refusal:
        return _page(refusal, form)
    return see_other(url_for("host.masters_page", said="done", lang=request.args.get("lang")))


def _page(refusal: Refusal | None = None, typed: Form | None = None) -> Response:
    leaders = masters.leaders(database())
    values = {"leaders": leaders, "refusal": refusal, "typed": typed or Form()}
    return desk_page("desk_masters.html", 422 if refusal else 200, **values)
