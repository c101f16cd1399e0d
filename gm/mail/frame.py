"""The HTML part of a mail that is written as text: the same words, one of its links as a button."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Literal

from msgspec import Struct

RULER = re.compile("-{20,}|={20,}")
ADDRESS = re.compile(r"(?:https?://|mailto:)\S+")
PROOF = re.compile(r"Proof: .*|[0-9a-f]{32,64}|bohnenpost verify .*|--(?:chain|commitment) .*")
LONGEST_LABEL = 60
"""A longer line above an address is a sentence of its own, and the address is shown itself."""


class Block(Struct, frozen=True):
    """What stands together in a mail. A link's or button's only line is what it says; a `proof`
    begins with its label, or an empty line; a `rule` has no line, and ends what is to be read
    first.
    """

    kind: Literal["words", "quote", "proof", "link", "button", "rule"]
    lines: tuple[str, ...] = ()
    address: str = ""


def blocks(text: str, *, has_button: bool) -> list[Block]:
    """A text in blocks. Its paragraphs are not wrapped: each line end is meant.

    Lines that begin with two spaces are quoted. An address on a line of its own is a link, named
    by the line before if that ends with a colon; the first one is the button, if there is one.
    """
    found = list(_blocks(text))
    first = next((at for at, block in enumerate(found) if block.kind == "link"), None)
    if has_button and first is not None:
        found[first] = Block("button", found[first].lines, found[first].address)
    return found


def _blocks(text: str) -> Iterator[Block]:
    for paragraph in re.split(r"\n{2,}", text.strip("\n")):
        before: list[str] = []
        for kind, group in groupby(paragraph.split("\n"), _kind):
            lines = list(group)
            if kind == "link":
                for address in lines:
                    label = _label(before, address)
                    if before:
                        yield Block("words", tuple(before))
                    yield Block("link", (label,), address)
                    before = []
                continue
            label = before.pop() if kind == "proof" and before and before[-1][-1:] == ":" else ""
            if before:
                yield Block("words", tuple(before))
                before = []
            if kind == "words":
                before = lines
            elif kind == "proof":
                yield Block(kind, (label, *(line.strip() for line in lines)))
            else:
                yield Block(kind, tuple(line.strip() for line in lines) if kind != "rule" else ())
        if before:
            yield Block("words", tuple(before))


def _kind(line: str) -> Literal["words", "quote", "proof", "link", "rule"]:
    if RULER.fullmatch(line):
        return "rule"
    if ADDRESS.fullmatch(line):
        return "link"
    if PROOF.fullmatch(line):
        return "proof"
    return "quote" if line.startswith("  ") else "words"


def _label(before: list[str], address: str) -> str:
    """What a link says; taken from the lines before it."""
    if before and before[-1].endswith(":") and len(before[-1]) <= LONGEST_LABEL:
        return before.pop().removesuffix(":")
    return address.removeprefix("mailto:").partition("?")[0] if address[0] == "m" else address
