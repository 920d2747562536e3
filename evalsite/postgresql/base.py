"""The backend, in the module where Django looks for it."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Asks the socket, where Django asks the server: a query for each page, only to hear that it answers queries.

    A server that ends a connection says so, and what it says waits in the socket before the next query. Of one that
    has gone without a word a query would not hear either, until the limits of the settings.
    """

    def is_usable(self) -> bool:
        if self.connection is None or self.connection.closed:
            return False
        asked = select.poll()  # without a query under way nothing is to be read
        asked.register(self.connection.fileno(), select.POLLIN)
        return not asked.poll(0)
