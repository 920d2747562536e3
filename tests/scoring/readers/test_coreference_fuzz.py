"""Whatever the bytes are, they are read or refused."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from tests.thoroughness import n_inputs

FAMILY = scoring.FAMILIES["coreference"]
EXAMPLES = {
    format_: next(iter(FAMILY.example(FAMILY.configure({"format": format_})).values()))
    for format_ in ("json", "conll", "corefud")
}
PIECES = st.sampled_from(
    [b"(", b")", b"|", b"(0", b"0)", b"(0)", b"-", b"\n", b"\t", b" ", b"\r", b"\x00", b"\xff", b"\xef\xbb\xbf", b'"']
    + [b"[", b"]", b"{", b"}", b",", b":", b"1e999", b"null", b"NaN", b"\\ud800", b"#begin document", b"#end document"]
    + [b"# newdoc", b"# newdoc id = ", b"# global.Entity = ", b"Entity=", b"[1/2]", b"[2/2]", b"[0/0]", b"1.1", b"1-2"]
)


@st.composite
def mutated(draw):
    content = draw(st.sampled_from(list(EXAMPLES.values())))
    for _ in range(draw(st.integers(0, 6))):
        place = draw(st.integers(0, len(content)))
        until = draw(st.integers(place, min(len(content), place + 8)))
        content = content[:place] + draw(PIECES) + content[until:]
    return content


CONTENTS = st.one_of(mutated(), st.lists(PIECES, max_size=30).map(b"".join), st.binary(max_size=60))


@settings(max_examples=n_inputs(300))
@given(CONTENTS, st.sampled_from(["auto", "json", "conll", "corefud"]), st.sampled_from(["first", "refuse"]))
def test_any_bytes_are_scored_or_refused(content, format_, repeated):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.txt"
        path.write_bytes(content)
        score = score_or_problems(path, path, scoring.GoldError, format=format_, repeated=repeated)
    assert score in (0, 1) or all("\n" not in str(problem) for problem in score)


@settings(deadline=None)
@given(CONTENTS)
def test_any_system_is_scored_or_refused(content):
    with tempfile.TemporaryDirectory() as folder:
        for format_, example in EXAMPLES.items():
            gold, system = Path(folder) / f"{format_}.gold", Path(folder) / f"{format_}.system"
            gold.write_bytes(example)
            system.write_bytes(content)
            assert score_or_problems(gold, system, scoring.SubmissionError, missing="empty") != []


@pytest.mark.parametrize("format_", EXAMPLES)
def test_line_ends_and_a_byte_order_mark_change_nothing(format_, tmp_path):
    (tmp_path / "gold").write_bytes(EXAMPLES[format_])
    (tmp_path / "system").write_bytes(b"\xef\xbb\xbf" + EXAMPLES[format_].replace(b"\n", b"\r\n"))
    result = scoring.evaluate("coreference", gold=tmp_path / "gold", system=tmp_path / "system")
    assert result.scores["conll_f1"] == 1


def score_or_problems(gold, system, error, **options):
    try:
        return scoring.evaluate("coreference", gold=gold, system=system, options=options).scores["mention_f1"]
    except error as refused:
        return refused.problems
