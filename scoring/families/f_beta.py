"""F-beta beside F1 (van Rijsbergen 1979, chapter 7): its option, and its keys beside those of F1."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scoring.columns import Floats
from scoring.errors import ConfigurationError
from scoring.families.option_types import float_or_nan, parsed
from scoring.messages import Message
from scoring.prf import f_beta, harmonic_mean

_MAX_BETA = 1000
ANY = "β"  # stands for the number in titles that hold for every beta


def _beta(given: Any) -> float | None:
    """Return the number, a whole one as such; None for 1, which F1 is, so that no signature names it."""
    if given in (None, ""):
        return None
    number = float_or_nan(given)
    if not 0 < number <= _MAX_BETA:
        raise ValueError(Message("beta-out-of-range", "beta must be a number above 0 and at most 1000"))
    return None if number == 1 else int(number) if number.is_integer() else number


BETA = parsed(_beta, "a number above 0 and at most 1000", "number").advanced(
    "beta",
    "adds F-beta beside F1, and ranks by it where F1 would; below 1 precision counts more than recall, above 1 less",
    "Beta of F-beta",
)


def describe_beta(beta: float) -> str:
    """Return what the option means to who reads a page."""
    return Message("beta-said", "F{beta} beside F1", beta=str(beta))


def beside_f1(keys: Iterable[str], options: Mapping[str, Any], ends: tuple[str, ...] = ("f1",)) -> list[str]:
    """Return the keys, and with a beta behind each one of an F1 that of its F-beta.

    >>> beside_f1(["accuracy", "macro_f1"], {"beta": 0.5})
    ['accuracy', 'macro_f1', 'macro_fbeta']
    """
    all_keys = []
    for key in keys:
        all_keys.append(key)
        if beta_of(options) and key.endswith(ends):
            all_keys.append(f_beta_key(key))
    return all_keys


def f_beta_key(f1_key: str) -> str:
    """Return the key of the F-beta beside an F1: "fbeta" for "f1", "ents_fbeta" for "ents_f"."""
    return f"{f1_key.removesuffix('1')}beta"


def beta_of(options: Mapping[str, Any]) -> float | None:
    """Return the beta; None for F1 alone, as in results of before this option."""
    return options.get("beta")


def prf_scores(precision: Floats, recall: Floats, options: Mapping[str, Any], f1: str = "f1") -> dict[str, Floats]:
    """Return precision, recall, F1 under the name `f1`, and with a beta `fbeta`; F is 0 where both are 0."""
    scores = {"precision": precision, "recall": recall, f1: harmonic_mean(precision, recall)}
    if beta := beta_of(options):
        scores["fbeta"] = f_beta(precision, recall, beta)
    return scores


def refuse_beta(options: Mapping[str, Any]) -> None:
    """Raise ConfigurationError where a beta is given to scores without precision and recall."""
    if beta_of(options):
        raise ConfigurationError(Message("beta-without-f1", "beta needs precision and recall"))


def f_beta_titles(titles: Mapping[str, Callable[[Any], str]], beta: object = ANY) -> dict[str, str]:
    """Return {key: title} from what makes a title of the number."""
    return {key: title(str(beta)) for key, title in titles.items()}
