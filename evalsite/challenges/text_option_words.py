"""The options of texts beside references, in words."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evalsite.translating.engine import from_engine
from scoring.families import FAMILIES

WORDS: Mapping[str, Mapping[str, str | Promise]] = {
    "unit": {"segment": "", "document": ""},  # the intervals have a line of their own
    "tokenize": {
        "13a": _("words as in most papers (13a)"),
        "intl": _("words by all signs of Unicode (intl)"),
        "zh": _("Chinese characters (zh)"),
        "char": _("single characters (char)"),
        "none": _("words between blanks (none)"),
        "ja-mecab": _("Japanese words (MeCab)"),
        "ko-mecab": _("Korean words (MeCab)"),
    },
    "lowercase": {"true": _("capitals are ignored"), "false": ""},
    "smooth": {
        "exp": _("BLEU with exponential smoothing"),
        "floor": _("BLEU with a floor"),
        "add-k": _("BLEU with a number added to the counts"),
        "none": _("BLEU without smoothing"),
    },
    "ter_normalized": {"true": _("TER parts punctuation from words"), "false": ""},
    "ter_no_punct": {"true": _("TER leaves out punctuation"), "false": ""},
    "ter_asian_support": {"true": _("TER parts Chinese and Japanese characters"), "false": ""},
    "ter_case_sensitive": {"true": _("TER tells capitals from small letters"), "false": ""},
    "rouge_stemmer": {"true": _("ROUGE compares stems of words"), "false": ""},
    "normalize": {
        "en": _("exact match without a, an and the"),
        "plain": _("exact match of all words"),
    },
}
_METRICS = {"rouge": "ROUGE", "exact": _("exact match")}


def _metrics(names: list[str]) -> str:
    titles = FAMILIES["text"].score_titles
    return ", ".join(str(_METRICS.get(name) or from_engine(titles[name])) for name in names)


def _language(code: str) -> str:
    return gettext("texts in %(language)s") % {"language": code}


SAYING: Mapping[str, Callable[[Any], str]] = {
    "metrics": _metrics,
    "headline": lambda name: "",  # the board names it
    "language": _language,
}
