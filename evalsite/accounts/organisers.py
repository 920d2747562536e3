"""Whether an account is an organiser's now: by its flag, and by its second factor where the settings ask for one."""

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser

from evalsite.accounts.models import User


def may_organise(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Which tasks is another question: evalsite.challenges.access answers it, for every page."""
    return _has_flag(user) and not lacks_second_factor(user)


def may_administer(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether the account has the rights of a superuser: an organiser of every task, who sees people too."""
    return isinstance(user, User) and user.is_superuser and may_organise(user)


def lacks_second_factor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether this is an organiser with a password alone, who is anybody else until a second factor is set up."""
    return bool(settings.REQUIRE_STAFF_MFA) and _has_flag(user) and not is_mfa_enabled(user)


def _has_flag(user: AbstractBaseUser | AnonymousUser) -> bool:
    return isinstance(user, User) and user.is_active and user.is_staff
