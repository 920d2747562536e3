"""The options of docs/which-task.md read shared tasks' own files, as they come or as the row says."""

import pytest

import scoring
from scoring.readers.archive import Made
from tests.which_task import shared_tasks
from tests.which_task_layouts import LAYOUTS

ROWS = {(shared["name"], shared["about"]): shared for shared in shared_tasks()}
TEXT = {"case-1.txt": b"flu and so on"}


@pytest.mark.parametrize("key", LAYOUTS, ids=", ".join)
def test_a_line_of_the_tasks_own_files_is_read_and_scored(key):
    shared, (gold, run) = ROWS[key], LAYOUTS[key]
    family = scoring.FAMILIES[shared["family"]]
    texts = TEXT if gold[1].startswith("filename") else {}
    found = scoring.evaluate(
        family.name,
        gold=Made({gold[0]: gold[1].encode()} | texts),
        system=Made({run[0]: run[1].encode()}),
        options=shared["options"],
    )
    # Both sides are equal, but for exchanged arguments, and a ranking with a mistake.
    errors = ("joint_rmse",)
    if found.headline not in ("dcg", "map", "icm_soft", "mrr"):
        best = 0 if found.headline in errors else 100 if shared["family"] == "text" else 1
        assert found.scores[found.headline] == pytest.approx(best, abs=0.2)
    assert found.scores[found.headline] is not None


def test_the_control_set_of_variants_is_the_rows_without_a_kind():
    shared = ROWS["SemEval-2024 task 2", "inference on clinical trials, F1"]
    (name, gold), (run_name, run) = LAYOUTS["SemEval-2024 task 2", "inference on clinical trials, F1"]
    found = scoring.evaluate(
        "labels", gold=Made({name: gold.encode()}), system=Made({run_name: run.encode()}), options=shared["options"]
    )
    assert (found.units, found.counts["items"], found.counts["ignored_rows"]) == (["u-1"], 1, 2)


def test_the_roles_of_arguments_say_nothing_where_their_order_does_not():
    shared = ROWS["DrugProt 2021", "relations of chemicals and genes, as its data are used today"]
    (name, gold), (run_name, run) = LAYOUTS[
        "DrugProt 2021", "relations of chemicals and genes, as its data are used today"
    ]
    sides = {"gold": Made({name: gold.encode()}), "system": Made({run_name: run.encode()})}
    assert scoring.evaluate("mat", **sides, options=shared["options"]).scores["f1"] == 1
    kept = shared["options"] | {"field_order": "kept"}
    assert scoring.evaluate("mat", **sides, options=kept).scores["f1"] == 0.5
