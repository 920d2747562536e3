"""An attacker parts guesses into as many groups as the gold has labels or groups, so that each number is a test.

Each upload has a random half of the guesses, of which the attacker does not know which are right. What is read of a
group are all bits that its numbers leave no doubt about: of the 2^n ways in which its n guesses may be right those that
explain all that was told. What is told of scores and totals counts with its own surprise.
"""

import json
import math
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

from evalsite.challenges.access import Role
from evalsite.challenges.gold.budget import budget_of, told_by_upload
from evalsite.challenges.models import Gold, Phase
from evalsite.challenges.precision import precision_for
from evalsite.results.disclosure import disclose
from evalsite.submissions.models import Result
from scoring.budget import Detail
from tests.evalsite import families
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task, make_team, run_files

pytestmark = pytest.mark.django_db

A_GROUP = 20  # guesses of each label or group
ASKED = 12  # of them, by each upload: more than rows of the run's own have to have
N_UPLOADS = 3


@dataclass(frozen=True)
class Attack:
    """A family with a table by label or group, and how guesses are asked there."""

    family: str
    table: str
    options: dict
    gold: object  # right (n,), groups (n,) to files
    run: object  # asked (n,), groups (n,) to files
    counts: tuple  # columns of the table that may count right ones of a row, or wrong ones
    share: str = ""  # the column with a share of right ones, or of wrong ones
    is_error: bool = False  # the share is of wrong ones
    headline: tuple = field(default=())  # shown scores


def _name(group):
    return f"T{group:02d}"


def _rows(n, of_item):
    return "".join(of_item(k) for k in range(n))


def _edits(texts, types):
    return {
        "run.m2": _rows(
            len(texts),
            lambda k: (
                f"S The ferry {k}\n"
                + (f"A 0 1|||{_name(types[k])}|||{texts[k]}|||REQUIRED|||-NONE-|||0\n" if texts[k] else "")
                + "\n"
            ),
        )
    }


def _edits_gold(right, groups):
    return _edits(["A" if each else "An" for each in right], groups)


def _edits_run(asked, groups):
    return _edits(["A" if each else "" for each in asked], groups)


def _labelled(labels, groups):
    rows = _rows(len(labels), lambda k: f"m{k},{_name(labels[k])},{_name(groups[k])}\n")
    return {"run.csv": f"id,label,part\n{rows}"}


def _labels_gold(right, groups):
    n = groups.max() + 1
    return _labelled(np.where(right, groups, (groups + 1) % n), groups)


def _labels_run(asked, groups):
    n = groups.max() + 1
    return _labelled(np.where(asked, groups, (groups + 2) % n), groups)


def _binary_gold(right, groups):
    return _labelled(right.astype(int), groups)


def _binary_run(asked, groups):
    return _labelled(np.where(asked, 1, 2), groups)  # one that nothing has


def _numbers_gold(right, groups):
    rows = _rows(len(right), lambda k: f"n{k},{k if right[k] else k + 9},{_name(groups[k])}\n")
    return {"run.csv": f"id,value,part\n{rows}"}


def _numbers_run(asked, groups):
    rows = _rows(len(asked), lambda k: f"n{k},{k if asked[k] else k + 90},{_name(groups[k])}\n")
    return {"run.csv": f"id,value,part\n{rows}"}


def _entities(places, groups):
    spans = [
        [[place, place + 1, _name(group)]] if place is not None else []
        for place, group in zip(places, groups, strict=True)
    ]
    words = ["Ann", "visits", "Bern"]
    return {
        "run.jsonl": _rows(len(spans), lambda k: json.dumps({"id": f"d{k}", "words": words, "ents": spans[k]}) + "\n")
    }


def _entities_gold(right, groups):
    return _entities([0 if each else 2 for each in right], groups)


def _entities_run(asked, groups):
    return _entities([0 if each else None for each in asked], groups)


TEXT = "Mirelle left Gorloin harbour ."


def _spans(places, groups):
    return {
        f"d{k:03d}.json": families.document(*([(_name(group), *place)] if place else []), text=TEXT)
        for k, (place, group) in enumerate(zip(places, groups, strict=True))
    }


def _spans_gold(right, groups):
    return _spans([(0, 7) if each else (13, 20) for each in right], groups)


def _spans_run(asked, groups):
    return _spans([(0, 7) if each else None for each in asked], groups)


def _phrases(places, groups):
    sentences = _rows(len(places), lambda k: f"El dolor grave {k:03d}\n")
    length = len("El dolor grave 000\n")
    words = {3: "dolor", 9: "grave"}
    lines = [
        f"{k + 1}\t{length * k + place} {length * k + place + 5}\t{_name(group)}\t{words[place]}\n"
        for k, (place, group) in enumerate(zip(places, groups, strict=True))
        if place
    ]
    return run_files("".join(lines), "", sentences=sentences, scenarios=(2,))


def _phrases_gold(right, groups):
    return _phrases([3 if each else 9 for each in right], groups)


def _phrases_run(asked, groups):
    return _phrases([3 if each else None for each in asked], groups)


def _spoken(words, groups):
    return {"gold.tsv": _rows(len(words), lambda k: f"u{k}\t{words[k]}\t{_name(groups[k])}\n")}


def _spoken_gold(right, groups):
    return _spoken(["alpha" if each else "beta" for each in right], groups)


def _spoken_run(asked, groups):
    return {"run.tsv": _rows(len(asked), lambda k: f"u{k}\t{'alpha' if asked[k] else 'gamma'}\n")}


_OF_SLICES = {"slices": "part", "labels": ["T00", "T01", "T02"]}
ATTACKS = {
    "edits": Attack("edits", "types", {}, _edits_gold, _edits_run, ("tp", "fp"), headline=("precision", "recall")),
    "labels": Attack("labels", "labels", {}, _labels_gold, _labels_run, ("correct",)),
    "slices of labels": Attack(
        "labels",
        "slices",
        {"slices": "part", "labels": ["T00", "T01", "T02"]},
        _binary_gold,
        _binary_run,
        (),
        share="accuracy",
    ),
    "slices of numbers": Attack(
        "numbers",
        "slices",
        {"tolerance": 0.5, "headline": "within", "slices": "part"},
        _numbers_gold,
        _numbers_run,
        (),
        share="within",
    ),
    "spacy": Attack(
        "spacy",
        "ents_per_type",
        {"scores": [{"name": "ner"}], "headline": "ents_f"},
        _entities_gold,
        _entities_run,
        ("tp", "fp"),
    ),
    "mat": Attack("mat", "by_tag", {}, _spans_gold, _spans_run, ("match", "spurious")),
    "ehealthkd": Attack(
        "ehealthkd", "entity_labels", {"scenario": "2"}, _phrases_gold, _phrases_run, ("correct", "spurious")
    ),
    "speakers": Attack(
        "transcripts",
        "speakers",
        {},
        _spoken_gold,
        _spoken_run,
        ("hits", "substitutions"),
        share="wer",
        is_error=True,
    ),
}


@pytest.fixture
def attacked(request, alice):
    """A phase whose gold was asked N_UPLOADS times, with the guesses, and what was asked."""
    name, n_labels = request.param
    attack, rng = ATTACKS[name], np.random.default_rng(n_labels)
    groups = np.repeat(np.arange(n_labels), A_GROUP)
    right = rng.random(len(groups)) < 0.5
    places = rng.random((N_UPLOADS, n_labels, A_GROUP)).argsort(axis=2)
    asked = (places < ASKED).reshape(N_UPLOADS, -1)
    options = dict(attack.options)
    if attack.family == "mat":
        options["content_annotations"] = ",".join(map(_name, range(n_labels)))
    task = make_task("hidden")
    scenario = make_scenario(task, family=attack.family, options=options)
    phase = make_phase(task, detail="automatic", total_limit=30)
    make_gold(phase, scenario, attack.gold(right, groups))
    team = make_team("Attackers", alice)
    runs = [make_run(phase, team, attack.run(each, groups), method=f"{k}") for k, each in enumerate(asked)]
    return SimpleNamespace(attack=attack, phase=phase, right=right, asked=asked, groups=groups, runs=runs)


def told(attacked, run, detail):
    """The result as a participant reads it at this level; at none by the phase's own."""
    Phase.objects.update(detail=detail or "automatic")
    result = Result.objects.select_related("scoring__scenario", "scoring__gold", "stored_tables").get(
        scoring__submission=run
    )
    phase = Phase.objects.get()
    return disclose(result, precision_for(Role.PARTICIPANT, phase, result.scoring.scenario))


WAYS = np.arange(2**A_GROUP, dtype=np.uint32)  # in which the guesses of a group may be right, as bits


def bits_read(attacked, detail):
    """Return the bits that all uploads together tell of the guesses at a level, by the numbers of groups and in all."""
    results = [told(attacked, run, detail) for run in attacked.runs]
    bits = 0.0
    if not any(result.tables[attacked.attack.table] for result in results):
        return sum(map(surprise, results, attacked.asked))
    for group in range(attacked.groups.max() + 1):
        inside = attacked.groups == group
        fits = np.ones(len(WAYS), dtype=bool)
        for result, asked in zip(results, attacked.asked, strict=True):
            mask = np.uint32((asked[inside] * 2 ** np.arange(A_GROUP)).sum())
            counts = np.bitwise_count(WAYS & mask)
            truth = (attacked.right & asked)[inside].sum()
            row = next((r for r in result.tables[attacked.attack.table] if next(iter(r.values())) == _name(group)), {})
            fits &= fit(attacked.attack, row, counts, truth, asked[inside].sum())
        bits += A_GROUP - math.log2(fits.sum())
    return bits + sum(map(surprise, results, attacked.asked))


def fit(attack, row, counts, truth, n_asked):
    """Return (ways,) which of them explain the numbers of a row."""
    right_counts = [row[name] for name in attack.counts if row.get(name) is not None]
    fits = np.ones(len(counts), dtype=bool)
    if right_counts and all(value in (truth, n_asked - truth, A_GROUP - truth) for value in right_counts):
        fits &= counts == truth
    if attack.share and row.get(attack.share) is not None:
        shares = 1 - counts / A_GROUP if attack.is_error else counts / A_GROUP
        fits &= np.abs(shares - row[attack.share]) <= 0.005 + 1e-9
    return fits


def surprise(result, asked):
    """Return the surprise of how many guesses are right in all, which scores and totals tell."""
    n = int(asked.sum())
    return math.log2(math.pi * math.e / 2 * n) / 2


def reckoned(attacked, detail):
    gold = Gold.objects.select_related("scenario__task", "phase__task").get()
    return told_by_upload(gold, detail)


def small_and_large(*names):
    return [pytest.param((name, n), id=f"{name}, {n}") for name in names for n in (8, 40)]


@pytest.mark.parametrize("attacked", small_and_large(*ATTACKS), indirect=True)
def test_guesses_in_groups_read_no_more_than_is_reckoned(attacked):
    for detail in Detail:
        read = bits_read(attacked, detail.value)
        assert read <= N_UPLOADS * reckoned(attacked, detail), detail
    tables = bits_read(attacked, "tables")
    assert tables > bits_read(attacked, "scores"), "the attack reads nothing by groups"

    Phase.objects.update(detail="automatic")
    for total_limit in (1, 3, 10, 30, 100):
        Phase.objects.update(total_limit=total_limit)
        budget = budget_of(Phase.objects.get())
        [gold] = budget.golds
        if budget.detail is not Detail.HEADLINE:
            assert total_limit * reckoned(attacked, budget.detail) <= gold.holds / 2
    told_by = [reckoned(attacked, detail) for detail in Detail]
    assert told_by == sorted(told_by, reverse=True)


@pytest.mark.parametrize("attacked", [("edits", 40), ("speakers", 40)], indirect=True, ids=str)
def test_with_the_limit_of_thirty_uploads_nothing_is_told_by_groups(attacked):
    result = told(attacked, attacked.runs[0], None)
    assert budget_of(Phase.objects.get()).detail is not Detail.TABLES
    assert not any(result.tables.values())
    assert not {"fp", "tp", "hits", "substitutions"}.intersection(result.counts)


@pytest.mark.parametrize("attacked", [("edits", 8)], indirect=True, ids=str)
def test_no_count_is_told_by_a_label_that_the_run_itself_gives(attacked):
    rows = told(attacked, attacked.runs[0], "tables").tables["types"]
    assert {row["fp"] for row in rows} == {None}
    assert {row["precision"] for row in rows} == {None}


@pytest.mark.parametrize("attacked", [("speakers", 8)], indirect=True, ids=str)
def test_groups_show_no_exact_counts_beside_rounded_shares(attacked):
    rows = told(attacked, attacked.runs[0], "tables").tables["speakers"]
    assert {row["hits"] for row in rows} == {None}
    assert all(round(row["wer"], 2) == row["wer"] for row in rows)
