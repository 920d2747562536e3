"""An attacker reads the hidden gold of a phase as the demo's, through the pages and files that a participant gets.

Each run is made so that what the site tells of it says of single items whether the gold has them. Of what it tells, no
label and no score may name more items than it has bits: log2(n) of n items, as a plain count of them tells too.
"""

import csv
import io
import json
import math
import re
from html import unescape
from itertools import combinations, count, islice
from types import SimpleNamespace

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from demo.plan import read_task
from evalsite.challenges.gold.services import add_gold
from evalsite.challenges.models import Phase, Scenario
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Submission
from scoring.readers.archive import open_files
from tests.evalsite import families
from tests.factories import (
    make_gold,
    make_phase,
    make_run,
    make_scenario,
    make_submission,
    make_task,
    make_team,
    run_files,
    scored,
    zip_of,
)

pytestmark = pytest.mark.django_db

LIMITS = {"window_limit": 9, "total_limit": 60}  # the largest of the demo's


class Attacker:
    """A participant who uploads runs to one scenario and reads all that is told of them."""

    def __init__(self, client, user, name, number, folder):
        plan = read_task(name)
        planned = plan.scenarios[number - 1]
        self.client, self.number = client, number
        self.team = make_team("Attackers", user)
        self.task = make_task("hidden")
        self.scenario = Scenario.objects.create(
            task=self.task, number=number, name="Hidden", family=planned.family, options=planned.options
        )
        self.phase = make_phase(self.task, **LIMITS)
        gold = plan.gold("test", number)
        path = folder / gold.name
        path.write_bytes(gold.content)
        add_gold(self.phase, self.scenario, path, gold.name, by=None)
        self.gold = {name: content.decode() for name, content in open_files(path).items()}
        client.force_login(user)

    def show(self, *scores):
        Scenario.objects.update(shown_scores=scores)

    def upload(self, name, content):
        """A run by the site's form; returns its page, its scores and all that the board says of it."""
        data = content.encode() if isinstance(content, str) else zip_of(content)
        form = {
            "files": [SimpleUploadedFile(name, data)],
            "team": str(self.team.pk),
            "method": f"Attack {name}",
            "anyway": "yes",
        }
        answer = self.client.post(reverse("submit", args=["hidden", "test"]), form)
        assert answer.status_code == 302, " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())[:900]
        run = scored(Submission.objects.latest("created"))
        self.scored = json.loads(self.read("submission_scores", run.pk, self.number))
        return run

    def read(self, name, *arguments):
        answer = self.client.get(reverse(name, args=arguments))
        assert answer.status_code == 200
        return answer.content.decode()

    def page(self, run):
        return unescape(self.read("submission", run.pk))


def tables(page):
    """The cells of each table of a page, row by row, by its heading."""
    found = {}
    for heading, table in re.findall(r'aria-label="([^"]*)">\s*<table.*?>(.*?)</table>', page, re.DOTALL):
        found[heading] = [
            [
                " ".join(re.sub(r"<[^>]+>", " ", cell).split())
                for cell in re.findall(r"<t[dh][ >].*?</t[dh]>", row, re.DOTALL)
            ]
            for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.DOTALL)
        ]
    return found


def rows_of_marked(page):
    """The labels of a mark of ours that stand for a row or a column of some table."""
    return {cell for table in tables(page).values() for row in table for cell in row if re.match(r"Z[0-9]+$", cell)}


def small_cells(page):
    """The counts below ten of a confusion, without its sums."""
    confusion = tables(page)["Confusion of labels"]
    inner = [row[1:-1] for row in confusion[1:] if not row[0].startswith("(")]
    names = confusion[0][1:-1]
    return [
        cell
        for row in inner
        for name, cell in zip(names, row, strict=True)
        if cell and not name.startswith("(") and int(cell) < 10
    ]


def in_titles(page, heading, column):
    """The numbers of a column as exactly as the page has them, by the first cell of their rows."""
    at = tables(page)[heading][0].index(column)
    table = page[page.index(f'aria-label="{heading}"') :].split("</table>")[0]
    rows = [re.findall(r"<t[dh][ >].*?</t[dh]>", row, re.DOTALL) for row in table.split("<tr")[2:]]
    found = {
        re.sub(r"<[^>]*>", "", cells[0]).strip(): re.search(r'title="([0-9.]+)"', cells[at])
        for cells in rows
        if len(cells) > at
    }
    return {label: float(number[1]) for label, number in found.items() if number}


def decimals(number):
    return len(repr(number).partition(".")[2]) if isinstance(number, float) else 0


def bits(n):
    return math.log2(n)


def named(truth, predictions, told):
    """Return how many items are known for sure from numbers that were told.

    `truth` (k,) flags of the items; `predictions` {name: (2 ** k,)} what each set of them would have given; `told`
    {name: number}. An item is named if all sets that fit the numbers agree on it.
    """
    subsets = all_subsets(len(truth))
    fits = np.ones(len(subsets), dtype=bool)
    for name, predicted in predictions.items():
        half = 0.5 * 10.0 ** -min(decimals(told[name]), 12)
        fits &= np.abs(predicted - told[name]) <= half + 1e-12
    left = subsets[fits]
    assert len(left), "the attacker reckons wrongly"
    agreed = (left == left[0]).all(axis=0)
    assert (left[0][agreed] == np.array(truth)[agreed]).all()
    return int(agreed.sum())


def all_subsets(k):
    return (np.arange(2**k)[:, np.newaxis] >> np.arange(k) & 1).astype(bool)


def primes():
    return (n for n in count(2) if all(n % k for k in range(2, math.isqrt(n) + 1)))


# --- phrases


@pytest.fixture
def phrases(client, alice, tmp_path):
    return Attacker(client, alice, "ehealthkd", 2, tmp_path)


def words_of(attacker):
    """Start and end of each longer word of the sentences."""
    text = next(content for name, content in attacker.gold.items() if "input_scenario2" in name)
    found, start = [], 0
    for line in text.splitlines(keepends=True):
        found += [(start + word.start(), start + word.end()) for word in re.finditer(r"\w{4,}", line)]
        start += len(line)
    return text, found


def phrase_run(text, spans):
    """`spans` are (start, end, label)."""
    lines = [f"{number}\t{start} {end}\t{label}\tx\n" for number, (start, end, label) in enumerate(spans, 1)]
    return {
        "input_scenario2.txt": text,
        "output_a_scenario2.txt": "".join(lines),
        "output_b_scenario2.txt": "",
    }


def test_a_label_for_each_word_names_no_phrase(phrases):
    text, words = words_of(phrases)
    spans = [(start, end, f"Z{number}") for number, (start, end) in enumerate(words[:200])]
    page = phrases.page(phrases.upload("labels.zip", phrase_run(text, spans)))

    assert len(rows_of_marked(page)) <= bits(len(words))
    assert "200 labels of the run are not in the gold" in page.replace(",", "")


def test_a_word_for_each_label_of_the_gold_is_in_no_cell_of_its_own(phrases):
    text, words = words_of(phrases)
    labels = ("Action", "Concept", "Predicate", "Reference")
    spans = [(start, end, label) for (start, end), label in zip(words[3:7], labels, strict=True)]
    page = phrases.page(phrases.upload("cells.zip", phrase_run(text, spans)))

    assert small_cells(page) == []


@pytest.mark.thorough
def test_two_runs_that_differ_in_one_word_tell_that_word_alone(phrases):
    text, words = words_of(phrases)
    runs = [[(*word, "Concept") for word in words[:n]] for n in (60, 61)]
    told = []
    for number, spans in enumerate(runs):
        phrases.upload(f"{number}.zip", phrase_run(text, spans))
        told.append(phrases.scored["counts"])
    kinds = ("correct_A", "incorrect_A", "partial_A", "missing_A", "spurious_A")
    changed = [abs(told[0][kind] - told[1][kind]) for kind in kinds]

    assert sum(changed) <= 2  # from missing or nothing to one of the others


# --- spans of documents


@pytest.fixture
def spans(client, alice, tmp_path):
    return Attacker(client, alice, "mat", 1, tmp_path)


def test_labels_of_spans_name_none_in_pages_or_spreadsheets(spans):
    documents, n = {}, 0
    for name, content in spans.gold.items():
        document = json.loads(content)
        places = [match.span() for match in re.finditer(r"[A-Z]\w+( [A-Z]\w+)*", document["signal"])]
        marked = [
            {"type": f"Z{n + number}", "hasID": False, "hasSpan": True, "attrs": [], "annots": [list(place)]}
            for number, place in enumerate(places)
        ]
        known = [each for each in document["asets"] if each["type"] == "lex"]
        sure = {"type": "VESSEL", "hasID": False, "hasSpan": True, "attrs": [], "annots": [list(places[0])]}
        documents[name] = json.dumps(document | {"asets": [*known, *marked, *([] if n else [sure])]})
        n += len(places)
    run = spans.upload("spans.zip", documents)
    page = spans.page(run)

    assert len(rows_of_marked(page)) <= bits(n)
    assert small_cells(page) == []
    for name in ("bytag.csv", "bytoken.csv"):
        rows = list(csv.reader(io.StringIO(spans.read("submission_export", run.pk, 1, name))))
        assert len([row for row in rows if row[0].startswith("Z")]) <= bits(n)


# --- entities and categories


@pytest.mark.thorough
def test_a_label_for_each_entity_names_none(client, alice, tmp_path):
    attacker = Attacker(client, alice, "spacy", 1, tmp_path)
    lines, n = [], 0
    for line in next(iter(attacker.gold.values())).splitlines():
        document = json.loads(line)
        capitals = [k for k, word in enumerate(document["words"]) if word[0].isupper()]
        ents = [[k, k + 1, f"Z{n + number}"] for number, k in enumerate(capitals)]
        n += len(ents)
        lines.append(json.dumps({"id": document["id"], "words": document["words"], "ents": ents}))
    page = attacker.page(attacker.upload("entities.jsonl", "\n".join(lines) + "\n"))

    assert len(rows_of_marked(page)) <= bits(n)
    assert small_cells(page) == []


@pytest.mark.thorough
def test_areas_under_curves_name_no_more_documents_than_they_have_bits(client, alice, tmp_path):
    attacker = Attacker(client, alice, "spacy", 3, tmp_path)
    attacker.show("cats_macro_auc")
    documents = [json.loads(line) for line in next(iter(attacker.gold.values())).splitlines()]
    labels = sorted(documents[0]["cats"])
    k = 10
    lines = []
    for rank, document in enumerate(documents):
        # The first ones each have a value of their own, the higher the later; all others have none.
        value = (rank + 1) / 100 if rank < k else 0.0
        lines.append(
            json.dumps({"id": document["id"], "words": document["words"], "cats": dict.fromkeys(labels, value)})
        )
    run = attacker.upload("areas.jsonl", "\n".join(lines) + "\n")
    assert "Area" not in tables(attacker.page(run))["Categories by label"][0], "while uploads come"
    Phase.objects.update(closes=timezone.now())
    page = attacker.page(run)

    exact = in_titles(page, "Categories by label", "Area")
    found = {}
    for label, told in exact.items():
        truth = np.array([document["cats"][label] == 1 for document in documents])
        predicted = _areas(truth, k)
        if np.isclose(predicted[_index(truth[:k])], told, atol=0.011):
            found[label] = named(truth[:k], {"auc": predicted}, {"auc": told})
    assert found
    assert max(found.values()) <= bits(len(documents))
    assert {decimals(told) for told in exact.values()} <= {1, 2}
    assert decimals(attacker.scored["scores"]["cats_macro_auc"]) <= 2
    assert decimals(attacker.scored["scores"]["cats_score"]) <= 2


def _index(flags):
    return int((flags * 2 ** np.arange(len(flags))).sum())


def _areas(truth, k):
    """The area for each set of positives among the first k documents, whose values rise; others tie below them."""
    subsets = all_subsets(k)
    n_positive, n_negative = truth.sum(), (~truth).sum()  # both stand in the table
    inside = subsets.sum(axis=1)
    rest_positive, rest_negative = n_positive - inside, n_negative - (k - inside)
    below = np.cumsum(~subsets, axis=1) - ~subsets  # negatives among the first that lie below each
    beaten = (subsets * (below + rest_negative[:, np.newaxis])).sum(axis=1) + rest_positive * rest_negative / 2
    return np.where((rest_positive >= 0) & (rest_negative >= 0), beaten / (n_positive * n_negative), -1)


# --- coreference


@pytest.fixture
def chains(client, alice, tmp_path):
    return Attacker(client, alice, "coreference", 1, tmp_path)


def conll_documents(text):
    """Return each document's rows of cells, and its gold mentions as (first, last)."""
    found = []
    for block in re.findall(r"#begin document.*?#end document\n", text, re.DOTALL):
        rows = [line.split("\t") if line else [] for line in block.splitlines()[1:-1]]
        mentions, opened = set(), {}
        for place, row in enumerate(rows):
            for part in re.findall(r"\(\d+\)?|\d+\)", row[-1] if row else ""):
                number = part.strip("()")
                if part.startswith("("):
                    opened.setdefault(number, []).append(place)
                if part.endswith(")"):
                    mentions.add((opened[number].pop(), place))
        found.append((block.splitlines()[0], rows, mentions))
    return found


def with_entities(head, rows, entities):
    """The document with these entities, each a list of (first, last)."""
    cells = {place: [] for place in range(len(rows))}
    spans = sorted(((span, number) for number, own in enumerate(entities) for span in own), key=lambda each: each[0])
    for (first, last), number in spans:
        if first == last:
            cells[first].append(f"({number})")
        else:
            cells[first].append(f"({number}")
            cells[last].append(f"{number})")
    lines = ["\t".join([*row[:-1], "|".join(cells[place]) or "-"]) if row else "" for place, row in enumerate(rows)]
    return "\n".join([head, *lines, "#end document", ""])


def chain_run(attacker, sizes):
    """A run with an entity of each size, of one candidate and else of spans that are no mentions; and the truth."""
    documents = conll_documents(next(iter(attacker.gold.values())))
    left, truth, blocks = list(sizes), [], []
    for head, rows, mentions in documents:
        entities = []
        wrong = [(place, place) for place, row in enumerate(rows) if row and (place, place) not in mentions]
        while left and len(wrong) > left[0] + 1 and len(entities) < 3:
            size, is_mention = left.pop(0), len(truth) % 3 != 0
            candidate = sorted(mentions)[len(entities)] if is_mention else wrong.pop()
            truth.append(is_mention)
            entities.append([candidate, *(wrong.pop() for _ in range(size - 1))])
        blocks.append(with_entities(head, rows, entities))
    assert not left
    return "".join(blocks), truth, sum(len(mentions) for _, _, mentions in documents)


@pytest.mark.thorough
def test_sizes_of_clusters_name_no_more_mentions_than_a_score_has_bits(chains):
    sizes = list(islice(primes(), 16))
    content, truth, n_mentions = chain_run(chains, sizes)
    chains.show("b_cubed_precision", "b_cubed_recall", "lea_f1", "ceaf_e_f1")
    chains.upload("sizes.conll", content)

    weights = all_subsets(len(sizes)) @ (1 / np.array(sizes, dtype=float))
    predictions = {"b_cubed_precision": weights / sum(sizes), "b_cubed_precision_sum": weights}
    told = {
        "b_cubed_precision": chains.scored["scores"]["b_cubed_precision"],
        "b_cubed_precision_sum": chains.scored["counts"]["b_cubed_precision_sum"],
    }
    assert named(truth, predictions, told) <= bits(n_mentions)
    # Of all else that is told, no number is finer: scores with the ends of their intervals, and whole counts.
    assert {type(value) for value in chains.scored["counts"].values()} == {int}
    ends = [end for interval in chains.scored["intervals"].values() for end in interval]
    assert max(map(decimals, [*chains.scored["scores"].values(), *ends])) <= 4


# --- questions


@pytest.mark.thorough
def test_numbers_of_answers_name_no_more_questions_than_a_score_has_bits(client, alice, tmp_path):
    attacker = Attacker(client, alice, "qac", 2, tmp_path)
    answers = {}
    for line in next(iter(attacker.gold.values())).splitlines():
        identifier, *rest = line.split("\t")
        own = answers.setdefault(identifier, {})
        if rest and rest[0].isdigit():
            own.setdefault(rest[0], rest[1])
    single = [question for question, own in answers.items() if len(own) == 1][:14]
    truth = [number % 3 != 0 for number in range(len(single))]
    lines = []
    sizes = list(islice(primes(), len(single)))
    for question, is_right, size in zip(single, truth, sizes, strict=True):
        guess = next(iter(answers[question].values())) if is_right else "nobody knows"
        outputs = [guess, *(f"filler {k}" for k in range(size - 1))]
        lines.append(f"{question}: " + ", ".join(f'"{output}", SE0001' for output in outputs))
    attacker.upload("sizes.txt", "\n".join(lines) + "\n")

    n = len(answers)
    unanswerable = sum(not own for own in answers.values())  # an empty run would have told it
    weights = all_subsets(len(single)) @ (2 / (1 + np.array(sizes, dtype=float)))
    told = attacker.scored["scores"]["average_f1"]
    assert decimals(told) <= 4
    assert named(truth, {"f": (weights + unanswerable) / n}, {"f": told}) <= bits(n)


# --- who else reads


def test_the_gold_cannot_be_guessed_by_its_digest_or_seed(phrases):
    text, words = words_of(phrases)
    run = phrases.upload("one.zip", phrase_run(text, [(*words[0], "Concept")]))
    digest, seed = run.scorings.get().gold.digest, str(run.scorings.get().result.seed)
    told = json.dumps(phrases.scored) + phrases.page(run)
    for suffix in ("json", "csv", "tex"):
        told += phrases.read("board_export", "hidden", "test", 2, suffix)
    told += phrases.read("board", "hidden", "test", 2)

    assert digest[:12] not in told
    assert seed not in told
    assert "gold:" in told  # runs on one gold are still known to be so


# --- pairs of runs: masks and probes

N_UNITS = 24
TARGETS = range(4)  # units about which the probe guesses
# Units of the targets for which a mask says nothing right: three counts of them name all four, and so each pair of a
# mask and a probe tells more than the runs by themselves.
MASKED = [set(), {0, 1, 3}, {0, 2, 3}, {1, 2, 3}]
GUESSED_RIGHTLY = {0, 2}  # of the targets
_WRONG_ALREADY = {5, 9, 14, 20}  # units that no mask gets right


def _masks_and_probes():
    """Return by name the units in which a run is right."""
    base = set(range(N_UNITS)) - _WRONG_ALREADY
    masks = {f"mask {name}": base - masked for name, masked in zip("abcd", MASKED, strict=True)}
    return masks | {"probe": GUESSED_RIGHTLY | {9, 11, 12}}


def _lines(of_unit):
    return "".join(of_unit(k) for k in range(N_UNITS))


def _searches(right):
    return {"run.txt": _lines(lambda k: f"q{k} Q0 {'d1' if k in right else 'd9'} 1 1.0 ours\n")}


def _questions(right):
    return {"run.txt": _lines(lambda k: f'QAC1-1001-{k + 1:02d}: "{"Tsu" if k in right else "Mie"}", 990101009\n')}


def _segments(right):
    return {"run.jsonl": _lines(lambda k: json.dumps({"id": f"s{k}", "text": _said(k, k in right)}) + "\n")}


def _said(k, is_right):
    return f"The {_words[k]} ferry leaves at noon" if is_right else "Nothing of this kind was ever heard"


_words = [f"{one}{other}" for one in ("red", "old", "tall", "wet") for other in ("ish", "est", "en", "ly", "er", "y")]


def _edits(right):
    """Return the one edit of each sentence."""
    edit = "A 0 1|||R:DET|||{}|||REQUIRED|||-NONE-|||0\n\n"
    return {"run.m2": _lines(lambda k: f"S The {_words[k]} ferry\n" + edit.format("A" if k in right else "This"))}


def _utterances(right):
    return {"run.tsv": _lines(lambda k: f"u-{k}\t{_said(k, k in right).lower()}\n")}


def _labelled(right):
    return {"run.csv": "id,label\n" + _lines(lambda k: f"m{k},{'AB'[(k + (k in right)) % 2]}\n")}


def _numbered(right):
    return {"run.csv": "id,value\n" + _lines(lambda k: f"n{k},{k if k in right else k + 7}\n")}


def _spans(right):
    text = "Mirelle left Gorloin harbour ."
    return {
        f"d{k:02d}.json": families.document(("PER", 0, 7) if k in right else ("PER", 13, 20), text=text)
        for k in range(N_UNITS)
    }


def _chains(right):
    """Return two mentions of one entity, or two of different ones, of each document."""
    sentence = {True: "(1 Anna) sees (1 her) .", False: "(1 Anna sees) (1 her .)"}
    return {"run.conll": families.columns({f"d{k}": (sentence[k in right],) for k in range(N_UNITS)})}


def _entities(right):
    words = ["Ann", "visits", "Bern"]
    ents = {True: [[0, 1, "PER"]], False: [[2, 3, "PER"]]}
    return {"run.jsonl": _lines(lambda k: json.dumps({"id": f"d{k}", "words": words, "ents": ents[k in right]}) + "\n")}


def _phrases(right):
    """Return one phrase of each sentence."""
    sentences = _lines(lambda k: f"El dolor grave {k:02d}\n")
    length = len("El dolor grave 00\n")
    spans = [(length * k + 3, "dolor") if k in right else (length * k + 9, "grave") for k in range(N_UNITS)]
    lines = [f"{k + 1}\t{start} {start + 5}\tConcept\t{word}\n" for k, (start, word) in enumerate(spans)]
    return run_files("".join(lines), "", sentences=sentences, scenarios=(2,))


_RELEVANT = {"qrels.txt": _lines(lambda k: f"q{k} 0 d1 1\n")}
_ANSWERS = {"gold.txt": _lines(lambda k: f"QAC1-1001-{k + 1:02d}\t1\tTsu\t990101001\n")}
_REFERENCES = {"gold.jsonl": _lines(lambda k: json.dumps({"id": f"s{k}", "ref": _said(k, True)}) + "\n")}
_SPOKEN = {"gold.tsv": _lines(lambda k: f"u-{k}\t{_said(k, True).lower()}\tanna\n")}
FAMILIES = {  # by name the options, the gold and what makes a run
    "ranking": ({}, _RELEVANT, _searches),
    "qac": ({"task": 1}, _ANSWERS, _questions),
    "text": ({}, _REFERENCES, _segments),
    "transcripts": ({}, _SPOKEN, _utterances),
    "edits": ({}, None, _edits),
    "labels": ({"headline": "accuracy"}, None, _labelled),
    "numbers": ({"tolerance": 0.5, "headline": "within"}, None, _numbered),
    "mat": ({"content_annotations": "PER"}, None, _spans),
    "coreference": ({}, None, _chains),
    "spacy": ({"scores": [{"name": "ner"}], "headline": "ents_f"}, None, _entities),
    "ehealthkd": ({"scenario": "2"}, None, _phrases),
}


@pytest.fixture
def pairs(request, as_alice, alice, charlie, settings):
    """The attacker's runs by name, and the page of each pair of them that opens, and of each beside another's entry."""
    family = request.param
    options, gold, run_of = FAMILIES[family]
    task = make_task("hidden")
    scenario = make_scenario(task, family=family, options=options)
    phase = make_phase(task)
    make_gold(phase, scenario, gold or run_of(set(range(N_UNITS))))
    other = make_team("Others", charlie)
    entry = scored(make_submission(phase, other, charlie, run_of(set(range(3, 21))), method="Theirs"))
    team = make_team("Attackers", alice)
    runs = {name: make_run(phase, team, run_of(right), method=name) for name, right in _masks_and_probes().items()}
    refresh(Board.objects.get())
    own = {pair: _page_of(as_alice, *(str(runs[name].pk) for name in pair)) for pair in combinations(runs, 2)}
    beside = {
        name: _page_of(as_alice, str(runs[name].pk), str(entry.team_id)) for name in ("mask a", "mask b", "probe")
    }
    alone = {name: unescape(as_alice.get(run.get_absolute_url()).content.decode()) for name, run in runs.items()}
    return SimpleNamespace(own=own, beside=beside, alone=alone)


def _page_of(client, one, other):
    """None where the pair is not compared."""
    answer = client.get("/tasks/hidden/test/board/1/compare/", {"a": one, "b": other})
    assert answer.status_code in (200, 403)
    return unescape(answer.content.decode()) if answer.status_code == 200 else None


def _rows_of(page):
    """The last number of each row of its tables, by all cells before it."""
    found = {}
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", page, re.DOTALL):
        cells = [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in re.split(r"</t[dh]>", row)][:-1]
        if cells and re.fullmatch(r"[0-9.]+", cells[-1]):
            found[tuple(cells[:-1])] = float(cells[-1])
    return found


def _named_by(pages):
    """The guesses that some number on the pages of all masks names, if it counts the right ones that a mask lacks."""
    counts = [_rows_of(page or "") for page in pages]
    named = set()
    for key in set().union(*counts):
        told = [count.get(key, 0) for count in counts]
        fits = [guess for guess in all_subsets(len(TARGETS)) if _explains(guess, told)]
        if len(fits) == 1:
            named.add(frozenset(np.flatnonzero(fits[0]).tolist()))
    return named


def _explains(guess, told):
    """Tell whether the numbers are one constant beside the right guesses of each mask's units."""
    rest = {round(number - sum(guess[k] for k in masked), 9) for number, masked in zip(told, MASKED, strict=True)}
    return len(rest) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("pairs", FAMILIES, indirect=True)
def test_pairs_of_runs_tell_no_more_than_runs_do(pairs):
    named = _named_by([page for (_, other), page in pairs.own.items() if other == "probe"])
    assert GUESSED_RIGHTLY not in named, "pairs of masks and a probe name the guesses that are right"
    shown = {pair: page for pair, page in pairs.own.items() if page}
    assert len(shown) == len(pairs.alone) - 1, "a run is compared with one other of its team"
    for (one, other), page in shown.items():
        _check_numbers(page, pairs.alone[one], pairs.alone[other], n_further=3)
    tested = {name for name, page in pairs.beside.items() if "was not tested" not in page}
    assert tested == {"mask a"}, "of its runs the entry of the board alone is tested against those of others"


def _check_numbers(page, one, other, n_further):
    """Beside what both runs are told by themselves there are so few further numbers, of two digits."""
    known = _numbers_in(one) | _numbers_in(other)
    scores = {float(number) for number in known if "." in number}
    apart = {abs(first - second) for first in scores for second in scores}
    further = {
        float(number)
        for number in _numbers_in(page) - known
        if float(number) in range(N_UNITS + 1) or min(abs(float(number) - each) / (each or 1) for each in apart) > 0.051
    }
    further -= {0.05}  # of a p-value, as the page explains it
    assert len(further) <= n_further, further
    assert all(len(f"{number:g}".replace(".", "").strip("0")) <= 2 for number in further), further


def _numbers_in(page):
    """Return what a page says in words and titles; without charts, lists to choose from and what leads elsewhere."""
    main = page.partition("<main")[2].partition("</main>")[0]
    said = re.sub(r"<(svg|form|header|nav|select)\b.*?</\1>", " ", main, flags=re.DOTALL)
    said = " ".join(re.findall(r'title="([^"]*)"', said)) + re.sub(r"<[^>]+>", " ", said)
    return set(re.findall(r"(?<![\w.])[0-9]+(?:\.[0-9]+)?(?![\w])", said))
