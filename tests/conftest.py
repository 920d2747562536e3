"""Options and summary of the tests; `thoroughness.py` and `changes.py` tell how much of them is run."""

import gc
import os

import pytest
from hypothesis import settings

from tests.changes import Breakage, changed_files
from tests.thoroughness import EVERY_INPUT, left_out

# Hypothesis's own limit of 200 ms for an input would measure what else the machine does.
settings.register_profile("quick", settings.default, max_examples=10, deadline=None)
settings.register_profile("thorough", settings.default, max_examples=100 if EVERY_INPUT else 33, deadline=None)
N_LEFT = pytest.StashKey[int]()
CHOSEN = "TESTS_OF_CHANGES"  # in the environment, which the processes of the tests inherit: their files


def pytest_addoption(parser):
    parser.addoption("--thorough", action="store_true", help="run all tests on all cases and inputs")
    parser.addoption(
        "--changed",
        nargs="?",
        const="main",
        metavar="REVISION",
        help="only tests that can break by what has changed since the common ancestor with a revision (main)",
    )
    parser.addoption("--less", action="append", default=[], metavar="PATH", help="but here the usual ones")


def pytest_configure(config):
    settings.load_profile("thorough" if config.getoption("thorough") else "quick")
    config.stash[N_LEFT] = 0
    if config.getoption("changed") and not hasattr(config, "workerinput"):
        os.environ[CHOSEN] = os.pathsep.join(Breakage().test_files(changed_files(config.getoption("changed"))))


def pytest_ignore_collect(collection_path, config):
    """Leave out files that no change can break before they are loaded."""
    if config.getoption("changed") and collection_path.name.startswith("test_") and collection_path.suffix == ".py":
        path = collection_path.relative_to(config.rootpath).as_posix()
        return path not in os.environ[CHOSEN].split(os.pathsep) or None
    return None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    less = [path if path.endswith(".py") else f"{path.rstrip('/')}/" for path in config.getoption("less")]
    if where := tuple(less if config.getoption("thorough") else [""]):  # beginnings of ids; by default of all
        words = (os.path.relpath(word, config.rootpath) for word in config.args)
        named = tuple(word for word in words if "::" in word or word.endswith(".py"))
        left = left_out([item for item in items if item.nodeid.startswith(where)], named)
        config.hook.pytest_deselected(items=left)
        config.stash[N_LEFT] = len(left)
        gone = set(left)
        items[:] = [item for item in items if item not in gone]
    # Starts of the demo take longest: at the end one process would wait for the other.
    items.sort(key=lambda item: item.path.name != "test_demo_command.py")


def pytest_collection_finish(session):
    """All tests with what they import stay until the end: whoever looks for what can go need not look at them again."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):  # one of several processes tells it to the one that prints
        session.config.workeroutput["n_left"] = session.config.stash[N_LEFT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    node.config.stash[N_LEFT] = getattr(node, "workeroutput", {}).get("n_left", 0)


def pytest_terminal_summary(terminalreporter, config):
    if golden := [report for report in terminalreporter.getreports("failed") if "golden" in report.keywords]:
        terminalreporter.write_line(
            f"{len(golden)} reference cases came out differently. If a rule was changed on purpose, "
            "`python -m tests.scoring.reference FAMILY` tells each figure, and --write stores it (scoring/README.md)."
        )
    if n_left := config.stash[N_LEFT]:
        terminalreporter.write_line(f"{n_left} tests were left out, and generated inputs: see tests/thoroughness.py.")
    if config.getoption("changed"):
        n_files = len(os.environ[CHOSEN].split(os.pathsep)) if os.environ[CHOSEN] else 0
        terminalreporter.write_line(f"{n_files} files have tests that the change can break: see tests/changes.py.")
    terminalreporter.write_line(f"All together took {sum(os.times()[:4]):.0f} seconds of processor time.")
