"""Addresses of the desk's page of a phase that collects runs before there is gold."""

from django.urls import path

from evalsite.contrib.collecting import views

_COLLECT = "tasks/<slug:task>/organise/gold/collect/<slug:phase>/"

urlpatterns = [
    path(_COLLECT, views.collecting, name="desk_gold_collect"),
    path(f"{_COLLECT}tell/", views.tell, name="desk_gold_collect_tell"),
    path(f"{_COLLECT}<int:number>/pool/", views.make_pool, name="desk_gold_collect_make"),
    path(f"{_COLLECT}<int:number>/pool.tsv", views.pool, name="desk_gold_collect_pool"),
]
