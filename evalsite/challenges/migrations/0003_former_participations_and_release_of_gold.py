"""Teams whose runs have gone over to another team, and since when the gold of a phase is open."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_comparable_team_names"),
        ("challenges", "0002_shown_scores_help"),
    ]

    operations = [
        migrations.CreateModel(
            name="FormerParticipation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("former", models.UUIDField()),
                ("name", models.CharField(max_length=100)),
                ("number", models.PositiveIntegerField()),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_participations",
                        to="challenges.task",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_participations",
                        to="accounts.team",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("task", "number"), name="former_number_in_task")],
            },
        ),
        migrations.AddField(
            model_name="phase",
            name="gold_released_since",
            field=models.DateTimeField(
                editable=False, help_text="Empty: from the beginning, where the gold is released at all.", null=True
            ),
        ),
    ]
