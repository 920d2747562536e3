"""Tasks whose runs come before their gold, from an empty site to the board, by pages alone."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.models import Team, User
from evalsite.api import tokens
from evalsite.challenges.models import Gold, Phase, Scenario, Task
from evalsite.contrib.collecting import pools
from evalsite.desk.making.cloning import clone
from evalsite.desk.waiting.kinds import waiting_in
from evalsite.leaderboard.models import Board, BoardLease
from evalsite.leaderboard.tasks import refresh_board
from evalsite.mailing.models import Delivery
from evalsite.submissions.lifecycle import scorer
from evalsite.submissions.models import Result, Scoring, Submission
from tests.evalsite.board_pages.pages import text
from tests.factories import make_scenario, make_task, make_team, make_user, work_off

pytestmark = pytest.mark.django_db
QUERIES = "q1\tfever\nq2\tcough\nq3\tpain\n"
QRELS = "".join(f"q{k} 0 d{k}1 2\nq{k} 0 d{k}2 1\nq{k} 0 d{k}3 0\n" for k in (1, 2, 3))
ITEMS = "id,text\n" + "".join(f"t{k},text {k}\n" for k in range(12))


def ranked(*documents: str, queries: tuple[int, ...] = (1, 2, 3)) -> str:
    """A run that ranks `dK1` and so on of each query K."""
    return "".join(
        f"q{k} Q0 {name.replace('K', str(k))} {rank} {10 - rank} team\n"
        for k in queries
        for rank, name in enumerate(documents, 1)
    )


def labelled(labels: list[str]) -> str:
    return "id,label\n" + "".join(f"t{k},{labels[k % len(labels)]}\n" for k in range(12))


def done(answer: Any) -> Any:
    assert answer.status_code == 302, text(answer.content.decode())
    return answer


def file(name: str, content: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode())


def as_user(name: str) -> tuple[Client, Team]:
    user = User.objects.filter(name=name).first() or make_user(name)
    client = Client()
    client.force_login(user)
    return client, user.teams.first() or make_team(f"Team {name}", user)


def send(phase: Phase, name: str, run: SimpleUploadedFile, method: str = "BM25") -> Any:
    client, team = as_user(name)
    typed = {"files": [run], "team": str(team.pk), "method": method, "anyway": "1"}
    return client.post(reverse("submit", args=[phase.task.slug, phase.slug]), typed)


def upload(phase: Phase, name: str, run: SimpleUploadedFile, method: str = "BM25") -> Submission:
    done(send(phase, name, run, method))
    return Submission.objects.order_by("created").last()


def page(client: Client, name: str, *words: object) -> str:
    answer = client.get(reverse(name, args=words))
    assert answer.status_code == 200
    return text(answer.content.decode())


def collect(as_olga: Client, phase: Phase, given: SimpleUploadedFile) -> None:
    address = reverse("desk_gold_collect", args=[phase.task.slug, phase.slug])
    chosen = [str(scenario.pk) for scenario in phase.task.scenarios.all()]
    done(as_olga.post(address, {"input": "1", "scenarios": chosen, "file": given}))


def bring_gold(as_olga: Client, phase: Phase, content: SimpleUploadedFile) -> Gold:
    asked = done(as_olga.post(reverse("desk_gold_add", args=[phase.task.slug, phase.slug]), {"file": content}))
    if "/waiting/" in asked.url:
        done(as_olga.post(asked.url, {"take": "yes"}))
    work()
    return phase.golds.latest("version")


def work() -> None:
    """Do all that workers have to do."""
    work_off()
    while waiting := list(Scoring.objects.waiting()):
        for scoring in waiting:
            scorer.score(scoring.pk)
        work_off()


def publish(as_olga: Client, gold: Gold) -> None:
    address = reverse("desk_gold_version", args=[gold.phase.task.slug, gold.pk])
    done(as_olga.post(address, {"publish": "1", "note": "The judgements."}))
    work_off()
    BoardLease.objects.all().delete()
    refresh_board(str(gold.phase_id), str(gold.scenario_id))


def close(phase: Phase) -> None:
    Phase.objects.filter(pk=phase.pk).update(closes=timezone.now() - timedelta(minutes=1))
    phase.refresh_from_db()


def to_do(task: Task) -> list[str]:
    return [item.text for item in waiting_in(Task.objects.filter(pk=task.pk))]


@pytest.fixture
def trec(as_olga) -> Phase:
    """A published task with a phase that has no gold."""
    done(as_olga.post("/organise/new/", {"template": "retrieval"}))
    task = Task.objects.get()
    opens = timezone.now() - timedelta(hours=1)
    typed = {"new-name": "Evaluation", "new-slug": "", "new-zone": "UTC", "new-opens_0": f"{opens:%Y-%m-%d}"}
    typed |= {"new-opens_1": f"{opens:%H:%M:%S}", "new-closes_0": f"{opens + timedelta(days=9):%Y-%m-%d}"}
    typed |= {"new-closes_1": "12:00:00"}
    done(as_olga.post(reverse("desk_phases_add", args=[task.slug]), typed))
    done(as_olga.post(reverse("desk_publish_now", args=[task.slug]), {"sure": "on"}))
    return task.phases.get(slug="evaluation")


def test_a_task_like_trec_from_an_empty_site_to_its_board(as_olga, trec, client):
    task = trec.task
    assert "its gold is missing" in page(client, "task", task.slug)
    assert "Take runs before there is gold" in page(as_olga, "desk_gold", task.slug)
    collect(as_olga, trec, file("queries.txt", QUERIES))
    assert "Runs are collected before there is gold" in page(client, "task", task.slug)
    ada, _ = as_user("Ada")
    assert "There is no gold yet. Your run is checked against the input" in page(ada, "submit", task.slug, trec.slug)

    first = upload(trec, "Ada", file("run.txt", ranked("dK1", "dK2", "dK3")))
    upload(trec, "Bo", file("run.txt", ranked("dK3", "dK9", "dK1")))
    shown = page(ada, "submission", first.pk)
    assert "waiting for gold" in shown
    assert "when the gold is added, all runs are scored" in shown
    other = send(trec, "Cy", file("run.txt", ranked("d1").replace("q1", "topic 1")))
    assert other.status_code == 422
    kit = ada.get(reverse("kit", args=[task.slug, trec.slug]))
    assert kit.status_code == 200

    address = reverse("desk_gold_collect_make", args=[task.slug, trec.slug, 1])
    done(as_olga.post(address, {"depth": "2", "runs": "1"}))
    work()
    table = pool_of(as_olga, trec)
    assert table[0] == ["item", "answer"]
    assert table[1:4] == [["q1", "d11"], ["q1", "d12"], ["q1", "d13"]]
    assert len(table) == 1 + 3 * 4
    assert "The first 2 answers to each item" in page(as_olga, "desk_gold_collect", task.slug, trec.slug)

    close(trec)
    scenario = task.scenarios.get()
    assert f"Evaluation, {scenario.name}: 2 runs wait for their gold." in to_do(task)
    gold = bring_gold(as_olga, trec, file("qrels.txt", QRELS))
    assert gold.is_candidate
    candidate = page(as_olga, "desk_gold_version", task.slug, gold.pk)
    assert "There is no board yet because the runs wait for gold." in candidate
    assert "version 0" not in candidate
    assert "another place" not in candidate
    assert "Score now" not in candidate
    assert "waiting for gold" in page(ada, "submission", first.pk)
    publish(as_olga, gold)
    edition = Board.objects.get(phase=trec).editions.order_by("-made").first()
    names = {str(team.pk): team.name for team in Team.objects.all()}
    assert [names[entry["team"]] for entry in edition.entries] == ["Team Ada", "Team Bo"]
    assert "scored" in page(ada, "submission", first.pk)
    assert [words for words in to_do(task) if "gold" in words] == []


def pool_of(client: Client, phase: Phase) -> list[list[str]]:
    answer = client.get(reverse("desk_gold_collect_pool", args=[phase.task.slug, phase.slug, 1]))
    content = b"".join(answer.streaming_content).decode()
    assert "Team" not in content
    return list(csv.reader(io.StringIO(content), delimiter="\t"))


@pytest.fixture
def opinions(as_olga, olga) -> Phase:
    task = make_task("opinions", olga)
    make_scenario(task, family="labels", options={})
    phase = Phase.objects.create(task=task, slug="test", name="Test", opens=timezone.now() - timedelta(days=1))
    collect(as_olga, phase, file("input.csv", ITEMS))
    return phase


def test_a_team_whose_run_waits_for_gold_is_called_neither_idle_nor_without_a_valid_run(as_olga, trec, client):
    task = trec.task
    collect(as_olga, trec, file("queries.txt", QUERIES))
    upload(trec, "Ada", file("run.txt", ranked("dK1", "dK2", "dK3")))
    work()
    overview = page(as_olga, "desk", task.slug)
    assert "1 run waits for gold or a judge." in overview
    assert "No run waits" not in overview
    assert "Teams without a valid run" not in overview
    teams = page(as_olga, "desk_teams", task.slug)
    assert "not scored yet" in teams
    assert "no valid run" not in teams
    assert "No team matches" in text(
        as_olga.get(reverse("desk_teams", args=[task.slug]), {"without": "run"}).content.decode()
    )
    board = page(client, "board", task.slug, trec.slug, 1)
    assert "There is no gold yet. The teams appear here" in board
    assert "as soon as the first run is scored" not in board


def test_a_run_of_documents_is_taken_without_a_question(as_olga, trec):
    collect(as_olga, trec, file("queries.txt", QUERIES))
    client, team = as_user("Ada")
    typed = {"files": [file("run.txt", ranked("clueweb-K"))], "team": str(team.pk), "method": "BM25"}
    done(client.post(reverse("submit", args=[trec.task.slug, trec.slug]), typed))


def test_a_task_of_labels_whose_run_cannot_be_scored_and_is_mended(as_olga, opinions):
    task = opinions.task
    bad = upload(opinions, "Ada", file("run.csv", labelled(["yes", "no", "perhaps"])), "Rules")
    upload(opinions, "Bo", file("run.csv", labelled(["yes"])))
    close(opinions)
    gold = bring_gold(as_olga, opinions, file("gold.csv", labelled(["yes", "no"])))
    words = "Test, Scenario 1: 1 run can't be scored, and its team has not been notified."
    assert words in to_do(task)
    shown = page(as_olga, "desk_gold_collect", task.slug, opinions.slug)
    assert "1 run can't be scored by the candidate: Rules , Team Ada: unknown label 'perhaps'" in shown
    ada, _ = as_user("Ada")
    assert "waiting for gold" in page(ada, "submission", bad.pk)

    Delivery.objects.all().delete()
    done(as_olga.post(reverse("desk_gold_collect_tell", args=[task.slug, opinions.slug])))
    assert Delivery.objects.get().user.name == "Ada"
    assert words not in to_do(task)
    shown = page(ada, "submission", bad.pk)
    assert "Unknown label 'perhaps'" in shown
    assert "Upload a corrected version" in shown
    form = page(ada, "submit", task.slug, opinions.slug)
    assert "these runs cannot be scored" in form
    assert "That uses no upload." in form
    assert "uploads left" not in form
    bo, _ = as_user("Bo")
    assert "This phase is closed" in page(bo, "submit", task.slug, opinions.slug)

    again = send(opinions, "Ada", file("run.csv", labelled(["yes", "no", "maybe"])), "Rules")
    assert again.status_code == 422, "it is checked beside the candidate now"
    mended = upload(opinions, "Ada", file("run.csv", labelled(["yes", "no"])), "Rules")
    assert mended.mends == bad
    assert send(opinions, "Ada", file("run.csv", labelled(["no"])), "Rules").status_code == 422
    work()
    publish(as_olga, gold)
    edition = Board.objects.get(phase=opinions).editions.order_by("-made").first()
    assert [entry["headline"] for entry in edition.entries][0] == 1.0
    assert len(edition.entries) == 2


def test_a_waiting_run_has_no_score_anywhere_while_the_gold_is_a_candidate(as_olga, opinions):
    run = upload(opinions, "Ada", file("run.csv", labelled(["yes"])))
    bring_gold(as_olga, opinions, file("gold.csv", labelled(["yes", "no"])))
    assert Result.objects.count() == 1
    _, key = tokens.make(run.uploader, "laptop", "upload read", None, None)
    program = Client(headers={"Authorization": f"Bearer {key}"})
    told = program.get(f"/api/v1/submissions/{run.pk}").json()["scenarios"][0]
    assert (told["state"], told["awaits_gold"], told["awaits_judge"]) == ("queued", True, False)
    assert (told["scores"], told["position"]) == ([], None)
    ada, _ = as_user("Ada")
    score = f"{Result.objects.get().headline:.3f}"
    place = [opinions.task.slug, opinions.slug, 1]
    for shown in (page(ada, "submission", run.pk), page(ada, "board", *place), page(Client(), "board", *place)):
        assert score not in shown
    assert program.get(f"/api/v1/boards/{'/'.join(map(str, place))}").content.decode().count(score) == 0
    assert Client().get(reverse("gold", args=[Gold.objects.get(is_input=True).pk])).status_code == 404


def test_a_pool_has_runs_by_priority_and_none_of_those_that_do_not_stand(as_olga, opinions):
    for labels, method in ((["yes"], "first"), (["no"], "second"), (["perhaps"], "contrastive")):
        upload(opinions, "Ada", file("run.csv", labelled(labels)), method)
    Submission.objects.filter(method="contrastive").update(is_contrastive=True)
    gold = Gold.objects.get()
    assert [run.method for run in pools.pooled_runs(gold, 1)] == ["second"]
    Submission.objects.filter(method="second").update(withdrawn=timezone.now())
    assert [run.method for run in pools.pooled_runs(gold, 9)] == ["first", "contrastive"]


def test_answers_that_are_no_pairs_have_no_pool(as_olga, phase, scenario):
    assert not pools.may_be_pooled(scenario)
    Gold.objects.all().delete()
    given = file("input_scenario1.txt", "Las vías respiratorias\n")
    collect(as_olga, phase, given)
    assert "not judged one by one" in page(as_olga, "desk_gold_collect", phase.task.slug, phase.slug)
    address = reverse("desk_gold_collect_make", args=[phase.task.slug, phase.slug, 1])
    assert as_olga.post(address, {"depth": "1", "runs": "1"}).status_code == 404


def test_an_input_that_is_none_is_refused_with_its_problem(as_olga, phase):
    Scenario.objects.update(family="labels", options={})
    Gold.objects.all().delete()
    address = reverse("desk_gold_collect", args=[phase.task.slug, phase.slug])
    chosen = [str(scenario.pk) for scenario in phase.task.scenarios.all()]
    answer = as_olga.post(address, {"input": "1", "scenarios": chosen, "file": file("input.csv", "id,text\n")})
    assert answer.status_code in (200, 422)
    assert not Gold.objects.exists()


def test_the_days_to_mend_are_set_on_the_page(as_olga, opinions):
    address = reverse("desk_gold_collect", args=[opinions.task.slug, opinions.slug])
    done(as_olga.post(address, {"mending": "1", "mend_days": "3"}))
    opinions.refresh_from_db()
    assert opinions.mend_days == 3
    assert as_olga.post(address, {"mending": "1", "mend_days": "999"}).status_code == 422


@pytest.mark.skipif(not apps.is_installed("evalsite.contrib.bundles"), reason="the site has no bundles")
def test_a_bundle_brings_the_input_and_the_days_to_mend(as_olga, olga, opinions, tmp_path):
    Phase.objects.update(mend_days=3)
    path = str(tmp_path / "bundle.zip")
    call_command("exporttask", opinions.task.slug, path)
    call_command("importtask", path, "--owner", olga.email)
    phase = Phase.objects.exclude(pk=opinions.pk).get()
    stored = phase.golds.get()
    assert (phase.mend_days, stored.is_input, stored.version, stored.n_units) == (3, True, 0, 12)
    Task.objects.update(is_published=True)
    assert upload(phase, "Cy", file("run.csv", labelled(["yes"]))).scorings.get().awaits_gold


def test_a_clone_has_the_input_and_the_days_to_mend(olga, opinions):
    Phase.objects.update(mend_days=3)
    opens = timezone.now() - timedelta(hours=1)
    task = clone(opinions.task, "Again", opens, with_gold=True, by=olga)
    phase = task.phases.get()
    stored = phase.golds.get()
    assert (phase.mend_days, stored.is_input, stored.version, stored.n_units) == (3, True, 0, 12)
