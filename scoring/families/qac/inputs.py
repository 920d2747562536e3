"""Makes files of what participants are given, the questions, and tells by these which input an upload is for.

Nothing here looks at answers of the gold.
"""

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from scoring.errors import SubmissionError
from scoring.family import Files, Options, Side
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.qac import read_answers, read_outputs, read_system
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
        return written({"id": name, "exact_answer": [["an answer"]]} for name in ids)
    line = "{} sample A an answer\n" if options["format"] == "trec" else '{}: "an answer", 0\n'
    return {"run.txt": "".join(line.format(name) for name in ids).encode(options["encoding"])}


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Make a gold without any answer: the questions with their own words, where these are given, and their passages."""
    if options["format"] == "squad":
        return without_answers(gold)
    if options["format"] == "bioasq":
        return without_exact_answers(gold)
    questions = read_answers(gold, options)
    lines = [f"{name}\t?\t{text}\n" if (text := questions.texts.get(name)) else f"{name}\n" for name in questions.ids]
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
            Finding(Message("no-question-id", "no line begins with the ID of a question, such as QAC1-1001-01"), path)
        )
    return {path: "".join(f"{name}\n" for name in ids).encode(options["gold_encoding"])}


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the IDs of the questions; of several runs in one upload those of all."""
    if side == "gold":
        return set(read_answers(files, options).ids)
    runs = [files] if len(files) < 2 or options["format"] == "squad" else [{path: files[path]} for path in files]
    return {name for run in runs for name in read_outputs(run, options).ids}


def _ids(text: str, options: Options) -> Iterator[str]:
    for line in text.split("\n"):
        if options["format"] == "trec":
            yield from () if is_skipped(line) else (line.split(None, 1)[0],)
        elif beginning := _BEGINNING.match(line):
            yield beginning[0]


def answers(gold: Files, run: Files, depth: int, options: Options) -> list[tuple[str, str]]:
    """Return the first answers to each question that the gold has."""
    questions = read_answers(gold, options)
    read = read_system(run, questions, options)
    return [
        (name, answer)
        for name, (start, stop) in zip(read.ids, pairwise(read.starts.tolist()), strict=True)
        if name in questions.index_of
        for answer in read.answers[start : min(stop, start + depth)]
    ]
