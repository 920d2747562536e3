"""What participants are given, the questions: to make a sample of an upload, and to tell which input an upload is for.

Nothing here looks at answers of the gold.
"""

import re

from scoring.errors import Problem, SubmissionError
from scoring.family import Files, Options, Side
from scoring.readers.qac import read_answer_set, read_run
from scoring.readers.qac.text import ID, read_text

_BEGINNING = re.compile(ID)


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """An upload that is valid for this gold: the same words in answer to every question."""
    lines = [f'{question}: "an answer", 0\n' for question in read_answer_set(gold, options["gold_encoding"]).ids]
    return {"run.txt": "".join(lines).encode(options["encoding"])}


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """The questions with their own words, where these are given: an answer set without any answer."""
    questions = read_answer_set(gold, options["gold_encoding"])
    lines = [f"{each}\t?\t{text}\n" if (text := questions.texts.get(each)) else f"{each}\n" for each in questions.ids]
    return {"questions.txt": "".join(lines).encode(options["gold_encoding"])}


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """The questions without answers, from a file whose lines begin with their IDs."""
    path, text = read_text(given, options["gold_encoding"])
    ids = dict.fromkeys(found[0] for line in text.split("\n") if (found := _BEGINNING.match(line)))
    if not ids:
        raise SubmissionError(Problem("no line begins with the ID of a question, such as QAC1-1001-01", path))
    return {path: "".join(f"{each}\n" for each in ids).encode(options["gold_encoding"])}


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """The IDs of the questions."""
    if side == "gold":
        return set(read_answer_set(files, options["gold_encoding"]).ids)
    return set(read_run(files, options["encoding"]).ids)
