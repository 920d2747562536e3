"""Changing a row by one button, with its line in the audit trail."""

from django.db import transaction

from evalsite.accounts.models import User
from evalsite.challenges.editing import as_text
from evalsite.challenges.models import Phase, Task, record


def change(row: Task | Phase, values: dict[str, object], *, by: User) -> None:
    """Of two who press the same button the second changes nothing, and so is not in the audit trail."""
    model = type(row)
    with transaction.atomic():
        stored = model._base_manager.select_for_update(of=("self",)).get(pk__in=[row.pk])
        pairs = {name: (as_text(getattr(stored, name)), as_text(value)) for name, value in values.items()}
        changed = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
        if not changed:
            return
        for name in changed:
            setattr(stored, name, values[name])
        stored.save(update_fields=list(changed))
        task = stored if isinstance(stored, Task) else stored.task
        kind = f"{model._meta.model_name} changed"
        record(task, kind, actor=by, subject=stored.pk, changes=changed, name=str(stored))
