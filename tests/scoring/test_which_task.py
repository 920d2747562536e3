"""The options of docs/which-task.md read shared tasks' own files, as they come or as the row says."""

import pytest

import scoring
from scoring.readers.archive import Made
from tests.which_task import shared_tasks
from tests.which_task_layouts import LAYOUTS

ROWS = {(shared["name"], shared["about"]): shared for shared in shared_tasks()}
TEXT = {"case-1.txt": b"flu and so on"}
ERRORS = ("group_error", "joint_rmse", "mae", "manhattan", "rmse", "wasserstein")


def test_each_row_has_a_line_of_its_tasks_own_files():
    assert ROWS.keys() == LAYOUTS.keys()


@pytest.mark.parametrize("key", LAYOUTS, ids=", ".join)
def test_a_line_of_the_tasks_own_files_is_read_and_scored(key):
    shared, (gold, run) = ROWS[key], LAYOUTS[key]
    found = scoring.evaluate(shared["family"], gold=_made(gold), system=_made(run), options=shared["options"])
    # Both sides are equal, but for exchanged arguments, and rankings with mistakes; some scores have no mark for that.
    if found.headline not in ("cross_entropy", "dcg", "icm", "icm_soft", "map", "mrr", "sari"):
        best = 100 if shared["family"] == "text" and found.headline != "meteor" else 1
        assert found.scores[found.headline] == pytest.approx(0 if found.headline in ERRORS else best, abs=0.2)
    assert found.scores[found.headline] is not None


def _made(side):
    """Return the files of a side, with the text of a table of entities."""
    files = side if isinstance(side, dict) else dict([side])
    texts = TEXT if any(text.startswith("filename") for text in files.values()) else {}
    return Made({name: text.encode() for name, text in files.items()} | texts)


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
