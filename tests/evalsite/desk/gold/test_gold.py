"""Gold on the desk: what it has to look like, adding it, looking at what is odd, and deleting what nobody used."""

import io
import zipfile
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from evalsite.challenges.gold.checks import check_gold
from evalsite.challenges.models import Event, Gold, WaitingGold
from evalsite.desk.scenarios.uses import ways
from tests.factories import (
    SENTENCES,
    make_gold,
    make_organiser,
    make_phase,
    make_scenario,
    make_submission,
    make_task,
    run_files,
    scored,
    zip_upload,
)
from tests.forms import filled

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(as_olga, scenario):
    return as_olga


def address(task, name: str = "", *rest: object) -> str:
    return reverse(f"desk_gold{name}", args=[task.slug, *rest])


def send(desk, task, phase, file, **fields):
    page = desk.get(address(task, "_add", phase.slug))
    return desk.post(address(task, "_add", phase.slug), filled(page, "gold_form", file=file, **fields))


def test_the_example_of_gold_that_one_downloads_is_taken_as_gold(desk, olga, tmp_path):
    """Return a task with everything that organisers may set up."""
    task = make_task("all", olga)
    for number, way in enumerate(ways(), start=1):
        made = make_scenario(task, number, family=way.family.name, options=dict(way.use.options))
        answer = desk.get(address(task, "_example", number))
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            names = archive.namelist()
        path = tmp_path / f"{number}.zip"
        path.write_bytes(answer.content)
        check_gold(path, made)
        assert names


def test_the_link_beside_missing_gold_leads_to_a_form_in_which_its_scenario_is_ticked(desk, task, scenario):
    make_scenario(task, 2)
    phase = make_phase(task)
    add = f"{address(task, '_add', phase.slug)}?scenario=2"
    assert add in desk.get(address(task)).content.decode()
    assert filled(desk.get(add), "gold_form")["scenarios"] == str(task.scenarios.get(number=2).pk)


def test_beside_the_form_stands_what_gold_has_to_look_like(desk, task, scenario):
    page = desk.get(address(task, "_add", make_phase(task).slug)).content.decode()
    assert "output_a_scenario1.txt" in page
    assert "1\t3 7\tConcept\tasma" in page
    assert address(task, "_example", 1) in page


def test_gold_in_which_something_looks_odd_counts_once_somebody_takes_it(desk, task):
    phase = make_phase(task)
    asked = send(desk, task, phase, zip_upload(run_files()))
    waiting = WaitingGold.objects.get()
    assert asked.url == address(task, "_waiting", waiting.pk)
    assert waiting.file_name in desk.get(address(task)).content.decode()
    assert "fewer than 20" in desk.get(asked.url).content.decode()
    assert desk.post(asked.url, {"take": "yes"}).url == address(task)
    assert Gold.objects.get().n_units == 2
    assert not WaitingGold.objects.exists()


def test_wrong_gold_is_refused_in_words_and_nothing_is_stored(desk, task):
    phase = make_phase(task)
    refused = send(desk, task, phase, SimpleUploadedFile("notes.txt", b"x"))
    assert refused.status_code == 422
    words = unescape(refused.content.decode())
    assert "No scenario's files were found. The upload has notes.txt; wanted are" in words
    assert "output_a_scenario1.txt" in words
    assert not Gold.objects.exists()


@pytest.fixture
def rows(olga):
    """A task in which a row of a table has a label."""
    task = make_task("rows", olga)
    make_scenario(task, family="labels", options={})
    make_phase(task)
    return task


TWO_IDS = "user_id,text_id,label\n" + "".join(f"{k // 4},{k % 4},{'AB'[k % 2]}\n" for k in range(40))


def named(name: str, text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def test_a_refused_file_is_kept_and_need_not_be_chosen_again(desk, rows):
    phase = rows.phases.get()
    page = send(desk, rows, phase, named("gold.csv", "row,kind\na,A\na,B\n"))
    assert page.status_code == 422
    assert "gold.csv is here until" in page.content.decode()
    rows.scenarios.update(options={"id": ["#"], "label": "kind"})
    answer = desk.post(address(rows, "_add", phase.slug), filled(page, "gold_form"), follow=True)
    assert "It has 2 " in answer.content.decode()
    assert WaitingGold.objects.get().file_name == "gold.csv"


def test_a_file_of_somebody_else_is_not_found_by_its_token(desk, rows, as_alice, alice):
    phase = rows.phases.get()
    page = send(desk, rows, phase, named("gold.csv", "row,kind\na,A\na,B\n"))
    make_organiser(rows, alice)
    answer = as_alice.post(address(rows, "_add", phase.slug), filled(page, "gold_form"))
    assert "Choose the file." in answer.content.decode()


def test_columns_that_are_unique_together_are_offered_as_ids_and_taken_by_a_button(desk, rows):
    phase = rows.phases.get()
    page = send(desk, rows, phase, named("gold.csv", TWO_IDS))
    assert "user_id + text_id together are different in each row. Use them as ids?" in page.content.decode()
    answer = desk.post(address(rows, "_add", phase.slug), filled(page, "gold_form", guess="yes"), follow=True)
    assert "version 1 with 40 units was added" in answer.content.decode()
    assert rows.scenarios.get().options == {"id": ["user_id", "text_id"]}
    [event] = Event.objects.filter(kind="scenario changed")
    assert "user_id, text_id" in str(event.detail)


@pytest.mark.parametrize(
    ("family", "options", "guess", "words"),
    [
        (
            "labels",
            {"task": "multi", "multi_as": "columns", "labels": "Anger,Disgust,Joy"},
            {"labels": ["Anger", "Joy"], "case": "ignore"},
            "List of labels: Anger, Joy.",
        ),
        (
            "numbers",
            {"columns": "Anger,Disgust,Joy"},
            {"columns": ["Anger", "Joy"], "gold_columns": ["anger", "joy"]},
            "Columns with numbers: Anger, Joy. Columns of the gold: anger, joy.",
        ),
    ],
)
def test_of_several_columns_those_are_offered_that_the_gold_has(desk, rows, family, options, guess, words):
    rows.scenarios.update(family=family, options=options)
    phase = rows.phases.get()
    text = "id,text,anger,joy\n" + "".join(f"{k},A text.,{k % 2},{k % 3 % 2}\n" for k in range(40))
    page = send(desk, rows, phase, named("gold.csv", text))
    assert words in page.content.decode()
    desk.post(address(rows, "_add", phase.slug), filled(page, "gold_form", guess="yes"))
    assert rows.scenarios.get().options == options | guess
    assert phase.golds.get().n_units == 40


def test_a_scenario_in_which_runs_were_scored_is_offered_no_other_ids(desk, rows, team, alice):
    phase = rows.phases.get()
    make_gold(phase, rows.scenarios.get(), {"gold.csv": "id,label\na,A\nb,B\n"})
    scored(make_submission(phase, team, alice, {"run.csv": "id,label\na,A\nb,A\n"}))
    assert "Use them as ids?" not in send(desk, rows, phase, named("gold.csv", TWO_IDS)).content.decode()


def test_gold_of_another_edition_s_rules_is_called_so(desk, task):
    phase = make_phase(task)
    gold = {f"testing/scenario1-main/scenario.{ending}": text for ending, text in (("txt", "Asma.\n"), ("ann", ""))}
    refused = send(desk, task, phase, zip_upload(gold))
    assert "These are files of 2020" in unescape(refused.content.decode())


def test_a_forged_phase_of_another_task_gets_nothing(desk, task):
    phase, other = make_phase(task), make_phase(make_task("other"))
    forged = {"file": zip_upload(run_files()), "phase": str(other.pk)}
    desk.post(address(task, "_add", phase.slug), forged)
    assert WaitingGold.objects.get().phase == phase


def test_what_was_dropped_leaves_nothing(desk, task):
    asked = send(desk, task, make_phase(task), zip_upload(run_files()))
    desk.post(asked.url, {"drop": "yes"})
    assert not WaitingGold.objects.exists()
    assert not Gold.objects.exists()


def test_once_runs_are_scored_the_next_gold_is_a_candidate_whose_page_comes_next(desk, task, scored_submission):
    [phase] = task.phases.all()
    asked = send(desk, task, phase, zip_upload(run_files(sentences=f"{SENTENCES}Nada\n")))
    taken = desk.post(asked.url, {"take": "yes"})
    candidate = Gold.objects.get(state="candidate")
    assert taken.url == address(task, "_version", candidate.pk)
    assert taken.url in desk.get(address(task)).content.decode()


def test_gold_that_nothing_was_scored_with_can_go_and_other_gold_stays(desk, task, scored_submission, scenario):
    used = Gold.objects.get()
    assert desk.post(address(task, "_delete", used.pk)).status_code == 409
    unused = make_gold(make_phase(task, "later"), scenario)
    assert desk.post(address(task, "_delete", unused.pk)).status_code == 302
    assert list(Gold.objects.all()) == [used]


def test_the_list_takes_the_same_number_of_queries_for_any_number_of_versions(
    desk, task, scenario, django_assert_max_num_queries
):
    phase = make_phase(task)
    for number in range(4):
        make_gold(phase, scenario, run_files(sentences=f"{SENTENCES}Nada {number}\n"))
    with django_assert_max_num_queries(25):
        page = desk.get(address(task))
    assert "Scenario 1: Scenario 1: 3 other versions" in page.content.decode()
