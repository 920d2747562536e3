"""Tests what is left to --thorough."""

from types import SimpleNamespace

from tests.thoroughness import left_out

CASES = [f"tests/test_a.py::test_case[{number}]" for number in range(400)]


def collected(*ids, marked=()):
    return [SimpleNamespace(nodeid=each, get_closest_marker=lambda name, each=each: each in marked) for each in ids]


def ids_left(items, named=()):
    return [item.nodeid for item in left_out(items, named)]


def test_a_marked_test_is_left_out_and_others_stay():
    short, long = "tests/test_a.py::test_short", "tests/test_a.py::test_long"
    assert ids_left(collected(short, long, marked=[long])) == [long]


def test_of_many_cases_about_a_sixth_stays():
    assert 310 < len(ids_left(collected(*CASES))) < 355


def test_the_first_of_the_cases_stays_always():
    assert all(ids_left(collected(case)) == [] for case in CASES)


def test_what_is_named_is_run_whole():
    others = ["tests/test_b.py::test_long", "tests/test_a.py::test_long"]
    items = collected(*CASES, *others, marked=others)
    assert ids_left(items, ("tests/test_a.py",)) == ["tests/test_b.py::test_long"]
    assert ids_left(items, ("tests/test_a.py::test_case",)) == others
