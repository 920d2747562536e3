"""A family whose scores are means of two columns, so that what is expected can be worked out by hand."""

import pytest

from scoring.comparing import compare, redrawing


class _Means:
    """Stands for the record of the family of `worlds.make_evaluation`."""

    name = "qac"
    options = ()

    def metrics_with(self, options):
        return lambda sums: {"f1": sums[..., 0] / sums[..., 2], "hits": sums[..., 1] / sums[..., 2]}


@pytest.fixture
def means(monkeypatch):
    """The evaluations of `worlds` have no draws: these are made from their rows."""
    for module in (redrawing, compare):
        monkeypatch.setattr(module, "FAMILIES", {"qac": _Means()})
