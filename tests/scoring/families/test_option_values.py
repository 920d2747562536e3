"""Whatever an option is given, from a form, a command or a program, it is taken, or refused as the caller's mistake."""

import pytest

import scoring
from scoring.cli.main import main
from scoring.families.parts import for_part
from scoring.readers.archive import Made

VALUES = ["", " ", "x", ",", "a,a", "=", "[]", "[", None, True, 0, -1, 2.5, float("nan"), float("inf"), 10**30]
VALUES += [[], [""], [None], ["x", "x"], [[]], {}, {"x": 1}, {"": None}, (), (None,), b"x", object()]


def small_of(name):
    family = scoring.FAMILIES[name]
    small = family.offer.specimen(family.configure({}))
    return Made(small.gold), Made(small.run)


@pytest.mark.parametrize("name", list(scoring.FAMILIES))
def test_any_value_of_an_option_is_taken_or_refused_by_its_name(name):
    gold, run = small_of(name)
    keys = [option.key for option in for_part(scoring.FAMILIES[name], {"folder": "x", "rows": "a=b"}).options]
    crashes = []
    for key in keys:
        for value in VALUES:
            try:
                scoring.evaluate(name, gold=gold, system=run, options={key: value})
            except scoring.ScoringError:
                pass
            except Exception as error:
                crashes.append(f"{key}={value!r}: {type(error).__name__}: {error}")
    assert not crashes, "\n".join(crashes)


@pytest.mark.parametrize("key", ["id", "label", "gold_id", "labels"])
def test_a_command_with_an_empty_option_ends_without_a_traceback(key, tmp_path, capsys):
    for name in ("gold.csv", "run.csv"):
        (tmp_path / name).write_text("id,label\na,A\nb,B\n")
    sides = ["--gold", str(tmp_path / "gold.csv"), "--system", str(tmp_path / "run.csv")]
    assert main(["evaluate", "labels", *sides, "-o", f"{key}="]) in (0, 2)
    assert "Traceback" not in capsys.readouterr().err
