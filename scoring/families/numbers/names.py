"""Finds which scores there are with given options, which of them rank, and of which less is better."""

from collections.abc import Iterable

from scoring.family import Options, Scale
from scoring.readers.tables import list_and_key
from scoring.score import Score, losses_of, scales_of, titles_of

REAL = ("pearson", "spearman", "kendall", "ccc", "r2", "mae", "mse", "rmse")
CURVES = ("roc_auc", "average_precision", "eer")
OF_PROBABILITIES = ("brier", "log_loss")
CORRELATIONS = ("pearson", "spearman", "kendall")
OF_GROUPS = ("pearson_within", "pearson_between", "pearson_composite")
OF_SYSTEMS = ("pairwise_accuracy", "soft_pairwise_accuracy", "tie_calibrated_accuracy")
# Made of the weights of rows, and not of sums of counts; `pearson` and `ccc` are made of sums, but with more digits.
OF_WEIGHTS = frozenset(("pearson", "ccc", "spearman", "kendall", *CURVES, *OF_GROUPS, *OF_SYSTEMS))
_UNBOUNDED = Scale(decimals=None, has_bounds=False)  # in the gold's unit
_OPEN_ENDED = Scale(has_bounds=False)
SCORES = (
    Score("pearson", "Pearson's correlation", scale=_OPEN_ENDED),
    Score("spearman", "Spearman's rank correlation", scale=_OPEN_ENDED),
    Score("kendall", "Kendall's tau-b", scale=_OPEN_ENDED),
    Score("ccc", "Concordance (Lin)", scale=_OPEN_ENDED),
    Score("r2", "R²", scale=_OPEN_ENDED),
    Score("mae", "Mean absolute error", is_loss=True, scale=_UNBOUNDED),
    Score("mse", "Mean squared error", is_loss=True, scale=_UNBOUNDED),
    Score("rmse", "Root mean squared error", is_loss=True, scale=_UNBOUNDED),
    Score("within", "Within tolerance"),
    Score("joint_rmse", "Joint root mean squared error", is_loss=True, scale=_UNBOUNDED),
    Score("roc_auc", "Area under the ROC curve"),
    Score("average_precision", "Average precision"),
    Score("eer", "Equal error rate", is_loss=True),
    Score("brier", "Brier score", is_loss=True),
    Score("log_loss", "Log loss", is_loss=True, scale=_OPEN_ENDED),
    Score("pearson_within", "Pearson within groups", scale=_OPEN_ENDED),
    Score("pearson_between", "Pearson between groups", scale=_OPEN_ENDED),
    Score("pearson_composite", "Pearson within and between groups", scale=_OPEN_ENDED),
    Score("pairwise_accuracy", "Pairwise accuracy of systems"),
    Score("soft_pairwise_accuracy", "Soft pairwise accuracy of systems"),
    Score("tie_calibrated_accuracy", "Accuracy with calibrated ties, by segment"),
    Score("slice_mean", "Mean of the slices"),
    Score("slice_min", "Worst slice"),
)
SCORE_TITLES, _LOSSES, _SCALES = titles_of(SCORES), losses_of(SCORES), scales_of(SCORES)
JOINT = "joint_rmse"
SLICES = ("slice_mean", "slice_min")


def column_keys(options: Options) -> tuple[str, ...]:
    """Return what scores and tables call the columns: by the end of their names, where all of these differ.

    >>> column_keys({"columns": ("Aspect_VA[].VA#1", "Aspect_VA[].VA#2")})
    ('VA_1', 'VA_2')
    """
    columns: tuple[str, ...] = options["columns"]
    short = tuple(list_and_key(name)[1].replace("#", "_") for name in columns)
    return short if len({*short, "joint"}) > len(columns) else columns


def column_scores(options: Options) -> tuple[str, ...]:
    """Return the scores of one column, in the order of display."""
    if options["kind"] == "binary":
        return CURVES + (OF_PROBABILITIES if options["range"] == "probability" else ())
    return REAL + (("within",) if has_tolerance(options) else ())


def has_tolerance(options: Options) -> bool:
    return options["tolerance"] is not None or options["tolerance_column"] is not None


def row_scores(options: Options) -> tuple[str, ...]:
    """Return the scores of a set of rows, all its columns together: those of a slice too."""
    scores = column_scores(options)
    return _with_columns(scores, options) + ((JOINT,) if len(options["columns"]) > 1 and "mse" in scores else ())


def group_scores(options: Options) -> tuple[str, ...]:
    """Return the scores within and between groups and of systems, of all columns together and of each."""
    scores = (OF_GROUPS if options.get("group_correlations") else ()) + (OF_SYSTEMS if options.get("systems") else ())
    return _with_columns(scores, options) if scores else ()


def _with_columns(scores: tuple[str, ...], options: Options) -> tuple[str, ...]:
    columns = column_keys(options) if len(options["columns"]) > 1 else ()
    return scores + tuple(f"{column}_{name}" for column in columns for name in scores)


def all_scores(options: Options) -> tuple[str, ...]:
    """Return the keys of `result.scores`."""
    return row_scores(options) + group_scores(options) + (SLICES if options["slices"] else ())


def default_headline(options: Options) -> str:
    return "roc_auc" if options["kind"] == "binary" else "pearson"


def headline(options: Options) -> str:
    """Return the score that ranks."""
    return str(options["headline"])


def lower_is_better(options: Options) -> frozenset[str]:
    """Return the scores of which less is better."""
    losses = {name for name in row_scores(options) if score_of(name, options) in _LOSSES}
    return frozenset(losses | set(SLICES) if options["slices"] and options["slice_score"] in losses else losses)


def scales(options: Options) -> dict[str, Scale]:
    """Return how scores are said that are no shares: errors in the gold's unit, and what has no bound on one side."""
    by_score = {name: _SCALES.get(score_of(name, options)) for name in (*row_scores(options), *group_scores(options))}
    if options["slices"]:
        by_score |= dict.fromkeys(SLICES, by_score[options["slice_score"]])
    return {name: scale for name, scale in by_score.items() if scale}


def score_of(name: str, options: Options) -> str:
    """Return what a key says of one column: "rmse" for "valence_rmse"."""
    scores = (*column_scores(options), *OF_GROUPS, *OF_SYSTEMS)
    if name in scores or len(options["columns"]) == 1:
        return name
    return next((score for column in column_keys(options) for score in scores if name == f"{column}_{score}"), name)


def of_weights(names: Iterable[str], options: Options) -> set[str]:
    """Return those of the names whose scores are made of the weights of rows."""
    return {name for name in names if score_of(name, options) in OF_WEIGHTS or name in SLICES}


def is_of_scale(options: Options) -> bool:
    """Return whether the score that ranks changes where all numbers of a run are multiplied by one number."""
    return options["kind"] == "real" and headline(options).split("_")[-1] not in ("pearson", "spearman", "kendall")
