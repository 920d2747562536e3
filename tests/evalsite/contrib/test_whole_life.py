"""A task's whole life, by pages and commands alone: from an empty site to the next season, and to another site."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Gold, Phase, Task
from evalsite.leaderboard.making.entries import finish_boards
from evalsite.submissions.models import Scoring, Submission
from scoring.cli.main import main
from tests.desk_parts import PartsPage
from tests.evalsite.board_pages.pages import text
from tests.evalsite.contrib.archives.finished import make_boards
from tests.evalsite.contrib.drawer.test_task_drawer import opened
from tests.factories import (
    PARTLY_RIGHT_PHRASES,
    PARTLY_RIGHT_RELATIONS,
    PHRASES,
    RELATIONS,
    make_team,
    make_user,
    run_files,
    scored,
    work_off,
    zip_upload,
)
from tests.forms import filled

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
RUNS = {
    "Ada": run_files(),
    "Bo": run_files(PARTLY_RIGHT_PHRASES, PARTLY_RIGHT_RELATIONS),
    "Cleo": run_files(PHRASES, RELATIONS.splitlines(keepends=True)[0]),
}


def done(answer: Any) -> Any:
    assert answer.status_code == 302, text(answer.content.decode())
    return answer


def add_gold(as_olga: Client, phase: Phase, files: dict[str, str]) -> Gold:
    """Add it on the desk, and take it although it is so small."""
    address = reverse("desk_gold_add", args=[phase.task.slug, phase.slug])
    asked = done(as_olga.post(address, filled(as_olga.get(address), "gold_form", file=zip_upload(files))))
    if "/waiting/" in asked.url:
        done(as_olga.post(asked.url, {"take": "yes"}))
    work_off()
    return phase.golds.latest("version")


def publish_gold(as_olga: Client, gold: Gold, note: str) -> None:
    done(
        as_olga.post(reverse("desk_gold_version", args=[gold.phase.task.slug, gold.pk]), {"publish": "1", "note": note})
    )
    work_off()


def upload(phase: Phase, name: str) -> Submission:
    """Sign up, make a team, and upload its run."""
    person = make_user(name)
    team = make_team(f"Team {name}", person)
    client = Client()
    client.force_login(person)
    typed = {"files": [zip_upload(RUNS[name])], "team": str(team.pk), "method": f"Method of {name}", "anyway": "1"}
    answer = done(client.post(reverse("submit", args=[phase.task.slug, phase.slug]), typed))
    assert client.get(answer.url).status_code == 200
    return scored(Submission.objects.get(team=team))


def release(as_olga: Client, phase: Phase) -> None:
    page = reverse("desk_release_phase", args=[phase.task.slug, phase.slug])
    for step in ("close", "results", "gold"):
        shown = as_olga.get(page)
        form = next(each.now for each in shown.context["steps"] if each.key == step)
        sure = {"sure": form.fields["sure"].widget.attrs["value"]} if "sure" in form.fields else {}
        address = reverse(f"desk_release_{step}", args=[phase.task.slug, phase.slug])
        done(as_olga.post(address, filled(shown, f"now-{step}", **sure)))


def downloaded(client: Client, address: str, target: Path) -> Path:
    target.write_bytes(b"".join(client.get(address).streaming_content))
    return target


def test_from_an_empty_site_to_the_next_season_and_another_site(as_olga, olga, client, tmp_path, capsys):
    done(as_olga.post("/organise/new/", {"template": "phrases-and-relations"}))
    work_off()
    task, phase = Task.objects.get(), Phase.objects.get()
    wrong = add_gold(as_olga, phase, run_files(PARTLY_RIGHT_PHRASES, PARTLY_RIGHT_RELATIONS))
    publish_gold(as_olga, wrong, "Our own gold.")
    publish = reverse("desk_publish_now", args=[task.slug])
    assert as_olga.post(publish).status_code == 422, "its texts are still the example's"
    done(as_olga.post(publish, {"sure": "on"}))

    runs = [upload(phase, name) for name in RUNS]
    board = reverse("board", args=[task.slug, phase.slug, 1])
    make_boards(phase)
    assert board_of(client, board).index("Team Bo") < board_of(client, board).index("Team Ada")

    mended = add_gold(as_olga, phase, run_files())
    assert mended.is_candidate
    publish_gold(as_olga, mended, "The relations of the second sentence were the wrong way round.")
    make_boards(phase)
    assert board_of(client, board).index("Team Ada") < board_of(client, board).index("Team Bo")
    assert not Scoring.objects.filter(submission__in=runs).exclude(state="scored").exists()

    later = timezone.now() + timedelta(days=40)
    desk = PartsPage(olga, reverse("desk_phases_one", args=[task.slug, phase.slug]))
    done(desk.save("times", closes_0=f"{later:%Y-%m-%d}", closes_1="12:00:00"))
    release(as_olga, phase)
    make_boards(phase)
    finish_boards()

    ending = reverse("desk_ending", args=[task.slug])
    ended = text(as_olga.get(ending).content.decode())
    assert "Nothing: all phases are closed" in ended, ended
    done(as_olga.post(reverse("desk_ending_job", args=[task.slug])))
    work_off()
    drawer = opened(as_olga.get(reverse("desk_ending_drawer", args=[task.slug])))
    assert "Team Ada" in drawer["results.md"].decode()

    archiving = reverse("desk_ending_archive", args=[task.slug])
    for kind in ("archive", "pages"):
        as_olga.post(archiving, {"make": kind})
        work_off()
    archive = downloaded(as_olga, f"{archiving}archive.zip", tmp_path / "archive.zip")
    assert main(["verify", str(archive)]) == 0
    assert "Nothing differs." in capsys.readouterr().out
    assert "index.html" in opened(as_olga.get(f"{archiving}pages.zip"))

    bundle = tmp_path / "bundle.zip"
    call_command("exporttask", task.slug, str(bundle))
    otto = make_user("Otto", may_create_tasks=True)
    call_command("importtask", str(bundle), "--owner", otto.email)
    assert Task.objects.exclude(pk=task.pk).get().title == task.title

    done(PartsPage(olga, reverse("desk_phases_season", args=[task.slug, phase.slug])).save("season", name="Next year"))
    season = task.phases.get(name="Next year")
    assert season.state == "open"
    assert len(runs) == 3
    assert "Team Ada" in board_of(client, board), "the board before stays where it was"
    assert "Next year" in text(client.get(task.get_absolute_url()).content.decode())


def board_of(client: Client, board: str) -> str:
    return text(client.get(board).content.decode())
