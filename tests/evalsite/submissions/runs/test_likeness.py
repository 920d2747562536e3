"""Equal runs of different teams are found by the fingerprints that are kept with results."""

from evalsite.submissions.models import Fingerprint
from evalsite.submissions.runs.likeness import alike_on, make_missing
from tests.factories import PARTLY_RIGHT, make_run, run_files


def test_the_same_mistakes_of_two_teams_are_told_and_a_teams_own_twins_are_not(
    phase, team, strangers, django_assert_num_queries
):
    mine = [make_run(phase, team, PARTLY_RIGHT | {"readme.txt": str(k)}) for k in range(2)]
    [gold] = phase.golds.all()
    assert alike_on([gold.pk]) == []
    theirs = make_run(phase, strangers, PARTLY_RIGHT | {"readme.txt": "ours"})
    make_run(phase, strangers, run_files("", ""))
    with django_assert_num_queries(2):
        [alike] = alike_on([gold.pk])
    assert alike.runs == [run.scorings.get().pk for run in (mine[0], theirs)]
    assert (alike.share, alike.is_same_file, alike.n_teams, alike.n_runs) == (1.0, False, 2, 3)


def test_a_withdrawn_run_is_like_no_other(phase, team, strangers):
    make_run(phase, team)
    twin = make_run(phase, strangers)
    [gold] = phase.golds.all()
    [alike] = alike_on([gold.pk])
    assert alike.is_same_file
    type(twin).objects.filter(pk=twin.pk).update(withdrawn=twin.created)
    assert alike_on([gold.pk]) == []


def test_results_of_before_get_the_same_fingerprint(scored_submission):
    [before] = Fingerprint.objects.values()
    Fingerprint.objects.all().delete()
    assert make_missing() == 1
    [after] = Fingerprint.objects.values()
    assert {name: bytes(value) if isinstance(value, memoryview) else value for name, value in after.items()} == before
    assert make_missing() == 0
