"""Holds what people read: the layout of both files, titles, and what the family is used for."""

from collections.abc import Collection

from scoring.family import HiddenMeaning, Options, OptionWords, Use
from scoring.messages import Message

TITLE = "Given: scores made elsewhere"

USES = (
    Use(
        "given-metric",
        "Scores of a metric that runs elsewhere",
        "The organiser computes a score for each unit of each run, with COMET or a metric of the task's own.",
    ),
    Use(
        "given-judgements",
        "Judgements of people",
        "People judge the units of each run; several judgements of a unit are averaged.",
        {"repeated": "mean"},
    ),
    Use(
        "given-llm-judge",
        "A language model as judge",
        "A language model gives each unit of each run a mark, on a scale that the organiser names.",
        {"repeated": "mean"},
        is_judged=True,
    ),
    Use(
        "given-errors",
        "Errors counted elsewhere",
        "Each unit of each run has a number of errors, or another cost: the lower, the better.",
        {"direction": "lower"},
    ),
)

LAYOUT = """\
One file, alone or in a zip archive, with the columns unit and score, and a row for each unit: .csv with commas,
.tsv with tabs, .jsonl with an object a line, or .txt with one score a line in the order of the units.
unit,score
doc1:3,0.8125
Scores have a decimal point, digits without separators, and an exponent if you like. Rows may come in any order;
every unit has to be there once. A column run tells the runs of a table that holds several.
"""

# For organisers.
GOLD_LAYOUT = """\
One file with a column unit that names all units; weight and a group, such as the document, are optional. A table of
scores may serve as it is: its runs have to agree on weights and groups.
run,unit,score,weight
sysA,doc1:3,0.8125,2
"""

SCORE_TITLES = {"score": "Score"}

_COUNT_TITLES = Message.words(
    {
        "units": "Units",
        "judgements": "Scores read",
        "missing": "Units without a score",
        "ignored_rows": "Rows of unknown units",
    }
)


def unit(options: Options) -> tuple[str, str]:
    """Return what a row of counts stands for, in singular and plural."""
    if options["blocks"]:
        return Message.noun("block", "blocks")
    return Message.noun("group", "groups") if options["group"] else Message.noun("unit", "units")


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts; without the option that allows it nothing can be missing or left out."""
    allowed = {"missing": options["missing"] != "refuse", "ignored_rows": options["unknown_ids"] == "ignore"}
    return {name: title for name, title in _COUNT_TITLES.items() if allowed.get(name, True)}


OPTION_WORDS: OptionWords = {
    "statistic": {"mean": "the mean over units", "sum": "the sum over units"},
    "direction": {"higher": "more is better", "lower": "less is better"},
    "repeated": {"refuse": "one score for each unit", "mean": "several scores of a unit are averaged"},
    "unknown_ids": {"refuse": "rows of unknown units are refused", "ignore": "rows of unknown units are left out"},
    "format": {
        "auto": HiddenMeaning("recognised by names and content"),
        "csv": "CSV",
        "tsv": "TSV",
        "jsonl": "JSON Lines",
        "lines": "one value a line",
    },
    "gold_format": {
        "auto": HiddenMeaning("recognised by names and content"),
        "tsv": HiddenMeaning("columns"),
        "jsonl": HiddenMeaning("JSON Lines"),
        "lines": HiddenMeaning("plain lines"),
    },
    "delimiter": {
        "auto": HiddenMeaning("commas in CSV, tabs in TSV"),
        "comma": "commas between fields",
        "tab": "tabs between fields",
        "semicolon": "semicolons between fields",
        "pipe": "vertical bars between fields",
    },
    "gold_delimiter": {"auto": HiddenMeaning("commas in CSV, tabs in TSV")},
    "quotes": {"true": HiddenMeaning("yes"), "false": "double quotes are data"},
    "header": {"true": HiddenMeaning("yes"), "false": "without a line of names"},
}
