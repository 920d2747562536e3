"""A draft that began as an example becomes one's own: options stay open, own gold ranks at once, own runs fit it."""

import re
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, Phase, Scenario, Task
from evalsite.challenges.soft_drafts import is_soft
from evalsite.desk.making.shared_tasks import shared_events
from evalsite.desk.making.templates import packed, specimen_of, templates
from evalsite.submissions.models import Scoring, Submission
from scoring.family import Specimen
from tests.factories import make_gold, make_run, run_files, scored, work_off
from tests.forms import filled

pytestmark = pytest.mark.django_db
NEW = "/organise/new/"


def offers() -> Iterator[pytest.param]:
    """Yield one offer of each family, and all others for --thorough."""
    families = set()
    uses = [("template", way.use.key, way.family.name) for way in templates()]
    shared = [("shared", task.key, task.family) for event in shared_events() for task in event.tasks]
    for kind, key, family in (*uses, *shared):
        yield pytest.param(kind, key, id=key, marks=[pytest.mark.thorough] if family in families else [])
        families.add(family)


@pytest.mark.parametrize(("kind", "key"), [*offers()])
def test_each_offer_becomes_ones_own_task_in_six_steps(as_olga, kind, key):
    as_olga.post(NEW, {kind: key})  # 1
    task, scenario = Task.objects.get(), Scenario.objects.get()
    specimen = specimen_of(scenario)
    do_all_work()
    renamed = with_other_ids(scenario, specimen)
    edit = reverse("desk_scenarios_edit", args=[task.slug, 1])
    sent = {"option_id": "own id"} if renamed else {}
    assert as_olga.post(edit, filled(as_olga.get(edit), "scenario_form", **sent)).status_code == 302  # 2
    assert as_olga.post(reverse("desk", args=[task.slug]), {"remove": "example"}).status_code == 302  # 3
    assert not Gold.objects.exists()
    assert not Submission.objects.exists()
    assert not task.downloads.exists()
    specimen = renamed or specimen
    assert add_gold(as_olga, task, specimen.gold) == "published"  # 4
    run = {"output.txt": b"What a system wrote."} if scenario.is_judged else specimen.run
    upload_own_run(as_olga, task, run)  # 5 and 6
    scoring = Scoring.objects.get()
    if scenario.is_judged:
        assert scoring.awaits_judge
    else:
        do_all_work()
        scoring.refresh_from_db()
        assert scoring.state == "scored", scoring.problems


def do_all_work() -> None:
    """Do all jobs, and score all that is queued."""
    work_off()
    for run in Submission.objects.all():
        scored(run)


def with_other_ids(scenario: Scenario, specimen: Specimen) -> Specimen | None:
    """Return the evaluation with another name of the column of ids; None where it has no such column."""
    column = scenario.configured.get("id")
    if not isinstance(column, str) or not column or "," in column:
        return None
    header = re.compile(rb"(?m)\A((?:[^\n]*[,\t])?)%b(?=[,\t\n])" % re.escape(column.encode()))
    parts = [{path: header.sub(rb"\1own id", text) for path, text in part.items()} for part in vars(specimen).values()]
    is_whole = all(b"own id" in text.split(b"\n")[0] for part in parts for text in part.values())
    return Specimen(*parts) if is_whole else None


def add_gold(client, task: Task, files: dict[str, bytes]) -> str:
    name, content = packed(files, "own-gold")
    page = client.post(
        reverse("desk_gold_add", args=[task.slug, "test"]),
        {"file": SimpleUploadedFile(name, content), "note": "Ours."},
        follow=True,
    )
    if "take" in page.content.decode():  # something looks odd in so little gold
        client.post(page.redirect_chain[-1][0], {"take": "yes"})
    return Gold.objects.latest("version").state


def upload_own_run(client, task: Task, files: dict[str, bytes]) -> None:
    """Upload it as organisers do, and once more with "anyway" where something about so small a run is odd."""
    address = reverse("desk_runs_add", args=[task.slug, "test"])
    for more in ({}, {"anyway": "yes"}):
        sent = [SimpleUploadedFile(path, content) for path, content in files.items()]
        answer = client.post(address, {"method": "Ours", "reference": "baseline", "files": sent, **more})
        if answer.status_code == 302:
            return
    raise AssertionError(answer.content.decode())


def test_own_gold_replaces_the_examples_at_once_and_takes_its_run_with_it(as_olga):
    as_olga.post(NEW, {"template": "key-phrases"})
    task, phase = Task.objects.get(), Phase.objects.get()
    scored(Submission.objects.get())
    own = make_gold(phase, task.scenarios.get())
    assert own.state == Gold.State.PUBLISHED
    assert list(Gold.objects.all()) == [own]
    assert not Submission.objects.exists()
    do_all_work()
    upload_own_run(as_olga, task, {path: text.encode() for path, text in run_files(scenarios=(2,)).items()})
    do_all_work()
    assert Scoring.objects.get().state == "scored"


def test_the_size_of_own_gold_is_not_compared_with_the_examples(as_olga):
    as_olga.post(NEW, {"template": "text-classification"})
    task = Task.objects.get()
    address = reverse("desk_gold_add", args=[task.slug, "test"])
    page = as_olga.post(address, {"file": SimpleUploadedFile("gold.csv", b"id,label\na,x\nb,y\n")}, follow=True)
    assert "It has 2 items. With fewer than 20" in page.content.decode()


def test_a_run_of_the_organisers_own_that_met_the_examples_gold_is_scored_on_theirs(as_olga, olga):
    as_olga.post(NEW, {"template": "key-phrases"})
    task, phase = Task.objects.get(), Phase.objects.get()
    upload_own_run(as_olga, task, specimen_of(task.scenarios.get()).run)
    do_all_work()
    own = make_gold(phase, task.scenarios.get())
    do_all_work()
    run = Submission.objects.get()
    assert (run.method, run.scorings.get().gold) == ("Ours", own)
    assert run.scorings.get().state == "refused"  # its sentences are those of the example


def test_new_options_score_the_example_anew_where_it_fits_and_remove_it_where_it_does_not(as_olga):
    as_olga.post(NEW, {"template": "text-classification"})
    task, scenario = Task.objects.get(), Scenario.objects.get()
    before = scored(Submission.objects.get()).scorings.get().result.headline
    edit = reverse("desk_scenarios_edit", args=[task.slug, 1])
    fields = filled(as_olga.get(edit), "scenario_form")
    page = as_olga.post(edit, {**fields, "option_headline": "kappa"}, follow=True)
    assert "1 run is being scored again." in page.content.decode()
    do_all_work()
    scenario.refresh_from_db()
    assert scenario.headline == "kappa"
    assert Scoring.objects.get().result.headline != before
    page = as_olga.post(edit, filled(as_olga.get(edit), "scenario_form", option_label="polarity"), follow=True)
    assert "gold and run were removed" in page.content.decode()
    assert not Gold.objects.exists()
    assert not Submission.objects.exists()


def test_a_scenario_of_a_draft_is_deleted_with_its_gold_and_runs(as_olga):
    as_olga.post(NEW, {"template": "text-classification"})
    task = Task.objects.get()
    scored(Submission.objects.get())
    assert as_olga.post(reverse("desk_scenarios_delete", args=[task.slug, 1])).status_code == 302
    assert not task.scenarios.exists()
    assert not Submission.objects.exists()


def test_a_team_or_the_public_makes_a_draft_firm(as_olga, alice, team):
    as_olga.post(NEW, {"template": "key-phrases"})
    task, phase = Task.objects.get(), Phase.objects.get()
    assert is_soft(task)
    Task.objects.update(is_published=True)
    assert not is_soft(Task.objects.get())
    Task.objects.update(is_published=False)
    own = make_gold(phase, task.scenarios.get())
    make_run(phase, team, run_files(scenarios=(2,)))
    assert not is_soft(Task.objects.get())
    candidate = make_gold(phase, task.scenarios.get(), run_files(relations="part-of\t1\t2\n", scenarios=(2,)))
    assert candidate.is_candidate
    assert gold_in_force(phase, task.scenarios.get()) == own
    edit = as_olga.get(reverse("desk_scenarios_edit", args=[task.slug, 1])).content.decode()
    assert "Runs have been scored, so this cannot change." in edit
