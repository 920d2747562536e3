from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0022_sample"),
    ]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="affiliation",
            field=models.CharField(blank=True, db_default="", max_length=200, verbose_name="affiliation"),
        ),
        migrations.AddField(
            model_name="submission",
            name="code",
            field=models.URLField(blank=True, db_default="", verbose_name="code"),
        ),
        migrations.AddField(
            model_name="submission",
            name="facts",
            field=models.JSONField(blank=True, db_default={}, default=dict, verbose_name="facts"),
        ),
        migrations.AddField(
            model_name="submission",
            name="is_contrastive",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Made to compare with, beside the primary run of the team.",
                verbose_name="contrastive",
            ),
        ),
        migrations.AddField(
            model_name="submission",
            name="shows_description",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Everybody reads it on the page of the entry, once the results are released.",
                verbose_name="description is public",
            ),
        ),
    ]
