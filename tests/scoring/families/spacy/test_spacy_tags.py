"""Entities in columns as seqeval and conlleval read them: tags as they are written, schemes, letters at the end."""

import pytest

import scoring
from scoring.errors import ConfigurationError, SubmissionError


def evaluated(tmp_path, gold, system, scheme=None, form="prefix"):
    for name, sentences in (("gold", gold), ("system", system)):
        lines = ("".join(f"w{k} {tag}\n" for k, tag in enumerate(tags.split())) for tags in sentences)
        (tmp_path / f"{name}.conll").write_text("\n".join(lines))
    options = {"scores": [{"name": "seqeval", "scheme": scheme}], "tag_form": form}
    return scoring.evaluate("spacy", gold=tmp_path / "gold.conll", system=tmp_path / "system.conll", options=options)


def outcomes(result):
    return {row["type"]: (row["tp"], row["fp"], row["fn"]) for row in result.tables["seqeval_per_type"]}


def test_the_accuracy_compares_tags_as_they_are_written(tmp_path):
    # As entities, both sides are the same.
    result = evaluated(tmp_path, ["O B-X I-X", "B-Y"], ["O I-X I-X", "S-Y"])
    assert result.scores["seqeval_micro_f"] == 1.0
    assert result.scores["seqeval_accuracy"] == 2 / 4


@pytest.mark.parametrize(
    ("scheme", "tags", "entities"),
    [
        (None, "O I-X I-X B-X", [(1, 3), (3, 4)]),
        ("IOB2", "O I-X I-X B-X", [(3, 4)]),
        ("IOB2", "B-X I-X I-Y O", [(0, 2)]),
        ("IOB1", "O I-X I-X B-X", [(1, 3), (3, 4)]),
        ("IOB1", "O B-X I-X O", [(2, 3)]),
        ("IOE1", "I-X I-X E-X I-X", [(0, 3), (3, 4)]),
        ("IOE2", "I-X E-X I-X O", [(0, 2)]),
        ("IOBES", "B-X I-X O S-X", [(3, 4)]),
        ("IOBES", "B-X E-X E-X O", [(0, 2)]),
        ("BILOU", "B-X L-X U-X U-X", [(0, 2), (2, 3), (3, 4)]),
        ("BILOU", "B-X L-Y O O", []),
    ],
)
def test_a_scheme_reads_what_it_allows_and_no_more(tmp_path, scheme, tags, entities):
    """Figures of seqeval 1.2.2; the other side has the same entities as plain begin and inside, in both sentences."""
    plain = ["O"] * 4
    for start, end in entities:
        plain[start:end] = ["B-X"] + ["I-X"] * (end - start - 1)
    (tmp_path / "gold.jsonl").write_text(
        "".join(
            f'{{"id": {k}, "words": ["w0", "w1", "w2", "w3"], "ents": {[[*entity, 0] for entity in entities]}}}\n'
            for k in (1, 2)
        ).replace(", 0]", ', "X"]')
    )
    (tmp_path / "run.conll").write_text(
        "\n".join("".join(f"w{k} {t}\n" for k, t in enumerate(tags.split())) for _ in "ab")
    )
    options = {"scores": [{"name": "seqeval", "scheme": scheme}]}
    result = scoring.evaluate("spacy", gold=tmp_path / "gold.jsonl", system=tmp_path / "run.conll", options=options)
    assert outcomes(result) == ({"X": (2 * len(entities), 0, 0)} if entities else {})


def test_entities_end_with_their_sentence(tmp_path):
    result = evaluated(tmp_path, ["O B-X", "I-X O"], ["O B-X", "I-X O"], "IOB2")
    assert outcomes(result) == {"X": (1, 0, 0)}


def test_letters_may_stand_at_the_end_of_tags(tmp_path):
    result = evaluated(tmp_path, ["PER-B PER-I O"], ["PER-B NEW-TYPE-I O"], form="suffix")
    assert outcomes(result) == {"NEW-TYPE": (0, 1, 0), "PER": (0, 1, 1)}
    with pytest.raises(scoring.GoldError, match="tag 'B-PER' is neither O nor a type with - and one of B I L U E S"):
        evaluated(tmp_path, ["B-PER O"], ["O O"], form="suffix")


def test_a_letter_without_a_type_is_refused_with_what_to_write(tmp_path):
    with pytest.raises(scoring.GoldError, match="tag 'B' is neither O nor one of B I L U E S with - and a type: it"):
        evaluated(tmp_path, ["B I O"], ["O O O"])
    with pytest.raises(scoring.GoldError, match="it has no type; write X-I, if all are of one"):
        evaluated(tmp_path, ["I O"], ["O O"], form="suffix")


def test_tags_that_the_scheme_does_not_have_are_refused_with_their_lines(tmp_path):
    with pytest.raises(SubmissionError) as refused:
        evaluated(tmp_path, ["B-X O"], ["S-X O"], "IOB2")
    assert [str(problem) for problem in refused.value.problems] == [
        "system.conll:1: tag 'S-X' is none of IOB2, which has I O B"
    ]


def test_an_unknown_scheme_is_a_mistake_of_the_caller(tmp_path):
    with pytest.raises(ConfigurationError, match="scheme must be one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU, or null"):
        evaluated(tmp_path, ["O"], ["O"], "IOB3")
