"""Apart from the change of rows before it: PostgreSQL drops no table whose neighbours have changes of keys pending."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0015_states_of_golds"),
    ]

    operations = [
        migrations.DeleteModel(name="AdoptedGold"),
    ]
