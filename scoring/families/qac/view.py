"""One question, or one series of questions, with the gold's answers beside the run's."""

from scoring.families.qac.counting import Matches, count, series_of
from scoring.families.qac.tables import tables
from scoring.family import Files, Options, Record
from scoring.readers.qac import AnswerSet, read_answer_set, read_run


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """The questions of a unit, each with its text, the gold's answers by number, and the judged outputs.

    `unscored` are the others of its series, to which its questions may refer. KeyError if there is no such unit.
    """
    gold = read_answer_set(gold_files, options["gold_encoding"])
    run = read_run(system_files, options["encoding"])
    matches: Matches = count(gold, run, options).matches
    unit_of = series_of if options["unit"] == "series" else str
    wanted = [question for question in matches.ids if unit_of(question) == unit]
    if not wanted:
        raise KeyError(unit)
    found = {name: table.records for name, table in tables(matches, options).items()}
    of_question = {row["question"]: row for row in found["questions"]}
    return {
        "questions": [
            {
                **of_question[question],
                "text": gold.texts.get(question),
                "gold": _answers(gold, question),
                "system": [row for row in found["answers"] if row["question"] == question],
            }
            for question in wanted
        ],
        "unscored": [
            {"question": question, "text": gold.texts.get(question), "gold": _answers(gold, question)}
            for question in sorted(gold.place)
            if series_of(question) == unit and question not in of_question
        ],
    }


def _answers(gold: AnswerSet, question: str) -> list[Record]:
    """The answers by number, each with its wordings and their articles in the order of the file."""
    lines: dict[int, list[Record]] = {}
    for line in (gold.question == gold.place[question]).nonzero()[0].tolist():
        wording = {"answer": gold.answers[line], "article": gold.articles[line]}
        lines.setdefault(int(gold.numbers[line]), []).append(wording)
    return [{"number": number, "wordings": lines[number]} for number in sorted(lines)]
