"""Texts beside references: sacreBLEU and rouge-score as oracles, and what holds for all texts."""

import json
import random
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.families.text.measures.rouge import _subsequence
from scoring.readers.archive import open_files

sacrebleu = pytest.importorskip("sacrebleu", reason="the family scores with sacreBLEU")

TEXT = scoring.FAMILIES["text"]
ALL = "bleu,chrf,chrf_pp,ter,rouge,exact"
WORDS = ["the", "old", "Straße", "walks", "3.5", "don't", "river,", "50%", "(again)", "house.", "Ποτάμι", "it", "a"]
OPTIONS = [
    {},
    {"tokenize": "intl", "smooth": "floor"},
    {"tokenize": "char", "lowercase": True, "smooth": "add-k", "smooth_value": 0.5},
    {"tokenize": "none", "smooth": "none", "ter_case_sensitive": True},
    {"language": "zh", "smooth": "floor", "smooth_value": 0.01, "ter_normalized": True, "ter_asian_support": True},
    {"ter_normalized": True, "ter_no_punct": True, "smooth": "add-k"},
]


def world(seed, n_references=None):
    """Segments of random words, and one to three references that differ from them here and there."""
    rng = random.Random(seed)
    texts, references = [], []
    for _ in range(rng.randrange(3, 12)):
        words = rng.choices(WORDS, k=rng.randrange(0, 12))
        of_text = []
        for _ in range(n_references or rng.randrange(1, 4)):
            other = [rng.choice(WORDS) if rng.random() < 0.25 else word for word in words] or ["a"]
            cut = rng.randrange(len(other)) if rng.random() < 0.3 else 0
            of_text.append(" ".join(other[cut:] + other[:cut]))
        texts.append(" ".join(words))
        references.append(of_text)
    return texts, references


def write(folder, texts, references, documents=None):
    gold, system = folder / "gold.jsonl", folder / "run.txt"
    rows = [{"id": f"s{k}", "refs": refs} for k, refs in enumerate(references)]
    for row, document in zip(rows, documents or (), strict=False):
        row["document"] = document
    gold.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    system.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return {"gold": gold, "system": system}


def peers(options):
    """sacreBLEU's own metrics for these options."""
    get = options.get
    tokenize = get("tokenize") or get("language") or "13a"
    smooth = {"smooth_method": get("smooth", "exp"), "smooth_value": get("smooth_value")}
    case = {"lowercase": get("lowercase", False)}
    ter = {
        "normalized": get("ter_normalized", False),
        "no_punct": get("ter_no_punct", False),
        "asian_support": get("ter_asian_support", False),
        "case_sensitive": get("ter_case_sensitive", False),
    }
    return {
        "bleu": sacrebleu.BLEU(tokenize=tokenize, force=True, **smooth, **case),
        "chrf": sacrebleu.CHRF(**case),
        "chrf_pp": sacrebleu.CHRF(word_order=2, **case),
        "ter": sacrebleu.TER(**ter),
    }


def streams(references):
    """References as sacreBLEU takes them: a list for each number, None where a segment has no such reference."""
    most = max(map(len, references))
    return [[refs[k] if k < len(refs) else None for refs in references] for k in range(most)]


@pytest.mark.parametrize("n_references", [1, None])
@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_scores_and_signatures_are_those_of_sacrebleu(number, n_references, tmp_path):
    texts, references = world(number, n_references)
    options = OPTIONS[number] | {"metrics": "bleu,chrf,chrf_pp,ter"}
    result = scoring.evaluate("text", **write(tmp_path, texts, references), options=options)
    signatures = {row["score"]: row["signature"] for row in result.tables["signatures"]}
    for name, peer in peers(options).items():
        assert result.scores[name] == pytest.approx(peer.corpus_score(texts, streams(references)).score, rel=1e-9)
        assert signatures[name] == str(peer.get_signature())


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_scores_of_segments_are_those_of_single_sentences(number, tmp_path):
    texts, references = world(number + 50)
    options = OPTIONS[number] | {"metrics": "bleu,chrf,chrf_pp,ter"}
    result = scoring.evaluate("text", **write(tmp_path, texts, references), options=options)
    metrics = peers(options)
    metrics["bleu"].effective_order = True
    for row, text, own in zip(result.tables["segments"], texts, references, strict=True):
        expected = {name: peer.sentence_score(text, own).score for name, peer in metrics.items()}
        assert {name: row[name] for name in expected} == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "chrf_pp", "ter"])
def test_a_resample_scores_as_sacrebleu_scores_its_segments(metric, tmp_path):
    texts, references = world(9, 1)
    n = len(texts)
    result = scoring.evaluate(
        "text", **write(tmp_path, texts, references), options={"metrics": metric}, n_resamples=8, seed=3
    )
    words = np.random.PCG64(3).random_raw(8 * ((n + 1) // 2)).reshape(8, -1)
    halves = np.stack([words & np.uint64(2**32 - 1), words >> np.uint64(32)], axis=-1).reshape(8, -1)[:, :n]
    drawn = (halves * np.uint64(n) >> np.uint64(32)).astype(int)
    for value, chosen in zip(result.draws, drawn, strict=True):
        own, other = [texts[k] for k in chosen], [references[k] for k in chosen]
        assert value == pytest.approx(peers({})[metric].corpus_score(own, streams(other)).score, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("stemmed", [False, True])
def test_rouge_is_that_of_rouge_score(stemmed, tmp_path):
    scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge-score is the oracle")
    rng = random.Random(4)
    words = ["a", "b", "c", "dd", "walking"]
    texts = ["\n".join(" ".join(rng.choices(words, k=5)) for _ in range(3)) for _ in range(30)]
    references = [[" ".join(rng.choices(["a", "b", "c", "dd", "walks"], k=9)).replace("c", "c\n")] for _ in range(30)]
    references = [
        own + [text[::-1]] if rng.random() < 0.5 else own for own, text in zip(references, texts, strict=True)
    ]
    gold, system = tmp_path / "gold.jsonl", tmp_path / "run.jsonl"
    gold.write_text("".join(json.dumps({"id": k, "refs": own}) + "\n" for k, own in enumerate(references)))
    system.write_text("".join(json.dumps({"id": k, "text": text}) + "\n" for k, text in enumerate(texts)))
    options = {"metrics": "rouge", "rouge_stemmer": stemmed}
    result = scoring.evaluate("text", gold=gold, system=system, options=options)
    peer = scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], use_stemmer=stemmed)
    for row, text, own in zip(result.tables["segments"], texts, references, strict=True):
        for name in ("rouge_1", "rouge_2", "rouge_l", "rouge_lsum"):
            key = name.replace("_", "").replace("l", "L", 1).replace("Lsum", "Lsum")
            assert row[name] == pytest.approx(max(peer.score(each, text)[key].fmeasure for each in own), abs=1e-9)


def test_a_subsequence_is_traced_as_in_the_table_of_lengths():
    rng = random.Random(2)
    for _ in range(300):
        a, b = (rng.choices("abc", k=rng.randrange(0, 9)) for _ in range(2))
        assert list(_subsequence(a, b)) == traced(a, b)


def traced(a, b):
    lengths = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, first in enumerate(a, start=1):
        for j, second in enumerate(b, start=1):
            longer = max(lengths[i - 1][j], lengths[i][j - 1])
            lengths[i][j] = lengths[i - 1][j - 1] + 1 if first == second else longer
    found, i, j = [], len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            found.append(i)
        elif lengths[i][j - 1] > lengths[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return found


def test_documents_have_the_scores_of_their_segments_and_change_none_of_the_corpus(tmp_path):
    texts, references = world(21, 2)
    documents = ["b" if k % 3 else "a" for k in range(len(texts))]
    paths = write(tmp_path, texts, references, documents)
    by_segment = scoring.evaluate("text", **paths, options={"metrics": ALL})
    by_document = scoring.evaluate("text", **paths, options={"metrics": ALL, "unit": "document"})
    assert by_document.units == ["a", "b"]
    assert by_document.scores == pytest.approx(by_segment.scores, rel=1e-12)
    own = [k for k, name in enumerate(documents) if name == "b"]
    expected = peers({})["bleu"].corpus_score([texts[k] for k in own], streams([references[k] for k in own])).score
    assert by_document.tables["documents"][1]["bleu"] == pytest.approx(expected, rel=1e-9)


def test_the_gold_as_a_run_is_perfect_and_the_order_of_ids_is_irrelevant(tmp_path):
    texts, references = world(5, 2)
    references = [[f"{own[0]} and four words more", own[1]] for own in references]
    paths = write(tmp_path, texts, references)
    [(name, content)] = TEXT.files.gold_as_submission(open_files(paths["gold"]), TEXT.configure({})).items()
    lines = content.splitlines(keepends=True)
    for number, ordered in enumerate((lines, lines[::-1])):
        (tmp_path / f"{number}{name}").write_bytes(b"".join(ordered))
        result = scoring.evaluate(
            "text", gold=paths["gold"], system=tmp_path / f"{number}{name}", options={"metrics": ALL}
        )
        perfect = {"bleu": 100, "chrf": 100, "chrf_pp": 100, "ter": 0, "rouge_1": 1, "rouge_lsum": 1, "exact_match": 1}
        assert {score: result.scores[score] for score in perfect} == pytest.approx(perfect)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"metrics": ""}, "at least one"),
        ({"headline": "length_ratio"}, "headline"),
        ({"language": "Chinese"}, "language"),
        ({"tokenize": "spm"}, "would download"),
        ({"smooth_value": 0}, "smooth_value"),
        ({"smooth_value": "nan"}, "smooth_value"),
        ({"lowercase": "perhaps"}, "lowercase"),
        ({"beta": 3}, "unknown option"),
    ],
)
def test_an_option_that_makes_no_sense_is_named(options, words):
    with pytest.raises(scoring.ConfigurationError, match=words):
        TEXT.configure(options)


def test_a_package_that_is_missing_is_named(monkeypatch, tmp_path):
    paths = write(tmp_path, *world(1))
    monkeypatch.setattr("scoring.families.text.options.find_spec", lambda name: None)
    for options, words in (
        ({"language": "ja"}, "ja-mecab needs the packages mecab-python3 and ipadic"),
        ({"rouge_stemmer": True}, "rouge_stemmer: yes needs the package nltk"),
        ({"metrics": "rouge"}, "rouge needs the package rapidfuzz"),
    ):
        with pytest.raises(scoring.ConfigurationError, match=words):
            scoring.evaluate("text", **paths, options=options)
    assert scoring.check("text", **paths, options=options) == []
    monkeypatch.setattr("scoring.families.text.measures.by_sacrebleu.version", lambda name: "3.0.1")
    with pytest.raises(scoring.ConfigurationError, match="family text needs sacrebleu"):
        scoring.evaluate("text", **paths)


def test_results_of_two_versions_of_sacrebleu_are_not_compared(tmp_path, monkeypatch):
    paths = write(tmp_path, *world(30, 1))
    ours = scoring.evaluate("text", **paths)
    monkeypatch.setattr("scoring.families.text.measures.by_sacrebleu.version", lambda name: "2.7.0")
    theirs = scoring.evaluate("text", **paths)
    with pytest.raises(scoring.ConfigurationError, match="theirs was not scored with the same options"):
        scoring.compare({"ours": ours, "theirs": theirs}, 100)


def test_no_message_tells_what_stands_in_a_reference(tmp_path):
    paths = write(tmp_path, ["a b", "c"], [["canary one"], ["canary two"], ["canary three"]])
    for name, content in (
        ("run.txt", "canary two\ncanary three\n"),
        ("run.jsonl", '{"id": "s0", "text": 1}\n'),
        ("run.tsv", "id\ttext\ns0\tx\n"),
    ):
        (tmp_path / name).write_text(content)
        problems = scoring.check("text", gold=paths["gold"], system=tmp_path / name)
        assert problems
        assert not [problem for problem in problems if "canary" in str(problem)]


def test_a_segment_is_shown_with_the_words_that_differ_from_its_nearest_reference(tmp_path):
    paths = write(tmp_path, ["the old mill is closed"], [["a house", "the mill is closed."]])
    shown = TEXT.views.unit_record(open_files(paths["gold"]), open_files(paths["system"]), "s0", TEXT.configure({}))
    [segment] = shown["segments"]
    assert segment["nearest"] == 1
    assert segment["system"] == [
        {"text": "the ", "differs": False},
        {"text": "old", "differs": True},
        {"text": " mill is closed", "differs": False},
    ]
    assert segment["references"][1][-1] == {"text": ".", "differs": True}
    with pytest.raises(KeyError):
        TEXT.views.unit_record(open_files(paths["gold"]), open_files(paths["system"]), "s1", TEXT.configure({}))


def test_a_run_is_described_by_its_texts(tmp_path):
    paths = write(tmp_path, ["a word"] * 12 + [""], [[f"r{k}"] for k in range(13)])
    description = scoring.describe("text", **paths)
    assert description.summary == "12 texts to 12 of 13 segments."
    assert [oddity.kind for oddity in description.oddities] == ["constant"]


@given(gold=st.binary(max_size=60), run=st.binary(max_size=60), suffix=st.sampled_from([".txt", ".jsonl", ".tsv"]))
@settings(max_examples=60)
def test_random_bytes_raise_only_the_errors_of_the_engine(gold, run, suffix, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bytes")
    paths = {"gold": folder / f"gold{suffix}", "system": folder / f"run{suffix}"}
    for path, content in zip(paths.values(), (gold, run), strict=True):
        path.write_bytes(content)
    with suppress(scoring.ScoringError):
        scoring.evaluate("text", **paths, options={"metrics": ALL})


@pytest.mark.parametrize(
    ("name", "run"),
    [("run.tsv", "MCQ\tprediction\na\ttea\nb\tmilk\n"), ("run.json", '{"a": "tea", "b": "milk"}')],
)
def test_columns_may_have_other_names(name, run, tmp_path):
    (tmp_path / "gold.tsv").write_text("MCQ\tanswer_1\tanswer_2\na\ta cup of tea\ttea\nb\trice\t\n")
    (tmp_path / name).write_text(run)
    options = {"metrics": "exact", "id_column": "MCQ", "text_column": "prediction", "ref_column": "answer"}
    result = scoring.evaluate("text", gold=tmp_path / "gold.tsv", system=tmp_path / name, options=options)
    assert result.scores["exact_match"] == 0.5


def test_far_more_text_than_the_references_have_is_not_compared_word_by_word(tmp_path):
    (tmp_path / "gold.txt").write_text("the gap\n")
    (tmp_path / "run.txt").write_text("the " * 60_000 + "\n")
    paths = {"gold": tmp_path / "gold.txt", "system": tmp_path / "run.txt"}
    assert "cannot be compared word by word" in str(scoring.check("text", **paths, options={"metrics": "ter"})[0])
    assert scoring.check("text", **paths, options={"metrics": "chrf"}) == []


def test_a_score_that_can_only_be_0_is_warned_of(tmp_path):
    texts = ["the old mill", "a house", "yes"]
    said = "no segment of the run has 4 words: BLEU is 0 then, whatever is right"
    files = write(tmp_path, texts, [[text] for text in texts])
    found = scoring.evaluate("text", **files, options={"metrics": "bleu,chrf"})
    assert (found.scores["bleu"], found.scores["chrf"]) == (0, 100)
    assert said in found.warnings
    files = write(tmp_path, [*texts, "one two three four"], [[text] for text in [*texts, "x"]])
    assert said not in scoring.evaluate("text", **files, options={"metrics": "bleu"}).warnings
