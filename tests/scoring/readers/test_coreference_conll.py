import pytest

from scoring.readers.coreference.conll import read


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("(nw/a_0001); part 000", "nw/a_0001-000"),
        ("(a);", "a"),
        ("(a)", "a"),
        ("(a) part 1", "a-1"),
        ("(a (b)); part 2", "a (b)-2"),
        ("a b; c ", "a b; c"),
        ("(a); part", "(a); part"),
    ],
)
def test_names_of_documents(header, name):
    content = read(f"#begin document {header}\n#end document\n", "f")
    assert [document.name for document in content.documents] == [name]
    assert not content.problems


@pytest.mark.parametrize(
    ("cells", "entities"),
    [
        ("(0 - 0)", {"0": [(0, 2)]}),
        ("(0|(1) 1)|0) _", None),
        ("(0|(1 1)|0)", {"0": [(0, 1)], "1": [(0, 1)]}),
        ("(0(1) 0)", {"0": [(0, 1)], "1": [(0, 0)]}),
        ("(3 3)|(3 3)", {"3": [(1, 1), (0, 2)]}),
        ("(0|(0 0) 0)", {"0": [(0, 1), (0, 2)]}),
        ("(0 (1 0) 1)", {"0": [(0, 2)], "1": [(1, 3)]}),
        ("(01) (1)", {"01": [(0, 0)], "1": [(1, 1)]}),
    ],
)
def test_openings_come_before_closings_which_take_the_innermost(cells, entities):
    content = read(document(cells.split()), "f")
    if entities is None:
        assert [problem.line for problem in content.problems] == [3]
        return
    assert not content.problems
    (found,) = content.documents
    kept = dict(zip(found.labels, found.entities, strict=True))
    # A span of two entities stays with the one that opens first.
    owners = {mention for mentions in kept.values() for mention in mentions}
    assert owners == {mention for mentions in entities.values() for mention in mentions}
    assert all(
        kept[label] == [span for span in spans if span in kept[label]]
        for label, spans in entities.items()
        if label in kept
    )


@pytest.mark.parametrize(
    "cell", ["(e1)", "(0+1)", "0", "(0)x", "|(0)", "(0)|", "(0)||(1)", "(0(", "()", "*", "(٣)", "(11)" * 40 + "x"]
)
def test_other_cells_are_refused(cell):
    (problem,) = read(document(["-", cell]), "f").problems
    assert str(problem).startswith(f"f:3: cannot read the coreference cell '{cell}', the last of its line: ")


@pytest.mark.parametrize("header", ["", " ( );"])
def test_a_document_alone_in_its_file_may_go_by_the_files_name(header):
    content = read(f"#begin document{header}\nx (0)\n#end document\n", "gum/GUM_bio_byron.conll")
    assert not content.problems
    assert [found.name for found in content.documents] == ["GUM_bio_byron"]


def test_mentions_may_cross_sentences_and_tokens_are_counted_through():
    text = "#begin document (a);\nx 0 0 w (0\n\n# comment\nx 0 0 w 0)\n\nx 0 0 w (0)\t\n#end document\n"
    (found,) = read(text, "f").documents
    assert (found.entities, found.lengths) == ([[(0, 1), (2, 2)]], (3,))


def test_a_repeated_span_stays_with_the_entity_that_opens_first():
    content = read(document(["(5", "5)|(2)", "(2)|(5)|(5)", "(7)|(5)"]), "f")
    (found,) = content.documents
    assert dict(zip(found.labels, found.entities, strict=True)) == {"5": [(0, 1), (2, 2), (3, 3)], "2": [(1, 1)]}
    assert [(problem.line, problem.message) for problem in content.repetitions] == [
        (
            4,
            'document "a": token 2 marked 3 times, in the entities 2, 5, 5; entity 5 keeps the mention',
        ),
        (
            5,
            'document "a": token 3 marked 2 times, in the entities 7, 5; entity 5 keeps the mention',
        ),
    ]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            "#begin document (a);\nx (0\n#end document\n",
            ['f:2: document "a": the mention of entity 0 that opens at token 0 is never closed'],
        ),
        (
            "#begin document (a);\nx 0)\n#end document\n",
            ['f:2: document "a": a mention of entity 0 closes that was never opened'],
        ),
        ("#begin document (a);\nx -\n", ['f:1: document "a" is not closed by "#end document"']),
        (
            "#begin document (a);\n#begin document (b);\n#end document",
            ['f:1: document "a" is not closed by "#end document"'],
        ),
        ("#end document\n#begin document (a);\n#end document", ['f:1: "#end document" without a beginning']),
        (
            "#begin document\nx -\n#end document\n#begin document ( );\n#end document\n",
            ["f:1: a document without a name", "f:4: a document without a name"],
        ),
        (
            "#begin document (a\x00);\n#end document\n",
            ["f:1: the document's name 'a\\x00' has control characters: rename it"],
        ),
        (
            "\nx -\ny -\n#begin document (a);\n#end document\n\nz -",
            ["f:2: text outside a document", "f:7: text outside a document"],
        ),
        ("# nothing\n", ["f: no document in this file"]),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, problems):
    assert [str(problem) for problem in read(text, "f").problems] == problems


def test_words_and_the_ranges_of_mentions_are_kept_where_asked_for():
    text = "#begin document (a);\nx 0 0 Ann NNP (0)\nx 0 1 sees V -\n\nx 0 0 her P (0)\n#end document\n"
    (asked,) = read(text, "f", words_of="a").documents
    assert asked.words == [["Ann", "sees"], ["her"]]
    assert asked.word_ranges == {(0, 0): [(0, 0)], (2, 2): [(2, 2)]}
    (other,) = read(text, "f", words_of="b").documents
    assert (other.words, other.word_ranges) == (None, {})


def document(cells):
    rows = "".join(f"x\t0\t{number}\tw\t{cell}\n" for number, cell in enumerate(cells))
    return f"#begin document (a);\n{rows}\n#end document\n"
