"""The home page, a task's page and the files on it: who finds what."""

import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
import time_machine
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evalsite.challenges.models import Download, Participation, Task
from tests.factories import make_gold, make_phase, make_scenario, make_task, run_files
from tests.own_pieces import own_piece, seen

NOW = datetime(2026, 12, 9, 12, 0, tzinfo=UTC)


def days(number: float) -> timedelta:
    return timedelta(days=number)


def page(client, path: str) -> str:
    assert client.get(path).status_code == 200
    return seen(client, path)


def make_download(task, **fields) -> Download:
    return Download.objects.create(
        task=task, title="Training sentences", file=ContentFile(b"data", "train.zip"), **fields
    )


def n_queries(client, path: str) -> int:
    """Return the queries of the page and the visitor's own piece."""
    with CaptureQueriesContext(connection) as queries:
        client.get(path)
        own_piece(client, path)
    return len(queries)


# Home


def test_home_without_tasks_says_what_will_be_there(client, db):
    assert "Tasks are listed here as soon as their organisers publish them" in page(client, "/")


def test_home_leads_an_organiser_to_the_first_task(as_olga):
    assert 'href="/organise/">Organise a task' in page(as_olga, "/")


def test_open_tasks_stand_first_by_what_closes_next_then_upcoming_then_finished(client, db):
    now = timezone.now()
    for title, opens, closes in [
        ("Long ago", now - days(90), now - days(80)),
        ("Lately", now - days(9), now - days(8)),
        ("Next year", now + days(300), now + days(310)),
        ("Next week", now + days(7), now + days(9)),
        ("Without end", now - days(1), None),
        ("This month", now - days(1), now + days(20)),
        ("Today", now - days(1), now + days(0.5)),
    ]:
        make_phase(make_task(title.lower().replace(" ", "-"), title=title), opens=opens, closes=closes)
    make_task("undated", title="Undated")

    content = page(client, "/")

    expected = ["Today", "This month", "Without end", "Next week", "Next year", "Undated", "Lately", "Long ago"]
    places = [content.index(f">{title}</a>") for title in expected]
    assert places == sorted(places)
    assert content.index('id="open"') < places[0] < content.index('id="upcoming"') < places[3]
    assert places[5] < content.index('id="finished"') < places[6]


def test_a_task_between_two_phases_is_upcoming(client, task):
    now = timezone.now()
    make_phase(task, "dev", opens=now - days(9), closes=now - days(8))
    make_phase(task, "test", opens=now + days(5), closes=now + days(6))

    content = page(client, "/")

    assert 'id="upcoming"' in content
    assert 'id="finished"' not in content


def test_home_says_until_when_and_how_many_teams(client, task, team, strangers):
    Participation.objects.create(task=task, team=team, number=1)
    Participation.objects.create(task=task, team=strangers, number=2)
    make_phase(task, name="Final test", opens=NOW - days(1), closes=datetime(2026, 12, 12, 23, 59, tzinfo=UTC))

    with time_machine.travel(NOW, tick=False):
        content = page(client, "/")

    assert "closes in 3 days" in content
    assert "Final test" in content
    assert '<time datetime="2026-12-12T23:59:00+00:00" data-local>12 Dec 2026, 23:59 UTC</time>' in content
    assert "2 teams" in content


@pytest.mark.parametrize(("length", "has_link"), [(200, False), (2000, True)])
def test_a_long_description_can_be_skipped(client, task, scenario, length, has_link):
    Task.objects.filter(pk=task.pk).update(description="word " * (length // 5))
    assert ('href="#scenarios"' in page(client, task.get_absolute_url())) == has_link


def test_home_tells_members_with_which_team_they_take_part(as_alice, as_charlie, task, team):
    Participation.objects.create(task=task, team=team, number=1)

    assert "You take part with" in page(as_alice, "/")
    assert "You take part with" not in page(as_charlie, "/")


def test_unpublished_tasks_are_listed_for_their_organisers_only(client, as_charlie, as_olga, olga):
    make_task("secret", title="Secret plan", organiser=olga, is_published=False)

    assert "Secret plan" not in page(client, "/")
    assert "Secret plan" not in page(as_charlie, "/")
    assert "Secret plan" in page(as_olga, "/")


def test_home_costs_the_same_queries_with_thirty_tasks(as_alice, team):
    def add(number: int) -> None:
        task = make_task(f"task-{number}")
        make_phase(task, "dev")
        make_phase(task, "test")
        Participation.objects.create(task=task, team=team, number=1)

    add(0)
    with_one = n_queries(as_alice, "/")
    for number in range(1, 30):
        add(number)

    assert n_queries(as_alice, "/") == with_one <= 19


# A task


def test_an_unpublished_task_is_found_by_its_organisers_only(client, as_charlie, as_olga, olga):
    make_task("secret", organiser=olga, is_published=False)

    assert client.get("/tasks/secret/").status_code == 404
    assert as_charlie.get("/tasks/secret/").status_code == 404
    assert "only its organisers see it" in page(as_olga, "/tasks/secret/")


def test_phases_are_shown_with_exact_times_and_limits(client, task):
    make_phase(
        task,
        opens=datetime(2026, 12, 1, 0, 0, tzinfo=UTC),
        closes=datetime(2026, 12, 12, 23, 59, 59, tzinfo=UTC),
        window_limit=3,
        total_limit=20,
    )

    with time_machine.travel(NOW, tick=False):
        content = " ".join(page(client, "/tasks/health/").split())

    assert "1 Dec 2026, 00:00 UTC" in content
    assert "12 Dec 2026, 23:59:59 UTC" in content
    assert "closes in 3 days" in content
    assert (
        '<span class="number">3 uploads</span> a day, <span class="number">20</span> in total, for each team.'
        in content
    )


def test_a_task_without_phases_says_so(client, task):
    assert "No dates yet" in page(client, "/tasks/health/")


def test_strangers_are_asked_to_log_in_and_members_to_upload(client, as_alice, phase):
    assert 'href="/tasks/health/test/submit/"' not in page(client, "/tasks/health/")
    assert 'href="/accounts/login/?next=/tasks/health/test/submit/"' in page(client, "/tasks/health/")

    assert 'href="/tasks/health/test/submit/"' in page(as_alice, "/tasks/health/")


@pytest.mark.parametrize(
    "closed_to_uploads",
    [
        {"opens": NOW + days(1), "closes": NOW + days(2)},
        {"opens": NOW - days(2), "closes": NOW - days(1)},
        {"opens": NOW - days(2), "closes": None, "is_paused": True},
    ],
)
def test_only_an_open_phase_offers_the_upload(as_alice, task, scenario, closed_to_uploads):
    make_gold(make_phase(task, **closed_to_uploads), scenario)

    with time_machine.travel(NOW, tick=False):
        assert "/submit/" not in page(as_alice, "/tasks/health/")


def test_a_phase_without_gold_takes_no_uploads(as_alice, task, scenario):
    make_phase(task)

    assert "/submit/" not in page(as_alice, "/tasks/health/")


def test_members_see_their_team_and_what_it_has_left(as_alice, as_charlie, submission, phase, team):
    phase.window_limit = 3
    phase.save()

    content = page(as_alice, "/tasks/health/")
    assert team.name in content
    assert '<span class="number">2</span> uploads left' in content
    assert 'href="/tasks/health/submissions/"' in content

    content = page(as_charlie, "/tasks/health/")
    assert team.name not in content
    assert "uploads left" not in content


def test_boards_are_linked_for_those_who_may_see_them(client, as_charlie, as_olga, phase):
    board = 'href="/tasks/health/test/board/1/"'
    assert board in page(client, "/tasks/health/")

    phase.board_audience = "organisers"
    phase.save()
    assert board not in page(as_charlie, "/tasks/health/")
    assert board in page(as_olga, "/tasks/health/")

    phase.results_released = timezone.now()
    phase.save()
    assert board in page(as_charlie, "/tasks/health/")


def test_a_scenario_says_what_ranks_and_what_to_upload(client, task):
    scenario = make_scenario(task, 2, name="Key phrases", options={"scenario": "2"})

    content = page(client, "/tasks/health/")

    assert "Key phrases" in content
    assert f"<strong>{scenario.engine_family.score_titles[scenario.headline]}</strong>" in content
    assert "output_a_scenario2.txt" in content
    assert "output_b_scenario2.txt" not in content


def test_texts_of_organisers_are_escaped_or_sanitised(client, olga):
    task = make_task(
        organiser=olga, title="<i>Title</i>", summary="<i>Sum</i>", description="**bold** <script>alert(1)</script>"
    )
    make_scenario(task, name="<i>Name</i>", description="[x](javascript:alert(1))")

    content = page(client, "/tasks/health/")

    assert "<i>" not in content
    assert "<strong>bold</strong>" in content
    assert "alert(1)</script>" not in content
    assert 'href="javascript' not in content


def test_a_task_costs_the_same_queries_with_more_of_everything(as_alice, phase, team):
    task = phase.task
    Participation.objects.create(task=task, team=team, number=1)
    make_download(task)
    before = n_queries(as_alice, "/tasks/health/")

    for number in (2, 3):
        scenario = make_scenario(task, number)
        for slug in ("dev", "post"):
            closed = {"opens": timezone.now() - days(9), "closes": timezone.now() - days(8), "gold_released": True}
            past = task.phases.filter(slug=slug).first() or make_phase(task, slug, **closed)
            make_gold(past, scenario)
        make_download(task)

    assert n_queries(as_alice, "/tasks/health/") == before <= 36


# Files


def body(response) -> bytes:
    return b"".join(response.streaming_content)


def test_a_download_is_saved_and_never_shown(client, task):
    response = client.get(f"/downloads/{make_download(task).pk}/")

    assert body(response) == b"data"
    assert response["Content-Disposition"] == 'attachment; filename="health-train.zip"'
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "private" in response["Cache-Control"]


def test_a_download_is_hidden_until_its_time_but_for_organisers(as_charlie, as_olga, task):
    later = make_download(task, available_from=timezone.now() + days(1))

    assert later.title not in page(as_charlie, "/tasks/health/")
    assert as_charlie.get(f"/downloads/{later.pk}/").status_code == 404
    assert later.title in page(as_olga, "/tasks/health/")
    assert body(as_olga.get(f"/downloads/{later.pk}/")) == b"data"


def test_a_download_of_an_unpublished_task_is_not_found(as_charlie):
    hidden = make_download(make_task("secret", is_published=False))

    assert as_charlie.get(f"/downloads/{hidden.pk}/").status_code == 404


def test_gold_stays_hidden_until_it_is_released(client, phase, alice, olga, submission):
    gold = phase.golds.get()

    for user in (None, alice):
        if user:
            client.force_login(user)
        assert client.get(f"/gold/{gold.pk}/").status_code == 404
        assert f"/gold/{gold.pk}/" not in page(client, "/tasks/health/")
    client.force_login(olga)
    assert sha256(body(client.get(f"/gold/{gold.pk}/"))).hexdigest() == gold.sha256


def test_released_gold_is_offered_in_its_newest_version(client, phase, scenario):
    old = phase.golds.get()
    new = make_gold(phase, scenario)
    phase.gold_released = True
    phase.save()

    content = page(client, "/tasks/health/")

    assert f"/gold/{new.pk}/" in content
    assert f"/gold/{old.pk}/" not in content
    assert sha256(body(client.get(f"/gold/{new.pk}/"))).hexdigest() == new.sha256


def test_released_gold_of_an_unpublished_task_is_not_found(client, phase):
    phase.gold_released = True
    phase.save()
    phase.task.is_published = False
    phase.task.save()

    assert client.get(f"/gold/{phase.golds.get().pk}/").status_code == 404


def test_gold_that_fills_several_scenarios_is_offered_once_with_its_size(client, task, scenario):
    dev = make_phase(task, "dev", gold_released=True)
    files = run_files(scenarios=(1, 2))
    golds = [make_gold(dev, each, files) for each in (scenario, make_scenario(task, 2))]

    html = page(client, "/tasks/health/")

    assert html.count('href="/gold/') == 1
    words = " ".join(re.sub(r"<[^>]*>", " ", html.partition('class="files"')[2].partition("</ul>")[0]).split())
    assert "Gold, Dev Scenario 1: Scenario 1 · Scenario 2: Scenario 2 Version 1 ·" in words
    assert re.search(r"· \d+(\.\d)? (kB|bytes)", words)
    responses = [client.get(f"/gold/{gold.pk}/") for gold in golds]
    for response in responses:
        assert response["Content-Disposition"] == 'attachment; filename="health-dev-gold.zip"'
        response.close()


def test_gold_files_that_differ_have_names_that_differ(client, task, phase):
    phase.gold_released = True
    phase.save()
    second = make_gold(phase, make_scenario(task, 2))

    response = client.get(f"/gold/{second.pk}/")

    assert response["Content-Disposition"] == 'attachment; filename="health-test-gold-scenario2.zip"'
    response.close()
