"""Doctor, tidy, backup and restore where the files are not on a disk but in an object store."""

from io import StringIO

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command

from evalsite.submissions.models import Result
from evalsite.upkeep import stored, tidying
from evalsite.upkeep.checks import contents
from evalsite.upkeep.stored import compare

boto3 = pytest.importorskip("boto3", reason="the client of object stores is not installed")
moto = pytest.importorskip("moto", reason="the object store that tests talk to is not installed")
pytest.importorskip("storages", reason="Django's storage for object stores is not installed")

pytestmark = [pytest.mark.thorough, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _bucket(settings, monkeypatch):
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    options = {
        "bucket_name": "runs",
        "location": "site",
        "access_key": "x",
        "secret_key": "x",
        "region_name": "eu-west-1",
    }
    with moto.mock_aws():
        client = boto3.client("s3", "eu-west-1", aws_access_key_id="x", aws_secret_access_key="x")
        client.create_bucket(Bucket="runs", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        backend = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options | {"file_overwrite": False}}
        settings.STORAGES = settings.STORAGES | {"default": backend}
        yield


def evaluation() -> bytes:
    with Result.objects.get().evaluation.open() as stream:
        return stream.read()


@pytest.mark.filterwarnings("ignore:datetime.datetime.utcnow:DeprecationWarning")
@pytest.mark.usefixtures("own_temporary_folder")
def test_files_in_an_object_store_are_looked_at_tidied_backed_up_and_restored(scored_submission, monkeypatch, tmp_path):
    default_storage.save("submissions/lost/run.zip", ContentFile(b"x"))
    found = contents.files()
    assert (found.facts["rows"], found.facts["files"], found.facts["young"]) == (3, 4, 1)
    assert contents.storage().state == "ok"

    monkeypatch.setattr(tidying, "AGE", tidying.timedelta(0))
    call_command("tidy", stdout=StringIO())
    assert compare().is_clean

    folder = str(tmp_path / "backup")
    call_command("backup", folder, stdout=StringIO())
    content = evaluation()
    for file in list(stored.walk(["submissions", "results", "gold"])):
        default_storage.delete(file.name)
    call_command("flush", verbosity=0, interactive=False)
    call_command("restore", folder, stdout=StringIO())
    assert compare().is_clean
    assert evaluation() == content
    output = StringIO()
    call_command("restore", folder, "--replace", stdout=output)
    assert "3 files, of which 0 were not there" in output.getvalue()
