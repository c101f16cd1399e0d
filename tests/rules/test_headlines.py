"""Which headlines are told of all that were found."""

from rounds.family.headlines import LeadShared, Won, leaders, weightiest, won

ANNA, BERT, BOTH = (Won((name,), 5, 0, ()) for name in ("Anna", "Bert", "Anna and Bert"))
LEVEL = LeadShared(("Anna", "Bert"), 5)


def test_the_weightiest_is_told_first_and_of_equal_ones_what_was_found_first() -> None:
    assert weightiest([(1, (), ANNA), (3, (), BERT), (3, (), LEVEL)], 3) == (BERT, LEVEL, ANNA)
    assert weightiest([(1, (), ANNA), (3, (), BERT), (3, (), LEVEL)], 2) == (BERT, LEVEL)
    assert weightiest([], 2) == ()


def test_no_two_are_about_the_same_seat() -> None:
    found = [
        (9, ("Anna",), ANNA),
        (8, ("Anna", "Bert"), BOTH),
        (7, ("Bert",), BERT),
        (6, (), LEVEL),
    ]
    assert weightiest(found, 3) == (ANNA, BERT, LEVEL)


def test_the_winners_are_told_with_those_next_to_them() -> None:
    talers = {"Anna": 3, "Bert": 7, "Cem": 3}
    assert leaders(talers) == ("Bert",)
    assert won(talers, ("Bert",)) == Won(("Bert",), 7, 4, ("Anna", "Cem"))
    assert won({"Anna": 2, "Bert": 2}, ("Anna", "Bert")) == Won(("Anna", "Bert"), 2, 0, ())
