"""A bundle has all of a task, is the same for the same task, and is never held in memory."""

import hashlib
import io
import re
import zipfile

import pytest
import yaml
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command

from evalsite.challenges.models import Download, GoldSplit, Task
from evalsite.challenges.storage.zip_streams import CHUNK, zipped
from evalsite.contrib.bundles.format import FIELDS, LEFT_OUT, default_of, fields_of
from evalsite.contrib.bundles.writing import Bundle, with_digests
from evalsite.desk.making.cloning import COPIED
from evalsite.submissions.models import Submission
from tests.evalsite.desk.making.test_cloning import STAY_BEHIND, leading_models
from tests.forgotten import assert_all_are_listed
from tests.whole_task import make_whole_task

# What judged scenarios, classes, parts of gold and inputs have; none of it goes with the rest.
NOT_IN_THE_WHOLE_TASK = {
    *("Scenario.takes_reports", "Scenario.is_judged", "Scenario.judge_days"),
    *("Task.is_class", "Gold.part", "Gold.is_input"),
}


@pytest.fixture
def whole(olga, team) -> Task:
    return make_whole_task(olga)


def contents(task: Task) -> dict[str, bytes]:
    return {path: b"".join(chunks) for path, chunks in with_digests(Bundle(task).members())}


def test_a_bundle_leaves_out_no_column_that_is_there_no_more():
    for model, left in LEFT_OUT.items():
        assert left <= {field.name for field in model._meta.concrete_fields}, model


@pytest.mark.parametrize("model", FIELDS, ids=lambda model: model.__name__)
def test_a_bundle_has_values_alone(model):
    """A new column that leads to another row has to be left out, and said by a key of its own."""
    assert [field.name for field in fields_of(model) if field.is_relation] == []


def test_each_field_of_a_bundle_is_described():
    text = (settings.BASE_DIR / "docs" / "bundle.md").read_text(encoding="utf-8")
    fields = [(model.__name__, name) for model, names in FIELDS.items() for name in names]
    left_out = sorted(f"{model}.{name}" for model, name in fields if not re.search(rf"\b{name}\b", text))
    assert left_out == [], "add it to the keys in docs/bundle.md"


def test_the_task_that_comes_back_the_same_has_every_field_set(whole):
    unset = {
        f"{model.__name__}.{field.name}"
        for model in FIELDS.keys() - {GoldSplit}  # its gold is whole
        for field in fields_of(model)
        if all(getattr(row, field.attname) == default_of(field) for row in model._default_manager.all())
    }
    assert_all_are_listed(unset, NOT_IN_THE_WHOLE_TASK, "give it a value in tests/whole_task.py")


@pytest.mark.thorough
def test_a_bundle_has_all_that_a_clone_has():
    for model, copied in COPIED.items():
        ours = {*FIELDS[model], "position", "file_name", "sha256", "digest", "n_units", "size"}
        assert set(copied) <= ours, model


def test_each_model_that_leads_to_a_task_is_in_a_bundle_or_known_to_stay_out():
    staying = {model.__name__ for model in leading_models() - FIELDS.keys()}
    where = "add it to FIELDS in evalsite/contrib/bundles/format.py, or to STAY_BEHIND if it tells what people did"
    assert_all_are_listed(staying, STAY_BEHIND - {"Announcement", "Submission"}, where)


def test_the_settings_say_all_that_is_not_usual(whole):
    said = yaml.safe_load(contents(whole)["task.yaml"])
    assert said["title"] == whole.title
    assert said["description"] == "texts/description.es.md"
    assert "publish_at" not in said
    test = said["phases"][1]
    assert test["closes"].isoformat() == whole.phases.get(slug="test").closes.isoformat()
    assert (test["window_limit"], test["decided_by"], test["combined"]["missing"]) == (None, 1, "last")
    assert [gold["file"] for gold in test["gold"]] == ["gold/dev/1/v1/gold.zip"] * 2  # the same file
    assert [(run["reference"], run["scenarios"]) for run in test["runs"]] == [("baseline", [1])]


def test_equal_tasks_have_equal_bundles_and_their_digests_are_those_of_sha256sum(whole):
    found = contents(whole)
    assert found == contents(Task.objects.get(pk=whole.pk))
    assert found["texts/description.es.md"] == whole.description.encode()
    lines = found.pop("digests.sha256").decode().splitlines()
    assert lines == [f"{hashlib.sha256(content).hexdigest()}  {path}" for path, content in found.items()]
    archive = b"".join(zipped(with_digests(Bundle(whole).members())))
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert {path: opened.read(path) for path in opened.namelist() if path != "digests.sha256"} == found
        assert opened.testzip() is None


@pytest.mark.thorough
def test_trials_and_withdrawn_runs_stay_out(whole):
    Submission.objects.update(reference="trial")
    assert not [path for path in contents(whole) if path.startswith("runs/")]


@pytest.mark.thorough
def test_a_large_file_comes_in_chunks(whole):
    file = ContentFile(bytes(20 * CHUNK), "large.zip")
    Download.objects.create(task=whole, title="Large", file=file)
    assert max(map(len, zipped(with_digests(Bundle(whole).members())))) < 2 * CHUNK


@pytest.mark.thorough
def test_the_command_writes_a_bundle_and_never_over_a_file(whole, tmp_path, capsys):
    call_command("exporttask", "hunt-2026", str(tmp_path / "hunt.zip"))
    assert "hunt.zip: 17 files" in capsys.readouterr().out
    assert (tmp_path / "hunt.zip").stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError, match="is there already"):
        call_command("exporttask", "hunt-2026", str(tmp_path / "hunt.zip"))
    with pytest.raises(CommandError, match="no task hunt-2027"):
        call_command("exporttask", "hunt-2027", str(tmp_path / "other.zip"))
    gold = whole.phases.get(slug="dev").golds.earliest("scenario__number")
    gold.file.storage.delete(gold.file.name)
    with pytest.raises(CommandError, match="not stored any more: gold/dev/"):
        call_command("exporttask", "hunt-2026", str(tmp_path / "other.zip"))
    assert [path.name for path in tmp_path.glob("*.zip")] == ["hunt.zip"]
