"""A bundle takes no value into a row that the model of the row refuses, whichever field it is."""

from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
import yaml
from django.db import models

from evalsite.base.fields import MomentField
from evalsite.challenges.models import Task
from evalsite.contrib.bundles.format import FIELDS, fields_of, is_in_a_file
from evalsite.contrib.bundles.importing import import_bundle
from evalsite.contrib.bundles.problems import BundleError
from evalsite.contrib.bundles.writing import Bundle
from tests.archives import zip_of
from tests.evalsite.test_bounds import CLEAN, DIRTY, bad_values, ids
from tests.whole_task import make_whole_task


@pytest.mark.parametrize("model", FIELDS, ids=lambda model: model.__name__)
def test_the_moments_of_a_bundle_are_bounded(model):
    moments = [field for field in fields_of(model) if isinstance(field, models.DateTimeField)]
    assert [field for field in moments if not isinstance(field, MomentField)] == []


@pytest.fixture(scope="module")
def written() -> dict[str, bytes]:
    """The bundle's members, once a test has written them: the task that they are of goes with its transaction."""
    return {}


@pytest.fixture
def members(olga, team, written) -> dict[str, bytes]:
    if not written:
        written |= {path: b"".join(chunks) for path, chunks in Bundle(make_whole_task(olga)).members()}
    return written


def rows_of(settings: dict, model) -> list[dict]:
    """The objects of the settings that become rows of the model."""
    phases = settings["phases"]
    golds = [gold for phase in phases for gold in phase.get("gold", [])]
    found = {
        "Task": [settings],
        "Phase": phases,
        "Gold": golds,
        "GoldSplit": [gold["split"] for gold in golds if "split" in gold],
        "Submission": [run for phase in phases for run in phase.get("runs", [])],
        "Combined": [phase["combined"] for phase in phases if "combined" in phase],
        "EntryRules": [settings["entry_rules"]] if "entry_rules" in settings else [],
        "FactSheet": [settings["fact_sheet"]] if "fact_sheet" in settings else [],
    }
    return found.get(model.__name__) or settings.get(f"{model.__name__.lower()}s", [])


def as_yaml(value):
    if isinstance(value, timedelta):
        return f"{value.days} 00:00:00"
    return f"{value:%Y-%m-%d %H:%M:%S}Z" if isinstance(value, datetime) else value


# Of a bundle all of them, also what no form has, such as when a run came.
NO_ROWS = {"GoldSplit"}  # the gold of the task of these tests is whole
IN_BUNDLES = [
    (model, field)
    for model in FIELDS
    for field in fields_of(model)
    if model.__name__ not in NO_ROWS and any(True for _ in bad_values(field))
]


@pytest.mark.django_db
@pytest.mark.parametrize(("model", "field"), IN_BUNDLES, ids=ids(IN_BUNDLES))
def test_a_bundle_with_a_bad_value_is_refused_with_its_line(model, field, members, olga, tmp_path):
    for value in bad_values(field):
        settings = yaml.safe_load(members["task.yaml"])
        changed = dict(members)
        if is_in_a_file(model, field):
            rows_of(settings, model)[0][field.name] = "bad.md"
            changed["bad.md"] = str(value).encode()
        else:
            rows_of(settings, model)[0][field.name] = as_yaml(value)
        changed["task.yaml"] = yaml.safe_dump(settings, width=10**6).encode()
        changed.pop("digests.sha256", None)
        path = Path(tmp_path, f"{uuid4()}.zip")
        path.write_bytes(zip_of(changed))
        n_before = Task.objects.count()
        with pytest.raises(BundleError) as caught:
            import_bundle(path, "hunt.zip", by=olga)
        assert any(problem.line and str(problem.message).startswith(field.name) for problem in caught.value.problems)
        assert Task.objects.count() == n_before


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("2026-09-15", "9999-12-31", "Test: opens: The year 9999 is out of range: it can be from 1990 to 2100."),
        ("2026-09-15", "1066-10-14", "Test: opens: The year 1066 is out of range"),
    ],
)
def test_a_competition_with_a_bad_value_is_refused(before, after, told, olga, tmp_path):
    text = "title: Boats\nphases:\n- {name: Test, start: 2026-09-15}\n".replace(before, after)
    path = tmp_path / "boats.zip"
    path.write_bytes(zip_of({"competition.yaml": text}))
    with pytest.raises(BundleError, match=told):
        import_bundle(path, "boats.zip", by=olga, use="text-classification")


@pytest.mark.django_db
def test_names_of_a_competition_are_clean(olga, tmp_path):
    dirty = yaml.safe_dump(DIRTY.replace("\r\n", " "), width=10**6, allow_unicode=False).splitlines()[0]
    path = tmp_path / "boats.zip"
    path.write_bytes(zip_of({"competition.yaml": f"title: {dirty}\nphases:\n- {{start: 2026-09-15, name: {dirty}}}\n"}))
    task = import_bundle(path, "boats.zip", by=olga, use="text-classification").task
    assert (task.title, task.phases.get().name) == (CLEAN, CLEAN)
