"""Makes files of what participants are given, the questions, and tells by these which input an upload is for.

Nothing here looks at answers of the gold.
"""

import json
import re
from collections.abc import Iterator

from scoring.errors import Problem, SubmissionError
from scoring.family import Files, Options, Side
from scoring.messages import Message
from scoring.readers.qac import read_answers, read_outputs
from scoring.readers.qac.bioasq import with_some_answers, without_exact_answers, written
from scoring.readers.qac.squad import with_no_answers, without_answers
from scoring.readers.qac.text import ID, is_skipped, read_text

_BEGINNING = re.compile(ID)


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """Make an upload that is valid for this gold: the same words in answer to every question."""
    ids = read_answers(gold, options).ids
    if options["format"] == "squad":
        return {"predictions.json": json.dumps(dict.fromkeys(ids, "an answer"), ensure_ascii=False, indent=0).encode()}
    if options["format"] == "bioasq":
        return written({"id": each, "exact_answer": [["an answer"]]} for each in ids)
    line = "{} sample A an answer\n" if options["format"] == "trec" else '{}: "an answer", 0\n'
    return {"run.txt": "".join(line.format(each) for each in ids).encode(options["encoding"])}


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Make a gold without any answer: the questions with their own words, where these are given, and their passages."""
    if options["format"] == "squad":
        return without_answers(gold)
    if options["format"] == "bioasq":
        return without_exact_answers(gold)
    questions = read_answers(gold, options)
    lines = [f"{each}\t?\t{text}\n" if (text := questions.texts.get(each)) else f"{each}\n" for each in questions.ids]
    return {"questions.txt": "".join(lines).encode(options["gold_encoding"])}


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """Read the questions, without answers, from a file whose lines begin with their IDs, or from SQuAD's."""
    if options["format"] == "squad":
        return with_no_answers(given)
    if options["format"] == "bioasq":
        return with_some_answers(given)
    path, text = read_text(given, options["gold_encoding"])
    ids = dict.fromkeys(_ids(text, options))
    if not ids:
        raise SubmissionError(
            Problem(Message("no-question-id", "no line begins with the ID of a question, such as QAC1-1001-01"), path)
        )
    return {path: "".join(f"{each}\n" for each in ids).encode(options["gold_encoding"])}


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the IDs of the questions."""
    return set(read_answers(files, options).ids if side == "gold" else read_outputs(files, options).ids)


def _ids(text: str, options: Options) -> Iterator[str]:
    for line in text.split("\n"):
        if options["format"] == "trec":
            yield from () if is_skipped(line) else (line.split(None, 1)[0],)
        elif found := _BEGINNING.match(line):
            yield found[0]
