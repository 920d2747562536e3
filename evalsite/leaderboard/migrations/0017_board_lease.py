from django.db import migrations, models


class Migration(migrations.Migration):
    """Renames a model and leaves its table as it is."""

    dependencies = [("leaderboard", "0016_one_lease")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Turn", "BoardLease"),
                migrations.AlterModelTable("BoardLease", "leaderboard_turn"),
                migrations.AlterField(
                    "BoardLease",
                    "board",
                    models.ForeignKey(on_delete=models.deletion.CASCADE, related_name="leases", to="leaderboard.board"),
                ),
            ]
        )
    ]
