"""Fills in by which gold the editions ranked; boards with several versions are made anew."""

from django.db import migrations
from django.db.models import Count
from django.utils import timezone


def say_which_gold(apps, schema_editor):
    """Until now a board ranked by the newest gold that there was when it was made."""
    gold_model = apps.get_model("challenges", "Gold")
    for edition in apps.get_model("leaderboard", "Edition").objects.select_related("board").defer("entries", "further"):
        golds = gold_model.objects.filter(phase=edition.board.phase_id, scenario=edition.board.scenario_id)
        edition.gold = golds.filter(created__lte=edition.made).order_by("-version").first()
        edition.save(update_fields=["gold"])


def mark_stale(apps, schema_editor):
    """One upload after new gold could empty a board; it now ranks by the version that most runs have results on."""
    golds = apps.get_model("challenges", "Gold").objects.order_by().values_list("phase", "scenario")
    several = golds.annotate(n=Count("pk")).filter(n__gt=1)
    boards = apps.get_model("leaderboard", "Board").objects
    for phase, scenario, _ in several:
        boards.filter(phase=phase, scenario=scenario).update(stale_since=timezone.now())


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0004_editions_by_gold"),
        ("submissions", "0004_who_withdrew_and_gold_in_force"),
    ]

    operations = [
        migrations.RunPython(say_which_gold, migrations.RunPython.noop),
        migrations.RunPython(mark_stale, migrations.RunPython.noop),
    ]
