"""One question, or one series of questions, with the gold's answers beside the run's."""

from scoring.families.qac.counting import Matches, count
from scoring.families.qac.tables import tables
from scoring.family import Files, Options, Record
from scoring.readers.qac import AnswerSet, read_answers, read_system


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of a unit shows; KeyError if there is no such unit.

    `questions`: the scored questions of the unit, each with its row of the table of questions, its `text` and the
    `passage` that it is about (None if the gold does not give them), the answers of the `gold` by number, and the
    judged outputs of the `system`.
    `unscored`: the other questions of the series, to which the scored ones may refer.
    """
    gold = read_answers(gold_files, options)
    matches: Matches = count(gold, read_system(system_files, gold, options), options).matches
    units = matches.series if options["unit"] == "series" else matches.ids
    wanted = [question for question, name in zip(matches.ids, units, strict=True) if name == unit]
    if not wanted:
        raise KeyError(unit)
    rows = {name: table.records for name, table in tables(matches, options).items()}
    of_question = {row["question"]: row for row in rows["questions"]}
    return {
        "questions": [
            {
                **of_question[question],
                "text": gold.texts.get(question),
                "passage": gold.passages.get(question),
                "gold": _answers(gold, question),
                "system": [row for row in rows["answers"] if row["question"] == question],
            }
            for question in wanted
        ],
        # None on the page of a single question, whose name is that of no series.
        "unscored": [
            {"question": question, "text": gold.texts.get(question), "gold": _answers(gold, question)}
            for question, series in zip(gold.ids, gold.series, strict=True)
            if series == unit and question not in of_question
        ],
    }


def _answers(gold: AnswerSet, question: str) -> list[Record]:
    """Return the answers by number, each with its wordings and their articles in the order of the file."""
    lines: dict[int, list[Record]] = {}
    for line in (gold.question == gold.index_of[question]).nonzero()[0].tolist():
        wording = {"answer": gold.answers[line], "article": gold.articles[line]}
        lines.setdefault(int(gold.numbers[line]), []).append(wording)
    return [{"number": number, "wordings": lines[number]} for number in sorted(lines)]
