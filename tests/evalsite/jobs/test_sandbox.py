"""Jobs in children: what goes there and back, what they may not do, and that none outlives whoever waits for it."""

import os
import resource
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings as site

from evalsite.base.faults import Fault, fault_of
from evalsite.jobs import sandbox
from evalsite.jobs.sandbox import Crashed, Killed, LimitBroken, Limits
from tests.engine_children import engine_children, let_open_no_more
from tests.evalsite.jobs import probes
from tests.workers import wait_for

# So many seconds that even on a busy machine none of these jobs is stopped for them.
LIMITS = Limits(seconds=60, memory=2**28, file_bytes=2**21)


def run(function, limits=LIMITS, *, reads=(), writes=(), **arguments):
    return sandbox.run(function, arguments, limits, reads=reads, writes=writes)


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_job_answers_and_tells_its_steps():
    steps = []
    found = sandbox.run(probes.answer, {"a": ["ñ", 1.5, None]}, LIMITS, steps.append)
    assert (found, steps) == ({"got": {"a": ["ñ", 1.5, None]}}, ["reading", "matching"])


def test_large_arguments_and_answers_go_through_whole():
    text = "x" * 5_000_000
    assert run(probes.answer, text=text) == {"got": {"text": text}}


def test_many_jobs_run_at_once():
    found = []
    threads = [threading.Thread(target=lambda n=n: found.append(run(probes.answer, n=n)["got"]["n"])) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(8))


def test_the_engine_is_loaded_once_and_not_by_each_job():
    found = [run(probes.origin) for _ in range(3)]
    assert len({each["parent"] for each in found}) == 1
    assert all({"numpy", "scoring"} <= set(each["modules"]) for each in found)


@pytest.mark.parametrize(
    ("function", "seconds", "kind"),
    [
        (probes.never_end, 1, "time"),
        (probes.sleep, 1, "time"),
        (probes.take_all_memory, 60, "memory"),
        (probes.write_without_end, 60, "size"),
        (probes.answer_without_end, 60, "size"),
    ],
)
def test_a_job_that_wants_too_much_is_stopped_with_the_kind_of_what_it_wanted(
    function, seconds, kind, tmp_path, all_limits
):
    with pytest.raises(LimitBroken) as caught:
        run(function, Limits(seconds, 2**28, 2**21), path=str(tmp_path / "file"), writes=[str(tmp_path)])
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (probes.fall_over, "SIGSEGV"),
        (probes.abort, "SIGABRT"),
        (probes.raise_an_error, "ValueError: a defect"),
        (probes.say_nothing, "status 0"),
    ],
)
def test_a_job_that_breaks_is_a_crash_that_says_how(function, words):
    with pytest.raises(Crashed, match=words):
        run(function)
    assert run(probes.answer), "the next one is none the worse for it"


def test_a_job_has_no_secret_no_django_no_other_file_and_no_network(db, monkeypatch, all_limits):
    monkeypatch.setenv("SECRET_KEY", "do-not-tell")
    monkeypatch.setenv("DATABASE_URL", "postgres://u:do-not-tell@127.0.0.1/x")
    found = run(probes.look_around, reads=["/proc"])
    assert "do-not-tell" not in str(found)
    names = set(found["environment"]) - {"at the start", "LC_CTYPE", "PYTHONPATH", "TMPDIR", "LANG"}
    assert all(
        name.endswith(("_NUM_THREADS", "_MAXIMUM_THREADS", "THRESHOLD_", "PAD_", "TUNABLES", "BYTECODE"))
        for name in names
    )
    # sacreBLEU's library for locks brings the client of Redis; there is no address for it, and no network.
    assert not {"django", "celery", "psycopg"} & set(found["modules"])
    assert len([name for name in found["open files"] if "socket" in name]) == 1, "its own"
    assert not [name for name in found["open files"] if "sqlite" in name]
    refused = {found[what] for what in ("a socket", "a socket of the machine", "another program")}
    assert refused == {"PermissionError"}


def test_what_the_server_compiles_is_stored_for_the_next_one_and_what_a_job_compiles_is_not(monkeypatch):
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    sandbox._server.end()  # the next one has this environment
    assert run(probes.storing_of_bytecode, reads=["/proc"]) == {"server": True, "child": False}


def test_a_job_opens_no_file_but_those_that_it_is_for(tmp_path, all_limits):
    names = ("upload", "evaluation", "secret_key", "beside")
    upload, evaluation, secret, beside = paths = [tmp_path / name / "file" for name in names]
    for path in paths:
        path.parent.mkdir()
        path.write_bytes(b"x")
    # The environment of the site's own process, which has its key.
    own = f"/proc/{os.getpid()}/environ"
    asked = [*map(str, paths), own]
    found = run(probes.open_files, paths=asked, reads=[str(upload)], writes=[str(evaluation.parent)])
    assert found["a module"] == "done", "code is loaded as before"
    assert [path for path in asked if found["read"][path] == "done"] == [str(upload), str(evaluation)]
    assert [path for path in asked if found["written"][path] == "done"] == [str(evaluation)]
    assert {found["read"][path] for path in (str(secret), str(beside), own)} == {"PermissionError"}


def test_a_job_neither_signals_nor_limits_nor_reads_another_process_of_its_user(all_limits):
    with subprocess.Popen(["sleep", "600"]) as other:
        try:
            found = run(probes.meddle, reads=["/proc"], process=other.pid)
            limits = resource.prlimit(other.pid, resource.RLIMIT_NOFILE)
        finally:
            other.kill()
    own = {"a signal to itself", "a lower limit of its own"}
    assert {what: came for what, came in found.items() if (came == "done") != (what in own)} == {}
    assert limits == resource.getrlimit(resource.RLIMIT_NOFILE)


def test_a_job_changes_no_file_that_it_may_read_alone(tmp_path, all_limits):
    (path := tmp_path / "upload").write_bytes(b"whole")
    path.chmod(0o640)
    found = run(probes.change_files, path=str(path), reads=[str(tmp_path)])
    assert {what: came for what, came in found.items() if came != "PermissionError"} == {}
    assert (path.read_bytes(), path.stat().st_mode & 0o777, os.listdir(tmp_path)) == (b"whole", 0o640, ["upload"])


def test_a_job_starts_threads_but_no_process(all_limits):
    assert run(probes.start_others) == {"a process": "PermissionError", "threads": [2500.0] * 3}


def test_a_job_is_refused_every_call_of_the_list(all_limits):
    assert run(probes.make_refused_calls) == []


def test_nothing_is_left_of_a_job_that_was_stopped():
    with sandbox.child(probes.sleep, replace(LIMITS, seconds=2), parts=2) as ask:
        pid = ask({"seconds": 0})
        with pytest.raises(LimitBroken):
            ask({})
    wait_for(lambda: not is_there(pid))


def test_nothing_is_left_of_a_job_when_the_one_who_waits_is_interrupted():
    pids = []

    def interrupt(step):
        pids.append(int(step))
        raise SoftTimeLimitExceeded

    with pytest.raises(SoftTimeLimitExceeded):
        sandbox.run(probes.sleep, {}, LIMITS, interrupt)
    wait_for(lambda: not is_there(pids[0]))


@contextmanager
def another_process():
    """Waits for a job that sleeps; gives its process and the job's."""
    code = (
        "import django; django.setup()\n"
        "from evalsite.jobs import sandbox\n"
        "from tests.evalsite.jobs import probes\n"
        "sandbox.run(probes.sleep, {}, sandbox.Limits(60, 2**28, 2**20), lambda step: print(step, flush=True))\n"
    )
    environ = os.environ | {"DJANGO_SETTINGS_MODULE": "evalsite.settings"}
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environ, cwd=site.BASE_DIR) as process:
        yield process, int(process.stdout.readline())
        process.kill()


@pytest.mark.thorough
def test_nothing_is_left_of_a_job_whose_process_is_killed():
    with another_process() as (process, job):
        process.send_signal(signal.SIGKILL)
        process.wait(60)
        wait_for(lambda: not is_there(job))


@pytest.mark.thorough
def test_a_killed_server_takes_its_jobs_along_and_the_next_job_gets_another_one():
    pids, ended = [], []

    def wait_for_the_end():
        try:
            sandbox.run(probes.sleep, {}, LIMITS, lambda step: pids.append(int(step)))
        except Crashed as error:
            ended.append(str(error))

    thread = threading.Thread(target=wait_for_the_end)
    thread.start()
    wait_for(lambda: pids)
    os.kill(parent_of(pids[0]), signal.SIGKILL)
    thread.join(60)
    assert ended == ["The engine ended without an answer."]
    wait_for(lambda: not is_there(pids[0]))
    assert run(probes.answer)


def test_a_server_that_stands_still_is_the_machines_fault_and_not_the_jobs(monkeypatch):
    run(probes.answer)
    monkeypatch.setattr(sandbox, "_START_SECONDS", 0.3)
    server = sandbox._server._process.pid
    os.kill(server, signal.SIGSTOP)
    try:
        with pytest.raises(sandbox.NotStarted) as error:
            run(probes.answer)
    finally:
        os.kill(server, signal.SIGCONT)
    assert fault_of(error.value) == Fault.MACHINE


def test_a_server_that_may_open_no_more_files_outlives_the_jobs_that_it_cannot_take():
    run(probes.answer)
    server = sandbox._server._process.pid
    before = resource.prlimit(server, resource.RLIMIT_NOFILE)
    wait_for(lambda: not engine_children())  # no more sockets of theirs may be watched than files be open
    let_open_no_more(server)
    with pytest.raises(sandbox.NotStarted) as error:
        run(probes.answer)
    assert fault_of(error.value) == Fault.MACHINE
    resource.prlimit(server, resource.RLIMIT_NOFILE, before)
    assert run(probes.answer, n=1) == {"got": {"n": 1}}
    assert sandbox._server._process.pid == server


def test_a_server_that_cannot_fork_outlives_that():
    code = (
        "import os, socket\n"
        "from evalsite.jobs import server\n"
        "def fork():\n"
        "    raise BlockingIOError(11, 'Resource temporarily unavailable')\n"
        "os.fork = fork\n"
        "ours, theirs = socket.socketpair()\n"
        "asking, control = socket.socketpair()\n"
        "with theirs:\n"
        "    socket.send_fds(asking, [server.JOB], [theirs.fileno()])\n"
        "assert server._Server(control)._take()\n"
        "assert ours.recv(1) == b'', 'whoever asked is told by the end of the socket'\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=site.BASE_DIR, check=True)


def test_a_killed_job_is_told_from_one_that_fell_over():
    def kill(pid):
        os.kill(int(pid), signal.SIGKILL)

    with pytest.raises(Killed, match="SIGKILL"):
        sandbox.run(probes.sleep, {}, LIMITS, kill)
    with pytest.raises(Crashed) as crashed:
        run(probes.fall_over)
    assert not isinstance(crashed.value, Killed)


def parent_of(pid: int) -> int:
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def test_a_forked_process_has_a_server_of_its_own():
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            status = 0 if run(probes.answer, n=1) == {"got": {"n": 1}} else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert run(probes.answer, n=2) == {"got": {"n": 2}}


@pytest.mark.thorough
def test_the_parts_of_a_job_share_a_child_and_each_has_its_own_seconds(monkeypatch):
    monkeypatch.setattr(sandbox, "_WALL", 100)  # the processor time alone
    with sandbox.child(probes.use_seconds, Limits(1, 2**28, 2**20), parts=4) as ask:
        found = [ask({"in all": seconds}) for seconds in (0.7, 1.4, 2.1)]
        with pytest.raises(LimitBroken) as broken:
            ask({"in all": 30})
    assert broken.value.kind == "time"
    assert len(set(found)) == 1
    wait_for(lambda: not is_there(found[0]))


def test_a_child_does_no_more_parts_than_it_was_made_for():
    with sandbox.child(probes.answer, LIMITS) as ask:
        ask({})
        with pytest.raises(sandbox.NotStarted):
            ask({})


def test_a_child_that_was_killed_before_it_was_asked_is_no_fault_of_the_job():
    with sandbox.child(probes.sleep, LIMITS, parts=9) as ask:
        pid = ask({"seconds": 0})
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not is_there(pid))
        with pytest.raises(sandbox.NotStarted) as error:
            ask({"seconds": 0})
    assert fault_of(error.value) == Fault.MACHINE


def test_what_one_job_leaves_behind_in_its_process_no_other_one_meets():
    assert run(probes.remember_here, word="x") == ["x"]
    assert "x" not in run(probes.remembered)


def test_a_child_that_is_asked_for_nothing_ends_in_silence():
    code = (
        "import os, socket\n"
        "from evalsite.jobs import server\n"
        "ours, theirs = socket.socketpair()\n"
        "ours.close()\n"
        "server._run_job(theirs.detach(), os.getppid())\n"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, cwd=site.BASE_DIR, check=True)
    assert found.stderr == ""


def test_what_the_server_makes_itself_is_there_in_all_later_children():
    sandbox.run_in_server(probes.remember, {"word": "ñ"})
    assert [run(probes.remembered)[-1] for _ in range(2)] == ["ñ", "ñ"]


def test_a_server_that_could_not_make_it_forks_all_the_same():
    sandbox.run_in_server(probes.fail_to_remember, {"word": "x"})
    assert run(probes.answer) == {"got": {}}


def test_what_a_job_names_the_server_loads_before_it_and_once(settings):
    settings.JOBS_LOADER = f"{probes.__name__}:load"
    names = f"one-{os.getpid()}", f"other-{os.getpid()}"
    for loads in (names[:1], names, ()):
        sandbox.run(probes.answer, {}, LIMITS, loads=loads)
    assert [word for word in run(probes.remembered) if word in names] == [*names]


def test_a_new_server_loads_again_what_a_job_names(settings):
    settings.JOBS_LOADER = f"{probes.__name__}:load"
    sandbox.run(probes.answer, {}, LIMITS, loads=["again"])
    sandbox._server.end()
    sandbox.run(probes.answer, {}, LIMITS, loads=["again"])
    assert "again" in run(probes.remembered)
