"""BioASQ's JSON of task b, phase B: one file of questions, of which a scenario takes the factoids or the lists.

    {"questions": [{"id": "q1", "type": "factoid", "body": "Which gene?", "exact_answer": [["CFTR", "ABCC7"]]},
                   {"id": "q2", "type": "list", "exact_answer": [["asthma"], ["atopy", "atopic disease"]]}]}

Of the gold each inner list is an answer in several words; of a run its first text alone counts. Capitals do not. A text
in place of a list is one answer.
"""

import json
from collections.abc import Container, Iterator, Mapping
from typing import Any

import numpy as np

from scoring.columns import starts_from_sizes
from scoring.messages import Message
from scoring.readers.json_text import refuse_other_letters
from scoring.readers.problems import Problems, only_file
from scoring.readers.qac.answer_set import AnswerSet
from scoring.readers.qac.run import Run
from scoring.readers.qac.squad import strict_json

TYPES = {1: "factoid", 2: "list"}  # of the questions that a task scores
_FORM = Message("bioasq-form", 'expected {"questions": [{"id": …, "type": …, "exact_answer": [["…"]]}]}')
_KEYS = ("type", "body", "documents", "snippets", "exact_answer")
_NO_ANSWER = "-"  # stands where there is no gold
_Question = Mapping[str, Any]


def read_questions(files: Mapping[str, bytes], task: int) -> AnswerSet:
    """Read the questions of the task's type that have an exact answer; SubmissionError with all problems."""
    path = only_file(files)
    problems = Problems(path)
    questions: dict[str, list[list[str]]] = {}
    texts: dict[str, str] = {}
    for place, question in questions_of(strict_json(files[path], path), problems):
        if question.get("type") is None and "exact_answer" in question:
            problems.add(_must_be_text(place, "type"))
        if question.get("type") != TYPES[task]:
            continue
        answers = _answers(question.get("exact_answer"), place, problems)
        if answers:
            questions[question["id"]] = answers
        if question.get("body"):
            texts[question["id"]] = question["body"]
    if not questions and not problems:
        problems.add(
            Message("bioasq-no-question", "no question of the type {type} with an exact answer", type=TYPES[task])
        )
    problems.raise_all()
    ids = sorted(questions)
    lines = [
        (place, number, wording)
        for place, name in enumerate(ids)
        for number, answer in enumerate(questions[name], start=1)
        for wording in dict.fromkeys(answer)
    ]
    return AnswerSet(
        paths=[path],
        ids=ids,
        question=np.array([place for place, *_ in lines], dtype=np.int64),
        numbers=np.array([number for _, number, _ in lines], dtype=np.int64),
        answers=[wording for *_, wording in lines],
        articles=[""] * len(lines),
        texts=texts,
        series=ids,
    )


def read_exact_answers(files: Mapping[str, bytes], task: int, scored: Container[str] = ()) -> Run:
    """Read a run's exact answers, in their order.

    Questions of other types are passed over, unless they are among those that the gold has of the task's type.
    """
    path = only_file(files)
    problems = Problems(path)
    answers: dict[str, list[str]] = {}
    for place, question in questions_of(strict_json(files[path], path), problems):
        answer = question.get("exact_answer")
        # Without a type, a text may be the answer to a question of yes or no.
        of_task = question.get("type") == TYPES[task] or (question.get("type") is None and not isinstance(answer, str))
        if of_task or question["id"] in scored:
            answers[question["id"]] = [wordings[0] for wordings in _answers(answer, place, problems)]
    problems.raise_all()
    outputs = [answer for listed in answers.values() for answer in listed]
    return Run(
        [*answers], starts_from_sizes([len(listed) for listed in answers.values()]), outputs, [""] * len(outputs)
    )


def without_exact_answers(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Make the input: ids, types and bodies of all questions."""
    path = only_file(files)
    given = questions_of(strict_json(files[path], path), Problems(path))
    return written({key: question[key] for key in ("id", "type", "body") if key in question} for _, question in given)


def with_some_answers(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Make a gold of an input, in which all questions have the same answer."""
    path = only_file(files)
    problems = Problems(path)
    questions = questions_of(strict_json(files[path], path), problems)
    given = [{**question, "exact_answer": [[_NO_ANSWER]]} for _, question in questions]
    problems.raise_all()
    return written(given)


def written(questions: Any) -> dict[str, bytes]:
    """Write the file of these questions."""
    return {"questions.json": json.dumps({"questions": [*questions]}, ensure_ascii=False, indent=1).encode()}


def questions_of(value: Any, problems: Problems) -> Iterator[tuple[str, _Question]]:
    """Yield each question of BioASQ's JSON with its place in the file; what has no id of its own becomes a problem."""
    listed = value.get("questions") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        problems.add(_FORM)
        return
    seen: set[str] = set()
    for number, question in enumerate(listed):
        place = f"questions[{number}]"
        name = question.get("id") if isinstance(question, dict) else None
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            problems.add(Message("id-must-text-can", '{place}: "id" must be a text that can be shown', place=place))
        elif name in seen:
            problems.add(Message("question-twice-at", "{place}: question twice: {id}", place=place, id=name))
        elif respelt := refuse_other_letters(question, *_KEYS):
            problems.add(Message.joined([place, respelt], ": "))
        elif wrong := [key for key in ("type", "body") if not isinstance(question.get(key), str | None)]:
            problems.add(_must_be_text(place, wrong[0]))
        else:
            seen.add(name)
            yield place, question


def _must_be_text(place: str, key: str) -> Message:
    return Message("at-key-must-be-text", '{place}: "{key}" must be a text', place=place, key=key)


def _answers(given: Any, place: str, problems: Problems) -> list[list[str]]:
    """Return the answers, each in all its words, in small letters; none for null and an empty text or list."""
    given = [] if given is None or given == "" else [given] if isinstance(given, str) else given
    listed = [[answer] if isinstance(answer, str) else answer for answer in given] if isinstance(given, list) else None
    if listed is None or not all(
        isinstance(answer, list) and answer and all(isinstance(text, str) for text in answer) for answer in listed
    ):
        problems.add(Message("bioasq-answers", '{place}: "exact_answer" must be a list of lists of texts', place=place))
        return []
    return [[text.lower() for text in answer] for answer in listed]
