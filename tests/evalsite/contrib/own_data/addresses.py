"""Who may have their data, and delete their account: everybody their own."""

from tests.evalsite.access.rows import ACCOUNTS, Row, accounts

TABLE = {
    "own_data": Row(ACCOUNTS),
    "own_data_download": Row(accounts(302)),  # to where the password is asked for again
    "own_data_delete": Row(accounts(302), accounts(302)),
}
