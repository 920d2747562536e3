"""Counts changes of results instead of timing them, and keeps best runs, which the makers of the boards find."""

import django.db.models.deletion
from django.db import migrations, models

import evalsite.leaderboard.models


def want_all(apps, schema_editor):
    """Each board is made anew once, and with it its best runs are found."""
    apps.get_model("leaderboard", "Board").objects.update(wanted=1, to_recount=True)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_fields_in_words"),
        ("challenges", "0012_names_of_keys_in_words"),
        ("leaderboard", "0005_gold_of_editions"),
        ("submissions", "0009_names_of_keys_in_words"),
    ]

    operations = [
        migrations.CreateModel(
            name="BestRun",
            fields=[
                (
                    "result",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="submissions.result",
                    ),
                ),
                (
                    "reference",
                    models.CharField(
                        blank=True,
                        choices=[("", "ranked"), ("baseline", "baseline"), ("human", "human")],
                        help_text="Of a reference each run has a row; of a team its best.",
                        max_length=8,
                    ),
                ),
                (
                    "n_runs",
                    models.PositiveIntegerField(default=1, help_text="Of the team, with a result, not withdrawn."),
                ),
                ("n_withdrawn", models.PositiveIntegerField(default=0, help_text="Of the team, with a result.")),
            ],
        ),
        migrations.CreateModel(
            name="PerfectRun",
            fields=[
                (
                    "result",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="submissions.result",
                    ),
                ),
                (
                    "is_copy",
                    models.BooleanField(
                        help_text="Whether it equals the gold; unknown until it was looked at.", null=True
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RecordRun",
            fields=[
                (
                    "result",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="submissions.result",
                    ),
                ),
                ("arrived", models.DateTimeField(help_text="When the run was uploaded.")),
                ("score", models.FloatField(help_text="The score that ranks.")),
            ],
            options={
                "ordering": ("gold", "arrived"),
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("work", models.CharField(choices=[("entries", "entries"), ("places", "places")], max_length=7)),
                ("holder", models.UUIDField(help_text="Known only to the process whose turn it is.", null=True)),
                (
                    "ends",
                    models.DateTimeField(
                        help_text="When another one may take it over, unless it is prolonged.", null=True
                    ),
                ),
                ("next", models.DateTimeField(help_text="Not before then it is anybody's turn again.", null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="edition",
            name="one_edition_a_day_and_gold",
        ),
        migrations.AlterField(
            model_name="board",
            name="stale_since",
            field=models.DateTimeField(
                help_text="Since when its entries miss a change; for those who watch, as the counters decide.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="board",
            name="compared",
            field=models.PositiveBigIntegerField(
                default=0, help_text="How many of the changes were there when its entries were last compared."
            ),
        ),
        migrations.AddField(
            model_name="board",
            name="made",
            field=models.PositiveBigIntegerField(default=0, help_text="How many of the changes its entries have."),
        ),
        migrations.AddField(
            model_name="board",
            name="to_recount",
            field=models.BooleanField(
                default=False, help_text="Whether the best runs have to be found anew among all results."
            ),
        ),
        migrations.AddField(
            model_name="board",
            name="wanted",
            field=models.PositiveBigIntegerField(default=0, help_text="How often its results have changed."),
        ),
        migrations.AddField(
            model_name="edition",
            name="is_compared",
            field=models.BooleanField(
                default=True, help_text="Whether it has places; without them it stands only until they are made."
            ),
        ),
        migrations.AlterField(
            model_name="board",
            name="refreshed",
            field=models.DateTimeField(help_text="When its last edition was made.", null=True),
        ),
        migrations.AlterField(
            model_name="edition",
            name="comparison",
            field=models.JSONField(encoder=evalsite.leaderboard.models.FiniteEncoder),
        ),
        migrations.AlterField(
            model_name="edition",
            name="entries",
            field=models.JSONField(encoder=evalsite.leaderboard.models.FiniteEncoder),
        ),
        migrations.AlterField(
            model_name="edition",
            name="further",
            field=models.JSONField(
                default=dict,
                encoder=evalsite.leaderboard.models.FiniteEncoder,
                help_text="Scores that the page shows only when asked for, by name.",
            ),
        ),
        migrations.AddIndex(
            model_name="board",
            index=models.Index(
                condition=models.Q(
                    ("made__lt", models.F("wanted")), ("compared__lt", models.F("wanted")), _connector="OR"
                ),
                fields=["id"],
                name="unfinished_board",
            ),
        ),
        migrations.AddConstraint(
            model_name="edition",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_compared", True), ("is_final", False), ("is_void", False)),
                fields=("board", "day", "gold"),
                name="one_edition_a_day_and_gold",
            ),
        ),
        migrations.AddConstraint(
            model_name="edition",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_compared", False)), fields=("board",), name="one_edition_without_places"
            ),
        ),
        migrations.AddField(
            model_name="bestrun",
            name="gold",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="challenges.gold"
            ),
        ),
        migrations.AddField(
            model_name="bestrun",
            name="team",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.team"),
        ),
        migrations.AddField(
            model_name="perfectrun",
            name="gold",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="challenges.gold"
            ),
        ),
        migrations.AddField(
            model_name="recordrun",
            name="gold",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="challenges.gold"
            ),
        ),
        migrations.AddField(
            model_name="turn",
            name="board",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="turns", to="leaderboard.board"
            ),
        ),
        migrations.AddConstraint(
            model_name="bestrun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reference", "")), fields=("gold", "team"), name="one_best_run_of_a_team"
            ),
        ),
        migrations.AddIndex(
            model_name="recordrun",
            index=models.Index(fields=["gold", "arrived"], name="record_run_by_time"),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(fields=("board", "work"), name="one_turn_for_each_work"),
        ),
        migrations.RunPython(want_all, migrations.RunPython.noop),
    ]
