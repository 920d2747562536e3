"""The family's record: its options, what to upload, and the functions that the engine calls."""

from collections.abc import Mapping

from scoring.errors import ConfigurationError
from scoring.families.coreference.counting import count
from scoring.families.coreference.scores import ALL_METRICS, KINDS, metrics
from scoring.families.coreference.tables import tables
from scoring.families.coreference.view import unit_record
from scoring.family import Family, Option, Options, choose
from scoring.readers.coreference.sides import read_gold, read_system

_OPTIONS = (
    Option(
        "protocol",
        "reference",
        ("reference", "scorch", "scorch-functions"),
        "reference: counts of all documents summed, as the CoNLL reference scorer; scorch: documents averaged by"
        " their mentions, after mentions that only the system has were added to the gold as singletons, as the"
        " command of that name; scorch-functions: the same without added mentions",
    ),
    Option("singletons", "keep", ("keep", "remove"), "remove: entities of one mention are dropped on both sides"),
    Option(
        "missing",
        "refuse",
        ("refuse", "empty"),
        "documents that the system lacks; empty: they count as documents without entities",
    ),
    Option(
        "repeated",
        "first",
        ("first", "refuse"),
        "mentions marked twice in columns; first: the entity that opens first keeps them",
        changes_scores=False,
    ),
    Option(
        "format",
        "auto",
        ("auto", "json", "conll", "corefud"),
        "the files' format; auto: told by their content",
        changes_scores=False,
    ),
)

_TITLES = {
    "muc": "MUC",
    "b_cubed": "B³",
    "ceaf_m": "CEAF, mentions",
    "ceaf_e": "CEAF, entities",
    "blanc": "BLANC",
    "lea": "LEA",
    "mention": "Mentions",
}
_PART_TITLES = {"recall": "recall", "precision": "precision", "f1": "F1"}

_LAYOUT = """\
One file, or several in one folder or zip archive, in UTF-8 and in the format of the gold. Documents are paired
with the gold's by their names.
JSON: one document a file, named after the file. Either
{"type": "clusters", "clusters": {"0": ["m1", "m2"], "1": ["m3"]}} or
{"type": "graph", "mentions": ["m1", "m2", "m3"], "links": [["m1", "m2"]]}.
CoNLL-2012 columns: documents between "#begin document (NAME); part 000" and "#end document", a token a line,
blank lines between sentences, and in the last column the entities that open or close: "(0", "0)", "(0)", "-".
CorefUD: CoNLL-U with "# newdoc id = NAME" and Entity=... in the tenth column.
A mention belongs to one entity. Columns need all tokens of the gold.
"""


def _configure(given: Mapping[str, object]) -> Options:
    """Beside the choices shown, `missing` may be "ignore", which the command scorch needs and no board should use."""
    if given.get("missing") != "ignore":
        return choose(_OPTIONS, given)
    options = choose(_OPTIONS, {key: value for key, value in given.items() if key != "missing"})
    if options["protocol"] == "reference":
        raise ConfigurationError("option missing: ignore needs the protocol scorch or scorch-functions")
    return {key: "ignore" if key == "missing" else value for key, value in options.items()}


def _example(options: Options) -> dict[str, bytes]:
    return {
        "auto": {"letter.json": _EXAMPLE_JSON},
        "json": {"letter.json": _EXAMPLE_JSON},
        "conll": {"letters.conll": _EXAMPLE_CONLL},
        "corefud": {"letters.conllu": _EXAMPLE_COREFUD},
    }[options["format"]]


_EXAMPLE_JSON = b'{"type": "clusters", "clusters": {"0": ["0-0", "2-2"], "1": ["2-3", "5-5"]}}\n'

_EXAMPLE_CONLL = b"""\
#begin document (letter); part 000
letter   0   0   Anna     NNP    (0)
letter   0   1   sees     VBZ    -
letter   0   2   her      PRP$   (1|(0)
letter   0   3   mother   NN     1)

letter   0   0   She      PRP    (1)
letter   0   1   waves    VBZ    -

#end document
"""

_EXAMPLE_COREFUD = b"""\
# newdoc id = letter
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tAnna\tAnna\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tsees\tsee\tVERB\t_\t_\t0\troot\t_\t_
3\ther\tshe\tPRON\t_\t_\t4\tnmod\t_\tEntity=(e2-person-2-(e1-person-1-)
4\tmother\tmother\tNOUN\t_\t_\t2\tobj\t_\tEntity=e2)

# sent_id = 2
1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t_\tEntity=(e2-person-1-)
2\twaves\twave\tVERB\t_\t_\t0\troot\t_\t_

"""

COREFERENCE = Family(
    name="coreference",
    title="Coreference: MUC, B³, CEAF, BLANC and the CoNLL average",
    unit=lambda options: ("document", "documents"),
    options=_OPTIONS,
    headline=lambda options: "conll_f1",
    score_titles={
        "conll_f1": "CoNLL average",
        **{
            f"{metric}_{part}": f"{_TITLES[metric]}, {_PART_TITLES[part]}"
            for metric in ALL_METRICS
            for part in ("f1", "recall", "precision")
        },
    },
    main_scores=("muc_f1", "b_cubed_f1", "ceaf_e_f1", "mention_f1"),
    kinds=KINDS,
    layout=_LAYOUT,
    example=_example,
    configure=_configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    unit_record=unit_record,
)
