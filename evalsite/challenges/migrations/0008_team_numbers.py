import django.db.models.deletion
from django.db import migrations, models

from evalsite.challenges.numbers import drawn


def number_teams(apps, schema_editor):
    """Teams keep a number in each phase of a task, also those that have brought their runs into others."""
    task_model, number_model = apps.get_model("challenges", "Task"), apps.get_model("challenges", "TeamNumber")
    for task in task_model.objects.all():
        teams = [*task.participations.values_list("team_id", flat=True)]
        teams += task.former_participations.values_list("former", flat=True)
        for phase in task.phases.all():
            taken = set()
            for team in dict.fromkeys(teams):
                number = next(each for each in drawn(phase.pk, team) if each not in taken)
                taken.add(number)
                number_model.objects.create(phase=phase, team=team, number=number)


class Migration(migrations.Migration):
    dependencies = (("challenges", "0007_events_of_teams"),)

    operations = (
        migrations.AlterField(
            model_name="phase",
            name="shows_scores",
            field=models.BooleanField(
                default=True,
                help_text="Off: nobody but the organisers sees a score, on boards neither, until the results are released.",
                verbose_name="teams see their own scores",
            ),
        ),
        migrations.AlterField(
            model_name="phase",
            name="window_limit",
            field=models.PositiveIntegerField(
                blank=True,
                default=5,
                help_text="Per team. Empty: no limit, as where the gold is released; hidden gold could be read by many runs.",
                null=True,
                verbose_name="uploads per window",
            ),
        ),
        migrations.CreateModel(
            name="TeamNumber",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("team", models.UUIDField(help_text="Key of a team, which may be there no more.")),
                ("number", models.PositiveIntegerField()),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="team_numbers", to="challenges.phase"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "team"), name="one_number_of_team_in_phase"),
                    models.UniqueConstraint(fields=("phase", "number"), name="team_number_in_phase"),
                ],
            },
        ),
        migrations.RunPython(number_teams, migrations.RunPython.noop),
    )
