"""Addresses of the status page and of files for search engines.

/healthz, /readyz and /metrics are answered by the middleware.
"""

from django.contrib.sitemaps.views import index, sitemap
from django.urls import path
from django.views.decorators.http import require_safe

from evalsite.monitoring import views
from evalsite.monitoring.sitemaps import SITEMAPS

urlpatterns = [
    path("status/", views.status, name="status"),
    path("robots.txt", views.robots, name="robots"),
    path("sitemap.xml", require_safe(index), {"sitemaps": SITEMAPS, "sitemap_url_name": "sitemap"}, name="sitemaps"),
    path("sitemap-<slug:section>.xml", require_safe(sitemap), {"sitemaps": SITEMAPS}, name="sitemap"),
    path("favicon.ico", views.Favicon.as_view(), name="favicon"),
]
