from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0003_former_participations"),
    ]

    operations = [
        migrations.AddField(
            model_name="phase",
            name="gold_released_since",
            field=models.DateTimeField(
                editable=False, help_text="Empty: from the beginning, where the gold is released at all.", null=True
            ),
        ),
    ]
