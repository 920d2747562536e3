"""A task whose gold is split: 60 items with one of three labels, of which 30 are shown."""

import random
from hashlib import sha256

from django.core.files.base import ContentFile
from django.utils import timezone

from evalsite.challenges.gold import parts
from evalsite.challenges.gold.versions import golds_of_board
from evalsite.challenges.models import Gold, Part
from evalsite.leaderboard.making.entries import finish_boards, refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.lifecycle.candidates import let_ranked_parts_decide
from tests.archives import zip_of
from tests.factories import make_gold, make_phase, make_scenario, make_submission, make_task, scored, work_off

N_ITEMS = 60
ITEMS = [f"i{number:02}" for number in range(N_ITEMS)]
LABELS = ["anger", "joy", "fear"]
GOLD = {item: LABELS[number % 3] for number, item in enumerate(ITEMS)}


def table(labels):
    """The labels of all items as the only file of a gold or of a run."""
    return {"labels.csv": "id,label\n" + "".join(f"{item},{label}\n" for item, label in labels.items())}


def wrong(items):
    """A run that is wrong for these items."""
    return table({item: after(label) if item in items else label for item, label in GOLD.items()})


def after(label):
    return LABELS[(LABELS.index(label) + 1) % len(LABELS)]


def wrong_in(items, n, seed=0):
    """A run with so many mistakes among these items."""
    return wrong(set(random.Random(seed).sample(list(items), n)))


def make_split_task(organiser, **of_phase):
    """A task in a phase with a split gold; return its phase and scenario."""
    task = make_task("parts", organiser=organiser)
    scenario = make_scenario(task, family="labels", options={"headline": "accuracy"}, name="Emotions")
    phase = make_phase(task, counts="best", **of_phase)
    split(make_gold(phase, scenario, table(GOLD)))
    return phase, scenario


def split(gold, percent=50, seed=1):
    draft = parts.at_random(parts.units_of(gold), percent, seed)
    parts.split_gold(gold, draft, by=None)
    return draft


def golds(phase, scenario):
    return golds_of_board(phase, scenario)


def units(phase, scenario, part):
    """The names of the units of one part."""
    found = golds(phase, scenario).in_force
    return found.split.units(part)


def make_split_run(phase, team, files, **fields):
    return scored(make_submission(phase, team, team.memberships.get(is_owner=True).user, files, **fields))


def refreshed(phase):
    for board in Board.objects.filter(phase=phase):
        refresh(board)


def end(phase):
    """Close the phase, release its results, and let the ranked part decide."""
    phase.closes = phase.results_released = timezone.now()
    phase.save()
    let_ranked_parts_decide()
    work_off()
    refreshed(phase)
    finish_boards()


def change_ranked_part(phase, scenario):
    """Put other labels into the ranked part of the gold, behind the site's back, and return how many items it has."""
    hidden = units(phase, scenario, Part.RANKED)
    turned = {item: after(GOLD[item]) for item in hidden}
    content = zip_of(table(GOLD | turned))
    for gold in Gold.objects.filter(phase=phase):
        gold.file.storage.delete(gold.file.name)
        gold.file.save("gold.zip", ContentFile(content), save=False)
        Gold.objects.filter(pk=gold.pk).update(file=gold.file.name, sha256=sha256(content).hexdigest())
    return len(hidden)
