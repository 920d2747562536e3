"""Which clock leads."""

from django.db import models


class Lead(models.Model):
    """The one row of it: who leads, and until when if nothing more is heard of it."""

    holder = models.CharField(max_length=200)  # host, process, and a number drawn at its start
    ends = models.DateTimeField()  # by the database's clock, since those of machines differ

    def __str__(self) -> str:
        return f"{self.holder} until {self.ends:%H:%M:%S}"
