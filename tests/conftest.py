"""How much is tested: with --thorough everything; without it fewer generated inputs, and no test marked `thorough`."""

from hypothesis import settings

# Hypothesis's own limit of 200 ms for an input would measure what else the machine does.
settings.register_profile("quick", settings.default, max_examples=10, deadline=None)
settings.register_profile("thorough", settings.default, max_examples=100, deadline=None)


def pytest_addoption(parser):
    text = "run everything, as CI does: ten times as many generated inputs, and the tests marked `thorough`"
    parser.addoption("--thorough", action="store_true", help=text)


def pytest_configure(config):
    settings.load_profile("thorough" if config.getoption("thorough") else "quick")


def pytest_collection_modifyitems(config, items):
    """Leaves out what is marked `thorough`, but for tests that are named on the command line."""
    if config.getoption("thorough"):
        return
    left_out = [item for item in items if item.get_closest_marker("thorough") and not is_named(item, config)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def is_named(item, config):
    return any("::" in word and word.split("::")[-1] in item.nodeid for word in config.args)


def pytest_terminal_summary(terminalreporter, config):
    if not config.getoption("thorough"):
        terminalreporter.write_line("Long simulations and nine of ten generated inputs were left to --thorough.")
