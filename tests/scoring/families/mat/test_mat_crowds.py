"""Far more overlapping annotations in one place than the gold has there, with one-to-one pairs."""

import json

import pytest

import scoring

TEXT = "a" * 300
OPTIONS = {"content_annotations": "X"}


@pytest.fixture
def files(tmp_path):
    def write(name, spans):
        sets = [{"type": "X", "annots": spans}]
        (tmp_path / name).write_text(json.dumps({"signal": TEXT, "asets": sets}))
        return tmp_path / name

    return write


def spans(number):
    return [[k % 100, 200 + k // 100 % 100] for k in range(number)]


SIZES = [(800, 4200, False), (800, 5300, True), (1, 9000, False)]


@pytest.mark.parametrize(("n_gold", "n_system", "is_refused"), SIZES)
def test_a_crowd_is_refused_by_check_and_evaluate(files, n_gold, n_system, is_refused):
    given = {"gold": files("gold.json", spans(n_gold)), "system": files("run.json", spans(n_system))}
    options = OPTIONS | {"pairing": "2.x"}
    problems = scoring.check("mat", **given, options=options)
    assert [problem.message.partition(":")[0] for problem in problems] == (
        [f"{n_system} annotations overlap one another from 0 on, where the gold has {n_gold}"] if is_refused else []
    )
    assert scoring.check("mat", **given, options=OPTIONS) == []
