"""Names of teams compare also by how they look."""

from django.db import migrations, models

from evalsite.accounts.names import comparable, look


def fill_keys(apps, schema_editor):
    Team = apps.get_model("accounts", "Team")
    for team in Team.objects.all().iterator():
        team.name_key, team.look_key = comparable(team.name), look(team.name)
        team.save(update_fields=["name_key", "look_key"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_upload_attempts")]

    operations = [
        migrations.AddField(
            "team",
            "look_key",
            models.CharField(
                db_index=True, default="", editable=False, help_text="By which looks compare.", max_length=200
            ),
            preserve_default=False,
        ),
        migrations.RunPython(fill_keys, migrations.RunPython.noop),
    ]
