"""Holds what an organiser may choose, and the score that ranks where nothing is said."""

from collections.abc import Mapping
from typing import Any

from scoring.errors import ConfigurationError
from scoring.families.option_types import SWITCH, float_or_nan, one_of, parsed
from scoring.families.ranking.names import FURTHER, score_names
from scoring.families.ranking.wording import OPTION_WORDS
from scoring.family import Options, check_score, choose, with_words
from scoring.messages import Message

DEFAULT_CUTOFFS = (1, 5, 10, 20, 100, 1000)
DEFAULT_PERSISTENCE = 0.8  # of ir_measures; a patient user of the web, Moffat and Zobel 2008
_MOST_CUTOFFS = 20
_LARGEST = 10**9


def _cutoffs(given: Any) -> list[int]:
    """Return ranks in rising order, each once; ValueError if none, too many, or others than integers from 1.

    >>> _cutoffs("10, 1,10")
    [1, 10]
    """
    parts = given.split(",") if isinstance(given, str) else given if isinstance(given, list | tuple) else [given]
    cutoffs = sorted({_from_one(part) for part in parts})
    if len(cutoffs) > _MOST_CUTOFFS:
        raise ValueError(Message("too-many-ranks", "expected at most {most} ranks", most=_MOST_CUTOFFS))
    if not cutoffs:
        raise ValueError(Message("expected-ranks", "expected ranks such as 1,5,10"))
    return cutoffs


def _from_one(given: Any) -> int:
    """Return an integer from 1, also where a form has made a float of it."""
    text = str(int(given)) if isinstance(given, float) and given.is_integer() else str(given).strip()
    if isinstance(given, bool) or not (text.isascii() and text.isdigit() and len(text) <= len(str(_LARGEST))):
        raise ValueError(Message("expected-from-1", "expected an integer from 1"))
    number = int(text)
    if not 1 <= number <= _LARGEST:
        raise ValueError(Message("expected-from-1", "expected an integer from 1"))
    return number


def _measures(given: Any) -> tuple[str, ...] | None:
    """Return further measures in their own order, each once; None without any."""
    parts = given.split(",") if isinstance(given, str) else given if isinstance(given, list | tuple) else [given]
    names = {str(part).strip() for part in parts if part not in (None, "")}
    if unknown := sorted(names.difference(FURTHER, {""})):
        raise ValueError(
            Message("measure-unknown", "{measure!r} is none of {known}", measure=unknown[0], known=", ".join(FURTHER))
        )
    return tuple(name for name in FURTHER if name in names) or None


def _persistence(given: Any) -> float | None:
    if given in (None, ""):
        return None
    number = float_or_nan(given)
    if not 0 < number < 1:
        raise ValueError(Message("expected-between-0-1", "expected a number between 0 and 1"))
    return number


def _depth(given: Any) -> int | None:
    return None if given in ("", "none") else _from_one(given)


# What one option does to the numbers stands where it acts: `order` and `precision` in the reader (ordering.py,
# reducing.py), the others in counting.py and measures.py.
OPTIONS = with_words(
    OPTION_WORDS,
    one_of("documents", "snippets").option(
        "items",
        "documents, or snippets: stretches of texts in the JSON of BioASQ, scored by the characters that they share",
        "What is ranked",
        default=None,
    ),
    parsed(_cutoffs, "1 to 20 integers from 1, such as 1,5,10").option(
        "cutoffs",
        "the ranks k of nDCG@k, P@k and the other scores of the first k documents, with commas between",
        "Cutoffs",
        default=",".join(map(str, DEFAULT_CUTOFFS)),
    ),
    parsed(str, "the name of a score, such as map", "score").option(
        "headline", "the score that ranks; by default ndcg_10, or ndcg where 10 is no cutoff", "Score that ranks"
    ),
    parsed(_measures, f"some of {', '.join(FURTHER)}, with commas between", "texts").advanced(
        "measures",
        "further scores: DCG, F1@k, rank-biased precision, P@k relative to what is possible, precision and recall of "
        "all that was retrieved, interpolated precision, geometric mean of bpref, means of BioASQ",
        "Further measures",
    ),
    parsed(_persistence, "a number between 0 and 1", "number").advanced(
        "persistence",
        "of rank-biased precision: how probably a user goes on to the next document; by default 0.8",
        "Persistence",
    ),
    parsed(_from_one, "an integer from 1", "number").option(
        "relevance",
        "the least grade that counts as relevant; nDCG takes grades as they are",
        "Least relevant grade",
        default=1,
    ),
    one_of("zero", "skip").option(
        "missing",
        "queries that a run lacks count 0 (zero), or are left out of its means (skip)",
        "Queries that a run lacks",
    ),
    parsed(_depth, "an integer from 1, or none", "number").option(
        "depth", "the number of documents of a query that count; by default all", "Depth of a ranking"
    ),
    one_of("refuse", "cut").option(
        "over_depth",
        "runs with more documents for a query are refused, or cut after sorting",
        "More documents than that",
    ),
    one_of("linear", "exponential").advanced(
        "gain", "what a document adds to nDCG: its grade g (linear), or 2^g - 1 (exponential)", "Gain of nDCG"
    ),
    one_of("zero", "skip").advanced(
        "empty_queries",
        "queries without a relevant document count 0 (zero), or are left out (skip)",
        "Queries without a relevant document",
    ),
    SWITCH.advanced(
        "judged_only", "documents without judgement are taken out of the rankings first", "Judged documents alone"
    ),
    one_of("double", "single").advanced(
        "precision",
        "of scores: double as trec_eval since version 10, or single as before, where more of them tie",
        "Precision of scores",
    ),
    one_of("score", "rank").advanced(
        "order",
        "three columns and JSON hold a score, of which more is better, or a rank, of which 1 is best",
        "Numbers of three columns and JSON",
    ),
    one_of("warn", "refuse").minor(
        "unknown",
        "runs with queries that the gold lacks are read with a warning, or refused",
        "Queries that the gold lacks",
    ),
)


def configure(given: Mapping[str, object]) -> Options:
    """Return all options.

    Without a headline of its own, nDCG@10 ranks, or nDCG where 10 is no cutoff; of snippets F1.
    """
    options = choose(OPTIONS, given)
    if options["items"] == "documents":  # as where nothing is said: results from before the option stay comparable
        options["items"] = None
    if "rbp" in (options["measures"] or ()):
        options["persistence"] = options["persistence"] or DEFAULT_PERSISTENCE
    elif options["persistence"] is not None:
        raise ConfigurationError(
            Message("persistence-of-rbp", "option persistence: only with rbp among the further measures")
        )
    names = score_names(options)
    if options["headline"] in (None, ""):
        options["headline"] = next(name for name in ("snippet_f1", "ndcg_10", "ndcg") if name in names)
    check_score("headline", options["headline"], names)
    return options
