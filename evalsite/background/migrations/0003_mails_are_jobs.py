import json

from django.db import migrations, models
from django.db.migrations.recorder import MigrationRecorder

# Apps that are no more, and their tables.
FORMER_APPS = ("clock", "letters")
FORMER_TABLES = ("clock_lead", "letters_letter")


def take_letters(apps, schema_editor):
    """Mails that wait go on to wait as jobs, before their table goes, and that of the clocks with it."""
    connection = schema_editor.connection
    tables = set(connection.introspection.table_names()).intersection(FORMER_TABLES)
    if "letters_letter" in tables:
        with connection.cursor() as cursor:
            cursor.execute("SELECT message FROM letters_letter ORDER BY created")
            letters = [json.loads(message) for (message,) in cursor.fetchall()]
        jobs = apps.get_model("background", "Job").objects
        jobs.bulk_create(jobs.model(kind="mail", arguments=letter) for letter in letters)
    for table in sorted(tables):
        schema_editor.execute(f"DROP TABLE {table}")
    # Migrations that no code has would look like those of a newer version.
    MigrationRecorder(connection).migration_qs.filter(app__in=FORMER_APPS).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("background", "0001_squashed_0002_results_of_jobs"),
    ]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="lease",
            field=models.UUIDField(null=True),
        ),
        migrations.AlterField(
            model_name="job",
            name="not_before",
            field=models.DateTimeField(help_text="Until when it rests.", null=True),
        ),
        migrations.RunPython(take_letters, migrations.RunPython.noop, elidable=True),
    ]
