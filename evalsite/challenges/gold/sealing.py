"""Seals gold: a worker moves it to a folder of the storage in which web processes cannot write.

Web processes receive gold, so they can write where it arrives. On a server the sealed folder is read-only for them
alone; on a laptop nothing differs.
"""

from pathlib import PurePosixPath

import structlog

from evalsite.challenges.models import SEALED_GOLD, Gold
from evalsite.challenges.storage.files import sha256_of

log = structlog.get_logger()


def seal_all() -> None:
    """Seal all gold that is not sealed yet; several workers may do so at once, and be killed meanwhile."""
    for gold in Gold.objects.exclude(file__startswith=f"{SEALED_GOLD}/"):
        try:
            _seal(gold)
        except OSError:
            log.exception("gold cannot be sealed", gold=str(gold.pk), file=gold.file.name)


def _seal(gold: Gold) -> None:
    """Copy the file and have the row name the copy; the file itself stays for its readers until `manage.py tidy`."""
    storage, before = gold.file.storage, gold.file.name or ""
    wanted = f"{SEALED_GOLD}/{gold.pk}/{PurePosixPath(before).name}"
    with storage.open(before) as source:
        name = storage.save(wanted, source, max_length=gold.file.field.max_length)
    with storage.open(name) as copy:  # which nobody else can change any more
        is_whole = sha256_of(copy) == gold.sha256
    if not is_whole:
        log.error("gold is not sealed, as its file is not what was stored", gold=str(gold.pk), file=before)
    elif Gold.objects.filter(pk=gold.pk, file=before).update(file=name):
        log.info("gold sealed", gold=str(gold.pk))
    # Another worker may have been faster, and an object store may have given both the same name.
    if not Gold.objects.filter(file=name).exists():
        storage.delete(name)
