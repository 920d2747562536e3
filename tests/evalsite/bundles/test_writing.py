"""A bundle has all of a task, is the same for the same task, and is never held in memory."""

import hashlib
import io
import zipfile

import pytest
import yaml
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command

from evalsite.bundles.format import FIELDS
from evalsite.bundles.writing import Bundle, with_digests
from evalsite.challenges.models import Download, Phase, Scenario, Task
from evalsite.challenges.storage.zip_streams import CHUNK, zipped
from evalsite.desk.making.cloning import COPIED
from evalsite.submissions.models import Submission
from tests.evalsite.bundles.whole_task import make_whole_task
from tests.evalsite.desk.making.test_cloning import STAY_BEHIND

# Each with its reason: a column of these models that is neither here nor in a bundle is one that nobody thought of.
OF_THE_NEW_ROW = {"id", "task", "phase", "scenario", "decided_by", "position", "version", "file_name"}
OF_WHO_IMPORTS = {"created", "created_by", "by", "published_by", "uploader", "team"}
MADE_FROM_THE_REST = {"sha256", "digest", "n_units", "size", "engine", "engine_since", "engine_note", "keeps", "basis"}
MADE_FROM_THE_REST |= {
    "judge_name",
    "judge_version",
    "made",
    "board",
    "candidate_engine",
    "n_other_units",
    "revision",
    "news",
    "split",
    "terms_version",
}
OF_THIS_SITE = {"house", "is_published", "publish_at", "archived", "secret", "entered_with"}
OF_RUNS_OF_TEAMS = {"is_late", "is_reported", "is_sample", "allowance", "is_beyond_limit"}
OF_RUNS_OF_TEAMS |= {"withdrawn", "withdrawn_by", "withdrawn_as", "withdrawn_reason"}


@pytest.fixture
def whole(olga, team) -> Task:
    return make_whole_task(olga)


def contents(task: Task) -> dict[str, bytes]:
    return {path: b"".join(chunks) for path, chunks in with_digests(Bundle(task).members())}


def test_each_column_of_a_task_is_in_a_bundle_or_known_to_stay_out():
    out = OF_THE_NEW_ROW | OF_WHO_IMPORTS | MADE_FROM_THE_REST | OF_THIS_SITE | OF_RUNS_OF_TEAMS
    for model, named in FIELDS.items():
        names = {field.name for field in model._meta.get_fields() if field.concrete and not field.many_to_many}
        assert names - set(named) <= out, model
        assert set(named) <= names, model


@pytest.mark.thorough
def test_a_bundle_has_all_that_a_clone_has():
    for model, copied in COPIED.items():
        ours = {*FIELDS[model], "position", "file_name", "sha256", "digest", "n_units", "size"}
        assert set(copied) <= ours, model


def test_each_model_that_leads_to_a_task_is_in_a_bundle_or_known_to_stay_out():
    leading = {each.related_model for model in (Task, Phase, Scenario) for each in model._meta.related_objects}
    assert {model.__name__ for model in leading - FIELDS.keys()} == STAY_BEHIND - {"Announcement", "Submission"}


def test_the_settings_say_all_that_is_not_usual(whole):
    settings = yaml.safe_load(contents(whole)["task.yaml"])
    assert settings["title"] == whole.title
    assert settings["description"] == "texts/description.es.md"
    assert "publish_at" not in settings
    test = settings["phases"][1]
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
