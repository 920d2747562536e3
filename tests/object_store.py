"""A real S3 server, moto's, for tests of what is kept in an object store."""

import os
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress

import boto3
import pytest

from evalsite.base import broker
from evalsite.base.storage_address import storage

BUCKET = "evalsite"


@contextmanager
def moto_server(host: str = broker.LOOPBACK):
    """The address of a server of our own, with an empty bucket, as STORAGE_URL takes it."""
    port = broker.free_port()
    endpoint = f"http://{host}:{port}"
    command = [sys.executable, "-m", "moto.server", "-H", host, "-p", str(port)]
    # Its line for each request would be written into a pipe that nobody empties.
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ) as server:
        try:
            wait_until_up(endpoint)
            client_of(endpoint).create_bucket(Bucket=BUCKET)
            yield f"s3://key:secret@/{BUCKET}?region=us-east-1&endpoint={endpoint}"
        finally:
            server.kill()


def wait_until_up(endpoint: str) -> None:
    end = time.monotonic() + 60
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.monotonic() < end:
        with suppress(OSError), opener.open(f"{endpoint}/moto-api/"):
            return
        time.sleep(0.1)
    pytest.fail("moto's server does not answer")


def client_of(endpoint: str):
    keys = {"aws_access_key_id": "key", "aws_secret_access_key": "secret"}
    return boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1", **keys)


@pytest.fixture(scope="session")
def store_address():
    with moto_server() as address:
        yield address


@pytest.fixture
def object_store(store_address, settings, tmp_path):
    """The site keeps its files in an object store, and copies on this machine in a folder of the test."""
    use_store(settings, store_address)
    settings.CACHE_DIR = tmp_path / "cache"


def use_store(settings, address: str) -> None:
    settings.STORAGES = {**settings.STORAGES, "default": storage(address)}
