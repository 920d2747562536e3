"""Tells which files for participants may hold the answers, so that no copy of a task gives them away unseen."""

from collections.abc import Sequence
from contextlib import suppress

from django.db.models import QuerySet
from django.utils.translation import gettext

from evalsite.challenges.models import Download, Gold, Phase, Task
from evalsite.challenges.storage.files import sha256_of


def reasons_to_leave(task: Task) -> dict[Download, str]:
    """Return the files for participants, each with why it may hold the answers; "" where nothing speaks for that.

    It may if it is gold byte for byte, or came once its phase had closed, or the last one where it is for all.
    """
    phases = list(task.phases.all())
    digests = _digests_by_size(Gold.objects.filter(phase__task=task, is_input=False))
    return {row: _reason(row, phases, digests) for row in task.downloads.select_related("phase")}


def _reason(download: Download, phases: Sequence[Phase], digests: dict[int, set[str]]) -> str:
    with suppress(OSError):  # a file that is missing has no answers
        if (of_size := digests.get(download.file.size)) and _sha256_of(download) in of_size:
            return gettext("the same as the gold")
    of_file = [download.phase] if download.phase else phases
    closings = [(phase.closes, phase.name) for phase in of_file if phase.closes]
    closes, name = max(closings, default=(None, ""))
    if closes and download.available_from >= closes:
        return gettext("added after %(phase)s closed") % {"phase": name}
    return ""


def _digests_by_size(golds: QuerySet[Gold]) -> dict[int, set[str]]:
    digests: dict[int, set[str]] = {}
    for gold in golds.only("file", "sha256"):
        with suppress(OSError):
            digests.setdefault(gold.file.size, set()).add(gold.sha256)
    return digests


def _sha256_of(download: Download) -> str:
    with download.file.open() as content:
        return sha256_of(content)
