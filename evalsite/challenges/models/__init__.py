"""Models of tasks, with their scenarios, phases, gold, texts, teams and audit trail."""

from evalsite.challenges.models.entering import Agreement, Application, EntryRules
from evalsite.challenges.models.events import Changes, Event, record
from evalsite.challenges.models.fact_sheets import FactSheet
from evalsite.challenges.models.gold import (
    JUDGE_LENGTH,
    SEALED_GOLD,
    Gold,
    GoldQuerySet,
    GoldSplit,
    Part,
    WaitingGold,
    number_versions,
    set_numbers,
)
from evalsite.challenges.models.phases import N_CHOICES, USUAL_LIMIT, Limit, Phase
from evalsite.challenges.models.scenarios import Scenario, direction_of, is_brought_by_organisers, is_perfect
from evalsite.challenges.models.tasks import Organiser, OrganiserInvitation, Task, published
from evalsite.challenges.models.teams import FormerParticipation, Participation, TeamNumber
from evalsite.challenges.models.texts import Announcement, Download, FormerAddress, Page, Picture
