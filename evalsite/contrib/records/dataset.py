"""A public task as search engines for data read it: schema.org's `Dataset`, as JSON inside the page."""

import json
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from evalsite.challenges.models import Download, Task
from evalsite.challenges.task_page.citing import address_of_doi

# A script ends at "</script>" whatever JSON says; Django's json_script escapes these three as well.
_ESCAPED = {ord(sign): f"\\u{ord(sign):04X}" for sign in "<>&"}


def dataset_script(task: Task, downloads: Iterable[Download], site: str) -> SafeString:
    """Return the data block, which browsers never run; "" for drafts. `site` is the address of the site, with a slash
    at its end.

    Every visitor's page says the same: what is kept for the teams that take part, or hidden yet, is left out.
    """
    if not task.is_public:
        return SafeString("")
    files = [download for download in downloads if download.is_available and not download.is_for_members]
    written = json.dumps(_dataset(task, files, site.rstrip("/")), ensure_ascii=False).translate(_ESCAPED)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(written))  # noqa: S308 - escaped above


def _dataset(task: Task, files: Iterable[Download], site: str) -> dict[str, Any]:
    facts = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": task.title,
        "description": task.summary,
        "url": site + task.get_absolute_url(),
        "identifier": address_of_doi(task.doi),
        "inLanguage": task.data_language.split(),
        "creator": [{"@type": "Person", "name": str(person)} for person in task.named_organisers],
        "includedInDataCatalog": {"@type": "DataCatalog", "name": settings.SITE_NAME, "url": f"{site}/"},
        "distribution": [
            {"@type": "DataDownload", "name": file.title, "contentUrl": site + reverse("download", args=[file.pk])}
            for file in files
        ],
    }
    return {key: value for key, value in facts.items() if value}
