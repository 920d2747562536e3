"""Gold is looked at before it counts; what was not used can be deleted; what is superseded is no longer public."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.gold.report import report_on
from evalsite.challenges.gold.services import delete_waiting
from evalsite.challenges.models import Event, Gold, Phase, Scenario, WaitingGold
from tests.factories import (
    PHRASES,
    RELATIONS,
    SENTENCES,
    make_gold,
    make_organiser,
    make_phase,
    make_run,
    make_scenario,
    make_task,
    make_user,
    run_files,
    zip_of,
    zip_upload,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def empty(task, scenario):
    """A phase without gold."""
    return make_phase(task)


def large(n=20, *, label="Concept", text="niño", shift=0):
    """A gold of n sentences with a phrase in each."""
    lines = [
        f"{number + 1}\t{8 * number + 3 + shift} {8 * number + 7 + shift}\t{label}\t{text}\n" for number in range(n)
    ]
    return run_files("".join(lines), "", sentences="El niño\n" * n)


def adding(phase):
    return reverse("desk_gold_add", args=[phase.task.slug, phase.slug])


def golds_of(task):
    return reverse("desk_gold", args=[task.slug])


def upload(client, phase, files, **fields):
    return client.post(adding(phase), {"file": zip_upload(files, "my gold.zip")} | fields)


def remarks(client, phase, files, **fields):
    """Return what is shown before the gold counts; nothing of it counts yet."""
    n_golds = Gold.objects.count()
    answer = upload(client, phase, files, **fields)
    assert answer.status_code == 302
    assert "/waiting/" in answer.url
    assert Gold.objects.count() == n_golds
    page = client.get(answer.url)
    assert page.status_code == 200
    found = [text for _, texts in WaitingGold.objects.latest("created").remarks for text in texts]
    for text in found:
        assert text.split("“")[0] in page.content.decode().replace("&#x27;", "'")
    return found


def test_gold_in_which_nothing_is_odd_is_added_at_once(as_olga, empty):
    assert upload(as_olga, empty, large()).url == golds_of(empty.task)
    assert Gold.objects.get().n_units == 20
    assert not WaitingGold.objects.exists()


def test_warnings_of_the_engine_are_shown_once(as_olga, empty):
    [found] = remarks(as_olga, empty, large(label="Concpet"))
    assert found == "output_a_scenario1.txt:1: the label 'Concpet' is none of the official ones"


@pytest.mark.thorough
def test_of_many_oddities_of_one_kind_twenty_are_listed_and_the_others_counted(as_olga, empty):
    files = large(25)
    files["output_a_scenario1.txt"] = "".join(
        line.replace("Concept", f"Label{chr(97 + place)}")
        for place, line in enumerate(files["output_a_scenario1.txt"].splitlines(keepends=True))
    )
    found = remarks(as_olga, empty, files)
    assert len(found) == 21
    assert found[-1] == "output_a_scenario1.txt: and 5 more labels"


def test_texts_that_differ_from_their_spans_are_shown(as_olga, empty):
    [found] = remarks(as_olga, empty, large(21, shift=-1))
    said = "output_a_scenario1.txt:1: the text column says “niño”, under the span stands “ niñ”"
    assert found == f"{said}; 20 more of this kind"


@pytest.mark.thorough
def test_fewer_units_than_20_are_shown(as_olga, empty):
    [found] = remarks(as_olga, empty, large(19))
    assert found == "It has 19 sentences. With fewer than 20 no difference between two systems counts as real."


@pytest.mark.thorough
def test_fewer_units_than_the_version_before_are_shown(as_olga, empty, scenario):
    make_gold(empty, scenario, large(30))
    [found] = remarks(as_olga, empty, large(25))
    assert found == "It has 25 sentences; version 1 has 30."


def test_the_gold_of_another_phase_is_recognised(as_olga, task, empty, scenario):
    make_gold(make_phase(task, "development"), scenario, large())
    [found] = remarks(as_olga, empty, large())
    assert found == "It is identical to the gold of another phase: Development."


@pytest.mark.thorough
def test_it_is_recognised_in_another_archive_and_in_gold_of_before_digests_were_kept(as_olga, task, empty, scenario):
    make_gold(make_phase(task, "development"), scenario, {f"gold/{name}": text for name, text in large().items()})
    Gold.objects.update(digest="")
    said = remarks(as_olga, empty, large() | {"LICENSE": "free"})
    assert "It is identical to the gold of another phase: Development." in said
    assert "left aside, not read: LICENSE" in said


@pytest.mark.thorough
def test_gold_of_another_own_task_is_recognised_and_of_others_tasks_is_not(empty, scenario, tmp_path):
    foreign = make_task("foreign", make_user("Otto"))
    make_gold(make_phase(foreign), make_scenario(foreign), large())
    ada, path = make_user("Ada"), tmp_path / "gold.zip"
    make_organiser(empty.task, ada)
    path.write_bytes(zip_of(large()))
    assert not [each for each in report_on(empty, scenario, path, ada).remarks if "identical to the gold" in each]
    make_organiser(foreign, ada)
    assert (
        "It is identical to the gold of another phase: Test of Task foreign."
        in report_on(empty, scenario, path, ada).remarks
    )


def test_gold_that_would_be_public_at_once_is_asked_back(as_olga, task, scenario):
    development = make_phase(task, gold_released=True)
    assert remarks(as_olga, development, large()) == [
        "The gold of this phase is released: everybody can download what you add at once."
    ]
    assert "everybody can download what you add" in as_olga.get(adding(development)).content.decode()


def test_what_was_asked_of_the_phase_s_settings_is_asked_no_more_once_they_are_others(as_olga, task, scenario):
    development = make_phase(task, gold_released=True)
    page = upload(as_olga, development, large()).url
    assert "everybody can download what you add at once" in as_olga.get(page).content.decode()
    Phase.objects.filter(pk=development.pk).update(gold_released=False)
    settled = as_olga.get(page).content.decode()
    assert "has been settled" in settled
    assert "Use it anyway" not in settled
    as_olga.post(page, {"take": "yes"})
    assert development.golds.count() == 1


@pytest.mark.thorough
def test_gold_that_will_wait_as_a_candidate_is_said_to_be_public_once_it_is_published(as_olga, task, scenario, team):
    development = make_phase(task, gold_released=True)
    make_gold(development, scenario)
    make_run(development, team)
    said = "everybody can download what you add as soon as it is published."
    assert said in as_olga.get(adding(development)).content.decode()


@pytest.mark.thorough
def test_gold_of_a_phase_that_is_not_open_says_so_before_it_is_public(as_olga, task, scenario):
    upcoming = make_phase(task, opens=timezone.now() + timedelta(days=3), closes=None, gold_released=True)
    [found] = remarks(as_olga, upcoming, large())
    assert "though the phase opens on" in found


# Use it anyway


def test_gold_is_taken_all_the_same_without_choosing_the_file_again(as_olga, olga, empty):
    waiting = upload(as_olga, empty, large(3), note="A trial.").url
    answer = as_olga.post(waiting, {"take": "Use it anyway"})
    assert answer.url == golds_of(empty.task)
    gold = Gold.objects.get()
    assert (gold.n_units, gold.note, gold.created_by) == (3, "A trial.", olga)
    with gold.file.open() as file:
        assert file.read() == zip_upload(large(3)).read()
    assert [event.kind for event in Event.objects.all()] == ["gold added"]
    assert not WaitingGold.objects.exists()


@pytest.mark.thorough
def test_gold_that_is_not_taken_leaves_nothing(as_olga, empty, settings, django_capture_on_commit_callbacks):
    waiting = upload(as_olga, empty, large(3)).url
    with django_capture_on_commit_callbacks(execute=True):
        answer = as_olga.post(waiting, {"drop": "Do not use it"})
    assert answer.url == adding(empty)
    assert not Gold.objects.exists()
    assert not WaitingGold.objects.exists()
    assert files_below(settings.MEDIA_ROOT) == []


def files_below(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]


@pytest.mark.thorough
def test_the_list_names_what_waits(as_olga, empty):
    waiting = upload(as_olga, empty, large(3)).url
    page = as_olga.get(golds_of(empty.task)).content.decode()
    assert f'href="{waiting}"' in page
    assert "my gold.zip" in page


def test_another_organiser_neither_sees_nor_takes_what_waits(as_olga, empty):
    waiting = upload(as_olga, empty, large(3)).url
    as_olga.force_login(make_user("Otto", may_create_tasks=True))
    assert as_olga.get(waiting).status_code == 404
    assert as_olga.post(waiting, {"take": "yes"}).status_code == 404
    as_olga.logout()
    assert as_olga.get(waiting).status_code == 302
    assert not Gold.objects.exists()


def test_what_has_become_odd_meanwhile_is_shown_before_it_is_taken(as_olga, empty):
    waiting = upload(as_olga, empty, large(3)).url
    Phase.objects.filter(pk=empty.pk).update(gold_released=True)
    page = as_olga.post(waiting, {"take": "yes"}).content.decode()
    assert "This has changed since you read it" in page
    assert "everybody can download what you add" in page
    assert not Gold.objects.exists()
    as_olga.post(waiting, {"take": "yes"})
    assert Gold.objects.exists()


@pytest.mark.thorough
def test_what_does_not_fit_any_more_is_not_taken(as_olga, empty):
    waiting = upload(as_olga, empty, large(3)).url
    Scenario.objects.update(options={"scenario": "2"})
    assert "It can no longer be accepted" in as_olga.post(waiting, {"take": "yes"}).content.decode()
    assert not Gold.objects.exists()


@pytest.mark.thorough
def test_uploads_that_nobody_came_back_to_go_with_the_next_one(
    as_olga, empty, settings, django_capture_on_commit_callbacks
):
    upload(as_olga, empty, large(3))
    WaitingGold.objects.update(created=timezone.now() - timedelta(days=2))
    with django_capture_on_commit_callbacks(execute=True):
        upload(as_olga, empty, large(4))
    [waiting] = WaitingGold.objects.all()
    assert files_below(settings.MEDIA_ROOT) == [Path(waiting.file.path)]
    delete_waiting(waiting)


# Several scenarios in one archive


@pytest.fixture
def two_scenarios(task, scenario):
    second = make_scenario(task, 2)
    phase = make_phase(task)
    make_gold(phase, scenario, run_files(scenarios=(1, 2)))
    make_gold(phase, second, run_files(scenarios=(1, 2)))
    return phase


def test_an_archive_makes_no_new_version_where_the_gold_did_not_change(as_olga, two_scenarios):
    changed = run_files(scenarios=(1, 2)) | {"output_b_scenario2.txt": "part-of\t1\t2\n"}
    answer = as_olga.post(upload(as_olga, two_scenarios, changed).url, {"take": "yes"})
    assert sorted(Gold.objects.values_list("scenario__number", "version")) == [(1, 1), (2, 1), (2, 2)]
    page = as_olga.get(answer.url).content.decode()
    assert "Scenario 1: its gold has not changed; version 1 stays." in page
    assert "Scenario 2: version 2 with 2 units was added." in page


@pytest.mark.thorough
def test_an_archive_in_which_nothing_changed_is_refused(as_olga, two_scenarios):
    again = {f"packed/{name}": text for name, text in run_files(scenarios=(1, 2)).items()}
    answer = upload(as_olga, two_scenarios, again)
    assert answer.status_code == 422
    for number in (1, 2):
        words = f"Scenario {number}: this file is already its gold, as version 1."
        assert words in answer.content.decode()


@pytest.mark.thorough
def test_the_scenarios_to_choose_from_are_there_at_first(as_olga, two_scenarios):
    page = as_olga.get(adding(two_scenarios)).content.decode()
    assert "Scenario 2: Scenario 2" in page
    assert 'type="file"' in page


# Words


@pytest.mark.thorough
def test_a_conversion_script_keeps_its_lines(as_olga, task):
    make_scenario(task, family="spacy", options={"scores": [{"name": "ner"}]})
    phase = make_phase(task)
    file = SimpleUploadedFile("gold.spacy", b"x\x9c\x03")
    page = as_olga.post(adding(phase), {"file": file}).content.decode()
    script = page.split("convert them to JSON Lines:<pre>")[1].split("</pre>")[0]
    assert script.startswith("import json, sys, spacy\n")
    assert "\nfrom spacy.tokens import DocBin\n" in script


@pytest.mark.thorough
def test_a_message_names_no_option_that_a_site_cannot_take(as_olga, task):
    make_scenario(task, family="mat", options={})
    phase = make_phase(task)
    file = SimpleUploadedFile("a.json", b'{"signal": "x", "asets": []}')
    page = as_olga.post(adding(phase), {"file": file}).content.decode()
    assert "content annotations unknown" in page
    assert "task_file" not in page


@pytest.mark.thorough
@pytest.mark.parametrize("options", [{"task_file": "/etc"}, {"task": "x"}, {"taks": "x"}])
def test_options_of_the_command_line_are_not_offered(options):
    with pytest.raises(ValidationError) as refused:
        Scenario(family="mat", options=options).clean()
    [problem] = refused.value.message_dict["options"]
    assert "task_file" not in problem.removeprefix("task_file: for the command line alone")


# Deleting


def test_unused_gold_is_deleted_with_its_file_and_an_event(
    as_olga, olga, phase, settings, django_capture_on_commit_callbacks
):
    gold = Gold.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        as_olga.post(reverse("desk_gold_delete", args=[phase.task.slug, gold.pk]))
    assert not Gold.objects.exists()
    assert files_below(settings.MEDIA_ROOT) == []
    event = Event.objects.get(kind="gold deleted")
    assert (event.actor, event.detail["version"], event.detail["sha256"]) == (olga, 1, gold.sha256)


# Downloads of gold


@pytest.fixture
def two_versions(phase, scenario):
    Phase.objects.filter(pk=phase.pk).update(gold_released=True)
    return [Gold.objects.get(), make_gold(phase, scenario, large())]


@pytest.mark.parametrize(("who", "statuses"), [(None, [404, 200]), ("alice", [404, 200]), ("olga", [200, 200])])
def test_superseded_gold_is_the_organisers_even_where_gold_is_released(client, request, two_versions, who, statuses):
    if who:
        client.force_login(request.getfixturevalue(who))
    answers = [client.get(reverse("gold", args=[gold.pk])) for gold in two_versions]
    for answer in answers:
        answer.close()
    assert [answer.status_code for answer in answers] == statuses


@pytest.mark.thorough
def test_participants_are_no_exception(as_alice, two_versions, phase, team):
    make_run(phase, team, run_files(PHRASES, RELATIONS, sentences=SENTENCES))
    assert as_alice.get(reverse("gold", args=[two_versions[0].pk])).status_code == 404
