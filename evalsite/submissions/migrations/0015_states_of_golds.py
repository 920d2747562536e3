"""What ranks is published: golds get the states that boards have gone by until now."""

from collections import Counter

from django.db import migrations


def say_what_is_published(apps, schema_editor):
    """In force was the last version adopted; before any was, the first that has runs, or else the newest.

    Of the later ones the newest waited to take over: it is a candidate now.
    """
    gold_model = apps.get_model("challenges", "Gold")
    adopted = adopted_golds(apps)
    scorings = apps.get_model("submissions", "Scoring").objects.order_by()
    used = set(scorings.filter(state__in=("queued", "running", "scored")).values_list("gold", flat=True).distinct())
    engines = Counter()
    for gold, engine in scorings.filter(state="scored").values_list("gold", "engine_version"):
        engines[gold, engine] += 1
    boards = {}
    for gold in gold_model.objects.order_by("version"):
        boards.setdefault((gold.phase_id, gold.scenario_id), []).append(gold)
    for golds in boards.values():
        place = _in_force(golds, adopted, used)
        for k, gold in enumerate(golds):
            is_newest = k == len(golds) - 1
            gold.state = "published" if k <= place else "candidate" if is_newest else "discarded"
            gold.published, gold.published_by_id = (gold.created, gold.created_by_id) if k <= place else (None, None)
            gold.engine = _usual_engine(gold.pk, engines)
            gold.save(update_fields=["state", "published", "published_by", "engine"])


def adopted_golds(apps):
    return set(apps.get_model("submissions", "AdoptedGold").objects.values_list("pk", flat=True))


def _in_force(golds, adopted, used):
    own = [k for k, gold in enumerate(golds) if gold.pk in adopted]
    with_runs = [k for k, gold in enumerate(golds) if gold.pk in used]
    return own[-1] if own else (with_runs or [len(golds) - 1])[0]


def _usual_engine(gold, engines):
    """The one that has scored most runs on it, of equal ones the newest by name; the others are scored again by it."""
    own = [(n, engine) for (each, engine), n in engines.items() if each == gold]
    return max(own)[1] if own else ""


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0019_states_of_gold"),
        ("submissions", "0014_fingerprints_by_gold"),
    ]

    operations = [
        migrations.RunPython(say_what_is_published, migrations.RunPython.noop),
    ]
