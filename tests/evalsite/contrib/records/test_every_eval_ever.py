"""Entries and boards as records for Every Eval Ever, once the results are released."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Phase
from tests.evalsite.public_pages.places import refresh_all
from tests.factories import make_run, make_submission, make_team, make_user, run_files, scored

pytestmark = pytest.mark.django_db
HOSTILE = "- &a *b: {x}\n--- #! |"
# What Every Eval Ever's schema asks for, 0.3.0.
NEEDED = {
    *("schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info", "eval_library"),
    "evaluation_results",
}
OF_SOURCE = {"source_type", "source_organization_name", "evaluator_relationship"}
OF_MODEL = {"name", "id", "additional_details"}
OF_RESULT = {"evaluation_name", "source_data", "metric_config", "score_details"}


@pytest.fixture
def runs(phase, team, olga):
    hostile = make_team(HOSTILE, make_user("Mallory"))
    found = [
        make_run(phase, hostile, run_files(relations=""), method=HOSTILE),
        make_run(phase, team, link="https://paper.example/1"),
        scored(make_submission(phase, None, olga, run_files(), method="Dictionary", reference="baseline")),
    ]
    refresh_all()
    return found


@pytest.fixture
def released(runs):
    Phase.objects.update(closes=timezone.now(), results_released=timezone.now() - timedelta(hours=1))
    return runs


def of_board(client, suffix):
    return client.get(reverse("board_export", args=["health", "test", 1, suffix]))


def of_entry(client, run):
    return client.get(reverse("entry_record", args=["health", "test", run.pk]))


def check(record):
    """Check what the schema asks for: keys that are there, and details that are texts."""
    assert set(record) >= NEEDED
    assert set(record["source_metadata"]) >= OF_SOURCE
    assert set(record["model_info"]) >= OF_MODEL
    assert {"deployment_type", "model_availability"} <= set(record["model_info"]["additional_details"])
    assert set(record["eval_library"]) == {"name", "version"}
    assert record["evaluation_results"]
    for result in record["evaluation_results"]:
        assert set(result) >= OF_RESULT
        assert set(result["source_data"]) == {"dataset_name", "source_type", "url"}
        assert isinstance(result["metric_config"]["lower_is_better"], bool)
        assert isinstance(result["score_details"]["score"], float)
        assert all(isinstance(text, str) for text in result["score_details"]["details"].values())


def test_boards_and_entries_are_no_records_before_the_release(client, as_olga, runs):
    assert of_board(client, "jsonl").status_code == 404
    assert of_entry(as_olga, runs[1]).status_code == 404
    assert "board.jsonl" not in client.get(reverse("board", args=["health", "test", 1])).content.decode()


def test_each_entry_of_a_board_is_a_record_with_the_numbers_of_the_board(client, released):
    records = [json.loads(line) for line in of_board(client, "jsonl").content.decode().splitlines()]
    for record in records:
        check(record)
    of_team = next(each for each in records if each["model_info"]["developer"] == "Alice and Bob")
    assert of_team["model_info"]["additional_details"]["paper_or_code"] == "https://paper.example/1"
    assert of_team["source_metadata"]["evaluator_relationship"] == "third_party"
    shown = json.loads(of_board(client, "json").content)["entries"]
    entry = next(each for each in shown if each["team"] == "Alice and Bob")
    scores = {
        each["metric_config"]["metric_id"].rpartition(".")[2]: each["score_details"]["score"]
        for each in of_team["evaluation_results"]
    }
    assert scores == {name: value for name, value in entry["scores"].items() if value is not None}
    assert len(records) == len(shown) == 3


def test_an_entry_is_one_record(client, released):
    answer = of_entry(client, released[1])
    record = json.loads(answer.content)
    check(record)
    decides = [each["metric_config"]["additional_details"]["decides_the_rank"] for each in record["evaluation_results"]]
    assert decides.count("true") == 1
    assert answer["Content-Disposition"].startswith("attachment")


def test_the_pages_lead_to_the_records(client, released):
    board = client.get(reverse("board", args=["health", "test", 1])).content.decode()
    assert "board.jsonl" in board
    entry = client.get(reverse("entry", args=["health", "test", released[1].pk])).content.decode()
    assert reverse("entry_record", args=["health", "test", released[1].pk]) in entry
