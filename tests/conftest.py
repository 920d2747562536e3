"""How much is tested: a tenth of the generated inputs, and with --thorough, as in CI, all of them."""

import gc

import pytest
from hypothesis import settings

# Hypothesis's own limit of 200 ms for an input would measure what else the machine does.
settings.register_profile("quick", settings.default, max_examples=10, deadline=None)
settings.register_profile("thorough", settings.default, max_examples=100, deadline=None)


def pytest_addoption(parser):
    text = "try all generated inputs and all looks of a page, as CI does, instead of a tenth and of half"
    parser.addoption("--thorough", action="store_true", help=text)


def pytest_configure(config):
    settings.load_profile("thorough" if config.getoption("thorough") else "quick")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Begin with the starts of the demo, which take minutes: at the end one process would wait for the other."""
    items.sort(key=lambda item: item.path.name != "test_demo_command.py")


def pytest_collection_finish(session):
    """All tests with what they import stay until the end: whoever looks for what can go need not look at them again."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter, config):
    if not config.getoption("thorough"):
        terminalreporter.write_line("Nine of ten generated inputs, and half of the looks, were left to --thorough.")
