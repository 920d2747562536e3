"""The snippets of a question against those of the gold, by characters, as the program of BioASQ counts them.

    gold  q1: 7 abstract 10–29, 7 abstract 50–59      run  q1: 7 abstract 20–39, 8 title 0–9, 7 abstract 90–99
    10 of 40 characters are right: P .25, R 10/30, F1 .286; precisions of the first 1, 2, 3 are .5, .333, .25

Average precision takes the snippets from documents of which the gold has one, the first and the last here, as the
program does: (.5 + .25) / min(2, 10) = .375. It is no share, since two snippets may lie in one of the gold.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Floats, records
from scoring.families.ranking.measures.further import MOST_TO_FIND
from scoring.families.ranking.measures.usual import LEAST
from scoring.families.ranking.names import SNIPPETS
from scoring.family import Counted, Options, Record, Table, about_gold
from scoring.messages import Message
from scoring.prf import harmonic_mean, ratio
from scoring.readers.ranking.snippets import Snippet, Snippets, Stretch


@dataclass(frozen=True)
class Matches:
    """Holds what the table is made from; all columns are (q,)."""

    gold: Snippets
    in_run: Flags
    scored: Flags
    characters: Floats  # (q, 3): of the gold, of the run, of both
    values: dict[str, Floats]


def count(gold: Snippets, run: Snippets, options: Options) -> Counted:
    """Make a row for each question: whether it is scored, and the value of every score."""
    both = [(snippets, run.questions.get(name, [])) for name, snippets in gold.questions.items()]
    columns = np.array([_question(*sides) for sides in both])
    characters, average = columns[:, :3], columns[:, 3]
    precision, recall = (ratio(characters[:, 2], characters[:, side]) for side in (1, 0))
    measured = (harmonic_mean(precision, recall), precision, recall, average, np.log(average + LEAST))
    values = dict(zip(SNIPPETS, measured, strict=True))
    in_run = np.array([name in run.questions for name in gold.questions])
    scored = (in_run | (options["missing"] == "zero")) & ((characters[:, 0] > 0) | (options["empty_queries"] == "zero"))
    weight = scored.astype(np.float64)
    unknown = run.questions.keys() - gold.questions.keys()
    sums = characters[scored].sum(axis=0).astype(int).tolist()
    return Counted(
        units=[*gold.questions],
        rows=np.column_stack([weight, *(weight * column for column in values.values())]),
        totals={
            "queries": len(both),
            "num_q": int(scored.sum()),
            **dict(zip(("gold_characters", "run_characters", "shared_characters"), sums, strict=True)),
            "missing_queries": int((~in_run).sum()),
            "ignored_queries": len(unknown),
            "empty_queries": int((characters[:, 0] == 0).sum()),
        },
        warnings=list(_warnings(in_run, unknown, characters, run, options)),
        matches=Matches(gold, in_run, scored, characters, values),
    )


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Make the table of the questions, as they are measured by themselves."""
    return {"questions": Table(_records(matches))}


def _records(matches: Matches) -> list[Record]:
    gold, run, shared = matches.characters.astype(int).T
    return records(
        question=[*matches.gold.questions],
        in_run=matches.in_run,
        scored=matches.scored,
        gold_characters=gold,
        run_characters=run,
        shared_characters=shared,
        **{name: matches.values[name] for name in SNIPPETS[:-1]},
    )


def overlaps(snippets: Sequence[Snippet], others: Sequence[Snippet]) -> list[int]:
    """Return how many characters each has in common with the others, of which no two overlap; n log n.

    >>> one = ("7", "title", "title")
    >>> overlaps([Snippet(one, 0, 9)], [Snippet(one, 8, 20), Snippet(("8", "title", "title"), 0, 9)])
    [2]
    """
    by_stretch: defaultdict[Stretch, list[tuple[int, int]]] = defaultdict(list)
    for snippet in others:
        by_stretch[snippet.stretch].append((snippet.start, snippet.end))
    for listed in by_stretch.values():
        listed.sort()
    return [_overlap(snippet, by_stretch.get(snippet.stretch, [])) for snippet in snippets]


def _overlap(snippet: Snippet, others: Sequence[tuple[int, int]]) -> int:
    """Return the characters in common with (start, end) in rising order: from the last that begins before it on."""
    total, place = 0, max(0, bisect_left(others, (snippet.start, 0)) - 1)
    while place < len(others) and others[place][0] <= snippet.end:
        total += max(0, min(snippet.end, others[place][1]) - max(snippet.start, others[place][0]) + 1)
        place += 1
    return total


def _question(gold: Sequence[Snippet], run: Sequence[Snippet]) -> tuple[int, int, int, float]:
    """Return the characters of the gold, of the run and of both, and the average precision."""
    shared, sizes = overlaps(run, gold), [snippet.size for snippet in run]
    documents = {snippet.stretch[0] for snippet in gold}
    is_from_gold = np.array([snippet.stretch[0] in documents for snippet in run], dtype=bool)
    average = 0.0
    if run and gold:
        precisions = np.cumsum(shared) / np.cumsum(sizes)
        average = float(precisions[is_from_gold].sum()) / min(MOST_TO_FIND, len(gold))
    return sum(snippet.size for snippet in gold), sum(sizes), sum(shared), average


def _warnings(in_run: Flags, unknown: set[str], characters: Floats, run: Snippets, options: Options) -> Iterator[str]:
    if n_missing := int((~in_run).sum()):
        yield Message.counted(
            "questions-not-in-run", "1 question is not in the run", "{n} questions are not in the run", n_missing
        )
    if not characters[:, 1].any():
        yield Message("run-without-snippets", "no question of the run has a snippet")
    if unknown:
        yield Message.counted(
            "questions-with-snippets-not-in-gold",
            "1 question is not in the gold",
            "{n} questions are not in the gold",
            len(unknown),
        )
    if n_empty := int((characters[:, 0] == 0).sum()):
        warning = Message.counted(
            "questions-without-snippet", "1 question has no snippet", "{n} questions have no snippet", n_empty
        )
        yield from about_gold([warning])
    if run.n_cut:
        yield Message.counted(
            "snippets-beyond-depth",
            "1 snippet beyond depth {depth} left out",
            "{n} snippets beyond depth {depth} left out",
            run.n_cut,
            depth=options["depth"],
        )
