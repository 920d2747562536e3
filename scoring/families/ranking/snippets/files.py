"""Makes files of snippets: inputs, a sample, the gold as a run, examples; and describes what was read of one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from scoring.describing.contents import NO_UNIT, Contents, Identifiers, Layer, of_unknown_units
from scoring.families.ranking.snippets.counting import count, overlaps, tables
from scoring.families.specimens import example_files, specimen_in
from scoring.family import Files, Options, Record, Specimen
from scoring.messages import Message
from scoring.readers.problems import only_file
from scoring.readers.qac.bioasq import without_exact_answers, written
from scoring.readers.qac.squad import strict_json
from scoring.readers.ranking.snippets import Snippet, Snippets, read_gold, read_system

# What nothing of a collection is: one character of a document.
_NOWHERE = {
    **{"document": "0", "beginSection": "title", "endSection": "title"},
    **{"offsetInBeginSection": 0, "offsetInEndSection": 0},
}
_TITLES = Message.words({"snippet_f1": "F1", "snippet_map": "AP"})


def gold_as_submission(files: Files, options: Options) -> dict[str, bytes]:
    """Return the gold's own snippets, as many of a question as the depth allows."""
    return written(
        {"id": question["id"], "snippets": (question.get("snippets") or [])[: options["depth"]]}
        for question in _questions_of(files)
    )


def sample(files: Files, options: Options) -> dict[str, bytes]:
    """Return an upload that is valid for this gold, with a snippet for every question from nowhere."""
    return written({"id": question["id"], "snippets": [_NOWHERE]} for question in _questions_of(files))


def inputs(files: Files, options: Options) -> dict[str, bytes]:
    """Return ids, types and bodies of the questions."""
    return without_exact_answers(files)


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """Return a gold in which all questions have the same snippet."""
    return written({**question, "snippets": [_NOWHERE]} for question in _questions_of(given))


def input_keys(files: Files) -> set[str]:
    """Return the ids of the questions."""
    return {question["id"] for question in _questions_of(files)}


def example(options: Options) -> dict[str, bytes]:
    """Return a run that is read without problems."""
    return example_files("ranking", "snippets/run")


def specimen(options: Options) -> Specimen:
    """Return a small gold and a run of it, one snippet of each question."""
    return specimen_in("ranking", "snippets")


def contents(files: Files, gold: Snippets, run: Snippets, options: Options) -> Contents:
    """Describe the run; of the gold nothing is told but its questions."""
    place = {name: number for number, name in enumerate(gold.questions)}
    sizes = [(place[name], len(snippets)) for name, snippets in run.questions.items() if name in place]
    n_unknown = sum(len(snippets) for name, snippets in run.questions.items() if name not in place)
    return Contents(
        unit=Message.noun("question", "questions"),
        n_units=len(place),
        layers=[
            Layer(
                name=Message.noun("snippet", "snippets"),
                unit=np.repeat(*np.array(sizes or [(NO_UNIT, 0)], dtype=np.int32).T),
                file=run.path,
            )
        ],
        identifiers=[Identifiers(Message.noun("question", "questions"), [*run.questions], frozenset(place))],
        file=run.path,
        joined_by="to",
        left_aside=[
            of_unknown_units(
                n_unknown,
                n_unknown + sum(size for _, size in sizes),
                Message.noun("snippet", "snippets"),
                Message.noun("question", "questions"),
            )
        ],
    )


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of a question shows; KeyError if the gold lacks it.

    The row of the table of questions, and `measures`. `ranking` and `gold`, the snippets of the run and of the gold:
    snippet, characters, and shared, how many of these the other side has.
    """
    gold = read_gold(gold_files, options)
    of_gold = gold.questions[unit]
    run = read_system(system_files, gold, options)
    of_run = run.questions.get(unit, [])
    matches = count(gold, run, options).matches
    row = tables(matches, options)["questions"].records[[*gold.questions].index(unit)]
    return {
        **row,
        "measures": [{"title": title, "value": row[name]} for name, title in _TITLES.items()],
        "ranking": _side(of_run, of_gold),
        "gold": _side(of_gold, of_run),
    }


def _side(snippets: Sequence[Snippet], others: Sequence[Snippet]) -> list[Record]:
    return [
        {"snippet": str(snippet), "characters": snippet.size, "shared": shared}
        for snippet, shared in zip(snippets, overlaps(snippets, others), strict=True)
    ]


def _questions_of(files: Files) -> list[dict[str, Any]]:
    """Return the questions of a file that has been read."""
    path = only_file(files)
    listed: list[dict[str, Any]] = strict_json(files[path], path)["questions"]
    return listed


def gold_remarks(*_: object) -> list[str]:
    """Return no remark."""
    return []
