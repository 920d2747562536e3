"""The eHealth-KD challenge: key phrases are matched first, then the relations between them."""

from scoring.families.ehealthkd.by_rules import (
    count_by_rules,
    fold_labels_by_rules,
    gold_remarks,
    kinds_by_rules,
    metrics_by_rules,
    read_gold_by_rules,
    read_system_by_rules,
    tables_by_rules,
    totals_by_rules,
    unit_record_by_rules,
)
from scoring.families.ehealthkd.contents import contents
from scoring.families.ehealthkd.inputs import gold_of_inputs, input_keys, inputs, sample
from scoring.families.ehealthkd.options import OPTIONS, configure
from scoring.families.ehealthkd.repairs import repairs
from scoring.families.ehealthkd.scores import KINDS
from scoring.families.ehealthkd.specimen import example, specimen
from scoring.families.ehealthkd.tables import BEHIND
from scoring.families.ehealthkd.wording import (
    GOLD_LAYOUT,
    LAYOUT,
    SCORE_TITLES,
    TITLE,
    USES,
    count_titles,
    repeated_scores,
    titles_with,
)
from scoring.family import ANNOTATION, CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views
from scoring.messages import Message
from scoring.readers.archive import open_files
from scoring.readers.ehealthkd import names, scenarios

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
    read_gold=read_gold_by_rules,
    read_system=read_system_by_rules,
    count=count_by_rules,
    metrics=metrics_by_rules,
    tables=tables_by_rules,
    offer=Offer(uses=USES, area=ANNOTATION, gold_layout=GOLD_LAYOUT, specimen=specimen, gold_remarks=gold_remarks),
    files=FileSteps(
        has_files=lambda path, options: options["scenario"] in scenarios(open_files(path), options["rules"]),
        file_names=lambda options: names(options["scenario"], options["rules"]),
        sample=sample,
        inputs=inputs,
        gold_of_inputs=gold_of_inputs,
        input_keys=input_keys,
    ),
    scores=ScoreNotes(titles_with=titles_with, repeated_scores=repeated_scores),
    counts=CountNotes(
        kinds_with=kinds_by_rules,
        mistakes=("incorrect_A", "missing_A", "spurious_A", "missing_B", "spurious_B"),
        count_titles=count_titles,
        totals=totals_by_rules,
    ),
    table_notes=TableNotes(
        fold_labels=fold_labels_by_rules,
        item_tables=("phrases", "relations"),
        confusions={"label_confusion": ("gold", "system")},
        behind=lambda table: BEHIND.get(table, {}),
    ),
    views=Views(
        unit_record=unit_record_by_rules,
        unit_texts=lambda tables: {f"sentence {row['sentence']}": row["text"] for row in tables.get("sentences", [])},
        contents=contents,
        repairs=repairs,
    ),
)
