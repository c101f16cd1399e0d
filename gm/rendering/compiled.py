"""A bytecode cache for templates: what one process has compiled no other one compiles again, as with Python's own modules."""

import hashlib
import os
import sys
import threading
from contextlib import suppress
from functools import cached_property
from importlib.metadata import version
from importlib.util import cache_from_source
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache

import rounds
from gm.paths import SEEDS, TEMPLATES, digest

RENDERING = Path(__file__).parent
RULES = Path(rounds.__path__[0])


class CompiledTemplates(BytecodeCache):
    """The compiled templates of one language, in `templates/__pycache__/`; Python's settings for its own bytecode hold for them.

    What is kept serves until its source changes, or anything else that compiling may read. Where nothing can be kept, each
    process compiles for itself.
    """

    def __init__(self, language: str) -> None:
        """Nothing is read or written yet."""
        like = Path(cache_from_source(str(TEMPLATES / f"{language}.py")))
        self._folder, self._ending = like.parent, like.name

    @cached_property
    def _all_inputs(self) -> str:
        """The digest of all that any template may be compiled with: what precompile.py works out ahead comes from catalogues,
        other templates, names of beans and games, and the filters and what they call.
        """
        modules = [RENDERING, RULES, *sorted(RENDERING.parent.glob("*.py"))]
        return f"{version('jinja2')} {version('babel')} {digest(TEMPLATES, SEEDS, *modules)}"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The name of its file, from those of the template and the language."""
        return f"{name.replace('/', '.')}.{self._ending}"

    def get_source_checksum(self, source: str) -> str:
        """Another one if the source has changed, or anything else that compiling it may read."""
        return hashlib.sha256(f"{self._all_inputs} {source}".encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket, if what is kept serves."""
        try:
            bucket.bytecode_from_string((self._folder / bucket.key).read_bytes())
        except Exception:  # not there, not ours to read, or damaged in any way: it is compiled and kept anew
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it, if Python may write bytecode; no process reads half of it."""
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
