from django.db import migrations, models

import scoring


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
        ("challenges", "0029_reported_scores"),
        ("submissions", "0021_names_of_files"),
    ]

    operations = [
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
        migrations.RunPython(note_reported_runs, migrations.RunPython.noop),
    ]
