"""How often a person may send uploads that are refused."""

from datetime import datetime

from django.conf import settings

from evalsite.accounts.models import UploadAttempt, User


class TooManyAttempts(Exception):
    """The person has had as many uploads refused, or being checked, as may be; `again` is when the next may come."""

    def __init__(self, n_refused: int, again: datetime) -> None:
        super().__init__(f"{n_refused} refused")
        self.n_refused = n_refused
        self.again = again


def begin(user: User, now: datetime) -> UploadAttempt:
    """Count an upload as refused before it is looked at; delete what is returned once it is taken.

    So uploads that are sent at the same moment, to whichever process, are all counted: each counts itself first, and
    looks at the others then. At the limit several may thus turn each other away. Raises TooManyAttempts.
    """
    attempt = UploadAttempt.objects.create(user=user, made=now)
    since = now - settings.REFUSED_UPLOADS_WINDOW
    attempts = UploadAttempt.objects.filter(user=user).exclude(pk=attempt.pk).order_by("-made")
    others = list(attempts.values_list("made", flat=True)[: settings.MAX_REFUSED_UPLOADS + 1])
    if others and others[-1] <= since:
        attempts.filter(made__lte=since).delete()
    made = [each for each in others if since < each][: settings.MAX_REFUSED_UPLOADS]
    if len(made) == settings.MAX_REFUSED_UPLOADS:
        attempt.delete()
        raise TooManyAttempts(len(made), made[-1] + settings.REFUSED_UPLOADS_WINDOW)
    return attempt


def charge(attempt: UploadAttempt, seconds: float) -> None:
    """Count an upload that was refused, or was checked only, once more for each two seconds that it kept the site busy.

    Else a few accounts that send files which are slow to check could keep everybody else's from being looked at.
    """
    further = int(seconds // _SECONDS_OF_ONE)
    UploadAttempt.objects.bulk_create(UploadAttempt(user=attempt.user, made=attempt.made) for _ in range(further))


_SECONDS_OF_ONE = 2
