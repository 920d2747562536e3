"""Editions of before get their engine, and the closing that a final one belongs to."""

from django.db import migrations
from django.db.models import F, OuterRef, Subquery


def say_engines_and_closings(apps, schema_editor):
    edition_model, gold_model = apps.get_model("leaderboard", "Edition"), apps.get_model("challenges", "Gold")
    engine = gold_model.objects.filter(pk=OuterRef("gold")).values("engine")
    edition_model.objects.filter(gold__isnull=False).update(engine=Subquery(engine))
    closing = apps.get_model("leaderboard", "Board").objects.filter(pk=OuterRef("board")).values("phase__closes")
    edition_model.objects.filter(is_final=True).update(closing=Subquery(closing))


def recount_boards_of_several_engines(apps, schema_editor):
    """Of the results on one gold only those of one engine count from now on."""
    scored = apps.get_model("submissions", "Scoring").objects.filter(state="scored").order_by()
    others = scored.exclude(engine_version=F("gold__engine")).values_list("gold__phase", "gold__scenario").distinct()
    boards = apps.get_model("leaderboard", "Board").objects
    for phase, scenario in others:
        boards.filter(phase=phase, scenario=scenario).update(to_recount=True, wanted=F("wanted") + 1)


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0008_engines_and_closings"),
        ("submissions", "0015_states_of_golds"),
    ]

    operations = [
        migrations.RunPython(say_engines_and_closings, migrations.RunPython.noop),
        migrations.RunPython(recount_boards_of_several_engines, migrations.RunPython.noop),
    ]
