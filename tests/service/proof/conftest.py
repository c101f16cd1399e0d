"""The game whose proofs are looked at."""

from tests.service.proof.club import club

__all__ = ["club"]
