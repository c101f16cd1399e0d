"""The chart of a game: an axis that fits, and names that do not overlap."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.rendering.course import spread, ticks
from gm.rendering.sentences import environment


@pytest.mark.parametrize(
    ("highest", "figures"),
    [
        (0, [0, 1]),
        (1, [0, 1]),
        (4, [0, 1, 2, 3, 4]),
        (7, [0, 2, 4, 6, 8]),
        (23, [0, 6, 12, 18, 24]),
        (99, [0, 30, 60, 90, 120]),
    ],
)
def test_the_axis_begins_at_nothing_and_ends_no_lower_than_the_highest(
    highest: int, figures: list[int]
) -> None:
    assert ticks(highest) == figures


@given(st.integers(0, 10_000))
def test_an_axis_has_few_figures_in_even_steps(highest: int) -> None:
    found = ticks(highest)
    assert 2 <= len(found) <= 6
    assert found[-1] >= highest
    assert len({after - before for before, after in pairwise(found)}) == 1


def test_names_that_have_room_stay_where_their_lines_end() -> None:
    assert spread([100, 20, 60], 25, 14, 280) == [100, 20, 60]


def test_names_at_one_height_stand_below_each_other_and_within_the_chart() -> None:
    assert spread([280, 280, 20, 280], 25, 14, 280) == [230, 255, 20, 280]
    assert spread([14, 14], 25, 14, 280) == [14, 39]
    assert spread([], 25, 14, 280) == []


@given(st.lists(st.floats(14, 280), min_size=1, max_size=40))
def test_names_keep_the_order_of_their_lines_their_distance_and_to_the_chart(
    wanted: list[float],
) -> None:
    places = spread(wanted, 25, 14, 280)
    assert sorted(range(len(wanted)), key=lambda n: (wanted[n], n)) == sorted(
        range(len(wanted)), key=lambda n: (places[n], n)
    )
    assert min(places) >= 14 - 1e-6
    assert max(places) <= 280 + 1e-6
    gap = min(25, 266 / max(len(wanted) - 1, 1))
    assert all(below - above >= gap - 1e-6 for above, below in pairwise(sorted(places)))


@pytest.mark.parametrize(
    "courses", [[[0, -1, -2], [0, 0, 3]], [[0, 0], [0, 0]], [[0, -3], [0, -1]]]
)
def test_lines_lie_within_the_chart_also_below_zero(courses: list[list[int]]) -> None:
    seats = [("Anna", courses[0]), ("Bert", courses[1])]
    values = {"course": seats, "ticks": ticks, "spread": spread, "others": {}}
    html = environment("en").get_template("plain/chart.html").render(**values)
    lines = re.findall(r'points="([^"]+)"', html)
    heights = [float(point.split(",")[1]) for line in lines for point in line.split()]
    assert len(heights) == 2 * len(courses[0])
    assert min(heights) >= 14
    assert max(heights) <= 276
