"""The eHealth-KD challenge: key phrases are matched first, then the relations between them."""

from scoring import lazy
from scoring.families.ehealthkd.counting import count, fold_labels
from scoring.families.ehealthkd.inputs import gold_of_inputs, input_keys, inputs, sample
from scoring.families.ehealthkd.options import OPTIONS, configure, pairing_of
from scoring.families.ehealthkd.scores import KINDS, metrics
from scoring.families.ehealthkd.specimen import example, specimen
from scoring.families.ehealthkd.tables import BEHIND, COLUMNS, EVIDENCE, tables
from scoring.families.ehealthkd.view import unit_record
from scoring.families.ehealthkd.wording import (
    GOLD_LAYOUT,
    LAYOUT,
    SCORE_TITLES,
    TITLE,
    USES,
    count_titles,
    repeated_scores,
)
from scoring.family import ANNOTATION, CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views
from scoring.messages import Message
from scoring.readers.archive import open_files
from scoring.readers.ehealthkd import names, read_gold, read_system, scenarios

_differing_texts = lazy.late("scoring.readers.ehealthkd.gold_texts", "differing_texts")

EHEALTHKD = Family(
    name="ehealthkd",
    title=TITLE,
    unit=lambda options: Message.noun("sentence", "sentences"),
    options=OPTIONS,
    headline=lambda options: "f1",
    score_titles=SCORE_TITLES,
    main_scores=("precision", "recall", "f1_a", "f1_b"),
    kinds=KINDS,
    layout=LAYOUT,
    example=example,
    configure=configure,
    read_gold=lambda files, options: read_gold(files, options["scenario"], pairing_of(options), options["rules"]),
    read_system=lambda files, gold, options: read_system(
        files, gold, options["scenario"], pairing_of(options), options["rules"]
    ),
    count=count,
    metrics=metrics,
    tables=tables,
    offer=Offer(
        uses=USES,
        area=ANNOTATION,
        gold_layout=GOLD_LAYOUT,
        specimen=specimen,
        gold_remarks=lambda files, options: _differing_texts(files, options["scenario"], options["rules"]),
    ),
    files=FileSteps(
        has_files=lambda path, options: options["scenario"] in scenarios(open_files(path), options["rules"]),
        file_names=lambda options: names(options["scenario"], options["rules"]),
        sample=sample,
        inputs=inputs,
        gold_of_inputs=gold_of_inputs,
        input_keys=input_keys,
    ),
    scores=ScoreNotes(repeated_scores=repeated_scores),
    counts=CountNotes(
        mistakes=("incorrect_A", "missing_A", "spurious_A", "missing_B", "spurious_B"),
        count_titles=count_titles,
        totals=lambda options: {kind: (place,) for place, kind in enumerate(KINDS)},
    ),
    table_notes=TableNotes(
        fold_labels=fold_labels,
        item_tables=("phrases", "relations"),
        confusions={"label_confusion": ("gold", "system")},
        behind=lambda table: BEHIND.get(table, {}),
        columns=COLUMNS,
    ),
    evidence=EVIDENCE,
    views=Views(
        unit_record=unit_record,
        unit_texts=lambda tables: {f"sentence {row['sentence']}": row["text"] for row in tables.get("sentences", [])},
        contents=lazy.late("scoring.families.ehealthkd.contents", "contents"),
        repairs=lazy.late("scoring.families.ehealthkd.repairs", "repairs"),
    ),
)
