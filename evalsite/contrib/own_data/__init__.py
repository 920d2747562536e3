"""What people do with the data about themselves: have all of it in one file, and have it deleted with the account."""
