"""Editions keep their engine, and the closing that a final one belongs to."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0019_states_of_gold"),
        ("leaderboard", "0007_late_runs"),
        ("submissions", "0015_states_of_golds"),
    ]

    operations = [
        migrations.CreateModel(
            name="Preview",
            fields=[
                (
                    "gold",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="challenges.gold",
                    ),
                ),
                ("engine", models.CharField(max_length=20)),
                ("made", models.DateTimeField()),
                ("entries", models.JSONField(help_text="As those of an edition.")),
                ("comparison", models.JSONField(help_text="As that of an edition.")),
                (
                    "changes",
                    models.JSONField(help_text="What differs between the golds: challenges.gold_changes.", null=True),
                ),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="edition",
            name="one_edition_a_day_and_gold",
        ),
        migrations.AddField(
            model_name="edition",
            name="closing",
            field=models.DateTimeField(
                help_text="When its phase closed, of a final edition: it is void once that moves.", null=True
            ),
        ),
        migrations.AddField(
            model_name="edition",
            name="engine",
            field=models.CharField(
                blank=True, help_text="The version of the engine whose results ranked.", max_length=20
            ),
        ),
        migrations.AddConstraint(
            model_name="edition",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_compared", True), ("is_final", False), ("is_void", False)),
                fields=("board", "day", "gold", "engine"),
                name="one_edition_a_day_gold_and_engine",
            ),
        ),
    ]
