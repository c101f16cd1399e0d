"""What is worth telling of bonus cards."""

from msgspec.structs import replace

from gm import seeds
from rounds.engine.events import Event
from rounds.mutabohn import variant
from rounds.mutabohn.events import Cashed, Fed, Planted, Swapped
from rounds.mutabohn.headlines import CashedAtOnce, FedThePile, LastBonus, headlines
from rounds.mutabohn.view import View
from tests.cases.mutabohn import read_table


def told(events: list[Event], pile: int = 5, left: int = 5) -> tuple[Event, ...]:
    table = read_table({"given": {"players": 4}}, seeds.deck("mutabohn"))
    view = variant.view(table, None)
    assert isinstance(view, View)
    return headlines(replace(view, bonus_pile=pile), events, replace(view, bonus_pile=left), ())


PLANTED = Planted("Anna", "h1", "soy", "A", 3)
FIRST, SECOND = Cashed("Anna", "AAB", 30, "A", 1), Cashed("Anna", "ABB", 30, "A", 2)


def test_several_cards_count_as_one_planting_only_behind_one() -> None:
    assert CashedAtOnce("Anna", ("AAB", "ABB")) in told([PLANTED, FIRST, SECOND])
    swapped = Swapped("Anna", (1, 2))
    assert not [one for one in told([swapped, FIRST, SECOND]) if isinstance(one, CashedAtOnce)]


def test_the_last_bonus_card_is_taken_by_who_got_it() -> None:
    other = Cashed("Bert", "AAB", 30, "A", 1)
    found = told([PLANTED, FIRST, replace(PLANTED, seat="Bert"), other], pile=1, left=0)
    assert LastBonus("Anna") in found
    assert LastBonus("Bert") not in found


def test_both_fields_that_a_seat_fed_stand_in_one_headline() -> None:
    fed = [Fed("Anna", "A", "soy", 3, 1), Fed("Anna", "B", "red", 1, 0)]
    assert FedThePile("Anna", (("soy", 3), ("red", 1))) in told([PLANTED, *fed])
