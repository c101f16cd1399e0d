"""Reading the form of a request: whole or not at all, and given back if it is not read."""

from flask import request
from werkzeug.datastructures import MultiDict

from gm.games.names import composed
from gm.web.limits import is_too_often

Form = MultiDict[str, str]

MAX_FIELDS = 800
MAX_GIVEN_BACK = 4000
MAX_TYPED = 400
"""Most characters of a name or address; longer ones were not typed into our form."""
NOT_TYPED = ("whole", "round", "rev", "action", "password")


class Unusable(Exception):
    """A link that opens nothing, or a form that is not read; `code` is that of an error page."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


def typed_text() -> str:
    """What somebody typed into the form of this request, to be given back if the form is not
    read.
    """
    texts = [text for name, text in request.form.items() if name not in NOT_TYPED and text]
    return "\n".join(texts)[:MAX_GIVEN_BACK]


def read_form(repeatable: str | None = None) -> Form:
    """The form of this request: every field once, except those whose name begins with
    `repeatable`.

    Raises Unusable for a body that arrived damaged, cut, twice or too large. One bad byte
    empties a form without a word, so the last field of every form is a sentinel.
    """
    if request.mimetype not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        raise Unusable("media")
    if request.headers.get("Content-Encoding") or request.files:
        raise Unusable("media")
    # a browser counts a line end as one, and sends it as two
    form = Form(
        (name, composed(text.replace("\r\n", "\n")))
        for name, text in request.form.items(multi=True)
    )
    if sum(len(values) for values in form.listvalues()) > MAX_FIELDS:
        raise Unusable("too_large")
    if form.poplist("whole") != ["yes"]:
        raise Unusable("damaged")
    if any(
        len(values) > 1 and not (repeatable and name.startswith(repeatable))
        for name, values in form.lists()
    ):
        raise Unusable("damaged")
    return form


def typed_address() -> str:
    """The one mail address that a form asks for. We are going to write to it, so the request is
    counted against its machine.

    Raises Unusable for any other form, and if too many came from there.
    """
    form = read_form()
    if is_too_often("mail"):
        raise Unusable("too_many_mails")
    address = form.get("address", "").strip()
    if set(form) - {"address"} or len(address) > MAX_TYPED:
        raise Unusable("damaged")
    return address
