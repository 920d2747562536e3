"""The eHealth-KD challenge: key phrases are matched first, then the relations between them."""

from scoring.families.ehealthkd.counting import count
from scoring.families.ehealthkd.inputs import input_keys, sample
from scoring.families.ehealthkd.options import OPTIONS, configure
from scoring.families.ehealthkd.scores import KINDS, metrics
from scoring.families.ehealthkd.tables import tables
from scoring.families.ehealthkd.wording import LAYOUT, SCORE_TITLES, TITLE, example
from scoring.family import Family
from scoring.readers.archive import open_files
from scoring.readers.ehealthkd import differing_texts, names, read_gold, read_system, scenarios

EHEALTHKD = Family(
    name="ehealthkd",
    title=TITLE,
    unit=lambda options: ("sentence", "sentences"),
    options=OPTIONS,
    headline=lambda options: "f1",
    score_titles=SCORE_TITLES,
    main_scores=("precision", "recall", "f1_a", "f1_b"),
    kinds=KINDS,
    layout=LAYOUT,
    example=example,
    configure=configure,
    read_gold=lambda files, options: read_gold(files, options["scenario"]),
    read_system=lambda files, gold, options: read_system(files, gold, options["scenario"]),
    count=count,
    metrics=metrics,
    tables=tables,
    has_files=lambda path, options: options["scenario"] in scenarios(open_files(path)),
    item_tables=("phrases", "relations"),
    gold_remarks=lambda files, options: differing_texts(files, options["scenario"]),
    file_names=lambda options: names(options["scenario"]),
    sample=sample,
    input_keys=input_keys,
)
