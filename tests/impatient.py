"""The site's Celery application with a beat that does each second what it does each quarter of a minute on a site."""

from datetime import timedelta

from evalsite.celery import app

app.conf.beat_schedule = {
    name: job | {"schedule": 1.0} if isinstance(job["schedule"], timedelta) else job
    for name, job in app.conf.beat_schedule.items()
}
