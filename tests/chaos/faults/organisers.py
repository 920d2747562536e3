"""Organisers at work while people upload."""

import random

from tests.chaos.injecting import fault
from tests.chaos.site import Site


@fault("an organiser changes things and takes them back", breaks="organisers", seconds=12)
def organise(site: Site, rng: random.Random) -> str:
    site.run_inside("organising", str(site.folder), str(rng.randrange(10**6)))
    return "runs withdrawn and restored, a team renamed, the phase closed later"
