"""What a pass of the service did."""

from msgspec import Struct

from gm.deadline.closing import RoundResult
from gm.deadline.outage import Waiting


class ClosedRoundSummary(Struct, frozen=True):
    """A round that this pass closed, how many people had to order, and how many of them had not."""

    game: str
    round: int
    seats: int
    absent: int

    @classmethod
    def of(cls, result: RoundResult) -> "ClosedRoundSummary":
        """The summary of a result."""
        return cls(result.game.id, result.game.round, len(result.people), result.absent)


class Rounds(Struct, frozen=True):
    """What a pass over rounds did: robots that ordered, rounds closed, reminders queued;
    `waits`: why no round is closed, if so.
    """

    ordered: int = 0
    closed: tuple[ClosedRoundSummary, ...] = ()
    reminded: int = 0
    waits: str | None = None


class Posted(Struct, frozen=True):
    """What a pass over the outbox did: batches written; mails that the server accepted, refused,
    and put off, some of them for the first time.

    `trouble`: what is wrong with the mail server, if anything.
    """

    written: int = 0
    accepted: int = 0
    refused: int = 0
    put_off: int = 0
    trouble: str | None = None
    newly_put_off: int = 0


class PassSummary(Struct, frozen=True):
    """What a pass did, and what kept rounds from closing or mail from going out, if anything.

    `newly_put_off`: how many of the mails that were put off were tried for the first time.
    """

    ordered: int
    closed: tuple[ClosedRoundSummary, ...]
    reminded: int
    written: int
    sent: int
    waits: str | None = None
    mail_trouble: str | None = None
    refused: int = 0
    put_off: int = 0
    newly_put_off: int = 0
    rounds_wait: tuple[Waiting, ...] = ()
