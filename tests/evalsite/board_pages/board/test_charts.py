"""The axis of a board: what it holds, where its ticks fall, where dots and whiskers stand."""

import pytest

from evalsite.board_pages.board.charts import axis_of, mark
from scoring.scale import Scale


def labels(*values: float) -> list[str]:
    return [tick.label for tick in axis_of(values).ticks]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((0, 1), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ((0.402, 0.783), ["0.4", "0.5", "0.6", "0.7", "0.8"]),
        ((0.612, 0.668), ["0.62", "0.64", "0.66"]),
        ((-0.3, 0.3), ["−0.2", "0.0", "0.2"]),
        ((0, 180), ["0", "50", "100", "150"]),
    ],
)
def test_ticks_are_round_numbers_with_as_many_decimals_as_needed(values, expected):
    assert labels(*values) == expected


def test_an_axis_holds_all_intervals_and_references_with_a_margin():
    axis = axis_of([0.60, 0.55, 0.64], [("baseline", 0.31), ("human", 0.88)])

    assert axis.low < 0.31
    assert axis.high > 0.88
    assert all(0 < axis.at(value) < 100 for value in (0.55, 0.64, 0.31, 0.88))
    assert [(line.kind, line.label) for line in axis.lines] == [
        ("baseline", "baseline 0.310"),
        ("human", "human 0.880"),
    ]


def test_labels_of_references_stand_under_each_other_and_inside_the_axis():
    left, right = axis_of([0.2, 0.9], [("baseline", 0.21), ("human", 0.89)]).lines

    assert left.y < right.y
    assert (left.anchor, right.anchor) == ("start", "end")
    assert left.dx > 0 > right.dx


def test_one_score_alone_has_an_axis_around_it():
    axis = axis_of([0.639])

    assert axis.at(0.639) == pytest.approx(50)
    assert len(axis.ticks) >= 2


@pytest.mark.parametrize("least", [0.0, 0.5, 123.456])
@pytest.mark.parametrize("span", [1e-9, 0.003, 0.02, 0.07, 0.31, 1.0, 4000.0])
def test_every_axis_has_two_to_eight_ticks_on_it(least, span):
    ticks = axis_of([least, least + span]).ticks

    assert 2 <= len(ticks) <= 8
    assert all(0 <= tick.at <= 100 for tick in ticks)
    assert len({tick.label for tick in ticks}) == len(ticks)


def test_no_score_no_axis():
    assert axis_of([]) is None


def test_a_dot_without_an_interval_has_no_whisker():
    axis = axis_of([0.0, 1.0])

    assert mark(axis, 0.5, None).low is None
    assert mark(axis, 0.5, None).high is None


def test_dot_and_whisker_stand_in_proportion():
    axis = axis_of([0.0, 1.0])
    drawn = mark(axis, 0.5, (0.25, 0.75))

    assert drawn.dot == 50
    assert drawn.high - drawn.dot == pytest.approx(drawn.dot - drawn.low)
    assert drawn.high - drawn.low == pytest.approx((axis.at(1) - axis.at(0)) / 2, abs=0.02)


def test_ticks_in_per_cent_have_no_more_digits_than_they_need():
    axis = axis_of([0.04, 0.47], scale=Scale(decimals=1, is_percent=True))
    assert [tick.label for tick in axis.ticks] == [f"{value}\N{NO-BREAK SPACE}%" for value in (10, 20, 30, 40)]
