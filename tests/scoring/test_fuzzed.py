"""Whatever the bytes are, they are scored or refused: the fuzzer's seeds, and what hypothesis makes of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import FAMILIES
from tests.fuzz.targets import SEEDS, TARGETS, WAYS, Uploads
from tests.thoroughness import n_inputs

UPLOADS = Uploads()
INPUTS = {path.name: path.read_bytes() for path in sorted(SEEDS.iterdir())}
PIECES = st.sampled_from(
    [b"(", b")", b"|", b"[", b"]", b"{", b"}", b",", b":", b'"', b"'", b"\\", b"\n", b"\r", b"\t", b" ", b"\0", b"\xff"]
    + [b"1", b"-1", b"1e999", b"NaN", b"null", b"9" * 25, b"2305843009213693951", b"\\ud800", b"\xef\xbb\xbf"]
    + [
        "\u0301".encode(),
        "\u0661".encode(),
        "\u3000".encode(),
        "\U0001f642".encode(),
        b"<",
        b">",
        b"&",
        b"#",
        b"_",
        b"+1",
    ]
)


@st.composite
def changed(draw):
    """A seed with some pieces in place of others."""
    content = draw(st.sampled_from(list(INPUTS.values())))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(2, max(2, len(content))))
        stop = draw(st.integers(start, min(len(content), start + 12) if start < len(content) else start))
        content = content[:start] + draw(st.one_of(PIECES, st.binary(max_size=4))) + content[stop:]
    return content


def test_every_family_is_fuzzed_in_every_way():
    assert {target.family for target in TARGETS} == set(FAMILIES)
    assert {(data[0], data[1]) for data in INPUTS.values()} >= {
        (number, way) for number in range(len(TARGETS)) for way in range(len(WAYS))
    }


@pytest.mark.parametrize("name", INPUTS)
def test_a_kept_input_is_scored_or_refused(name):
    UPLOADS.run(INPUTS[name])


@pytest.mark.thorough
@settings(max_examples=n_inputs(3000))
@given(changed())
def test_any_bytes_are_scored_or_refused(data):
    UPLOADS.run(data)


# One target of JSON for each family that reads it.
OF_JSON = {target.family: k for k, target in reversed(list(enumerate(TARGETS))) if target.names[0].startswith("d.json")}


@pytest.mark.parametrize("levels", [50, 900, *range(960, 1030, 4), 5000])
@pytest.mark.parametrize("family", OF_JSON)
def test_values_inside_each_other_are_refused(family, levels):
    """Near the depth at which Python's own parser gives up, other steps may give up before it does."""
    deep = b"[" * levels + b"]" * levels
    for content in (
        b'{"id":"a","words":["x"],"ents":[%b]}' % deep,
        b'{"id":"a","words":["x"],"spans":{"sc":%b},"cats":{"P":%b}}' % (deep, deep),
        b'{"type":"clusters","clusters":{"0":[%b]}}' % deep,
        b'{"type":"graph","mentions":[],"links":[%b]}' % deep,
        b'{"signal":"Mirelle left Gorloin.","asets":[{"type":"PER","annots":[[%b,7]]}]}' % deep,
    ):
        UPLOADS.run(bytes([OF_JSON[family], 0]) + content)
