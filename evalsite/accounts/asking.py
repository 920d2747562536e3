"""Somebody wants to organise tasks: the request goes to the administrators, and their answer comes back by mail."""

from allauth.account.adapter import get_adapter
from django.db import transaction
from django.utils import timezone

from evalsite.accounts.models import OrganiserRequest, User
from evalsite.accounts.organisers import ADMINISTERS

_Answer = OrganiserRequest.Answer


def ask(user: User, purpose: str) -> OrganiserRequest:
    """Once: whoever has asked waits for the answer."""
    with transaction.atomic():
        request, is_new = OrganiserRequest.objects.get_or_create(user=user, defaults={"purpose": purpose})
        if is_new:
            for administrator in User.objects.filter(ADMINISTERS):
                said = {"user": administrator, "asked": request}
                get_adapter().send_mail("desk/email/asked", administrator.email, said)
    return request


def answer(request: OrganiserRequest, *, grant: bool, by: User) -> bool:
    """Whether this is the answer: of two administrators the first one gives it."""
    given = _Answer.GRANTED if grant else _Answer.DECLINED
    with transaction.atomic():
        open_one = OrganiserRequest.objects.filter(pk=request.pk, answer=_Answer.NONE)
        if not open_one.update(answer=given, answered=timezone.now(), answered_by=by):
            return False
        if grant:
            User.objects.filter(pk=request.user_id).update(may_create_tasks=True)
        said = {"user": request.user, "is_granted": grant}
        get_adapter().send_mail("desk/email/answered", request.user.email, said)
    return True
