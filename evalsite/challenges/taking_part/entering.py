"""Services of entering a task: who may enter, the form that is sent, the organisers' answer, and agreeing to terms.

Where the organisers ask for nothing, a team enters with its first upload (`teams.participate`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext

from evalsite.accounts.models import Team, User, new_invitation
from evalsite.base import moment
from evalsite.base.contrib import admits
from evalsite.challenges.models import (
    Agreement,
    Application,
    EntryRules,
    Participation,
    Task,
    published,
    record,
)
from evalsite.challenges.taking_part.teams import NameTaken, merged_into, namesake, participate
from evalsite.wording import utc

State = Application.State
Way = EntryRules.Way
MOST_LISTED = 10_000  # addresses and domains


class EntryError(Exception):
    """The team cannot enter like this; the message tells the person why."""


class TermsChanged(EntryError):
    """The terms were changed after the page with them was opened."""


def rules_of(task: Task) -> EntryRules:
    """Return the task's rules of entering; those of an open task, not stored, where nobody has set any."""
    try:
        return task.entry_rules
    except EntryRules.DoesNotExist:
        return EntryRules(task=task)


def listed_in(text: str) -> tuple[list[str], list[str]]:
    """Return the distinct addresses and domains of a pasted list, and what is neither.

    Blanks, commas, semicolons and line ends separate; of "Ana <ana@uni.es>" the address is read.
    """
    accepted: dict[str, None] = {}
    wrong = []
    for part in re.split(r"[,;\t\r\n]", text.replace("\ufeff", "")):
        in_brackets = re.findall(r"<([^<>\s]+)>", part)
        for word in in_brackets or part.split():
            name = word.strip("\"'<>.").removeprefix("mailto:").removeprefix("@").lower()
            if _LISTED.fullmatch(name):
                accepted[name] = None
            elif name:
                wrong.append(word)
    return list(accepted), wrong


_LISTED = re.compile(r"([^@\s<>,;]{1,64}@)?([^\W_]([\w-]{0,61}[^\W_])?\.)+[^\W\d_]([\w-]{0,61}[^\W_])?")


def is_listed(rules: EntryRules, user: User) -> bool:
    """Return whether the list has a confirmed address of the account, its domain, or a domain above that."""
    listed = set(rules.listed.split())
    confirmed = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    return any(not listed.isdisjoint(_names_of(address.lower())) for address in confirmed)


def _names_of(address: str) -> list[str]:
    parts = address.rpartition("@")[2].split(".")
    return [address, *(".".join(parts[n:]) for n in range(len(parts)))]


def refusal(rules: EntryRules, user: User, secret: str = "") -> str:
    """Return why the person's teams cannot enter the task now, or ""."""
    if rules.task.archived:
        return gettext("This task is in the archive: teams can no longer enter it.")
    if Participation.objects.filter(task=rules.task, banned__isnull=False, team__members=user).exists():
        return gettext("The organisers have banned your team from this task, so your other teams cannot enter it.")
    if rules.is_over:
        assert rules.closes
        return gettext("Teams could enter until %(time)s.") % {"time": utc(rules.closes)}
    if admits(rules.task, user):
        return ""
    if rules.way == Way.LINK and not constant_time_compare(secret, rules.secret):
        return gettext("Teams enter this task with a link that the organisers send to people they invite.")
    if rules.way == Way.LISTED and not is_listed(rules, user):
        return gettext(
            "Only people on the organisers' list can enter this task, and no confirmed address of your "
            "account is on it. Confirm the address that they know on your profile, or write to them."
        )
    return ""


@dataclass(frozen=True)
class OwnTeams:
    """The teams of a person, by how they stand to a task."""

    entered: list[Team]
    must_agree: list[Team]  # of those that have entered
    applications: list[Application]  # that wait, or were declined
    outside: list[Team]  # that have not asked to enter


def own_teams(rules: EntryRules, user: User) -> OwnTeams:
    teams = list(Team.objects.filter(members=user))
    applications = list(Application.objects.filter(task=rules.task, team__in=teams).select_related("team"))
    rows = Participation.objects.filter(task=rules.task, team__in=teams).values_list("team", "banned")
    banned_at = dict(rows)
    entered = [team for team in teams if team.pk in banned_at and banned_at[team.pk] is None]
    settled = {*banned_at, *(application.team_id for application in applications)}
    return OwnTeams(
        entered=entered,
        must_agree=[team for team in entered if must_agree(rules, team)],
        applications=[application for application in applications if application.state != State.ACCEPTED],
        outside=[team for team in teams if team.pk not in settled],
    )


def obstacle(task: Task, team: Team, *, has_entered: bool) -> str:
    """Return what the team has to do before it uploads, or ""."""
    rules = rules_of(task)
    if not has_entered:
        if rules.needs_form:
            return gettext("%(team)s has not entered this task yet.") % {"team": team}
        if rules.is_over:
            assert rules.closes
            return gettext("Teams could enter until %(time)s.") % {"time": utc(rules.closes)}
    elif must_agree(rules, team):
        return gettext("%(team)s has not agreed to the terms of this task as they are now.") % {"team": team}
    return ""


def must_agree(rules: EntryRules, team: Team) -> bool:
    """Return whether the task has terms to whose newest text nobody has agreed for the team."""
    if not rules.terms:
        return False
    agreed = Agreement.objects.filter(task=rules.task_id, team=team, version=rules.terms_version)
    return not agreed.exists()


def enter(
    task: Task, team: Team, user: User, answers: Mapping[str, Any], *, terms_version: int = 0, secret: str = ""
) -> Application:
    """Enter the team, or ask the organisers where they approve teams; raise EntryError.

    `terms_version` is that of the text to which the person has agreed for the team.
    """
    with transaction.atomic():
        # Locked, so that nobody enters by rules that were changed meanwhile.
        Task.objects.select_for_update(no_key=True).get(pk=task.pk)
        rules = EntryRules.objects.filter(task=task).select_related("task").first() or EntryRules(task=task)
        if reason := refusal(rules, user, secret):
            raise EntryError(reason)
        if Application.objects.filter(task=task, team=team).exists():
            raise EntryError(gettext("%(team)s has sent this form already.") % {"team": team})
        _agree(rules, team, user, terms_version)
        must_wait = rules.way == Way.APPROVAL and not admits(task, user)
        state = State.WAITING if must_wait else State.ACCEPTED
        made = Application.objects.create(task=task, team=team, user=user, answers=dict(answers), state=state)
        record(task, f"entry {state}", actor=user, subject=team.pk, name=str(team))
        if state == State.ACCEPTED:
            _participate(task, team, remedy=gettext("Rename yours, and enter then."))
    return made


def agree(task: Task, team: Team, user: User, terms_version: int) -> None:
    """Store that a member of a team that has entered agrees to the terms; raise TermsChanged."""
    with transaction.atomic():
        Task.objects.select_for_update(no_key=True).get(pk=task.pk)
        _agree(EntryRules.objects.select_related("task").get(task=task), team, user, terms_version)


def _agree(rules: EntryRules, team: Team, user: User, version: int) -> None:
    if not rules.terms:
        return
    if version != rules.terms_version:
        raise TermsChanged(gettext("The terms were changed while you had the page open. Read them as they are now."))
    text = {"user": user, "text": rules.terms}
    made = Agreement.objects.get_or_create(task=rules.task, team=team, version=version, defaults=text)[1]
    if made:
        record(rules.task, "terms agreed to", actor=user, subject=team.pk, name=str(team), version=version)


def approve(application: Application, *, by: User) -> None:
    """Enter a team that waits, or that was declined; raise EntryError."""
    with transaction.atomic():
        locked = _locked(application)
        if locked.state == State.ACCEPTED:
            return
        _participate(locked.task, locked.team, remedy=gettext("It has to be renamed first."))
        _decide(locked, State.ACCEPTED, "", by)


def decline(application: Application, reason: str, *, by: User) -> None:
    """Decline a team that waits; its members read the reason. Raise EntryError."""
    with transaction.atomic():
        locked = _locked(application)
        if locked.state == State.ACCEPTED:
            raise EntryError(gettext("%(team)s has entered already.") % {"team": locked.team})
        _decide(locked, State.DECLINED, reason, by)


def _locked(application: Application) -> Application:
    rows = Application.objects.select_for_update(of=("self",)).select_related("task", "team", "user")
    return rows.get(pk=application.pk)


def _decide(application: Application, state: State, reason: str, by: User) -> None:
    application.state, application.reason, application.decided_by = state, reason, by
    application.save(update_fields=["state", "reason", "decided_by"])
    team, task = application.team, application.task
    record(task, f"entry {state}", actor=by, subject=team.pk, name=str(team), reason=reason)
    if application.user:
        context = {"user": application.user, "application": application, "task": task}
        get_adapter().send_mail(f"challenges/email/entry_{state}", application.user.email, context)


def _participate(task: Task, team: Team, *, remedy: str) -> None:
    try:
        participate(task, team)
    except NameTaken as error:
        raise EntryError(f"{error} {remedy}") from None
    for rules in rules_of_series(task):
        _enter_with(task, rules, team)


def rules_of_series(task: Task) -> QuerySet[EntryRules]:
    """Return the rules of the public tasks that teams enter with this one."""
    public = Task.objects.filter(published(moment.now()), archived=None)
    return EntryRules.objects.filter(entered_with=task, task__in=public).select_related("task").order_by("task__title")


def _enter_with(task: Task, rules: EntryRules, team: Team) -> None:
    """Enter the team into a task of the series, unless that is over, or the team cannot be in it.

    Terms of the same text hold for both; for others the team is asked before its first upload there.
    """
    banned = Participation.objects.filter(task=rules.task, banned__isnull=False, team__members__in=team.members.all())
    if rules.is_over or banned.exists() or namesake(rules.task, team) or merged_into(rules.task, team):
        return
    participate(rules.task, team)
    record(rules.task, "entry accepted", subject=team.pk, name=str(team), entered_with=task.title)
    if agreed := Agreement.objects.filter(task=task, team=team, text=rules.terms).order_by("-version").first():
        same = {"user": agreed.user, "text": rules.terms}
        Agreement.objects.get_or_create(task=rules.task, team=team, version=rules.terms_version, defaults=same)


def renew_link(rules: EntryRules, *, by: User) -> None:
    """Replace the link by which teams enter, so that the old one leads nowhere."""
    with transaction.atomic():
        rules.secret = new_invitation()
        rules.save(update_fields=["secret"])
        record(rules.task, "entry link renewed", actor=by)
