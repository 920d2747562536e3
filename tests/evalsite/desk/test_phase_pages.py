"""A phase on the desk: its parts are saved one by one, its times typed in a zone, and what is public is told."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Event, Page, Phase
from evalsite.challenges.readiness import readiness_of
from evalsite.desk.phases.forms import LimitsForm
from evalsite.desk.phases.visibility import visibility_of
from evalsite.desk.sections import saved
from evalsite.submissions.models import Scoring
from tests.desk_parts import PartsPage
from tests.factories import make_gold, make_phase, make_run, make_submission, run_files
from tests.forms import filled

pytestmark = pytest.mark.django_db
CLOSES = datetime(2099, 12, 20, 12, tzinfo=UTC)


def desk_of(user, phase):
    return PartsPage(user, reverse("desk_phases_one", args=[phase.task.slug, phase.slug]))


@pytest.fixture
def final(task, scenario):
    return make_phase(task, "final", opens=timezone.now() - timedelta(days=9), closes=CLOSES, name="Final")


def test_of_two_who_change_one_part_the_second_is_told_both_values(olga, otto, final):
    olgas, ottos = desk_of(olga, final), desk_of(otto, final)
    assert ottos.save("times", closes_0="2099-12-31").status_code == 302
    assert olgas.save("times", closes_0="2099-12-24").status_code == 422
    final.refresh_from_db()
    assert final.closes.day == 31
    assert "31 Dec 2099, 12:00 UTC" in olgas.text
    assert "24 Dec 2099, 12:00 UTC" in olgas.text
    assert "(Otto, " in olgas.text


@pytest.mark.thorough
def test_two_who_change_different_parts_both_succeed(olga, otto, final):
    olgas, ottos = desk_of(olga, final), desk_of(otto, final)
    assert ottos.save("times", closes_0="2099-12-31").status_code == 302
    assert olgas.save("limits", total_limit="20").status_code == 302
    final.refresh_from_db()
    assert (final.closes.day, final.total_limit) == (31, 20)


@pytest.mark.thorough
@pytest.mark.parametrize(("other", "is_told"), [({"total_limit": 7}, True), ({"name": "Last"}, False)])
def test_who_saves_between_check_and_save_is_seen_all_the_same(olga, final, other, is_told):
    """The colleague saves when the form has been checked already, and nothing of its own was stored yet."""
    page = desk_of(olga, final).shown
    sent = filled(page, "form-limits", **{"limits-total_limit": "20"})
    meanwhile = [other]

    class Slow(LimitsForm):
        def is_valid(self):
            is_valid = super().is_valid()
            if meanwhile:
                row = Phase.objects.get(pk=final.pk)
                for name, value in meanwhile.pop().items():
                    setattr(row, name, value)
                row.save()
            return is_valid

    form, is_saved = saved(lambda: Slow(sent, instance=Phase.objects.get(pk=final.pk)), by=olga)
    final.refresh_from_db()
    assert is_saved is not is_told
    assert bool(form.conflicts) is is_told
    assert final.total_limit == (7 if is_told else 20)
    assert all(getattr(final, name) == value for name, value in other.items())


def test_a_deadline_typed_in_aoe_is_stored_exactly_and_read_in_three_zones(olga, final, client, task):
    desk = desk_of(olga, final)
    typed = {"zone": "AoE", "opens_0": "2026-01-01", "opens_1": "00:00:00"}
    desk.save("times", **typed, closes_0="2099-12-20", closes_1="23:59:59")
    final.refresh_from_db()
    assert final.closes == datetime(2099, 12, 21, 11, 59, 59, tzinfo=UTC)
    shown = client.get(task.get_absolute_url()).content.decode()
    assert "21 Dec 2099, 11:59:59 UTC" in shown
    assert "20 Dec 2099, 23:59:59 AoE" in shown
    assert 'datetime="2099-12-21T11:59:59+00:00" data-local' in shown  # of which times.js tells the reader's own
    again = filled(desk_of(olga, final).shown, "form-times")
    assert (again["times-zone"], again["times-closes_0"], again["times-closes_1"]) == ("AoE", "2099-12-20", "23:59:59")


@pytest.mark.parametrize("typed", ["madrid", "europe/MADRID", " Europe/Madrid "])
def test_a_zone_may_be_typed_by_its_city(olga, final, typed):
    opens = {"opens_0": "2026-01-01", "opens_1": "00:00:00"}
    desk_of(olga, final).save("times", zone=typed, **opens, closes_0="2099-12-20", closes_1="23:59:59")
    final.refresh_from_db()
    assert final.closes == datetime(2099, 12, 20, 22, 59, 59, tzinfo=UTC)
    assert final.task.zone == "Europe/Madrid"


def test_a_zone_that_is_not_there_is_refused_with_what_to_type(olga, final):
    desk = desk_of(olga, final)
    assert desk.save("times", zone="Atlantis").status_code == 422
    assert "There is no time zone “Atlantis”. Type a city, such as Madrid, or UTC." in desk.text
    assert filled(desk.shown, "form-times")["times-zone"] == "Atlantis"


def test_the_zones_complete_one_line_and_are_no_text_of_the_page(olga, final):
    shown = desk_of(olga, final).shown.content.decode()
    assert 'list="id_times-zone-zones"' in shown
    assert '<datalist id="id_times-zone-zones"><option value="UTC"></option>' in shown
    assert '<option value="America/New York">' in shown


@pytest.mark.thorough
def test_a_zone_chosen_for_one_time_moves_no_other_unasked(olga, final):
    desk, opens = desk_of(olga, final), final.opens
    assert desk.save("times", zone="AoE", closes_0="2099-12-24").status_code == 422
    assert "Opens: only the zone was changed" in desk.text
    final.refresh_from_db()
    assert (final.opens, final.closes) == (opens, CLOSES)


@pytest.mark.thorough
@pytest.mark.parametrize(("day", "clock", "said"), [("2027-03-28", "02:30", "skip"), ("2027-10-31", "02:30", "twice")])
def test_a_time_that_the_clocks_skip_or_show_twice_is_asked_for_in_utc(olga, final, day, clock, said):
    desk = desk_of(olga, final)
    response = desk.save("times", zone="Europe/Madrid", closes_0=day, closes_1=clock)
    assert response.status_code == 422
    assert f"In Europe/Madrid the clocks {'show this time twice' if said == 'twice' else 'skip this time'}" in desk.text


def test_each_closing_that_was_told_stays_on_the_public_page_in_the_task_s_own_zone(olga, final, client, task):
    task.zone = "AoE"
    task.save()
    desk = desk_of(olga, final)
    assert desk.save("times", closes_0="2099-12-31").status_code == 302
    desk = desk_of(olga, final)
    desk.save("times", closes_0="2099-12-19")
    assert desk.save_all_the_same("times").status_code == 302
    told = "20 Dec 2099, 00:00 AoE → 31 Dec 2099, 00:00 AoE → 19 Dec 2099, 00:00 AoE"
    today = f"{timezone.now() - timedelta(hours=12):%-d %b %Y}"  # anywhere on Earth
    for page in (client.get(task.get_absolute_url()), desk_of(olga, final).shown):
        assert f"Closing moved: {told} (on {today})." in page.content.decode()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("closes", "said"),
    [
        (CLOSES, "that the phase closes on 20 Dec 2099, 12:00 UTC; 19 Dec 2099, 12:00 UTC is earlier"),
        (None, "that the phase stays open, and now it closes on 19 Dec 2099, 12:00 UTC"),
    ],
)
def test_a_closing_that_is_brought_forward_is_asked_back(olga, final, closes, said):
    Phase.objects.update(closes=closes)
    desk = desk_of(olga, final)
    assert desk.save("times", closes_0="2099-12-19", closes_1="12:00:00").status_code == 422
    assert said in desk.text
    assert desk.save_all_the_same("times").status_code == 302


@pytest.mark.thorough
def test_a_draft_has_told_no_closing(olga, final, task):
    task.is_published = False
    task.save()
    assert desk_of(olga, final).save("times", closes_0="2099-12-19").status_code == 302
    final.refresh_from_db()
    assert not final.moves


def test_a_pause_says_its_reason_where_participants_look(phase, task, as_alice, as_olga):
    as_olga.post(reverse("desk_phases_pause", args=[task.slug, phase.slug]), {"reason": "The gold is mended."})
    assert "The gold is mended." in as_alice.get(task.get_absolute_url()).content.decode()
    assert "The gold is mended." in as_alice.get(reverse("submit", args=[task.slug, phase.slug])).content.decode()
    event = Event.objects.get(kind="phase changed")
    assert event.detail["changed"]["is_paused"] == ["no", "yes"]


def test_closing_an_open_phase_at_once_is_asked_back(olga, final):
    desk = desk_of(olga, final)
    yesterday = f"{timezone.now() - timedelta(days=1):%Y-%m-%d}"
    assert desk.save("times", closes_0=yesterday).status_code == 422
    assert "would close it at once" in desk.text
    tick = {"sure": desk.shown.context["sections"].sent.trouble.sure_value}
    assert desk.save("times", **tick).status_code == 302
    final.refresh_from_db()
    assert final.state == "closed"


def test_who_sees_what_is_what_the_rules_say(final):
    final.board_audience, final.is_anonymous, final.gold_released = Phase.Audience.PARTICIPANTS, True, False
    assert {row.what: row.cells[1:] for row in visibility_of(final)} == {
        "Board": ["participants", "participants", "everybody"],
        "Own scores": ["the team", "the team", "the team"],
        "Names": ["Team 7", "Team 7", "real"],
        "Gold": ["organisers", "organisers", "organisers"],
    }


def test_who_sees_what_names_the_ladder_where_it_stands_in_place_of_the_board(final):
    final.board_audience, final.gold_released, final.is_ladder = Phase.Audience.EVERYBODY, False, True
    rows = {row.what: row.cells[1:] for row in visibility_of(final)}
    assert rows["Board"] == ["everybody, the Ladder alone", "everybody, the Ladder alone", "everybody"]
    assert rows["Own scores"] == ["the team, in steps", "the team, in steps", "the team"]


def test_a_phase_is_added_with_five_fields_and_deleted_while_unused(task, as_olga):
    page = as_olga.get(reverse("desk_phases_add", args=[task.slug]))
    typed = {"name": "Development", "opens_0": "2099-01-01", "opens_1": "00:00", "closes_0": "", "closes_1": ""}
    sent = filled(page, "form-new", **{f"new-{name}": value for name, value in typed.items()})
    assert as_olga.post(reverse("desk_phases_add", args=[task.slug]), sent).status_code == 302
    added = Phase.objects.get(slug="development")
    assert added.opens == datetime(2099, 1, 1, tzinfo=UTC)
    assert as_olga.post(reverse("desk_phases_delete", args=[task.slug, added.slug])).status_code == 302
    assert not Phase.objects.filter(pk=added.pk).exists()


@pytest.mark.thorough
def test_a_phase_has_a_limit_unless_another_is_chosen(olga, task):
    assert Phase(task=task).window_limit == 5


def test_a_phase_with_uploads_is_not_deleted(submission, as_olga):
    phase = submission.phase
    assert as_olga.post(reverse("desk_phases_delete", args=[phase.task.slug, phase.slug])).status_code == 409
    assert Phase.objects.filter(pk=phase.pk).exists()


def test_former_addresses_of_task_and_phase_lead_on_and_tell_strangers_nothing_of_drafts(phase, scenario, task, client):
    board = reverse("board", args=[task.slug, phase.slug, scenario.number])
    task.slug, phase.slug = "medicine", "evaluation"
    task.save()
    phase.save()
    now = reverse("board", args=["medicine", "evaluation", scenario.number])
    assert client.get(f"{board}?page=1")["Location"] == f"{now}?page=1"
    type(task).objects.update(is_published=False)
    assert client.get(board).status_code == 404


@pytest.mark.thorough
def test_former_numbers_of_scenarios_and_addresses_of_pages_lead_on_too(
    phase, scenario, task, client, scored_submission
):
    page = Page.objects.create(task=task, title="Rules", slug="rules")
    board = reverse("board", args=[task.slug, phase.slug, 1])
    scores = reverse("submission_scores", args=[scored_submission.pk, 1])
    scenario.number, page.slug = 3, "terms"
    scenario.save()
    page.save()
    client.force_login(scored_submission.uploader)
    assert client.get(board)["Location"] == reverse("board", args=[task.slug, phase.slug, 3])
    assert client.get(scores)["Location"] == reverse("submission_scores", args=[scored_submission.pk, 3])
    rules = client.get(reverse("task_page", args=[task.slug, "rules"]))
    assert rules["Location"] == reverse("task_page", args=[task.slug, "terms"])
    scenario.number = 1
    scenario.save()
    assert client.get(board).status_code == 200
    assert client.get(reverse("board", args=[task.slug, phase.slug, 3]))["Location"] == board


def test_late_uploads_and_what_counts_are_parts_of_their_own_and_end_after_the_phase(olga, final):
    desk = desk_of(olga, final)
    assert desk.save("late", late_until_0="2099-12-01", late_until_1="12:00").status_code == 422
    assert "Late uploads have to end after the phase closes." in desk.text
    assert desk.save("late", late_until_0="2099-12-22", late_until_1="12:00").status_code == 302
    desk = desk_of(olga, final)
    assert desk.save("times", closes_0="2099-12-30").status_code == 422
    assert "The phase has to close before late uploads end." in desk.text
    assert desk_of(olga, final).save("counts", counts="chosen").status_code == 302
    final.refresh_from_db()
    assert (final.late_until.day, final.counts) == (22, "chosen")


def test_a_post_evaluation_phase_takes_the_gold_of_another_one_over_and_tells_where_they_differ(olga, task, scenario):
    test, post = make_phase(task), make_phase(task, "post", closes=None)
    make_gold(test, scenario)
    desk = desk_of(olga, post)
    assert "this phase has none for" in desk.text
    address = reverse("desk_phases_gold", args=[task.slug, post.slug])
    page = desk.client.post(address, {"source": test.slug}, follow=True)
    assert "the same gold in all its scenarios" in page.content.decode()
    assert post.golds.get().sha256 == test.golds.get().sha256
    make_gold(test, scenario, run_files(relations="part-of\t1\t2\n"))
    assert "its gold differs in" in desk_of(olga, post).text
    desk.client.post(address, {"source": test.slug})
    assert [gold.version for gold in post.golds.order_by("version")] == [1, 2]
    Phase.objects.filter(pk=post.pk).update(gold_released=True)
    make_gold(test, scenario, run_files(relations=""))
    desk.client.post(address, {"source": test.slug})
    assert post.golds.count() == 2  # what is hidden there does not become public here


@pytest.mark.thorough
def test_gold_that_is_taken_over_by_a_phase_with_runs_waits_as_a_candidate_and_says_so(olga, task, scenario, team):
    development, test = make_phase(task, "development"), make_phase(task, "post", closes=None)
    make_gold(development, scenario, run_files(relations=""))
    make_gold(test, scenario)
    run = make_run(test, team)
    desk = desk_of(olga, test)
    address = reverse("desk_phases_gold", args=[task.slug, test.slug])
    said = desk.client.post(address, {"source": development.slug}, follow=True).content.decode()
    assert "Gold of 1 scenario was added as a candidate: nothing changes until you publish it." in said
    assert "was copied" not in said
    # What the candidate cannot score is no failure of the team's run.
    candidate = test.golds.get(state="candidate")
    Scoring.objects.create(submission=run, scenario=scenario, gold=candidate, state="refused")
    [stage] = [each for each in readiness_of(task).stages if each.phase == test]
    assert stage.submissions == [("scored", 1)]


# What counts where nobody has said so.

HIDING = [{"shows_scores": None}, {"board_audience": "organisers"}]


@pytest.fixture
def new(olga, task) -> Phase:
    """A phase as the desk makes it."""
    client, address = Client(), reverse("desk_phases_add", args=[task.slug])
    client.force_login(olga)
    typed = {"name": "Evaluation", "opens_0": "2099-01-01", "opens_1": "00:00", "closes_0": "", "closes_1": ""}
    sent = filled(client.get(address), "form-new", **{f"new-{name}": value for name, value in typed.items()})
    assert client.post(address, sent).status_code == 302
    return task.phases.get(name="Evaluation")


def counts(phase) -> str:
    phase.refresh_from_db()
    return phase.counts


@pytest.mark.thorough
@pytest.mark.parametrize("hiding", HIDING)
def test_where_a_new_phase_hides_its_results_the_team_chooses_up_to_two_runs(olga, new, hiding):
    assert new.counts == "best"
    desk = desk_of(olga, new)
    assert desk.save("sight", **hiding).status_code == 302
    assert counts(new) == "two"
    assert (
        "For each team, the better of up to two that the team chooses now counts"
        in desk.client.get(desk.address).content.decode()
    )
    desk_of(olga, new).save("sight", shows_scores="on", board_audience="everybody")
    assert counts(new) == "best"


@pytest.mark.thorough
@pytest.mark.parametrize("hiding", HIDING)
def test_what_an_organiser_has_said_counts_whatever_is_hidden(olga, new, hiding):
    desk_of(olga, new).save("counts", counts="last")
    desk_of(olga, new).save("counts", counts="best")
    desk_of(olga, new).save("sight", **hiding)
    assert counts(new) == "best"


@pytest.mark.thorough
def test_in_phases_of_before_and_once_there_are_runs_what_counts_stays(olga, new, final, team, alice):
    desk_of(olga, final).save("sight", shows_scores=None)
    assert counts(final) == "best"
    make_gold(new, new.task.scenarios.get())
    Phase.objects.filter(pk=new.pk).update(opens=timezone.now() - timedelta(days=1))
    desk_of(olga, new).save("sight", shows_scores=None)
    new.refresh_from_db()
    make_submission(new, team, alice)
    desk_of(olga, new).save("sight", shows_scores="on")
    assert counts(new) == "two"
