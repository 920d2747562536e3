"""Holds what an organiser may choose, and what a value has to be.

The texts in OPTIONS are shown to organisers and on the command line. Which labels count comes from `task_file`, else
from the two lists of labels, else from the gold's own metadata: scoring/readers/mat/sides.py.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any

from scoring.errors import ConfigurationError
from scoring.families.f_beta import BETA
from scoring.families.mat.wording import OPTION_WORDS, titles
from scoring.families.option_types import SWITCH, float_or_nan, one_of, parsed
from scoring.families.table_options import COLUMN, COLUMNS, HEADER, QUOTES
from scoring.family import Options, check_score, choose, with_words
from scoring.messages import Message
from scoring.readers.mat import COLUMNS_OF_SPANS, COLUMNS_OF_TUPLES, NO_COLUMN, compiled, read_task
from scoring.readers.tables import list_and_key, list_of

_MOST_VALUE = 1e9  # beyond which squares of distances would lose what tells them apart


def configure(given: Mapping[str, object]) -> Options:
    """Return the value of every option.

    ConfigurationError says which value is wrong, or that the task file lacks the task.
    """
    options = choose(OPTIONS, given)
    if options["details"] is None:
        # With pairing 2.x several choices of pairs may be equally good, so that single rows are no firm result.
        options["details"] = options["pairing"] == "1.2"
    if options["structures"] == "ignore":
        # The usual, which signatures never named.
        options["structures"] = None
    options["overlap"] = options["overlap"] or None
    if options["overlap"] and (options["structures"] or options["discontinuous"] == "parts"):
        raise ConfigurationError(
            Message("overlap-of-one-part", "option overlap: not with structures=count or discontinuous=parts")
        )
    if options["headline"] is not None:
        check_score("headline", options["headline"], titles(options))
    if options["structures"] == "count" and {options["gold_format"], options["system_format"]} != {"brat"}:
        raise ConfigurationError(
            Message("structures-need-brat", "option structures: count needs the format brat for gold and system")
        )
    _check_tables(options)
    # The usual, which signatures never named.
    options["field_order"] = "any" if options["field_order"] == "any" else None
    options["case"] = "ignore" if options["case"] == "ignore" else None
    if options["task_in"] == "options":
        # The usual, which signatures never named.
        options["task_in"] = None
    if options["task_file"] is not None:
        read_task(options["task_file"], options["task"])
    elif options["task"] is not None and options["task_in"] is None:
        raise ConfigurationError(
            Message(
                "task-without-file", "option task: {task!r} needs a task.xml that it stands in", task=options["task"]
            )
        )
    return options


def _check_tables(options: Options) -> None:
    """Raise ConfigurationError for what does not go together with tables of spans, or of tuples."""
    if options["fields"]:
        _check_tuples(options)
    elif options["values"] or options["value_range"] or options["case"] == "ignore":
        raise ConfigurationError(Message("values-of-tuples", "options values, value_range and case: with fields alone"))
    columns = options["columns"] or (COLUMNS_OF_TUPLES if options["fields"] else COLUMNS_OF_SPANS)
    if not options["fields"] and not 4 <= len(columns) <= 5:
        raise ConfigurationError(
            Message(
                "expected-columns-of-spans",
                "option columns: expected four or five names, those of document, label, start, end and words",
            )
        )
    if columns[1] == NO_COLUMN:
        if len(options["content_annotations"] or ()) != 1:
            raise ConfigurationError(
                Message(
                    "one-label-without-column",
                    "option columns: with - in place of the labels, content_annotations has to name one label",
                )
            )
        columns = (columns[0], *columns[2:])
    columns = (*columns, *(options["fields"] or ()), *(options["values"] or ()))
    in_list = [list_and_key(name)[0] is not None for name in columns]
    if options["text_column"] is not None and (options["gold_format"] != "table" or not list_of(columns)):
        raise ConfigurationError(
            Message(
                "text-column-of-list", "option text_column needs the gold_format table, and columns in a list of spans"
            )
        )
    if options["probability"] is not None:
        if {options["gold_format"], options["system_format"]} != {"table"} or not options["overlap"]:
            raise ConfigurationError(
                Message(
                    "probability-of-tables", "option probability needs the format table for both sides, and overlap"
                )
            )
        columns = (*columns, options["probability"])
        in_list.append(list_and_key(options["probability"])[0] is not None)
    if list_of(columns) and (in_list[0] or not all(in_list[1:])):
        raise ConfigurationError(
            Message(
                "columns-of-list", "option columns: all but the document has to be in the list of spans, or nothing"
            )
        )
    if options["system_pattern"] is not None and options["system_format"] == "table":
        raise ConfigurationError(
            Message(
                "pattern-of-table", "option system_pattern: a table has the spans of all documents, whatever its name"
            )
        )


def _check_tuples(options: Options) -> None:
    """Raise ConfigurationError for what does not go together with tuples."""
    if {options["gold_format"], options["system_format"]} != {"table"}:
        raise ConfigurationError(
            Message("fields-of-tables", "option fields needs the format table for gold and system")
        )
    n_columns = len(options["columns"] or COLUMNS_OF_TUPLES)
    if n_columns not in (2, 4):
        raise ConfigurationError(
            Message(
                "expected-columns-of-tuples",
                "option columns: with fields expected two or four names, those of document and label, and of start and "
                "end",
            )
        )
    if options["text_column"] or options["probability"]:
        raise ConfigurationError(
            Message("tuples-without-text", "option fields: neither with text_column nor with probability")
        )
    if bool(options["values"]) != bool(options["value_range"]):
        raise ConfigurationError(Message("values-and-range", "options values and value_range: both or none"))
    if options["overlap"] and n_columns == 2:
        raise ConfigurationError(
            Message("overlap-of-places", "option overlap: with fields it needs the columns of start and end")
        )


def _labels(given: Any) -> tuple[str, ...] | None:
    """Return labels from a list, or from a text with commas, each once; None if there are none. Case matters."""
    if given is None:
        return None
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, Iterable) or isinstance(parts, bytes | Mapping):
        raise ValueError(Message("expected-labels", "expected labels, in a list or with commas between them"))
    labels = list(parts)
    if not all(isinstance(label, str) for label in labels):
        raise ValueError(Message("expected-labels-texts", "expected labels, and each a text"))
    stripped = dict.fromkeys(label.strip() for label in labels)
    return tuple(label for label in stripped if label) or None


def _range(given: Any) -> tuple[float, float] | None:
    """Return the ends of a range from a list, or from a text with a comma; None for an empty one."""
    if given in (None, "", [], ()):
        return None
    ends = [*map(float_or_nan, given if isinstance(given, list | tuple) else str(given).split(","))]
    if len(ends) != 2 or not -_MOST_VALUE <= ends[0] < ends[1] <= _MOST_VALUE:
        raise ValueError(Message("expected-two-numbers", "expected two numbers, the lesser first, such as 1,9"))
    return ends[0], ends[1]


def _path(given: Any) -> str | None:
    """Return a path as text; None for an empty one, as a form sends it."""
    if given is None or given == "":
        return None
    if not isinstance(given, str | os.PathLike):
        raise ValueError(Message("expected-path", "expected a path"))
    return os.fspath(given) if isinstance(given, str) else str(given)


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError(Message("expected-text", "expected a text"))
    return given


def _name(given: Any) -> str | None:
    """Return a text; None for an empty one, as a form sends it."""
    return None if given is None else _text(given) or None


def _pattern(given: Any) -> str | None:
    """Return a regular expression as text, tried out here so that no upload is the first to meet a wrong one."""
    pattern = _name(given)
    if pattern is not None:
        compiled(pattern)
    return pattern


_FORMAT = one_of("mat-json", "xml-inline", "raw", "brat", "table")
_LABELS = parsed(_labels, "labels with commas between them", "texts")
_ENDING = parsed(_text, "the end of a file name")

# Which of them the original has, and under which name, stands in scoring/commands/mat.py; the others are ours.
OPTIONS = with_words(
    OPTION_WORDS,
    # Acts in matching/pairing.py; the head of counting.py explains both with an example.
    one_of("1.2", "2.x").option(
        "pairing",
        "1.2: equal spans match, others clash with whatever they overlap; 2.x: each span has one partner at most",
        "How spans are paired",
    ),
    # What counts, decided in scoring/readers/mat/sides.py.
    _LABELS.option(
        "content_annotations",
        "the labels that are scored; without them, those that the gold's own documents name",
        "Labels",
    ),
    _LABELS.advanced("token_annotations", "the labels of tokens; by default lex", "Labels of tokens"),
    # Through a site it would name files on the server.
    parsed(_path, "the path of a task.xml, or of a folder with one").option(
        "task_file", "defines the labels in place of these two lists", "", is_local=True
    ),
    one_of("options", "gold").advanced(
        "task_in",
        "gold: a task.xml among the gold's files defines the labels and their aliases in place of these two lists",
        "Where labels are defined",
        default=None,
    ),
    parsed(_name, "its name").advanced("task", "which task of a task.xml that has several", "Task of the task.xml"),
    # How files are read, in scoring/readers/mat/documents.py. A signal with an overlay holds the markup, so that it
    # equals the other side's signal only if both are overlays.
    _FORMAT.option("gold_format", "of the gold's documents", "Format of the gold"),
    _FORMAT.option("system_format", "of the uploaded documents", "Format of runs"),
    SWITCH.advanced(
        "gold_xml_overlay", "xml-inline: tags of other names belong to the gold's text", "Gold: other tags are text"
    ),
    SWITCH.advanced(
        "system_xml_overlay", "xml-inline: tags of other names belong to the uploaded text", "Runs: other tags are text"
    ),
    SWITCH.advanced(
        "gold_xml_translate_all",
        "xml-inline: tags of every name are annotations of the gold",
        "Gold: all tags are annotations",
    ),
    SWITCH.advanced(
        "system_xml_translate_all",
        "xml-inline: tags of every name are uploaded annotations",
        "Runs: all tags are annotations",
    ),
    # Tables of spans, in scoring/readers/mat/formats/span_tables.py.
    COLUMNS.unscored(
        "columns",
        "table: the names of the columns with document, label, start and end of a span, and perhaps a fifth with its "
        "words, in this order; by default filename,label,start_span,end_span,text; with - for the label all spans have "
        "the one label that is scored",
        "Columns of a table of spans",
    ),
    COLUMNS.option(
        "fields",
        "table: rows are tuples, such as relations, and documents have no texts; the names of the columns that have to "
        "be equal beside the label, such as head,tail; columns then names document and label, perhaps start and end",
        "Fields of tuples",
    ),
    one_of("kept", "any").advanced(
        "field_order",
        "of tuples; any: fields may stand in another order, as in relations without a direction",
        "Order of fields",
        default=None,
    ),
    one_of("keep", "ignore").advanced(
        "case",
        "of tuples; ignore: fields that differ only in case are the same",
        "Upper and lower case of fields",
        default=None,
    ),
    COLUMNS.option(
        "values",
        "of tuples; the columns with numbers, such as VA#1,VA#2: a tuple whose label and fields are right counts the "
        "more, the nearer its numbers are; adds continuous precision, recall and F1",
        "Numbers of tuples",
    ),
    parsed(_range, "the least and the greatest number, such as 1,9", "texts").option(
        "value_range", "between which numbers those of tuples lie; others are refused", "Range of the numbers"
    ),
    COLUMN.minor(
        "text_column",
        "table in JSON: the key under which the gold has a document's text; by default the texts are files, NAME.txt",
        "Key of the text in the gold",
    ),
    COLUMN.advanced(
        "probability",
        "table: the column with the probability of each span; adds the correlation of probabilities by character, and "
        "for all other scores spans count that are more probable than 0.5",
        "Column of probabilities",
    ),
    HEADER,
    QUOTES,
    # Which documents belong together, in scoring/readers/mat/layout.py. By default an upload must have all documents
    # and no others, or one could leave out the difficult ones.
    parsed(_pattern, "a regular expression").advanced(
        "system_pattern", "which uploaded files count; it must match the whole name", "Which uploaded files count"
    ),
    _ENDING.advanced(
        "suffix_off",
        "the end of an uploaded file's name that the gold's does not have",
        "End of the names of runs",
        default="",
    ),
    _ENDING.advanced(
        "suffix_on", "the end of the gold's file name that takes its place", "End of the names of gold", default=""
    ),
    one_of("error", "empty").advanced(
        "missing_documents",
        "an upload without all documents is refused (error), or scored as if these had no annotation (empty)",
        "Missing documents",
    ),
    one_of("error", "ignore").advanced(
        "extra_documents",
        "an upload with documents that the gold does not have is refused (error), or scored without them (ignore)",
        "Further documents",
    ),
    # The gold's by default: with its own tokens, a system could raise its accuracies by more or smaller ones.
    one_of("gold", "system", "equal").advanced(
        "tokens", "whose tokens count; equal: the gold's, and an upload with others is refused", "Whose tokens count"
    ),
    # Offsets in xml-inline follow from the text, so they have no unit.
    one_of("code_points", "utf16").advanced(
        "offset_unit", "what offsets count in mat-json, brat and table", "What offsets count"
    ),
    one_of("error", "outer", "parts").advanced(
        "discontinuous",
        "brat: an annotation in several parts is refused (error), goes from its first start to its last end (outer), or"
        " is the same as another one if all their parts are (parts)",
        "Annotations in several parts",
    ),
    one_of("ignore", "count").advanced(
        "structures",
        "brat: relations, events and attributes whose types are among the labels; ignored, by default (ignore), or"
        " counted as annotations, equal if they are of equal parts (count)",
        "Relations, events and attributes",
        default=None,
    ),
    BETA,
    SWITCH.option(
        "overlap",
        "adds scores by how much spans overlap: of characters, of documents (IoU) and in proportion",
        "Scores by overlap",
        default=None,
    ),
    parsed(_name, "the key of a score", "score").option(
        "headline", "the score that ranks; without it, F1 of equal spans", "The score that ranks"
    ),
    # These two only add columns and rows: scores and ranks are the same without them.
    SWITCH.minor(
        "confidence_data",
        "adds mean, variance and standard deviation over the resamples to the tables",
        "Means and variances over the resamples",
    ),
    one_of(True, False).minor(
        "details",
        "fills the table of single spans; by default with pairing 1.2 alone, as 2.x may have several best pairings",
        "Table of single spans",
        default=None,
    ),
)
