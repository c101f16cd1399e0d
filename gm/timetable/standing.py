"""How the open round of a game stands, and what follows from it: when it is closed early, until
when it stays open, how far its deadline may be brought forward.
"""

from collections.abc import Sequence

from msgspec import Struct

from gm.store.games import Game
from gm.store.lists import Revision
from gm.store.notes import Note, of_last_play
from gm.timetable import promises

UNDOABLE = ("deadline", "resumed", "changed")
"""Kinds of notes that a game master can undo by bringing the deadline forward."""
RESTARTING = (
    "replaced",
    "removed",
    "address",
    "own_address",
    "renewed",
    "own_link",
    "released",
    "rollback",
    "restored",
)
"""Kinds of notes that start the change-of-mind delay again; a `changed` note does so depending on
what was changed.
"""
MOVING = ("deadline", "outage", "changed")
"""Kinds of notes that move the open round's deadline for everybody, if they name a new one."""


class Standing(Struct, frozen=True):
    """The open round of a game.

    `notes`: of the round, also of plays that were taken back. `people`, `robots`: of each awaited
    seat the orders that count, None where there are none. `played`: somebody plays the game.
    `before`: the deadline that the last closed round had, also if it was closed before it.
    """

    game: Game
    notes: tuple[Note, ...] = ()
    people: tuple[Revision | None, ...] = ()
    robots: tuple[Revision | None, ...] = ()
    played: bool = True
    before: int | None = None

    @property
    def of_this_play(self) -> Sequence[Note]:
        """The notes since the round was last taken back."""
        return of_last_play(self.notes)

    @property
    def missing(self) -> bool:
        """True if orders of a person are missing."""
        return None in self.people

    def waits_for_one(self, now: int) -> bool:
        """True if the round is closed as soon as one person more has ordered."""
        game = self.game
        return (
            self.people.count(None) == 1
            and game.early_after == 0
            and not game.schedule.shortest
            and self.may_close_early
            and self.shown_open_until(now) is None
        )

    def shown_open_until(self, now: int) -> int | None:
        """Until when a round that was taken back or restored is not closed early, unless all
        awaited people order anew; None if that is over, or was not so.
        """
        until = self._open_at_least_until(self.people)
        if until is None or until <= now or not self.may_close_early:
            return None
        return min(until, self.game.deadline or until)

    def _open_at_least_until(self, lists: Sequence[Revision | None]) -> int | None:
        notes = self._since_rollback
        reopened = [note.at for note in notes if note.kind in ("rollback", "restored")]
        if not reopened or _all_after(lists, max(reopened)):
            return None
        return max(reopened) + promises.REOPENED

    @property
    def taken_back_at(self) -> int | None:
        """When the round was last taken back; None if it was not."""
        return max((note.at for note in self.notes if note.kind == "rollback"), default=None)

    @property
    def stays_open(self) -> int | None:
        """Until when a round that was taken back is not closed early, because everybody has seen
        the next row. None once all awaited people have ordered anew, and if it was not taken
        back.
        """
        back = self.taken_back_at
        return None if back is None or _all_after(self.people, back) else back + promises.REOPENED

    @property
    def closes_early_at(self) -> int | None:
        """When the round is closed before its deadline; None if it is not, as things stand: while
        an order is missing, and if the deadline was moved for everybody.

        Else it is the latest of: the last list, or act after which players may want to change
        theirs, and the delay, pauses not counted; the shortest length of a round; a day after a
        rollback or restore, unless all have ordered anew. A game that closes at once waits for
        robots too, and for no delay.
        """
        game, at_once = self.game, self.game.engine.closes_at_once
        if (
            not game.is_open
            or not self.played
            or game.early_after is None
            or (game.deadline is None and not at_once)
        ):
            return None
        lists, notes = self.people + (self.robots if at_once else ()), self._since_rollback
        if None in lists or (not at_once and _is_moved(notes)):
            return None
        restarts = [note.at for note in notes if _restarts_delay(note)]
        ordered = [revision.at for revision in lists if revision is not None]
        last = max([game.round_at or 0, *ordered, *restarts])
        earliest = [last + game.early_after + _paused_since(last, notes)]
        if not at_once:
            earliest.append((game.round_at or 0) + game.schedule.shortest * 3600)
        if reopened := self._open_at_least_until(lists):
            earliest.append(reopened)
        instant = max(earliest)
        return None if game.deadline is not None and instant >= game.deadline else instant

    @property
    def may_close_early(self) -> bool:
        """True if the round is closed before its deadline once all have ordered; False if its
        deadline was moved for everybody.
        """
        game = self.game
        return game.early_after is not None and (
            game.engine.closes_at_once or not _is_moved(self.of_this_play)
        )

    @property
    def _since_rollback(self) -> Sequence[Note]:
        """The notes of this play, with that of the rollback which began it."""
        return self.notes[-len(self.of_this_play) - 1 :] if self.taken_back_at else self.notes

    def earliest(self, now: int) -> int | None:
        """How far the deadline may be brought forward, `promises.least` from now at the nearest;
        None: not at all.

        Anywhere once all orders are in. To undo an extension, a pause or a change of the
        calendar, to where it stood before; after a rollback, to the deadline that it had by
        itself.
        """
        game = self.game
        if game.deadline is None:
            return None
        moves = [note for note in self.of_this_play if note.kind in UNDOABLE]
        before = [note.old for note in moves if note.old and note.old != note.new]
        if self.taken_back_at is not None:
            before += [game.scheduled_deadline or game.deadline]
        first = now + promises.least(game.schedule)
        if self.missing:
            first = max(first, min(before, default=game.deadline))
        return first if first < game.deadline else None


def _all_after(lists: Sequence[Revision | None], instant: int) -> bool:
    """True if there are lists, and all came after an instant."""
    return bool(lists) and all(one is not None and one.at > instant for one in lists)


def _is_moved(notes: Sequence[Note]) -> bool:
    """True if the deadline was moved for everybody, and not back to where it stood."""
    moves = [note for note in notes if note.kind in MOVING and note.new not in (None, note.old)]
    return bool(moves) and moves[0].old != moves[-1].new


def _restarts_delay(note: Note) -> bool:
    """True if a note tells of something that changed who orders, who could order, or what was
    promised.
    """
    if note.kind == "changed":
        return not {"rule", "early_after", "after_early"}.isdisjoint(note.changes)
    return note.kind in RESTARTING


def _paused_since(since: int, notes: Sequence[Note]) -> int:
    """How many seconds the game was paused after an instant, without a pause that still lasts."""
    paused, begin = 0, None
    for note in notes:
        if note.kind == "paused":
            begin = note.at
        elif note.kind == "resumed" and begin is not None:  # a rollback ends a pause too
            paused, begin = paused + max(0, note.at - max(begin, since)), None
    return paused
