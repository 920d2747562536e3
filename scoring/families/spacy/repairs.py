"""Tells what the score that ranks would be if one kind of mistake, or all mistakes with one label, were mended.

Any score can rank. Those that are an F of tp, fp and fn are mended in these counts, means over labels label by label,
and the schemes of nervaluate in their five outcomes. Areas under curves and precision or recall alone have no repairs.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from scoring.columns import Array, Floats, Integers
from scoring.families.f_beta import beta_of
from scoring.families.spacy.items.nervaluate import (
    CORRECT,
    COUNTS,
    INCORRECT,
    MISSED,
    PARTIAL,
    SPURIOUS,
    scheme_metrics,
)
from scoring.families.spacy.items.prf_counts import KINDS, Scores, type_metrics
from scoring.families.spacy.score_config import SCHEMES
from scoring.family import Options
from scoring.messages import Message
from scoring.repairs import KINDS_OF_MISTAKE, Mended, Repair, Totals, repairs_of

LABELS = Message.word("By label")
_TP, _FP, _FN = range(3)
_ROUNDING = 2e-4  # of scores that are told in four decimals
# The score, what its counts are called, and its table by label.
_OF_TOKENS = {
    "dep_las": ("dep_las", "dep_las_per_type"),
    "dep_uas": ("dep_uas", ""),
    "ud_las": ("ud_las", "ud_las_per_type"),
    **{f"{attr}_acc": (attr, "") for attr in ("tag", "pos", "morph", "lemma")},
}
_OTHER_TABLES = {
    "morph_micro": "morph_per_feat",
    "nel_micro": "nel_f_per_type",
    "cats_micro": "cats_f_per_type",
    "seqeval_micro": "seqeval_per_type",
}
_MEANS = {"cats_macro_f": "cats_f_per_type", "seqeval_macro_f": "seqeval_per_type"}


def repairs(totals: Totals, options: Options) -> list[Repair]:
    """Return a repair for each kind of mistake and each label.

    A label is mended when all that the gold has of it is found and the system has no more of it. An answer with
    another label that stood in its place stays a mistake with that other label, so a gain is rather too small.
    """
    name, beta = _meant(totals), None
    if name.endswith("_fbeta"):
        name, beta = name.removesuffix("beta"), beta_of(options)
    if name in _MEANS:
        return _of_mean(totals, totals.tables.get(_MEANS[name], ()), "fbeta" if beta else "f")
    scheme = name.removeprefix("nervaluate_").removesuffix("_f")
    if name == f"nervaluate_{scheme}_f" and scheme in SCHEMES:
        mended = list(_of_scheme(totals, scheme))
        return repairs_of(totals.score, mended, lambda counts: _last(scheme_metrics(counts, beta)))
    counted, table = _counted(name)
    rows = totals.tables.get(table, ())
    if f"{counted}_tp" in totals.counts:
        now = np.array([totals.counts[f"{counted}_{kind}"] for kind in KINDS])
    elif rows:
        now = np.array([sum(row[kind] for row in rows) for kind in KINDS])
    else:
        return []
    return repairs_of(
        totals.score,
        [*_of_counts(name, now, totals), *_of_labels(now, rows)],
        lambda counts: _last(type_metrics(counts, beta)),
    )


def _meant(totals: Totals) -> str:
    """Return the score that stands behind the one that ranks, where that is another name for it."""
    if totals.headline == "nel_score":
        return "nel_micro_f"
    if totals.headline == "cats_score" and totals.score == totals.scores.get("cats_macro_f"):
        return "cats_macro_f"
    return totals.headline


def _counted(name: str) -> tuple[str, str]:
    if name in _OF_TOKENS:
        return _OF_TOKENS[name]
    prefix = name.removesuffix("_f") if name.endswith("_f") else ""
    return prefix, _OTHER_TABLES.get(prefix, f"{prefix}_per_type")


def _of_counts(name: str, now: Integers, totals: Totals) -> Iterator[Mended]:
    if name not in _OF_TOKENS:
        all_found, left_out = now.copy(), now.copy()
        all_found[_TP], all_found[_FN], left_out[_FP] = now[_TP] + now[_FN], 0, 0
        yield Mended(KINDS_OF_MISTAKE, Message.word("Missed ones found"), int(now[_FN]), all_found)
        yield Mended(KINDS_OF_MISTAKE, Message.word("Wrong ones left out"), int(now[_FP]), left_out)
    elif name == "dep_las" and "dep_uas_tp" in totals.counts:
        # With the right label at each right head the score is that of heads alone.
        heads = np.array([totals.counts[f"dep_uas_{kind}"] for kind in KINDS])
        yield Mended(
            KINDS_OF_MISTAKE, Message.word("Labels of right heads made right"), int(heads[_TP] - now[_TP]), heads
        )


def _of_labels(now: Integers, rows: Sequence[Mapping[str, Any]]) -> Iterator[Mended]:
    for row in rows:
        missed, wrong = row["fn"], row["fp"]
        yield Mended(LABELS, row["type"], missed + wrong, now + np.array([missed, -wrong, -missed]))


def _of_mean(totals: Totals, rows: Sequence[Mapping[str, Any]], f: str) -> list[Repair]:
    """Mend a mean over labels; nothing where the table has other labels than the mean is made of, as one with a row for
    all that the gold does not have."""
    now = np.array([row[f] for row in rows], dtype=np.float64)
    if not len(now) or totals.score is None or abs(now.mean() - totals.score) > _ROUNDING:
        return []
    mended = [
        # In place of counts stands the F of each label (labels,).
        Mended(LABELS, row["type"], row["fn"] + row["fp"], np.where(np.arange(len(now)) == place, 1.0, now))
        for place, row in enumerate(rows)
        if row["tp"] + row["fn"]
    ]
    return repairs_of(totals.score, mended, _mean_f)


def _mean_f(values: Array) -> Floats:
    return np.asarray(values.mean(axis=-1))


def _of_scheme(totals: Totals, scheme: str) -> Iterator[Mended]:
    now = np.array([totals.counts[f"nervaluate_{scheme}_{kind}"] for kind in COUNTS])
    moves = (
        (Message.word("Wrong ones made right"), INCORRECT, True),
        (Message.word("Partial ones made exact"), PARTIAL, True),
        (Message.word("Missed ones found"), MISSED, True),
        (Message.word("Spurious ones left out"), SPURIOUS, False),
    )
    for title, kind, is_found in moves:
        counts = now.copy()
        counts[kind] = 0
        counts[CORRECT] += now[kind] if is_found else 0
        yield Mended(KINDS_OF_MISTAKE, title, int(now[kind]), counts)


def _last(scores: Scores) -> Floats:
    """Return F, and where there is a beta F-beta, which stands last."""
    return [*scores.values()][-1]
