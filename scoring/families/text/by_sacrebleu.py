"""What sacreBLEU counts in each segment: the only module that knows sacreBLEU, and methods of it that are not public.

sacreBLEU's own `corpus_score` sums these numbers and scores the sums; its classes keep the three steps apart, but as
methods with an underscore: a text prepared, the n-grams or words of its references, and the numbers of one segment.
Tests hold the sums against `corpus_score`. Segments are counted one by one, so that no more than one of them is in
memory as n-grams.

TER takes sacreBLEU's words, and counts edits by `edits.py`: of texts that somebody has made for it sacreBLEU's own way
would take a hundred times as long.

With chrF++ the n-grams of chrF are counted already, so both take hardly longer than one. Of several references each of
the two takes its own best.
"""

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from scoring import lazy
from scoring.columns import Floats
from scoring.errors import ConfigurationError
from scoring.families.text.edits import fewest_edits
from scoring.families.text.kinds import BY_SACREBLEU, CHARACTER_ORDERS, WORD_ORDERS, width
from scoring.family import Options

_Metric = Any  # one of sacreBLEU's; its types say nothing of what is used here
References = Sequence[Sequence[str]]  # of each segment
_FIRST, _LAST = (2, 6), (3,)  # versions: from the first on, below the last


def installed_version() -> str:
    """The version of sacreBLEU; ConfigurationError without one that is known to count as this module expects."""
    found = version_found()
    numbers = tuple(int(part) for part in found.split(".")[:2] if part.isdigit())
    if not _FIRST <= numbers < _LAST:
        raise ConfigurationError(
            "family text needs sacrebleu, from version 2.6 on and below 3" + (f", not {found}" if found else "")
        )
    return found


def version_found() -> str:
    """The version of sacreBLEU, whichever it is; empty without any."""
    try:
        return version("sacrebleu")
    except PackageNotFoundError:
        return ""


def statistics(texts: Sequence[str], references: References, options: Options) -> dict[str, Floats]:
    """For each metric of sacreBLEU that is asked for its columns (n, kinds), as `kinds.py` says; TER has `ter_rows`."""
    asked = [metric for metric in BY_SACREBLEU if metric in options["metrics"]]
    found = {
        metric: _filled(_rows_of(_metric(metric, options), texts, references), len(texts), width(metric))
        for metric in asked
        if metric == "bleu"
    }
    if "chrf" in asked and "chrf_pp" in asked:
        n = width("chrf") + width("chrf_pp")
        both = _filled(_chrf_rows(texts, references, options), len(texts), n)
        return found | {"chrf": both[:, : width("chrf")], "chrf_pp": both[:, width("chrf") :]}
    for metric in asked:
        if metric in ("chrf", "chrf_pp"):
            rows = _rows_of(_metric(metric, options), texts, references)
            found[metric] = _filled(rows, len(texts), width(metric))
    return found


def ter_rows(texts: Sequence[str], references: References, options: Options) -> tuple[Floats, int]:
    """The edits and the mean length of the references of each segment, and how many may have fewer edits than that."""
    words: Callable[[str], str] = _metric("ter", options)._preprocess_segment
    rows, n_unsure = np.zeros((len(texts), width("ter"))), 0
    for row, text, of_text in zip(rows, texts, references, strict=True):
        own, others = words(text).split(), [words(reference).split() for reference in of_text]
        found = [fewest_edits(own, other) for other in others]
        row[:] = min(edits.number for edits in found), sum(map(len, others)) / len(others)
        n_unsure += not all(edits.are_fewest for edits in found)
    return rows, n_unsure


def signatures(options: Options) -> dict[str, str]:
    """sacreBLEU's own line for each of its metrics: {score: signature}."""
    found = {}
    for name in options["metrics"]:
        if name in BY_SACREBLEU:
            metric = _metric(name, options)
            metric.num_refs = -1 if options["nrefs"] == "var" else options["nrefs"]
            found[name] = str(metric.get_signature())
    return found


def _metric(name: str, options: Options) -> _Metric:
    """The metric as its options say; loaded here, because it takes a tenth of a second."""
    if name == "bleu":
        return lazy.load("sacrebleu.metrics", "BLEU")(
            lowercase=options["lowercase"],
            force=True,  # what looks tokenized is told in our own words
            tokenize=options["tokenize"],
            smooth_method=options["smooth"],
            smooth_value=options["smooth_value"],
        )
    if name == "ter":
        return lazy.load("sacrebleu.metrics", "TER")(
            normalized=options["ter_normalized"],
            no_punct=options["ter_no_punct"],
            asian_support=options["ter_asian_support"],
            case_sensitive=options["ter_case_sensitive"],
        )
    return lazy.load("sacrebleu.metrics", "CHRF")(
        char_order=CHARACTER_ORDERS,
        word_order=WORD_ORDERS if name == "chrf_pp" else 0,
        lowercase=options["lowercase"],
    )


def _rows_of(metric: _Metric, texts: Sequence[str], references: References) -> Iterator[Sequence[float]]:
    """The numbers of each segment, against the best of its references as the metric has it."""
    prepared: Callable[[str], str] = metric._preprocess_segment
    for text, of_text in zip(texts, references, strict=True):
        known = metric._extract_reference_info([prepared(reference) for reference in of_text])
        yield metric._compute_segment_statistics(prepared(text), known)


def _chrf_rows(texts: Sequence[str], references: References, options: Options) -> Iterator[list[int]]:
    """The numbers of chrF, and behind them those of chrF++, of each segment."""
    plain, plus = _metric("chrf", options), _metric("chrf_pp", options)
    n = width("chrf")

    def ngrams(written: Sequence[str]) -> Any:
        return plus._extract_reference_info([plus._preprocess_segment(text) for text in written])["ref_ngrams"]

    for text, of_text in zip(texts, references, strict=True):
        [own] = ngrams([text])
        candidates = [
            [number for pair in zip(own, other, strict=True) for number in plus._get_match_statistics(*pair)]
            for other in ngrams(of_text)
        ]
        if len(candidates) == 1:
            yield candidates[0][:n] + candidates[0]
        else:
            # max gives the first of equally good ones, as sacreBLEU does.
            best = max(candidates, key=lambda numbers: plain._compute_f_score(numbers[:n]))
            yield best[:n] + max(candidates, key=plus._compute_f_score)


def _filled(rows: Iterator[Sequence[float]], n: int, n_kinds: int) -> Floats:
    filled = np.zeros((n, n_kinds))
    for number, row in enumerate(rows):
        filled[number] = row
    return filled
