"""The filter of calls, read as the kernel reads it: also for the processor that the tests do not run on."""

import errno

import pytest

from evalsite.jobs import syscalls

OWN, OTHER = 71, 72
ALLOWED, REFUSED = "allowed", errno.EPERM
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def verdict(machine, number, arguments=(), *, architecture=None):
    """Return what the filter of a machine answers to a call."""
    lines, place, held = list(syscalls._lines(*MACHINES[machine], OWN)), 0, 0
    words = {0: number, 4: architecture or MACHINES[machine][1]}
    words |= {16 + 8 * k: value for k, value in enumerate(arguments)}
    while True:
        code, yes, no, value = lines[place]
        place += 1
        match code:
            case 0x20:
                held = words.get(value, 0)
            case 0x06:
                return ALLOWED if value == 0x7FFF0000 else value & 0xFFFF
            case _:
                is_so = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
                place += yes if is_so else no


@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_of_the_list_is_refused_and_what_every_program_does_is_not(machine):
    processor = MACHINES[machine][0]
    listed = [numbers[processor] for names in syscalls.REFUSED.values() for numbers in names.values()]
    listed = [number for number in listed if number is not None]
    assert len(listed) == len(set(listed))
    assert {verdict(machine, number) for number in listed} == {REFUSED}
    # read, write, openat, mmap, munmap, brk, futex, exit_group
    usual = ((0, 63), (1, 64), (257, 56), (9, 222), (11, 215), (12, 214), (202, 98), (231, 94))
    assert {verdict(machine, numbers[processor]) for numbers in usual} == {ALLOWED}
    assert verdict(machine, 435) == errno.ENOSYS, "threads are started by clone, whose flags can be seen"


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("numbers", "granted", "refused"),
    [
        pytest.param((62, 129), [(OWN, 6)], [(OTHER, 9), (0, 9), (2**32 - 1, 9)], id="kill"),
        pytest.param((234, 131), [(OWN, 99, 6)], [(OTHER, 99, 9)], id="tgkill"),
        pytest.param((302, 261), [(0, 7), (OWN, 7)], [(OTHER, 7)], id="prlimit64"),
        pytest.param((56, 220), [(0x3D0F00,)], [(17,), (0x4111,)], id="clone"),
        pytest.param((72, 25), [(3, 1), (3, 2), (3, 4)], [(3, 8), (3, 10), (3, 15), (3, 6), (3, 1024)], id="fcntl"),
        pytest.param((16, 29), [(3, 0x5401), (3, 0x5451)], [(3, 0x5412), (3, 0x8901)], id="ioctl"),
    ],
)
def test_some_calls_are_granted_by_their_arguments(machine, numbers, granted, refused):
    number = numbers[MACHINES[machine][0]]
    assert [verdict(machine, number, arguments) for arguments in granted] == [ALLOWED] * len(granted)
    assert [verdict(machine, number, arguments) for arguments in refused] == [REFUSED] * len(refused)


def test_calls_of_another_table_are_refused():
    assert verdict("x86_64", 1, architecture=0x40000003) == REFUSED, "of 32 bits"
    assert verdict("x86_64", 0x40000001) == REFUSED
