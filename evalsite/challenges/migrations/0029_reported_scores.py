from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0028_names_of_files"),
    ]

    operations = [
        migrations.AddField(
            model_name="scenario",
            name="takes_reports",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="For scores made elsewhere. Off: the organisers bring them, and nobody else uploads. On: what teams report "
                "stands on boards as the team says, outside the ranks and all tests.",
                verbose_name="participants report scores of their own",
            ),
        ),
    ]
