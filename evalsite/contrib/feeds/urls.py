"""The address of the feed."""

from django.urls import path
from django.views.decorators.http import require_safe

from evalsite.contrib.feeds.news import AnnouncementsFeed

urlpatterns = [path("tasks/<slug:task>/news.atom", require_safe(AnnouncementsFeed()), name="task_news")]
