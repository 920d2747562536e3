"""Holds what an organiser may choose: when an edit is right, which edits count, and how precision is weighed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring.errors import ConfigurationError
from scoring.families.edits.wording import OPTION_WORDS
from scoring.families.f_beta import BETA
from scoring.families.option_types import one_of, parsed
from scoring.families.table_options import columns
from scoring.family import Options, choose, with_words
from scoring.messages import Message

_USUAL_BETA = 0.5  # of ERRANT and the M2 scorer
_OF_ERRANT = ("level", "only", "exclude")


def _beta(given: Any) -> float:
    """Return the number; 1 stays one, as no other F stands beside it."""
    assert BETA.parse is not None
    return _USUAL_BETA if given in (None, "") else BETA.parse(given) or 1


OPTIONS = with_words(
    OPTION_WORDS,
    one_of("m2scorer").option(
        "protocol",
        "what runs are; by default edits in M2 files, compared as ERRANT does; m2scorer: corrected sentences, one a "
        "line, whose edits are found beside those of the gold",
        "How edits are found",
        default=None,
    ),
    one_of("correction", "classification", "spans", "tokens").option(
        "level",
        "correction: the same tokens and correction; classification: the same type too; spans: the same tokens, "
        "however they are corrected; tokens: each token that is wrong by itself",
        "When an edit is right",
    ),
    replace(
        BETA,
        default=_USUAL_BETA,
        parse=_beta,
        is_advanced=False,
        help="of the F that ranks; below 1 precision counts more than recall, above 1 less",
    ),
    one_of("all", "single", "multi").advanced(
        "only", "single: edits of one token alone; multi: edits that have several on a side", "Which edits count"
    ),
    parsed(columns, "types with commas between, such as R:OTHER,UNK", "texts").advanced(
        "exclude", "types of edits that are left out on both sides", "Types that are left out"
    ),
)


def configure(given: Mapping[str, object]) -> Options:
    """Return all options; ConfigurationError for one of ERRANT's beside the protocol of the M2 scorer."""
    options = choose(OPTIONS, given)
    usual = {option.key: option.default for option in OPTIONS}
    for key in _OF_ERRANT:
        if options["protocol"] == "m2scorer" and (options[key] or None) != usual[key]:
            raise ConfigurationError(
                Message("m2scorer-without-option", "option {key}: the protocol m2scorer does without it", key=key)
            )
    return options
