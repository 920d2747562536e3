"""Organisers: who is one, with the second factor that the settings ask for, and who asks to become one.

An organiser is on the list of a task, as a viewer at least, or may create tasks; administrators organise every task.
"""

from allauth.account.adapter import get_adapter
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from evalsite.accounts.models import OrganiserRequest, User

ADMINISTERS = Q(is_active=True, is_staff=True, is_superuser=True)  # who may have to set up a second factor still


def may_organise(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Which tasks, and what there, is another question: evalsite.challenges.access answers it, for every page."""
    return is_organiser(user) and not lacks_second_factor(user)


def may_create_tasks(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Where the site is open for organising, whoever has asked may too; to publish them is another question."""
    if not isinstance(user, User) or not _acts_for_itself(user) or lacks_second_factor(user):
        return False
    return user.may_create_tasks or _administers(user) or (settings.OPEN_ORGANISING and has_asked(user))


def has_asked(user: User) -> bool:
    """Whether the person wants to organise, and was not declined."""
    requests = OrganiserRequest.objects.filter(user=user)
    return requests.exclude(answer=OrganiserRequest.Answer.DECLINED).exists()


def may_administer(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether the account has the rights of an administrator: an owner of every task, who sees people too."""
    return isinstance(user, User) and _administers(user) and may_organise(user)


def lacks_second_factor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether this is an organiser with a password alone, who is anybody else until a second factor is set up."""
    return bool(settings.REQUIRE_STAFF_MFA) and is_organiser(user) and not is_mfa_enabled(user)


def is_organiser(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whatever is lacking still."""
    if not isinstance(user, User) or not _acts_for_itself(user):
        return False
    return user.may_create_tasks or _administers(user) or user.organises


def is_organisers_page(view_name: str) -> bool:
    """Whether a page is of the desk or of the administration, by the name of its address."""
    return view_name == "organise" or view_name.startswith(("organise_", "desk", "admin:"))


def _acts_for_itself(user: User) -> bool:
    """Whether the account may have the rights of an organiser: not if it is closed, nor for a participant's token."""
    return user.is_active and not user.acts_as_participant


def _administers(user: User) -> bool:
    return user.is_staff and user.is_superuser


def ask_to_organise(user: User, purpose: str) -> OrganiserRequest:
    """Once: whoever has asked waits for the answer."""
    with transaction.atomic():
        request, is_new = OrganiserRequest.objects.get_or_create(user=user, defaults={"purpose": purpose})
        if is_new:
            for administrator in User.objects.filter(ADMINISTERS):
                said = {"user": administrator, "asked": request}
                get_adapter().send_mail("desk/email/asked", administrator.email, said)
    return request


def answer_request(request: OrganiserRequest, *, grant: bool, by: User) -> bool:
    """Whether this is the answer: of two administrators the first one gives it."""
    given = OrganiserRequest.Answer.GRANTED if grant else OrganiserRequest.Answer.DECLINED
    with transaction.atomic():
        open_one = OrganiserRequest.objects.filter(pk=request.pk, answer=OrganiserRequest.Answer.NONE)
        if not open_one.update(answer=given, answered=timezone.now(), answered_by=by):
            return False
        if grant:
            User.objects.filter(pk=request.user_id).update(may_create_tasks=True)
        said = {"user": request.user, "is_granted": grant}
        get_adapter().send_mail("desk/email/answered", request.user.email, said)
    return True
