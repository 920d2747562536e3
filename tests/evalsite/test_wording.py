"""Tests how numbers, times and lists are said."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone, translation

from evalsite.wording import (
    about,
    amount,
    counted,
    day,
    duration,
    enumerated,
    exact,
    gap,
    inside_sentence,
    interval,
    leader_interval,
    letters,
    minute,
    option_value,
    p_value,
    percent,
    relative,
    roughly,
    score,
    share,
    signed,
    signed_interval,
    size,
    time_taken,
    told_apart,
    utc,
)

NOW = datetime(2026, 12, 9, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.63948, "0.639"), (1.0, "1.000"), (0, "0.000"), (-0.25, "−0.250"), (-0.0001, "0.000"), (None, "–")],
)
def test_a_score_has_three_decimals_and_a_true_minus(value, shown):
    assert score(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ((0.59, 0.6531), "[0.590, 0.653]"),
        ([-0.1, 0.1], "[−0.10, 0.10]"),
        ((0.6234, 0.8147), "[0.623, 0.815]"),
        ((0.6121, 0.8119), "[0.61, 0.81]"),
        ((0.4234, 0.8147), "[0.42, 0.81]"),
        (None, "(no interval)"),
        ([None, None], "(no interval)"),
    ],
)
def test_an_interval_stands_in_brackets(value, shown):
    assert interval(value) == shown


def test_times_are_written_in_utc_whatever_their_zone():
    assert utc(datetime(2026, 12, 13, 0, 59, tzinfo=timezone.get_fixed_timezone(60))) == "12 Dec 2026, 23:59 UTC"


@pytest.mark.parametrize(
    ("distance", "words"),
    [
        (timedelta(days=3, hours=23), "in 3 days"),
        (timedelta(hours=47), "in 47 hours"),
        (timedelta(minutes=119), "in 119 minutes"),
        (timedelta(seconds=90), "in 1 minute"),
        (timedelta(seconds=59), "in less than a minute"),
        (timedelta(days=-70), "2 months ago"),
        (timedelta(days=-800), "2 years ago"),
    ],
)
def test_a_deadline_never_seems_later_than_it_is(distance, words):
    with time_machine.travel(NOW, tick=False):
        assert relative(NOW + distance) == words


def test_how_long_something_takes_is_said_no_more_exactly_than_one_can_know():
    lengths = [timedelta(seconds=seconds) for seconds in (0, 1, 12.6, 43, 94, 100, 3600, 7300)]
    assert [roughly(length) for length in lengths] == [
        *("5 seconds", "5 seconds", "10 seconds", "40 seconds", "90 seconds", "2 minutes", "60 minutes", "2 hours")
    ]


def test_usual_windows_have_names():
    assert [duration(timedelta(days=n)) for n in (1, 7, 3)] == ["day", "week", "3 days"]


def test_both_ends_of_the_interval_of_a_difference_have_their_signs():
    assert signed_interval((0.0131, 0.0914)) == "[+0.013, +0.091]"
    assert signed_interval([-0.0711, 0.0004]) == "[−0.071, 0.000]"
    assert signed_interval(None) == "(no interval)"


@pytest.mark.parametrize(
    ("ends", "said"),
    [((-0.19, 0.0), "[−0.190, 0.000)"), ((0.0, 0.12), "(0.000, +0.120]"), ((0.0, 0.0), "[0.000, 0.000]")],
)
def test_an_interval_to_the_leader_that_the_test_ended_at_0_has_a_round_bracket_there(ends, said):
    assert leader_interval(ends) == said


def test_what_a_test_found_is_said_in_the_same_words_everywhere():
    assert [told_apart(True), told_apart(False)] == ["told apart", "not told apart"]


def test_seconds_are_left_out_where_nobody_has_to_meet_them():
    assert minute(datetime(2026, 12, 12, 23, 59, 46, tzinfo=UTC)) == "12 Dec 2026, 23:59 UTC"
    assert minute(None) == "–"


@pytest.mark.parametrize(("value", "shown"), [(0.0171, "+0.017"), (-0.25, "−0.250"), (0.0001, "0.000"), (None, "–")])
def test_a_difference_has_a_sign_unless_it_is_zero(value, shown):
    assert signed(value) == shown


@pytest.mark.parametrize(("count", "shown"), [(7, "7"), (2900, "2,900"), (12.0, "12"), (0.123456, "0.123")])
def test_a_count_is_shown_whole_unless_it_is_a_weighted_sum(count, shown):
    assert amount(count) == shown


def test_a_small_p_value_is_a_bound():
    assert [p_value(p) for p in (0.0123, 0.0005, 0.0001)] == ["0.012", "0.001", "< 0.001"]


def test_a_share_is_said_in_percent():
    assert [percent(share) for share in (0.95, 0.999, 1)] == ["95 %", "99.9 %", "100 %"]


def test_one_thing_is_counted_in_the_singular():
    assert [counted(number, "run") for number in (0, 1, 1200)] == ["0 runs", "1 run", "1,200 runs"]


def test_an_abbreviation_keeps_its_capitals_inside_a_sentence():
    assert [inside_sentence(title) for title in ("Mean reciprocal rank", "F1", "CoNLL average", "Entities, F1")] == [
        *("mean reciprocal rank", "F1", "CoNLL average", "Entities, F1")
    ]


@pytest.mark.parametrize("title", ["Pearson's correlation", "Spearman's rank correlation", "Brier score"])
def test_the_name_of_a_person_keeps_its_capital_inside_a_sentence(title):
    assert inside_sentence(title) == title


def test_letters_go_on_after_z():
    assert [letters(number) for number in (1, 26, 27, 53)] == ["A", "Z", "AA", "BA"]


def test_an_option_is_said_as_the_command_line_takes_it():
    assert [option_value(value) for value in (["PER", "LOC"], True, "1.2", [{"name": "ner"}])] == [
        *("PER,LOC", "true", "1.2", '[{"name": "ner"}]')
    ]


@pytest.mark.parametrize(
    ("hours", "words"), [(0.2, "less than an hour"), (1, "an hour"), (47, "47 hours"), (72, "3 days")]
)
def test_what_took_long_is_said_in_days(hours, words):
    assert time_taken(timedelta(hours=hours)) == words


def test_a_size_known_roughly_has_two_digits_and_a_gap_those_that_it_takes():
    assert [about(value) for value in (0.0613, 0.2, 0.00996)] == ["0.061", "0.20", "0.010"]
    assert [gap(value) for value in (0.012, 0.3, 0.0, 0.00042)] == ["0.012", "0.300", "0.000", "0.00042"]


def test_shares_in_a_column_all_have_one_decimal():
    assert [share(value) for value in (0.51, 0.793, 1.0)] == [
        "51.0\N{NO-BREAK SPACE}%",
        "79.3\N{NO-BREAK SPACE}%",
        "100.0\N{NO-BREAK SPACE}%",
    ]


@pytest.mark.parametrize(
    ("said", "in_spanish"),
    [
        (lambda: score(0.6531), "0,653"),
        (lambda: score(-0.25), "−0,250"),
        (lambda: exact(0.6394812), "0,6394812"),
        (lambda: interval((0.608, 0.672)), "[0,608; 0,672]"),
        (lambda: signed_interval((-0.013, 0.052)), "[−0,013; +0,052]"),
        (lambda: interval(None), "(sin intervalo)"),
        (lambda: p_value(0.0001), "< 0,001"),
        (lambda: percent(0.955), "95,5 %"),
        (lambda: amount(1200), "1200"),
        (lambda: amount(12000), "12\N{NO-BREAK SPACE}000"),
        (lambda: amount(1234567.5), "1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567,500"),
        (lambda: counted(1, "run"), "1 ejecución"),
        (lambda: counted(2, "run"), "2 ejecuciones"),
        (lambda: size(1_600_000), "1,5 MB"),
        (lambda: utc(datetime(2026, 12, 3, 23, 59, tzinfo=UTC)), "3 dic 2026, 23:59 UTC"),
        (lambda: day(datetime(2026, 12, 3, 23, 59, tzinfo=UTC)), "3 dic 2026"),
        (lambda: relative(NOW + timedelta(days=3)), "dentro de 3 días"),
        (lambda: relative(NOW - timedelta(hours=5)), "hace 5 horas"),
        (lambda: enumerated(["a", "b", "c"]), "a, b y c"),
        (lambda: enumerated(["datos", "ítems"]), "datos e ítems"),
        (lambda: enumerated(["agua", "hielo"]), "agua y hielo"),
    ],
)
def test_spanish_has_its_own_way_with_numbers_times_and_lists(said, in_spanish):
    with translation.override("es"), time_machine.travel(NOW, tick=False):
        assert said() == in_spanish


def test_english_lists_end_in_and():
    assert [enumerated(things) for things in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
