"""Lists the checks of `manage.py doctor`, in their order."""

from evalsite.upkeep.checks import contents, machine, services
from evalsite.upkeep.findings import Check

CHECKS = (
    Check("versions", machine.versions),
    Check("settings", machine.configuration),
    Check("secret key", machine.secret_key),
    Check("disk", machine.disk),
    Check("database", services.database),
    Check("clock", services.clock, needs=["database"]),
    Check("broker", services.broker),
    Check("cache", services.cache),
    Check("mail", services.mail),
    Check("storage", contents.storage, seconds=30),
    Check("workers", services.workers, needs=["broker"]),
    Check("beat", services.beat, needs=["database"]),
    Check("queue", contents.queue, needs=["database"], seconds=30),
    Check("boards", contents.boards, needs=["database"], seconds=30),
    Check("gold", contents.gold, needs=["database", "storage"], seconds=120),
    Check("families", contents.families, needs=["database"]),
    Check("engine", contents.engine_versions, needs=["database"], seconds=60),
    Check("files", contents.files, needs=["database", "storage"], seconds=3600),
    Check("upkeep", services.upkeep, needs=["database"]),
)
SLOW_CHECKS = ("files",)  # those whose time grows with what is stored
