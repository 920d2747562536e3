"""One input for a fuzzer: bytes that choose a reader and a way to upload, and are the upload.

byte 0    which target: a family with its options and a small gold
byte 1    how it comes: as a file, in a folder, in a zip archive, or as the bytes of an archive themselves
the rest  the content; a line "--8<--" begins the next file of targets that have several
"""

import io
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import scoring

# Families are loaded when they are first asked for, which has to be while the fuzzer watches imports.
FAMILIES_LOADED = [scoring.FAMILIES[name] for name in scoring.FAMILIES]
SEEDS = Path(__file__).parent / "seeds"  # inputs to begin with, and such as were mended
NEXT_FILE = b"\n--8<--\n"


@dataclass(frozen=True)
class Target:
    """A reader that can be chosen."""

    family: str
    gold: dict[str, bytes]
    names: tuple[str, ...]  # of the files of an upload
    options: dict[str, Any] = field(default_factory=dict)
    system: dict[str, bytes] | None = None  # an upload to begin with; None for the gold itself


_LENIENT = {"unknown_ids": "ignore", "missing": "wrong", "unknown_labels": "wrong"}
_SENTENCES = b"El asma afecta las v\xc3\xadas.\nOtra frase.\n"
_EHEALTH = {
    "input_scenario1.txt": _SENTENCES,
    "output_a_scenario1.txt": b"1\t3 7\tConcept\tasma\n2\t8 14\tAction\tafecta\n3\t19 23;15 18\tConcept\tlas vias\n",
    "output_b_scenario1.txt": b"subject\t2\t1\ntarget\t2\t3\n",
}
_EHEALTH_PAIR = {
    "scenario.txt": _SENTENCES,
    "scenario.ann": (
        b"T1\tConcept 3 7\tasma\nT2\tAction 8 14\tafecta\nT3\tConcept 15 18;19 23\tx\nE1\tAction:T2 Arg:T1\n"
        b"R1\ttarget Arg1:T2 Arg2:T3\n*\tsame-as T1 T3\n"
    ),
}
_MAT = (
    b'{"signal":"Mirelle left Gorloin.","asets":[{"type":"lex","annots":[[0,7],[8,12],[13,20]]},'
    b'{"type":"PER","hasID":true,"attrs":[{"name":"a"}],"annots":[[0,7,"e1","x"]]},{"type":"LOC","annots":[[13,20]]}]}'
)
_MAT_OPTIONS = {"content_annotations": "PER,LOC"}
_SPANS_TABLE = b"filename\tlabel\tstart_span\tend_span\ttext\nd\tPER\t0\t7\tMirelle\nd\tLOC\t13\t20\tGorloin\n"
_SPANS_JSON = b'{"filename":"d.txt","label":"LOC","start_span":13,"end_span":"20"}\n{"filename":"d","label":null}\n'
_XML = b"<d><PER a='1'>Mirelle</PER> left <LOC>Gorloin</LOC>.</d>"
_CONLL = b"#begin document (d); part 000\nd 0 0 Ann NN (0)\nd 0 1 and CC (1|(2\nd 0 2 Bo NN 2)|1)\n\n#end document\n"
_COREFUD = (
    b"# newdoc id = d\n# global.Entity = eid-etype\n1\tAnn\t_\tX\t_\t_\t0\troot\t_\tEntity=(e1-p)\n"
    b"2\tand\t_\tX\t_\t_\t1\tx\t_\tEntity=(e2[1/2](e3\n2.1\t_\t_\tX\t_\t_\t_\t_\t_\tEntity=e2[1/2])\n"
    b"3\tBo\t_\tX\t_\t_\t1\tx\t_\tEntity=(e2[2/2]e2[2/2])e3)\n"
)
_ZEROS = (
    b"# newdoc id = d\n# global.Entity = GRP-head\n1\tAnn\t_\tX\t_\t_\t0\troot\t_\tEntity=(1-2\n"
    b"1.1\t_\t_\tX\t_\t_\t_\t_\t1:obj|0:x\tEntity=(2-1)1)\n2\tran\t_\tX\t_\t_\t1\tx\t_\tEntity=(2-1)\n"
)
_CLUSTERS = b'{"type":"clusters","clusters":{"0":["m1","m2",3],"1":["m4",1.5]}}'
_GRAPH = b'{"type":"graph","mentions":["m1"],"links":[["m2","m4"],["m4",3]]}'
_JSONL = (
    b'{"id":"a","words":["Ann","ran","."],"spaces":[true,false,false],"tags":["N","V","."],'
    b'"morphs":["A=1|B=2",null,"_"],'
    b'"heads":[1,1,1],"deps":["s","ROOT","p"],"ents":[[0,1,"PER","Q1"]],"spans":{"sc":[[0,2,"X"]]},"cats":{"P":1,"N":0}}\n'
    b'{"id":2,"words":["Bo"],"sent_starts":[true],"ents":[],'
    b'"ents_missing":[[0,1]],"cats":{"P":0,"N":1},"spans":{"sc":[]}}\n'
)
_OFFSETS = (
    b'{"id":"a","text":"Ann ran.","ents":[[0,3,"PER"]],"cats":{"P":0.5}}\n'
    b'{"id":2,"ents":[{"start":0,"end":2,"label":"X"}]}\n'
)
_TO_JSON = (
    b'{"id":"a","text":"Ann ran.","tokens":[{"id":0,"start":0,"end":3,"tag":"N","head":1,"dep":"s"},'
    b'{"start":4,"end":7},{"start":7,"end":8}],"sents":[{"start":0,"end":8}],"ents":[{"start":0,"end":3,"label":"PER"}]}\n'
    b'{"id":2,"words":["Bo"]}\n'
)
_CONLLU = (
    b"# newdoc id = d\n# sent_id = s1\n1\tAnn\tann\tX\tN\tA=1\t2\tnsubj\t_\tEntity=B-PER|SpaceAfter=No\n"
    b"2\tran\trun\tV\tV\t_\t0\troot\t_\t_\n3-4\tx\t_\t_\t_\t_\t_\t_\t_\t_\n3\tto\t_\tX\t_\t_\t2\tx\t_\tEntity=I-PER\n\n"
)
_TREEBANK = (
    b"1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tX\t_\tCase=Nom\t3\tcase\t_\t_\n2\tle\t_\tX\t_\t_\t3\tdet:x\t_\t_\n"
    b"3\tp q\tp\tX\tY\tA=1\t0\troot\t_\t_\n3.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tdu\tdu\tX\t_\t_\t0\troot\t_\t_\n\n"
)
_COLUMNS = b"-DOCSTART- O\n\nAnn B-PER\nLee I-PER\nran O\n\nBo S-LOC\n"
_QAC = (
    b"QAC1-1-01\t1\tMie\t991\nQAC1-1-01\t2\tTsu\t992\nQAC1-1-02\t?\tWhere?\nQAC1-1-02\t1\tthe coast\t993\nQAC1-2-01\n"
)
_RUN = b'QAC1-1-01: "Mie", 991, "the \\"elder\\"", 992\nQAC1-1-02, "Tsu", 5,\n# no\nQAC1-2-01\n'
_SQUAD = (
    b'{"version": "v2.0", "data": [{"title": "T", "paragraphs": [{"context": "Tsu lies on the bay.", "qas": ['
    b'{"id": "a", "question": "Where?", "answers": [{"text": "the bay"}, {"text": "bay"}]},'
    b' {"id": "b", "answers": []}]}]}]}'
)
_QRELS = b"q1 0 a 1\nq1 0 b 0\nq1 0 d -1\nq2 0 c 2\n"
_RANKED = b"# run\nq1 Q0 a 1 1.5 x\nq1 Q0 b 2 1.5 x\nq1 Q0 e 3 -1e3 x\n\nq9 Q0 a 1 5. x\n"
_TRANSCRIPTS = b"u1\tMind the gap, please\tanna\nu2\tyes\tbob\n"
_TRANSCRIPT_OPTIONS = {"gold_format": "tsv", "case": "lower", "map": {"uh": "", "gonna": "going to"}}
_M2 = (
    b"S This are it .\nA 1 2|||R:VERB|||is|||REQUIRED|||-NONE-|||0\nA 3 3|||M:PUNCT|||now||here|||_|||_|||0\n\n"
    b"S Yes .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
)
_BIOASQ = (
    b'{"questions": [{"id": "a", "type": "factoid", "body": "Who?", "exact_answer": [["Ann", "A."], ["Bo"]]}, '
    b'{"id": "b", "type": "list", "exact_answer": [["x"], "y"]}, {"id": "c", "type": "yesno", "exact_answer": "no"}]}'
)
_SNIPPETS = (
    b'{"questions": [{"id": "a", "body": "Who?", "snippets": [{"document": "x/7", "beginSection": "sections.0", '
    b'"endSection": "sections.0", "offsetInBeginSection": 3, "offsetInEndSection": 40}]}, {"id": "b"}]}'
)
_QUADRUPLES = (
    b'{"id":"d","t":[{"c":"POS","a":"food","o":"very good","va":"7.5#6"},'
    b'{"c":"NEG","a":null,"o":"slow","va":"3#1e0"}]}\n'
    b'{"id":2,"t":[]}\n'
)
_QUADRUPLE_OPTIONS = {
    **{"columns": "id,t[].c", "fields": "t[].a,t[].o", "field_order": "any", "case": "ignore"},
    **{"values": "t[].va#1,t[].va#2", "value_range": "1,9"},
}
_PAIRS = b"id\tlabel\tstart\tend\ta\tb\nd\tANGER\t0\t7\tMirelle\tleft\nd\tJOY\t13\t20\tGorloin\t\n"
_REFERENCES = (
    b'{"id":"s1","refs":["The old mill, 3.5 km.","The mill."],"document":"d"}\n'
    b'{"id":2,"ref":"It\\u2028is a\\nhouse","document":"d"}\n'
)
_TEXTS = {
    "run.txt": b"The mill.\nA house\r\n",
    "run.jsonl": b'{"id":"2","text":"a\\nhouse"}\n{"id":"s1","text":"The old mill"}\n',
    "run.tsv": b"text\tid\nThe mill\ts1\n\t2\n",
}

TARGETS = [
    *(
        Target(
            "ehealthkd",
            {name.replace("1.", f"{k}."): content for name, content in _EHEALTH.items()},
            tuple(name.replace("1.", f"{k}.") for name in _EHEALTH),
            {"scenario": k, "details": True},
        )
        for k in (1, 2, 3)
    ),
    Target("mat", {"d.json": _MAT}, ("d.json",), _MAT_OPTIONS),
    Target(
        "mat",
        {"d.json": _MAT},
        ("d.json",),
        _MAT_OPTIONS | {"pairing": "2.x", "tokens": "system", "offset_unit": "utf16"},
    ),
    Target(
        "mat",
        {"d.json": _MAT},
        ("d.json", "e.json"),
        {"content_annotations": "PER", "extra_documents": "ignore", "tokens": "equal"},
    ),
    *(
        Target(
            "mat",
            {"d.json": _MAT},
            ("d.json",),
            _MAT_OPTIONS | {"system_format": "xml-inline"} | more,
            {"d.json": _XML},
        )
        for more in ({}, {"system_xml_overlay": True}, {"system_xml_translate_all": True})
    ),
    Target(
        "mat",
        {"d.json": _MAT},
        ("d.json",),
        _MAT_OPTIONS | {"system_format": "raw"},
        {"d.json": b"Mirelle left Gorloin."},
    ),
    *(
        Target(
            "mat",
            {"d.ann": b"T1\tPER 0 7\tMirelle\nT2\tLOC 13 20\tGorloin\n", "d.txt": b"Mirelle left Gorloin."},
            ("d.ann", "d.txt"),
            _MAT_OPTIONS
            | {"gold_format": "brat", "system_format": "brat", "offset_unit": unit, "discontinuous": parts},
        )
        for unit, parts in (("code_points", "outer"), ("utf16", "parts"))
    ),
    *(
        Target("coreference", {"d.json": _CLUSTERS}, ("d.json",), {"protocol": protocol}, {"d.json": system})
        for protocol, system in (("reference", _CLUSTERS), ("scorch", _GRAPH), ("scorch-functions", _GRAPH))
    ),
    Target("coreference", {"d.conll": _CONLL}, ("d.conll",), {"format": "conll"}),
    Target(
        "coreference",
        {"d.conll": _CONLL},
        ("d.conll",),
        {"repeated": "refuse", "singletons": "remove", "missing": "empty"},
    ),
    Target("coreference", {"d.conllu": _COREFUD}, ("d.conllu",), {"format": "corefud"}),
    *(
        Target("spacy", {"d.jsonl": _JSONL}, ("d.jsonl",), {"tokens": tokens}, {"d.jsonl": system})
        for tokens, system in (("any", _JSONL), ("gold", _JSONL), ("any", _OFFSETS), ("any", _TO_JSON))
    ),
    Target("spacy", {"d.conllu": _CONLLU}, ("d.conllu",), {"format": "conllu"}),
    Target("spacy", {"d.txt": _COLUMNS}, ("d.txt",), {"format": "columns", "invalid_tags": "refuse"}),
    *(
        Target(
            "qac",
            {"gold.tsv": _QAC},
            ("run.txt",),
            {"task": task, "squad": "en", "encoding": encoding},
            {"run.txt": _RUN},
        )
        for task, encoding in ((1, "utf-8"), (2, "euc-jp"), (3, "shift_jis"))
    ),
    *(
        Target("ranking", {"qrels.txt": _QRELS}, ("run.txt",), options, {"run.txt": system})
        for options, system in (
            ({"depth": 2, "over_depth": "cut", "precision": "single"}, _RANKED),
            ({"order": "rank", "unknown": "refuse"}, b"qid\tdocid\trank\nq1\ta\t2\nq1\tb c\t1\nq2\tc\t1\n"),
            ({"judged_only": True, "missing": "skip"}, b'{"q1": {"a": 1.5, "b": -2e3}, "q2": {"c": 1}, "q9": {}}'),
        )
    ),
    *(
        Target("given", {"units.csv": b"unit,weight\nu1,1\nu2,2\n"}, (name,), options, {name: content})
        for name, options, content in (
            ("run.csv", {"run": "A", "repeated": "mean"}, b"run,unit,score\nA,u1,.5\nB,u1,2\nA,u2,1e-1\n"),
            ("run.jsonl", {"missing": 0, "unknown_ids": "ignore", "range": "0..1"}, b'{"unit": "u1", "score": 0.5}\n'),
            ("run.txt", {}, b"0.5\n1\n"),
        )
    ),
    *(
        Target("transcripts", {"gold.tsv": _TRANSCRIPTS}, (name,), _TRANSCRIPT_OPTIONS | options, {name: system})
        for name, system, options in (
            ("run.tsv", b"u1\tmind gap please\nu2\t\n", {"unicode": "nfkc"}),
            ("text", b"u1 mind gap please\nu2\n", {"missing": "delete", "unit": "speaker"}),
            ("run.trn", b"mind gap please (U1)\n(u2)\n", {"punctuation": "space"}),
            ("run.jsonl", b'{"id":"u1","text":"mind gap\\nplease"}\n{"id":"u2","text":""}\n', {"cer_spaces": "ignore"}),
            ("run.txt", b"mind gap please\n\n", {"headline": "cer"}),
        )
    ),
    *(
        Target(
            "text",
            {"gold.jsonl": _REFERENCES},
            (name,),
            {"metrics": "bleu,chrf,chrf_pp,rouge,exact" + (",ter" if name == "run.txt" else "")},
            {name: content},
        )
        for name, content in _TEXTS.items()
    ),
    *(
        Target(
            "numbers",
            {"gold.csv": b"id,value,sd,domain\na,1,.5,x\nb,0,1,y\nc,1,0,x\n"},
            (name,),
            options,
            {name: content},
        )
        for name, options, content in (
            ("run.csv", {"tolerance_column": "sd", "slices": "domain"}, b"id,value\na,.5\nb,2\nc,1e-1\n"),
            ("run.jsonl", {"kind": "binary", "missing": 0, "unknown_ids": "ignore"}, b'{"id": "a", "value": 0.5}\n'),
            ("run.txt", {"group": "domain", "constant": "zero"}, b"0.5\n1\n-3\n"),
        )
    ),
    *(
        Target("labels", {"gold.csv": b"id,label\na,A\nb,B\nc,A\n"}, (name,), _LENIENT | options, {name: content})
        for name, options, content in (
            ("run.csv", {"task": "ranked"}, b'id,label\na,A;B\n"b","[""A"", 1]"\nc,\n'),
            ("run.tsv", {"task": "multi", "labels": "A,B"}, b"id\tlabel\na\tA;B\nb\t\n"),
            ("run.jsonl", {"probabilities": "p"}, b'{"id": "a", "label": "A", "pA": 0.5, "pB": 5e-1}\n'),
            ("run.txt", {"ordinal": True}, b"A\nB\n\n"),
        )
    ),
    *(
        Target("coreference", {"d.conllu": _ZEROS}, ("d.conllu",), {"match": match, "zeros": "dependent"})
        for match in ("partial", "head")
    ),
    Target(
        "mat",
        {
            "d.ann": b"T1\tPER 0 7\tMirelle\nT2\tGo 8 12\tleft\nT3\tLOC 13 15;16 20\tGo loin\nE1\tGo:T2 By:T1 To:T3\n"
            b"R1\tAt Arg1:T1 Arg2:T3\nA1\tNot E1\nM2\tSure R1 yes\n",
            "d.txt": b"Mirelle left\nGorloin.",
        },
        ("d.ann", "d.txt"),
        {
            "content_annotations": "PER,LOC,Go,At,Not,Sure",
            "gold_format": "brat",
            "system_format": "brat",
            "discontinuous": "parts",
            "structures": "count",
        },
    ),
    Target(
        "qac",
        {"gold.json": _SQUAD},
        ("p.json", "na.json"),
        {"format": "squad"},
        {"p.json": b'{"a": "the bay", "b": ""}', "na.json": b'{"a": 0.25, "b": 1}'},
    ),
    Target(
        "qac",
        {"gold.txt": b"66.1 Tsu( City)?\tNYT19990326.0303\n66.2 NIL\n"},
        ("run.txt",),
        {"format": "trec", "ranks": 20, "article": "require", "squad": "en"},
        {
            "run.txt": b"66.1 A NYT19990326.0303 Tsu City\n66.1 A NIL\n"
            b"66.2 Q0 NIL 2 .5 A\n66.2 Q0 D1 1 .5 A \xe6\xb4\xa5\n"
        },
    ),
    *(
        Target("ehealthkd", _EHEALTH_PAIR, tuple(_EHEALTH_PAIR), {"rules": year, "sentences": pairing, "details": True})
        for year, pairing in (("2020", "checked"), ("2021", "official"))
    ),
    Target("ehealthkd", _EHEALTH, tuple(_EHEALTH), {"rules": "documented", "details": True}),
    *(
        Target("labels", {"gold.csv": b"id,label\na,A\nb,B\nc,A\n"}, (name,), _LENIENT | options, {name: content})
        for name, options, content in (
            ("run.csv", {"rows": "lang=en"}, b'id,lang,label\na,en,A\na,de,B\n"b",en,"A"\n"c\n",de,A\nc,EN,B\n'),
            ("run.jsonl", {"rows": "lang=en"}, b'{"id":"a","label":"A","lang":"en"}\n{"id":"a","lang":3}\n'),
            ("en/run.csv", {"folder": "en"}, b"id,label\na,A\nb,B\nc,A\n"),
        )
    ),
    Target("spacy", {"d.conllu": _TREEBANK}, ("d.conllu",), {"scores": [{"name": "ud"}]}),
    Target(
        "spacy",
        {"d.conll": b"Ann PER-B\nLee PER-I\nran O\n"},
        ("d.conll",),
        {"scores": [{"name": "seqeval", "scheme": "IOB2"}], "tag_form": "suffix"},
    ),
    *(
        Target(
            "mat",
            {"spans.tsv": _SPANS_TABLE, "d.txt": b"Mirelle left Gorloin."},
            (name,),
            _MAT_OPTIONS | {"gold_format": "table", "system_format": "table"},
            {name: content},
        )
        for name, content in (("run.tsv", _SPANS_TABLE), ("run.jsonl", _SPANS_JSON))
    ),
    *(
        Target("edits", {"run.m2": _M2}, ("run.m2",), {"level": level, "only": only})
        for level, only in (("classification", "all"), ("tokens", "multi"))
    ),
    *(Target("qac", {"run.json": _BIOASQ}, ("run.json",), {"format": "bioasq", "task": task}) for task in (1, 2)),
    Target("ranking", {"run.json": _SNIPPETS}, ("run.json",), {"items": "snippets", "depth": 3}),
    Target("edits", {"run.m2": _M2}, ("run.txt",), {"protocol": "m2scorer"}, {"run.txt": b"This is it .\nYes .\n"}),
    *(
        Target("mat", {name: content}, (name,), {"gold_format": "table", "system_format": "table"} | options)
        for name, content, options in (
            ("run.jsonl", _QUADRUPLES, _QUADRUPLE_OPTIONS),
            ("run.tsv", _PAIRS, {"columns": "id,label,start,end", "fields": "a,b", "overlap": True}),
        )
    ),
    *(
        Target("labels", {"gold.jsonl": gold}, ("run.jsonl",), _LENIENT | options, {"run.jsonl": system})
        for gold, system, options in (
            (
                b'{"id":"a","label":{"A":0.75,"B":{"0":0.5,"1":0.5}}}\n{"id":"b","label":[["A","B"],["A"],[]]}\n',
                b'{"id":"a","label":{"A":1,"B":0.25}}\n{"id":"b","label":{"A":1e-1}}\n',
                {"task": "multi", "shares": True},
            ),
            (b'{"id":"a","label":["A","A","B"]}\n', b'{"id":"a","label":{"A":0.5,"B":0.5}}\n', {"task": "soft"}),
        )
    ),
]


def seeds() -> dict[str, bytes]:
    """{name: input} of an upload in order for each target and each way to upload."""
    found = {}
    for number, target in enumerate(TARGETS):
        files = target.system or target.gold
        content = NEXT_FILE.join(files.get(name, b"") for name in target.names)
        for way, _ in enumerate(WAYS):
            body = _archive(target, content) if way == len(WAYS) - 1 else content
            found[f"{target.family}-{number:02}-{way}"] = bytes([number, way]) + body
    return found


class Uploads:
    """Runs inputs; the golds are written once."""

    def __init__(self) -> None:
        # In memory where that is possible: the disk would be what is measured.
        memory = Path("/dev/shm")
        self._folder = tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None)
        self.golds = []
        for number, target in enumerate(TARGETS):
            self.golds.append(Path(self._folder.name) / f"gold{number}")
            self.golds[-1].mkdir()
            for name, content in target.gold.items():
                (self.golds[-1] / name).write_bytes(content)

    def run(self, data: bytes) -> None:
        """Checks and scores an upload. Whatever is raised beside the engine's own errors is a defect, and so is an
        upload that is refused only when it is scored."""
        if len(data) < 2:
            return
        number, way = data[0] % len(TARGETS), data[1] % len(WAYS)
        target, gold = TARGETS[number], self.golds[number]
        with tempfile.TemporaryDirectory(dir=self._folder.name) as folder:
            system = WAYS[way](Path(folder), target, data[2:])
            try:
                problems = scoring.check(target.family, gold=gold, system=system, options=target.options)
            except scoring.ScoringError:
                return
            try:
                scored = scoring.evaluate(target.family, gold=gold, system=system, options=target.options)
                scored.as_dict()
                is_scored = True
            except scoring.SubmissionError:
                is_scored = False
            assert is_scored == (not problems), f"scored: {is_scored}, but check says: {problems[:1]}"


def _contents(target: Target, data: bytes) -> dict[str, bytes]:
    return dict(zip(target.names, data.split(NEXT_FILE), strict=False))


def _as_file(folder: Path, target: Target, data: bytes) -> Path:
    path = folder / target.names[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def _as_folder(folder: Path, target: Target, data: bytes) -> Path:
    for name, content in _contents(target, data).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def _archive(target: Target, data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _contents(target, data).items():
            archive.writestr(zipfile.ZipInfo(f"run/{name}"), content)
    return packed.getvalue()


def _as_zip(folder: Path, target: Target, data: bytes) -> Path:
    path = folder / "run.zip"
    path.write_bytes(_archive(target, data))
    return path


def _as_bytes_of_a_zip(folder: Path, target: Target, data: bytes) -> Path:
    path = folder / "run.zip"
    path.write_bytes(data)
    return path


WAYS: list[Callable[[Path, Target, bytes], Path]] = [_as_file, _as_folder, _as_zip, _as_bytes_of_a_zip]
