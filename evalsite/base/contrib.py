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
from uuid import UUID

from django.apps import AppConfig, apps
from django.core.checks import Error, register
from django.template import Context
from django.urls import include, path
from django.utils.functional import Promise
from django.utils.module_loading import import_string


class Place(StrEnum):
    """Names the places on pages of the core; the comments name the variables that panels get there."""

    BOARD_CITATION = "board.citation"  # below the citation of a board; task, phase, scenario, edition
    BOARD_HEAD = "board.head"  # in the head of a board's page, for programs; task, phase, scenario, edition
    BOARD_SOURCE = "board.source"  # below a board, in the paragraph on its gold; task, phase
    DESK_ENDING = "desk.ending"  # of the desk's page "Take it with you": what is made of a task as files; task
    DESK_GOLD = "desk.gold"  # of the desk's list of gold, behind that of each phase; task, row (the phase and its gold)
    DESK_GOLD_ADD = "desk.gold.add"  # of the desk's page on which gold is added, behind its form; task, phase
    DESK_NEW = "desk.new"  # among the ways to begin a new task, before the form of an empty one
    DESK_PHASE = "desk.phase"  # of the desk's page of a phase, behind its settings; phase
    DESK_SCENARIO = "desk.scenario"  # of the desk's page of a scenario, behind who scores it; task, scenario, form
    DESK_TEAM = "desk.team"  # on top of the desk's page of a team; task, line (its team)
    DESK_TEAMS = "desk.teams"  # behind the sentence above the desk's list of teams; task
    ENTRY = "entry"  # behind all of the page of an entry; task, phase, submission, is_own
    ENTRY_CITATION = "entry.citation"  # below the citation of an entry; task, phase, submission
    HELP = "help"  # behind the last line of Help's contents
    HOME = "home"  # among what one can begin with, on the front page
    HOW_TO_READ = "how_to_read"  # below the first paragraph of the page on how to read a board
    OWN_RUNS = "own_runs"  # below the title of the page of one's runs in a task; task, teams
    PROFILE = "profile"  # links on one's account
    RUN_LINKS = "run.links"  # of the page of a run, below the link that compares it; task, phase, section
    RUN_POSITION = "run.position"  # among the facts on where a run stands; section, submission, kind
    RUN_UPLOAD = "run.upload"  # among the facts on the upload of a run, behind its digest; submission
    STATUS = "status"  # of the page of the site's condition, behind its lines
    TASK_HEAD = "task.head"  # in the head of a task's page, for programs; task, overview
    TASK_NEWS = "task.news"  # below the announcements on a task's page; task
    TASK_PHASES = "task.phases"  # below the phases of a task's page; task


class Trait(StrEnum):
    """Says what the core does with an address of the app."""

    EMBEDDED = "embedded"  # of a phase: a picture that other sites show, kept for all
    FRAMED = "framed"  # of a phase: a page that other sites frame, kept for all; no form, and nothing of its visitor's
    KEPT = "kept"  # of a phase: one page for all visitors, but where teams are numbers each who logs in gets an own one
    LISTED = "listed"  # of the site as a whole: search engines are told of it
    PREVIEWED = "previewed"  # organisers see it in a preview as a stranger or participant will
    STATIC_FILE = "static file"  # a file that belongs to the pages of a finished task as a folder
    STATIC_PAGE = "static page"  # a page that belongs to them
    TAKES_FILES = "takes files"  # anybody sends files there that are as large as those of a check without an account
    TAKES_RUNS = "takes runs"  # organisers send files there that are as large as uploads
    TAKES_SCORES = "takes scores"  # of the API: whoever has a token sends JSON there that is as large as an upload


class Ability(StrEnum):
    """Names what the core knows of and offers only where an app carries it out."""

    JUDGING = "judging"  # runs wait for scores that are made elsewhere


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
class BoardFormat:
    """Writes each board as a file, whose suffix is part of its address."""

    content_type: str
    write: Callable[[Any], str | bytes]  # takes what the visitor may see of the board, an `Exported`
    title: str | Promise = ""  # among the downloads above the board; without one no visitor is led there
    is_of_released: bool = False  # the file is there once the results are released


@dataclass(frozen=True)
class DeskSection:
    """Describes a section of a task's desk, as it stands in the navigation."""

    name: str  # of its address, which takes the task's slug; of pages below it too: desk_gold, desk_gold_add
    title: str | Promise
    after: str = ""  # of an app of contrib: the name of the section that it follows


@dataclass(frozen=True)
class RunField:
    """Adds a field to what the API says of a run."""

    kind: Any  # its annotation in the schema
    description: str  # in the API's reference, marked for translation
    value: Callable[[Any], Any]  # takes the submission


@dataclass(frozen=True)
class Waiting:
    """Something in a task that waits for its organisers: a line of To do, and a number beside a section's title."""

    task: UUID
    section: str  # name of the section of the desk where it is done
    n: int  # how many things it is, such as teams or runs
    text: str  # a sentence that names the number
    action: str  # the words of the link
    address: str


class ContribConfig(AppConfig):
    """Declares an app that a site can do without. Its module `urls`, where there is one, is included by itself."""

    panels: ClassVar[Sequence[Panel]] = ()
    board_pages: ClassVar[Sequence[BoardPage]] = ()
    board_formats: ClassVar[dict[str, str]] = {}  # by its suffix the path of a BoardFormat
    desk_sections: ClassVar[Sequence[DeskSection]] = ()
    addresses: ClassVar[dict[str, set[Trait]]] = {}  # what the core does with an address, by its name
    event_words: ClassVar[dict[str, Promise]] = {}  # what the log says of the kinds of events that the app records
    abilities: ClassVar[Sequence[Ability]] = ()
    api_router: ClassVar[str] = ""  # path of a Router of django-ninja, whose addresses are of the API
    admits: ClassVar[str] = ""  # path of a function of task and user: True where the person enters in any case
    waiting: ClassVar[str] = ""  # path of a function of tasks, a QuerySet, that yields what waits for organisers
    run_fields: ClassVar[dict[str, str]] = {}  # by its name in the API the path of a RunField
    jobs: ClassVar[dict[str, str]] = {}  # by the kind of a background job the path of its handler
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


def can(ability: Ability) -> bool:
    """Return whether an installed app has this ability."""
    return any(ability in config.abilities for config in installed())


def api_routers() -> list[Any]:
    """Return the routers of the API of all installed apps."""
    return [import_string(config.api_router) for config in installed() if config.api_router]


@cache
def names_with(trait: Trait) -> frozenset[str]:
    """Return the names of the addresses with this trait."""
    return frozenset(name for config in installed() for name, traits in config.addresses.items() if trait in traits)


def event_words() -> dict[str, Promise]:
    """Return the words for kinds of events of all installed apps."""
    return {kind: words for config in installed() for kind, words in config.event_words.items()}


def waiting_in(tasks: Any) -> list[Waiting]:
    """Return what waits for the organisers of these tasks, a QuerySet, by all installed apps."""
    return [item for config in installed() if config.waiting for item in import_string(config.waiting)(tasks)]


@cache
def run_fields() -> dict[str, RunField]:
    """Return what installed apps add to the API's description of a run."""
    return {name: import_string(path) for config in installed() for name, path in config.run_fields.items()}


@cache
def job_handlers() -> dict[str, str]:
    """Return the paths of the handlers of installed apps, by the kinds of their jobs: a worker loads few of them."""
    return {kind: path for config in installed() for kind, path in config.jobs.items()}


def admits(task: Any, user: Any) -> bool:
    """Return whether one of the apps lets the person enter the task, however teams enter it."""
    return any(import_string(config.admits)(task, user) for config in installed() if config.admits)


@cache
def board_pages() -> dict[str, BoardPage]:
    """Return the pages of boards of all installed apps by their names, in the order of INSTALLED_APPS."""
    return {page.name: page for config in installed() for page in config.board_pages}


@cache
def board_formats() -> dict[str, BoardFormat]:
    """Return the further files of a board by their suffixes."""
    return {suffix: import_string(path) for config in installed() for suffix, path in config.board_formats.items()}


def desk_sections() -> list[DeskSection]:
    """Return the sections of all installed apps."""
    return [section for config in installed() for section in config.desk_sections]
