"""What a team tells of its run, and the public page of an entry after the release."""

import csv
import re
from datetime import timedelta

import pytest
from allauth.socialaccount.models import SocialAccount
from django.urls import reverse
from django.utils import timezone

from evalsite.board_pages.board import filtered as board_filter
from evalsite.challenges.models import Event, FactSheet, Phase
from evalsite.challenges.revisions import raise_revision
from evalsite.challenges.taking_part.own_fields import Kind, OwnField, as_row
from evalsite.submissions.models import Submission
from tests.desk_parts import PartsPage
from tests.evalsite.public_pages.places import refresh_all
from tests.factories import make_run, make_team, run_files

pytestmark = pytest.mark.django_db
OWN = [{"key": "track", "text": "Track", "kind": "choice", "choices": ["open", "closed"], "is_required": False}]


@pytest.fixture
def run(phase, team, strangers):
    FactSheet.objects.create(task=phase.task, own=OWN)
    make_run(phase, strangers, run_files(relations=""))
    run = make_run(phase, team)
    refresh_all()
    return run


def release():
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))


def page_of(run):
    return reverse("entry", args=[run.phase.task.slug, run.phase.slug, run.pk])


def tell(client, run, **told):
    return client.post(reverse("submission_describe", args=[run.pk]), told)


def test_a_team_tells_of_its_run_and_each_change_is_recorded(as_alice, run, alice):
    assert tell(as_alice, run, code="https://code.example/x", **{"own-track": "open"}).status_code == 302
    run.refresh_from_db()
    assert (run.code, run.facts) == ("https://code.example/x", {"track": "open"})
    event = Event.objects.get(kind="run described")
    assert (event.actor, event.detail["changed"]["code"]) == (alice, ["", "https://code.example/x"])
    tell(as_alice, run, code="https://code.example/x", **{"own-track": "open"})
    assert Event.objects.filter(kind="run described").count() == 1


@pytest.mark.thorough
def test_an_answer_that_is_none_of_the_choices_is_refused(as_alice, run):
    assert tell(as_alice, run, **{"own-track": "secret"}).status_code == 422


@pytest.mark.thorough
def test_after_the_release_organisers_alone_change_it_unless_a_date_is_set(as_alice, as_olga, run):
    release()
    assert tell(as_alice, run, affiliation="Here").status_code == 403
    assert tell(as_olga, run, affiliation="There").status_code == 302
    FactSheet.objects.update(edited_until=timezone.now() + timedelta(days=1))
    assert tell(as_alice, run, affiliation="Here").status_code == 302


def test_the_page_is_public_after_the_release_with_what_may_be_shown(client, as_alice, run):
    told = {"affiliation": "Uni <b>X</b>", "description": "A *fine* system.", "own-track": "open"}
    tell(as_alice, run, **told)
    assert client.get(page_of(run)).status_code == 404
    release()
    shown = client.get(page_of(run)).content.decode()
    assert "Uni &lt;b&gt;X&lt;/b&gt;" in shown
    assert "system" not in shown.split("<main")[1].split("<table")[0]  # the team has not made it public
    for word in ("Track", "open", "Place <strong>", "By a test on", r"\begin{tabular}", "@misc{"):
        assert word in shown
    FactSheet.objects.update(edited_until=timezone.now() + timedelta(days=1))
    tell(as_alice, run, shows_description="on", **told)
    assert "A <em>fine</em> system." in client.get(page_of(run)).content.decode()


@pytest.mark.thorough
def test_the_board_leads_to_the_page_after_the_release(client, run):
    board = reverse("board", args=[run.phase.task.slug, run.phase.slug, 1])
    assert page_of(run) not in client.get(board).content.decode()
    release()
    assert page_of(run) in client.get(board).content.decode()


@pytest.mark.thorough
def test_a_link_to_an_entry_shows_what_the_tests_say_of_it_once_everybody_may_read_that(client, as_olga, run):
    assert "og:title" not in as_olga.get(page_of(run)).content.decode()
    release()
    head = client.get(page_of(run)).content.decode().partition("</head>")[0]
    assert f'property="og:title" content="{run.method} in Task health"' in head
    assert 'property="og:description" content="By a test on' in head


@pytest.mark.thorough
def test_the_sentence_claims_what_the_comparison_has_found(client, run, strangers):
    release()
    [board] = client.get(page_of(run)).context["entry"].boards
    found = board.standing
    assert sorted([*found.better_than, *found.worse_than, *found.open]) == [strangers.name]
    assert strangers.name in board.sentence


@pytest.mark.thorough
def test_the_desk_asks_for_fields_of_its_own(run, olga):
    page = PartsPage(olga, reverse("desk_sheet", args=[run.phase.task.slug]))
    typed = {"own-1-text": "External data", "own-1-kind": "yes_no"}
    assert page.save("fields", **typed).status_code == 302
    assert [row["text"] for row in FactSheet.objects.get().own] == ["Track", "External data"]
    assert FactSheet.objects.get().own[0]["key"] == "track"


@pytest.fixture
def told(run, phase, bob):
    """Three teams: two in the open track, of which one is far better than all others; one in the closed track."""
    third = make_run(phase, make_team("Third", bob), run_files("1\t4 8\tConcept\tx\n", ""))
    for each in (run, third):
        each.facts = {"track": "open"}
        each.save()
    Submission.objects.filter(team__name="Charlie's team").update(facts={"track": "closed"})
    refresh_all()
    release()
    return run


def names_on(page):
    return [row.name for row in page.context["rows"]]


def test_a_filtered_board_compares_those_that_stay_anew_and_says_so(client, told):
    board = reverse("board", args=[told.phase.task.slug, told.phase.slug, 1])
    assert names_on(client.get(board)) == ["Charlie's team", "Alice and Bob", "Third"]
    page = client.get(board, {"own-track": "open"})
    assert names_on(page) == ["Alice and Bob", "Third"]
    assert [row.rank for row in page.context["rows"]] == [1, 2]
    assert "compared only with one another" in page.content.decode()
    assert "Cite this board" not in page.content.decode()
    lines = client.get(f"{board}board.csv", {"own-track": "open"}).content.decode().splitlines()
    assert [line.split(",")[4] for line in lines[1:]] == ["Alice and Bob", "Third"]


@pytest.mark.thorough
def test_a_filter_that_leaves_more_than_anybody_may_have_compared_says_so(client, told, monkeypatch):
    monkeypatch.setattr(board_filter, "MOST_ENTRIES", 1)
    board = reverse("board", args=[told.phase.task.slug, told.phase.slug, 1])
    page = client.get(board, {"own-track": "open"})
    assert names_on(page) == ["Alice and Bob", "Third"]
    assert "Entries with this value are not compared with one another" in page.content.decode()
    assert "only with one another" not in page.content.decode()
    assert "appears here soon" not in page.content.decode()


@pytest.mark.thorough
def test_fields_are_columns_and_answers_that_nobody_gave_filter_nothing(client, told):
    board = reverse("board", args=[told.phase.task.slug, told.phase.slug, 1])
    page = client.get(board, {"own-track": "secret", "sort": "own-track"})
    assert [row.name for row in page.context["table"].on_page] == ["Charlie's team", "Alice and Bob", "Third"]
    assert "Track" in page.content.decode()


@pytest.fixture
def priced(told):
    """The same, with what each run cost; one team had answered before the field asked for a number."""
    sheet = FactSheet.objects.get()
    sheet.own = [*sheet.own, as_row(OwnField("cost", "Cost in EUR", Kind.NUMBER))]
    sheet.save()
    for name, cost in (("Charlie's team", 1300000), ("Alice and Bob", 0.25), ("Third", "next to nothing")):
        run = Submission.objects.get(team__name=name, withdrawn=None)
        run.facts = run.facts | {"cost": cost}
        run.save()
    raise_revision([told.phase.task.pk])
    return told


def test_a_number_that_teams_tell_is_a_column_marked_as_theirs_that_sorts_by_size(client, priced):
    board = reverse("board", args=[priced.phase.task.slug, priced.phase.slug, 1])
    page = client.get(board, {"sort": "own-cost", "own-cost": "0.25"})
    assert [row.name for row in page.context["table"].on_page] == ["Alice and Bob", "Charlie's team", "Third"]
    html = page.content.decode()
    assert "Cost in EUR (self-reported)" in html
    assert "1,300,000" in html
    assert 'id="filter-cost"' not in html, "no filter asks for a number"
    page = client.get(page_of(priced)).content.decode()
    assert re.search(r"<dt[^>]*>Cost in EUR \(self-reported\)</dt>\s*<dd[^>]*>0.25</dd>", page)


def test_files_of_the_board_and_the_api_have_the_numbers_as_they_are(client, priced):
    board = reverse("board", args=[priced.phase.task.slug, priced.phase.slug, 1])
    lines = list(csv.DictReader(client.get(f"{board}board.csv").content.decode().splitlines()))
    assert [line["self-reported: Cost in EUR"] for line in lines] == ["1300000", "0.25", ""]
    told = [
        {"Track": "closed", "Cost in EUR": 1300000},
        {"Track": "open", "Cost in EUR": 0.25},
        {"Track": "open"},
    ]
    api = f"/api/v1/tasks/{priced.phase.task.slug}/{priced.phase.slug}/boards/1"
    for address in (f"{board}board.json", api):
        assert [entry["self_reported"] for entry in client.get(address).json()["entries"]] == told


def test_before_the_release_nothing_that_teams_tell_is_on_the_board(client, told):
    Phase.objects.update(results_released=None)
    board = reverse("board", args=[told.phase.task.slug, told.phase.slug, 1])
    page = client.get(board, {"own-track": "open"})
    assert len(names_on(page)) == 3
    assert "Track" not in page.content.decode()


@pytest.mark.thorough
def test_a_connected_orcid_stands_on_the_page_and_in_the_citation(client, run, alice, charlie):
    for user, orcid in ((alice, "0000-0002-1825-0097"), (charlie, "0000-0001-5109-3700")):
        SocialAccount.objects.create(user=user, provider="orcid", uid=orcid)
    release()
    page = client.get(page_of(run)).content.decode()
    assert '<a href="https://orcid.org/0000-0002-1825-0097" rel="noopener">' in page
    assert "note         = {Alice: https://orcid.org/0000-0002-1825-0097}" in page
    assert "0000-0001-5109-3700" not in page
