"""The endpoints: what they answer, and that they refuse what the pages refuse, in the same words."""

import json
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evalsite.accounts.rates import counted, reset
from evalsite.api.api import api
from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import KeptUpload, Result, Scoring, Submission
from scoring.messages import Message
from tests.factories import (
    PARTLY_RIGHT,
    PHRASES,
    make_gold,
    make_phase,
    make_run,
    make_submission,
    run_files,
    scored,
    work_off,
    zip_upload,
)

pytestmark = pytest.mark.django_db
UPLOAD, CHECK = "/api/v1/tasks/health/test/submissions", "/api/v1/tasks/health/test/check"
ODD = run_files(PHRASES.replace("Concept", "concept"))
BROKEN = {"output_a_scenario1.txt": "1 2 3\n", "output_b_scenario1.txt": ""}


def form(files=PARTLY_RIGHT, **fields):
    return {"files": [zip_upload(files)], "method": "Rules"} | fields


def test_a_task_has_what_one_needs_to_enter_it(client, phase, scenario):
    [listed] = client.get("/api/v1/tasks").json()
    assert (listed["slug"], listed["state"], listed["phase"]) == ("health", "open", "test")
    task = client.get("/api/v1/tasks/health").json()
    [described] = task["scenarios"]
    assert (described["family"], described["options"], described["headline"]) == ("ehealthkd", {"scenario": "1"}, "f1")
    [found] = task["phases"]
    assert (found["slug"], found["state"], found["scenarios"]) == ("test", "open", [1])
    assert found["limits"]["per_window"] is None
    assert found["closes"].endswith("Z")


def test_a_phase_says_why_it_is_paused_and_how_its_closing_was_moved(client, phase):
    before = phase.closes
    phase.closes += timedelta(days=2)
    phase.is_paused, phase.pause_reason = True, "The server is moved."
    phase.save()
    found = client.get("/api/v1/tasks/health/test").json()
    assert (found["state"], found["pause_reason"]) == ("paused", "The server is moved.")
    [former] = found["former_closings"]
    assert former["closes"] == f"{before:%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"
    assert former["moved_on"]


def test_what_a_candidate_gives_is_told_to_organisers_alone(calling, phase, scenario, team, alice, olga):
    run = make_run(phase, team)
    [before] = calling(alice).get(f"/api/v1/submissions/{run.pk}").json()["scenarios"]
    make_gold(phase, scenario, run_files(PHRASES, ""))
    work_off()
    assert Scoring.objects.filter(submission=run, gold__state="candidate", state="scored").exists()
    for address in (f"submissions/{run.pk}", "tasks/health/submissions", f"submissions/{run.pk}/scores/1"):
        answer = calling(alice).get(f"/api/v1/{address}")
        assert answer.status_code == 200
        shown = json.dumps(answer.json())
        assert not any(str(each.pk) in shown for each in Scoring.objects.filter(gold__state="candidate"))
    [after] = calling(alice).get(f"/api/v1/submissions/{run.pk}").json()["scenarios"]
    assert after == before


def test_a_phase_says_what_one_s_team_has_left_and_where_the_kit_is(calling, phase, team, alice):
    Phase.objects.update(window_limit=3)
    make_submission(phase, team, alice)
    found = calling(alice).get("/api/v1/tasks/health/test").json()
    [standing] = found["teams"]
    assert (standing["name"], standing["uploads_left"], standing["reason"]) == (team.name, 2, "")
    [kit] = found["data"]
    assert calling(alice).get(kit["address"].removeprefix("http://testserver")).status_code == 200


def test_a_run_is_uploaded_scored_and_read(calling, phase, team, alice):
    caller = calling(alice)
    sent = caller.post(UPLOAD, form(description="By hand", link="https://example.org/paper"))
    assert sent.status_code == 201
    run = sent.json()
    assert (run["team"], run["is_finished"], run["scenarios"][0]["state"]) == (team.name, False, "queued")
    scored(Submission.objects.get(pk=run["id"]))
    [part] = caller.get(f"/api/v1/submissions/{run['id']}").json()["scenarios"]
    assert part["state"] == "scored"
    assert part["scores"][0] | {"interval": None} == {
        "name": "f1",
        "title": "F1",
        "value": 0.5,
        "interval": None,
        "lower_is_better": False,
        "scale": {"decimals": 3, "is_percent": False},
    }
    numbers = caller.get(f"/api/v1/submissions/{run['id']}/scores/1").json()
    assert numbers["scores"]["precision"] == 0.6
    assert "|" in numbers["signature"] or numbers["signature"]
    file = caller.get(f"/api/v1/submissions/{run['id']}/file")
    assert b"".join(file.streaming_content).startswith(b"PK")


def test_the_same_bytes_again_give_the_earlier_run(calling, phase, team, alice):
    caller = calling(alice)
    first = caller.post(UPLOAD, form()).json()
    again = caller.post(UPLOAD, form())
    assert (again.status_code, again.json()["id"], again.json()["is_repeated"]) == (200, first["id"], True)
    assert Submission.objects.count() == 1


def test_files_with_problems_are_refused_with_file_line_and_words(calling, phase, team, alice):
    refused = calling(alice).post(UPLOAD, form(BROKEN))
    assert (refused.status_code, refused["Content-Type"]) == (422, "application/problem+json")
    [problem] = refused.json()["problems"]
    assert (problem["file"], problem["line"], problem["scenario"]) == ("output_a_scenario1.txt", 1, 1)
    assert problem["message"].startswith("Line has 1 column, 4 are needed")
    [cause] = refused.json()["causes"]
    assert (cause["quote"], cause["hint"]) == ("1 2 3", "Line 1 has blanks where tabs belong.")
    assert not Submission.objects.exists()


def test_a_check_stores_nothing_and_says_what_was_read(calling, phase, team, alice):
    caller = calling(alice)
    answer = caller.post(CHECK, {"files": [zip_upload(PARTLY_RIGHT)]})
    assert answer.status_code == 200
    [part] = answer.json()["scenarios"]
    assert part["summary"] == "4 phrases and 1 relation in 2 of 2 sentences."
    assert part["oddities"] == []
    [odd] = caller.post(CHECK, {"files": [zip_upload(ODD)]}).json()["scenarios"]
    assert [oddity["kind"] for oddity in odd["oddities"]] == ["case"]
    assert caller.post(CHECK, {"files": [zip_upload(BROKEN)]}).status_code == 422
    assert not Submission.objects.exists()
    assert not KeptUpload.objects.exists()


def test_files_that_look_odd_are_asked_back_about_and_need_not_be_sent_again(calling, phase, team, alice):
    caller = calling(alice)
    asked = caller.post(UPLOAD, form(ODD))
    assert (asked.status_code, asked["Content-Type"]) == (409, "application/problem+json")
    [oddity] = asked.json()["oddities"]
    assert (oddity["kind"], oddity["scenario"]) == ("case", 1)
    assert "did you mean Concept?" in oddity["message"]
    assert not Submission.objects.exists()
    assert not counted("refused_upload", alice.pk)
    sure = {"method": "Rules", "kept": asked.json()["kept"], "anyway": "true"}
    assert caller.post(UPLOAD, sure).status_code == 201
    assert not KeptUpload.objects.exists()
    assert caller.post(UPLOAD, sure).json()["errors"].keys() == {"kept"}


def test_files_that_look_odd_are_taken_at_once_from_whoever_is_sure(calling, phase, team, alice):
    assert calling(alice).post(UPLOAD, form(ODD, anyway="true")).status_code == 201


def test_what_the_form_misses_is_said_field_by_field(calling, phase, team, alice):
    refused = calling(alice).post(UPLOAD, {})
    assert refused.status_code == 422
    assert set(refused.json()["errors"]) == {"files", "method"}
    unknown = calling(alice).post(UPLOAD, form(scenarios=["7"]))
    assert unknown.json()["errors"] == {"scenarios": ["Scenario 7 takes no submissions in this phase."]}


def test_a_team_is_chosen_by_its_name_and_no_foreign_one(calling, phase, team, strangers, alice):
    caller = calling(alice)
    assert caller.post(UPLOAD, form(team=strangers.name)).status_code == 422
    assert caller.post(UPLOAD, form(team=str(strangers.pk))).status_code == 422
    assert caller.post(UPLOAD, form(team=team.name)).status_code == 201


def test_limits_and_times_are_those_of_the_page(calling, phase, team, alice):
    Phase.objects.update(total_limit=1)
    caller = calling(alice)
    assert caller.post(UPLOAD, form()).status_code == 201
    used = caller.post(UPLOAD, form(run_files()))
    assert (used.status_code, used.json()["detail"]) == (403, f"{team} has used all uploads of this phase.")
    Phase.objects.update(total_limit=None, closes=timezone.now() - timedelta(minutes=1))
    closed = caller.post(UPLOAD, form(run_files()))
    assert closed.status_code == 403
    assert closed.json()["detail"].startswith("This phase closed on")


def test_refused_uploads_are_rated_as_those_of_the_page_are(settings, calling, phase, team, alice):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"refused_upload": "1/10m"}
    caller = calling(alice)
    assert caller.post(UPLOAD, form(BROKEN)).status_code == 422
    throttled = caller.post(UPLOAD, form())
    assert throttled.status_code == 429
    assert int(throttled["Retry-After"]) > 0
    reset("refused_upload", alice.pk)
    assert caller.post(UPLOAD, form()).status_code == 201
    assert not counted("refused_upload", alice.pk)


def test_a_body_that_no_form_could_send_is_refused_as_json(calling, settings, alice, phase):
    settings.MAX_FORM_BYTES = 10
    refused = calling(alice).post(f"/api/v1/submissions/{phase.pk}/restore", {"x": "y" * 100})
    assert (refused.status_code, refused["Content-Type"]) == (413, "application/problem+json")


def test_what_is_not_there_is_a_problem_too(client):
    for address in ("/api/v1/nothing", "/api/v1/tasks/nothing", "/api/v1/submissions/1"):
        refused = client.get(address, headers={})
        assert refused.status_code in (401, 404, 422)
        assert refused["Content-Type"] == "application/problem+json"


def test_a_run_is_withdrawn_and_restored_until_the_phase_closes(calling, scored_submission, alice):
    caller, address = calling(alice), f"/api/v1/submissions/{scored_submission.pk}"
    assert caller.post(f"{address}/withdraw", {"reason": "wrong file"}).json()["withdrawn"] is not None
    scored_submission.refresh_from_db()
    assert (scored_submission.withdrawn_by, scored_submission.withdrawn_reason) == (alice, "wrong file")
    assert caller.post(f"{address}/restore").json()["withdrawn"] is None
    Phase.objects.update(closes=timezone.now() - timedelta(minutes=1))
    assert caller.post(f"{address}/withdraw").status_code == 403


def test_events_tell_the_state_and_end_with_the_run(settings, calling, submission, alice):
    settings.EVENTS_SECONDS = 0
    caller, address = calling(alice), f"/api/v1/submissions/{submission.pk}/events"
    queued = events(caller.get(address))
    assert [(kind, run["scenarios"][0]["state"]) for kind, run in queued] == [("state", "queued")]
    scored(submission)
    [(kind, run)] = events(caller.get(address))
    assert (kind, run["scenarios"][0]["state"]) == ("end", "scored")


def events(answer) -> list[tuple[str, dict]]:
    blocks = b"".join(answer.streaming_content).decode().split("\n\n")
    lines = [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks if block.startswith("event")]
    return [(block["event"], json.loads(block["data"])) for block in lines]


def test_warnings_have_a_kind_in_all_languages(calling, scored_submission, alice):
    Result.objects.update(warnings=[Message("run-empty", "the run is empty"), "as it was stored once"])
    address = f"/api/v1/submissions/{scored_submission.pk}"
    [scenario] = calling(alice).get(address, headers={"Accept-Language": "es"}).json()["scenarios"]
    assert scenario["warning_kinds"] == ["run-empty", ""]
    assert calling(alice).get(f"{address}/scores/1").json()["warning_kinds"] == ["run-empty", ""]


def test_scores_that_the_phase_keeps_are_not_told(calling, scored_submission, alice, olga):
    Phase.objects.update(shows_scores=False)
    address = f"/api/v1/submissions/{scored_submission.pk}"
    run = calling(alice).get(address).json()
    assert (run["shows_scores"], run["scenarios"][0]["scores"], run["scenarios"][0]["warnings"]) == (False, [], [])
    [listed] = calling(alice).get("/api/v1/tasks/health/submissions").json()
    assert listed["scores"][0] == {"scenario": 1, "state": "scored", "value": None, "interval": None}
    assert calling(alice).get(f"{address}/scores/1").status_code == 404
    assert calling(olga, "read organise").get(address).json()["scenarios"][0]["scores"]


def test_a_board_is_the_one_that_the_page_shows(client, scored_submission, team):
    refresh(Board.objects.get())
    board = client.get("/api/v1/tasks/health/test/boards/1").json()
    [entry] = board["entries"]
    assert (entry["rank"], entry["team"], entry["scores"]["f1"]) == (1, team.name, 0.5)
    assert board == json.loads(client.get("/tasks/health/test/board/1/board.json").content)
    assert client.get("/api/v1/tasks/health/test/boards/1?on=2020-01-01").json()["entries"] == []
    assert client.get("/api/v1/tasks/health/test/boards/1?on=yesterday").status_code == 404


def test_a_board_that_is_not_shown_is_refused(client, scored_submission):
    Phase.objects.update(board_audience=Phase.Audience.ORGANISERS)
    refused = client.get("/api/v1/tasks/health/test/boards/1")
    assert (refused.status_code, refused["Content-Type"]) == (403, "application/problem+json")


def test_queries_do_not_grow_with_runs_and_phases(calling, task, phase, scenario, team, alice):
    addresses = (
        "/api/v1/tasks",
        "/api/v1/tasks/health",
        "/api/v1/tasks/health/test",
        "/api/v1/tasks/health/submissions",
    )
    make_run(phase, team)
    make_gold(make_phase(task, "beside"), scenario)  # the same gold as in the phases that follow
    caller = calling(alice)
    caller.get("/api/v1/me")  # notes that the token was used, once a minute
    before = [n_queries(caller, address) for address in addresses]
    for number in range(3):
        make_gold(make_phase(task, f"more-{number}"), scenario)
        make_run(phase, team, run_files("1\t4 8\tConcept\tx\n" * (number + 1), ""))
    assert [n_queries(caller, address) for address in addresses] == before


def n_queries(caller, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert caller.get(address).status_code == 200
    return len(queries)


def test_every_operation_is_on_the_page_with_a_command_to_call_it(client, db):
    page = client.get("/api/").content.decode()
    schema = client.get("/api/v1/openapi.json").json()
    operations = [each for methods in schema["paths"].values() for each in methods.values()]
    assert len(operations) >= 14
    for operation in operations:
        assert f'id="{operation["operationId"]}"' in page
        assert operation["summary"] in page
    assert page.count("curl") > len(operations)


def test_the_page_loads_nothing_from_elsewhere_and_has_no_script_of_its_own(client, db):
    page = client.get("/api/").content.decode()
    assert not re.findall(r'(?:src|href)="https?://(?!testserver)', page)
    assert not re.findall(r"<script(?![^>]*src=)", page)


def test_the_schema_says_which_operations_need_a_token():
    paths = api.get_openapi_schema()["paths"]
    assert "security" not in paths["/api/v1/tasks"]["get"]
    assert paths["/api/v1/me"]["get"]["security"] == [{"Reading": []}]
    assert paths["/api/v1/tasks/{task}/{phase}/submissions"]["post"]["security"] == [{"Uploading": []}]
