"""The metrics of Universal Dependencies: figures of the program of CoNLL 2018, and what is refused."""

import pytest

import scoring
from scoring.errors import GoldError, SubmissionError
from scoring.families.spacy import SPACY
from scoring.readers.spacy.conllu import words

UD = {"scores": [{"name": "ud"}]}


def word(number, form, head=0, deprel="dep", lemma="_", upos="X", feats="_", xpos="_"):
    return "\t".join([str(number), form, lemma, upos, xpos, feats, str(head), deprel, "_", "_"])


def joined(ids, form):
    return "\t".join([ids, form, *["_"] * 8])


def plain(*forms):
    """A sentence of words that hang on the first; "du=de+le" is a multiword token."""
    lines, number = [], 0
    for form in forms:
        surface, _, parts = form.partition("=")
        parts = parts.split("+") if parts else [surface]
        if "=" in form:
            lines.append(joined(f"{number + 1}-{number + len(parts)}", surface))
        for part in parts:
            number += 1
            lines.append(word(number, part, head=int(number > 1)))
    return "\n".join([*lines, "", ""])


def evaluated(tmp_path, gold, system, **more):
    for name, text in (("gold", gold), ("system", system)):
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8", newline="")
    options = UD | more.pop("options", {})
    return scoring.evaluate(
        "spacy", gold=tmp_path / "gold.conllu", system=tmp_path / "system.conllu", options=options, **more
    )


def counts(result, name):
    row = next(row for row in result.tables["ud_metrics"] if row["metric"] == name)
    return row["correct"], row["gold"], row["system"]


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        (["du=de+le", "pain"], ["du", "pain"], (1, 3, 2)),
        (["du=de+le", "pain"], ["du=de+les", "pain"], (2, 3, 3)),
        (["du=DE+le"], ["du=de+Le"], (2, 2, 2)),
        (["abcd"], ["a", "b", "c", "d"], (0, 1, 4)),
        # A range of one side that covers several tokens of the other.
        (["abc=a+b+c", "de=d+e"], ["a", "bcd=b+c+d", "e"], (5, 5, 5)),
        (["ab=cd+b", "e"], ["a", "b", "e"], (2, 3, 3)),
        # Chains of ranges that overlap are one stretch.
        (["abc=a+BX+c", "def=d+EX+f"], ["ab=a+b", "cd=c+d", "ef=e+f"], (4, 6, 6)),
        # Words that the program has not passed before it meets a range: the first "d" is taken for the second.
        (["xd", "de=d+e"], ["x", "d", "de=d+e"], (2, 3, 4)),
        (["a", "bc=b+c", "d"], ["ab=AX+BX", "cd=CX+a"], (1, 4, 4)),
        # A word of a range may have blanks, which its token loses.
        (["1 000", "x=a b+c"], ["1000", "x=a b+c"], (3, 3, 3)),
    ],
)
def test_words_are_aligned_as_the_program_of_conll_2018_does(tmp_path, gold, system, expected):
    assert counts(evaluated(tmp_path, plain(*gold), plain(*system)), "Words") == expected


GOLD = "\n".join(
    [
        "# newdoc id = a",
        word(1, "The", 2, "det", "the", "DET", "Definite=Def|PronType=Art", "DT"),
        word(2, "dogs", 3, "nsubj", "dog", "NOUN", "Number=Plur", "NNS"),
        word(3, "ran", 0, "root", "run", "VERB", "Tense=Past|Typo=Yes", "VBD"),
        joined("4-5", "cannot"),
        word(4, "can", 3, "advmod:x", "_", "AUX", xpos="MD"),
        word(5, "not", 4, "aux", "not", "PART", xpos="RB"),
        word(6, ".", 3, "punct", ".", "PUNCT", xpos="."),
        "",
        "# newdoc id = b",
        word(1, "Yes", 0, "root", "yes", "INTJ", xpos="UH"),
        "",
        "",
    ]
)
SYSTEM = "\n".join(
    [
        word(1, "The", 2, "det", "the", "DET", "Definite=Ind|PronType=Art", "DT"),
        word(2, "dogs", 3, "nsubj", "dogs", "NOUN", "Number=Plur", "NN"),
        word(3, "ran", 0, "root", "run", "VERB", "Tense=Past", "VBD"),
        joined("4-6", "cannot."),
        word(4, "can", 3, "advmod", "can", "AUX", xpos="MD"),
        word(5, "not", 4, "aux:y", "not", "PART", xpos="RB"),
        word(6, ".", 4, "punct", ".", "PUNCT", xpos="."),
        "",
        word(1, "Y", 0, "root", "y", "INTJ", xpos="UH"),
        word(2, "es", 1, "dep", "es", "INTJ", xpos="UH"),
        "",
        "",
    ]
)


def test_all_metrics_count_as_the_program_of_conll_2018_does(tmp_path):
    result = evaluated(tmp_path, GOLD, SYSTEM)
    assert {row["metric"]: (row["correct"], row["gold"], row["system"]) for row in result.tables["ud_metrics"]} == {
        "Tokens": (3, 6, 6),
        "Sentences": (2, 2, 2),
        "Words": (6, 7, 8),
        "UPOS": (6, 7, 8),
        "XPOS": (5, 7, 8),
        # Typo is no universal feature; Definite differs.
        "UFeats": (5, 7, 8),
        "AllTags": (4, 7, 8),
        # The gold has no lemma of "can", so that any is right; "dogs" is wrong.
        "Lemmas": (5, 7, 8),
        "UAS": (5, 7, 8),
        "LAS": (5, 7, 8),
        "CLAS": (3, 4, 5),
        # Under "dogs" the article has other features.
        "MLAS": (2, 4, 5),
        "BLEX": (2, 4, 5),
    }
    assert result.headline == "ud_las"
    assert result.scores["ud_las"] == 10 / 15
    accuracies = {row["metric"]: row["accuracy"] for row in result.tables["ud_metrics"]}
    assert (accuracies["LAS"], accuracies["CLAS"], accuracies["Tokens"]) == (5 / 6, 1.0, None)


def test_units_are_the_documents_of_the_gold_and_add_up(tmp_path):
    result = evaluated(tmp_path, GOLD, SYSTEM, n_resamples=50)
    assert result.units == ["a", "b"]
    # tp, fp and fn of the words: "cannot." is in the first document, both halves of "Yes" in the second.
    assert result.rows[:, 6:9].tolist() == [[6, 0, 0], [0, 2, 1]]
    low, high = result.intervals["ud_las"]
    assert low <= result.scores["ud_las"] <= high


def test_las_by_label_counts_what_is_wrong_on_either_side(tmp_path):
    rows = {row["type"]: row for row in evaluated(tmp_path, GOLD, SYSTEM).tables["ud_las_per_type"]}
    assert [rows["punct"][kind] for kind in ("tp", "fp", "fn")] == [0, 1, 1]
    assert [rows["root"][kind] for kind in ("tp", "fp", "fn")] == [1, 1, 1]


def test_the_gold_itself_is_perfect_in_every_metric(tmp_path):
    assert set(evaluated(tmp_path, GOLD, GOLD).scores.values()) == {1.0}


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("1\tY\ty", "1\ty\ty", 9, "the text differs from the gold text, blanks aside: 'yes…' against 'Yes…'"),
        ("UH\t_\t1\t", "UH\t_\t0\t", 9, "the sentence has 2 roots instead of 1"),
        ("UH\t_\t1\t", "UH\t_\t_\t", 10, "HEAD '_' is not a number: every word needs a head"),
        ("UH\t_\t1\t", "UH\t_\t2\t", 10, "HEAD 2 is the word itself"),
        ("UH\t_\t0\t", "UH\t_\t2\t", 9, "HEAD 2 leads into a circle, and to no root"),
        ("4-6\t", "4-7\t", 4, "range '4-7' does not fit its sentence, which has 6 words"),
        ("4-6\t", "5-6\t", 4, "range '5-6' stands before word 4"),
        ("5\tnot\t", "5-6\tx" + "\t_" * 8 + "\n5\tnot\t", 6, "range '5-6' overlaps the one before it"),
        ("4-6\tcannot.", "4-6\t ", 5, "the form is empty"),
    ],
)
def test_what_the_program_cannot_take_is_refused_with_its_line(tmp_path, old, new, line, message):
    assert old in SYSTEM
    with pytest.raises(SubmissionError) as refused:
        evaluated(tmp_path, GOLD, SYSTEM.replace(old, new))
    assert [(problem.line, message in problem.message) for problem in refused.value.problems][:1] == [(line, True)]


def test_several_roots_are_taken_where_the_organisers_say_so(tmp_path):
    several = SYSTEM.replace("UH\t_\t1\t", "UH\t_\t0\t")
    result = evaluated(tmp_path, GOLD, several, options={"scores": [{"name": "ud", "several_roots": True}]})
    assert counts(result, "UAS") == (5, 7, 8)


def test_gold_in_another_format_has_no_treebank(tmp_path):
    (tmp_path / "gold.jsonl").write_text('{"id": 1, "words": ["a"]}')
    with pytest.raises(GoldError, match="of CoNLL-U files alone"):
        scoring.evaluate("spacy", gold=tmp_path / "gold.jsonl", system=tmp_path / "gold.jsonl", options=UD)


def test_a_stretch_that_would_take_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(words, "MOST_WORDS", 3)
    with pytest.raises(SubmissionError, match="a stretch of more than 1,000 words"):
        evaluated(tmp_path, plain("a", "b", "c", "d"), plain("abcd=a+x+y+d"))


def test_the_page_of_a_document_has_the_words_of_both_trees(tmp_path):
    files = {"gold.conllu": GOLD.encode()}, {"system.conllu": SYSTEM.encode()}
    record = SPACY.views.unit_record(*files, "b", SPACY.configure(UD))
    assert record["system"]["gold_token"] == [None, None]
    assert [token["text"] for token in record["system"]["tokens"]] == ["Y", "es"]
    record = SPACY.views.unit_record(*files, "a", SPACY.configure(UD))
    assert record["system"]["gold_token"] == [0, 1, 2, 3, 4, 5]
    assert [arc["has_gold_head"] for arc in record["system"]["arcs"]] == [True, True, True, True, True, False]
    assert all(arc["has_gold_label"] for arc in record["system"]["arcs"])


def test_what_participants_are_given_has_no_words_of_multiword_tokens():
    (content,) = SPACY.files.inputs({"gold.conllu": GOLD.encode()}, SPACY.configure(UD)).values()
    assert [line.split("\t")[1] for line in content.decode().splitlines() if line[:1].isdigit()] == [
        "The",
        "dogs",
        "ran",
        "cannot",
        ".",
        "Yes",
    ]


def test_shares_and_counts_are_those_that_the_program_prints(tmp_path):
    rows = {row["metric"]: row for row in evaluated(tmp_path, GOLD, SYSTEM).tables["ud_metrics"]}
    shares = {name: round(100 * rows[name]["f"], 2) for name in ("LAS", "MLAS", "BLEX", "Tokens")}
    assert shares == {"LAS": 66.67, "MLAS": 44.44, "BLEX": 44.44, "Tokens": 50}
    clas = [round(100 * rows["CLAS"][column], 2) for column in ("p", "r", "f", "accuracy")]
    assert clas == [60, 75, 66.67, 100]
    columns = ("correct", "gold", "system", "aligned")
    assert [rows["Words"][column] for column in columns] == [6, 7, 8, 6]
    assert [rows["Tokens"][column] for column in columns[:3]] == [3, 6, 6]
