"""Fills in who withdrew the runs that are withdrawn, and by which gold the boards rank that have several."""

from collections import Counter

from django.db import migrations

TEAM, ORGANISERS = "team", "organisers"


def say_who_withdrew(apps, schema_editor):
    """From the audit trail; a run of which it tells nothing counts as withdrawn by its team."""
    event_model = apps.get_model("challenges", "Event")
    for submission in apps.get_model("submissions", "Submission").objects.exclude(withdrawn=None):
        events = event_model.objects.filter(kind="withdrawn", subject=submission.pk).select_related("actor")
        event = events.order_by("-created", "-pk").first()
        actor = event.actor if event else None
        is_organisers = actor is not None and (
            actor.is_superuser or submission.phase.task.organisers.filter(pk=actor.pk).exists()
        )
        submission.withdrawn_by = actor
        submission.withdrawn_as = ORGANISERS if is_organisers else TEAM
        submission.save(update_fields=["withdrawn_by", "withdrawn_as"])


def adopt_gold(apps, schema_editor):
    """The version on which most standing runs have a result, of equal ones the newest.

    A board that has lost its runs to a newer gold finds them again.
    """
    scorings = apps.get_model("submissions", "Scoring").objects.filter(state="scored", submission__withdrawn=None)
    n_runs = Counter(gold for _, gold in scorings.order_by().values_list("submission", "gold").distinct())
    boards = {}
    for gold in apps.get_model("challenges", "Gold").objects.filter(pk__in=n_runs).order_by("version"):
        boards.setdefault((gold.phase_id, gold.scenario_id), []).append(gold)
    adopted = apps.get_model("submissions", "AdoptedGold")
    for golds in boards.values():
        if len(golds) > 1:
            adopted.objects.create(gold=max(golds, key=lambda gold: (n_runs[gold.pk], gold.version)))


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0001_initial"),
        ("submissions", "0003_withdrawals_and_adopted_gold"),
    ]

    operations = [
        migrations.RunPython(say_who_withdrew, migrations.RunPython.noop),
        migrations.RunPython(adopt_gold, migrations.RunPython.noop),
    ]
