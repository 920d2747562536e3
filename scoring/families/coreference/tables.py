"""Tables by metric, by document and by kind of error."""

from scoring.families.coreference import scorch
from scoring.families.coreference.counting import Matches
from scoring.families.coreference.scores import ALL_METRICS, KINDS, PARTS, metrics
from scoring.family import Array, Options, Record, Table
from scoring.significance.resampling import totals

_SIZES = ("gold_mentions", "system_mentions", "gold_entities", "system_entities")


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    return {
        "metrics": Table(_metrics(matches, options)),
        "documents": Table(_documents(matches, options)),
        "errors": Table(_errors(matches)),
    }


def _metrics(matches: Matches, options: Options) -> list[Record]:
    scores = metrics(totals(matches.rows), options)
    return [{"metric": metric, **{part: float(scores[f"{metric}_{part}"]) for part in PARTS}} for metric in ALL_METRICS]


def _documents(matches: Matches, options: Options) -> list[Record]:
    """Each document alone under the protocol, its weight in an average aside."""
    columns: dict[str, Array] = {kind: matches.rows[:, KINDS.index(kind)].astype(int) for kind in _SIZES}
    scores = metrics(matches.rows, options)
    columns |= {f"{metric}_f1": scores[f"{metric}_f1"] for metric in (*ALL_METRICS, "conll")}
    plain = [column.tolist() for column in columns.values()]
    records = [
        {"document": unit, **dict(zip(columns, row, strict=True))}
        for unit, row in zip(matches.units, zip(*plain, strict=True), strict=True)
    ]
    for record, scored in zip(records, matches.scored, strict=False):
        record |= {f"{metric}_f1": score.f1 for metric, score in scored.scores.items()}
        record["conll_f1"] = scorch.conll_f1(scored.scores)
    return records


def _errors(matches: Matches) -> list[Record]:
    kinds = matches.errors[0]
    return [
        {
            "error": kind,
            "count": sum(one[kind].number for one in matches.errors),
            "mentions": sum(one[kind].mentions for one in matches.errors),
        }
        for kind in kinds
    ]
