"""The options of the family, and how those that a caller gives become a complete choice."""

from collections.abc import Mapping

from scoring.errors import ConfigurationError
from scoring.families.coreference.wording import OPTION_WORDS
from scoring.families.option_types import one_of
from scoring.family import Options, choose, with_words
from scoring.messages import Message

OPTIONS = with_words(
    OPTION_WORDS,
    one_of("reference", "scorch", "scorch-functions").option(
        "protocol",
        "reference: counts of all documents summed, as the CoNLL reference scorer; scorch: documents averaged by"
        " their mentions, after mentions that only the system has were added to the gold as singletons, as the"
        " command of that name; scorch-functions: the same without added mentions",
        "How entities are counted",
    ),
    one_of("keep", "remove").option(
        "singletons", "remove: entities of one mention are dropped on both sides", "Entities of one mention"
    ),
    one_of("exact", "partial", "head").option(
        "match",
        "when a mention of the run is one of the gold; exact, by default: the same words; of CorefUD also, as its"
        " scorer does, head: the same head, and partial: words of the gold's mention with its head, and no others",
        "Which mentions are the same",
        default=None,
    ),
    one_of("linear", "dependent").advanced(
        "zeros",
        "mentions that an empty node of CorefUD heads; linear, by default: they stand in the same place; dependent:"
        " they depend on the same words in the column DEPS, as CRAC has counted them since 2024",
        "Empty nodes",
        default=None,
    ),
    # "ignore" is not among the choices that a site shows: see `configure`.
    one_of("refuse", "empty").advanced(
        "missing",
        "documents that the system lacks; empty: they count as documents without entities",
        "Missing documents",
    ),
    # The last two change what is accepted, not what an accepted file scores, and stay out of the signature.
    one_of("first", "refuse").minor(
        "repeated",
        "mentions marked twice in columns; first: the entity that opens first keeps them",
        "Mentions marked twice",
    ),
    one_of("auto", "json", "conll", "corefud").unscored(
        "format", "the files' format; auto: recognised by their content", "Format of the files"
    ),
)


# Values that signatures never named: those of stored results stay as they are.
_USUAL = {"match": "exact", "zeros": "linear"}


def configure(given: Mapping[str, object]) -> Options:
    """Return all options, the defaults where none is given; ConfigurationError for an unknown key or value.

    Beside the choices shown, `missing` may be "ignore": documents that the system lacks are not scored. The command
    scorch does so. No board should, because leaving out the hard documents would raise the score.
    """
    if given.get("missing") != "ignore":
        return _chosen(given)
    options = _chosen({key: value for key, value in given.items() if key != "missing"})
    if options["protocol"] == "reference":
        raise ConfigurationError(
            Message("ignore-needs-scorch", "option missing: ignore needs the protocol scorch or scorch-functions")
        )
    # Rebuilt rather than updated, so that the options keep their order.
    return {key: "ignore" if key == "missing" else value for key, value in options.items()}


def _chosen(given: Mapping[str, object]) -> Options:
    options = choose(OPTIONS, given)
    return {key: None if key in _USUAL and value == _USUAL[key] else value for key, value in options.items()}
