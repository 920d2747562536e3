"""Taking gold in which something looked odd, as it was read by the organiser who takes it."""

from dataclasses import dataclass, field

from evalsite.accounts.models import User
from evalsite.challenges.gold.report import Report, remarks_of, report_on, store_all
from evalsite.challenges.gold.services import stop_waiting
from evalsite.challenges.models import Gold, WaitingGold
from evalsite.challenges.storage.files import at_path


@dataclass(frozen=True)
class Taken:
    """What became of it: gold, or why there is none."""

    golds: list[Gold] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)
    problem: str = ""  # in the engine's words
    is_changed: bool = False  # it looks otherwise than the organiser has read; what is stored is what it looks like now


def take(waiting: WaitingGold, *, by: User) -> Taken:
    phase = waiting.phase
    with waiting.file.open() as file, at_path(file, waiting.file_name) as copy:
        reports = [report_on(phase, scenario, copy, by) for scenario in waiting.scenarios.all()]
        if problems := [problem for report in reports for problem in report.problems]:
            return Taken(problem=problems[0])
        remarks = remarks_of(phase, reports)
        if remarks != waiting.remarks:
            WaitingGold.objects.filter(pk=waiting.pk).update(remarks=remarks)
            waiting.remarks = remarks
            return Taken(is_changed=True)
        golds = store_all(phase, reports, copy, by=by, note=waiting.note)
    stop_waiting(waiting)
    return Taken(golds, reports)
