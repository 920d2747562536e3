"""The page of a family names each of its scores and each column of its tables, whole or in pieces."""

import re
from pathlib import Path

import pytest

import scoring
from tests.scoring.families.test_columns import OURS, columns_of_tables, evaluations

PAGES = Path(__file__).parents[3] / "docs/families"
# A score is declared, described and guarded in several places, of which tests cannot see the last two.
SCORE = "describe it on docs/families/{name}.md; for the rest see “A score” in docs/architecture.md"
COLUMN = (
    "describe it on docs/families/{name}.md, and let reference cases expect it: scoring/README.md, “Changing a rule”"
)


def words_of(name: str) -> set[str]:
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    return {word.removeprefix("X").strip("_") for word in re.findall(r"\w+", text)}


def is_named(key: str, words: set[str]) -> bool:
    """Tell whether the page has the key or its pieces: `macro_` and `f1`, `success_k` with any number, `X_stddev`."""
    if key in words or key.isdigit() or re.sub(r"_\d+$", "_k", key) in words:
        return True
    pieces = key.split("_")
    return any(
        is_named("_".join(pieces[:n]), words) and is_named("_".join(pieces[n:]), words) for n in range(1, len(pieces))
    )


def test_a_key_is_named_whole_or_in_pieces():
    words = {"macro", "f1", "success_k", "fp"}
    assert [is_named(key, words) for key in ("macro_f1", "success_20", "top_20", "fn")] == [True, True, False, False]


@pytest.mark.parametrize("name", OURS)
def test_the_page_of_a_family_names_its_scores(name):
    scores = {key for evaluation in evaluations(name) for key in evaluation.scores}
    words = words_of(name)
    left_out = [key for key in scores.union(scoring.FAMILIES[name].score_titles) if not is_named(key, words)]
    assert sorted(left_out) == [], SCORE.format(name=name)


@pytest.mark.parametrize("name", OURS)
def test_the_page_of_a_family_names_the_columns_of_its_tables(name):
    words = words_of(name)
    left_out = {f"{table}.{key}" for table, key in columns_of_tables(name) if not is_named(key, words)}
    assert sorted(left_out) == [], COLUMN.format(name=name)
