"""The check of a record as one file: form, words and programs together, the same bytes from every installation of a version."""

from functools import cache
from pathlib import Path

from markupsafe import Markup

from gm.rendering.sentences import render

STATIC = Path(__file__).parent / "static"
PROGRAMS = ("verify.js", "witness.js", "verify-page.js")


@cache
def alone(language: str) -> str:
    """The file in a language. Its SHA-256 stands in the README."""
    programs = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in PROGRAMS)
    return render(language, "pages/verify_alone.html", programs=Markup(programs), alone=True)  # noqa: S704  # our own files
