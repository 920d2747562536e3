"""Files that are sent for no scenario in particular enter those that they serve, at every door."""

import json
import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

import scoring
from evalsite.api import tokens
from evalsite.submissions.checking.quick_check import check
from evalsite.submissions.models import Submission
from evalsite.submissions.uploads import as_upload
from scoring.__main__ import main as run_command
from scoring.readers.archive import Made
from tests.factories import make_gold, make_phase, make_scenario, make_task, run_files, zip_upload

pytestmark = pytest.mark.django_db

INTENTS, TOPICS = ["ask", "report"], ["pool", "library"]
IDS = [f"d{number:03}" for number in range(12)]
ROWS = [(name, INTENTS[k % 2], TOPICS[k // 2 % 2]) for k, name in enumerate(IDS)]
WORDS = ["Ana", "sings", "."]
TREES = {"tags": ["N", "V", "P"], "heads": [1, 1, 1], "deps": ["nsubj", "ROOT", "punct"]}
LABELS = (
    [("labels", {"label": "intent"}), ("labels", {"label": "topic"})],
    "gold.csv",
    "id,intent,topic\n" + "".join(f"{','.join(row)}\n" for row in ROWS),
)
SPACY = (
    [
        ("spacy", {"scores": [{"name": "ner"}], "format": "jsonl"}),
        ("spacy", {"scores": [{"name": "parser"}, {"name": "tagger"}], "format": "jsonl"}),
    ],
    "gold.jsonl",
    "".join(
        json.dumps({"id": name, "words": WORDS, "spaces": [True, False, False], "ents": [[0, 1, "PER"]], **TREES})
        + "\n"
        for name in IDS
    ),
)


@pytest.fixture
def phase(db):
    return make_phase(make_task("served"), "development", gold_released=True)


@pytest.fixture
def task_of(phase):
    def make(scenarios, name, gold):
        for number, (family, options) in enumerate(scenarios, start=1):
            scenario = make_scenario(phase.task, number, family=family, options=options)
            make_gold(phase, scenario, {name: gold})
        return list(phase.task.scenarios.order_by("number"))

    return make


@pytest.fixture
def enters(phase):
    """The numbers of the scenarios that files enter, and of those in which they have problems."""

    def look(scenarios, *files, describes=True):
        with as_upload([*files]) as upload:
            checked = check(phase, upload, scenarios, [], describes=describes)
        broken = [part.scenario.number for part in checked if part.scenario and part.problems]
        return [part.scenario and part.scenario.number for part in checked], broken

    return look


def sample_of(scenario, gold):
    family = scoring.FAMILIES[scenario.family]
    return family.files.sample(
        Made({name: text.encode() for name, text in gold.items()}), family.configure(scenario.options)
    )


def as_csv(column, rows=ROWS):
    place = ("intent", "topic").index(column) + 1
    return f"id,{column}\n" + "".join(f"{row[0]},{row[place]}\n" for row in rows)


def as_objects(column, rows=ROWS):
    place = ("intent", "topic").index(column) + 1
    return [{"id": row[0], column: row[place]} for row in rows]


def in_format(ending, column, rows=ROWS):
    if ending == "csv":
        return as_csv(column, rows)
    if ending == "tsv":
        return as_csv(column, rows).replace(",", "\t")
    objects = as_objects(column, rows)
    if ending == "json":
        return json.dumps(objects)
    return "".join(json.dumps(each) + "\n" for each in objects)


def file(name, content):
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "ndjson", "json"])
@pytest.mark.parametrize("column", ["intent", "topic"])
def test_a_table_serves_the_scenario_whose_column_it_has_in_every_format(task_of, enters, ending, column):
    scenarios = task_of(*LABELS)
    run = file(f"run.{ending}", in_format(ending, column))
    assert enters(scenarios, run) == ([("intent", "topic").index(column) + 1], [])


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_what_else_is_wrong_with_a_table_is_told_of_the_scenario_whose_column_it_has(task_of, enters, ending):
    scenarios = task_of(*LABELS)
    slipped = [(f"'{name}", *labels) for name, *labels in ROWS]
    assert enters(scenarios, file(f"run.{ending}", in_format(ending, "intent", slipped))) == ([1], [1])


def test_an_object_without_its_key_is_a_slip_where_others_have_it(task_of, enters):
    scenarios = task_of(*LABELS)
    objects = [{"id": name, "intent": intent, "topic": topic} for name, intent, topic in ROWS]
    del objects[3]["topic"]
    assert enters(scenarios, file("run.json", json.dumps(objects))) == ([1, 2], [2])


def test_what_a_mended_table_lacks_tells_which_scenario_it_is_for(task_of, enters):
    scenarios = task_of(*LABELS)
    assert enters(scenarios, file("run.csv", as_csv("intent").replace(",", ";"))) == ([1], [1])


LISTED = (
    [("labels", {"label": "intent", "labels": INTENTS}), ("labels", {"label": "topic", "labels": TOPICS})],
    *LABELS[1:],
)


@pytest.mark.parametrize("run", [json.dumps({name: intent for name, intent, _ in ROWS}), "ask\n" * len(ROWS)])
def test_labels_without_a_column_serve_the_scenario_that_lists_them(task_of, enters, run):
    assert enters(task_of(*LISTED), file("run.json" if run[0] == "{" else "run.txt", run)) == ([1], [])


def test_labels_in_the_column_of_another_scenario_are_told_to_be_that_one_s(phase, task_of):
    topics = [(name, topic, topic) for name, _, topic in ROWS]
    with as_upload([file("run.csv", as_csv("intent", topics))]) as upload:
        [part] = check(phase, upload, task_of(*LISTED), [])
    assert part.scenario.number == 1
    assert {problem.message for problem in part.problems} == {
        f"label {topic!r} is one of scenario 2, and not of this one" for topic in TOPICS
    }


def test_two_files_with_a_column_each_are_paired_by_it_beside_what_windows_leaves(task_of, enters):
    scenarios = task_of(*LABELS)
    files = {"intent.csv": as_csv("intent"), "topic.csv": as_csv("topic"), "Thumbs.db": "x", "~$intent.csv": "x"}
    files |= {"desktop.ini": "x", "train.log": "done", "config.json": "{}"}
    assert enters(scenarios, zip_upload(files)) == ([1, 2], [])
    assert enters(scenarios, file("intent.csv", as_csv("intent")), file("t.csv", as_csv("topic"))) == ([1, 2], [])


@pytest.mark.parametrize("made", [LABELS, SPACY], ids=["labels", "spacy"])
def test_each_scenario_s_own_sample_enters_that_scenario_alone(task_of, enters, made):
    scenarios = task_of(*made)
    for scenario in scenarios:
        ((name, content),) = sample_of(scenario, {made[1]: made[2]}).items()
        assert enters(scenarios, file(name, content)) == ([scenario.number], [])
        assert enters(scenarios, file(name, content), describes=False) == ([scenario.number], [])


def test_a_run_with_the_layers_of_all_scenarios_enters_all(task_of, enters):
    scenarios = task_of(*SPACY)
    assert enters(scenarios, file("run.jsonl", SPACY[2])) == ([1, 2], [])


@pytest.fixture
def doors(phase, as_alice, alice, team):
    """What each door says of a file: the open check, the form of the phase and the API's check and upload."""
    at = [phase.task.slug, phase.slug]
    _, text = tokens.make(alice, "test", "read upload", None)
    api = Client(headers={"Authorization": f"Bearer {text}"})

    def knock(name, content):
        def send(client, address, **fields):
            return client.post(address, {"files": file(name, content)} | fields)

        looked = send(Client(), reverse("open_check", args=at))
        told = send(api, reverse("api:check", args=at))
        form = send(as_alice, reverse("submit", args=at), team=str(team.pk), method="Rules", anyway="yes")
        return looked, told, form

    return knock


def test_every_door_says_for_which_scenario_files_are_and_enters_that_alone(task_of, doors):
    task_of(*LABELS)
    looked, told, form = doors("run.jsonl", in_format("jsonl", "intent"))
    words = "These files are for Scenario 1; there is nothing in them for Scenario 2."
    assert looked.status_code == 200
    assert words in unescape(looked.content.decode())
    assert told.status_code == 200, told.content
    assert words in told.json()["detail"]
    assert [part["scenario"] for part in told.json()["scenarios"]] == [1]
    assert form.status_code == 302
    assert list(Submission.objects.get().scorings.values_list("scenario__number", flat=True)) == [1]
    assert words in [str(message) for message in form.wsgi_request._messages]


@pytest.mark.parametrize("made", [LABELS, SPACY], ids=["labels", "spacy"])
def test_each_scenario_s_own_sample_enters_it_at_every_door(phase, task_of, doors, made, alice):
    _, text = tokens.make(alice, "test", "read upload", None)
    program = Client(headers={"Authorization": f"Bearer {text}"})
    address = reverse("api:upload", args=[phase.task.slug, phase.slug])
    for scenario in task_of(*made):
        ((name, content),) = sample_of(scenario, {made[1]: made[2]}).items()
        looked, told, form = doors(name, content)
        words = f"These files are for Scenario {scenario.number}; there is nothing in them for"
        assert (looked.status_code, words in unescape(looked.content.decode())) == (200, True)
        assert [part["scenario"] for part in told.json()["scenarios"]] == [scenario.number]
        assert form.status_code == 302
        assert entered() == [scenario.number]
        sent = program.post(address, {"files": file(name, content), "method": "Sample", "anyway": "true"})
        assert sent.status_code == 201, sent.content
        assert entered() == [scenario.number]


@pytest.mark.parametrize("made", [LABELS, SPACY], ids=["labels", "spacy"])
def test_the_samples_of_all_scenarios_in_one_zip_enter_them_at_every_door(phase, task_of, doors, made, tmp_path):
    scenarios, gold = task_of(*made), {made[1]: made[2]}
    files = {f"{k.number}/{name}": text for k in scenarios for name, text in sample_of(k, gold).items()}
    looked, told, form = doors("runs.zip", zip_upload(files).read())
    assert looked.status_code == 200
    assert [part["scenario"] for part in told.json()["scenarios"]] == [1, 2]
    assert form.status_code == 302
    assert entered() == [1, 2]
    for place, content in [("runs.zip", zip_upload(files).read()), (made[1], made[2].encode())]:
        (tmp_path / place).write_bytes(content)
    for scenario in scenarios:
        options = [
            part
            for key, value in scenario.options.items()
            for part in ("-o", f"{key}={value if isinstance(value, str) else json.dumps(value)}")
        ]
        command = ["check", scenario.family, "--gold", str(tmp_path / made[1]), "--system", str(tmp_path / "runs.zip")]
        assert run_command([*command, *options]) == 0


def entered() -> list[int]:
    """The scenarios of the one submission, which is deleted."""
    submission = Submission.objects.get()
    numbers = list(submission.scorings.values_list("scenario__number", flat=True))
    submission.delete()
    return numbers


@pytest.mark.parametrize("made", [LABELS, SPACY], ids=["labels", "spacy"])
def test_each_scenario_s_own_sample_enters_it_by_the_command(
    transactional_db, live_server, monkeypatch, tmp_path, capsys, phase, task_of, made, alice, team
):
    _, text = tokens.make(alice, "test", "read upload", None)
    monkeypatch.setenv("EVALSITE_SITE", live_server.url)
    monkeypatch.setenv("EVALSITE_TOKEN", text)
    for scenario in task_of(*made):
        ((name, content),) = sample_of(scenario, {made[1]: made[2]}).items()
        (tmp_path / name).write_bytes(content)
        command = ["submit", f"{phase.task.slug}/{phase.slug}", str(tmp_path / name)]
        assert run_command([*command, "--check"]) == 0
        assert f"These files are for Scenario {scenario.number};" in capsys.readouterr().out
        assert run_command([*command, "--method", "Sample", "--anyway"]) == 0
        assert entered() == [scenario.number]


def test_the_same_finding_of_several_scenarios_is_one_line(phase, task_of, client):
    task_of([("labels", {"label": "intent"}), ("labels", {"label": "intent", "task": "single"})], *LABELS[1:])
    run = file("run.csv", as_csv("intent") + "d099,ask\n")
    answer = client.post(reverse("open_check", args=[phase.task.slug, phase.slug]), {"files": run})
    text = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert "Scenario 1: Scenario 1 and Scenario 2: Scenario 2" in text
    assert text.count('class="cause"') == 1


def test_what_one_of_several_scenarios_finds_alone_stands_apart_at_every_door(task_of, doors):
    strict = {"label": "intent", "labels": ["ask", "report"]}
    task_of([("labels", strict), ("labels", strict | {"unknown_ids": "ignore"})], *LABELS[1:])
    page, api, _form = doors("run.csv", as_csv("intent").replace("d003,report", "d003,rebort") + "d099,ask\n")
    text = unescape(page.content.decode())
    assert text.count('class="cause"') == 2
    assert text.index("Scenario 1: Scenario 1 and Scenario 2: Scenario 2") < text.index("rebort")
    answer = api.json()
    assert {(cause["kind"], *cause["scenarios"]) for cause in answer["causes"]} == {
        ("unknown-label-did-you", 1, 2),
        ("not-gold", 1),
    }
    assert [(len(problem["scenarios"]), problem["scenario"]) for problem in answer["problems"]] == [(2, 1), (1, 1)]
    assert {cause["scenario_name"] for cause in answer["causes"]} == {"Scenario 1 and Scenario 2", "Scenario 1"}


def test_a_run_without_words_of_another_phase_is_recognised_by_its_ids(phase, task_of, enters):
    (scenario, *_) = task_of(*SPACY)
    other = make_phase(phase.task, "test")
    make_gold(other, scenario, {"gold.jsonl": SPACY[2].replace('"d0', '"t0')})
    run = file("run.jsonl", "".join(json.dumps({"id": f"t{name[1:]}", "ents": []}) + "\n" for name in IDS))
    with as_upload([run]) as upload:
        (part,) = check(phase, upload, [scenario], [])
    assert part.made_for.phase == other


LANGUAGES = {
    folder: "id,intent\n" + "".join(f"{folder}-{number},ask\n" for number in range(9)) for folder in ("de", "es")
}


@pytest.fixture
def in_languages(phase):
    """Scenarios of which each has a folder of its own."""
    scenarios = []
    for number, (folder, text) in enumerate(LANGUAGES.items(), start=1):
        options = {"label": "intent", "folder": folder}
        scenarios.append(make_scenario(phase.task, number, family="labels", options=options))
        make_gold(phase, scenarios[-1], {f"{folder}/gold.csv": text})
    return scenarios


@pytest.mark.parametrize("names", [("german/run.csv", "spanish/run.csv"), ("run1.csv", "run2.csv"), ("run.csv",)])
def test_files_that_their_ids_tell_apart_enter_by_the_names_that_are_advised(phase, in_languages, enters, names):
    run = dict(zip(names, LANGUAGES.values(), strict=False))
    with as_upload([zip_upload(run)]) as upload:
        [part] = check(phase, upload, in_languages, [])
    renamed = {place.file: str(place.lines).removeprefix("to ") for place in part.causes[0].places}
    mended = zip_upload({renamed[path]: text for path, text in run.items()})
    assert enters(in_languages, mended) == ([1, 2][: len(run)], [])


def test_a_table_of_all_languages_enters_them_with_the_column_that_is_advised(phase, in_languages, enters):
    rows = [line for text in LANGUAGES.values() for line in text.splitlines()[1:]]
    with as_upload([file("run.csv", "id,intent\n" + "\n".join(rows))]) as upload:
        [part] = check(phase, upload, in_languages, [])
    column = re.search(r"add a column (\w+) that says", part.problems[0].message)[1]
    mended = f"id,intent,{column}\n" + "".join(f"{row},{row[:2]}\n" for row in rows)
    assert enters(in_languages, file("run.csv", mended)) == ([1, 2], [])


def test_a_run_of_another_phase_that_shares_the_ids_is_recognised(phase, in_languages):
    other = make_phase(phase.task, "test")
    further = "id,intent\n" + "".join(f"de-{number},ask\n" for number in range(20))
    make_gold(other, in_languages[0], {"de/gold.csv": further})
    with as_upload([zip_upload({"de/run.csv": LANGUAGES["de"]})]) as upload:
        [part] = check(other, upload, in_languages[:1], [])
    assert part.made_for.phase == phase


def test_folders_exchanged_as_the_message_says_enter_their_scenarios(phase, in_languages, enters):
    texts, scenarios = LANGUAGES, in_languages
    exchanged = {"de/run.csv": texts["es"], "es/run.csv": texts["de"]}
    with as_upload([zip_upload(exchanged)]) as upload:
        checked = check(phase, upload, scenarios, [])
    words = " ".join(part.made_for.words for part in checked if part.made_for)
    folders = re.search(r"(\w+)/ has .*?, and (\w+)/ those", words).groups()
    other_of = dict([folders, folders[::-1]])
    mended = {f"{other_of[path[:2]]}{path[2:]}": text for path, text in exchanged.items()}
    assert enters(scenarios, zip_upload(mended)) == ([1, 2], [])


def test_files_renamed_as_the_message_says_enter_their_scenario(phase):
    scenario = make_scenario(phase.task, 1)
    make_gold(phase, scenario)
    run = {path.replace("output_a", "output-a"): text for path, text in run_files().items() if "output" in path}
    with as_upload([zip_upload({path: text for path, text in run.items() if "output-a" in path})]) as upload:
        ((cause, *_), *_) = [part.causes for part in check(phase, upload, [scenario], [])]
    assert "Rename these files" in cause.message
    renamed = {place.file: str(place.lines).removeprefix("to ") for place in cause.places}
    mended = {renamed.get(path, path): text for path, text in run.items()}
    with as_upload([zip_upload(mended)]) as upload:
        assert [part.scenario for part in check(phase, upload, [scenario], [])] == [scenario]
