"""Add the mark that keeps data, pages and files for the teams that take part."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("challenges", "0034_banned_teams")]

    operations = [
        migrations.AddField(
            model_name="download",
            name="members_only",
            field=models.BooleanField(
                db_default=False, default=False, help_text="Others read its title alone.", verbose_name="members only"
            ),
        ),
        migrations.AddField(
            model_name="page",
            name="members_only",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Others read its title alone; pictures in it stay open to everybody.",
                verbose_name="members only",
            ),
        ),
        migrations.AddField(
            model_name="phase",
            name="members_only",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="The data of the phase are for teams that take part: starter kit, samples, checks and, once it is released, the gold.",
                verbose_name="members only",
            ),
        ),
    ]
