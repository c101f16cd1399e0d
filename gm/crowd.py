"""Several processes at the same work: each takes another piece of it, so that none does in vain what another has done."""

import secrets
from collections.abc import Sequence
from typing import TypeVar

Piece = TypeVar("Piece")

MANY = 64
"""From so many waiting pieces on it does not matter which is next."""


def one_of(waiting: Sequence[Piece]) -> Piece:
    """The first; of many any one."""
    return waiting[0] if len(waiting) < MANY else secrets.choice(waiting)
