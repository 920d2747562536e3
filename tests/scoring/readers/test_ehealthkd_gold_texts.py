"""The text column of the gold's phrases beside the text under their spans."""

import pytest

from scoring.readers.ehealthkd.gold_texts import differing_texts

SENTENCES = "  Las vías respiratorias del niño  \r\nOtra frase con cáncer\r\n"


def remarks(*phrases, sentences=SENTENCES):
    files = {"input_scenario2.txt": sentences.encode(), "output_a_scenario2.txt": "\n".join(phrases).encode()}
    return list(map(str, differing_texts(files, 2)))


@pytest.mark.parametrize(
    "phrase",
    [
        "1\t4 8\tConcept\tvías",
        "1\t4 8;9 22\tConcept\tvías respiratorias",
        "1\t4 22\tConcept\tvías  respiratorias",
        "1\t47 53\tConcept\tca\N{COMBINING ACUTE ACCENT}ncer",
        "1\t32 36\tReference\tOtra",
    ],
)
def test_a_text_that_stands_under_its_spans_is_no_remark(phrase):
    assert remarks(phrase) == []


def test_a_span_that_is_shifted_is_remarked_with_line_and_both_texts():
    assert remarks("1\t4 8\tConcept\tvías", "2\t28 32\tConcept\tniño") == [
        "output_a_scenario2.txt:2: the text column says “niño”, under the span stands “iño\n”"
    ]


def test_capitals_matter():
    assert len(remarks("1\t4 8\tConcept\tVías")) == 1


def test_spans_outside_the_text_are_remarked_and_not_read_from_its_end():
    assert "under the span stands “”" in remarks("1\t-9 -4\tConcept\tfrase")[0]


def test_many_remarks_are_cut():
    found = remarks(*(f"{number}\t0 3\tConcept\tx" for number in range(100)))
    assert len(found) == 21
    assert found[-1].endswith("and 80 more")
