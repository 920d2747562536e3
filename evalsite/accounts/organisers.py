"""Whether an account is an organiser's now: with its second factor, where the settings ask for one.

An organiser is who is on a task's list, as a viewer at least, or may create tasks; administrators are of every task.
"""

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

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
