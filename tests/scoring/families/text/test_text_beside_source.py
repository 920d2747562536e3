"""SARI, GLEU and METEOR: figures of their authors' programs, the worked examples, and golds that hold sources."""

import json
import random

import numpy as np
import pytest

import scoring
from scoring.readers.archive import open_files

pytest.importorskip("sacrebleu", reason="the family scores with sacreBLEU")
TEXT = scoring.FAMILIES["text"]
WORDS = ["the", "old", "House,", "walks", "3.5", "don't", "river;", "a", "in", "(again)", "of", "big", "cat", "sat"]
OPTIONS = {"metrics": "sari,gleu"}


def world(seed, n_references):
    """Sources, and texts and references that differ from them here and there."""
    rng = random.Random(seed)

    def varied(words):
        return [word if rng.random() < 0.8 else rng.choice(WORDS) for word in words if rng.random() < 0.9] or ["a"]

    sources = [rng.choices(WORDS, k=rng.randrange(1, 15)) for _ in range(20)]
    texts = [" ".join(varied(own)) for own in sources]
    references = [[" ".join(varied(own)) for _ in range(n_references)] for own in sources]
    return [" ".join(own) for own in sources], texts, references


def write(folder, sources, texts, references):
    files = {"gold": folder / "gold.jsonl", "system": folder / "run.txt"}
    rows = zip(sources, references, strict=True)
    lines = [json.dumps({"id": str(k), "source": own, "refs": refs}) for k, (own, refs) in enumerate(rows)]
    files["gold"].write_text("\n".join(lines))
    files["system"].write_text("".join(f"{text}\n" for text in texts))
    return files


# Of EASSE 0.2.4, `get_corpus_sari_operation_scores`, and of the program of GLEU (2016).
FIGURES = {
    (1, 1): (5.23054114158636, 60.12934868936012, 52.934298548464945, 0.2355377972667143),
    (2, 1): (3.4539617512088903, 56.175611990829374, 39.6226091062225, 0.18216775512785113),
    (3, 2): (6.9546568088070915, 56.04626814882746, 47.08047553194897, None),
    (4, 3): (5.198421907635182, 44.832085975166244, 56.235678066210646, None),
}


@pytest.mark.parametrize(("seed", "n_references"), FIGURES)
def test_scores_are_those_of_the_authors_programs(seed, n_references, tmp_path):
    result = scoring.evaluate("text", **write(tmp_path, *world(seed, n_references)), options=OPTIONS)
    add, keep, delete, gleu = FIGURES[seed, n_references]
    assert [result.scores[f"sari_{part}"] for part in ("add", "keep", "delete")] == pytest.approx([add, keep, delete])
    assert result.scores["sari"] == pytest.approx((add + keep + delete) / 3)
    if gleu is not None:
        assert result.scores["gleu"] == pytest.approx(gleu)


def test_a_resample_scores_as_a_corpus_of_its_segments(tmp_path):
    sources, texts, references = world(5, 2)
    result = scoring.evaluate("text", **write(tmp_path, sources, texts, references), options=OPTIONS)
    weights = np.random.default_rng(1).integers(0, 3, len(texts))
    drawn = np.repeat(np.arange(len(texts)), weights).tolist()
    files = write(tmp_path, *([side[k] for k in drawn] for side in (sources, texts, references)))
    alone = scoring.evaluate("text", **files, options=OPTIONS).scores
    resampled = TEXT.metrics(weights @ np.asarray(result.rows), result.options)
    assert {name: float(value) for name, value in resampled.items()} == pytest.approx(alone)


def test_a_segment_with_further_references_weighs_no_more(tmp_path):
    files = write(tmp_path, ["a b", "c d"], ["a x", "c d"], [["a x"], ["c"]])
    once = scoring.evaluate("text", **files, options=OPTIONS).scores
    files = write(tmp_path, ["a b", "c d"], ["a x", "c d"], [["a x"] * 3, ["c"]])
    assert scoring.evaluate("text", **files, options=OPTIONS).scores == pytest.approx(once)


def test_what_should_have_changed_costs_matches(tmp_path):
    said = ["he go to school now , and he goes home again"]
    files = write(
        tmp_path, ["he go to school now , and he go home again"], said, [[said[0].replace("go to", "goes to")]]
    )
    # Of 11 words 10 match, less "go", which should have changed; of each longer order two n-grams with it fail twice.
    assert [int(value) for value in np.asarray(scoring.evaluate("text", **files, options=OPTIONS).rows)[0, 38:42]] == [
        *(9, 6, 5, 4),
    ]


class NoSynonyms:
    """WordNet, if it knew no word."""

    def synsets(self, *_):
        return []


@pytest.mark.parametrize("seed", range(6))
def test_meteor_is_that_of_nltk_without_synonyms(seed, tmp_path):
    meteor_score = pytest.importorskip("nltk.translate.meteor_score").meteor_score
    rng = random.Random(seed)
    words = ["cat", "cats", "the", "sits", "sitting", "on", "mat", "mats"]
    texts, *sides = [[rng.choices(words, k=rng.randrange(1, 12)) for _ in range(15)] for _ in range(3)]
    expected = [meteor_score(own, text, wordnet=NoSynonyms()) for text, *own in zip(texts, *sides, strict=True)]
    joined = [[" ".join(own) for own in side] for side in (texts, *sides)]
    files = write(tmp_path, joined[0], joined[0], [list(own) for own in zip(*joined[1:], strict=True)])
    result = scoring.evaluate("text", **files, options={"metrics": "meteor"})
    assert result.scores["meteor"] == pytest.approx(np.mean(expected))
    assert [row["meteor"] for row in result.tables["segments"]] == pytest.approx(expected)


def test_a_segment_without_source_is_told_with_its_line(tmp_path):
    files = write(tmp_path, ["a", " "], ["a", "b"], [["a"], ["b"]])
    with pytest.raises(scoring.GoldError, match="gold.jsonl:2: segment 1 has no source"):
        scoring.evaluate("text", **files, options=OPTIONS)
    assert scoring.evaluate("text", **files).scores["bleu"] is not None


def test_plain_lines_have_their_sources_in_a_file_of_that_name(tmp_path):
    (tmp_path / "gold").mkdir()
    for name, lines in (("refs.1.txt", "a x\nc\n"), ("refs.2.txt", "a x\nc d\n"), ("source.txt", "a b\nc d\n")):
        (tmp_path / "gold" / name).write_text(lines)
    (tmp_path / "run.txt").write_text("a x\nc d\n")
    both = {"system": tmp_path / "run.txt", "options": OPTIONS}
    scores = scoring.evaluate("text", gold=tmp_path / "gold", **both).scores
    files = write(tmp_path, ["a b", "c d"], ["a x", "c d"], [["a x", "a x"], ["c", "c d"]])
    assert scores == scoring.evaluate("text", **files, options=OPTIONS).scores
    (tmp_path / "gold" / "source.txt").unlink()
    with pytest.raises(scoring.GoldError, match="need the sources, in a file source.txt"):
        scoring.evaluate("text", gold=tmp_path / "gold", **both)


def test_participants_are_given_the_sources_and_no_reference(tmp_path):
    options = TEXT.configure(OPTIONS)
    gold = open_files(write(tmp_path, ["an old thing"], ["x"], [["a secret"]])["gold"])
    [(name, content)] = TEXT.files.inputs(gold, options).items()
    assert json.loads(content) == {"id": "0", "source": "an old thing"}
    (tmp_path / name).write_bytes(content)
    made = TEXT.files.gold_of_inputs(open_files(tmp_path / name), options)
    assert TEXT.read_gold(made, options).ids == ["0"]
    (tmp_path / "lines.txt").write_text("an old thing\n")
    made = TEXT.files.gold_of_inputs(open_files(tmp_path / "lines.txt"), options)
    assert TEXT.read_gold(made, options).sources == ["an old thing"]
