"""The mail server."""

import random
import time

from tests.chaos.injecting import fault
from tests.chaos.site import Site


@fault("mail server away", breaks="mail", seconds=30)
def mail_away(site: Site, rng: random.Random) -> str:
    site.mail_door.shut()
    try:
        time.sleep(30)
    finally:
        site.mail_door.open()
    return "for 30 s"
