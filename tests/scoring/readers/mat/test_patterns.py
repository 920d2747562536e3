"""Patterns of the names of uploaded files: what Python's would match, in time that grows with the name."""

import os
import re
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import ConfigurationError
from scoring.families.mat.options import configure
from scoring.readers.patterns import compiled, is_full_match

ROOT = Path(__file__).parents[4]
NAMES = ["a.json", "d-1.json", "año٣_é.json", "a b\u3000c", "[x]", "^-]", "x{,2}", "aa", "aaa", "\x08", ""]
PATTERNS = [
    *(
        r".*\.json",
        r"\w+\.json",
        r"\W+",
        r"[\w.]+",
        r"[^\w]+",
        r"\S+",
        r"a[\s]b\sc",
        r"\D+",
        r"[\d]",
        r"[][x]+",
        r"[^]]+",
    ),
    *(
        "[[]x[]]",
        "[[:alpha:]]",
        r"[\b]",
        "a{,2}",
        "a{,}",
        "a{2}",
        "(?:a|aa)+",
        "(?i)A.JSON",
        r"\x61\u0061",
        r"\é|a",
        r"a\Z",
    ),
    *("^a+$", "(?P<x>a)+", "x{,2}", r"x\{,2\}", "[a-c .j-s]+", "(?s).*", r"\[x\]", r"[\]\[x]+", "", "a|"),
]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.filterwarnings("ignore:Possible nested set:FutureWarning")
def test_a_pattern_matches_the_names_that_python_matches(pattern):
    matched = [name for name in NAMES if is_full_match(pattern, name)]
    assert matched == [name for name in NAMES if re.fullmatch(pattern, name)]


@pytest.mark.parametrize("pattern", [r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", "."])
def test_classes_hold_the_characters_that_they_hold_in_python(pattern):
    """Take those that Unicode had named by version 14; the tables of the two may be of different age beyond."""
    known = (chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000)
    characters = [c for c in known if unicodedata.category(c) != "Cn"]
    ours, pythons = compiled(pattern), re.compile(pattern)
    assert [c for c in characters if bool(ours.fullmatch(c)) != bool(pythons.fullmatch(c))] == []


@given(st.text("ab[]^-\\dws{,2}()|*+?.é", max_size=12), st.lists(st.text("ab-^é1 []", max_size=6), min_size=3))
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_any_pattern_that_is_taken_means_what_it_means_in_python(pattern, names):
    try:
        ours = compiled(pattern)
    except ValueError:
        return
    pythons = re.compile(pattern)
    assert [bool(ours.fullmatch(name)) for name in names] == [bool(pythons.fullmatch(name)) for name in names]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(", "not a regular expression: missing ), unterminated subpattern at position 0"),
        ("(?=a)a", "cannot be matched in linear time: invalid perl operator: (?="),
        (r"(a)\1", r"\1 is not read here"),
        ("a++", "cannot be matched in linear time: bad repetition operator: ++"),
        (r"\bname\b", r"\b is not read here"),
        (r"[\W_]+", r"\W is not read here in brackets"),
        ("a" * 1001, "a regular expression of 1001 characters, at most 1000 are taken"),
    ],
)
def test_a_pattern_that_cannot_be_matched_in_time_is_refused_when_it_is_chosen(pattern, message):
    with pytest.raises(ConfigurationError) as refused:
        configure({"system_pattern": pattern})
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "pattern", [r"(\w+[-_.]?)+\.json", r"([\w-]+)*\.json", "(a|a)*b", "(a*)*b", "a?" * 60 + "a" * 60]
)
def test_no_name_takes_longer_than_it_is_long(pattern):
    before = time.process_time()
    assert not is_full_match(pattern, "a" * 1000 + "!")
    assert time.process_time() - before < 0.5


def test_the_engine_works_without_re2_on_ones_own_machine(tmp_path):
    """A process of its own cannot import the package."""
    (tmp_path / "re2.py").write_text("raise ImportError('not installed')")
    code = (
        "import scoring; from scoring.readers.patterns import is_full_match;"
        r"print(scoring.__version__, is_full_match(r'\w+\.json', 'año.json'), is_full_match('(?=a)b', 'b'))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split()[1:] == ["True", "False"]
