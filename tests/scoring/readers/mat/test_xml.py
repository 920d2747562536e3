"""Inline XML: signals, annotations, overlays, encodings, and documents that are made to do harm."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import SubmissionError
from tests.scoring.readers.mat.documents import gold_of, messages_of, problems_of, spans_of, system_of, tokens_of
from tests.thoroughness import n_inputs

XML = {"gold_format": "xml-inline"}


def read(text, **chosen):
    return gold_of({"a.xml": text}, **XML | chosen)


def refused(text, **chosen):
    [found] = problems_of(gold_of, {"a.xml": text}, **XML | chosen)
    return found


def test_known_elements_become_annotations_and_other_markup_is_dropped():
    gold = read('<doc><!-- c --><PER id="1"><lex>Mirelle</lex></PER> <b>left</b> <?p i?><LOC>G</LOC> &amp; co</doc>')
    assert gold.signals == ["Mirelle left G & co"]
    assert spans_of(gold) == [(0, "PER", 0, 7), (0, "LOC", 13, 14)]
    assert tokens_of(gold) == [(0, 0, 7)]
    assert gold.n_ignored == 0


def test_an_overlay_keeps_other_markup_as_written_and_escapes_text_again():
    gold = read("<d>A <i>b</i> &amp; <PER>C</PER></d>", gold_xml_overlay=True)
    assert gold.signals == ["<d>A <i>b</i> &amp; C</d>"]
    assert spans_of(gold) == [(0, "PER", 20, 21)]


@pytest.mark.parametrize(
    ("inside", "signal"),
    [
        ("<i  a = 'x>y\"' b=\"é'>\"\n/>", "<i  a = 'x>y\"' b=\"é'>\"\n/>"),
        ("<i></i><i/><i />", "<i></i><i/><i />"),
        ("<i></i >", "<i></i >"),
        ("<i/><PER>x</PER><i/>", "<i/>x<i/>"),
        ("<PER>x<i/></PER>", "x<i/>"),
        ("<!-- <b> & -->", "<!-- <b> & -->"),
        ("<?p a>b?>", "<?p a>b?>"),
        ("<![CDATA[a<b]]>", "a&lt;b"),
        ("&lt;&gt;&amp;&quot;&apos;&#65;&#x42;", "&lt;&gt;&amp;\"'AB"),
        ("<_mat:atypes>x<i/>y</_mat:atypes>z", "z"),
    ],
)
def test_an_overlay_keeps(inside, signal):
    text = f"<?xml version='1.0'?><!-- before --><d>{inside}</d><!-- after --><?p?>\n"
    assert read(text, gold_xml_overlay=True).signals == [f"<d>{signal}</d>"]


def test_translate_all_makes_every_tag_an_annotation_but_those_of_mat_itself():
    text = "<__top><_mat:x>a</_mat:x><_mat:atypes>b<PER>c</PER></_mat:atypes><Q _mat:id='1'>d</Q><lex>e</lex></__top>"
    gold = read(text, gold_xml_translate_all=True, content_annotations=None)
    assert gold.signals == ["ade"]
    assert spans_of(gold) == [(0, "Q", 1, 2)]
    assert tokens_of(gold) == [(0, 2, 3)]
    listed = read(text, gold_xml_translate_all=True)
    assert spans_of(listed) == []
    assert listed.n_ignored == 1


def test_without_a_list_a_system_that_translates_not_all_knows_the_golds_tags():
    chosen = XML | {"gold_xml_translate_all": True, "content_annotations": None, "system_format": "xml-inline"}
    gold = {"a.xml": "<__top><Q>a</Q>b</__top>"}
    assert spans_of(system_of({"a.xml": "<__top><Q>a</Q><R>b</R></__top>"}, gold, **chosen)) == [(0, "Q", 0, 1)]
    chosen["system_xml_translate_all"] = True
    system = system_of({"a.xml": "<__top><Q>a</Q><R>b</R></__top>"}, gold, **chosen)
    assert spans_of(system) == [(0, "Q", 0, 1), (0, "R", 1, 2)]


def test_the_attributes_of_an_element_decide_its_alias(tmp_path):
    task = tmp_path / "task.xml"
    task.write_text(
        '<task><tag name="E"><attr_set name="P"><attr name="t" value="1"/><attr name="_mat:id" value="1"/></attr_set>'
        '<attr_set name="L"><attr name="t" value="1"/></attr_set></tag></task>'
    )
    gold = read("<d><E t='1' _mat:id='1'>a</E><E t='2'>b</E></d>", task_file=str(task))
    assert [label for _, label, *_ in spans_of(gold)] == ["L", "E"]


@pytest.mark.parametrize(
    ("content", "signal"),
    [
        ("<d>é🙂</d>".encode(), "é🙂"),
        (b"\xef\xbb\xbf<d>x</d>", "x"),
        ("<?xml version='1.0' encoding='ISO-8859-1'?><d>é</d>".encode("latin-1"), "é"),
        ("<?xml version='1.0' encoding='windows-1252'?><d>€</d>".encode("cp1252"), "€"),
        ("<?xml version='1.0' encoding=\"Shift_JIS\"?><d>東</d>".encode("shift_jis"), "東"),
        ("<?xml version='1.0' encoding='UTF-16'?><d>é</d>".encode("utf-16"), "é"),
        ("<d>é</d>".encode("utf-16-be"), "é"),
        (b"<d>a\r\nb\rc</d>", "a\nb\nc"),
    ],
)
@pytest.mark.parametrize("is_overlay", [False, True])
def test_encodings_are_read_as_marked_or_declared(content, signal, is_overlay):
    gold = read(content, gold_xml_overlay=is_overlay)
    assert gold.signals == [f"<d>{signal}</d>" if is_overlay else signal]


@pytest.mark.parametrize(
    ("content", "line", "column", "message"),
    [
        ("<d>\n <b></d>", 2, 7, "not well-formed XML: mismatched tag"),
        ("", 1, 1, "not well-formed XML"),
        ("text", 1, 1, "not well-formed XML"),
        ("<d>&unknown;</d>", 1, 4, "not well-formed XML: undefined entity"),
        ("<d/><d/>", 1, 5, "not well-formed XML"),
        (b"<d>\xff</d>", 1, 4, "not valid UTF-8"),
        (b"<?xml version='1.0' encoding='zlib_codec'?><d/>", 1, 1, "not well-formed XML: the encoding"),
        (b"<?xml version='1.0' encoding='nothing'?><d/>", 1, 1, "not well-formed XML: the encoding"),
        (b"<?xml version='1.0' encoding='ascii'?><d>\xff</d>", None, None, "not well-formed XML"),
        ("<!DOCTYPE d><d/>", 1, 1, "document type declarations are not allowed"),
        ("<!-- -->\n  <!DOCTYPE d [ ]><d/>", 2, 3, "document type declarations are not allowed"),
        ("<!DOCTYPE d SYSTEM 'file:///etc/hostname'><d/>", 1, 1, "document type declarations are not allowed"),
        ("<!DOCTYPE d [<!ENTITY a 'b'>]><d>&a;</d>", 1, 1, "document type declarations are not allowed"),
        ("<d>" * 201 + "</d>" * 201, 1, 601, "nested too deeply"),
        ("<d>\nab<PER/></d>", 2, 9, "zero-length annotation: <PER> encloses no text"),
        ("<d>ab<lex></lex></d>", 1, 11, "zero-length annotation"),
    ],
)
def test_what_is_refused_and_where(content, line, column, message):
    found = refused(content)
    assert found[:3] == ("a.xml", line, column)
    assert found[3].startswith(message)


def test_elements_may_be_nested_two_hundred_deep():
    assert read("<d>" * 200 + "x" + "</d>" * 200).signals == ["x"]


def test_no_extent_does_not_matter_where_the_type_does_not_count():
    gold = read("<d>ab<Q/></d>", gold_xml_translate_all=True)
    assert gold.n_ignored == 2
    chosen = {"system_format": "xml-inline"} | XML
    assert spans_of(system_of({"a.xml": "<d>ab<lex/></d>"}, {"a.xml": "<d>ab</d>"}, **chosen)) == []


def test_the_same_document_read_in_two_ways_has_two_texts():
    text = "<d>Hi <PER>Mirelle</PER></d>"
    found = messages_of(
        system_of, {"a.xml": text}, {"a.xml": text}, system_format="xml-inline", system_xml_overlay=True, **XML
    )
    assert found == ["signal differs from gold at offset 0: '<d>Hi Mirelle</d>', where the task has 'Hi Mirelle'"]


PARTS = st.sampled_from(
    ["<d>", "</d>", "<PER>", "</PER>", "<PER/>", "<i a='>'/>", "<!--c-->", "<?p q?>", "x", "&amp;", "&#10;", "é"]
    + ["<lex>", "</lex>", "<![CDATA[<]]>", "<_mat:atypes>", "</_mat:atypes>", "<", "]]>", "\r\n", "<!DOCTYPE d>"]
)


@settings(max_examples=n_inputs(500))
@given(parts=st.lists(PARTS, max_size=12), is_overlay=st.booleans(), takes_all=st.booleans())
def test_made_up_documents_are_refused_and_nothing_else(parts, is_overlay, takes_all):
    for text in ("".join(parts), f"<d>{''.join(parts)}</d>"):
        with contextlib.suppress(SubmissionError):
            read(text, gold_xml_overlay=is_overlay, gold_xml_translate_all=takes_all)


@settings(max_examples=n_inputs(300))
@given(
    data=st.binary(max_size=60), start=st.sampled_from([b"", b"<d>", b"\xff\xfe", b"<?xml version='1.0' encoding='"])
)
def test_arbitrary_bytes_are_refused_and_nothing_else(data, start):
    with contextlib.suppress(SubmissionError):
        read(start + data)


@settings(max_examples=n_inputs(200))
@given(text=st.text(st.sampled_from("ab<>&\"' é🙂\n"), max_size=20))
def test_an_overlay_without_annotations_reads_back_what_was_written(text):
    written = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert read(f"<d>{written}</d>", gold_xml_overlay=True).signals == [f"<d>{written}</d>"]
    assert read(f"<d>{written}</d>").signals == [text]
