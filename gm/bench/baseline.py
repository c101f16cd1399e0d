"""The plain way to write the same letters: an ordinary Jinja and the standard library, each from its beginning.

It still has the report of a round made once from its rows, and the filters, which remember; and no calendar file.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from email.message import EmailMessage
from functools import cache
from typing import Any
from unittest.mock import patch

from jinja2 import Environment

from gm.mail import letter, to_players
from gm.rendering.sentences import environment


@contextmanager
def plainly() -> Iterator[None]:
    """Inside, letters are written the plain way."""
    with ExitStack() as stack:
        for module, name, plain in (
            (letter, "render", _render),
            (letter, "serialise", _serialise),
            (to_players, "RenderOnce", _Everytime),
        ):
            stack.enter_context(patch.object(module, name, plain))
        yield


class _Everytime(letter.RenderOnce):
    def __call__(self, *name: Hashable, caller: Callable[[], str]) -> str:
        return caller()


def _render(language: str, template: str | list[str], **values: Any) -> str:
    return _environment(language).select_template([template] if isinstance(template, str) else template).render(values)


@cache
def _environment(language: str) -> Environment:
    """With the same templates and filters."""
    return environment.__wrapped__(language)


def _serialise(headers: Mapping[str, str], text: str, html: str | None, *_: object, **__: object) -> bytes:
    made = EmailMessage()
    for name, value in headers.items():
        made[name] = value
    made.set_content(text, cte="quoted-printable")
    if html is not None:
        made.add_alternative(html, subtype="html")
    return made.as_bytes()
