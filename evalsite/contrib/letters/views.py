"""Letters of organisers: written, seen as readers get them, sent, and what became of each copy."""

import uuid
from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from evalsite.challenges.models import Task, record
from evalsite.contrib.letters.audiences import ENTERED, audience_in_words, teams_in
from evalsite.contrib.letters.forms import LetterForm
from evalsite.desk.access import desk_page
from evalsite.mailing.models import Delivery, Kind, Letter
from evalsite.mailing.readers import members_of
from evalsite.mailing.services import framed, post, send_test
from evalsite.mailing.switches import willing
from evalsite.submissions.access import signed_in
from evalsite.wording import amount

A_DAY, MAX_LETTERS = timedelta(days=1), 20  # letters of a task in a day
State = Delivery.State


@require_safe
@desk_page()
def letters(request: HttpRequest, task: Task) -> HttpResponse:
    return render(request, "contrib/letters/letters.html", {"task": task, "letters": _letters(task)[:100]})


def _letters(task: Task) -> QuerySet[Letter]:
    counts = {f"n_{state}": Count("deliveries", filter=Q(deliveries__state=state)) for state in State.values}
    return task.letters.filter(kind=Kind.LETTER).select_related("by").annotate(**counts)


@require_safe
@desk_page()
def letter(request: HttpRequest, task: Task, pk: UUID) -> HttpResponse:
    letter = get_object_or_404(_letters(task), pk=pk)
    not_sent = letter.deliveries.filter(state__in=Delivery.NOT_SENT).select_related("user").order_by("state", "email")
    resting = letter.deliveries.filter(state=State.QUEUED).exclude(error="").select_related("user").order_by("email")
    context = {
        "task": task,
        "letter": letter,
        "audience": audience_in_words(task, letter.audience),
        "not_sent": not_sent[:500],
        "resting": resting[:100],
    }
    return render(request, "contrib/letters/letter.html", context)


@desk_page()
def write(request: HttpRequest, task: Task) -> HttpResponse:
    """Show the letter as readers get it; it goes out by a button on that page alone."""
    asked = request.GET.get("to", ENTERED)
    if request.method != "POST":
        form = LetterForm(task=task, asked=asked, initial={"audience": asked, "key": uuid.uuid4()})
        return render(request, "contrib/letters/write.html", {"task": task, "form": form})
    form = LetterForm(request.POST, task=task)
    if not form.is_valid():
        return render(request, "contrib/letters/write.html", {"task": task, "form": form}, status=422)
    if "send" in request.POST:
        return _sent(request, task, form)
    author = signed_in(request)
    subject, text = form.cleaned_data["subject"], form.cleaned_data["text"]
    if "test" in request.POST:
        send_test(task, author, subject, text)
        messages.success(request, gettext("The letter is on its way to %(address)s.") % {"address": author.email})
    teams = teams_in(task, form.cleaned_data["audience"])
    members = list(members_of(teams))
    n_readers = len(willing(Kind.LETTER, members))
    context = {
        "task": task,
        "form": form,
        "mail": framed(task, Kind.LETTER, author, subject, text),
        "n_teams": teams.count(),
        "n_readers": n_readers,
        "n_off": len(members) - n_readers,
    }
    return render(request, "contrib/letters/write.html", context)


def _sent(request: HttpRequest, task: Task, form: LetterForm) -> HttpResponse:
    if task.letters.filter(kind=Kind.LETTER, created__gt=timezone.now() - A_DAY).count() >= MAX_LETTERS:
        words = gettext("%(n)s letters were sent within a day. Send the next one tomorrow.")
        form.add_error(None, words % {"n": amount(MAX_LETTERS)})
        return render(request, "contrib/letters/write.html", {"task": task, "form": form}, status=422)
    fields, author = form.cleaned_data, signed_in(request)
    subject, text, audience = fields["subject"], fields["text"], fields["audience"]
    new = Letter(pk=fields["key"], task=task, subject=subject, text=text, audience=audience, by=author)
    n_readers = post(new, members_of(teams_in(task, audience)), lambda reader: (subject, text))
    if n_readers is None:
        messages.info(request, gettext("This letter was sent before: nobody gets it twice."))
        return redirect("desk_letters", task.slug)
    words = audience_in_words(task, audience)
    record(task, "letter sent", actor=author, subject=new.pk, title=subject, audience=words, readers=n_readers)
    done = ngettext("It goes out to %(n)s reader.", "It goes out to %(n)s readers.", n_readers)
    messages.success(request, done % {"n": amount(n_readers)})
    return redirect("desk_letters_one", task.slug, new.pk)
