import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("challenges", "0006_waiting_gold"),
    ]

    operations = [
        migrations.AlterField(
            model_name="event",
            name="task",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="events",
                to="challenges.task",
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="team",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="events",
                to="accounts.team",
            ),
        ),
        migrations.AlterField(
            model_name="event",
            name="subject",
            field=models.UUIDField(
                help_text="The submission, scoring, gold, phase or team that it is about.",
                null=True,
            ),
        ),
    ]
