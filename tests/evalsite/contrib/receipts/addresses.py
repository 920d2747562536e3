"""Who may read receipts, and their tables, which nobody reads row by row."""

from tests.evalsite.access.rows import EVERYBODY, RUN, Row

TABLE = {"submission_receipt": Row(RUN), "receipts": Row(EVERYBODY), "receipts_of_day": Row(EVERYBODY)}
PARTS = {"receipts_of_day": {"day": lambda world: f"{world.run.receipt.link.day}"}}
MACHINERY = ("receipts.ReceiptChain", "receipts.ReceiptDay", "receipts.ReceiptLink", "receipts.Receipt")
