"""Names of teams are unique within a task, not on the whole site, and compare by a key of their own."""

from django.db import migrations, models

from evalsite.accounts.names import comparable


def fill_keys(apps, schema_editor):
    Team = apps.get_model("accounts", "Team")
    for team in Team.objects.all().iterator():
        team.name_key = comparable(team.name)
        team.save(update_fields=["name_key"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AlterField("team", "name", models.CharField(max_length=100)),
        migrations.AddField(
            "team",
            "name_key",
            models.CharField(
                db_index=True, default="", editable=False, help_text="By which names compare.", max_length=200
            ),
            preserve_default=False,
        ),
        migrations.RunPython(fill_keys, migrations.RunPython.noop),
    ]
