"""Demonstration data of the question task, in the manner of NTCIR QAC: gold, the download, fictional runs."""

from dataclasses import replace

from demo.plan import System, system_of
from demo.qac.articles import articles
from demo.qac.baseline import look_up
from demo.qac.errors import Outputs
from demo.qac.errors import run as answer
from demo.qac.questions import Question, questions_of
from demo.qac.systems import PROFILES, Profile

TASKS = (1, 2, 3)

README = """\
Demonstration data: questions about the encyclopaedia of a country that does not exist
======================================================================================

This is synthetic data. Country, towns, people, books and animals are invented, a program put
the articles and the questions together, and nobody checked the answers by hand. Do not learn
any of it. Teams and runs are invented too.

articles/SE0104.txt      one article: its title, an empty line, its text; the name is its ID
questions-tasks-1-2.tsv  ID and question, with a TAB between
questions-task-3.tsv     series: the questions of a series share their ID but for the last part

A run is a text file with a line for each question:

  SAR1-1001-01: "Kaldrin", SE0377, "the Sarn", SE0352
  SAR1-1002-01

Task 1 takes up to five answers, the likeliest first; tasks 2 and 3 take all answers and no
other. The article behind an answer is the one that says so. An ID alone says that the
articles hold no answer. Only the later questions of a series (-02, -03, ...) are scored.
Upload a file for each task that you enter.
"""


def gold(phase: str, task: int) -> str:
    lines = []
    for question in questions_of(phase, task):
        lines.append(f"{question.id}\t?\t{question.text}")
        lines += _gold_lines(question)
    return "\n".join(lines) + "\n"


def inputs(phase: str) -> dict[str, str]:
    """What a participant downloads: the articles, the questions and the README."""
    files = {f"articles/{article.id}.txt": f"{article.title}\n\n{article.text}\n" for article in articles()}
    asked = {"questions-tasks-1-2.tsv": questions_of(phase, 1), "questions-task-3.tsv": questions_of(phase, 3)}
    listed = {
        name: "".join(f"{question.id}\t{question.text}\n" for question in questions)
        for name, questions in asked.items()
    }
    return {"README.txt": README, **files, **listed}


def systems(phase: str) -> list[System]:
    """A file for each task, since a file does not tell which one it answers."""
    return [
        replace(system_of(profile, _run_file(profile, phase, task), (task,)), run=f"{profile.run}-task{task}")
        for profile in PROFILES
        if phase in profile.phases
        for task in profile.scenarios
    ]


def _gold_lines(question: Question) -> list[str]:
    return [
        f"{question.id}\t{number}\t{wording}\t{article}"
        for number, right in enumerate(question.answers, start=1)
        for wording in right.wordings
        for article in right.articles
    ] or [question.id]


def _run_file(profile: Profile, phase: str, task: int) -> str:
    questions = questions_of(phase, task)
    name = profile.name
    if profile.rates is None:
        answers = look_up(questions, task)
    else:
        answers = {question.id: answer(question, profile.rates, name, task) for question in questions}
    lines = [f"# {name}, task {task}", *(_run_line(question.id, answers[question.id]) for question in questions)]
    return "\n".join(lines) + "\n"


def _run_line(question: str, outputs: Outputs) -> str:
    if not outputs:
        return question
    return f"{question}: " + ", ".join(f'"{_escaped(value)}", {article}' for value, article in outputs)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
