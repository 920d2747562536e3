from django.db import migrations, models
from django.db.models import Q

import evalsite.base.file_names
import scoring


def take_last_part(apps, schema_editor):
    """Of names that came with folders, when uploads in parts kept them."""
    for model, column in (("Submission", "file_name"), ("KeptUpload", "name")):
        rows = apps.get_model("submissions", model).objects
        for row in rows.filter(Q(**{f"{column}__contains": "/"}) | Q(**{f"{column}__contains": "\\"})).only(column):
            setattr(row, column, evalsite.base.file_names.plain_name(getattr(row, column)))
            row.save(update_fields=[column])


def note_reported_runs(apps, schema_editor):
    """What others than organisers of the task have uploaded of scores that were made elsewhere, they have reported."""
    submission, organiser = apps.get_model("submissions", "Submission"), apps.get_model("challenges", "Organiser")
    brought = [name for name, family in scoring.FAMILIES.items() if family.is_brought_by_organisers]
    by_organisers = organiser.objects.filter(task=models.OuterRef("phase__task"), user=models.OuterRef("uploader"))
    of_families = submission.objects.filter(scorings__scenario__family__in=brought, reference="")
    reported = of_families.exclude(models.Exists(by_organisers)).exclude(uploader__is_superuser=True)
    submission.objects.filter(pk__in=reported.values("pk")).update(is_reported=True)


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0027_choices_names_of_files_and_reports"),
        ("submissions", "0001_squashed_0018_longer_versions"),
    ]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="is_beyond_limit",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="It was brought into a team that had no place left for it, and does not compete.",
                verbose_name="beyond the limits",
            ),
        ),
        migrations.RemoveConstraint(model_name="choice", name="one_choice_of_a_team_on_a_board"),
        migrations.AddConstraint(
            model_name="choice",
            constraint=models.UniqueConstraint(
                fields=("scenario", "submission"), name="a_run_is_chosen_once_on_a_board"
            ),
        ),
        migrations.AlterField(
            model_name="keptupload",
            name="name",
            field=models.CharField(
                help_text="Of the file, or of the archive that the site has packed.",
                max_length=255,
                validators=[evalsite.base.file_names.require_plain_name],
            ),
        ),
        migrations.AlterField(
            model_name="submission",
            name="file_name",
            field=models.CharField(max_length=255, validators=[evalsite.base.file_names.require_plain_name]),
        ),
        migrations.AddField(
            model_name="submission",
            name="is_reported",
            field=models.BooleanField(
                db_default=False,
                default=False,
                editable=False,
                help_text="The team has uploaded scores that were made elsewhere: they stand outside the ranks.",
                verbose_name="as the team says",
            ),
        ),
        migrations.RunPython(take_last_part, migrations.RunPython.noop),
        migrations.RunPython(note_reported_runs, migrations.RunPython.noop),
    ]
