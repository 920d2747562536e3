"""Tests that an archive is streamed: what it takes of memory does not grow with the runs' files and figures."""

import tracemalloc
from uuid import uuid4

import pytest

from evalsite.challenges.storage.zip_streams import zipped
from evalsite.contrib.archives.writing import Archive
from evalsite.submissions.models import Result, ResultTables, Scoring, Submission
from tests.evalsite.contrib.archives.finished import make_finished

pytestmark = pytest.mark.django_db
N_RUNS = 1_000
MOST = 150 * 2**20  # bytes


def copies(row, n: int, **values):
    """Return copies of a row that are not stored yet."""
    names = [field.attname for field in row._meta.concrete_fields]
    return [type(row)(**{name: getattr(row, name) for name in names} | values) for _ in range(n)]


@pytest.mark.thorough
def test_an_archive_of_a_thousand_runs_takes_less_than_150_mb_of_memory(olga):
    task = make_finished(olga)
    found = Result.objects.filter(scoring__scenario__number=2, scoring__submission__reference="")
    result = found.select_related("scoring__submission").first()
    runs = copies(result.scoring.submission, N_RUNS)
    scorings, results, tables = [], [], []
    for run in runs:
        run.pk = uuid4()
        scorings += copies(result.scoring, 1, id=uuid4(), submission_id=run.pk)
        results += copies(result, 1, scoring_id=scorings[-1].pk)
        tables += copies(result.stored_tables, 1, result_id=scorings[-1].pk)
    for model, rows in ((Submission, runs), (Scoring, scorings), (Result, results), (ResultTables, tables)):
        model.objects.bulk_create(rows)
    tracemalloc.start()
    try:
        size = sum(map(len, zipped(Archive(task).members())))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size > N_RUNS * 1_000
    assert peak < MOST, f"{peak / 2**20:.0f} MB"
    print(f"{peak / 2**20:.1f} MB at most, for {size / 2**20:.1f} MB")
