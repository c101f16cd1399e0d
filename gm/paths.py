"""Where templates, seeds and the rules lie: inside the package when installed from a wheel, beside it in a checkout."""

import tomllib
from pathlib import Path
from typing import Any

MOST_DOTS = 16
"""In one key or heading. The time the reader takes grows with the square of them."""


def _folder(name: str) -> Path:
    here = Path(__file__).resolve().parent
    for folder in (here / name, here.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"neither {here / name} nor {here.parent / name} is there: the installation is incomplete")


TEMPLATES = _folder("templates")
SEEDS = _folder("seeds")


def rules(variant: str, language: str) -> Path | None:
    """The rules of a variant in full, in this language or else in English; None if nobody has written them."""
    folder = _folder("docs") / "rules"
    return next((file for name in (f"{variant}.{language}.md", f"{variant}.md") if (file := folder / name).is_file()), None)


class BadToml(ValueError):
    """A text that is not read as TOML. The message says why, and where if there is one place."""


def read_toml(text: str) -> dict[str, Any]:
    """A TOML document as a dict. Raises BadToml."""
    for number, line in enumerate(text.splitlines(), start=1):
        pieces = [] if line.lstrip().startswith("#") else line.split("=")
        if any(key.count(".") > MOST_DOTS for key in pieces[:-1] or pieces):
            raise BadToml(f"a key of more than {MOST_DOTS + 1} parts (at line {number}, column 1)")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadToml("nested too deeply") from None
    except ValueError as error:  # also a number of thousands of digits
        raise BadToml(str(error)) from None
