"""describe() and read_against(): what was read of a run, and what looks odd about it, before anything is scored.

The engine reads, the family gives `Contents` of it, and `scoring/describing/` says what these are.
"""

from collections.abc import Mapping
from dataclasses import replace

from scoring.describing.contents import Contents
from scoring.describing.describe import described
from scoring.describing.description import Description
from scoring.engine import family_of, read_sides
from scoring.errors import problems_of_gold
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive import Files, Made, Source, open_files

_NEEDS_GOLD = {"layer", "case", "labels", "direction"}
_NAMES_OF_GOLD = "ids-look-otherwise"  # what names look like of which only the gold has some, such as documents


def describe(
    family: str,
    *,
    gold: Source,
    system: Source,
    options: Mapping[str, object] | None = None,
    drop_marks: bool = False,
    gold_is_open: bool = False,
    hides_labels: bool = False,
) -> Description:
    """Return what was read of the system's files, and what looks odd about it, with the same arguments as `evaluate`.

    Of the gold nothing is looked at but what participants have, so that the answer may be shown to them: its texts,
    ids and labels, and never where annotations stand or how many there are.

    Where `gold_is_open` to everybody, its annotations are looked at too: for rows that slipped, texts out of order and
    numbers with the sign turned.

    With `hides_labels` not even its labels are, but those that the options name: for strangers, who get no tables.

    Raises what `evaluate` raises while it reads: SubmissionError, GoldError, ConfigurationError.
    """
    sides = read_sides(family, gold, system, options, drop_marks=drop_marks, hides_labels=hides_labels)
    make = sides.family.views.contents
    if make is None:
        return Description(Message("all-read", "All files were read."), {})
    contents: Contents = make(sides.system_files, sides.gold, sides.system, sides.options)
    return described(contents, gold_is_open=gold_is_open, hides_labels=hides_labels)


def read_against(
    family: str,
    *,
    inputs: Source,
    system: Source,
    options: Mapping[str, object] | None = None,
    drop_marks: bool = False,
) -> Description:
    """Return what was read of the system's files beside the input that participants are given, where there is no gold.

    It knows formats, and the sentences, documents or questions; not labels, nor what else the gold alone can tell: so
    what is odd about these is left out, and the site's own check may find more.

    Raises SubmissionError for problems of the system's, GoldError for those of the input.
    """
    blank = blank_gold(family, inputs, options, drop_marks=drop_marks)
    return without_gold(describe(family, gold=blank, system=system, options=options, drop_marks=drop_marks))


def blank_gold(
    family: str, inputs: Source, options: Mapping[str, object] | None = None, *, drop_marks: bool = False
) -> Files:
    """Return a gold without any answer, made of the input that participants are given; raise GoldError."""
    record = family_of(family, options or {})
    with problems_of_gold():
        files = open_files(inputs, drop_marks=drop_marks)
        make = record.files.gold_of_inputs
        return Made(make(files, record.configure(options or {}))) if make else files


def without_gold(description: Description) -> Description:
    """Return what was read beside a blank gold, without what only a gold with answers can tell."""
    oddities = [oddity for oddity in description.oddities if not _needs_gold(oddity)]
    return replace(description, oddities=oddities)


def _needs_gold(oddity: Finding) -> bool:
    return oddity.kind in _NEEDS_GOLD or getattr(oddity.message, "kind", "") == _NAMES_OF_GOLD
