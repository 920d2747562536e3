from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0021_messages_as_data"),
    ]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="is_sample",
            field=models.BooleanField(
                db_default=False,
                default=False,
                editable=False,
                help_text="Its files are the sample that the site gives out, as it is.",
                verbose_name="the site's sample",
            ),
        ),
    ]
