"""Holds what people read: the layout of both files, titles of scores and counts, what the family is used for."""

from collections.abc import Collection

from scoring.families.numbers.names import SCORE_TITLES, all_scores, score_of
from scoring.families.table_options import TABLE_WORDS, describe_group, describe_slices, table_of_gold
from scoring.family import HiddenMeaning, Options, OptionWords, Use, no_text
from scoring.messages import Message

TITLE = "Numbers for items: correlation, error, probabilities"

USES = (
    Use(
        "valence-arousal",
        "Valence and arousal",
        "Systems place words or texts in the plane of valence and arousal, or on other scales of emotion.",
        {"kind": "real", "columns": ["valence", "arousal"]},
    ),
    Use(
        "quality-estimation",
        "Estimating quality",
        "Systems say how good a translation or another text is, without knowing the right one.",
        {"kind": "real", "headline": "spearman"},
    ),
    Use(
        "scoring-of-essays",
        "Scoring of essays and difficulty of texts",
        "Systems give essays their marks, or say how hard a text is; what counts is how far they are off.",
        {"kind": "real", "headline": "rmse"},
    ),
    Use(
        "probabilities",
        "Probabilities of yes or no",
        "Systems say how probable it is that a statement is true, or a sentence plausible.",
        {"kind": "binary", "headline": "log_loss"},
    ),
    Use(
        "detection-by-score",
        "Detection",
        "Systems say how much they believe that a text is, say, made by a machine; any rising scale will do.",
        {"kind": "binary", "range": "any"},
    ),
    Use(
        "similarity",
        "Semantic similarity and other judgements",
        "Systems say how alike two texts are, or give any other number that people judged too.",
    ),
)

LAYOUT = """\
One file, alone or in a zip archive, with the columns id and value (or those that the task names), and a row for
each item: .csv with commas, .tsv with tabs, .jsonl with an object a line, or .txt with one number a line in the
order of the gold.
id,value
t1,3.25
Numbers have a decimal point, digits without separators, and an exponent if you like. Rows may come in any order;
every id of the gold has to be there once.
"""

# For organisers.


def gold_layout(options: Options) -> Message:
    """Return what gold has to hold with these options."""
    columns = Message.listed(options["gold_columns"])
    table = table_of_gold(options)
    if table is None:
        return Message("numbers-gold-lines", "One number a line, in the order of the items.")
    parts = [table, Message("numbers-gold-columns", "The right numbers stand in {columns}.", columns=columns)]
    of_rows = [options[key] for key in ("group", "slices", "tolerance_column") if options[key]]
    further = [*dict.fromkeys([*of_rows, *(options["text"] or ())])]
    if further := [name for name in further if name not in options["gold_columns"]]:
        parts.append(Message("gold-further", "It has {columns}, too.", columns=Message.listed(further)))
    return Message.joined(parts, " ")


_COUNT_TITLES = Message.words({"items": "Items", "missing": "Missing rows", "ignored_rows": "Rows with unknown ids"})


def unit(options: Options) -> tuple[str, str]:
    """Return what a row of counts stands for, in singular and plural."""
    return Message.noun("group", "groups") if options["group"] else Message.noun("item", "items")


def titles(options: Options) -> dict[str, str]:
    """Return what people call the scores that there are: of several columns each has its own."""
    return {name: _title(name, score_of(name, options)) for name in all_scores(options)}


def _title(name: str, score: str) -> str:
    if name in SCORE_TITLES:
        return SCORE_TITLES[name]
    title, column = Message.word(SCORE_TITLES[score]), name.removesuffix(f"_{score}")
    return Message("score-of-column", "{score} ({column})", score=title, column=column)


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts; without the option that allows it nothing can be missing or left out."""
    allowed = {"missing": options["missing"] != "refuse", "ignored_rows": options["unknown_ids"] == "ignore"}
    return {name: title for name, title in _COUNT_TITLES.items() if allowed.get(name, True)}


OPTION_WORDS: OptionWords = {
    "kind": {"real": HiddenMeaning("any numbers"), "binary": "yes or no"},
    "range": {"probability": "probabilities", "any": "beliefs on any scale"},
    "column_mean": {
        "arithmetic": HiddenMeaning("arithmetic mean"),
        "fisher": "correlations averaged by Fisher's transformation",
    },
    "constant": {"none": HiddenMeaning("none, and no rank"), "zero": "a correlation of equal numbers is 0"},
    "tolerance_edge": {"in": "exactly at the tolerance is near", "out": "exactly at the tolerance is too far off"},
    # What an upload looks like names the columns, and the page says by what the board is ranked.
    **dict.fromkeys(("columns", "gold_columns", "id", "gold_id", "text", "headline", "slice_score"), no_text),
    "tolerance": lambda number: Message("tolerance-said", "near: off by no more than {number}", number=f"{number:g}"),
    "tolerance_column": lambda name: Message.word("each item with a tolerance of its own"),
    "missing": lambda number: (
        Message.word("missing numbers are refused")
        if number == "refuse"
        else Message("number-for-missing-said", "{number} stands for a missing number", number=f"{number:g}")
    ),
    "group": describe_group,
    "group_correlations": {"true": "correlations within and between groups"},
    "systems": lambda name: Message("systems-said", "numbers rank what {name} names", name=name),
    "slices": describe_slices,
    **TABLE_WORDS,
}
