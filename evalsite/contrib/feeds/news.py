"""The feed of a task's announcements, in Atom."""

import re
from datetime import datetime
from typing import Any

from django.contrib.syndication.views import Feed
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext

from evalsite.challenges.access import visible_task
from evalsite.challenges.models import Announcement, Task
from evalsite.challenges.templatetags.evalsite_tags import markdown

MAX_NEWS = 50
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class AnnouncementsFeed(Feed):  # type: ignore[type-arg]  # at run time it takes none
    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, task: str) -> Task:
        self.root = f"{request.scheme}://{request.get_host()}"
        return visible_task(request.user, task)

    def title(self, task: Task) -> str:
        return _in_xml(gettext("News of %(task)s") % {"task": task})

    def link(self, task: Task) -> str:
        return task.get_absolute_url()

    def subtitle(self, task: Task) -> str:
        return _in_xml(task.summary)

    def items(self, task: Task) -> QuerySet[Announcement]:
        return task.announcements.select_related("task")[:MAX_NEWS]

    def item_title(self, item: Any) -> str:
        return _in_xml(item.title)

    def item_description(self, item: Any) -> str:
        """Return the text as HTML, whose links lead here from wherever it is read."""
        return _in_xml(markdown(item.text, item.task).replace('="/', f'="{self.root}/'))

    def item_guid(self, item: Announcement) -> str:
        return item.pk.urn

    def item_pubdate(self, item: Announcement) -> datetime:
        return item.created

    def item_updateddate(self, item: Announcement) -> datetime:
        return item.changed


def _in_xml(text: str) -> str:
    return _NOT_IN_XML.sub("", text)
