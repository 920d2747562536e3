"""Holds what people read: the layout of both files, an example of a run, and the titles of the counts."""

from collections.abc import Collection, Iterator, Sequence

from scoring.families.f_beta import describe_beta
from scoring.families.table_options import TABLE_WORDS, describe_group, describe_labels, describe_slices, table_of_gold
from scoring.family import HiddenMeaning, Options, OptionWords, Use, no_text
from scoring.messages import Message

USES = (
    Use(
        "text-classification",
        "Text classification",
        "Systems give each text one label of a list: a topic, an intent, a kind of text.",
    ),
    Use(
        "sentiment",
        "Sentiment and stance",
        "Systems say of each text whether it is positive, neutral or negative, for or against.",
        {"ordinal": True},
    ),
    Use(
        "multi-label",
        "Several labels for each text",
        "Systems give each text all labels that fit, such as emotions or subjects, and perhaps none.",
        {"task": "multi"},
    ),
    Use(
        "inference",
        "Inference and pairs of texts",
        "Systems say of two texts whether one follows from the other, or whether both mean the same.",
    ),
    Use(
        "multiple-choice",
        "Multiple choice",
        "Systems choose one of several answers to each question.",
        {"headline": "accuracy"},
    ),
    Use(
        "graded-choice",
        "Choice with graded credit",
        "Systems choose one answer, and the gold says how much each answer is worth.",
        {"task": "graded"},
    ),
    Use(
        "disagreement",
        "Learning with disagreement",
        "Systems say how annotators share themselves among the labels, and the gold has their ratings.",
        {"task": "soft"},
    ),
    Use(
        "language-identification",
        "Language identification",
        "Systems say in which language or dialect each text is.",
    ),
    Use(
        "ranked-guesses",
        "Classification with ranked guesses",
        "Systems give several guesses for each item, the best first.",
        {"task": "ranked"},
    ),
    Use(
        "detection",
        "Detection of one kind",
        "Systems find the texts of one kind among others, such as spam, hate speech or humour.",
        {"headline": "macro_f1"},
    ),
)

LAYOUT = """\
One table, alone or in a zip archive, with a row for each row of the gold: a column "id" and a column "label".
.csv has commas between the fields, .tsv tabs; the first line names the columns, and a field with commas stands in
double quotes:
id,label
tweet-17,positive
.jsonl has an object a line, {"id": "tweet-17", "label": "positive"}; .txt has one label a line, in the gold's order.
Rows may stand in any order; further columns are left aside. Several labels stand in one field, A;B, or in a JSON
list, and no label is an empty field. Every id of the gold has to be there once. Save files as UTF-8.
Shares of labels are an object in JSON, {"id": "tweet-17", "label": {"positive": 0.75, "negative": 0.25}}, or the
ratings that they count, positive;positive;negative;positive.
Where labels do not exclude each other each has a share of its own, {"positive": 0.9, "ironic": 0.4}, which need not
sum to 1; or there is a list with the labels of each annotator, [["positive"], ["positive", "ironic"]].
"""


# For organisers.
def gold_layout(options: Options) -> Message:
    """Return what gold has to hold with these options."""
    table = table_of_gold(options)
    if table is None:
        return Message("labels-gold-lines", "One label a line, in the order of the items.")
    return Message.joined([Message.joined([table, _gold_column(options)], " "), *_gold_labels(options)], "\n")


def _gold_column(options: Options) -> Message:
    if options["multi_as"] == "columns":
        return Message("labels-gold-columns", "Each label has a column of its own.")
    return Message(
        "labels-gold-column", "The label stands in {label}.", label=options["gold_label"] or options["label"]
    )


def _gold_labels(options: Options) -> Iterator[Message]:
    """Yield what the kind of row asks of the labels."""
    if options["task"] == "multi" and options["multi_as"] == "cell" and not options["shares"]:
        yield Message(
            "labels-gold-separator", "Several labels of a row have {separator} between.", separator=options["separator"]
        )
    if options["task"] == "graded":
        yield Message(
            "labels-gold-credit", "A row for each id and label, with its credit in {credit}.", credit=options["credit"]
        )
    if options["task"] == "soft":
        yield Message(
            "labels-gold-shares",
            "Shares of labels are the ratings of the annotators, positive;positive;negative, or an object in JSON of "
            "labels and their shares, which sum to 1.",
        )
    if options["shares"]:
        yield Message(
            "labels-gold-own-shares",
            "Each label has a share of its own; ratings are a list with the labels of each annotator, "
            '[["positive"], ["positive", "ironic"]].',
        )


_COUNT_TITLES = Message.words(
    {
        "items": "Items",
        "correct": "Right items",
        "missing": "Missing rows, counted as wrong",
        "unknown_labels": "Rows with unknown labels",
        "ignored_rows": "Rows that the gold does not have",
        "gold_labels": "Labels of the gold",
        "predicted_labels": "Labels of the run",
    }
)


def unit(options: Options) -> tuple[str, str]:
    """Return what a row of counts stands for, in singular and plural."""
    is_grouped = options["group"] or options.get("original")
    return Message.noun("group", "groups") if is_grouped else Message.noun("item", "items")


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts; what can only be 0 with these options is left out."""
    left_out = {
        key
        for key, option, value in (
            ("missing", "missing", "refuse"),
            ("unknown_labels", "unknown_labels", "refuse"),
            ("ignored_rows", "unknown_ids", "refuse"),
        )
        if options[option] == value
    }
    return {name: title for name, title in _COUNT_TITLES.items() if name in counts and name not in left_out}


_NAMED_ELSEWHERE = ("id", "gold_id", "label", "gold_label", "credit", "probabilities", "separator", "text") + (
    "headline",
    "slice_score",
    "top",
)


def _labels_said(labels: str | Sequence[str]) -> str:
    if isinstance(labels, str):
        return "" if labels == "gold" else Message.word("labels of gold and run together")
    return Message("labels-said", "labels: {labels}", labels=describe_labels(labels))


OPTION_WORDS: OptionWords = {
    "task": {
        "single": "one label for each row",
        "multi": "a set of labels for each row",
        "ranked": "ranked guesses for each row",
        "graded": "one label for each row, with graded credit",
        "soft": "shares of labels for each row",
    },
    "unknown_labels": {
        "refuse": "labels that are not in the list are refused",
        "wrong": "labels that are not in the list count as wrong",
    },
    "missing": {"refuse": "every row is needed", "wrong": "missing rows count as wrong"},
    "ordinal": {"true": "the labels have an order"},
    "icm": {"true": "information contrast beside the other scores"},
    "shares": {"true": "each label has a share of its own"},
    "threshold": lambda share: Message(
        "threshold-said", "a share of {share} or more puts a label into the set", share=f"{share:g}"
    ),
    "multi_as": {"cell": "all labels of a row are in one field", "columns": "a column for each label"},
    "case": {
        "keep": HiddenMeaning("labels are case-sensitive"),
        "ignore": "upper and lower case are the same",
    },
    "absent_labels": {
        "skip": "macro averages leave out labels that do not occur",
        "count": "macro averages count labels that do not occur",
    },
    "zero_division": {"0": "precision of nothing is 0", "1": "precision of nothing is 1"},
    # What an upload looks like names the columns, the page says by what the board is ranked, and scores their numbers.
    **dict.fromkeys(_NAMED_ELSEWHERE, no_text),
    "labels": _labels_said,
    "beta": describe_beta,
    "positive": lambda label: Message("positive-label-said", "scores of the label {label} apart", label=label),
    "partial": lambda credit: Message(
        "partial-credit-said", "a part of the labels earns {credit}", credit=f"{credit:g}"
    ),
    "hierarchy": lambda pairs: Message("hierarchy-said", "a hierarchy of labels of {n} pairs", n=len(pairs)),
    "group": describe_group,
    "second": lambda name: Message("second-said", "{name} counts where the first label is right", name=name),
    "original": lambda name: Message("original-said", "{name} names the original of a row", name=name),
    "group_accuracy": {"true": "groups count as right where all of their rows are"},
    "group_error": {"true": "the mean of the groups' error rates beside the other scores"},
    "slices": describe_slices,
    **TABLE_WORDS,
}
