"""Each upload is checked by a child of the engine of its own, and whatever becomes of it touches no other one."""

import resource
from pathlib import Path

import pytest

from evalsite.base.faults import Fault, KnownFault
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.jobs import sandbox
from evalsite.submissions import engine_jobs
from evalsite.submissions.checking import quick_check
from evalsite.submissions.checking.quick_check import check, is_in_order
from evalsite.submissions.uploads import as_upload
from tests.evalsite.submissions import taken_over
from tests.factories import (
    PARTLY_RIGHT_PHRASES,
    PARTLY_RIGHT_RELATIONS,
    make_gold,
    make_phase,
    make_scenario,
    make_task,
    run_files,
    zip_upload,
)

pytestmark = pytest.mark.django_db
NUMBERS = (1, 2, 3)
FILES = run_files(PARTLY_RIGHT_PHRASES, PARTLY_RIGHT_RELATIONS, scenarios=NUMBERS)


@pytest.fixture
def phase():
    task = make_task("three", title="Three")
    made = make_phase(task)
    for number in NUMBERS:
        make_gold(made, make_scenario(task, number))
    return made


def checked(phase, files=FILES, *, numbers=()):
    golds = golds_in_force(phase)
    chosen = [scenario for scenario in golds if scenario.number in numbers]
    with as_upload([zip_upload(files)]) as upload:
        return check(phase, upload, list(golds), chosen, describes=True, golds=golds)


def test_an_upload_that_took_its_child_over_spoils_nobody_else_s_check(phase, monkeypatch):
    monkeypatch.setattr(engine_jobs, "check", taken_over.check)
    assert not is_in_order(checked(phase, FILES | {taken_over.MARK: "x"})), "it did take it over"
    assert is_in_order(checked(phase))


def test_a_child_opens_its_own_upload_and_the_gold_that_it_is_checked_against_alone(phase, monkeypatch):
    opened, real = [], sandbox.run

    def run(function, arguments, limits, **options):
        opened.append((arguments["upload"].path, set(options["reads"])))
        return real(function, arguments, limits, **options)

    monkeypatch.setattr(sandbox, "run", run)
    checked(phase, numbers=[2])
    [(upload, reads)] = opened
    own = golds_in_force(phase)[phase.task.scenarios.get(number=2)]
    assert reads == {upload, own.file.path}


def test_an_upload_that_its_child_may_not_open_is_not_refused(phase, monkeypatch):
    monkeypatch.setattr(engine_jobs, "check", check_with_no_more_files)
    with pytest.raises(KnownFault) as refused:
        checked(phase)
    assert refused.value.fault == Fault.MACHINE


def check_with_no_more_files(arguments, on_step):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, most))
    return engine_jobs.check(arguments, on_step)


def test_an_upload_is_taken_as_it_is_while_the_gold_is_gone(phase):
    for gold in golds_in_force(phase).values():
        Path(gold.file.path).unlink()
    assert is_in_order(checked(phase))


def test_gold_that_cannot_be_had_holds_up_no_check_of_another_scenario(phase, monkeypatch):
    lacking = golds_in_force(phase)[phase.task.scenarios.get(number=3)]
    real = quick_check.named

    def named(file):
        if file.instance == lacking:
            raise OSError("The storage does not answer.")
        return real(file)

    monkeypatch.setattr(quick_check, "named", named)
    assert is_in_order(checked(phase, numbers=[1]))
    with pytest.raises(OSError, match="storage"):
        checked(phase, numbers=[3])


def test_gold_that_was_away_when_the_child_began_costs_nothing_but_a_minute(phase, monkeypatch):
    """What a child may open is settled by what is there as it begins: here the gold comes back right afterwards."""
    real = sandbox.run

    def run(function, arguments, limits, *, reads, **options):
        return real(function, arguments, limits, reads=[path for path in reads if "gold" not in path], **options)

    monkeypatch.setattr(sandbox, "run", run)
    with pytest.raises(KnownFault) as caught:
        checked(phase)
    assert caught.value.fault == Fault.STORAGE_AWAY
