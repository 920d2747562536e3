"""The organisers' admin: a whole task is made in it, and two organisers never see one another's."""

import re
from datetime import UTC, datetime

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.forms import PhaseForm
from evalsite.challenges.models import Download, Event, Gold, Participation, Phase, Scenario, Task
from evalsite.submissions.models import Submission
from tests.factories import (
    SENTENCES,
    make_gold,
    make_phase,
    make_scenario,
    make_submission,
    make_task,
    make_team,
    make_user,
    run_files,
    scored,
    zip_upload,
)
from tests.forms import filled

ADD_TASK = reverse("admin:challenges_task_add")
ADD_GOLD = reverse("admin:challenges_gold_add")


@pytest.fixture
def otto(db):
    """Another organiser, with a task of his own."""
    otto = make_user("Otto", is_staff=True)
    make_task("ottos", otto)
    return otto


@pytest.fixture
def organiser(client, olga):
    client.force_login(olga)
    return client


def page_of(obj, page="change"):
    return reverse(f"admin:{obj._meta.app_label}_{obj._meta.model_name}_{page}", args=[obj.pk])


def list_of(model):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def task_fields(**fields):
    """What the browser sends for a task without scenarios, phases and downloads."""
    values = {"title": "Names in letters", "slug": "letters", "summary": "Find names.", "organisers": ""}
    for prefix in ("scenarios", "phases", "downloads"):
        values |= {f"{prefix}-TOTAL_FORMS": "0", f"{prefix}-INITIAL_FORMS": "0"}
    return values | fields


def scenario_fields(**fields):
    values = {"number": "1", "name": "Both", "family": "ehealthkd", "options": '{"scenario": "1"}', "shown_scores": ""}
    return {"scenarios-TOTAL_FORMS": "1"} | {f"scenarios-0-{name}": value for name, value in (values | fields).items()}


def phase_fields(**fields):
    values = {
        **{"name": "Test", "slug": "test", "window_0": "day", "board_audience": "everybody"},
        **{"opens_0": "2026-12-01", "opens_1": "00:00:00", "closes_0": "2026-12-12", "closes_1": "23:59:59"},
    }
    return {"phases-TOTAL_FORMS": "1"} | {f"phases-0-{name}": value for name, value in (values | fields).items()}


def save(client, task, **typed):
    """Sends the task's page as it stands now, with what was typed."""
    return client.post(page_of(task), filled(client.get(page_of(task)), "task_form", **typed))


def confirmed(client, task, response, **typed):
    """Sends the page again, with a tick at all that it asks."""
    sure = {trouble.sure_name: trouble.sure_value for trouble in response.context["troubles"]}
    return client.post(page_of(task), filled(response, "task_form", **(typed | sure)))


def text_of(response):
    return response.content.decode()


# A task


def test_the_index_tells_how_to_begin(organiser):
    page = text_of(organiser.get(reverse("admin:index")))
    assert page.index("Add a task") < page.index("Upload the gold") < page.index("Publish it")


def test_a_participant_finds_no_admin(client, alice):
    client.force_login(alice)
    assert client.get(ADD_TASK).status_code == 302


def test_a_task_is_made_with_a_scenario_a_phase_and_a_download(organiser, olga):
    download = {
        "downloads-TOTAL_FORMS": "1",
        "downloads-0-title": "Sentences",
        "downloads-0-file": ContentFile(SENTENCES.encode(), "input.txt"),
        "downloads-0-available_from_0": "2026-12-01",
        "downloads-0-available_from_1": "00:00:00",
    }
    sent = task_fields(**scenario_fields(), **phase_fields(), **download)
    response = organiser.post(ADD_TASK, sent)
    task = Task.objects.get(slug="letters")
    assert response.url == page_of(task)
    assert list(task.organisers.all()) == [olga]
    assert not task.is_published
    scenario, phase = task.scenarios.get(), task.phases.get()
    assert (scenario.number, scenario.options, scenario.shown_scores) == (1, {"scenario": "1"}, [])
    assert phase.closes == datetime(2026, 12, 12, 23, 59, 59, tzinfo=UTC)
    with task.downloads.get().file.open() as file:
        assert file.read() == SENTENCES.encode()
    kinds = set(task.events.filter(actor=olga).values_list("kind", flat=True))
    assert kinds == {"task created", "scenario added", "phase added", "download added"}


def test_options_are_checked_by_the_family(organiser):
    sent = task_fields(**scenario_fields(options='{"scenario": "4"}'))
    page = text_of(organiser.post(ADD_TASK, sent))
    assert "option scenario: &#x27;4&#x27; is not one of 1, 2, 3" in page
    assert not Task.objects.exists()


def test_the_options_of_the_family_are_listed(organiser, task, scenario):
    page = text_of(organiser.get(page_of(task)))
    assert "<code>rules</code>" in page
    assert "&quot;2019&quot; | &quot;documented&quot;; default &quot;2019&quot;" in page


def test_empty_options_stand_for_the_defaults(organiser):
    organiser.post(ADD_TASK, task_fields(**scenario_fields(options="")))
    assert Scenario.objects.get().options == {}


def test_scores_to_show_are_written_with_commas(organiser):
    organiser.post(ADD_TASK, task_fields(**scenario_fields(shown_scores="recall, f1_a")))
    assert Scenario.objects.get().scores == ["f1", "recall", "f1_a"]


def test_unknown_scores_are_refused_with_the_known_ones(organiser):
    page = text_of(organiser.post(ADD_TASK, task_fields(**scenario_fields(shown_scores="speed"))))
    assert "The family&#x27;s scores are: f1, precision" in page


def test_a_phase_that_closes_before_it_opens_is_refused_at_the_field(organiser):
    page = text_of(organiser.post(ADD_TASK, task_fields(**phase_fields(closes_0="2026-11-01"))))
    assert "The phase has to close after it opens." in page


def test_both_inputs_of_a_time_have_a_name(organiser, phase):
    page = text_of(organiser.get(page_of(phase.task)))
    assert 'aria-label="Closes: date"' in page
    assert 'aria-label="Closes: time"' in page


def test_organisers_are_entered_by_address(organiser, olga, otto, task):
    assert save(organiser, task, organisers="olga@example.org\n OTTO@example.org").status_code == 302
    assert set(task.organisers.all()) == {olga, otto}


def test_somebody_who_is_no_organiser_cannot_be_made_one_of_a_task(organiser, alice, task):
    page = text_of(save(organiser, task, organisers="olga@example.org alice@example.org"))
    assert "alice@example.org is not the address of an organiser" in page


def test_a_task_always_keeps_an_organiser(organiser, olga, task):
    save(organiser, task, organisers="")
    assert list(task.organisers.all()) == [olga]


def test_changes_leave_events_with_old_and_new_values(organiser, phase):
    before = phase.closes.replace(microsecond=0)
    assert save(organiser, phase.task, title="Renamed", **{"phases-0-closes_0": "2099-12-12"}).status_code == 302
    changed = {event.kind: event.detail["changed"] for event in Event.objects.filter(kind__endswith="changed")}
    assert changed == {
        "task changed": {"title": ["Task health", "Renamed"]},
        "phase changed": {"closes": [str(before), str(before.replace(year=2099, month=12, day=12))]},
    }


def test_the_page_says_what_is_missing_and_how_phases_do(organiser, task, scenario, team, alice):
    page = text_of(organiser.get(page_of(task)))
    assert "3 of 4 things missing" in page
    phase = make_phase(task)
    assert f"{ADD_GOLD}?phase={phase.pk}" in text_of(organiser.get(page_of(task)))
    make_gold(phase, scenario)
    scored(make_submission(phase, team, alice))
    Download.objects.create(task=task, title="Sentences", file=ContentFile(b"x", "x.txt"))
    page = text_of(organiser.get(page_of(task)))
    assert "missing" not in page.split("readiness")[2].split("</section>")[0]
    assert "version 1</a>, 2 units" in page
    assert "1 scored</a>" in page


def test_a_phase_with_hidden_gold_and_no_limit_is_warned_of(organiser, task, phase):
    warning = "No limit</b> of uploads, though the gold is hidden"
    assert warning in text_of(organiser.get(page_of(task)))
    for fields in ({"window_limit": 5}, {"total_limit": 30}, {"gold_released": True}):
        usual = {"window_limit": None, "total_limit": None, "gold_released": False}
        Phase.objects.update(**usual | fields)
        assert warning not in text_of(organiser.get(page_of(task)))


def test_a_phase_has_a_limit_unless_another_is_chosen(task):
    now = timezone.now()
    assert Phase.objects.create(task=task, slug="new", name="New", opens=now).window_limit == 5
    assert PhaseForm()["window_limit"].value() == 5


def test_more_phases_cost_no_more_queries(organiser, phase):
    with CaptureQueriesContext(connection) as few:
        organiser.get(page_of(phase.task))
    for name in "abcdef":
        make_phase(phase.task, name)
    with CaptureQueriesContext(connection) as many:
        organiser.get(page_of(phase.task))
    assert len(many) <= len(few)  # the first page may have looked for what is kept for the next ones


def test_publishing_an_incomplete_task_warns(organiser, task):
    page = text_of(organiser.get(save(organiser, task, title="Letters").url))
    assert "published, but still needs: a scenario; a phase" in page


def test_saving_an_image_says_what_readers_see_of_it(organiser, task):
    text = "Look: ![The tag set](https://example.org/tags.png)"
    page = text_of(organiser.get(save(organiser, task, description=text).url))
    assert "Images are not shown, because foreign servers would learn who reads the page." in page
    assert "In the place of “The tag set” readers see a link." in page
    again = text_of(organiser.get(save(organiser, task, description="Look.").url))
    assert "Images are not shown" not in again


def test_options_stay_once_runs_have_been_scored(organiser, scored_submission, scenario):
    assert save(organiser, scenario.task, **{"scenarios-0-options": '{"scenario": "2"}'}).status_code == 302
    scenario.refresh_from_db()
    assert scenario.options == {"scenario": "1"}


def test_options_for_which_the_gold_is_not_perfect_are_refused(organiser, phase, scenario):
    page = text_of(save(organiser, phase.task, **{"scenarios-0-options": '{"scenario": "2"}'}))
    assert "The gold of Test does not fit: " in page
    assert "input_scenario2.txt" in page


def test_a_scenario_with_gold_cannot_be_deleted(organiser, phase, scenario):
    save(organiser, phase.task, **{"scenarios-0-DELETE": "on"})
    assert Scenario.objects.filter(pk=scenario.pk).exists()


def test_a_download_that_is_too_large_is_refused(organiser, task, settings):
    settings.MAX_UPLOAD_BYTES = 1000
    download = {
        "downloads-TOTAL_FORMS": "1",
        "downloads-0-title": "Sentences",
        "downloads-0-available_from_0": "2026-12-01",
        "downloads-0-available_from_1": "00:00:00",
        "downloads-0-file": ContentFile(b"x" * 2000, "input.txt"),
    }
    response = save(organiser, task, title="New", **download)
    assert "Nothing was saved: the files are larger than" in text_of(response)
    assert not Download.objects.exists()
    task.refresh_from_db()
    assert task.title != "New"


# Gold


def upload(client, phase, files, **fields):
    """A gold of two sentences is asked about; it is taken all the same."""
    answer = client.post(ADD_GOLD, {"phase": str(phase.pk), "file": zip_upload(files, "gold.zip")} | fields)
    return client.post(answer.url, {"take": "yes"}) if "waiting" in getattr(answer, "url", "") else answer


@pytest.fixture
def empty_phase(task):
    """Without gold, in a task with scenarios 1 and 2."""
    make_scenario(task, 1)
    make_scenario(task, 2)
    return make_phase(task)


def test_an_archive_fills_all_scenarios_that_it_holds(organiser, olga, empty_phase):
    response = upload(organiser, empty_phase, run_files(scenarios=(1, 2)), note="First.")
    assert response.url == page_of(empty_phase.task)
    golds = Gold.objects.order_by("scenario__number")
    assert [(gold.scenario.number, gold.version, gold.n_units, gold.note) for gold in golds] == [
        (1, 1, 2, "First."),
        (2, 1, 2, "First."),
    ]
    assert {gold.created_by for gold in golds} == {olga}
    assert "Scenario 2: version 1 with 2 units was added" in text_of(organiser.get(response.url))


def test_only_the_chosen_scenarios_are_filled(organiser, empty_phase):
    second = empty_phase.task.scenarios.get(number=2)
    upload(organiser, empty_phase, run_files(scenarios=(1, 2)), scenarios=[str(second.pk)])
    assert Gold.objects.get().scenario == second


def test_bad_gold_is_refused_with_file_and_line_and_nothing_is_stored(organiser, empty_phase):
    files = run_files(scenarios=(1, 2)) | {"output_a_scenario2.txt": "1\t4 8\tConcept\n"}
    response = upload(organiser, empty_phase, files)
    assert response.status_code == 422
    assert "Scenario 2: output_a_scenario2.txt:1: " in text_of(response)
    assert not Gold.objects.exists()


def test_gold_without_annotations_is_refused_with_the_reason(organiser, empty_phase):
    page = text_of(upload(organiser, empty_phase, run_files("", "")))
    assert "Scored against itself" in page
    assert not Gold.objects.exists()


def test_an_archive_without_a_file_of_a_scenario_is_refused(organiser, empty_phase):
    assert "No file of any scenario was found" in text_of(upload(organiser, empty_phase, {"a.txt": "x"}))


def test_something_that_is_no_archive_is_refused(organiser, empty_phase):
    file = ContentFile(b"PK\x03\x04 broken", "gold.zip")
    response = organiser.post(ADD_GOLD, {"phase": str(empty_phase.pk), "file": file})
    assert response.status_code == 422


def test_gold_that_is_too_large_is_refused(organiser, empty_phase, settings):
    settings.MAX_UPLOAD_BYTES = 500
    response = upload(organiser, empty_phase, run_files(scenarios=(1, 2)))
    assert response.status_code == 422
    assert "the files are larger than" in text_of(response)
    assert "This field is required" not in text_of(response)


def test_the_same_file_again_is_no_new_version(organiser, empty_phase):
    upload(organiser, empty_phase, run_files())
    assert "this very file is its gold already, as version 1" in text_of(upload(organiser, empty_phase, run_files()))
    assert Gold.objects.count() == 1


def test_a_newer_version_says_what_becomes_of_earlier_scores(organiser, scored_submission):
    phase = scored_submission.phase
    changed = run_files(relations="part-of\t1\t2\n")
    page = text_of(organiser.get(upload(organiser, phase, changed).url))
    assert "version 2 with 2 units" in page
    assert "The board ranks by the gold before until all its runs have been scored on this one" in page
    assert f"{reverse('admin:submissions_submission_changelist')}?phase__id__exact={phase.pk}" in page


def test_gold_is_not_changed(organiser, phase):
    gold = Gold.objects.get()
    page = text_of(organiser.get(page_of(gold)))
    assert reverse("gold", args=[gold.pk]) in page
    assert organiser.post(page_of(gold), {"note": "changed"}).status_code == 403


# Two organisers


@pytest.fixture
def foreign(client, otto, scored_submission, task):
    """Otto's browser, in a site where olga has a task with everything."""
    Download.objects.create(task=task, title="Sentences", file=ContentFile(b"x", "x.txt"))
    client.force_login(otto)
    return client


@pytest.fixture(params=[Task, Gold, Event, Participation, Submission])
def olgas(request, foreign, task):
    """One of olga's objects of each kind."""
    return task if request.param is Task else request.param.objects.all()[0]


def test_an_organiser_does_not_see_another_ones_objects_in_a_list(foreign, olgas):
    page = foreign.get(list_of(type(olgas)))
    assert page.status_code == 200
    assert [task.slug for task in page.context["cl"].result_list] == (["ottos"] if isinstance(olgas, Task) else [])
    assert "Task health" not in text_of(page)
    assert "Alice" not in text_of(page)


@pytest.mark.parametrize("page", ["change", "history", "delete"])
def test_an_organiser_cannot_open_another_ones_objects(foreign, olgas, page):
    """Django's answer to what there is not: back to the index."""
    response = foreign.get(page_of(olgas, page))
    assert response.status_code in (302, 403)
    assert response.status_code == 403 or response.url == reverse("admin:index")


def test_an_organiser_cannot_change_or_delete_another_ones_task(foreign, task):
    before = task.title
    foreign.post(page_of(task), task_fields(title="Stolen", organisers="otto@example.org"))
    foreign.post(page_of(task, "delete"), {"post": "yes"})
    task.refresh_from_db()
    assert task.title == before


def test_an_organiser_cannot_put_another_ones_scenario_into_his_task(foreign, otto, scenario):
    own = otto.organised_tasks.get()
    sent = task_fields(organisers="otto@example.org") | scenario_fields(name="Stolen")
    foreign.post(page_of(own), sent | {"scenarios-INITIAL_FORMS": "1", "scenarios-0-id": str(scenario.pk)})
    scenario.refresh_from_db()
    assert (scenario.task.slug, scenario.name) == ("health", "Scenario 1")


def test_an_organiser_cannot_add_gold_to_another_ones_phase(foreign, phase):
    assert str(phase.pk) not in text_of(foreign.get(f"{ADD_GOLD}?phase={phase.pk}")).split("content-main", 1)[1]
    response = upload(foreign, phase, run_files(relations="part-of\t1\t2\n"))
    assert response.status_code == 422
    assert phase.golds.count() == 1


def test_gold_is_not_added_to_a_scenario_of_another_task(foreign, otto, scenario):
    own = otto.organised_tasks.get()
    make_scenario(own, 1)
    make_scenario(own, 2)
    phase = make_phase(own)
    assert upload(foreign, phase, run_files(), scenarios=[str(scenario.pk)]).status_code == 422
    assert not phase.golds.exists()


def test_autocompletion_offers_own_objects_only(foreign):
    query = {"app_label": "challenges", "model_name": "participation", "field_name": "task", "term": ""}
    response = foreign.get(reverse("admin:autocomplete"), query)
    assert [entry["text"] for entry in response.json()["results"]] == ["Task ottos"]


def test_a_superuser_sees_all_tasks(client, foreign, task):
    client.force_login(make_user("Sue", is_staff=True, is_superuser=True))
    page = text_of(client.get(list_of(Task)))
    assert "Task health" in page
    assert "Task ottos" in page
    assert client.get(page_of(task)).status_code == 200


def test_somebody_who_is_no_longer_staff_organises_nothing_in_the_admin(client, olga, task):
    olga.is_staff = False
    olga.save()
    client.force_login(olga)
    assert client.get(page_of(task)).status_code == 302


def test_events_can_only_be_read(organiser, phase):
    event = Event.objects.all()[0]
    page = text_of(organiser.get(list_of(Event)))
    assert "gold added" in page
    assert page_of(Gold.objects.get()) in page
    assert f"{event.created:%H:%M:%S} UTC" in page
    assert organiser.get(reverse("admin:challenges_event_add")).status_code == 403
    assert organiser.post(page_of(event), {"kind": "x"}).status_code == 403
    assert organiser.post(page_of(event, "delete"), {"post": "yes"}).status_code == 403


def test_the_lists_tell_teams_that_compete_from_those_of_references(organiser, task, submission, team):
    reference = make_team("Baselines")
    Participation.objects.create(task=task, team=reference, number=9)
    make_submission(submission.phase, reference, submission.uploader, run_files(relations=""), reference="baseline")
    tasks = organiser.get(list_of(Task)).content.decode()
    assert re.search(rf'participation/\?task__id__exact={task.pk}">1</a>', tasks)
    shown = re.sub(r"\s+", " ", organiser.get(list_of(Participation)).content.decode())
    assert re.search(r'Baselines</td>.*?alt="False"', shown)
    assert re.search(r'Alice and Bob</td>.*?alt="True"', shown)


def test_participations_can_only_be_read(organiser, submission, team):
    participation = team.participations.get()
    assert "Alice and Bob" in text_of(organiser.get(list_of(type(participation))))
    assert organiser.post(page_of(participation, "delete"), {"post": "yes"}).status_code == 403
