"""The answer set as a run that finds every answer, to check a new gold: it has to score perfectly against itself.

Patterns are written as they are, without their backslashes. Not each of them is found in what it says itself, so of
these nothing is asked but that some are.
"""

import json
import re
from itertools import groupby
from operator import itemgetter

from scoring.errors import SubmissionError
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.qac import AnswerSet, read_answers
from scoring.readers.qac.bioasq import written

_ARTICLE = re.compile(r'[^\s,"]+')
_NEEDS_ESCAPE = re.compile(r'(["\\])')


def gold_as_submission(files: Files, options: Options) -> dict[str, bytes]:
    """Write {"run.txt": content} with every answer once, in the first wording that a run can write.

    Answers stand by rising number. So each output meets its own number, even where several answers share a string:
    the lower ones are claimed already. SubmissionError with the answers that no run can give: those whose articles
    do not fit into a run, and those that the run's encoding cannot write.
    """
    gold, encoding = read_answers(files, options), options["encoding"]
    if options["format"] == "squad":
        return _predictions(gold)
    if options["format"] == "bioasq":
        return _exact_answers(gold)
    if options["format"] == "trec":
        return _ranked(gold, encoding)
    items: dict[str, list[str]] = {question: [] for question in gold.ids}
    problems = []
    for (question, number), lines in groupby(_by_answer(gold), key=itemgetter(0, 1)):
        written = [_item(gold.answers[line], gold.articles[line], encoding) for _, _, line in lines]
        items[gold.ids[question]].append(next((item for item in written if item), ""))
        if not any(written):
            problems.append(
                Finding(
                    Message(
                        "answer-not-writable",
                        "no run can give answer {number} of {question}: an article has no blanks, commas and double "
                        "quotes, and the answer has to be writable in {encoding}",
                        number=number,
                        question=gold.ids[question],
                        encoding=encoding,
                    ),
                    gold.paths[0],
                )
            )
    if problems:
        raise SubmissionError(problems)
    run = "".join(f"{question}: {', '.join(answers)}\n" for question, answers in items.items())
    return {"run.txt": run.encode(encoding)}


def _predictions(gold: AnswerSet) -> dict[str, bytes]:
    """Return the first answer to each question."""
    first = {question: (gold.answers_of(question) or [""])[0] for question in gold.ids}
    return {"predictions.json": json.dumps(first, ensure_ascii=False).encode()}


def _exact_answers(gold: AnswerSet) -> dict[str, bytes]:
    """Return each answer in its first wording."""
    answers: dict[str, dict[int, str]] = {name: {} for name in gold.ids}
    for question, number, line in _by_answer(gold):
        answers[gold.ids[question]].setdefault(number, gold.answers[line])
    return written({"id": name, "exact_answer": [[text] for text in texts.values()]} for name, texts in answers.items())


def _ranked(gold: AnswerSet, encoding: str) -> dict[str, bytes]:
    lines = [f"{question} gold NIL\n" for question in gold.ids if not gold.answers_of(question)]
    for question, number, line in _by_answer(gold):
        text = re.sub(r"\\(.)", r"\1", gold.answers[line])
        lines.append(f"{gold.ids[question]} gold {gold.articles[line] or number} {text}\n")
    return {"run.txt": "".join(lines).encode(encoding)}


def _by_answer(gold: AnswerSet) -> list[tuple[int, int, int]]:
    """Return question (an index), number, and line of each line of the gold, sorted."""
    return sorted(zip(gold.question.tolist(), gold.numbers.tolist(), range(len(gold.answers)), strict=True))


def _item(answer: str, article: str, encoding: str) -> str:
    """Return what a run says for an answer; nothing if it cannot."""
    escaped = _NEEDS_ESCAPE.sub(r"\\\1", answer)
    item = f'"{escaped}", {article}'
    try:
        item.encode(encoding)
    except UnicodeEncodeError:
        return ""
    return item if _ARTICLE.fullmatch(article) else ""
