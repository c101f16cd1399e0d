"""Where templates, seeds and rules lie: inside the package if installed from a wheel, else beside
it.
"""

import hashlib
import os
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rounds.engine.variant import installed

MOST_DOTS = 16
"""Most dots in a TOML key: the time the reader takes grows with their square."""


def _folder(name: str) -> Path:
    here = Path(__file__).resolve().parent
    for folder in (here / name, here.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        f"neither {here / name} nor {here.parent / name} is there: the installation is incomplete"
    )


TEMPLATES = _folder("templates")
SEEDS = _folder("seeds")
STATIC = Path(__file__).resolve().parent / "web" / "static"


def of_game(kind: str, game: str) -> Path:
    """The folder of a game with its `templates`, `seeds` or `static` files; a game from outside
    has them in its package. It need not be there.
    """
    if game in installed():
        spec = find_spec(installed()[game])
        if spec is None or spec.origin is None:
            raise FileNotFoundError(f"the package {installed()[game]!r} is not there")
        return Path(spec.origin).parent / kind
    return {"templates": TEMPLATES, "seeds": SEEDS, "static": STATIC}[kind] / game


def rules(variant: str, language: str) -> Path | None:
    """The full rules of a variant in this language, else in English; None if nobody has written
    them.
    """
    folder = _folder("docs") / "rules"
    return next(
        (
            file
            for name in (f"{variant}.{language}.md", f"{variant}.md")
            if (file := folder / name).is_file()
        ),
        None,
    )


def digest(*places: Path) -> str:
    """SHA-256 over the names and contents of files and folders, as hexadecimal digits.
    `__pycache__` does not count.
    """
    sha = hashlib.sha256()
    for place in places:
        for file in _files(place) if place.is_dir() else [place]:
            content = file.read_bytes()
            sha.update(
                f"{file.relative_to(place.parent).as_posix()}\0{len(content)}\0".encode() + content
            )
    return sha.hexdigest()


def _files(top: Path) -> Iterator[Path]:
    """Every file below a folder, always in the same order."""
    for where, folders, files in os.walk(top):
        folders[:] = sorted(set(folders) - {"__pycache__"})
        yield from (Path(where, name) for name in sorted(files))


class BadToml(ValueError):
    """A text that is not TOML. The message says why, and where if there is one place."""


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
