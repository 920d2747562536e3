from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0017_invitations_of_organisers"),
    ]

    operations = [
        migrations.AddField(
            model_name="download",
            name="version",
            field=models.PositiveIntegerField(default=1, editable=False),
        ),
    ]
