"""Scores runs once more whose evaluations lack resamples that the combined score of their phase needs."""

import structlog

from evalsite.background.handlers import Note, handles
from evalsite.background.models import Job
from evalsite.leaderboard.combined.making import KEEPING, lacking_now
from evalsite.leaderboard.models import Combined
from evalsite.leaderboard.remaking import CannotMake, make_again
from evalsite.leaderboard.tasks import tell_combined

log = structlog.get_logger()


@handles(KEEPING)
def keep_more(job: Job, note: Note) -> bool:
    """All that lack them now; what cannot be made again with the same numbers stays as it is, and the board says so."""
    combined = Combined.objects.filter(phase=job.subject).select_related("phase__task").first()
    if combined is None:
        return True
    results, n_made = lacking_now(combined), 0
    for number, result in enumerate(results, start=1):
        try:
            make_again(result)
            n_made += 1
        except CannotMake as error:
            log.error("a run cannot be scored again", result=str(result.pk), error=str(error))
        note(number, len(results))
    if n_made:
        Combined.objects.filter(pk=combined.pk).update(basis="")  # it was made of what is there no more
        tell_combined(combined.pk)
    return True
