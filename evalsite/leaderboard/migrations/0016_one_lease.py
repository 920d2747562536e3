from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0027_choices_names_of_files_and_reports"),
        ("leaderboard", "0015_predecessors_reports_and_counts_of_comparisons"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="edition",
            options={
                "ordering": ("board", "-changes", "-made"),
                "verbose_name": "edition of a board",
                "verbose_name_plural": "editions of boards",
            },
        ),
        migrations.RemoveIndex(
            model_name="edition",
            name="edition_by_board",
        ),
        migrations.RemoveField(
            model_name="turn",
            name="ends",
        ),
        migrations.RemoveField(
            model_name="turn",
            name="holder",
        ),
        migrations.RemoveField(
            model_name="turn",
            name="next",
        ),
        migrations.AddField(
            model_name="edition",
            name="changes",
            field=models.PositiveBigIntegerField(
                default=0, help_text="How many of its board's changes it has; the newest edition has the most."
            ),
        ),
        migrations.AddField(
            model_name="turn",
            name="lease",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="turn",
            name="lease_ends",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="turn",
            name="not_before",
            field=models.DateTimeField(help_text="Until when it rests.", null=True),
        ),
        migrations.AddIndex(
            model_name="edition",
            index=models.Index(fields=["board", "-changes", "-made"], name="edition_by_board"),
        ),
    ]
