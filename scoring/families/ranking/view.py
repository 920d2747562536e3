"""One query: the run's ranking with what the gold says of each document, and what it lacks."""

from scoring.families.ranking.counting import count
from scoring.families.ranking.names import title_of
from scoring.families.ranking.tables import tables
from scoring.family import Files, Options, Record
from scoring.readers.ranking import ranking_of, read_gold, read_system

_OF_ONE_QUERY = {"ndcg": "nDCG", "map": "AP", "mrr": "RR", "bpref": "bpref"}
MOST_SHOWN = 50  # documents of a ranking, beside the judged ones that stand lower


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of a query shows; KeyError if the gold lacks it.

    The row of the table of queries, and `measures`, those that are told first by their usual names.
    `ranking`: rank, document, score, grade (None where there is none), judged, relevant, of the first fifty documents
    and of all judged ones below; `left_out`: how many others there are.
    `missed`: documents with a grade from 0 on that the run does not have, the best first.
    """
    gold = read_gold(gold_files, options)
    query = unit.encode()
    if query not in gold.index_of:
        raise KeyError(unit)
    run = read_system(system_files, gold, options)
    matches = count(gold, run, options).matches
    row = tables(matches, options)["queries"].records[gold.index_of[query]]
    grades = gold.judged(gold.index_of[query])
    ranked = ranking_of(system_files, query, options)[: options["depth"]]
    if options["judged_only"]:
        ranked = [entry for entry in ranked if grades.get(entry[0], -1) >= 0]
    ranking = [
        {"rank": rank, "document": document.decode(), "score": score, **_grade_fields(grades.get(document), options)}
        for rank, (document, score) in enumerate(ranked, start=1)
    ]
    given = {document for document, _ in ranked}
    missed = [
        {"document": document.decode(), **_grade_fields(grade, options)}
        for document, grade in grades.items()
        if document not in given and grade >= 0
    ]
    shown = [entry for entry in ranking if entry["rank"] <= MOST_SHOWN or entry["judged"]]
    return {
        **row,
        "measures": _measures(row, options["headline"]),
        "ranking": shown,
        "left_out": len(ranking) - len(shown),
        "missed": sorted(missed, key=lambda entry: -entry["grade"]),
    }


def _measures(row: Record, headline: str) -> list[Record]:
    """Return the score that ranks, and others as the field calls them of a single query."""
    first = {headline: title_of(headline)} if headline in row else {}
    return [{"title": title, "value": row[name]} for name, title in (first | _OF_ONE_QUERY).items()]


def _grade_fields(grade: int | None, options: Options) -> Record:
    return {
        "grade": grade,
        "judged": grade is not None and grade >= 0,
        "relevant": grade is not None and grade >= options["relevance"],
    }
