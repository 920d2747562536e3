"""A new task: complete and tiny by one click, from nothing, or like last year's."""

from datetime import UTC, datetime
from itertools import product

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse

from evalsite.challenges.access import Role, role_of
from evalsite.challenges.gold.checks import check_gold
from evalsite.challenges.models import Download, Event, Gold, Phase, Task
from evalsite.challenges.readiness import readiness_of
from evalsite.desk.making.templates import packed, specimen_of, templates
from evalsite.submissions.models import Submission
from scoring.families import FAMILIES
from tests.factories import make_scenario, make_task, scored
from tests.forms import filled

pytestmark = pytest.mark.django_db
NEW = "/organise/new/"


@pytest.mark.thorough
def test_one_click_makes_a_complete_tiny_task_of_each_kind_with_a_scored_run(as_olga, olga):
    assert {way.family.name for way in templates()} == {*FAMILIES}
    for way in templates():
        answer = as_olga.post(NEW, {"template": way.use.key})
        task = Task.objects.latest("created")
        assert answer.url == reverse("desk", args=[task.slug])
        assert role_of(olga, task) == Role.OWNER
        assert not task.is_published
        assert readiness_of(task).missing == []
        assert task.phases.get().counts_is_usual, way.use.key
        if way.use.is_judged:
            assert Submission.objects.get(phase__task=task).scorings.get().awaits_judge
            continue
        run = scored(Submission.objects.get(phase__task=task))
        result = run.scorings.get().result
        assert run.reference == Submission.Reference.BASELINE
        scenario = task.scenarios.get()
        less = scenario.headline in scenario.engine_family.scores.lower_is_better(scenario.configured)
        full = scenario.engine_family.scale(scenario.headline, scenario.configured).full or 1
        assert 0.3 < (1 - result.headline if less else result.headline / full) < 1, way.use.key


@pytest.mark.thorough
def test_an_example_is_published_as_it_is_only_if_that_is_meant_in_whatever_language_it_was_made(as_olga):
    as_olga.post(NEW, {"template": "key-phrases"}, headers={"Accept-Language": "es"})
    task = Task.objects.latest("created")
    page, now = (reverse(name, args=[task.slug]) for name in ("desk_publish", "desk_publish_now"))
    assert as_olga.get(page).content.decode().count("still the example's") == 3
    refused = as_olga.post(now)
    assert refused.status_code == 422
    doubt = "Still the example's: gold for each phase and scenario, a title and a description."
    assert refused.context["now_form"].doubts == [doubt]
    Task.objects.update(title="Symptoms", description="Our own words.")
    task.phases.get().golds.update(note="")
    assert "still the example" not in as_olga.get(page).content.decode()
    assert as_olga.post(now).status_code == 302


@pytest.mark.thorough
def test_the_example_of_gold_is_perfect_against_itself_in_every_format(tmp_path):
    """Its format follows the options, and it is read by them."""
    formats = {
        "ehealthkd": [{}],
        "mat": [
            {"content_annotations": "X,Y", "gold_format": gold, "system_format": run, "suffix_off": ".run.ann"}
            for gold, run in product(("mat-json", "xml-inline", "table"), ("mat-json", "xml-inline", "brat", "table"))
        ],
        "coreference": [{"format": name} for name in ("json", "conll", "corefud")],
        "spacy": [{"format": name} for name in ("jsonl", "conllu", "columns")],
        "qac": [{"task": task, "encoding": "euc-jp"} for task in (1, 2, 3)]
        + [{"format": "bioasq", "task": task} for task in (1, 2)],
        "numbers": [
            *({"format": name, "gold_format": name} for name in ("csv", "tsv", "jsonl", "lines")),
            {"kind": "binary", "gold_delimiter": "semicolon", "id": "a,b", "slices": "domain"},
            {"columns": "x,y", "gold_columns": "u,v", "tolerance_column": "sd", "group": "place", "text": "text"},
        ],
        "labels": [
            {},
            {"task": "multi", "format": "jsonl", "gold_format": "tsv"},
            {"task": "multi", "multi_as": "columns", "labels": ["x", "y, z"], "gold_id": ["a", "b"], "id": ["a", "b"]},
            {"task": "ranked", "gold_delimiter": "semicolon", "group": "inn", "slices": "town", "text": ["message"]},
            {"task": "graded", "credit": "worth", "header": False},
            {"probabilities": "p_", "ordinal": True, "positive": "negative", "gold_label": "truth"},
            {"gold_format": "lines", "format": "lines"},
            {"task": "soft", "format": "jsonl", "icm": True},
            {"task": "soft", "multi_as": "columns", "labels": ["x", "y, z"], "ordinal": True},
        ],
        "ranking": [{}, {"cutoffs": "3", "headline": "p_3"}, {"items": "snippets", "depth": "2"}],
        "given": [{"format": name, "range": "-1..3"} for name in ("csv", "tsv", "jsonl", "lines")]
        + [{"statistic": "sum", "direction": "lower", "group": "document", "gold_format": "jsonl"}],
        "transcripts": [
            {"unit": "speaker", "format": name} for name in ("auto", "lines", "tsv", "kaldi", "trn", "jsonl")
        ],
        "edits": [{}, {"level": "tokens", "beta": 1}],
        "text": [{"metrics": metric} for metric in ("bleu", "chrf_pp", "ter", "rouge", "exact")],
    }
    task = make_task()
    for number, (family, options) in enumerate(((name, each) for name in FAMILIES for each in formats[name]), 1):
        scenario = make_scenario(task, number, family=family, options=options)
        name, content = packed(specimen_of(scenario).gold, "gold")
        path = tmp_path / name
        path.write_bytes(content)
        check_gold(path, scenario)


def test_a_task_from_nothing_has_a_title_an_address_and_a_first_scenario(as_olga):
    make_task("name-hunt-2027")
    as_olga.post(NEW, {"title": "Name Hunt 2027", "summary": "Find names.", "use": "named-entities"})
    task = Task.objects.get(slug="name-hunt-2027-2")
    assert task.scenarios.get().options == {"scores": [{"name": "ner"}]}
    refused = as_olga.post(NEW, {"title": "", "summary": "Find names."})
    assert refused.status_code == 422


def test_only_who_may_make_tasks_makes_one(as_alice):
    assert as_alice.get(NEW).url == reverse("organise_ask")
    assert as_alice.post(NEW, {"template": "coreference"}).status_code == 403
    assert not Task.objects.exists()


@pytest.fixture
def last_year(task, scored_submission, phase) -> Task:
    """Make a task with times on both sides of a change of clocks, a page, a picture, a download, gold and a run."""
    Phase.objects.filter(pk=phase.pk).update(
        opens=datetime(2025, 10, 6, 7, tzinfo=UTC), closes=datetime(2025, 11, 3, 8, tzinfo=UTC), is_paused=True
    )
    Task.objects.filter(pk=task.pk).update(title="Hunt 2025", zone="Europe/Madrid", description="Find *them*.")
    task.pages.create(title="Rules", slug="rules", text="Be fair.")
    task.pictures.create(name="map.png", file=ContentFile(b"png", "map.png"))
    opens = datetime(2025, 10, 6, 7, tzinfo=UTC)
    Download.objects.create(task=task, title="Input", file=ContentFile(b"x", "input.txt"), available_from=opens)
    return task


@pytest.mark.thorough
def test_last_years_task_is_cloned_in_three_clicks_with_its_times_moved(as_olga, olga, last_year):
    page = as_olga.get(NEW)
    clone = reverse("desk_clone", args=[last_year.slug])
    assert clone in page.content.decode()
    sent = filled(as_olga.get(clone), "form-clone", opens_0="2026-10-05")
    assert sent["opens_1"] == "09:00:00"  # in Madrid, where 7:00 UTC it was
    as_olga.post(clone, sent)
    made = Task.objects.get(title="Hunt 2026")
    assert (made.slug, made.description, made.is_published) == ("hunt-2026", "Find *them*.", False)
    phase = made.phases.get()
    assert phase.opens == datetime(2026, 10, 5, 7, tzinfo=UTC)
    assert phase.closes == datetime(2026, 11, 2, 8, tzinfo=UTC)  # 9:00 in winter too
    assert not phase.is_paused
    assert made.downloads.get().available_from == phase.opens
    with made.downloads.get().file.open() as copied:
        assert copied.read() == b"x"
    assert made.pictures.get().file.name != last_year.pictures.get().file.name
    assert made.pages.get().text == "Be fair."
    assert made.scenarios.get().options == last_year.scenarios.get().options
    assert list(made.organisers.all()) == [olga]
    assert not Gold.objects.filter(phase__task=made).exists()
    assert not Submission.objects.filter(phase__task=made).exists()
    assert Event.objects.get(task=made, kind="task created").detail == {"cloned_from": last_year.slug}


@pytest.mark.thorough
def test_gold_comes_along_where_that_is_wanted(as_olga, last_year):
    clone = reverse("desk_clone", args=[last_year.slug])
    as_olga.post(clone, filled(as_olga.get(clone), "form-clone", with_gold="on"))
    made = Gold.objects.get(phase__task__title="Hunt 2026")
    with made.file.open() as copied, Gold.objects.get(phase__task=last_year).file.open() as own:
        assert copied.read() == own.read()
