import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.readers.coreference.scorch_json import read
from tests.thoroughness import n_inputs


def test_clusters_keep_their_labels_and_order():
    document = only('{"type": "clusters", "name": "ignored", "clusters": {"x": ["a", 1], "y": [2.5]}}', "d1.part.json")
    assert (document.name, document.labels, document.entities) == ("d1.part", ["x", "y"], [["a", 1], [2.5]])
    assert document.entity_of == {"a": 0, 1: 0, 2.5: 1}


def test_a_graph_falls_into_its_connected_components():
    links = '[["a", "b"], ["b", "c"], ["c", "a"], ["d", "d"], ["a", "b"], ["x", "y"]]'
    document = only(f'{{"type": "graph", "mentions": ["a", "b", "c", "d", "e"], "links": {links}}}')
    assert sorted(sorted(entity) for entity in document.entities) == [["a", "b", "c"], ["d"], ["e"], ["x", "y"]]


def test_a_long_chain_of_links_is_one_entity():
    links = ", ".join(f"[{number}, {number + 1}]" for number in range(20_000))
    document = only(f'{{"type": "graph", "mentions": [], "links": [{links}]}}')
    assert [len(entity) for entity in document.entities] == [20_001]


def test_numbers_are_compared_as_numbers_and_never_with_texts():
    document = only('{"type": "clusters", "clusters": {"x": [1, "1", 2, 2.0]}}')
    assert document.entities == [[1, "1", 2]]


def test_a_mention_twice_in_one_cluster_or_list_is_told_and_counts_once():
    content = read('{"type": "clusters", "clusters": {"x": ["a", "b", "a"]}}', "d.json")
    assert content.documents[0].entities == [["a", "b"]]
    assert [str(problem) for problem in content.repetitions] == [
        "d.json: mention 'a' is repeated in cluster \"x\": counted once"
    ]
    content = read('{"type": "graph", "mentions": ["a", "a"], "links": []}', "d.json")
    assert (content.documents[0].entities, len(content.repetitions)) == ([["a"]], 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "d.json:1:1: not JSON"),
        ('{"type": "clusters",\n}', "d.json:2:1: not JSON"),
        ("[" * 100_000, "not JSON: brackets are nested too deeply"),
        ('{"type": "clusters", "clusters": {"x": [NaN]}}', "not JSON: NaN is no JSON value"),
        ('{"type": "clusters", "clusters": {"x": [' + "1" * 5000 + "]}}", "not JSON"),
        ("[]", "the top level must be an object"),
        ("{}", 'key "type" is missing'),
        ('{"type": "x"}', 'type \'x\' is neither "clusters" nor "graph"'),
        ('{"type": ["clusters"]}', 'type a list is neither "clusters" nor "graph"'),
        ('{"type": "clusters"}', '"clusters" must be an object of lists: it is missing'),
        ('{"type": "clusters", "clusters": {"x": "ab"}}', 'cluster "x" must be a list'),
        ('{"type": "clusters", "clusters": {"x": []}}', 'cluster "x" is empty'),
        ('{"type": "clusters", "clusters": {"x": ["a", true]}}', 'cluster "x": a mention must be a string or a number'),
        ('{"type": "graph", "links": []}', 'key "mentions" must be a list: it is missing'),
        ('{"type": "graph", "mentions": []}', 'key "links" must be a list: it is missing'),
        ('{"type": "graph", "mentions": [[]], "links": []}', 'key "mentions": a mention must be'),
        ('{"type": "graph", "mentions": [], "links": [["a", "b"], ["a"]]}', "link 2 must have two mentions: it has 1"),
        ('{"type": "graph", "mentions": [], "links": ["ab"]}', "link 1 must have two mentions: it is a text"),
        ('{"type": "graph", "mentions": [], "links": [["a", null]]}', "link 1: a mention must be"),
    ],
)
def test_what_is_wrong_is_told(text, message):
    (problem,) = read(text, "d.json").problems
    assert message in str(problem)


def test_a_mention_in_two_clusters_names_both():
    text = '{"type": "clusters", "clusters": {"x": ["a", "b"], "y": ["c", "b", "a"], "z": ["c"]}}'
    assert [problem.message for problem in read(text, "d.json").problems] == [
        'mention \'b\' is in cluster "x" and in cluster "y"',
        'mention \'a\' is in cluster "x" and in cluster "y"',
        'mention \'c\' is in cluster "y" and in cluster "z"',
    ]


def test_messages_stay_in_one_line_and_short():
    (problem,) = read('{"type": "clusters", "clusters": {"' + "x" * 9999 + '\\n\\ud800": []}}', "d.json").problems
    assert len(problem.message) < 300
    (problem,) = read('{"type": "clusters", "clusters": {"\\n\\ud800": []}}', "d.json").problems
    assert problem.message == 'cluster "\\n\\ud800" is empty'


def only(text, file="d.json"):
    content = read(text, file)
    assert content.problems == []
    return content.documents[0]


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
