"""What is said of a name that a combination does not know, with the name that may have been meant."""

from collections.abc import Collection

from scoring.strings import nearest


def no_scenario(name: str, known: Collection[str]) -> str:
    """Of a scenario.

    >>> no_scenario("EN", ["en", "de"])
    "no scenario 'EN'; did you mean 'en'?"
    """
    near = nearest(name, known)
    return f"no scenario {name!r}; did you mean {near!r}?" if near else f"no scenario {name!r}"


def no_score(scenario: str, name: str, known: Collection[str]) -> str:
    """Of a score of a scenario."""
    near = nearest(name, known)
    return f"{scenario} has no score {name!r}; did you mean {near!r}?" if near else f"{scenario} has no score {name!r}"


def no_function(name: str, known: Collection[str]) -> str:
    """Of a function."""
    near = nearest(name, known)
    return f"unknown function {name!r}; did you mean {near!r}?" if near else f"unknown function {name!r}"
