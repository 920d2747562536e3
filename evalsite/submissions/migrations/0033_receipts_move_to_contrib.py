from django.db import migrations

from evalsite.base.moved_models import ReleaseModel


class Migration(migrations.Migration):
    dependencies = [("submissions", "0032_clean_lines")]

    operations = [
        ReleaseModel("Receipt"),
        ReleaseModel("ReceiptLink"),
        ReleaseModel("ReceiptDay"),
        ReleaseModel("ReceiptChain"),
    ]
