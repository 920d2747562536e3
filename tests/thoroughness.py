"""How much of a test that can be long or short is run: all of it with --thorough, as in CI."""

from hypothesis import settings


def is_thorough() -> bool:
    return settings.get_current_profile_name() == "thorough"


def n_inputs(count: int) -> int:
    """The generated inputs on which a property is tried, by default a tenth of all."""
    return count if is_thorough() else count // 10
