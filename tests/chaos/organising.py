"""An organiser withdraws runs and restores them, renames a team, and lets the phase close later, and not at all again.

    python -m tests.chaos.inside organising FOLDER SEED

What was begun is brought to its end, whatever breaks meanwhile, since afterwards all must be as if it had not been.
"""

import random
import sys
import time
from datetime import timedelta
from functools import partial

from django.utils import timezone

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Phase
from evalsite.submissions.changing import restore, withdraw
from evalsite.submissions.models import Submission
from evalsite.submissions.patience import patiently
from evalsite.submissions.rescoring import score_again
from evalsite.submissions.tasks import enqueue

MOST = 8  # runs
SIDE = Submission.Side.ORGANISERS


def main(seed: int) -> None:
    rng = random.Random(seed)
    organiser = patiently(lambda: User.objects.get(email="organiser@example.org"))
    stored = patiently(lambda: list(Submission.objects.order_by("created")))
    runs = rng.sample(stored, min(MOST, len(stored)))
    team = patiently(lambda: Team.objects.order_by("name").first())
    patiently(partial(withdraw, runs, by=organiser, side=SIDE, reason="to be looked at"))
    patiently(lambda: Team.objects.filter(pk=team.pk).update(name=f"{team.name}, once more"))
    patiently(lambda: Phase.objects.update(closes=timezone.now() + timedelta(days=1)))
    enqueue(patiently(partial(score_again, runs, by=organiser)))
    time.sleep(rng.uniform(2, 6))
    patiently(lambda: Phase.objects.update(closes=None))
    patiently(lambda: Team.objects.filter(pk=team.pk).update(name=team.name))
    patiently(partial(restore, runs, by=organiser, side=SIDE))


if __name__ == "__main__":
    main(int(sys.argv[2]))
