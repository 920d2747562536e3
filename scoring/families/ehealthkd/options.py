"""Holds what an organiser can choose: scenario, the edition's rules, sentences, and the tables of single items."""

from collections.abc import Mapping

from scoring.errors import ConfigurationError
from scoring.families.ehealthkd.wording import OPTION_WORDS
from scoring.families.option_types import SWITCH, one_of
from scoring.family import Options, choose, with_words
from scoring.messages import Message
from scoring.readers.ehealthkd.sides import Pairing

# The rules under which a partial match needs the same label.
SAME_LABEL = ("documented", "2020", "2021")

OPTIONS = with_words(
    OPTION_WORDS,
    one_of(1, 2, 3, 4).option(
        "scenario",
        "1 phrases and relations, 2 phrases alone, 3 relations alone, 4 phrases and relations of another domain (2020)",
        "What is to be found",
    ),
    # The published page of 2019 asks for equal labels in a partial match; the program that made the official ranking
    # does not look at them. The program's rule is the default, because its numbers are the published ones.
    one_of("2019", "2020", "2021", "documented").option(
        "rules",
        "files and counting of this year's challenge, as its program runs; documented: as 2019, but a partial match "
        "needs the same label",
        "Which edition's rules",
        default="2019",
        is_always_told=True,
    ),
    one_of("checked", "official").advanced(
        "sentences",
        "checked, or nothing: a run whose sentences are altered or missing is refused; official: it is scored as by "
        "the challenge's program, which leaves a run the choice of what counts: for runs that are published",
        "Sentences that are not those of the input",
        default=None,
    ),
    SWITCH.minor("details", "add the tables of phrases and relations", "Tables of single phrases and relations"),
)


def configure(given: Mapping[str, object]) -> Options:
    """Return the value of every option; ConfigurationError for what does not go together."""
    options = choose(OPTIONS, given)
    if options["scenario"] == 4 and options["rules"] != "2020":
        raise ConfigurationError(
            Message(
                "scenario-4-of-2020",
                "option scenario: 4 is one of 2020 alone, the rules are {rules}",
                rules=options["rules"],
            )
        )
    # What is not given stands in no signature, so that those of older results stay as they are.
    return options | {"sentences": None if options["sentences"] == "checked" else options["sentences"]}


def pairing_of(options: Options) -> Pairing:
    """Return how sentences of gold and system are paired."""
    return "official" if options.get("sentences") == "official" else "checked"
