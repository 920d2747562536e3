"""The system calls that a child is refused, and the filter (seccomp) that refuses them.

Each belongs to what a child has no business with: other machines, other programs, other processes, and files beyond
what it writes itself. All processes of the site may run as one user, so the kernel's own rules do not part them. Some
calls are needed with some arguments, such as a signal to oneself.
"""

import ctypes
import errno
import os
import platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass

# {reason: {call: its number on x86_64, and on aarch64}}; None where a processor lacks it.
_Numbers = dict[str, tuple[int | None, int | None]]
REFUSED: dict[str, _Numbers] = {
    "reaches other machines, and processes that listen": {
        "socket": (41, 198),
        "socketpair": (53, 199),
        "connect": (42, 203),
        "io_uring_setup": (425, 425),  # does all of these, and opens files, by a queue of its own
    },
    "starts programs and processes": {
        "execve": (59, 221),
        "execveat": (322, 281),
        "fork": (57, None),
        "vfork": (58, None),
        "setns": (308, 268),
        "unshare": (272, 97),
    },
    "sees what other processes hold": {
        "ptrace": (101, 117),
        "process_vm_readv": (310, 270),
        "process_vm_writev": (311, 271),
        "kcmp": (312, 272),
        "pidfd_open": (434, 434),
        "pidfd_getfd": (438, 438),
        "process_madvise": (440, 440),
        "process_mrelease": (448, 448),
        "perf_event_open": (298, 241),
    },
    "signals processes; kill and tgkill are below": {
        "tkill": (200, 130),
        "rt_sigqueueinfo": (129, 138),
        "rt_tgsigqueueinfo": (297, 240),
        "pidfd_send_signal": (424, 424),
    },
    "takes processor, memory and disk from other processes, or gives this one more": {
        "setpriority": (141, 140),
        "ioprio_set": (251, 30),
        "sched_setparam": (142, 118),
        "sched_setscheduler": (144, 119),
        "sched_setattr": (314, 274),
        "sched_setaffinity": (203, 122),
        "migrate_pages": (256, 238),
        "move_pages": (279, 239),
        "setpgid": (109, 154),
    },
    # Landlock knows what is opened, but not these.
    "changes whose a file is, who may open it, and what is said of it": {
        "chmod": (90, None),
        "fchmod": (91, 52),
        "fchmodat": (268, 53),
        "fchmodat2": (452, 452),
        "chown": (92, None),
        "lchown": (94, None),
        "fchown": (93, 55),
        "fchownat": (260, 54),
        "setxattr": (188, 5),
        "lsetxattr": (189, 6),
        "fsetxattr": (190, 7),
        "setxattrat": (463, 463),
        "removexattr": (197, 14),
        "lremovexattr": (198, 15),
        "fremovexattr": (199, 16),
        "removexattrat": (466, 466),
        "file_setattr": (469, 469),
        "utime": (132, None),
        "utimes": (235, None),
        "futimesat": (261, None),
        "utimensat": (280, 88),
        "truncate": (76, 45),  # which Landlock knows from its third version on
        "open_by_handle_at": (304, 265),
        "flock": (73, 32),  # others wait for it
    },
    "mounts file systems": {
        "mount": (165, 40),
        "umount2": (166, 39),
        "pivot_root": (155, 41),
        "chroot": (161, 51),
        "move_mount": (429, 429),
        "mount_setattr": (442, 442),
    },
    # PostgreSQL has its own there.
    "uses memory, semaphores and queues that are named by numbers": {
        "shmget": (29, 194),
        "shmat": (30, 196),
        "shmctl": (31, 195),
        "semget": (64, 190),
        "semop": (65, 193),
        "semtimedop": (220, 192),
        "semctl": (66, 191),
        "msgget": (68, 186),
        "msgsnd": (69, 189),
        "msgrcv": (70, 188),
        "msgctl": (71, 187),
        "mq_open": (240, 180),
        "mq_unlink": (241, 181),
    },
    "is a part of the kernel in which defects are found, and of no use here": {
        "bpf": (321, 280),
        "userfaultfd": (323, 282),
        "add_key": (248, 217),
        "request_key": (249, 218),
        "keyctl": (250, 219),
    },
}

_CLONE_THREAD = 0x10000
# Of fcntl: another descriptor, in two ways, and the flags of this one and of its file. Others lock files, hold up
# whoever opens them, and have any process signalled when there is something to read.
_ASKED_OF_DESCRIPTORS = (0, 1030, 1, 2, 3, 4)
# Of ioctl: whether a file is a terminal (in two ways) and how wide it is, whether a program inherits it, how much
# there is to read, and whether reading waits. Others write to a terminal as if somebody had typed it.
_ASKED_OF_FILES = (0x5401, 0x802C542A, 0x5413, 0x5450, 0x5451, 0x541B, 0x5421)

# Instructions of the filter: load a word, jump if equal, if greater or equal, if a bit is set; return.
_LOAD, _EQUAL, _AT_LEAST, _HAS_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # where they stand; an argument has 8 bytes, its low ones first
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_X32 = 0x40000000  # the second table of calls that an x86_64 kernel may have

_Line = tuple[int, int, int, int]  # what to do, how many lines to leave out if it is so and if it is not, with what
_REFUSE: _Line = (_RETURN, 0, 0, _ERROR | errno.EPERM)
_IS_NOT_THERE: _Line = (_RETURN, 0, 0, _ERROR | errno.ENOSYS)
_GRANT: _Line = (_RETURN, 0, 0, _ALLOW)


@dataclass(frozen=True)
class _OnlyWith:
    """A call that is granted where an argument is one of the values, and refused otherwise."""

    numbers: tuple[int, int]
    argument: int
    values: tuple[int, ...]
    test: int = _EQUAL


class _Instruction(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("k", ctypes.c_uint32)]


class Program(ctypes.Structure):
    """A filter, as the kernel takes it."""

    _fields_ = [("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction))]


def program() -> Program | None:
    """Return the filter for this process, which may signal and limit itself alone; None for other systems and
    processors.
    """
    machine = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}.get(platform.machine())
    if sys.platform != "linux" or machine is None:
        return None
    lines = list(_lines(*machine, os.getpid()))
    return Program(len(lines), (_Instruction * len(lines))(*(_Instruction(*line) for line in lines)))


def _lines(processor: int, architecture: int, own_pid: int) -> Iterable[_Line]:
    yield from [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), _REFUSE, (_LOAD, 0, 0, _NUMBER)]
    if processor == 0:
        yield from [(_AT_LEAST, 0, 1, _X32), _REFUSE]
    for calls in REFUSED.values():
        for numbers in calls.values():
            if (number := numbers[processor]) is not None:
                yield from [(_EQUAL, 0, 1, number), _REFUSE]
    # The C library takes clone instead, whose flags can be seen: here they are behind a pointer.
    yield from [(_EQUAL, 0, 1, 435), _IS_NOT_THERE]  # clone3
    for call in _by_argument(own_pid):
        yield from _lines_of(call, call.numbers[processor])
    yield _GRANT


def _by_argument(own_pid: int) -> list[_OnlyWith]:
    return [
        _OnlyWith((62, 129), 0, (own_pid,)),  # kill
        _OnlyWith((234, 131), 0, (own_pid,)),  # tgkill, by which a process aborts
        _OnlyWith((302, 261), 0, (0, own_pid)),  # prlimit64
        _OnlyWith((56, 220), 0, (_CLONE_THREAD,), test=_HAS_BIT),  # clone
        _OnlyWith((72, 25), 1, _ASKED_OF_DESCRIPTORS),  # fcntl
        _OnlyWith((16, 29), 1, _ASKED_OF_FILES),  # ioctl
    ]


def _lines_of(call: _OnlyWith, number: int) -> list[_Line]:
    tests = [(call.test, len(call.values) - place, 0, value) for place, value in enumerate(call.values)]
    instructions = [(_LOAD, 0, 0, _FIRST_ARGUMENT + 8 * call.argument), *tests, _REFUSE, _GRANT]
    return [(_EQUAL, 0, len(instructions), number), *instructions]
