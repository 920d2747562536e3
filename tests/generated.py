"""On how many generated inputs a property is tried."""

from hypothesis import settings


def n_inputs(count: int) -> int:
    """All of them with --thorough, otherwise a tenth, so that a run of all tests takes a few minutes."""
    return count * settings.default.max_examples // 100
