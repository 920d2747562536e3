import pytest

from scoring.readers.coreference.corefud import read

HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"


def rows(*words):
    """Lines from "ID ENTITY"."""
    pairs = [word.split(" ", 1) for word in words]
    return "".join(
        f"{id_}\tw{id_}" + "\t_" * 7 + ("\tSpaceAfter=No\n" if entity == "-" else f"\tSpaceAfter=No|Entity={entity}\n")
        for id_, entity in pairs
    )


def test_entities_are_read_in_the_order_written():
    found = only(["(e1-person-1-", "e1)(e2--1-)", "(e1)"])
    assert (found.labels, [len(entity) for entity in found.entities]) == (["e1", "e2"], [2, 1])
    assert list(found.word_ranges.values()) == [[(0, 1)], [(1, 1)], [(2, 2)]]


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("GRP-etype-infstat", ["(1-p-new", "(2-q-giv", "2)1)"]),
        ("etype-head-eid", ["(p-1-1", "(q-1-2", "2)1)"]),
        # As UD_English-GUM 2.8 had it: what closes has the type too.
        ("entity-GRP-infstat", ["(p-1-new", "(q-2-giv", "q-2)p-1)"]),
        ("head-eid", ["(1-1[1/2](1-2", "2)1[1/2])", "(1-1[2/2])"]),
    ],
)
def test_the_header_says_where_the_entity_stands(header, cells):
    text = f"# newdoc id = d\n# global.Entity = {header}\n"
    content = read(text + rows(*(f"{k} {cell}" for k, cell in enumerate(cells, start=1))), "f")
    assert (content.documents[0].labels, content.problems) == (["1", "2"], [])


def test_a_header_holds_for_the_documents_after_it():
    text = "# newdoc id = a\n# global.Entity = etype-eid\n" + rows("1 (p-1)") + "# newdoc id = b\n" + rows("1 (p-2)")
    assert [document.labels for document in read(text, "f").documents] == [["1"], ["2"]]


def test_a_bracket_that_closes_and_opens_again_is_two_mentions():
    assert [len(entity) for entity in only(["(e1", "e1)(e1", "e1)"]).entities] == [2]


def test_the_pieces_of_a_discontinuous_mention_are_one():
    found = only(["(e1[1/2]-x", "e1[1/2])", "-", "(e1[2/2]-x)", "(e1)"])
    assert list(found.word_ranges.values()) == [[(0, 1), (3, 3)], [(4, 4)]]


def test_discontinuous_mentions_of_one_entity_may_be_interleaved():
    found = only(["(a[1/2])", "(a[1/2])", "(a[2/2])", "(a[2/2])"])
    assert sorted(found.word_ranges.values()) == [[(0, 0), (3, 3)], [(1, 1), (2, 2)]]


def test_mentions_of_the_same_words_are_equal_however_they_are_written():
    whole, pieces = only(["(a", "-", "a)", "(a)"]), only(["(b[1/2]", "b[1/2])", "(b[2/2])", "(c)"])
    assert whole.entity_of.keys() == pieces.entity_of.keys()


def test_an_empty_node_is_a_word_of_a_mention_but_not_of_the_length():
    plain = read(HEADER + rows("1 (a", "2 a)"), "f").documents[0]
    empty = read(HEADER + rows("1 (a", "1.1 -", "2 a)"), "f").documents[0]
    assert plain.lengths == empty.lengths == (2,)
    assert plain.entity_of.keys() != empty.entity_of.keys()


def test_lines_of_several_words_are_skipped():
    (found,) = read(HEADER + rows("1-2 (a)", "1 (b)", "2 -"), "f").documents
    assert (found.labels, found.lengths) == (["b"], (2,))


def test_sentences_end_at_blank_lines():
    (found,) = read(HEADER + rows("1 -", "2 -") + "\n\n# sent_id = 2\n" + rows("1 (a)") + "\n", "f").documents
    assert found.lengths == (2, 1)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("# sent_id = 1\n1", ["stem"]),
        ("# newdoc\n1\n# newdoc\n1", ["stem-1", "stem-2"]),
        ("# newdoc id = a b \n1\n# newdoc\n1", ["a b", "stem-2"]),
        ("# sent_id = 1\n1\n# newdoc id = a\n1", ["stem", "a"]),
    ],
)
def test_names_of_documents(text, names):
    lines = [rows("1 -") if line == "1" else line + "\n" for line in text.split("\n")]
    content = read("".join(lines), "stem.conllu")
    assert [document.name for document in content.documents] == names
    assert not content.problems


def test_a_repeated_span_stays_with_the_entity_that_opens_first():
    content = read(HEADER + rows("1 (a)", "2 (b)(a)"), "f")
    assert [len(entity) for entity in content.documents[0].entities] == [2]
    assert [(problem.line, problem.message) for problem in content.repetitions] == [
        (
            4,
            'document "d": words 2 of sentence 1 marked 2 times, in the entities b, a; entity a keeps the mention',
        )
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            HEADER + rows("1 (a"),
            'f:3: document "d": the mention of entity a that opens at token 1 of sentence 1 is never closed',
        ),
        (HEADER + rows("1 a)"), 'f:3: document "d": a mention of entity a closes that was never opened'),
        (HEADER + rows("1 (a[1/2])", "2 -"), 'f:3: document "d": a discontinuous mention of entity a lacks parts'),
        (
            HEADER + rows("1 (a[1/3])", "2 (a[2/3])"),
            'f:4: document "d": a discontinuous mention of entity a lacks parts',
        ),
        (HEADER + rows("1 (a[1/0])"), 'f:3: document "d": a discontinuous mention of entity a lacks parts'),
        (HEADER + rows("1 -", "2 (a[2/2])"), 'f:4: document "d": a discontinuous mention of entity a lacks parts'),
        (HEADER + rows("1 (a)x"), "f:3: cannot read the coreference cell '(a)x'"),
        (HEADER + rows("1 (-x)"), "f:3: cannot read the coreference cell '(-x)'"),
        (HEADER + "1\tword\n", "f:3: 2 columns instead of 10"),
        ("# newdoc id = d\n# global.Entity = etype\n", "f:2: global.Entity must name eid or GRP: it is 'etype'"),
        (
            "# newdoc id = d\n# global.Entity = etype-eid\n" + rows("1 (e1)"),
            "f:3: cannot read the coreference cell '(e1)'",
        ),
        ("# nothing\n", "f: no document in this file"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, problem):
    assert [str(found) for found in read(text, "f").problems] == [problem]


@pytest.mark.thorough
def test_nested_mentions_over_everything_take_no_time_and_memory():
    n = 20_000
    opening = rows(*(f"{number} (a" for number in range(1, n)))
    (found,) = read(HEADER + opening + rows(f"{n} {'a)' * (n - 1)}"), "f").documents
    assert len(found.entity_of) == n - 1


def test_words_are_kept_where_asked_for():
    (found,) = read(HEADER + rows("1 (a)", "2 -"), "f", words_of="d").documents
    assert (found.words, list(found.word_ranges.values())) == ([["w1", "w2"]], [[(0, 0)]])


def only(entities):
    content = read(HEADER + rows(*(f"{k} {entity}" for k, entity in enumerate(entities, start=1))), "f", words_of="d")
    assert content.problems == []
    return content.documents[0]
