"""The check of a record as one file: form, words and programs, the same bytes from every
installation of a version.
"""

from functools import cache

from markupsafe import Markup

from gm.paths import STATIC
from gm.rendering.sentences import render


def programs() -> tuple[str, ...]:
    """The scripts of the check below `static/`, with those of every game that has them."""
    games = sorted(file.relative_to(STATIC).as_posix() for file in STATIC.glob("*/verify.js"))
    return ("verify.js", *games, "witness.js", "verify-page.js")


@cache
def check_file(language: str) -> str:
    """The file in a language. Its SHA-256 stands in docs/fairness.md."""
    code = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in programs())
    # our own files
    return render(language, "pages/verify_alone.html", programs=Markup(code), alone=True)  # noqa: S704
