"""Mentions of CorefUD matched exactly, in part and by their heads, to the numbers of CorefUD's own scorer."""

import itertools
import random

import pytest

import scoring
from scoring.families.coreference import matching
from scoring.readers.coreference.corefud import read

HEADER = "# newdoc id = d\n# global.Entity = etype-head-eid-other\n"


def text_of(*sentences):
    """CoNLL-U of sentences of "ID WORD DEPS ENTITIES"."""
    rows = ("".join(map(row, sentence.splitlines())) for sentence in sentences)
    return HEADER + "\n".join(rows) + "\n"


def row(line):
    id_, word, dependencies, entities = line.split()
    entity = "_" if entities == "_" else f"Entity={entities}"
    return "\t".join([id_, word, *"_" * 4, "_" if "." in id_ else "0", "_", dependencies, entity]) + "\n"


GOLD = text_of(
    "1 The _ (p-3-e1-\n2 old _ _\n3 man _ e1)\n4 sees _ (v-1-e3-)\n5 his _ (p-3-e2-(p-1-e1-)\n6 tall _ _\n"
    "7 sister _ e2)\n7.1 _ 9:nsubj (p-1-e1-)\n8 and _ _\n9 waves _ _",
    "1 She _ (p-1-e2-)\n1.1 _ 2:obj (p-1-e1-)\n2 greets _ _\n3 back _ _",
)
SYSTEM = text_of(
    "1 The _ _\n2 old _ (p-2-e1-\n3 man _ e1)\n4 sees _ (v-1-e3-)\n5 his _ (p-1-e1-)\n6 tall _ (p-2-e2-\n"
    "7 sister _ e2)\n8 and _ _\n8.1 _ 9:nsubj (p-1-e1-)\n9 waves _ _",
    "1 She _ (p-1-e2-\n1.1 _ 2:iobj e2)\n2 greets _ _\n2.1 _ 2:obj (p-1-e4-)\n3 back _ (p-1-e1-)",
)


# F1 of MUC, B³, CEAF by entities and LEA, as corefud-scorer 1.2 gives them for these two files.
@pytest.mark.parametrize(
    ("match", "singletons", "zeros", "expected"),
    [
        ("exact", "keep", "linear", (0, 0.166667, 0.357143, 0.133333)),
        ("exact", "keep", "dependent", (0.25, 0.346154, 0.428571, 0.222222)),
        ("partial", "keep", "linear", (0.25, 0.333333, 0.571429, 0.222222)),
        ("partial", "remove", "dependent", (0.5, 0.458333, 0.625, 0.333333)),
        ("head", "keep", "linear", (0.5, 0.533333, 0.714286, 0.488889)),
        ("head", "keep", "dependent", (0.75, 0.783476, 0.785714, 0.666667)),
        ("head", "remove", "linear", (0.5, 0.5, 0.75, 0.444444)),
        ("head", "remove", "dependent", (0.75, 0.708333, 0.875, 0.666667)),
    ],
)
def test_mentions_match_as_in_the_scorer_of_corefud(match, singletons, zeros, expected, tmp_path):
    scores = evaluate(tmp_path, GOLD, SYSTEM, match=match, singletons=singletons, zeros=zeros).scores
    found = [scores[f"{metric}_f1"] for metric in ("muc", "b_cubed", "ceaf_e", "lea")]
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("zeros", ["linear", "dependent"])
@pytest.mark.parametrize("match", ["exact", "partial", "head"])
def test_the_gold_matches_itself(match, zeros, tmp_path):
    assert evaluate(tmp_path, GOLD, GOLD, match=match, zeros=zeros).scores["mention_f1"] == 1


def test_a_mention_without_its_head_does_not_match_in_part(tmp_path):
    """The system's mention is of the gold's words, but without their head, which its own head does not make good."""
    gold, system = text_of("1 a _ (p-2-e1-\n2 b _ e1)"), text_of("1 a _ (p-1-e1-)\n2 b _ _")
    assert [common(tmp_path / match, gold, system, match) for match in ("partial", "head")] == [0, 0]


def test_a_longer_mention_matches_by_its_head_alone(tmp_path):
    gold, system = text_of("1 a _ _\n2 b _ (p-1-e1-)"), text_of("1 a _ (p-2-e1-\n2 b _ e1)")
    assert [common(tmp_path / match, gold, system, match) for match in ("exact", "partial", "head")] == [0, 0, 1]


def test_equal_words_with_another_head_do_not_match_by_their_heads(tmp_path):
    gold, system = text_of("1 a _ (p-1-e1-\n2 b _ e1)"), text_of("1 a _ (p-2-e1-\n2 b _ e1)")
    assert [common(tmp_path / match, gold, system, match) for match in ("exact", "partial", "head")] == [1, 1, 0]


def test_the_parts_of_a_discontinuous_mention_are_counted_together(tmp_path):
    """Inside the gold's mention are a and c, not b: a mention that has b too does not match in part."""
    gold = text_of("1 a _ (p-2-e1[1/2]-)\n2 b _ _\n3 c _ (p-2-e1[2/2]-)")
    inside, across = text_of("1 a _ _\n2 b _ _\n3 c _ (p-1-e1-)"), text_of("1 a _ (p-1-e1-\n2 b _ _\n3 c _ e1)")
    assert common(tmp_path / "inside", gold, inside, "partial") == 1
    assert common(tmp_path / "across", gold, across, "partial") == 0


@pytest.mark.parametrize("match", ["partial", "head"])
def test_the_pairs_are_the_best_of_all(match):
    """All one-to-one choices are tried, on mentions around one head."""
    rng = random.Random(3)
    for _ in range(40):
        gold, system = (around_one_head(rng) for _ in range(2))
        found = matching._matches(gold, system, {"match": match, "zeros": None})
        if found.keys() & gold.entity_of.keys():
            # Equal mentions go first, whatever is best.
            continue
        worth = {
            (one, other): worth_of(gold.extents[one], system.extents[other], match)
            for one in gold.entity_of
            for other in system.entity_of
        }
        assert sum(worth[one, other] for other, one in found.items()) == pytest.approx(best_sum(gold, system, worth))


def worth_of(gold, system, match):
    (one,), (other,) = gold.ranges, system.ranges
    shared = max(0, min(one[1], other[1]) - max(one[0], other[0]))
    if match == "head":
        matches = gold.head == system.head
    else:
        matches = shared == other[1] - other[0] and other[0] <= gold.head < other[1]
    return shared / (one[1] - one[0]) if matches else 0


def best_sum(gold, system, worth):
    """All ways to give each mention of the gold another mention of the system, or none."""
    others = [*system.entity_of, *[None] * len(gold.entity_of)]
    ways = itertools.permutations(others, len(gold.entity_of))
    return max(sum(worth.get(pair, 0) for pair in zip(gold.entity_of, way, strict=True)) for way in ways)


def around_one_head(rng):
    """Up to three mentions that hold word 4 of 7, which heads most of them."""
    spans = sorted({(rng.randint(1, 4), rng.randint(4, 7)) for _ in range(3)})
    cells = [""] * 7
    for number, (first, last) in enumerate(spans):
        head = 5 - first if rng.random() < 0.8 else 1
        cells[first - 1] += f"(p-{head}-e{number}-"
        cells[last - 1] += f"e{number})"
    lines = "\n".join(f"{k} w _ {cell or '_'}" for k, cell in enumerate(cells, start=1))
    (document,) = read(text_of(lines), "f", with_extents=True).documents
    return document


@pytest.mark.parametrize(
    "text",
    [
        "1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(1-2-p)\n",
        "1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(1-x-p)\n",
        "1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(1-0-p)\n",
    ],
)
def test_a_head_outside_its_mention_is_refused_where_heads_count(text, tmp_path):
    text = "# newdoc id = d\n# global.Entity = GRP-head-etype\n" + text
    assert evaluate(tmp_path / "exact", text, text).scores["mention_f1"] == 1
    with pytest.raises(scoring.GoldError, match="is none of its 1 words"):
        evaluate(tmp_path / "head", text, text, match="head")


@pytest.mark.parametrize("options", [{"match": "head"}, {"zeros": "dependent"}])
def test_files_without_heads_are_refused_where_heads_count(options, tmp_path):
    conll = "#begin document (d); part 000\nd 0 0 w (0)\n#end document\n"
    with pytest.raises(scoring.GoldError, match="need CorefUD"):
        evaluate(tmp_path, conll, conll, **options)


def test_matched_mentions_are_one_on_the_page_of_a_document(tmp_path):
    gold, system = {"gold.conllu": GOLD.encode()}, {"system.conllu": SYSTEM.encode()}
    family = scoring.FAMILIES["coreference"]
    options = family.configure({"match": "head", "zeros": "dependent"})
    record = family.views.unit_record(gold, system, "d", options)
    others = {row["mention"]: row["other"] for row in record["system"]}
    assert (others["old man"], others["back"]) == ("e1", None)


def common(folder, gold, system, match):
    return evaluate(folder, gold, system, match=match).counts["common_mentions"]


def evaluate(folder, gold, system, **options):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gold").write_text(gold)
    (folder / "system").write_text(system)
    return scoring.evaluate("coreference", gold=folder / "gold", system=folder / "system", options=options)
