"""Chains of mentions on both sides: which go together, what is wrong with each mention, and where it lies."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evalsite.results.units import coreference as module
from evalsite.results.units.coreference import chains
from evalsite.results.units.passages import MOST_LAYERS
from scoring import FAMILIES
from scoring.families.coreference.errors import errors
from scoring.families.coreference.measures.overlap import overlap
from scoring.families.coreference.view import unit_record
from scoring.readers.coreference.documents import Document, entity_of
from tests.evalsite.families import CHAINS, GOLD_CHAINS, columns

OPTIONS = FAMILIES["coreference"].configure({})


def record(gold: dict[str, list[str]], system: dict[str, list[str]]) -> dict:
    """Return a record of chains by name, mentions without a text."""
    sides = {}
    for name, own, other in (("gold", gold, system), ("system", system, gold)):
        of_other = {mention: chain for chain, mentions in other.items() for mention in mentions}
        sides[name] = [
            {"entity": chain, "mention": mention, "other": of_other.get(mention)}
            for chain, mentions in own.items()
            for mention in mentions
        ]
        sides[f"{name}_entities"] = [{"entity": chain} for chain in own]
    return sides


def over_text(text: str, *pieces: list[list[int]]) -> dict:
    """A gold whose mentions are all one chain."""
    gold = [
        {"entity": "e", "mention": "m", "other": None, "start": each[0][0], "end": each[-1][1], "pieces": each}
        for each in pieces
    ]
    return {"text": text, "gold": gold, "system": [], "gold_entities": [{"entity": "e"}], "system_entities": []}


def signs(found, side: str) -> dict[str, list[str]]:
    return {pair.name.sign: [mention.text for mention in getattr(pair, side)] for pair in found.pairs}


def kinds(found) -> dict[tuple[str, str], tuple[str, ...]]:
    mentions = [mention for pair in found.pairs for mention in pair.gold + pair.system]
    return {(mention.side, mention.text): mention.kinds for mention in mentions}


def test_chains_that_have_most_of_each_other_bear_one_number_and_the_others_a_letter():
    found = chains(record({"k": ["a", "b", "c"], "l": ["d"]}, {"x": ["z"], "y": ["c"], "z": ["a", "b"], "u": ["d"]}))
    assert signs(found, "gold") == {"1": ["a", "b", "c"], "2": ["d"], "A": [], "B": []}
    assert signs(found, "system") == {"1": ["a", "b"], "2": ["d"], "A": ["z"], "B": ["c"]}


def test_each_mention_tells_what_is_wrong_with_it():
    found = chains(record({"k": ["a", "b", "c"], "l": ["d", "e"]}, {"x": ["a", "b", "z"], "y": ["c", "d"]}))
    assert kinds(found) == {
        ("gold", "a"): (),
        ("gold", "b"): (),
        ("gold", "c"): ("split", "merged"),
        ("gold", "d"): (),
        ("gold", "e"): ("missing",),
        ("system", "a"): (),
        ("system", "b"): (),
        ("system", "z"): ("spurious",),
        ("system", "c"): ("split", "merged"),
        ("system", "d"): (),
    }
    assert (found.counts, found.n_errors) == (
        {None: 6, "missing": 1, "spurious": 1, "split": 1, "merged": 1},
        3,
    )


def test_a_chain_tells_once_where_its_mentions_went_and_where_they_come_from():
    found = chains(record({"k": ["a", "b", "c"], "l": ["d", "e"]}, {"x": ["a", "b", "z"], "y": ["c", "d", "e"]}))
    told = [
        [(each.kind, each.number, each.direction, each.other and each.other.sign) for each in pair.findings]
        for pair in found.pairs
    ]
    assert told == [[("split", 1, "in", "2"), ("spurious", 1, "", None)], [("merged", 1, "from", "1")]]


def test_of_equally_large_parts_the_one_that_is_free_goes_with_a_chain():
    found = chains(record({"k": ["a", "b"], "l": ["c", "d"]}, {"x": ["a", "b", "c"], "y": ["d"]}))
    assert signs(found, "system") == {"1": ["a", "b", "c"], "2": ["d"]}


def test_a_filter_keeps_the_chains_with_such_a_mention_and_all_counts():
    gold, system = {"k": ["a", "b"], "l": ["c"]}, {"x": ["a", "b"], "y": ["z"]}
    whole, found = chains(record(gold, system)), chains(record(gold, system), "missing")
    assert signs(found, "gold") == {"2": ["c"]}
    assert found.counts == whole.counts
    assert signs(chains(record(gold, system), "errors"), "gold") == {"2": ["c"], "A": []}
    assert chains(record(gold, system), "<script>").show == ""


chain_lists = st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True), max_size=5).map(
    lambda found: {
        f"chain {number}": kept
        for number, mentions in enumerate(found)
        if (kept := [each for each in mentions if not any(each in other for other in found[:number])])
    }
)


@given(chain_lists, chain_lists)
def test_the_numbers_are_those_of_the_engine_and_equal_names_mean_that_nothing_is_wrong(gold, system):
    found = chains(record(gold, system))
    cells = overlap(_document(gold), _document(system))
    expected = errors(cells)
    assert found.counts["missing"] == expected["missing_entity"].mentions + expected["missing_mention"].mentions
    assert found.counts["spurious"] == expected["extra_entity"].mentions + expected["extra_mention"].mentions
    assert found.counts["split"] == expected["divided_entity"].mentions
    assert found.counts["merged"] == expected["conflated_entities"].mentions
    for pair in found.pairs:
        for mention in pair.gold + pair.system:
            assert (mention.gold == mention.system) == (not mention.kinds)


def _document(chains_: dict[str, list[str]]):
    entities = list(chains_.values())
    return Document("d", "d.json", None, list(chains_), entities, entity_of(entities))


def test_the_view_of_the_engine_is_understood():
    files = {"a.conll": columns(GOLD_CHAINS).encode()}, {"a.conll": columns(CHAINS).encode()}
    found = chains(unit_record(*files, "the trial", OPTIONS))
    assert len(found.passages) == len(GOLD_CHAINS["the trial"])
    pieces = [piece for passage in found.passages for piece in passage.gold + passage.system]
    closing = Counter(part.mention.anchor for piece in pieces for part in piece.closing)
    assert len(closing) == 15 + 14
    assert set(closing.values()) == {1}


def test_a_broken_mention_has_its_sign_at_its_last_part_alone():
    [passage] = chains(over_text("one two three", [[0, 3], [8, 13]])).passages
    assert [(piece.text, [part.is_last for part in piece.closing]) for piece in passage.gold] == [
        ("one", [False]),
        (" two ", []),
        ("three", [True]),
    ]


def test_a_mention_of_no_length_has_a_place_of_its_own():
    for place in (0, 4, 7):
        [passage] = chains(over_text("one two", [[place, place]])).passages
        [piece] = [each for each in passage.gold if each.marks]
        assert (piece.text, len(piece.opening), len(piece.closing)) == ("", 1, 1)
        assert "".join(each.text for each in passage.gold) == "one two"


def test_of_mentions_inside_each_other_the_deepest_are_left_out_and_counted():
    text = "x" * 200
    found = chains(over_text(text, *([[number, 200 - number]] for number in range(90))))
    assert max(len(piece.marks) for piece in found.passages[0].gold) == MOST_LAYERS
    assert found.n_parts_left_out == 90 - MOST_LAYERS
    same_place = chains(over_text("", *([[0, 0]] for _ in range(40))))
    assert same_place.n_parts_left_out == 40 - MOST_LAYERS


def test_a_crowd_is_cut_and_says_so(monkeypatch):
    monkeypatch.setattr(module, "MOST_CHAINS", 2)
    found = chains(record({letter: [letter] for letter in "abcde"}, {}))
    assert (len(found.pairs), found.n_pairs_left_out) == (2, 3)
