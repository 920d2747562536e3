from django.db import migrations, models


def recount_boards(apps, schema_editor):
    """Boards on which reported runs have been ranked until now."""
    board, scoring = apps.get_model("leaderboard", "Board"), apps.get_model("submissions", "Scoring")
    reported = scoring.objects.filter(
        submission__is_reported=True, submission__phase=models.OuterRef("phase"), scenario=models.OuterRef("scenario")
    )
    board.objects.filter(models.Exists(reported)).update(to_recount=True, wanted=models.F("wanted") + 1)


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0029_reported_scores"),
        ("leaderboard", "0016_predecessors_and_counts_of_comparisons"),
        ("submissions", "0022_reported_runs"),
    ]

    operations = [
        migrations.RunPython(recount_boards, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="bestrun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reference", "reported")),
                fields=("gold", "team"),
                name="one_reported_run_of_a_team",
            ),
        ),
    ]
