"""Names of files compared as people read them: what was found beside what was expected."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

# Comparing takes time by the number of names and by the square of their lengths; an upload may have many thousands.
_MOST_COMPARED = 200
_LONGEST = 100  # characters; longer names are compared but for case and signs only
_MOST_CELLS = 2_000_000  # pairs of characters that are looked at in all
_ALIKE = 0.8  # share of characters, as difflib counts it
_SHORTEST = 6  # of shorter names, one letter makes another name
_SIGNS = re.compile(r"[^\w.]+|_+")
_NUMBERS = re.compile(r"[0-9]+")


_WITH_TXT_BEHIND = re.compile(r"\.(csv|tsv|tab|jsonl|ndjson|json|trn|conllu|conll)\.txt$")


def lower_name(path: str) -> str:
    """Return a path in small letters, without the ending that editors put behind the one that tells the format.

    >>> lower_name("Run.CSV"), lower_name("run.csv.txt"), lower_name("run.v2.txt")
    ('run.csv', 'run.csv', 'run.v2.txt')
    """
    return _WITH_TXT_BEHIND.sub(r".\1", path.lower())


def base_name(path: str) -> str:
    """Return the part behind the last folder."""
    return path.rpartition("/")[2]


def by_base_name(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the paths of each base name.

    >>> by_base_name(["x/a.txt", "a.txt", "x/y/b.txt"])
    {'a.txt': ['x/a.txt', 'a.txt'], 'b.txt': ['x/y/b.txt']}
    """
    by_name: dict[str, list[str]] = {}
    for path in paths:
        by_name.setdefault(base_name(path), []).append(path)
    return by_name


def near_pairs(expected: Iterable[str], there: Iterable[str]) -> dict[str, str]:
    """Pair each expected name with one that was found instead, and may be a slip of it: in one pair at most.

    Names that are the same but for case and signs come first, then those with nearly the same letters. Names with
    other numbers never belong together.

    >>> near_pairs(["output_a_scenario1.txt", "output_b_scenario1.txt"], ["Output-A-Scenario1.TXT", "notes.txt"])
    {'output_a_scenario1.txt': 'Output-A-Scenario1.TXT'}
    >>> near_pairs(["article_12.json", "article_13.json"], ["artcle_13.json", "article_31.json"])
    {'article_13.json': 'artcle_13.json'}
    """
    wanted = list(dict.fromkeys(expected))[:_MOST_COMPARED]
    left = {_folded(name): name for name in sorted(set(there), reverse=True)[-_MOST_COMPARED:]}
    pairs = {name: left.pop(_folded(name)) for name in wanted if _folded(name) in left}
    # Without their endings, which would make all names alike.
    stems = {_stem(other): other for other in left if len(other) <= _LONGEST}
    by_numbers: dict[tuple[str, ...], list[str]] = {}
    for stem in stems:
        by_numbers.setdefault(_numbers(stem), []).append(stem)
    n_left = _MOST_CELLS
    for name in wanted:
        stem = _stem(_folded(name))
        if name not in pairs and _SHORTEST <= len(stem) <= _LONGEST:
            comparable = [other for other in by_numbers.get(_numbers(stem), ()) if other in stems]
            n_left -= sum(len(other) * len(stem) for other in comparable)
            if n_left < 0:
                break
            for alike in get_close_matches(stem, comparable, n=1, cutoff=_ALIKE):
                pairs[name] = left[stems.pop(alike)]
    return pairs


def _numbers(stem: str) -> tuple[str, ...]:
    return tuple(_NUMBERS.findall(stem))


def _folded(name: str) -> str:
    return _SIGNS.sub("_", name.casefold())


def _stem(folded: str) -> str:
    return folded.partition(".")[0]
