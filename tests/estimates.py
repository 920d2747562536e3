"""A small family for tests: numbers estimated one a line, of whose error less is better."""

import sys
from types import SimpleNamespace

import numpy as np

import scoring.families
from scoring.errors import SubmissionError
from scoring.family import Counted, CountNotes, Family, Offer, Option, ScoreNotes, Use, Views, choose
from scoring.findings import Finding
from scoring.prf import ratio
from scoring.repairs import Mended, repairs_of
from scoring.scale import Scale

NAME = "estimates"
KINDS = ("error", "square", "close", "items")


def read(files, *_):
    """One number a line, of the first file."""
    path, content = next(iter(files.items()))
    try:
        values = np.array([float(line) for line in content.decode().split()])
    except ValueError:
        raise SubmissionError([Finding("expected a number on each line", file=path)]) from None
    return SimpleNamespace(paths=[path], values=values)


def read_system(files, gold, options):
    run = read(files)
    if len(run.values) != len(gold.values):
        raise SubmissionError([Finding(f"{len(gold.values)} lines expected, {len(run.values)} found")])
    return run


def count(gold, system, options):
    error = np.abs(system.values - gold.values)
    rows = np.stack([error, error**2, error <= 1, np.ones(len(error))], axis=1)
    totals = {"items": len(error), "error": float(error.sum())}
    return Counted([f"line {k + 1}" for k in range(len(error))], rows, totals, [], None)


def metrics(counts, options):
    error, square, close, items = np.moveaxis(counts, -1, 0)
    return {"mae": ratio(error, items), "rmse": np.sqrt(ratio(square, items)), "close": ratio(close, items)}


def repairs(totals, options):
    """Return what the error would be with half of it mended."""
    n = totals.counts["items"]
    half = Mended("Kinds of mistake", "half of all", int(n), np.array([totals.counts["error"] / 2, n]))
    return repairs_of(totals.score, [half], lambda counts: counts[:, 0] / counts[:, 1], lower_is_better=True)


OPTIONS = (Option("headline", "mae", ("mae", "rmse", "close"), "the score that ranks"),)

FAMILY = Family(
    name=NAME,
    title="Estimates, for tests",
    unit=lambda options: ("line", "lines"),
    options=OPTIONS,
    headline=lambda options: options["headline"],
    score_titles={"mae": "Mean absolute error", "rmse": "Root mean squared error", "close": "Within one"},
    main_scores=("rmse", "close"),
    kinds=KINDS,
    layout="One number a line.",
    example=lambda options: {"run.txt": b"1\n2\n"},
    configure=lambda given: choose(OPTIONS, given),
    read_gold=read,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=lambda matches, options: {},
    offer=Offer(uses=(Use("estimates", "Estimates", "Systems guess a number."),)),
    scores=ScoreNotes(
        lower_is_better=lambda options: frozenset({"mae", "rmse"}),
        scales=lambda options: {"mae": Scale(decimals=None), "rmse": Scale(decimals=None)},
    ),
    counts=CountNotes(mistakes=("error",)),
    views=Views(repairs=repairs),
)


def register(monkeypatch):
    """Makes it one of `FAMILIES` for the length of a test."""
    monkeypatch.setattr(scoring.families, "_NAMES", (*scoring.families._NAMES, NAME))
    monkeypatch.setitem(sys.modules, f"scoring.families.{NAME}", SimpleNamespace(**{NAME.upper(): FAMILY}))


def lines(values):
    return "".join(f"{value:.4f}\n" for value in values).encode()
