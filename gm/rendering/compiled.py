"""Templates are compiled once and kept, as Python keeps its modules: no other process compiles them again."""

import hashlib
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.util import cache_from_source
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache

from gm.paths import SEEDS, TEMPLATES

RENDERING = Path(__file__).parent


class CompiledTemplates(BytecodeCache):
    """The compiled templates of one language, in `templates/__pycache__/`; Python's settings for its own hold for them.

    One serves while all that it was made from is the same, byte for byte. Where nothing can be kept, they are compiled as ever.
    """

    def __init__(self, language: str) -> None:
        """Nothing is read or written yet."""
        like = Path(cache_from_source(str(TEMPLATES / f"{language}.py")))
        self._folder, self._ending = like.parent, like.name

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The name of its file, from those of the template and the language."""
        return f"{name.replace('/', '.')}.{self._ending}"

    def get_source_checksum(self, source: str) -> str:
        """Another one if the source has changed, or anything else that compiling it reads."""
        return hashlib.sha256(_read_by_all() + source.encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket, if what is kept serves."""
        try:
            bucket.bytecode_from_string((self._folder / bucket.key).read_bytes())
        except Exception:  # not there, not ours to read, or damaged in any way: it is compiled and kept anew
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it, if Python may keep its own; no process reads half of it."""
        if sys.dont_write_bytecode:
            return
        file = self._folder / bucket.key
        new = file.with_name(f"{file.name}.{os.getpid()}.{threading.get_ident()}")
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            try:
                new.write_bytes(bucket.bytecode_to_string())
                new.replace(file)
            except OSError:
                new.unlink(missing_ok=True)


@cache
def _read_by_all() -> bytes:
    """The digest of all that any template may be compiled with: catalogues, constants made by macros of other files, names of
    beans and games, filters.
    """
    digest = hashlib.sha256(f"{version('jinja2')} {version('babel')}".encode())
    code = [file for folder in (RENDERING, RENDERING.parent) for file in sorted(folder.glob("*.py"))]
    for file in [*_below(TEMPLATES), *_below(SEEDS), *code]:
        content = file.read_bytes()
        digest.update(f"\0{file.name}\0{len(content)}\0".encode() + content)
    return digest.digest()


def _below(folder: Path) -> Iterator[Path]:
    """Every file in a folder and its folders, always in the same order, but for what Python or this module keeps there."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(set(folders) - {"__pycache__"})
        yield from (Path(where, name) for name in sorted(files))
