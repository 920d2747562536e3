"""SQuAD's JSON, versions 1.1 and 2.0: questions about passages, and predictions with their no-answer probabilities.

    {"version": "v2.0", "data": [{"title": "Tsu", "paragraphs": [{"context": "Tsu lies on the bay.",
      "qas": [{"id": "56f8", "question": "Where does Tsu lie?", "answers": [{"text": "on the bay"}]}]}]}]}
    {"56f8": "the bay"}
    {"56f8": 0.25}

https://rajpurkar.github.io/SQuAD-explorer shows the files. A question without answers cannot be answered.
"""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import numpy as np

from scoring.columns import starts_from_sizes
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.json_text import each_once, fault_in_json
from scoring.readers.problems import Problems, decoded, only_file
from scoring.readers.qac.answer_set import AnswerSet
from scoring.readers.qac.run import Run

_LARGEST = 256 * 2**20  # bytes of a file
_LONGEST_NUMBER = 30
_FORM = Message(
    "expected", 'expected {"data": [{"paragraphs": [{"context": …, "qas": [{"id": …, "answers": [{"text": …}]}]}]}]}'
)
_PREDICTED = Message(
    "expected-one-json-object",
    'expected one JSON object of questions and texts, such as {"56f8": "the bay", "56f9": ""}',
)


def read_dataset(files: Mapping[str, bytes]) -> AnswerSet:
    """Read the questions in the only file, by ID; all answers of a question are one, in several words."""
    path = only_file(files)
    value = strict_json(files[path], path)
    problems = Problems(path)
    questions: dict[str, _Question] = {}
    for question in _Walk(problems).questions(value):
        if question.id in questions:
            problems.add(
                Message("question-twice-at", "{place}: question twice: {id}", place=question.place, id=question.id)
            )
        questions[question.id] = question
    if not questions and not problems:
        problems.add(Message("no-question", "no question"))
    problems.raise_all()
    ids = sorted(questions)
    answers = [questions[name] for name in ids]
    return AnswerSet(
        paths=[path],
        ids=ids,
        question=np.repeat(np.arange(len(ids)), [len(name.answers) for name in answers]),
        numbers=np.ones(sum(len(name.answers) for name in answers), dtype=np.int64),
        answers=[answer for name in answers for answer in name.answers],
        articles=[""] * sum(len(name.answers) for name in answers),
        texts={name.id: name.text for name in answers if name.text},
        series=[name.title for name in answers],
        passages={name.id: name.passage for name in answers if name.passage},
        version=str(value.get("version", "")).removeprefix("v"),
    )


def read_predictions(files: Mapping[str, bytes]) -> Run:
    """Read an answer for each question, and perhaps a file of no-answer probabilities; an empty one is no output.

    >>> run = read_predictions({"p.json": b'{"q2": "", "q1": "the bay"}', "na_prob.json": b'{"q1": 0.25, "q2": 1}'})
    >>> run.ids, run.starts, run.answers, run.no_answer
    (['q2', 'q1'], array([0, 0, 1]), ['the bay'], {'q1': 0.25, 'q2': 1.0})
    """
    if not 1 <= len(files) <= 2:
        raise SubmissionError(
            Message(
                "expected-file-predictions-perhaps",
                "expected a file of predictions, and perhaps one of no-answer probabilities, found {n} files",
                n=len(files),
            )
        )
    read = {path: strict_json(content, path) for path, content in sorted(files.items())}
    likelihoods = [path for path, value in read.items() if _are_numbers(value)]
    predictions = [path for path in read if path not in likelihoods]
    if len(predictions) != 1:
        raise SubmissionError(Finding(_PREDICTED, max(read)))
    texts = _texts(read[predictions[0]], Problems(predictions[0]))
    outputs = [answer for answer in texts.values() if answer]
    no_answer = _likelihoods(read[likelihoods[0]], texts, Problems(likelihoods[0])) if likelihoods else None
    return Run(
        [*texts],
        starts_from_sizes([int(bool(text)) for text in texts.values()]),
        outputs,
        [""] * len(outputs),
        no_answer,
    )


def without_answers(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the same file with nothing of what is to be found: for each question its ID and words alone."""
    path = only_file(files)
    data = [
        {
            "title": article.get("title", ""),
            "paragraphs": [
                {
                    "context": paragraph.get("context", ""),
                    "qas": [
                        {key: question[key] for key in ("id", "question") if key in question}
                        for question in paragraph["qas"]
                    ],
                }
                for paragraph in article["paragraphs"]
            ],
        }
        for article in strict_json(files[path], path)["data"]
    ]
    return {path: json.dumps({"data": data}, ensure_ascii=False).encode()}


def with_no_answers(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Turn an input, whose questions have no answers, into a gold in which none can be answered."""
    path = only_file(files)
    value = strict_json(files[path], path)
    problems = Problems(path)
    for _ in _Walk(problems, needs_answers=False).questions(value):
        pass
    problems.raise_all()
    for article in value["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                question["answers"] = []
    return {path: json.dumps(value).encode()}


class _Question:
    def __init__(self, place: str, title: str, passage: str, record: Mapping[str, Any]) -> None:
        self.place = place  # in the file, such as data[0].paragraphs[3].qas[1]
        self.id: str = record["id"]
        self.title = title  # of the article that the passage is from
        self.passage = passage
        self.text = str(record.get("question") or "")
        self.answers: list[str] = [answer["text"] for answer in record.get("answers", ())]


class _Walk:
    """The questions of a file; what is not as it should be becomes a problem, and is passed over."""

    def __init__(self, problems: Problems, *, needs_answers: bool = True) -> None:
        self._problems = problems
        self._needs_answers = needs_answers

    def questions(self, value: Any) -> Iterator[_Question]:
        for at_article, article in self._list(value, "data", ""):
            self._check_texts(article, at_article, "title")
            title = str(article.get("title") or at_article)
            for at_paragraph, paragraph in self._list(article, "paragraphs", at_article):
                self._check_texts(paragraph, at_paragraph, "context")
                passage = str(paragraph.get("context") or "")
                for place, record in self._list(paragraph, "qas", at_paragraph):
                    self._check_texts(record, place, "question")
                    if self._is_sound(record, place):
                        yield _Question(place, title, passage, record)

    def _list(self, value: Any, key: str, place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the objects of the list at this key, each with its place."""
        listed = value.get(key) if isinstance(value, dict) else None
        if not isinstance(listed, list):
            self._problems.add(
                Message(
                    "no-list",
                    "{form}; {what} has no list {key!r}",
                    form=_FORM,
                    what=place or Message("file", "the file"),
                    key=key,
                )
            )
            return
        for number, entry in enumerate(listed):
            at = f"{place}.{key}[{number}]".removeprefix(".")
            if isinstance(entry, dict):
                yield at, entry
            else:
                self._problems.add(Message("expected-object", "{at}: expected an object", at=at))

    def _check_texts(self, value: Mapping[str, Any], place: str, key: str) -> None:
        """Add a problem where something else than a text, or nothing, stands at a key that only people read."""
        if not isinstance(value.get(key), str | None):
            self._problems.add(Message("at-key-must-be-text", '{place}: "{key}" must be a text', place=place, key=key))

    def _is_sound(self, record: Mapping[str, Any], place: str) -> bool:
        name = record.get("id")
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            self._problems.add(
                Message("id-must-text-can", '{place}: "id" must be a text that can be shown', place=place)
            )
            return False
        if not self._needs_answers:
            return True
        answers = record.get("answers")
        if not isinstance(answers, list):
            self._problems.add(
                Message(
                    "answers-must-list-empty",
                    '{place}: "answers" must be a list, an empty one where there is no answer',
                    place=place,
                )
            )
            return False
        if not all(isinstance(answer, dict) and isinstance(answer.get("text"), str) for answer in answers):
            self._problems.add(
                Message("answer-must-object-text", '{place}: an answer must be an object with a "text"', place=place)
            )
            return False
        if not isinstance(record.get("is_impossible"), bool | None):
            self._problems.add(
                Message(
                    "at-key-must-be-true-or-false",
                    '{place}: "{key}" must be true or false',
                    place=place,
                    key="is_impossible",
                )
            )
            return False
        if record.get("is_impossible") is True and answers:
            self._problems.add(
                Message(
                    "question-impossible-answers", "{place}: the question is impossible and has answers", place=place
                )
            )
            return False
        return True


def _are_numbers(value: Any) -> bool:
    """Return whether this looks like likelihoods: the first value tells."""
    first = next(iter(value.values()), None) if isinstance(value, dict) else None
    return isinstance(first, int | float) and not isinstance(first, bool)


def _texts(value: Any, problems: Problems) -> dict[str, str]:
    if not isinstance(value, dict):
        problems.add(_PREDICTED)
        problems.raise_all()
    for question, answer in value.items():
        if not isinstance(answer, str):
            problems.add(
                Message(
                    "question-expected-text-found",
                    "question {question}: expected a text, found {dumps}",
                    question=question,
                    dumps=json.dumps(answer)[:40],
                )
            )
    problems.raise_all()
    return dict(value)


def _likelihoods(value: Mapping[str, Any], asked: Mapping[str, str], problems: Problems) -> dict[str, float]:
    for question, likelihood in value.items():
        if isinstance(likelihood, bool) or not isinstance(likelihood, int | float) or not math.isfinite(likelihood):
            problems.add(
                Message(
                    "question-expected-number-found",
                    "question {question}: expected a number, found {dumps}",
                    question=question,
                    dumps=json.dumps(likelihood)[:40],
                )
            )
    for question in asked:
        if question not in value:
            problems.add(
                Message(
                    "question-prediction-no-no",
                    "question {question} has a prediction, and no no-answer probability",
                    question=question,
                )
            )
    problems.raise_all()
    return {question: float(likelihood) for question, likelihood in value.items()}


def strict_json(content: bytes, path: str) -> Any:
    """Parse the value; SubmissionError for what is no JSON, a key that stands twice, and what cannot be written."""
    if len(content) > _LARGEST:
        raise SubmissionError(
            Finding(Message("larger-than-mb", "is larger than {largest} MB", largest=_LARGEST // 2**20), path)
        )
    text = decoded(content, path)
    try:
        value = _STRICT.decode(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise SubmissionError(
            Finding(Message("not-json", "not JSON: {msg}", msg=fault_in_json(error)), path, error.lineno, error.colno)
        ) from None
    except UnicodeEncodeError:
        raise SubmissionError(
            Finding(Message("not-json-half-surrogate", "not JSON: half of a surrogate pair"), path)
        ) from None
    except RecursionError:
        raise SubmissionError(Finding(Message("not-json-nested-too", "not JSON: nested too deeply"), path)) from None
    except ValueError as error:
        raise SubmissionError(Finding(error.args[0], path)) from None
    return value


def _constant(name: str) -> NoReturn:
    raise ValueError(Message("not-json", "not JSON: {msg}", msg=name))


def _integer(digits: str) -> int:
    # Python takes long to read very long numbers, and refuses those of more than some thousand digits.
    if len(digits) > _LONGEST_NUMBER:
        raise ValueError(
            Message(
                "not-json-integer-too-long",
                "not JSON: the integer {digits}… is too long",
                digits=digits[:_LONGEST_NUMBER],
            )
        )
    return int(digits)


_STRICT = json.JSONDecoder(object_pairs_hook=each_once, parse_constant=_constant, parse_int=_integer)
