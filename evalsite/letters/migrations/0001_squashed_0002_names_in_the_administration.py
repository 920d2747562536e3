from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Letter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("message", models.JSONField()),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("next_attempt", models.DateTimeField(db_index=True)),
            ],
            options={"verbose_name": "letter", "verbose_name_plural": "letters"},
        )
    ]
