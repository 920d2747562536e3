"""Addresses of the tasks and of the files that organisers offer."""

from django.urls import path

from evalsite.challenges import views

urlpatterns = [
    path("", views.home, name="home"),
    path("archive/", views.archive, name="archive"),
    path("tasks/<slug:task>/", views.task, name="task"),
    path("tasks/<slug:task>/enter/", views.enter, name="enter"),
    path("enter/by/<str:secret>/<slug:task>/", views.enter, name="enter_by_link"),
    path("tasks/<slug:task>/pages/<slug:page>/", views.task_page, name="task_page"),
    path("tasks/<slug:task>/pictures/<str:name>", views.picture, name="picture"),
    path("tasks/<slug:task>/scenarios/<int:scenario>/example.zip", views.example, name="example"),
    path("tasks/<slug:task>/<slug:phase>/kit.zip", views.kit, name="kit"),
    path("engine.zip", views.engine, name="engine"),
    path("engine/<str:name>", views.engine_package, name="engine_package"),
    path("downloads/<uuid:pk>/", views.download, name="download"),
    path("gold/<uuid:pk>/", views.gold, name="gold"),
]
