import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0019_choices_names_of_files_and_reports"),
    ]

    operations = [
        migrations.AlterField(
            model_name="result",
            name="created",
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
        ),
        migrations.AlterField(
            model_name="scoring",
            name="lease",
            field=models.UUIDField(null=True),
        ),
        migrations.AlterField(
            model_name="scoring",
            name="not_before",
            field=models.DateTimeField(help_text="Until when it rests.", null=True),
        ),
        migrations.DeleteModel(
            name="FaultMail",
        ),
    ]
