"""The demonstration data of the question task: well-formed, complete, and graded as meant."""

import re
from collections import defaultdict

import pytest

import scoring
from demo import qac
from demo.qac.task import TASK

PHASES = ("development", "test")
PARTS = [(phase, task) for phase in PHASES for task in qac.TASKS]


def read(text):
    """{ID: {number: [(answer, article), ...]}}, parsed from a gold file alone."""
    questions = defaultdict(lambda: defaultdict(list))
    for line in text.splitlines():
        name, *cells = line.split("\t")
        questions[name]
        if cells and cells[0] != "?":
            questions[name][int(cells[0])].append((cells[1], cells[2]))
    return questions


def articles():
    """{ID: title and text}"""
    given = qac.inputs("test")
    return {path[9:-4]: text for path, text in given.items() if path.startswith("articles/")}


def grades(tmp_path, phase, task):
    (tmp_path / "gold.tsv").write_text(qac.gold(phase, task), encoding="utf-8")
    found = {}
    for system in qac.systems(phase):
        if system.scenarios[0] == task:
            (tmp_path / "run.txt").write_text(system.content, encoding="utf-8")
            found[f"{system.team} {system.run.removesuffix(f'-task{task}')}"] = scoring.evaluate(
                "qac",
                gold=tmp_path / "gold.tsv",
                system=tmp_path / "run.txt",
                options=TASK.scenarios[task - 1].options,
            )
    return found


def headlines(evaluations):
    return {name: evaluation.scores[evaluation.headline] for name, evaluation in evaluations.items()}


@pytest.mark.parametrize(("phase", "task"), PARTS)
def test_there_are_sixty_questions_of_every_sort(phase, task):
    questions = read(qac.gold(phase, task))
    answers = [answer for numbers in questions.values() for answer in numbers.values()]
    assert len(questions) >= 60
    assert sum(not numbers for numbers in questions.values()) >= 6
    assert sum(len(numbers) > 1 for numbers in questions.values()) >= (3 if task == 3 else 15)
    assert sum(len({wording for wording, _ in answer}) > 1 for answer in answers) >= 20
    assert sum(len({article for _, article in answer}) > 1 for answer in answers) >= 3


def test_tasks_1_and_2_share_their_questions():
    for phase in PHASES:
        assert qac.gold(phase, 1) == qac.gold(phase, 2)


def test_phases_and_tasks_have_no_question_in_common():
    names = [name for phase in PHASES for task in (1, 3) for name in read(qac.gold(phase, task))]
    assert len(names) == len(set(names))
    asked = [
        line.split("\t")[1] for phase in PHASES for line in qac.inputs(phase)["questions-tasks-1-2.tsv"].splitlines()
    ]
    assert len(asked) == len(set(asked))
    assert all(re.fullmatch(r"[A-Z][^{}<>]+\?", text) for text in asked)


@pytest.mark.parametrize("phase", PHASES)
def test_series_have_two_to_five_questions_that_count_on(phase):
    series = defaultdict(list)
    for name in read(qac.gold(phase, 3)):
        series[name[:-3]].append(int(name[-2:]))
    assert len(series) >= 20
    assert all(places == list(range(1, len(places) + 1)) and 2 <= len(places) <= 5 for places in series.values())


@pytest.mark.parametrize(("phase", "task"), PARTS)
def test_the_articles_say_what_the_gold_says(phase, task):
    texts = articles()
    for numbers in read(qac.gold(phase, task)).values():
        for answer in numbers.values():
            said = answer[0][0].removeprefix("the ")
            assert all(said.lower() in texts[article].lower() for _, article in answer)


def test_articles_are_short_texts_without_leftovers():
    texts = articles()
    assert len(texts) > 100
    for text in texts.values():
        title, _, body = text.partition("\n\n")
        assert title[0].isupper() or title.islower()
        assert 2 <= len(re.findall(r"[.](?:\s|$)", body)) <= 5
        assert not re.search(r"[{}<>|]|  |\ba [aeiou]|\.\w", body)


def test_participants_get_questions_without_answers():
    given = qac.inputs("test")
    assert "synthetic data" in given["README.txt"]
    for name, task in (("questions-tasks-1-2.tsv", 1), ("questions-task-3.tsv", 3)):
        asked = [line.split("\t") for line in given[name].splitlines()]
        assert [name for name, _ in asked] == list(read(qac.gold("test", task)))


def test_the_answer_key_is_there_for_the_open_phase_alone():
    assert [[download.file.name for download in TASK.downloads(phase)] for phase in PHASES] == [
        ["development-input.zip", "development-key.zip"],
        ["test-input.zip"],
    ]


@pytest.mark.parametrize(("phase", "task"), PARTS)
def test_runs_answer_all_questions_and_no_others(tmp_path, phase, task):
    for evaluation in grades(tmp_path, phase, task).values():
        assert evaluation.warnings == []
        assert evaluation.counts["absent_questions"] == evaluation.counts["ignored_questions"] == 0


def test_each_task_has_seven_graded_systems_and_one_baseline():
    for task in qac.TASKS:
        entered = [system.reference for system in qac.systems("test") if system.scenarios[0] == task]
        assert entered.count("baseline") == entered.count("human") == 1
        assert entered.count("") >= 6


ORDERS = {
    1: ["Marginalia", "Faro NLP run2", "Index & Sons", "Ask Again", "Faro NLP run1", "Footnote", "Quill"],
    2: ["Index & Sons", "Marginalia", "Faro NLP run2", "Quill", "Ask Again", "Faro NLP run1", "Footnote"],
    3: [
        *("Marginalia", "Index & Sons", "Second Volume", "Faro NLP run2"),
        *("Ask Again", "Faro NLP run1", "Quill", "Footnote"),
    ],
}


@pytest.mark.parametrize("task", qac.TASKS)
def test_grades_are_spread_in_the_order_that_is_meant(tmp_path, task):
    values = headlines(grades(tmp_path, "test", task))
    ranked = sorted(values, key=values.get, reverse=True)
    teams = [name if name.startswith("Faro") else name.removesuffix(" run1") for name in ranked]
    assert teams == ["Organisers librarian", *ORDERS[task], "Organisers baseline"]
    assert 0.9 < values["Organisers librarian"] < 1
    assert 0.2 < values["Organisers baseline"] < 0.4
    middle = [values[name] for name in ranked[1:-1]]
    assert all(0 < higher - lower < 0.15 for higher, lower in zip(middle, middle[1:], strict=False))


def test_systems_err_in_every_way(tmp_path):
    ranked = grades(tmp_path, "test", 1)
    lists = grades(tmp_path, "test", 2)
    assert ranked["Ask Again run1"].counts["unsupported"] > 15
    assert ranked["Faro NLP run1"].counts["unanswerable_correct"] == 0
    assert lists["Quill run1"].counts["unanswerable_correct"] == 8
    assert lists["Quill run1"].scores["precision"] > lists["Quill run1"].scores["recall"] + 0.1
    assert lists["Ask Again run1"].scores["recall"] > lists["Ask Again run1"].scores["precision"] + 0.1
    later = [row["reciprocal_rank"] for row in ranked["Footnote run1"].tables["questions"]]
    assert {0, 0.2, 0.25, 1 / 3, 0.5, 1} >= set(later) >= {0, 1 / 3, 0.5, 1}
