"""Tells what sacreBLEU counts in each segment, by its own tokenizers and n-grams: the only module that knows sacreBLEU.

sacreBLEU scores the sums of these numbers over the segments, as `scores.py` does; its own metrics keep them to
themselves, so they are counted here from what it makes public. Tests hold numbers and scores against `corpus_score` and
`sentence_score`. Segments are counted one by one, so that no more than one of them is in memory as n-grams.

TER takes sacreBLEU's words, and counts edits by `edits.py`: of texts that somebody has made for it sacreBLEU's own way
would take a hundred times as long.

With chrF++ the n-grams of chrF are counted already, so both take hardly longer than one. Of several references each of
the two takes its own best.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from string import punctuation
from typing import Any

import numpy as np

from scoring import lazy
from scoring.columns import Floats
from scoring.errors import ConfigurationError
from scoring.families.text.kinds import BETA, BY_SACREBLEU, CHARACTER_ORDERS, ORDERS, WORD_ORDERS, width
from scoring.families.text.measures.edits import fewest_edits
from scoring.family import Options
from scoring.messages import Message

Ngrams = Counter[Any]  # how often a segment has each: strings of characters, or words
_Metric = Any  # one of sacreBLEU's; its types say nothing of what is used here
References = Sequence[Sequence[str]]  # of each segment
_FIRST, _LAST = (2, 6), (3,)  # versions: from the first on, below the last


def installed_version() -> str:
    """Return the version of sacreBLEU; ConfigurationError without one known to count as this module expects."""
    version = version_found()
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if not _FIRST <= numbers < _LAST:
        message = Message("needs-sacrebleu", "the family text needs sacrebleu, from version 2.6 on and below 3")
        if version:
            message = Message("sacrebleu-version", "{needed}, not {found}", needed=message, found=version)
        raise ConfigurationError(message)
    return version


def version_found() -> str:
    """Return the version of sacreBLEU, whichever it is; empty without any."""
    try:
        return version("sacrebleu")
    except PackageNotFoundError:
        return ""


def statistics(texts: Sequence[str], references: References, options: Options) -> dict[str, Floats]:
    """Return the columns (n, kinds) of each metric of sacreBLEU, as `kinds.py` says; TER has `ter_rows`."""
    asked = [metric for metric in ("chrf", "chrf_pp") if metric in options["metrics"]]
    by_metric = {}
    if "bleu" in options["metrics"]:
        by_metric["bleu"] = _filled(_bleu_rows(texts, references, options), len(texts), width("bleu"))
    if asked:
        rows = _filled(_chrf_rows(texts, references, options, asked), len(texts), sum(map(width, asked)))
        by_metric |= dict(
            zip(asked, np.split(rows, np.cumsum([width(metric) for metric in asked])[:-1], axis=1), strict=True)
        )
    return by_metric


def ter_rows(texts: Sequence[str], references: References, options: Options) -> tuple[Floats, int]:
    """Count the edits of each segment, with the mean length of its references.

    Also return how many segments may have fewer edits than that.
    """
    tokenizer: Callable[[str], str] = _metric("ter", options).tokenizer
    rows, n_unsure = np.zeros((len(texts), width("ter"))), 0
    for row, text, of_text in zip(rows, texts, references, strict=True):
        words, *others = (tokenizer(side.rstrip()).split() for side in (text, *of_text))
        edits_of = [fewest_edits(words, other) for other in others]
        row[:] = min(edits.number for edits in edits_of), sum(map(len, others)) / len(others)
        n_unsure += not all(edits.are_fewest for edits in edits_of)
    return rows, n_unsure


def words_of(options: Options) -> Callable[[str], list[str]]:
    """Return what finds the words of a text, as BLEU does."""
    tokenizer: Callable[[str], str] = _metric("bleu", options).tokenizer
    return lambda text: tokenizer(text).split()


def signatures(options: Options) -> dict[str, str]:
    """Return sacreBLEU's own line for each of its metrics: {score: signature}."""
    by_name = {}
    for name in options["metrics"]:
        if name in BY_SACREBLEU:
            metric = _metric(name, options)
            metric.num_refs = -1 if options["nrefs"] == "var" else options["nrefs"]
            by_name[name] = str(metric.get_signature())
    return by_name


def _metric(name: str, options: Options) -> _Metric:
    """Load the metric as its options say; here, because it takes a tenth of a second."""
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


def _bleu_rows(texts: Sequence[str], references: References, options: Options) -> Iterator[list[int]]:
    """Yield the numbers of each segment.

    Of several references an n-gram counts as often as the one says that has it most.
    """
    tokenizer: Callable[[str], str] = _metric("bleu", options).tokenizer
    ngrams_of = lazy.load("sacrebleu.metrics.helpers", "extract_all_word_ngrams")

    def ngrams(text: str) -> tuple[Ngrams, int]:
        counted: tuple[Ngrams, int] = ngrams_of(tokenizer(_cased(text, options).rstrip()), 1, ORDERS)
        return counted

    for text, of_text in zip(texts, references, strict=True):
        of_system, length = ngrams(text)
        of_references, lengths = zip(*map(ngrams, of_text), strict=True)
        most: Ngrams = of_references[0]
        for further in of_references[1:]:
            most |= further
        closest = min(lengths, key=lambda other: (abs(other - length), other))
        matches, totals = [0] * ORDERS, [0] * ORDERS
        for ngram, number in of_system.items():
            totals[len(ngram) - 1] += number
            if ngram in most:
                matches[len(ngram) - 1] += min(number, most[ngram])
        yield [length, closest, *matches, *totals]


def _chrf_rows(
    texts: Sequence[str], references: References, options: Options, asked: Sequence[str]
) -> Iterator[list[int]]:
    """Yield the numbers of each segment, those of chrF and behind them those of chrF++ where both are asked for."""
    helpers = "sacrebleu.metrics.helpers"
    of_characters, of_words = lazy.load(helpers, "extract_all_char_ngrams"), lazy.load(helpers, "extract_word_ngrams")
    word_orders = range(1, WORD_ORDERS + 1) if "chrf_pp" in asked else ()

    def ngrams(text: str) -> list[Ngrams]:
        text = _cased(text, options)
        words = _words_of_chrf(text) if word_orders else []
        return [*of_characters(text, CHARACTER_ORDERS), *(of_words(words, order) for order in word_orders)]

    for text, of_text in zip(texts, references, strict=True):
        of_system = ngrams(text)
        rows = [
            [number for pair in zip(of_system, ngrams(other), strict=True) for number in _shared(*pair)]
            for other in of_text
        ]
        # max gives the first of equally good ones, as sacreBLEU does.
        best = [max((numbers[: width(metric)] for numbers in rows), key=_chrf) for metric in asked]
        yield [number for numbers in best for number in numbers]


def _cased(text: str, options: Options) -> str:
    return text.lower() if options["lowercase"] else text


def _words_of_chrf(text: str) -> list[str]:
    """Return the words by which chrF++ counts.

    A sign at the end of a word, or else at its beginning, is a word of its own.

    >>> _words_of_chrf("(well) ends it, e.g. ...")
    ['(well', ')', 'ends', 'it', ',', 'e.g', '.', '..', '.']
    """
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in punctuation:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def _shared(ngrams: Ngrams, others: Ngrams) -> tuple[int, int, int]:
    """Count the n-grams of the text, where the reference has any; those of the reference; and the matches of both."""
    matches = sum(min(number, others[ngram]) for ngram, number in ngrams.items() if ngram in others)
    return ngrams.total() if others else 0, others.total(), matches


def _chrf(numbers: Sequence[int]) -> float:
    """Compute chrF of one segment, in sacreBLEU's order of operations, so that it takes the same reference."""
    n, precision, recall = 0, 0.0, 0.0
    for given, other, matches in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True):
        if given and other:
            n, precision, recall = n + 1, precision + matches / given, recall + matches / other
    if not precision + recall:
        return 0.0
    precision, recall = precision / n, recall / n
    return (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)


def _filled(rows: Iterator[Sequence[float]], n: int, n_kinds: int) -> Floats:
    filled = np.zeros((n, n_kinds))
    for number, row in enumerate(rows):
        filled[number] = row
    return filled
