import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, OuterRef, Q, Subquery

from evalsite.challenges.models import direction_of


def find_predecessors(apps, schema_editor):
    """Of the runs that are there: by their order of arrival and the scores on the gold that ranks now."""
    Gold = apps.get_model("challenges", "Gold")
    newest = Gold.objects.filter(phase=OuterRef("phase"), scenario=OuterRef("scenario"), state="published")
    in_force = Gold.objects.filter(pk=Subquery(newest.order_by("-version").values("pk")[:1]))
    for gold in in_force.select_related("phase", "scenario"):
        _find_predecessors(apps, gold)


def _find_predecessors(apps, gold):
    Predecessor = apps.get_model("leaderboard", "Predecessor")
    Result = apps.get_model("submissions", "Result")
    lower_is_better = direction_of(gold.scenario.family, gold.scenario.options)[0]
    by_engine = Q(scoring__gold__engine="") | Q(scoring__gold__engine=F("scoring__engine_version"))
    results = Result.objects.filter(by_engine, scoring__gold=gold, scoring__submission__reference="")
    columns = ("submission", "submission__team", "submission__withdrawn", "submission__is_late")
    rows = results.order_by("scoring__submission__created", "scoring__created").values_list(
        *(f"scoring__{column}" for column in columns), "headline"
    )
    standing = {}  # by team how good its run is, and which it is
    found = {}
    for run, team, withdrawn, is_late, headline in rows.iterator():
        if run in found:
            continue
        found[run] = standing.get(team, (0, None))[1]
        height = float("-inf") if headline is None else -headline if lower_is_better else headline
        competes = withdrawn is None and (gold.phase.ranks_late or not is_late)
        if competes and (team not in standing or gold.phase.counts != "best" or height > standing[team][0]):
            standing[team] = height, run
    Predecessor.objects.bulk_create(
        (Predecessor(run_id=run, scenario_id=gold.scenario_id, before_id=before) for run, before in found.items()),
        batch_size=1000,
    )


def recount_boards(apps, schema_editor):
    """Boards on which reported runs have been ranked until now."""
    board, scoring = apps.get_model("leaderboard", "Board"), apps.get_model("submissions", "Scoring")
    reported = scoring.objects.filter(
        submission__is_reported=True, submission__phase=models.OuterRef("phase"), scenario=models.OuterRef("scenario")
    )
    board.objects.filter(models.Exists(reported)).update(to_recount=True, wanted=models.F("wanted") + 1)


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0027_choices_names_of_files_and_reports"),
        ("leaderboard", "0014_boards_that_lack_files"),
        ("submissions", "0019_choices_names_of_files_and_reports"),
    ]

    operations = [
        migrations.AlterField(
            model_name="bestrun",
            name="reference",
            field=models.CharField(
                blank=True,
                help_text="Of a reference each run has a row; of a team the one that counts, and one late or beyond the limits.",
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="bestrun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reference", "beyond")),
                fields=("gold", "team"),
                name="one_run_of_a_team_beyond_the_limits",
            ),
        ),
        migrations.CreateModel(
            name="ComparisonCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(help_text="UTC.")),
                ("n", models.PositiveSmallIntegerField(default=0)),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="challenges.phase"
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.team"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("team", "phase", "day"), name="one_count_a_team_phase_and_day")
                ]
            },
        ),
        migrations.CreateModel(
            name="Predecessor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "before",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="submissions.submission",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="submissions.submission"
                    ),
                ),
                (
                    "scenario",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="challenges.scenario"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("run", "scenario"), name="one_predecessor_on_a_board")]
            },
        ),
        migrations.AddConstraint(
            model_name="bestrun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reference", "reported")),
                fields=("gold", "team"),
                name="one_reported_run_of_a_team",
            ),
        ),
        migrations.RunPython(find_predecessors, migrations.RunPython.noop),
        migrations.RunPython(recount_boards, migrations.RunPython.noop),
    ]
