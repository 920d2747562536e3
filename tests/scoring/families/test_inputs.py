"""Samples of uploads made from what participants are given: valid for the gold, and the same whatever is annotated."""

import json
import re
import zipfile

import pytest

import scoring
from scoring.readers.archive import open_files

CONTENT = {"content_annotations": "PER,LOC"}
BRAT_NAMES = {"suffix_off": ".ann", "suffix_on": ".json"}
TEXT = "Mirelle & Ánxel left.\r\nGorloin 😀 rains."
ITEMS = [
    *({"name": name} for name in ("tokenization", "tagger", "lemmatizer", "morphologizer", "parser", "ner", "seqeval")),
    *({"name": name} for name in ("nervaluate", "links", "textcat", "confusion")),
    {"name": "spancat", "key": "sc"},
]


def mat_json(*spans, tokens=((0, 7), (10, 15))):
    sets = [
        {"type": "PER", "annots": [list(span) for span in spans]},
        {"type": "lex", "annots": [list(token) for token in tokens]},
    ]
    return json.dumps({"signal": TEXT, "asets": sets})


def asked(document, start):
    both = {"beginSection": "title", "endSection": "title"}
    snippet = {"document": document, **both, "offsetInBeginSection": start, "offsetInEndSection": 9}
    return json.dumps({"questions": [{"id": "a", "body": "Who?", "snippets": [snippet]}]})


def words(tag, *ents, label="SPORT"):
    document = {
        "id": "d1", "words": ["Ann", "Lee", "runs"], "spaces": [True, True, False], "tags": [tag] * 3,
        "pos": ["X", "NOUN", "VERB"], "lemmas": ["a", "b", "c"], "morphs": ["_"] * 3, "heads": [2, 0, 2],
        "deps": ["nsubj", "flat", "ROOT"], "ents": [list(ent) for ent in ents], "spans": {"sc": [[0, 3, "X"]]},
        "cats": {"SPORT": float(label == "SPORT"), "TRAVEL": float(label != "SPORT")},
    }  # fmt: skip
    return json.dumps(document) + "\n" + json.dumps({**document, "id": "d2"}) + "\n"


CONLL = (
    "#begin document (a/b); part 000\na/b 0 0 Anna NNP {}\na/b 0 1 sees VBZ {}\n\na/b 0 0 Bo NNP {}\n#end document\n"
)
COREFUD = (
    "# newdoc id = d1\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n# text = Anna sees\n"
    "1-2\tAnna sees\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tAnna\t_\tX\t_\t_\t0\troot\t_\t{}\n"
    "2\tsees\t_\tX\t_\t_\t1\tdep\t_\t{}\n\n"
)
LINES = "Ann {}\nLee {}\n\nBern {}\n"
CONLLU = (
    "# newdoc id = d1\n1\tAnn\tAnn\tX\tX\t_\t2\tnsubj\t_\tEntity={}\n2\truns\trun\tX\tX\t_\t0\troot\t_\tEntity={}\n\n"
)
SENTENCES = "Una\nLas vías respiratorias\n"


def phrases(scenario, a, b):
    texts = {"input": SENTENCES, "output_a": a, "output_b": b}
    return {f"{stem}_scenario{scenario}.txt": text for stem, text in texts.items()}


# Of each kind of input two golds that differ in what participants are to find.
CASES = {
    **{
        f"ehealthkd {scenario}": (
            "ehealthkd",
            {"scenario": scenario},
            phrases(scenario, "7\t4 7\tConcept\tx\n8\t8 12\tAction\tx\n", "is-a\t7\t8\n"),
            phrases(scenario, "9\t8 12\tPredicate\tx\n1\t0 3\tConcept\tx\n", ""),
        )
        for scenario in "123"
    },
    **{
        f"mat {format_} {tokens}": (
            "mat",
            {**CONTENT, "system_format": format_, "tokens": tokens} | (BRAT_NAMES if format_ == "brat" else {}),
            {"a.json": mat_json((0, 7)), "b.json": mat_json((10, 15))},
            {"a.json": mat_json((10, 15), (16, 20)), "b.json": mat_json((0, 15))},
        )
        for format_, tokens in [
            ("mat-json", "gold"),
            ("mat-json", "equal"),
            ("xml-inline", "gold"),
            ("xml-inline", "equal"),
            ("brat", "gold"),
            ("raw", "gold"),
            ("table", "gold"),
        ]
    },
    "mat with other names and units": (
        "mat",
        {**CONTENT, "suffix_off": ".sys.json", "suffix_on": ".json", "offset_unit": "utf16"},
        {"a.json": mat_json((0, 7))},
        {"a.json": mat_json((10, 15))},
    ),
    "coreference json": (
        "coreference",
        {},
        {"one.json": '{"type": "clusters", "clusters": {"k": ["m1", "m2"]}}'},
        {"one.json": '{"type": "clusters", "clusters": {"k": ["m3"], "l": ["m4"]}}'},
    ),
    "coreference conll": (
        "coreference",
        {"protocol": "reference"},
        {"gold.conll": CONLL.format("(0)", "-", "(0)")},
        {"gold.conll": CONLL.format("-", "(3", "3)")},
    ),
    "coreference corefud": (
        "coreference",
        {"protocol": "scorch"},
        {"gold.conllu": COREFUD.format("Entity=(e4)", "_")},
        {"gold.conllu": COREFUD.format("Entity=(e4(e5)", "Entity=e4)")},
    ),
    "spacy": (
        "spacy",
        {"scores": json.dumps(ITEMS), "headline": "ents_f"},
        {"gold.jsonl": words("N", [0, 2, "PER"])},
        {"gold.jsonl": words("V", [1, 3, "LOC"], label="TRAVEL")},
    ),
    "spacy entities": (
        "spacy",
        {"scores": '[{"name": "ner"}]'},
        {"gold.jsonl": words("N", [0, 2, "PER"])},
        {"gold.jsonl": words("N", [2, 3, "LOC"])},
    ),
    "spacy columns": (
        "spacy",
        {"format": "columns"},
        {"gold.iob": LINES.format("B-PER", "I-PER", "B-LOC")},
        {"gold.iob": LINES.format("O", "B-PER", "O")},
    ),
    "spacy conllu": (
        "spacy",
        {"format": "conllu"},
        {"gold.conllu": CONLLU.format("B-PER", "O")},
        {"gold.conllu": CONLLU.format("O", "B-LOC")},
    ),
    "qac": (
        "qac",
        {"task": "2"},
        {"gold.tsv": "QAC1-1001-01\t1\tMie\t9\nQAC1-1002-01\n"},
        {"gold.tsv": "QAC1-1001-01\nQAC1-1002-01\t1\tTsu\t8\n"},
    ),
    "labels": (
        "labels",
        {"text": "said", "labels": "A,B"},
        {"gold.csv": "id,label,said\na,A,Good day.\nb,B,Oh\n"},
        {"gold.csv": "id,label,said\na,B,Good day.\nb,B,Oh\n"},
    ),
    "labels of pairs in columns": (
        "labels",
        {"task": "multi", "multi_as": "columns", "labels": "A,B", "id": "x,y", "slices": "s", "format": "jsonl"},
        {"gold.tsv": "x\ty\tA\tB\ts\n1\t2\t0\t1\tu\n2\t1\t0\t0\tv\n"},
        {"gold.tsv": "x\ty\tA\tB\ts\n1\t2\t1\t1\tu\n2\t1\t0\t1\tv\n"},
    ),
    "shares of labels": (
        "labels",
        {"task": "soft", "text": "said", "labels": "A,B"},
        {"gold.csv": "id,label,said\na,A;B;A,Good day.\nb,B;B,Oh\n"},
        {"gold.csv": 'id,label,said\na,B,Good day.\nb,"{""A"": 0.25, ""B"": 0.75}",Oh\n'},
    ),
    "shares of labels by themselves": (
        "labels",
        {"task": "multi", "shares": "yes", "text": "said", "labels": "A,B"},
        {"gold.csv": 'id,label,said\na,"[[""A"", ""B""], [""A""]]",Good day.\nb,,Oh\n'},
        {"gold.csv": 'id,label,said\na,,Good day.\nb,"{""A"": 1, ""B"": 0.75}",Oh\n'},
    ),
    "ranking": (
        "ranking",
        {"depth": "5"},
        {"qrels.txt": "q1 0 a 1\nq2 0 b 0\n"},
        {"qrels.txt": "q2 0 c 3\nq1 0 b 2\n"},
    ),
    "text in lines": (
        "text",
        {"metrics": "chrf,ter"},
        {"one.txt": "The mill.\nA house\n", "two.txt": "\nThe house\n"},
        {"one.txt": "Nine\nTen\n", "two.txt": "Two\n\n"},
    ),
    "text in JSON": (
        "text",
        {"unit": "document", "metrics": "rouge,exact"},
        {"gold.jsonl": '{"id": "s 1", "refs": ["a"], "document": "d"}\n{"id": 2, "ref": "b", "document": "e"}\n'},
        {"gold.jsonl": '{"id": "s 1", "refs": ["c", "d"], "document": "d"}\n{"id": 2, "ref": "e", "document": "e"}\n'},
    ),
    "ranking in JSON": (
        "ranking",
        {"order": "rank"},
        {"qrels.json": '{"q 1": {"a": 1}, "#2": {"b": 0}}'},
        {"qrels.json": '{"q 1": {"c": 0}, "#2": {"b": 2}}'},
    ),
    "ranking of snippets": (
        "ranking",
        {"items": "snippets", "depth": "1"},
        {"gold.json": asked("11", 5)},
        {"gold.json": asked("7", 0)},
    ),
    "edits": (
        "edits",
        {"level": "tokens"},
        {"gold.m2": "S a b\nA 0 1|||R|||c|||_|||_|||0\n\nS c\n"},
        {"gold.m2": "S a b\n\nS c\nA 1 1|||M|||d|||_|||_|||0\nA 0 1|||R|||e|||_|||_|||1\n"},
    ),
    "transcripts": (
        "transcripts",
        {},
        {"gold.tsv": "a-1\tyes no\ta\nb-1\t\tb\n"},
        {"gold.tsv": "a-1\tno\ta\nb-1\tmaybe so\tb\n"},
    ),
    "transcripts in trn": (
        "transcripts",
        {"format": "trn", "unit": "speaker", "speaker": "prefix"},
        {"gold.trn": "yes no (a-1)\n(b-1)\n"},
        {"gold.trn": "(a-1)\nno (b-1)\n"},
    ),
    "transcripts in lines": (
        "transcripts",
        {"headline": "cer"},
        {"gold.txt": "yes no\n\n"},
        {"gold.txt": "no\nmaybe so\n"},
    ),
    "qac of BioASQ": (
        "qac",
        {"format": "bioasq", "task": 2},
        {"gold.json": '{"questions": [{"id": "a", "type": "list", "body": "Who?", "exact_answer": [["Ann"]]}]}'},
        {"gold.json": '{"questions": [{"id": "a", "type": "list", "body": "Who?", "exact_answer": [["Bo", "B"]]}]}'},
    ),
    "qac in series": (
        "qac",
        {"task": "3", "encoding": "euc-jp", "article": "require"},
        {"gold.tsv": "Q-7-01\t1\tMie\t9\nQ-7-02\t1\tTsu\t8\n"},
        {"gold.tsv": "Q-7-01\t1\tx\t9\nQ-7-02\t1\ty\t8\n"},
    ),
}


def packed(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


@pytest.fixture(params=CASES)
def case(request, tmp_path):
    """Family, all options, and the paths of two golds over one input."""
    name, options, *golds = CASES[request.param]
    family = scoring.FAMILIES[name]
    paths = [packed(tmp_path / f"gold{number}.zip", files) for number, files in enumerate(golds)]
    return family, family.configure(options), paths


def test_a_sample_is_valid_and_is_scored(case, tmp_path):
    family, options, [gold, _] = case
    system = packed(tmp_path / "sample.zip", family.files.sample(open_files(gold), options))
    assert scoring.check(family.name, gold=gold, system=system, options=options) == []
    result = scoring.evaluate(family.name, gold=gold, system=system, options=options)
    assert result.scores[result.headline] is not None


def test_a_sample_is_described_in_every_format(case, tmp_path):
    family, options, [gold, _] = case
    system = packed(tmp_path / "sample.zip", family.files.sample(open_files(gold), options))
    description = scoring.describe(family.name, gold=gold, system=system, options=options)
    assert re.fullmatch(
        r"\d.* (?:in|to) \d of \d (?:sentence|document|question|utterance|querie|segment|item)s?\."
        r"(?: Not scored here: .*| .* do not count\.)?",
        description.summary,
    )
    assert json.loads(json.dumps(description.as_dict())) == description.as_dict()


def test_a_sample_is_the_same_whatever_is_annotated(case):
    family, options, golds = case
    first, second = (family.files.sample(open_files(gold), options) for gold in golds)
    assert first == second


def test_an_upload_is_known_by_the_input_that_it_was_made_for(case, tmp_path):
    family, options, [gold, other] = case
    keys = family.files.input_keys(open_files(gold), options, "gold")
    assert keys
    assert family.files.input_keys(open_files(other), options, "gold") == keys


@pytest.mark.parametrize("scenario", ["1", "2", "3"])
def test_the_sentences_of_an_upload_are_known_as_those_of_the_input(scenario):
    family = scoring.FAMILIES["ehealthkd"]
    options = family.configure({"scenario": scenario})
    files = {f"output_scenario{scenario}.txt": SENTENCES.encode(), f"output_b_scenario{scenario}.txt": b""}
    assert family.files.input_keys(files, options, "system") == {"Una", "Las vías respiratorias"}
    assert family.files.input_keys({f"output_b_scenario{scenario}.txt": b""}, options, "system") == set()
