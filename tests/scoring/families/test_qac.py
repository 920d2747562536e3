"""The reference cases, and what holds for every QAC run."""

import base64
import json
import random
import zipfile
from pathlib import Path

import numpy as np
import pytest

import scoring
from scoring.commands import qac as command
from scoring.families.qac import QAC
from scoring.readers.archive import open_files

REFERENCE = Path(__file__).parents[1] / "reference" / "qac" / "cases.jsonl"
CASES = {case["id"]: case for case in map(json.loads, REFERENCE.read_text(encoding="utf-8").splitlines())}
RUNS = [
    pytest.param(case, run, id=f"{name}-{number}")
    for name, case in CASES.items()
    for number, run in enumerate(case["runs"])
]
GOLD = """\
QAC3-1-01\t?\tWho built it?
QAC3-1-01\t1\tAda\t10
QAC3-1-02\t1\tBern\t11
QAC3-1-02\t1\tBerne\t12
QAC3-1-02\t2\tCork\t13
QAC3-1-02\t?\tWhere?
QAC3-2-01
QAC3-2-02
QAC3-2-03\t1\tDon\t14
"""
RUN = """\
QAC3-1-01: "Ada", 10
QAC3-1-02: "Cork", 99, "Berne", 12, "Delhi", 1
QAC3-2-03: "Ada", 10
"""


def content_of(value):
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value.encode()


def write(folder, gold, system):
    (folder / "gold.tsv").write_bytes(content_of(gold))
    (folder / "run.txt").write_bytes(content_of(system))
    return {"gold": folder / "gold.tsv", "system": folder / "run.txt"}


def evaluate(folder, gold=GOLD, system=RUN, n_resamples=0, **options):
    return scoring.evaluate("qac", **write(folder, gold, system), options=options, n_resamples=n_resamples)


def run_case(case, run, folder):
    arguments = {key: run[key] for key in ("options", "n_resamples", "seed") if key in run}
    return scoring.evaluate("qac", **write(folder, case["gold"], case["system"]), **arguments)


def approximate(value):
    if isinstance(value, dict):
        return {key: approximate(inner) for key, inner in value.items()}
    return pytest.approx(value, abs=1e-9) if isinstance(value, float) else value


@pytest.mark.golden
@pytest.mark.parametrize(("case", "run"), [param for param in RUNS if "expected" in param.values[1]])
def test_a_case_gives_what_is_expected(case, run, tmp_path):
    expected = run["expected"]
    result = run_case(case, run, tmp_path)
    if "scores" in expected:
        assert result.scores == approximate(expected["scores"])
        assert result.headline == ("mrr" if int(run["options"]["task"]) == 1 else "average_f1")
    if "counts" in expected:
        assert result.counts == expected["counts"]
    if "units" in expected:
        assert result.units == expected["units"]
    for table in ("questions", "answers", "unanswerable"):
        if table in expected:
            columns, rows = expected[table]["columns"], expected[table]["rows"]
            assert result.tables[table] == [approximate(dict(zip(columns, row, strict=True))) for row in rows]
    for score, ends in expected.get("interval", {}).items():
        assert result.intervals.get(score) == (None if ends is None else pytest.approx(tuple(ends), abs=1e-9))


@pytest.mark.parametrize(("case", "run"), [param for param in RUNS if "error" in param.values[1]])
def test_a_bad_case_is_refused_with_every_problem(case, run, tmp_path):
    with pytest.raises(getattr(scoring, run["error"])) as refused:
        run_case(case, run, tmp_path)
    expected = run.get("problems", [])
    problems = getattr(refused.value, "problems", [])
    assert len(problems) == len(expected)
    for problem, wanted in zip(problems, expected, strict=True):
        assert wanted["message"] in problem.message
        assert problem.file == wanted.get("file", problem.file)
        assert problem.line == wanted.get("line")


def test_the_columns_of_a_table_keep_their_order(tmp_path):
    tables = evaluate(tmp_path).tables
    assert list(tables) == ["questions", "answers", "unanswerable", "marks"]
    assert list(tables["questions"][0]) == [
        *("question", "series", "answers", "outputs", "correct", "unsupported"),
        *("reciprocal_rank", "f1", "no_answer", "in_run"),
    ]
    assert list(tables["answers"][0]) == ["question", "rank", "answer", "article", "number", "article_ok", "correct"]
    assert list(tables["unanswerable"][0]) == ["question", "outputs", "correct", "in_run"]


@pytest.mark.parametrize(
    "given",
    [{"task": 4}, {"task": "one"}, {"article": "both"}, {"unit": "file"}, {"task": None}, {"encoding": "cp932"}]
    + [{"gold_encoding": "guess"}, {"squad": True}, {"tasks": 1}],
)
def test_unknown_options_and_values_are_refused(given, tmp_path):
    with pytest.raises(scoring.ConfigurationError):
        evaluate(tmp_path, **given)


@pytest.mark.parametrize(
    ("given", "unit"),
    [
        ({}, "question"),
        ({"task": 2}, "question"),
        ({"task": 3}, "series"),
        ({"task": 3, "unit": None}, "series"),
        ({"task": "3", "unit": "question"}, "question"),
    ],
)
def test_the_unit_follows_from_the_task_unless_it_is_given(given, unit, tmp_path):
    result = evaluate(tmp_path, **given)
    assert result.options["unit"] == unit
    assert f"units:{len(result.units)} {'questions' if unit == 'question' else 'series'}" in result.signature


def test_the_encoding_of_the_gold_is_that_of_the_run_unless_it_is_given(tmp_path):
    gold, run = "Q-1-02\t1\t京\t1\n", 'Q-1-02: "京", 1\n'
    paths = write(tmp_path, gold, run)
    (tmp_path / "run.txt").write_bytes(run.encode("euc-jp"))
    options = {"encoding": "euc-jp", "gold_encoding": "utf-8"}
    assert scoring.evaluate("qac", **paths, options=options).scores["mrr"] == 1
    (tmp_path / "gold.tsv").write_bytes(gold.encode("euc-jp"))
    assert scoring.evaluate("qac", **paths, options={"encoding": "euc-jp"}).scores["mrr"] == 1
    with pytest.raises(scoring.GoldError, match="not valid utf-8"):
        scoring.evaluate("qac", **paths, options=options)


def test_series_add_up_what_their_questions_count(tmp_path):
    by_question = evaluate(tmp_path, task=2)
    by_series = evaluate(tmp_path, task=2, unit="series")
    assert by_series.units == ["QAC3-1", "QAC3-2"]
    assert by_series.scores == by_question.scores
    assert by_series.rows.tolist() == [
        by_question.rows[:2].sum(axis=0).tolist(),
        by_question.rows[2:].sum(axis=0).tolist(),
    ]


@pytest.mark.parametrize("options", [{}, {"task": 2}, {"task": 3}, {"task": 1, "article": "require"}])
def test_a_row_scores_as_its_question_does_alone(options, tmp_path):
    result = evaluate(tmp_path, unit="question", squad="plain", **options)
    scores = QAC.metrics(result.rows, result.options)
    for i, question in enumerate(result.units):
        gold = "".join(line for line in GOLD.splitlines(keepends=True) if line.startswith(question))
        alone = evaluate(tmp_path, gold, RUN, unit="question", squad="plain", **options)
        found = {name: None if np.isnan(values[i]) else values[i] for name, values in scores.items()}
        assert found == approximate(alone.scores)


def test_only_the_first_five_outputs_of_task_1_count(tmp_path):
    outputs = [(f"x{k}", 1) for k in range(5)] + [("Ada", 10)]
    run = "QAC3-1-01: " + ", ".join(f'"{answer}", {article}' for answer, article in outputs)
    ranked, listed = evaluate(tmp_path, system=run), evaluate(tmp_path, system=run, task=2)
    assert (ranked.counts["outputs"], ranked.counts["correct"], ranked.counts["ignored_outputs"]) == (5, 0, 1)
    assert "1 output beyond the first 5" in "\n".join(ranked.warnings)
    assert (listed.counts["outputs"], listed.counts["correct"], listed.counts["ignored_outputs"]) == (6, 1, 0)
    assert listed.warnings == []


def test_repeating_an_answer_earns_it_once_and_costs_every_time(tmp_path):
    once = evaluate(tmp_path, system='QAC3-1-01: "Ada", 10', task=2)
    twice = evaluate(tmp_path, system='QAC3-1-01: "Ada", 10, "Ada", 10', task=2)
    assert once.counts["correct"] == twice.counts["correct"] == 1
    assert once.scores["precision"] == 1
    assert twice.scores["precision"] == 0.5
    assert [row["correct"] for row in twice.tables["answers"]] == [True, True]


def test_an_empty_run_earns_the_unanswerable_questions_and_is_shown_to(tmp_path):
    result = evaluate(tmp_path, system="# nothing\n")
    assert result.scores["mrr"] == 0.4
    assert result.scores["answerable_average"] == 0
    assert (result.counts["absent_questions"], result.counts["absent_credited"]) == (5, 2)
    assert [warning for warning in result.warnings if "empty" in warning]


def test_unknown_questions_are_listed_in_one_warning_and_opening_ones_of_task_3_are_not(tmp_path):
    run = 'X-9-02: "a", 1\nX-8-01\nQAC3-1-01: "Ada", 10\n'
    result = evaluate(tmp_path, system=run, task=3)
    assert result.counts["ignored_questions"] == 2
    assert result.counts["outputs"] == 0
    [warning] = result.warnings
    assert "X-8-01, X-9-02" in warning
    assert "QAC3-1-01" not in warning


def test_no_answerable_question_leaves_no_average_over_them(tmp_path):
    scores = evaluate(tmp_path, gold="Q-1-02\n", system="").scores
    assert (scores["answerable_average"], scores["mrr"], scores["recall"], scores["f1"]) == (None, 1, 0, 0)


def test_a_string_under_two_numbers_takes_the_one_with_its_article_before_the_lower_one(tmp_path):
    gold = "Q-1-02\t1\tA\t5\nQ-1-02\t2\tA\t6\nQ-1-02\t3\tA\t6\n"
    result = evaluate(tmp_path, gold=gold, system='Q-1-02: "A", 6, "A", 6, "A", 6, "A", 9', task=2)
    assert [row["number"] for row in result.tables["answers"]] == [2, 3, 1, 1]
    assert [row["article_ok"] for row in result.tables["answers"]] == [True, True, False, False]


def test_a_failed_article_claims_its_number_all_the_same(tmp_path):
    gold = "Q-1-02\t1\tA\t5\nQ-1-02\t2\tA\t6\nQ-1-02\t2\tB\t6\n"
    result = evaluate(tmp_path, gold=gold, system='Q-1-02: "B", 9, "A", 6', task=2, article="require")
    assert [row["number"] for row in result.tables["answers"]] == [2, 1]
    assert result.counts["correct"] == 0


@pytest.mark.parametrize(
    ("squad", "output", "exact", "f1"),
    [
        ("en", "the red, fox", 1, 1),
        ("plain", "the red fox", 0, 4 / 5),
        ("plain", "RED fox!", 1, 1),
        ("plain", "red red", 0, 0.5),
        ("en", "the", 0, 0),
        ("plain", "...", 0, 0),
    ],
)
def test_the_first_answer_is_compared_as_squad_does(squad, output, exact, f1, tmp_path):
    gold = "Q-1-02\t1\tRed fox\t5\nQ-1-02\t2\tblue\t5\n"
    scores = evaluate(tmp_path, gold=gold, system=f'Q-1-02: "{output}", 1, "blue", 5', squad=squad).scores
    assert (scores["exact_match"], scores["token_f1"]) == (exact, pytest.approx(f1))


@pytest.mark.parametrize(("system", "score"), [("Q-1-02\n", 1), ('Q-1-02: "a", 1\n', 0), ("", 1)])
def test_squad_asks_for_no_output_where_there_is_no_answer(system, score, tmp_path):
    scores = evaluate(tmp_path, gold="Q-1-02\n", system=system, squad="en").scores
    assert (scores["exact_match"], scores["token_f1"]) == (score, score)


def test_marks_have_no_interval_and_ask_for_none(tmp_path):
    gold = "".join(f"Q-{i}-02\t1\tA\t5\n" for i in range(9))
    system = "".join(f'Q-{i}-02: "A", 5\n' for i in range(5))
    result = evaluate(tmp_path, gold, system, n_resamples=200)
    assert not {"marks", "full_marks"} & set(result.intervals)
    assert not [warning for warning in result.warnings if "marks" in warning]
    assert "mrr" in result.intervals


def test_the_order_of_the_lines_is_irrelevant(tmp_path):
    expected = evaluate(tmp_path, task=2)
    rng = random.Random(1)
    for _ in range(5):
        lines = [rng.sample(text.splitlines(keepends=True), text.count("\n")) for text in (GOLD, RUN)]
        result = evaluate(tmp_path, *map("".join, lines), task=2)
        assert (result.scores, result.counts, result.tables) == (expected.scores, expected.counts, expected.tables)


def test_asking_for_the_article_never_raises_a_score(tmp_path):
    ignoring, requiring = evaluate(tmp_path, task=2), evaluate(tmp_path, task=2, article="require")
    assert ignoring.counts["unsupported"] == requiring.counts["unsupported"] == 1
    assert ignoring.scores["average_f1"] > requiring.scores["average_f1"]


def test_a_zip_archive_with_one_file_is_read_as_the_file(tmp_path):
    paths = write(tmp_path, GOLD, RUN)
    for side, path in paths.items():
        with zipfile.ZipFile(tmp_path / f"{side}.zip", "w") as archive:
            archive.write(path, path.name)
    zipped = {side: tmp_path / f"{side}.zip" for side in paths}
    assert scoring.evaluate("qac", **zipped).scores == scoring.evaluate("qac", **paths).scores


def test_the_example_is_a_run_without_problems(tmp_path):
    options = QAC.configure({})
    for path, content in QAC.example(options).items():
        (tmp_path / path).write_bytes(content)
    (tmp_path / "gold").write_text(GOLD)
    assert scoring.check("qac", gold=tmp_path / "gold", system=tmp_path / "run.txt") == []


@pytest.mark.parametrize("options", [{}, {"task": 2, "article": "require"}, {"task": 3}])
def test_the_exports_made_from_stored_tables_are_what_the_command_writes(options, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = evaluate(tmp_path, **options)
    result.save(tmp_path / "stored.npz")
    tables = scoring.Evaluation.load(tmp_path / "stored.npz").tables
    made = {export.name: export.make(tables, result.options) for export in QAC.table_notes.exports}
    arguments = ["-a", "gold.tsv", "-t", str(options.get("task", 1)), "--article", result.options["article"], "run.txt"]
    assert command.main(arguments) == 0
    assert made["res.dat"] == (tmp_path / "res.dat").read_bytes()
    assert made["report.txt"].decode() == capsys.readouterr().out


def test_exports_that_mark_single_answers_tell_the_gold():
    assert {export.name: export.tells_gold for export in QAC.table_notes.exports} == {
        "res.dat": True,
        "report.txt": False,
    }


def test_the_view_of_a_question_shows_both_sides(tmp_path):
    found = record_of(tmp_path, "QAC3-1-02", task=2)
    [question] = found["questions"]
    assert (question["question"], question["text"], question["correct"]) == ("QAC3-1-02", "Where?", 2)
    assert question["gold"] == [
        {"number": 1, "wordings": [{"answer": "Bern", "article": "11"}, {"answer": "Berne", "article": "12"}]},
        {"number": 2, "wordings": [{"answer": "Cork", "article": "13"}]},
    ]
    assert [(row["rank"], row["answer"], row["number"], row["article_ok"]) for row in question["system"]] == [
        (1, "Cork", 2, False),
        (2, "Berne", 1, True),
        (3, "Delhi", None, False),
    ]


def test_the_view_of_a_series_shows_its_scored_questions_and_what_they_refer_to(tmp_path):
    found = record_of(tmp_path, "QAC3-2", task=3)
    assert [question["question"] for question in found["unscored"]] == ["QAC3-2-01"]
    assert [question["question"] for question in found["questions"]] == ["QAC3-2-02", "QAC3-2-03"]
    assert [question["no_answer"] for question in found["questions"]] == [True, False]
    assert found["questions"][0]["text"] is None
    with pytest.raises(KeyError):
        record_of(tmp_path, "QAC3-2-02", task=3)


def record_of(folder, unit, **options):
    paths = write(folder, GOLD, RUN)
    return QAC.views.unit_record(open_files(paths["gold"]), open_files(paths["system"]), unit, QAC.configure(options))


def test_titles_and_kinds_cover_what_is_computed(tmp_path):
    result = evaluate(tmp_path)
    assert set(QAC.titles(result.options)) == set(result.scores) < set(QAC.score_titles)
    assert {*QAC.main_scores, result.headline} <= set(result.scores)
    assert result.rows.shape == (len(result.units), len(QAC.kinds))


@pytest.mark.parametrize("options", [{}, {"task": 2, "article": "require"}, {"task": 3}, {"encoding": "shift_jis"}])
def test_the_gold_written_as_a_run_is_perfect(options, tmp_path):
    gold = GOLD + 'Q-9-02\t2\tA\t5\nQ-9-02\t1\tsay "\\o"\tx y\nQ-9-02\t1\tA\t5\nQ-9-02\t3\tA\t6\n'
    options = {"gold_encoding": "utf-8"} | options
    (tmp_path / "gold.tsv").write_text(gold, encoding="utf-8")
    files = open_files(tmp_path / "gold.tsv")
    [(name, content)] = QAC.files.gold_as_submission(files, QAC.configure(options)).items()
    (tmp_path / name).write_bytes(content)
    result = scoring.evaluate("qac", gold=tmp_path / "gold.tsv", system=tmp_path / name, options=options)
    assert {result.scores[score] for score in (result.headline, "recall", "precision")} == {1}


@pytest.mark.parametrize(("line", "encoding"), [("Q-9-02\t7\tA\tx,y", "utf-8"), ("Q-9-02\t7\té\t5", "shift_jis")])
def test_an_answer_that_no_run_can_give_is_named(line, encoding, tmp_path):
    (tmp_path / "gold.tsv").write_text(f"{line}\nQ-9-02\t8\tA\t5\n", encoding="utf-8")
    options = QAC.configure({"encoding": encoding, "gold_encoding": "utf-8"})
    with pytest.raises(scoring.SubmissionError, match="answer 7 of Q-9-02") as refused:
        QAC.files.gold_as_submission(open_files(tmp_path / "gold.tsv"), options)
    assert len(refused.value.problems) == 1


def test_the_signature_names_the_options_that_change_what_ranks(tmp_path):
    gold, run = tmp_path / "gold.tsv", tmp_path / "run.txt"
    gold.write_text("Q-1-1\t1\tMie\t9\nQ-1-2\t1\tTsu\t9\n")
    run.write_text('Q-1-1: "Mie", 9\n')
    result = scoring.evaluate("qac", gold=gold, system=run, options={"task": 2, "squad": "en"})
    assert result.signature.startswith("family:qac|article:ignore|task:2|score:average_f1|units:2 questions|gold:")


def test_marks_stand_by_rank(tmp_path):
    gold, run = tmp_path / "gold.tsv", tmp_path / "run.txt"
    gold.write_text("Q-1-1\t1\tMie\t9\nQ-1-2\t1\tTsu\t9\nQ-1-3\n")
    run.write_text('Q-1-1: "Tsu", 9, "Mie", 9, "Ise", 9\nQ-1-2: "Ise", 9\nQ-1-3\n')
    result = scoring.evaluate("qac", gold=gold, system=run)
    assert result.tables["marks"] == [
        {"question": "Q-1-1", "first_right": 2, "marks": "× ○ ×"},
        {"question": "Q-1-2", "first_right": None, "marks": "×"},
        {"question": "Q-1-3", "first_right": None, "marks": ""},
    ]


def test_f_beta_over_all_answers_follows_from_recall_and_precision(tmp_path):
    paths = write(tmp_path, GOLD, RUN)
    plain = scoring.evaluate("qac", **paths, options={"task": 2})
    result = scoring.evaluate("qac", **paths, options={"task": 2, "beta": 2}, n_resamples=200)
    # Of four answers three are found by five outputs; F1 of the lists, by which the task ranks, has no beta.
    assert result.scores["fbeta"] == pytest.approx(5 * 3 / (4 * 4 + 5))
    assert "fbeta" in result.intervals
    assert (result.headline, result.scores["average_f1"]) == ("average_f1", plain.scores["average_f1"])
    assert [row["fbeta"] for row in result.tables["questions"]] == pytest.approx([1, 10 / 11, 1, 1, 0])
    assert QAC.titles(result.options)["fbeta"] == "F2 over all answers"
    with pytest.raises(scoring.ConfigurationError, match="beta needs precision and recall"):
        QAC.configure({"format": "squad", "beta": 2})
