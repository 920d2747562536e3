from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0001_squashed_0013_longer_versions")]

    operations = [
        migrations.AddField(
            model_name="board",
            name="has_lost",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Whether files of its entries were lost or broken when they were last compared.",
            ),
        )
    ]
