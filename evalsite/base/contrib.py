"""The extension points of the core: what an app of `evalsite/contrib` adds to it. docs/contrib.md shows how.

The core imports no such app. It asks this module what the installed ones have declared in their `ContribConfig`, so an
app is taken out by a line of `INSTALLED_APPS`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from importlib.util import find_spec
from typing import Any, ClassVar

from django.apps import AppConfig, apps
from django.core.checks import Error, register
from django.template import Context
from django.urls import include, path
from django.utils.functional import Promise
from django.utils.module_loading import import_string


class Place(StrEnum):
    """Names the places on pages of the core; the comments name the variables that panels get there."""

    BOARD_SOURCE = "board.source"  # below a board, in the paragraph on its gold; task, phase
    DESK_GOLD_ADD = "desk.gold.add"  # of the desk's page on which gold is added, behind its form; task, phase
    DESK_PHASE = "desk.phase"  # of the desk's page of a phase, behind its settings; phase
    DESK_TEAM = "desk.team"  # on top of the desk's page of a team; task, line (its team)
    DESK_TEAMS = "desk.teams"  # behind the sentence above the desk's list of teams; task
    PROFILE = "profile"  # links on one's account
    RUN_LINKS = "run.links"  # of the page of a run, below the link that compares it; task, phase, section
    RUN_POSITION = "run.position"  # among the facts on where a run stands; section, submission, kind
    TASK_PHASES = "task.phases"  # below the phases of a task's page; task


class Trait(StrEnum):
    """Says what the core does with an address of the app."""

    KEPT = "kept"  # of a phase: one page for all visitors, but where teams are numbers each who logs in gets an own one
    PREVIEWED = "previewed"  # organisers see it in a preview as a stranger or participant will
    STATIC_FILE = "static file"  # a file that belongs to the pages of a finished task as a folder
    STATIC_PAGE = "static page"  # a page that belongs to them
    TAKES_RUNS = "takes runs"  # organisers send files there that are as large as uploads


@dataclass(frozen=True)
class Panel:
    """Adds a piece to a page: a template, rendered where its place is, with the page's own variables."""

    place: Place
    template: str
    context: str = ""  # path of a function of the page's context, which returns further variables


@dataclass(frozen=True)
class BoardPage:
    """Adds a page to each board, among the board's tabs, behind those of the core."""

    name: str  # of its address, which takes task, phase and the number of the scenario
    title: str | Promise
    condition: str  # path of a function of a role, a phase and what its board ranks by: True where the page is there

    @cached_property
    def is_open(self) -> Callable[..., bool]:
        condition: Callable[..., bool] = import_string(self.condition)
        return condition


@dataclass(frozen=True)
class DeskSection:
    """Describes a section of a task's desk, as it stands in the navigation."""

    name: str  # of its address, which takes the task's slug; of pages below it too: desk_gold, desk_gold_add
    title: str | Promise
    after: str = ""  # of an app of contrib: the name of the section that it follows


class ContribConfig(AppConfig):
    """Declares an app that a site can do without. Its module `urls`, where there is one, is included by itself."""

    panels: ClassVar[Sequence[Panel]] = ()
    board_pages: ClassVar[Sequence[BoardPage]] = ()
    desk_sections: ClassVar[Sequence[DeskSection]] = ()
    addresses: ClassVar[dict[str, set[Trait]]] = {}  # what the core does with an address, by its name
    event_words: ClassVar[dict[str, Promise]] = {}  # what the log says of the kinds of events that the app records
    admits: ClassVar[str] = ""  # path of a function of task and user: True where the person enters in any case
    requires: ClassVar[Sequence[str]] = ()  # names of the apps of contrib that it imports

    default = False  # Django takes the one class of an app's module that has it True, and this one is imported there

    def __init_subclass__(cls) -> None:
        cls.default = True


@register()
def check_requirements(**kwargs: Any) -> list[Error]:
    """Return an error for each installed app of which a required one is missing."""
    labels = {config.label for config in installed()}
    return [
        Error(f"{config.name} needs the app {name!r} of evalsite.contrib.", id="evalsite.E006")
        for config in installed()
        for name in config.requires
        if name not in labels
    ]


def installed() -> list[ContribConfig]:
    """Return the configurations of the installed apps of contrib, in the order of INSTALLED_APPS."""
    return [config for config in apps.get_app_configs() if isinstance(config, ContribConfig)]


def url_patterns() -> list[Any]:
    """Return the addresses of all installed apps."""
    modules = [f"{config.name}.urls" for config in installed()]
    return [path("", include(module)) for module in modules if find_spec(module)]


@cache
def panels_at(place: Place) -> list[tuple[str, Callable[[Context], dict[str, Any]]]]:
    """Return the templates at a place, and for each the function that returns its further variables."""
    panels = [panel for config in installed() for panel in config.panels if panel.place == place]
    return [(panel.template, import_string(panel.context) if panel.context else lambda context: {}) for panel in panels]


@cache
def names_with(trait: Trait) -> frozenset[str]:
    """Return the names of the addresses with this trait."""
    return frozenset(name for config in installed() for name, traits in config.addresses.items() if trait in traits)


def event_words() -> dict[str, Promise]:
    """Return the words for kinds of events of all installed apps."""
    return {kind: words for config in installed() for kind, words in config.event_words.items()}


def admits(task: Any, user: Any) -> bool:
    """Return whether one of the apps lets the person enter the task, however teams enter it."""
    return any(import_string(config.admits)(task, user) for config in installed() if config.admits)


@cache
def board_pages() -> dict[str, BoardPage]:
    """Return the pages of boards of all installed apps by their names, in the order of INSTALLED_APPS."""
    return {page.name: page for config in installed() for page in config.board_pages}


def desk_sections() -> list[DeskSection]:
    """Return the sections of all installed apps."""
    return [section for config in installed() for section in config.desk_sections]
