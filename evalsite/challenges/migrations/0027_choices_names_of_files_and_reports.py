from django.db import migrations, models

import evalsite.base.file_names


def name_by_file(apps, schema_editor):
    """Files were stored under their names, and are called so from now on."""
    for model in ("Gold", "Download"):
        rows = apps.get_model("challenges", model).objects
        found = list(rows.only("file"))
        for row in found:
            row.file_name = row.file.name.rpartition("/")[2]
        rows.bulk_update(found, ["file_name"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("challenges", "0001_squashed_0026_kept_resamples")]

    operations = [
        migrations.AddField(
            model_name="phase",
            name="counts_is_usual",
            field=models.BooleanField(
                db_default=False,
                default=False,
                editable=False,
                help_text="Nobody has chosen what counts: it follows what teams see, until the first run comes.",
            ),
        ),
        migrations.AlterField(
            model_name="phase",
            name="counts",
            field=models.CharField(
                choices=[
                    ("best", "the best one"),
                    ("last", "the last one"),
                    ("chosen", "the one that the team chooses"),
                    ("two", "the better of up to two that the team chooses"),
                ],
                default="best",
                help_text="The run that boards show of a team. Of a team that chose none it is the last one.",
                max_length=6,
                verbose_name="what counts",
            ),
        ),
        migrations.AddField(
            model_name="download",
            name="file_name",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                editable=False,
                max_length=255,
                validators=[evalsite.base.file_names.require_plain_name],
                verbose_name="name of the file",
            ),
        ),
        migrations.AddField(
            model_name="gold",
            name="file_name",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="As the organiser's own; formats are told by it.",
                max_length=255,
                validators=[evalsite.base.file_names.require_plain_name],
                verbose_name="name of the file",
            ),
        ),
        migrations.AlterField(
            model_name="picture",
            name="name",
            field=models.CharField(
                max_length=60, validators=[evalsite.base.file_names.require_plain_name], verbose_name="name"
            ),
        ),
        migrations.AlterField(
            model_name="waitinggold",
            name="file_name",
            field=models.CharField(
                help_text="As the organiser's own; formats are told by it.",
                max_length=255,
                validators=[evalsite.base.file_names.require_plain_name],
            ),
        ),
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
        migrations.RunPython(name_by_file, migrations.RunPython.noop),
    ]
