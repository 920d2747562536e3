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
    """Return whether the account may organise; evalsite.challenges.access decides which tasks, and what there."""
    return is_organiser(user) and not lacks_second_factor(user)


def may_create_tasks(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether the account may create tasks; on a site open for organising, whoever has asked may, too.

    Publishing them is another right.
    """
    if not isinstance(user, User) or not _acts_for_itself(user) or lacks_second_factor(user):
        return False
    return user.may_create_tasks or _administers(user) or (settings.OPEN_ORGANISING and has_asked(user))


def has_asked(user: User) -> bool:
    """Return whether the person wants to organise, and was not declined."""
    requests = OrganiserRequest.objects.filter(user=user)
    return requests.exclude(answer=OrganiserRequest.Answer.DECLINED).exists()


def may_administer(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether the account has an administrator's rights: it owns every task, and sees people too."""
    return isinstance(user, User) and _administers(user) and may_organise(user)


def lacks_second_factor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether this is an organiser without the second factor, who has no rights until it is set up."""
    return bool(settings.REQUIRE_STAFF_MFA) and is_organiser(user) and not is_mfa_enabled(user)


def is_organiser(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether this is an organiser, even one who lacks the second factor."""
    if not isinstance(user, User) or not _acts_for_itself(user):
        return False
    return user.may_create_tasks or _administers(user) or user.organises


def is_organisers_page(view_name: str) -> bool:
    """Return whether a page is of the desk or of the administration, by the name of its address."""
    return view_name == "organise" or view_name.startswith(("organise_", "desk", "admin:"))


def _acts_for_itself(user: User) -> bool:
    """Return whether the account may have organiser's rights: it is open, and no participant's token acts for it."""
    return user.is_active and not user.acts_as_participant


def _administers(user: User) -> bool:
    return user.is_staff and user.is_superuser


def ask_to_organise(user: User, purpose: str) -> OrganiserRequest:
    """Request the right to create tasks, once, and notify the administrators."""
    with transaction.atomic():
        request, is_new = OrganiserRequest.objects.get_or_create(user=user, defaults={"purpose": purpose})
        if is_new:
            for administrator in User.objects.filter(ADMINISTERS):
                context = {"user": administrator, "asked": request}
                get_adapter().send_mail("desk/email/asked", administrator.email, context)
    return request


def answer_request(request: OrganiserRequest, *, grant: bool, by: User) -> bool:
    """Answer a request and return True, unless another administrator has answered it before."""
    given = OrganiserRequest.Answer.GRANTED if grant else OrganiserRequest.Answer.DECLINED
    with transaction.atomic():
        open_one = OrganiserRequest.objects.filter(pk=request.pk, answer=OrganiserRequest.Answer.NONE)
        if not open_one.update(answer=given, answered=timezone.now(), answered_by=by):
            return False
        if grant:
            User.objects.filter(pk=request.user_id).update(may_create_tasks=True)
        context = {"user": request.user, "is_granted": grant}
        get_adapter().send_mail("desk/email/answered", request.user.email, context)
    return True
