"""What gold has to hold is said for the options of the scenario, and for no other format."""

import pytest

import scoring

TABLES = {"gold_format": "table", "system_format": "table"}
LISTS = {"columns": "id,-,s[].start,s[].end", "content_annotations": "x", "text_column": "text"}


@pytest.mark.parametrize(
    ("family", "options", "words", "others"),
    [
        (
            "numbers",
            {"id": "PairID", "columns": "guess", "gold_columns": "score", "group": "talk", "text": "words"},
            "whose id stands in PairID. The right numbers stand in score. It has talk and words, too.",
            "tolerance",
        ),
        ("numbers", {"gold_format": "lines", "format": "lines"}, "One number a line", "table"),
        ("mat", {}, '"content_annotations": ["PER"]', "brat"),
        ("mat", {"gold_format": "brat", "system_format": "brat"}, "NAME.txt for NAME.ann", "mat-json"),
        ("mat", TABLES, "beside it the texts", "Tuples"),
        ("mat", {**TABLES, **LISTS}, "with the text itself in text", "NAME.txt"),
        ("mat", {**TABLES, "fields": "head,tail"}, "Tuples have no texts", "NAME.txt"),
        ("qac", {}, "tabs between question, number, answer and article", "TREC"),
        ("qac", {"format": "trec"}, "a line for each pattern", "SQuAD"),
        ("qac", {"format": "squad"}, "As in SQuAD", "BioASQ"),
        ("qac", {"format": "bioasq"}, "As in BioASQ", "tabs"),
    ],
)
def test_it_tells_of_the_format_that_is_read(family, options, words, others):
    told = scoring.FAMILIES[family].offer.gold_layout(scoring.FAMILIES[family].configure(options))
    assert words in told
    assert others not in told
