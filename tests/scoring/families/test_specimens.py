"""The small made-up evaluations say the same in each of the formats that a family offers them in."""

import json

import pytest

import scoring
from scoring.cli.main import main
from scoring.families.parts import for_part
from scoring.readers.archive import Made
from tests.which_task import shared_tasks

ENTITIES = {"scores": '[{"name": "ner"}]'}


def evaluated(family: str, options: dict[str, str], side: str = "run") -> scoring.Evaluation:
    record = for_part(scoring.FAMILIES[family], options)
    small = record.offer.specimen(record.configure(options))
    return scoring.evaluate(family, gold=Made(small.gold), system=Made(getattr(small, side)), options=options)


@pytest.mark.parametrize(
    ("family", "formats", "options"),
    [
        ("coreference", ["json", "conll", "corefud"], {}),
        ("spacy", ["jsonl", "conllu", "columns"], ENTITIES),
        ("ehealthkd", ["2019", "2020", "2021"], {"scenario": "1"}),
        ("mat", ["mat-json", "table"], {"content_annotations": "PER,LOC"}),
    ],
)
def test_a_run_is_worth_the_same_in_each_format(family, formats, options):
    key = {"ehealthkd": "rules", "mat": "system_format"}.get(family, "format")
    found = [evaluated(family, options | {key: form}) for form in formats]
    assert len({round(each.scores[each.headline], 12) for each in found}) == 1
    assert 0 < found[0].scores[found[0].headline] < 1


@pytest.mark.parametrize("form", ["qac", "trec", "squad"])
def test_the_answers_of_each_format_are_partly_right(form):
    found = evaluated("qac", {"format": form})
    assert 0 < found.scores[found.headline] < 100


@pytest.mark.parametrize("scenario", ["1", "2", "3"])
def test_each_scenario_has_a_run_with_mistakes(scenario):
    found = evaluated("ehealthkd", {"scenario": scenario})
    assert 0 < found.scores[found.headline] < 1


def test_a_ranking_has_no_more_documents_than_the_options_let_through():
    ranking = scoring.FAMILIES["ranking"]
    run = ranking.offer.specimen(ranking.configure({"depth": "2"})).run["run.txt"].splitlines()
    assert len(run) == 10
    assert evaluated("ranking", {"depth": "2"}).scores["map"] < evaluated("ranking", {}).scores["map"]


@pytest.mark.parametrize("shared", shared_tasks(), ids=lambda each: f"{each['name']}, {each['about']}")
def test_the_options_of_a_shared_task_have_an_example_with_mistakes_and_a_sample_that_is_valid(shared, tmp_path):
    family, options = shared["family"], shared["options"]
    record = for_part(scoring.FAMILIES[family], options)
    configured = record.configure(options)
    small = Made(record.offer.specimen(configured).gold)
    as_submission = record.files.gold_as_submission
    perfect = Made((as_submission and as_submission(small, configured)) or small)
    best, run = scoring.evaluate(family, gold=small, system=perfect, options=options), evaluated(family, options)
    assert run.scores[run.headline] not in (None, best.scores[best.headline])
    for side in ("inputs", "sample"):
        for path, content in getattr(record.files, side)(small, configured).items():
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / path).write_bytes(content)
    typed = [f"-o{key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in options.items()]
    assert main(["check", family, f"--input={tmp_path}/inputs", f"--system={tmp_path}/sample", *typed]) == 0


NEWER = {
    "labels": ("hierarchy", "group_accuracy", "group_error", "original", "second", "shares", "threshold"),
    "numbers": ("group_correlations", "systems"),
    "ranking": ("measures", "persistence", "items"),
    "text": ("source_column",),
}


@pytest.mark.parametrize("family", NEWER)
def test_a_result_of_before_an_option_still_has_its_scores_and_pages_of_units(family):
    found, record = evaluated(family, {}), scoring.FAMILIES[family]
    before = {key: value for key, value in found.options.items() if key not in NEWER[family]}
    assert {*record.titles(before)} == {*found.scores}
    scores = record.metrics(found.rows.sum(axis=0), before)
    assert scores == {name: pytest.approx(found.scores[name]) for name in scores}
    small = record.offer.specimen(found.options)
    assert record.views.unit_record(small.gold, small.run, found.units[0], before)


@pytest.mark.parametrize("family", ["labels", "numbers"])
@pytest.mark.parametrize("options", [{"gold_format": "lines"}, {"gold_format": "tsv", "quotes": "no", "text": "text"}])
def test_a_run_is_checked_beside_the_input_of_a_gold_without_ids_or_quotes(family, options):
    record = scoring.FAMILIES[family]
    configured = record.configure(options | {"format": options["gold_format"]})
    small = record.offer.specimen(configured)
    gold = record.files.gold_of_inputs(Made(record.files.inputs(Made(small.gold), configured)), configured)
    assert scoring.check(family, gold=Made(gold), system=Made(small.run), options=configured) == []
