"""Lists which picture shows which page, to whom."""

from dataclasses import dataclass
from pathlib import Path

from demo.plan import ORGANISER, PARTICIPANT

FOLDER = Path(__file__).parents[2] / "docs" / "guides" / "pictures"
MOST_BYTES = 150_000  # of a picture
WIDTH = 1100  # of the window, in pixels


@dataclass(frozen=True)
class Shot:
    """`path` is where the page lies; `follow` are texts of links to go on by; `height` is that of the window."""

    path: str
    who: str = ""  # e-mail address; "" for a stranger
    follow: tuple[str, ...] = ()
    checks_a_mistake: bool = False
    height: int = 720


TASK = "/tasks/ehealthkd-demo/"
SHOTS = {
    "home": Shot("/"),
    "task": Shot(TASK, height=820),
    "board": Shot(f"{TASK}test/board/1/", height=820),
    "upload": Shot(f"{TASK}development/submit/", PARTICIPANT, height=860),
    "problems": Shot(f"{TASK}development/submit/", PARTICIPANT, checks_a_mistake=True, height=620),
    "run": Shot(f"{TASK}submissions/", PARTICIPANT, follow=("Multilingual transformer, joint, ensemble of five",)),
    "desk": Shot(f"{TASK}organise/", ORGANISER, height=1090),
    "phase": Shot(f"{TASK}organise/phases/test/", ORGANISER, height=835),
}
