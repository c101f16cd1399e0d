"""What a record is compared with, and what is said of it."""

from collections.abc import Mapping

from msgspec import Struct

PROVEN, PARTLY, AGREES, IF = "PROVEN", "PROVEN IN PART", "AGREES ONLY", "PROVEN IF"
NOT_PROVEN, UNCHECKED = "NOT PROVEN", "CANNOT BE CHECKED"


class Given(Struct, frozen=True):
    """What a witness kept: the commitment, chain values by round, receipts by (round, seat). All
    in hex, lower case.
    """

    commitment: str | None = None
    chains: Mapping[int, str] = {}
    receipts: Mapping[tuple[int, str], str] = {}


class Verdict(Struct, frozen=True):
    """`verdict` is one of the six; `checks`: (name, what was found right).

    `where` and `why`: the first thing that fails; where nothing does, how far the proof reaches
    or what alone it agrees with, and what was not compared. `given`: what the record was
    compared with; `conditions`: what must be true besides; `mails`: how many mails told of the
    game; `without_report`: the rounds before the last proven one of which no mail has a chain
    value (the next chain value fixes them); `tellings`: what was taken back, ended or replaced,
    and the mail that told of it; `void_reports`: rounds of which a report counts for nothing;
    `unread`: the names of mails that were not read.
    """

    verdict: str
    where: str
    why: str
    checks: tuple[tuple[str, str], ...]
    given: Given = Given()
    conditions: tuple[str, ...] = ()
    mails: int = 0
    without_report: tuple[int, ...] = ()
    tellings: tuple[str, ...] = ()
    void_reports: tuple[int, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The verdict as one line, with its witness."""
        if self.verdict == IF:
            return f"PROVEN if {self.why}"
        said = {PARTLY: f"PROVEN up to {self.where}", AGREES: f"AGREES with {self.where} only"}.get(
            self.verdict
        )
        return ": ".join(
            filter(None, (said, self.why) if said else (self.verdict, self.where, self.why))
        )
