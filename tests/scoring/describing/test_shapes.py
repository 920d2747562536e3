"""Wrong files of all families are told by what happened to them; files that look odd and are right are left alone."""

import pytest

import scoring
from demo.plan import read_task
from scoring.readers.hints import hint_of
from tests.scoring.describing import annotation_shapes, further_shapes
from tests.scoring.describing.right_shapes import RIGHT
from tests.scoring.describing.shapes import REFUSED, gold_of
from tests.scoring.describing.wrong_shapes import WRONG


@pytest.fixture
def describe(tmp_path):
    def described(shape):
        gold = gold_of(shape.task, shape.scenario)
        (tmp_path / gold.name).write_bytes(gold.content)
        scenario = read_task(shape.task).scenarios[shape.scenario - 1]
        for path, text in shape.files.items():
            (tmp_path / "run" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "run" / path).write_bytes(text.encode())
        system = tmp_path / "run" / path if len(shape.files) == 1 else tmp_path / "run"
        # As the site does.
        files = {"gold": tmp_path / gold.name, "system": system, "drop_marks": True}
        return scoring.describe(scenario.family, options=scenario.options, **files)

    return described


def said_of(problem, shape):
    """The problem, and the hint that stands beside its line."""
    lines = shape.files.get(problem.file, "").splitlines()
    hint = hint_of(lines[problem.line - 1], problem.line, problem.message, problem.file) if problem.line else None
    return f"{problem.message} {hint.words if hint else ''}"


@pytest.mark.parametrize("shape", [*WRONG, *annotation_shapes.WRONG, *further_shapes.WRONG], ids=str)
def test_a_wrong_file_is_told_by_what_happened_to_it(shape, describe):
    if shape.kind == REFUSED:
        with pytest.raises(scoring.SubmissionError) as caught:
            describe(shape)
        assert shape.words in said_of(caught.value.problems[0], shape)
    else:
        first = describe(shape).oddities[0]
        assert first.kind == shape.kind
        assert shape.words in f"{first.message} {first.suggestion}"


@pytest.mark.parametrize("shape", [*RIGHT, *annotation_shapes.RIGHT, *further_shapes.RIGHT], ids=str)
def test_nothing_is_said_of_a_file_that_looks_odd_and_is_right(shape, describe):
    assert describe(shape).oddities == []


def test_there_are_a_hundred_wrong_files_and_forty_right_ones():
    assert len(WRONG) >= 100
    assert len(RIGHT) >= 40
