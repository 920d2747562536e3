"""Measures the engine against the program or library that others would use for the same scores, and for resamples.

    python benchmarks/engine.py                     every entry, of a small, a usual and a large size
    python benchmarks/engine.py --only text,labels  those with one of these words in their names
    python benchmarks/engine.py --tiny              whether all of it runs, in seconds; limits count for nothing

A row of the table is a family (or what is asked of it), a peer and a size. Both sides read the same made-up files, in
processes of their own that take turns, after a small input that loads what they need; the least processor time of
several runs counts, as others on the machine only add. The ratio is our time through the peer's; "started" is that of
whole processes, loading included, which decides on small files; "memory" is the ratio of what both held at most, with
the megabytes of each. Where both give the same score, it has to be the same number. A peer that is not installed is
named and left out. Exit status 1 if a ratio of the usual or the large size is above its limit.
"""

import argparse
import csv
import importlib.util
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field
from io import StringIO
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from inputs import INPUTS, LABELS

import scoring

Scores = Mapping[str, float]
Work = Callable[[Path, Path], Scores]  # of the paths of gold and run

_SMALLER = 10  # times smaller than the usual size is the small one
TINY, SMALL = 40, 8  # units of a tiny size; of what is scored before the clock runs
BYTECODE = TemporaryDirectory(prefix="bytecode-")
N_SYSTEMS = 10  # that are compared with a baseline
_ITEMS = [{"name": "tokenization"}, {"name": "tagger"}, {"name": "ner"}, {"name": "deps"}, {"name": "cats"}]


@dataclass(frozen=True)
class Cost:
    seconds: float  # of processor time, of the work alone
    started: float  # of the whole process but for the making of files; 0 where it did other work before
    mebibytes: float  # at most, of the process
    scores: Scores


@dataclass(frozen=True)
class Entry:
    """A measurement: `theirs` gives the same scores as `scoring.evaluate`, as far as it names them."""

    name: str
    family: str
    peer: str
    theirs: Work
    sizes: tuple[int, int]
    module: str = ""  # of the peer, "" for what is part of this project
    options: Mapping[str, object] = field(default_factory=dict)
    n_resamples: int = 0
    ours: Callable[["Entry", Path, Path], Scores] | None = None  # where it is not `scoring.evaluate`
    made: str = ""  # the function of `inputs`, where it is not the family's
    limit: float = 1.0

    @property
    def is_installed(self) -> bool:
        return not self.module or importlib.util.find_spec(self.module) is not None

    def work(self, side: str) -> Work:
        if side == "theirs":
            return self.theirs
        return lambda gold, run: (self.ours or evaluate)(self, gold, run)

    def write(self, folder: Path, size: int) -> tuple[Path, Path]:
        return INPUTS[self.made or self.family](folder, size)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="parts of names, with commas between them")
    parser.add_argument("--runs", type=int, default=3, help="of each process; the least counts")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--alone", nargs=3, metavar=("NAME", "SIDE", "SIZE"), help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.alone:
        name, side, size = given.alone
        entry = next(entry for entry in ENTRIES if entry.name == name)
        print(json.dumps(asdict(cost_here(entry, side, int(size), is_alone=True))))
        return 0
    chosen = [entry for entry in ENTRIES if any(part in entry.name for part in given.only.split(","))]
    heading = f"{'what':<26}{'peer':<24}{'size':>9}{'ours s':>9}{'peer s':>9}{'ratio':>8}{'limit':>7}"
    print(f"{heading}{'started':>9}{'memory':>8}{'MB':>11}")
    missed = False
    for entry in chosen:
        if not entry.is_installed:
            print(f"{entry.name:<26}{entry.peer:<24} is not installed")
            continue
        for size in (TINY,) if given.tiny else (entry.sizes[0] // _SMALLER, *entry.sizes):
            ratio = print_row(entry, size, 1 if given.tiny else given.runs)
            missed |= ratio > entry.limit and size in entry.sizes
    return int(missed and not given.tiny)


def print_row(entry: Entry, size: int, n_runs: int) -> float:
    costs: dict[str, list[Cost]] = {"ours": [], "theirs": []}
    for _ in range(n_runs):
        for side, own in costs.items():
            own.append(cost(entry, side, size))
    ours, theirs = (min(own, key=lambda each: each.seconds) for own in costs.values())
    require_equal(entry, ours.scores, theirs.scores)
    ratio, memory = ours.seconds / theirs.seconds, ours.mebibytes / theirs.mebibytes
    started = [min(one.started for one in own) for own in costs.values()]
    row = f"{entry.name:<26}{entry.peer:<24}{size:>9,}{ours.seconds:>9.3f}{theirs.seconds:>9.3f}"
    with_start = f"{started[0] / started[1]:>9.2f}" if all(started) else f"{'':>9}"
    both = f"{ours.mebibytes:.0f}/{theirs.mebibytes:.0f}"
    verdict = "   MISSED" if ratio > entry.limit and size in entry.sizes else ""
    print(f"{row}{ratio:>8.2f}{entry.limit:>7.2f}{with_start}{memory:>8.2f}{both:>11}{verdict}", flush=True)
    return ratio


def cost(entry: Entry, side: str, size: int) -> Cost:
    """Return what one side costs a process of its own; a tiny size counts for nothing, and takes none."""
    if size == TINY:
        return cost_here(entry, side, size)
    command = [sys.executable, __file__, "--alone", entry.name, side, str(size)]
    # One thread of linear algebra, as workers and the command line have: threads that wait count as processor time.
    # Bytecode is written by the first run of each side, as where both are installed.
    environ = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPYCACHEPREFIX": BYTECODE.name}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environ)
    if done.returncode:
        raise SystemExit(f"{entry.name}, {side}: {done.stderr}")
    return Cost(**json.loads(done.stdout.splitlines()[-1]))


def cost_here(entry: Entry, side: str, size: int, *, is_alone: bool = False) -> Cost:
    """Do the work of one side once; `is_alone` says that the process does nothing else."""
    warnings.simplefilter("ignore")  # what peers have to say to each other
    with TemporaryDirectory() as folder:
        work = entry.work(side)
        before = time.process_time()
        small, sides = entry.write(Path(folder, "small"), SMALL), entry.write(Path(folder, "whole"), size)
        written = time.process_time()
        work(*small)
        began = time.process_time()
        scores = work(*sides)
        ended = time.process_time()
        seconds, started = ended - began, ended - (written - before) if is_alone else 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return Cost(seconds, started, peak, dict(scores))


def require_equal(entry: Entry, ours: Scores, theirs: Scores) -> None:
    for name, value in theirs.items():
        if abs(value - ours[name]) > 1e-9 * max(1.0, abs(value)):
            raise SystemExit(f"{entry.name}: {name} is {ours[name]} and with {entry.peer} {value}")


# Our side


def evaluate(entry: Entry, gold: Path, run: Path) -> Scores:
    options = dict(entry.options)
    result = scoring.evaluate(entry.family, gold=gold, system=run, options=options, n_resamples=entry.n_resamples)
    return {name: value for name, value in result.scores.items() if value is not None}


def describe(entry: Entry, gold: Path, run: Path) -> Scores:
    scoring.describe(entry.family, gold=gold, system=run, options=dict(entry.options))
    return {}


def compare(entry: Entry, gold: Path, run: Path) -> Scores:
    """Compare a baseline with systems that are made from it; the score of the last one."""
    results = {}
    for number, lines in enumerate(systems(gold, run)):
        path = run.with_name(f"{number}.txt")
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        options, n = dict(entry.options), entry.n_resamples
        results[str(number)] = scoring.evaluate("text", gold=gold, system=path, options=options, n_resamples=n)
    scoring.compare(results, n_resamples=entry.n_resamples, references=["0"])
    return {"bleu": float(results[str(N_SYSTEMS)].scores["bleu"] or 0)}


def systems(gold: Path, run: Path) -> list[list[str]]:
    """Return the run, then others that have more and more of its lines right."""
    right, own = lines_of(gold), lines_of(run)
    return [[*right[: len(right) * number // 40], *own[len(right) * number // 40 :]] for number in range(N_SYSTEMS + 1)]


# The peers' side. Each may be missing, so that it is loaded where it is used.


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def columns_of(gold: Path, run: Path) -> tuple[list[str], list[str]]:
    """Return the values of both tables, in the order of the gold's rows."""
    with open(gold, encoding="utf-8") as own, open(run, encoding="utf-8") as other:
        values = dict(list(csv.reader(other))[1:])
        rows = list(csv.reader(own))[1:]
    return [value for _, value in rows], [values[name] for name, _ in rows]


def plain_ehealthkd(gold: Path, run: Path) -> Scores:
    from tests.scoring.plain import ehealthkd as plain

    counts = plain.score(plain.read_contents(gold, 1, "input"), plain.read_contents(run, 1, "output"), 1)
    return plain.metrics(counts, 1)


def plain_mat(gold: Path, run: Path) -> Scores:
    from tests.scoring.plain import mat as plain

    return plain.evaluate(plain.read(gold, run, set(LABELS)))["scores"]


def nervaluate(gold: Path, run: Path) -> Scores:
    """Spans of documents, by its four ways to look at them."""
    from nervaluate.evaluator import Evaluator

    names = sorted(path.name for path in gold.iterdir())
    sides = [[_spans_of(folder / name) for name in names] for folder in (gold, run)]
    overall = Evaluator(*sides, tags=list(LABELS), loader="dict").evaluate()["overall"]
    names_of = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
    return {f"{ours}_f1": overall[theirs].f1 for ours, theirs in names_of.items()}


def _spans_of(path: Path) -> list[dict[str, Any]]:
    sets = json.loads(path.read_bytes())["asets"]
    spans = [(*row, own["type"]) for own in sets if own["type"] in LABELS for row in own["annots"]]
    return [{"label": label, "start": start, "end": end} for start, end, label in sorted(spans)]


def sklearn_relations(gold: Path, run: Path) -> Scores:
    """Types of pairs as a matrix of 0 and 1, as DrugProt's library gives them to scikit-learn."""
    from sklearn.metrics import f1_score, precision_recall_fscore_support
    from sklearn.preprocessing import MultiLabelBinarizer

    sides = []
    for path in (gold, run):
        types: dict[tuple[str, ...], list[str]] = {}
        for document, label, *pair in list(csv.reader(lines_of(path), delimiter="\t"))[1:]:
            types.setdefault((document, *pair), []).append(label)
        sides.append(types)
    pairs = sorted(sides[0].keys() | sides[1].keys())
    matrix = MultiLabelBinarizer(classes=LABELS)
    right, own = (matrix.fit_transform([types.get(pair, ()) for pair in pairs]) for types in sides)
    precision_recall_fscore_support(right, own, zero_division=0)
    return {"f1": f1_score(right, own, average="micro"), "weighted_f1": f1_score(right, own, average="weighted")}


def plain_qac(gold: Path, run: Path) -> Scores:
    from tests.scoring.plain import qac as plain

    scores = plain.evaluate(gold.read_bytes(), run.read_bytes())["scores"]
    return {name: value for name, value in scores.items() if value is not None}


def scorch(gold: Path, run: Path) -> Scores:
    from scorch.main import process_dirs

    printed = "".join(process_dirs(gold, run))
    return {"conll_f1": float(printed.splitlines()[-1].rpartition(" ")[2])}


def spacy_scorer(gold: Path, run: Path) -> Scores:
    """Documents made from JSON Lines, and all scores by spaCy's Scorer."""
    from spacy.scorer import Scorer, get_ner_prf
    from spacy.training import Example
    from spacy.vocab import Vocab

    vocab = Vocab()
    pairs = zip(lines_of(gold), lines_of(run), strict=True)
    examples = [Example(_doc(vocab, json.loads(own)), _doc(vocab, json.loads(other))) for other, own in pairs]
    labels = sorted({label for example in examples for label in example.reference.cats})
    scores = {
        **Scorer.score_tokenization(examples),
        **Scorer.score_token_attr(examples, "tag"),
        **Scorer.score_deps(examples, "dep", getter=lambda token, attr: token.dep_),
        **get_ner_prf(examples),
        **Scorer.score_cats(examples, "cats", labels=labels, multi_label=True),
    }
    return {name: scores[name] for name in ("token_f", "tag_acc", "dep_las", "ents_f", "cats_macro_auc")}


def _doc(vocab: Any, sentence: dict[str, Any]) -> Any:
    from spacy.tokens import Doc, Span

    doc = Doc(vocab, **{key: sentence[key] for key in ("words", "spaces", "tags", "heads", "deps")})
    doc.set_ents([Span(doc, start, end, label=label) for start, end, label in sentence["ents"]])
    doc.cats = sentence["cats"]
    return doc


def sklearn_labels(gold: Path, run: Path) -> Scores:
    from sklearn import metrics

    right, own = columns_of(gold, run)
    metrics.classification_report(right, own)
    metrics.confusion_matrix(right, own)
    return {
        "mcc": metrics.matthews_corrcoef(right, own),
        "kappa": metrics.cohen_kappa_score(right, own),
        "balanced_accuracy": metrics.balanced_accuracy_score(right, own),
    }


def scipy_interval(gold: Path, run: Path) -> Scores:
    """Return the interval of one score, of as many resamples as ours take for all."""
    import numpy as np
    from scipy.stats import bootstrap

    right, own = columns_of(gold, run)
    hits = np.array([one == other for one, other in zip(right, own, strict=True)], dtype=float)
    bootstrap((hits,), np.mean, n_resamples=10_000, batch=500, method="percentile", vectorized=True)
    return {"accuracy": float(hits.mean())}


def scipy_loop(gold: Path, run: Path) -> Scores:
    """Correlations of expanded resamples, one after the other."""
    import numpy as np
    from scipy.stats import kendalltau, spearmanr

    right, own = (np.array(column, dtype=float) for column in columns_of(gold, run))
    rng = np.random.default_rng(0)
    for _ in range(1000):
        rows = rng.integers(0, len(right), len(right))
        for score in (spearmanr, kendalltau):
            score(right[rows], own[rows])
    return {"spearman": float(spearmanr(right, own)[0]), "kendall": float(kendalltau(right, own)[0])}


def trec_files(gold: Path, run: Path) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    import pytrec_eval

    with open(gold, encoding="utf-8") as judged, open(run, encoding="utf-8") as ranked:
        return pytrec_eval.parse_qrel(judged), pytrec_eval.parse_run(ranked)


def trec_eval(gold: Path, run: Path) -> Scores:
    import pytrec_eval

    qrels, documents = trec_files(gold, run)
    by_cutoff = [f"{name}.1,5,10,20,100,1000" for name in ("ndcg_cut", "map_cut", "P", "recall", "success")]
    measures = {"ndcg", "map", "recip_rank", "bpref", "Rprec", *by_cutoff}
    found = list(pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(documents).values())
    names = {"ndcg_10": "ndcg_cut_10", "map": "map", "mrr": "recip_rank", "p_10": "P_10", "bpref": "bpref"}
    return {own: fmean(values[name] for values in found) for own, name in names.items()}


def dcg_and_f1(gold: Path, run: Path) -> Scores:
    """Make DCG by scikit-learn, another number where scores tie, and F1@k of pytrec-eval's precision and recall."""
    import pytrec_eval
    from sklearn.metrics import dcg_score

    qrels, documents = trec_files(gold, run)
    grades = [[[qrels[query].get(name, 0) for name in own]] for query, own in documents.items()]
    for query, own in zip(documents, grades, strict=True):
        dcg_score(own, [[*documents[query].values()]])
    found = pytrec_eval.RelevanceEvaluator(qrels, {"P.10", "recall.10"}).evaluate(documents).values()
    both = [(values["P_10"], values["recall_10"]) for values in found]
    return {"f1_10": fmean(2 * p * r / (p + r) if p + r else 0.0 for p, r in both)}


def ranx_rbp(gold: Path, run: Path) -> Scores:
    """Return RBP of judgements made 0 and 1, as ranx adds grades."""
    from ranx import Qrels, Run
    from ranx import evaluate as by_ranx

    qrels, documents = trec_files(gold, run)
    binary = {query: {name: int(grade > 0) for name, grade in own.items()} for query, own in qrels.items()}
    return {"rbp": float(by_ranx(Qrels(binary), Run(documents), "rbp.80"))}


def jiwer(gold: Path, run: Path) -> Scores:
    import jiwer as peer

    right, own = lines_of(gold), lines_of(run)
    return {"wer": peer.process_words(right, own).wer, "cer": peer.process_characters(right, own).cer}


def sacrebleu(*names: str, n_resamples: int = 1) -> Work:
    def work(gold: Path, run: Path) -> Scores:
        from sacrebleu import BLEU, CHRF, TER

        made = {"bleu": BLEU, "chrf_pp": lambda: CHRF(word_order=2), "ter": TER}
        right, own = lines_of(gold), lines_of(run)
        return {name: made[name]().corpus_score(own, [right], n_bootstrap=n_resamples).score for name in names}

    return work


def rouge_score(gold: Path, run: Path) -> Scores:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"])
    pairs = zip(lines_of(gold), lines_of(run), strict=True)
    return {"rouge_l": fmean(scorer.score(*pair)["rougeL"].fmeasure for pair in pairs)}


def nltk_meteor(gold: Path, run: Path) -> Scores:
    from nltk.translate.meteor_score import meteor_score
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    words = Tokenizer13a()
    pairs = zip(lines_of(gold), lines_of(run), strict=True)
    split = ([words(text.lower()).split() for text in pair] for pair in pairs)
    return {"meteor": fmean(meteor_score([right], own, wordnet=NoSynonyms()) for right, own in split)}


def easse(gold: Path, run: Path) -> Scores:
    from easse.sari import corpus_sari

    sources, right = (lines_of(gold / name) for name in ("source.txt", "text.txt"))
    return {"sari": corpus_sari(sources, lines_of(run), [right])}


def gleu_program(gold: Path, run: Path) -> Scores:
    """Return GLEU by the functions of its authors' program, which itself rounds what it prints."""
    from gleu import GLEU

    scorer = GLEU()
    scorer.load_sources(gold / "source.txt")
    scorer.load_references([gold / "text.txt"])
    rows = []
    for number, line in enumerate(lines_of(run)):
        scorer.load_hypothesis_sentence(line.split())
        rows.append([*scorer.gleu_stats(number, r_ind=0)])
    return {"gleu": scorer.gleu([*map(sum, zip(*rows, strict=True))])}


class NoSynonyms:
    """WordNet, if it knew no word."""

    def synsets(self, *_: object) -> list[Any]:
        return []


def mt_metrics_eval(gold: Path, run: Path) -> Scores:
    from mt_metrics_eval.stats import Correlation

    sides = []
    for path in (gold, run):
        with open(path, encoding="utf-8", newline="") as file:
            rows = [(row["system"], float(row["value"])) for row in csv.DictReader(file)]
        sides.append([value for _, value in sorted(rows, key=lambda row: row[0])])
    of_systems = Correlation(10, *sides)
    return {
        "tie_calibrated_accuracy": of_systems.KendallWithTiesOpt("item", sample_rate=1.0)[0],
        "soft_pairwise_accuracy": of_systems.PairwiseConfidenceError("sys")[0],
    }


def pyevall(gold: Path, run: Path) -> Scores:
    from pyevall.evaluation import PyEvALLEvaluation
    from pyevall.utils.utils import PyEvALLUtils

    with redirect_stdout(StringIO()):
        embedded = {PyEvALLUtils.PARAM_REPORT: PyEvALLUtils.PARAM_OPTION_REPORT_EMBEDDED}
        report = PyEvALLEvaluation().evaluate(str(run), str(gold), ["ICMSoft", "ICMSoftNorm"], **embedded).report
    found = {name: own["results"]["average_per_test_case"] for name, own in report["metrics"].items()}
    return {"icm_soft": found["ICMSoft"], "icm_soft_norm": found["ICMSoftNorm"]}


def errant(gold: Path, run: Path) -> Scores:
    from errant.commands import compare_m2

    args = argparse.Namespace(
        beta=0.5, verbose=False, dt=False, ds=False, cse=False, single=False, multi=False, filt=[]
    )
    best, best_cats = {"tp": 0, "fp": 0, "fn": 0}, {}
    sides = (path.read_text(encoding="utf-8").strip().split("\n\n") for path in (run, gold))
    for number, pair in enumerate(zip(*sides, strict=True)):
        own, right = (compare_m2.process_edits(compare_m2.simplify_edits(side), args) for side in pair)
        counts, cats = compare_m2.evaluate_edits(own, right, best, number, "", args)
        best = {name: best[name] + counts[name] for name in best}
        best_cats = compare_m2.merge_dict(best_cats, cats)
    return {"fbeta": 1.25 / (1.25 + (best["fp"] + 0.25 * best["fn"]) / best["tp"])}


def paired_bootstrap(gold: Path, run: Path) -> Scores:
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    named = [(str(number), lines) for number, lines in enumerate(systems(gold, run))]
    test = PairedTest(named, {"BLEU": BLEU()}, [lines_of(gold)], test_type="bs", n_samples=1000)
    return {"bleu": test()[1]["BLEU"][-1].score}


def check(gold: Path, run: Path) -> Scores:
    scoring.check("ehealthkd", gold=gold, system=run, options={"scenario": 1})
    return {}


PLAIN, SACREBLEU = "plain Python", "sacreBLEU"
ENTRIES = (
    Entry("ehealthkd", "ehealthkd", PLAIN, plain_ehealthkd, (1000, 10_000), options={"scenario": 1}),
    Entry("mat", "mat", PLAIN, plain_mat, (50, 500), options={"content_annotations": ",".join(LABELS)}),
    Entry(
        *("mat: partial matches", "mat", "nervaluate", nervaluate, (50, 500), "nervaluate"),
        options={"content_annotations": ",".join(LABELS), "overlap": True},
    ),
    Entry(
        *("mat: relations", "mat", "scikit-learn", sklearn_relations, (500, 5000), "sklearn"),
        options={"gold_format": "table", "system_format": "table", "fields": "head,tail"},
        made="relations",
    ),
    Entry("qac", "qac", PLAIN, plain_qac, (2000, 20_000)),
    Entry("coreference", "coreference", "scorch", scorch, (50, 350), "scorch", {"protocol": "scorch"}),
    Entry("spacy", "spacy", "spaCy's Scorer", spacy_scorer, (1000, 10_000), "spacy", {"scores": _ITEMS}),
    Entry("labels", "labels", "scikit-learn", sklearn_labels, (10_000, 100_000), "sklearn"),
    Entry("labels, resampled", "labels", "SciPy, one score", scipy_interval, (1000, 5000), "scipy", n_resamples=10_000),
    Entry("numbers, resampled", "numbers", "SciPy, in a loop", scipy_loop, (300, 3000), "scipy", n_resamples=1000),
    Entry("ranking", "ranking", "pytrec-eval", trec_eval, (100, 1000), "pytrec_eval"),
    Entry(
        *("ranking: DCG, F1@k", "ranking", "scikit-learn, trec_eval", dcg_and_f1, (100, 1000), "sklearn"),
        options={"measures": "dcg,f1"},
    ),
    Entry("ranking: RBP", "ranking", "ranx", ranx_rbp, (100, 1000), "ranx", {"measures": "rbp"}),
    Entry("transcripts", "transcripts", "jiwer", jiwer, (1000, 10_000), "jiwer", made="text"),
    Entry(
        *("text: BLEU and chrF++", "text", SACREBLEU, sacrebleu("bleu", "chrf_pp"), (300, 3000), "sacrebleu"),
        options={"metrics": "bleu,chrf_pp"},
        limit=1.15,
    ),
    Entry("text: TER", "text", SACREBLEU, sacrebleu("ter"), (30, 300), "sacrebleu", {"metrics": "ter"}),
    Entry("text: ROUGE", "text", "rouge-score", rouge_score, (300, 3000), "rouge_score", {"metrics": "rouge"}),
    Entry("text: METEOR", "text", "NLTK", nltk_meteor, (1000, 5000), "nltk", {"metrics": "meteor"}),
    # These two come from GitHub: EASSE (feralvam/easse), and gleu.py (keisks/jfleg).
    Entry(
        *("text: SARI", "text", "EASSE", easse, (300, 3000), "easse"),
        options={"metrics": "sari"},
        made="rewritten",
    ),
    Entry(
        *("text: GLEU", "text", "the program of GLEU", gleu_program, (300, 3000), "gleu"),
        options={"metrics": "gleu"},
        made="rewritten",
    ),
    Entry(
        *("numbers of systems", "numbers", "mt-metrics-eval", mt_metrics_eval, (100, 1000), "mt_metrics_eval"),
        options={"id": "segment,system", "group": "segment", "systems": "system"},
        made="systems",
    ),
    Entry(
        *("labels: shares", "labels", "PyEvALL", pyevall, (500, 2000), "pyevall"),
        options={"task": "soft", "label": "value"},
        made="shares",
    ),
    Entry("edits", "edits", "ERRANT", errant, (1000, 10_000), "errant"),
    Entry(
        *("text, resampled", "text", SACREBLEU, sacrebleu("bleu", n_resamples=1000), (300, 3000), "sacrebleu"),
        options={"metrics": "bleu"},
        n_resamples=1000,
    ),
    Entry(
        *("text, a baseline and ten", "text", SACREBLEU, paired_bootstrap, (100, 500), "sacrebleu"),
        options={"metrics": "bleu"},
        n_resamples=1000,
        ours=compare,
    ),
    Entry(
        *("describing a run", "ehealthkd", "its check", check, (1000, 10_000)),
        options={"scenario": 1},
        ours=describe,
        limit=2,
    ),
)

if __name__ == "__main__":
    sys.exit(main())
