"""A child of the engine that has checked an upload waits for the next one of its phase; none spoils another."""

import os
import signal
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier, Thread
from unittest.mock import Mock

import pytest

from evalsite.challenges.golds import golds_in_force
from evalsite.faults import Fault, KnownFault
from evalsite.jobs import limited
from evalsite.submissions import check_child, work
from evalsite.submissions.checking import check, is_in_order
from evalsite.submissions.uploads import as_upload
from tests.engine_children import engine_children, kill_when_given, let_open_no_more, only_child
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
from tests.workers import wait_for

pytestmark = pytest.mark.django_db
NUMBERS = (1, 2, 3)
FILES = run_files(PARTLY_RIGHT_PHRASES, PARTLY_RIGHT_RELATIONS, scenarios=NUMBERS)
INVALID = FILES | {"output_a_scenario1.txt": "1\t4 8\tConcept\n"}


@pytest.fixture
def phase():
    task = make_task("three", title="Three")
    made = make_phase(task)
    for number in NUMBERS:
        make_gold(made, make_scenario(task, number))
    return made


@pytest.fixture
def children(monkeypatch) -> list[object]:
    """Those that were made for checks; a refused upload is compared with other phases by one more."""
    made, real = [], limited.child

    def child(function, limits, **options):
        if function is work.check:
            made.append(function)
        return real(function, limits, **options)

    monkeypatch.setattr(limited, "child", child)
    return made


@pytest.fixture
def web():
    """As in a web server's process, where children outlive their uploads."""
    check_child.keep_children()
    yield check_child
    check_child.end_children()


def checked(phase, files=FILES, *, numbers=(), describes=True):
    golds = golds_in_force(phase)
    chosen = [scenario for scenario in golds if scenario.number in numbers]
    with as_upload([zip_upload(files)]) as upload:
        return check(phase, upload, list(golds), chosen, describes=describes, golds=golds)


def test_uploads_of_a_phase_are_checked_in_turn_as_each_would_be_alone(phase, children, web):
    other = run_files(PARTLY_RIGHT_PHRASES.splitlines(keepends=True)[0], "", scenarios=NUMBERS)
    files = [FILES, other, FILES | {"odd.txt": "odd"}, INVALID]
    in_turn = [checked(phase, each) for each in files]
    assert len(children) == 1
    web.end_children()
    assert in_turn == [checked(phase, each) for each in files]
    assert len(children) == 5
    assert [is_in_order(each) for each in in_turn] == [True, True, True, False]


def test_of_an_upload_nothing_is_left_for_the_next_one_to_read(phase, web):
    checked(phase)
    [child] = web._waiting._children
    assert child._given.exists()
    assert not list(child._given.iterdir())
    web.end_children()
    assert not child._given.exists()


def test_no_other_upload_meets_a_child_that_had_an_invalid_one(phase, children, web):
    assert not is_in_order(checked(phase, INVALID))
    assert not web._waiting._children
    assert is_in_order(checked(phase))
    assert len(children) == 2


def test_uploads_that_come_at_the_same_moment_have_a_child_each(phase, children, web):
    checked(phase)
    golds = golds_in_force(phase)
    barrier, own = Barrier(2), []

    def take():
        own.append(web._waiting.goes(phase, golds, set()))
        barrier.wait()

    threads = [Thread(target=take) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each is None for each in own) == [False, True]
    next(filter(None, own)).end()


def test_a_child_that_died_while_it_waited_costs_nobody_a_refusal(phase, children, web):
    checked(phase)
    pid = only_child()
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: not engine_children())
    assert is_in_order(checked(phase))
    assert len(children) == 2


def test_a_child_that_leaves_while_it_is_given_an_upload_costs_nobody_a_refusal(phase, children, web, monkeypatch):
    checked(phase)
    kill_when_given(monkeypatch)
    assert is_in_order(checked(phase))
    assert len(children) == 2


def test_an_upload_that_its_child_may_not_open_is_not_refused(phase, children, web):
    checked(phase)
    pid = only_child()
    let_open_no_more(pid)
    with pytest.raises(KnownFault) as refused:
        checked(phase)
    assert refused.value.fault == Fault.MACHINE
    assert is_in_order(checked(phase))


def test_an_upload_is_taken_as_it_is_while_the_gold_is_gone(phase, children, web):
    for gold in golds_in_force(phase).values():
        Path(gold.file.path).unlink()
    assert is_in_order(checked(phase))


def test_memory_that_an_upload_has_left_taken_is_not_missing_to_the_next(phase, children, web):
    checked(phase)
    web._waiting._children[0]._ask = Mock(side_effect=limited.LimitBroken("memory"), waits=True)
    assert is_in_order(checked(phase))
    assert len(children) == 2


def test_a_child_goes_after_as_many_uploads_as_it_may_have(phase, children, web, settings):
    settings.UPLOADS_OF_A_CHILD = 2
    for _ in range(4):
        checked(phase)
    assert len(children) == 2


def test_a_new_gold_ends_the_child_that_has_the_one_before(phase, children, web):
    checked(phase)
    make_gold(phase, phase.task.scenarios.get(number=1), run_files(PARTLY_RIGHT_PHRASES, "", scenarios=(1,)))
    assert is_in_order(checked(phase))
    assert len(children) == 2
    wait_for(lambda: len(engine_children()) == 1)


def test_a_child_opens_the_gold_of_its_phase_alone(phase, children, web):
    other = make_phase(phase.task, "other")
    make_gold(other, phase.task.scenarios.get(number=1))
    checked(phase)
    checked(other, numbers=[1])
    checked(phase)
    assert len(children) == 2


def test_a_phase_s_gold_that_cannot_be_had_holds_up_no_check_of_another_scenario(phase, children, web, monkeypatch):
    lacking = golds_in_force(phase)[phase.task.scenarios.get(number=3)]
    real = check_child.named

    def named(file):
        if file.instance == lacking:
            raise OSError("The storage does not answer.")
        return real(file)

    monkeypatch.setattr(check_child, "named", named)
    assert is_in_order(checked(phase, numbers=[1]))
    with pytest.raises(OSError, match="storage"):
        checked(phase, numbers=[3])
    assert is_in_order(checked(phase, numbers=[2]))
    assert len(children) == 1


def test_no_more_children_wait_than_may(phase, web):
    web._waiting.most = 2
    with ExitStack() as stack:
        golds = golds_in_force(phase)
        made = [web._Child(phase, golds, set()) for _ in range(3)]
        for child in made:
            stack.callback(child.end)
            assert web._waiting.comes(child)
        assert web._waiting._children == made[1:]
        wait_for(lambda: len(engine_children()) == 2)
