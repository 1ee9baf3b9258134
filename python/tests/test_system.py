# SPDX-License-Identifier: Apache-2.0
"""Systems of several chips."""
import copy
import gc
import os
import pickle
import signal
import threading
import warnings

import pytest

import tilefarm
from tilefarm import End, Link, LinkEnd

BUFFER, SIGNAL, DONE, DONE_MAGIC = 0x20000, 0x30000, 0x31000, 0x600D
DATA = bytes(range(256)) * 4
SEND = f"tf_link_write(0, {BUFFER}, {BUFFER}, {len(DATA)}); tf_link_signal(0, {SIGNAL}, {SIGNAL} + 0x100, i);"
WAIT = f"tf_link_wait({SIGNAL}, i);"
LINK = """
#include <tilefarm_link.h>
int main(void)
{
    const unsigned rounds = TF_WORD(%d);
    for (unsigned i = 1; i <= rounds; i++) { %s %s }
    TF_WORD(%d) = %d;
    return 0;
}
"""
ROUNDS = DONE + 4
FOREVER = "int main(void) { for (volatile unsigned i = 0;;) i++; }"


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """Programs that send data there and back, by family and role."""
    folder, found = tmp_path_factory.mktemp("link"), {}
    for arch in ("wormhole", "blackhole"):
        for role, steps in (("ping", (SEND, WAIT)), ("pong", (WAIT, SEND))):
            (folder / f"{role}.c").write_text(LINK % (ROUNDS, *steps, DONE, DONE_MAGIC))
            program = tilefarm.compile_program(folder / f"{role}.c", "E0", folder / f"{role}.{arch}.elf", arch=arch)
            found[arch, role] = program
    return found


@pytest.fixture
def begin(programs):
    """A function that lets a port play a role."""
    def begin_port(port, role, rounds=4):
        port.write(SIGNAL, bytes(0x2000))
        port.write32(ROUNDS, rounds)
        port.core("E0").load(programs[port.chip.shape.name, role])

    return begin_port


@pytest.fixture
def begin_ping(begin):
    """A function that sends data there and back on the first link of a system. It returns both ports."""
    def begin_ports(system, rounds=4):
        link = system.links[0]
        ports = [system.chips[end.chip].ports[end.port] for end in (link.sender, link.receiver)]
        ports[0].write(BUFFER, DATA)
        for port, role in zip(ports, ("ping", "pong")):
            begin(port, role, rounds)
        return ports

    return begin_ports


@pytest.mark.parametrize("name, family", [("n300", "wormhole"), ("p300", "blackhole")])
def test_a_link(make_system, name, family, begin_ping):
    hashes = set()
    for threads in (1, 2):
        system = make_system(name, threads=threads)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ports = begin_ping(system)
        result = system.run()
        assert {chip.shape.name for chip in system} == {family} and len(system) == len(system.chips) == 2
        assert ports[1].read(BUFFER, len(DATA)) == DATA
        assert [port.read32(DONE) for port in ports] == [DONE_MAGIC] * 2
        assert result.end is End.QUIET and not result.faults and not result.stuck
        assert result.cycles == system.cycles == system.stats.cycles > 4 * 2 * system.link_latency
        assert result.instructions == sum(chip.stats.instructions for chip in system) > 0
        assert [each.cycles for each in result.chips] == [system.cycles] * 2
        assert [[wait.chip for wait in each.done] for each in result.chips] == [[0], [1]]
        assert [each.done[0].tiles for each in result.chips] == [[port.index] for port in ports]
        assert str(result) == f"<tilefarm result: QUIET, cycle {system.cycles}, 2 cores are done>"
        there, back, *others = system.links
        assert there.sender == back.receiver and there.receiver == back.sender
        assert there.packets == back.packets > 0 and there.bytes == 4 * (len(DATA) + 48) and there.waiting == 0
        assert [link.packets for link in others] == [0] * len(others) and others
        assert f"{there.bytes} bytes" in system.report() and "chip 1:" in system.report()
        hashes.add((system.state_hash, system.cycles))
    assert len(hashes) == 1
    slow = make_system(name, link_latency=3000, link_gbps=1)
    begin_ping(slow)
    assert (slow.link_latency, slow.link_gbps) == (3000, 1) and slow.run().cycles > system.cycles


def test_files(make_system, build, begin_ping, tmp_path):
    """Each file shows both chips and what passes between them. They change no result."""
    program = build("int main(void) { TF_WORD(0x20000) = 1; return 0; }")

    def run(system):
        begin_ping(system)
        system.chips[1].load(program)
        system.run()
        return system.state_hash

    state_hash = run(make_system("p300"))
    paths = {name: tmp_path / name for name in ("timeline", "report", "profile", "coverage", "noc_trace")}
    with tilefarm.System("p300", **paths) as system:
        assert run(system) == state_hash
        assert not any(path.exists() for path in paths.values())
        system.write_files("a title", "half way", "on purpose", good=True)
        with pytest.raises(tilefarm.InvalidArgumentError):
            system.write_files()
    assert all(word in paths["timeline"].read_bytes() for word in (b"chip 0", b"chip 1"))
    assert all(word in paths["report"].read_text() for word in ("a title", "half way", f"{state_hash:016x}"))
    assert "main" in paths["profile"].read_text() and "program0.c" in paths["coverage"].read_text()
    with pytest.raises(tilefarm.FileError):
        tilefarm.System("p300", report=tmp_path / "none" / "r.html")


def test_link_faults(make_system, begin_ping):
    right = make_system("n300")
    begin_ping(right)
    whole = right.run().cycles
    system = make_system("n300", link_faults="0:8 lose 0, 1:0 slow 2")
    ports = begin_ping(system)
    assert system.run().cycles > whole
    assert ports[1].read(BUFFER, len(DATA)) == DATA
    assert system.links[0].lost >= 1 and system.links[1].lost == 0
    with pytest.raises(tilefarm.InvalidArgumentError, match="link_faults: chip 0 has no link at port 3"):
        make_system("n300", link_faults="0:3 down")


def test_chips_are_apart(make_system):
    system = make_system("n300")
    for number, chip in enumerate(system.chips):
        assert chip.number == number and chip.system is system
        chip.tile(5).write32(0x20000, 100 + number)
        chip.dram[1].write32(64, 200 + number)
        chip.ports[3].write32(0x20000, 300 + number)
    assert [chip.tile(5).read32(0x20000) for chip in system] == [100, 101]
    assert [chip.dram[1].read32(64) for chip in system] == [200, 201]
    assert [chip.ports[3].read32(0x20000) for chip in system] == [300, 301]
    assert system.run().end is End.QUIET
    assert repr(system) == "<tilefarm system: n300, 2 chips Wormhole>"
    assert repr(system[1]) == "<tilefarm chip: Wormhole, 64 tiles, chip 1 of a system>"


def test_ports_of_a_chip(make_chip, begin):
    chip = make_chip("wormhole")
    assert len(chip.ports) == 16 and repr(chip.ports[8]) == "<tilefarm port 8 (9,6)>"
    (core,) = chip.ports[8].cores
    assert repr(core) == "<tilefarm core E of port 8>" and chip.ports[8].core("e0").number == core.number
    with pytest.raises(tilefarm.NoSuchPlaceError):
        chip.ports[8].core("E1")
    with pytest.raises(tilefarm.AddressRangeError):
        chip.ports[8].read(0, 1 << 20)
    with pytest.raises(tilefarm.InvalidArgumentError, match="core E of port 8>: pc is 0x2, not a multiple of 4 in L1"):
        core.start(2)
    begin(chip.ports[8], "pong", rounds=0)
    (done,) = chip.run(until=(chip.ports[8], DONE, DONE_MAGIC), check=False).waits or chip.run().waits
    assert chip.ports[8].read32(DONE) == DONE_MAGIC and done.tiles == [chip.ports[8].index] and done.chip is None
    assert [core.name for core in make_chip().ports[0].cores] == ["E0", "E1"]


def test_until(make_system, begin_ping):
    system = make_system("n300")
    ports = begin_ping(system)
    with pytest.raises(tilefarm.NotReachedError):
        system.run(until=(system.chips[1], ports[1], DONE, 5), cycles=1000)
    assert system.run(until=(1, ports[1], DONE, DONE_MAGIC)).end is End.VALUE
    assert ports[1].read32(DONE) == DONE_MAGIC and system.cycles > 1000
    for bad, error in (((2, 0, 0x20000, 1), tilefarm.NoSuchPlaceError), ((0, 99, 0, 1), tilefarm.NoSuchPlaceError),
                       ((0, 0, 0x20002, 1), tilefarm.InvalidArgumentError), ((0, 0, 1), tilefarm.InvalidArgumentError)):
        with pytest.raises(error):
            system.run(until=bad)


@pytest.mark.parametrize("until", [False, True])
def test_parts_equal_a_whole(make_system, monkeypatch, until, begin_ping):
    """A run returns to Python now and then. That changes no result, and no limit of cycles."""
    ways = []
    for part_s in (60, 1e-9):
        monkeypatch.setattr(tilefarm.runs, "PART_S", part_s)
        system = make_system("n300", threads=2)
        ports = begin_ping(system, rounds=20)
        word = (1, ports[1], DONE, DONE_MAGIC) if until else None
        for cycles in (5000, 10001, None):
            system.run(cycles, word, check=False)
            ways.append((system.cycles, system.state_hash, [link.waiting for link in system.links]))
    assert ways[:3] == ways[3:] and ways[0][0] < ways[1][0] < ways[2][0]


def test_save(make_system, tmp_path, begin_ping):
    whole = make_system("n300", link_latency=2000)
    begin_ping(whole)
    whole.run()
    first = make_system("n300", threads=1, link_latency=2000)
    begin_ping(first)
    cycle = 0
    while not any(link.waiting for link in first.links):
        cycle += 500
        assert first.run(pause=cycle).end is End.CYCLES
    first.save(tmp_path / "saved")
    second = make_system(None, threads=2, saved=tmp_path / "saved")
    assert second.link_latency == 2000 and second.name is None and len(second) == 2
    assert second.descriptor == first.descriptor
    assert (second.state_hash, second.cycles) == (first.state_hash, first.cycles) != (whole.state_hash, whole.cycles)
    assert second.links == first.links
    assert second.run().end is End.QUIET
    first.run()
    first.restore(tmp_path / "saved")  # its state is older than that of the system
    first.run()
    assert first.state_hash == second.state_hash == whole.state_hash
    other = make_system("n300")
    other.chips[1].tile(0).write32(0x20000, 7)
    for path, error in ((tmp_path / "saved", tilefarm.FileFormatError), (tmp_path / "none", tilefarm.FileError)):
        with pytest.raises(error):
            other.restore(path)
        with pytest.raises(error):
            make_system("n300", link_latency=1024, saved=path)
    with pytest.raises(tilefarm.FileFormatError, match="other chips, or other links"):
        make_system("2xn300", saved=tmp_path / "saved")
    with pytest.raises(tilefarm.InvalidArgumentError, match="one of name, cluster and saved"):
        make_system(None)
    assert other.chips[1].tile(0).read32(0x20000) == 7
    with pytest.raises(tilefarm.FileError):
        other.save(tmp_path / "no" / "folder")


def test_critical_path(make_system, begin):
    system = make_system("n300", timing=True)
    with pytest.raises(tilefarm.InvalidArgumentError, match="record_path"):
        system.critical_path
    begin(system.chips[0].ports[8], "ping")
    begin(system.chips[1].ports[0], "pong")
    system.record_path()
    result = system.run()
    path = system.critical_path
    assert sum(part.cycles for part in path) == result.cycles == path[-1].end
    crossed = {(part.chip, part.at, part.to_chip, part.to) for part in path if part.actor == "link"}
    assert crossed == {(0, (9, 6), 1, (9, 0)), (1, (9, 0), 0, (9, 6))}
    assert sum(part.cycles for part in path if part.kind == "latency") >= 2 * 1024
    assert {part.chip for part in path if part.actor == "core" and "main" in part.place} == {0, 1}
    for broken in system, make_system("n300"):  # twice, and without timing
        with pytest.raises(tilefarm.InvalidArgumentError, match="critical path"):
            broken.record_path()
    with pytest.raises(tilefarm.InvalidArgumentError, match="record_path"):
        system.chips[0].critical_path  # it is that of the system


def test_forks(make_system, begin):
    system = make_system("n300", threads=2)
    begin(system.chips[0].ports[8], "ping", 3)
    begin(system.chips[1].ports[0], "pong", 3)
    at = 0
    while not any(link.waiting for link in system.links):
        at += 1000
        assert system.run(pause=at).end is End.CYCLES
    fork = system.fork()
    second = fork.fork()
    assert (fork.state_hash, fork.links, fork.cycles) == (system.state_hash, system.links, system.cycles)
    assert fork.name == "n300" and fork.chips[1].system is fork and fork.chips[1].number == 1
    with system.fork() as changed:
        changed.chips[1].tile(3).write32(0x20000, 7)
        assert changed.chips[1].tile(3).read32(0x20000) == 7
    assert system.chips[1].tile(3).read32(0x20000) == fork.chips[1].tile(3).read32(0x20000) == 0
    assert system.run().end is fork.run().end is End.QUIET
    expected = system.state_hash
    system.close()
    assert fork.state_hash == expected and second.state_hash != expected
    fork.close()
    assert second.run().end is End.QUIET and second.state_hash == expected
    with pytest.raises(tilefarm.ClosedError):
        fork.fork()
    with pytest.raises(tilefarm.InvalidArgumentError, match="relaxed mode cannot be forked"):
        make_system("n300", relaxed=True).fork()


def test_runs_that_do_not_end_well(make_system, build, begin):
    system = make_system("n300")
    begin(system.chips[1].ports[0], "pong")
    text = r"^chip 1: port 0 \(9,0\) core E .* polls the word at 0x30000 "
    with pytest.raises(tilefarm.DeadlockError, match=text) as caught:
        system.run()
    assert [wait.chip for wait in caught.value.waits] == [1] and caught.value.result.end is End.QUIET
    (wait,) = caught.value.result.link_waits
    assert wait == system.link_waits()[0] and wait[:6] == ((1, 0), (0, 8), True, 0, 0, 0)
    assert str(wait) == "chip 1: link: port 0 to port 8 of chip 0: up; no core waits there"
    assert str(wait) in str(caught.value) and str(wait) in system.report().splitlines()

    system = make_system("n300", link_faults="0:8 down")
    begin(system.chips[0].ports[8], "ping")
    begin(system.chips[1].ports[0], "pong")
    with pytest.raises(tilefarm.DeadlockError, match="link: port 8 to port 0 of chip 1: down, ") as caught:
        system.run()
    assert [wait.up for wait in caught.value.result.link_waits] == [False, False]
    assert caught.value.result.link_waits[0].unacknowledged > 0

    system = make_system("p300")
    fails = build("int main(void) { return TF_WORD(0x20000) ? TF_WORD(0xF0000000) : 3; }")
    system.chips[1].load(fails, tiles=2)
    with pytest.raises(tilefarm.ProgramError, match="^chip 1: .*returned 3$"):
        system.run()
    system.chips[1].tile(4).write32(0x20000, 1)
    system.chips[1].load(fails, tiles=4)
    with pytest.raises(tilefarm.FaultError, match=r"^fault: chip 1, .* main\+") as caught:
        system.run()
    (fault,) = caught.value.faults
    assert (fault.chip, fault.index, fault.address) == (1, 4, 0xF0000000)
    result = caught.value.result
    assert result.end is End.FAULT and [each.faults for each in result.chips] == [[], [fault]] == [[], system.faults]
    assert system.run(check=False).faults == []

    system = make_system("p300", limit_seconds=0.3)
    system.chips[1].load(build(FOREVER))
    with pytest.raises(tilefarm.TimeLimitError, match="has not ended after 0.3 seconds\nchip 1:\nstack: .*main"):
        system.run()
    with pytest.raises(tilefarm.NotReachedError, match="CYCLES"):
        system.run(cycles=1000, until=(0, 0, 0x20000, 1))
    assert system.run(seconds=0.1, check=False).end is End.TIME


@pytest.mark.parametrize("call, instead", [
    (lambda chip, path: chip.run(cycles=5), "System.run()"), (lambda chip, path: chip.save(path), "System.save()"),
    (lambda chip, path: chip.restore(path), "System.restore()"), (lambda chip, path: chip.fork(), "System.fork()"),
    (lambda chip, path: chip.close(), "System.close()"), (lambda chip, path: chip.__enter__(), "System.close()"),
    (lambda chip, path: chip.events(tilefarm.Trace()), "System.run()"),
])
def test_what_chips_refuse(make_system, tmp_path, call, instead):
    system = make_system("n300")
    with pytest.raises(tilefarm.InvalidArgumentError) as caught:
        call(system.chips[1], tmp_path / "saved")
    assert str(caught.value).startswith(f"chip 1 belongs to a system: call {instead}")
    assert system.run().end is End.QUIET and system.chips[1].tile(0).read32(0x20000) == 0


def test_life():
    """A chip keeps its system, and is closed with it."""
    tile = tilefarm.System("n300", threads=1).chips[1].tile(3)
    gc.collect()
    tile.write32(0x20000, 5)
    assert tile.read32(0x20000) == 5
    with tile.chip.system as system:
        chip = system.chips[0]
    system.close()
    for call in (lambda: tile.read32(0x20000), lambda: chip.stats, system.run, lambda: system.cycles,
                 lambda: system.links, lambda: system.descriptor):
        with pytest.raises(tilefarm.ClosedError):
            call()
    system.stop()
    chip.stop()
    assert repr(system) == "<tilefarm system: n300, 2 chips Wormhole, closed>"
    assert repr(tilefarm.System.__new__(tilefarm.System)) == "<tilefarm system: not made>"


@pytest.mark.parametrize("call", [copy.copy, copy.deepcopy, pickle.dumps])
def test_systems_are_not_copied(make_system, call):
    """Two objects would free one system."""
    system = make_system("n150")
    for each in (system, system.chips[0]):
        with pytest.raises(TypeError, match=r"use .*fork\(\), or .*save\(\)"):
            call(each)


def test_clusters(make_system, tmp_path, begin_ping):
    system = make_system("n300")
    text = system.descriptor
    (tmp_path / "cluster.yaml").write_text(text)
    begin_ping(system)
    system.run()
    for cluster in (text, text.encode(), tmp_path / "cluster.yaml", str(tmp_path / "cluster.yaml")):
        same = make_system(cluster=cluster)
        assert same.descriptor == text and repr(same) == "<tilefarm system: of a descriptor, 2 chips Wormhole>"
        begin_ping(same)
        same.run()
        assert same.state_hash == system.state_hash
    names = tilefarm.System.names()
    assert "n300" in names and "bh-galaxy" in names
    assert make_system("n150").links == []
    assert make_system("p300").links[0] == Link(LinkEnd(0, 2), LinkEnd(1, 9), 0, 0, 0, 0)
    with pytest.raises(tilefarm.FileFormatError, match="line 2"):
        make_system(cluster="arch: {\n")
    with pytest.raises(tilefarm.FileError):
        make_system(cluster=tmp_path / "none")
    for options in ({}, {"cluster": text, "name": "n300"}, {"name": "n301"}):
        with pytest.raises(tilefarm.InvalidArgumentError):
            tilefarm.System(**options)


@pytest.mark.parametrize("threads", [1, 2])
def test_relaxed(make_system, begin_ping, tmp_path, threads):
    system = make_system("n300", relaxed=True, threads=threads, profile=tmp_path / "profile.txt")
    ports = begin_ping(system)
    assert system.run().end is End.QUIET
    assert [port.read32(DONE) for port in ports] == [DONE_MAGIC] * 2
    assert [link.waiting for link in system.links] == [0] * 4
    assert sum(link.packets for link in system.links) > 0
    assert (system.link_latency, system.link_gbps) == (0, 0)
    with pytest.raises(tilefarm.InvalidArgumentError, match="relaxed mode"):
        system.save(tmp_path / "saved")


@pytest.mark.parametrize("options, error, text", [
    ({"relaxed": True, "link_latency": 2000}, tilefarm.InvalidArgumentError, "in relaxed mode links take no time"),
    ({"relaxed": True, "link_faults": "0:8 down"}, tilefarm.InvalidArgumentError, "links have no faults"),
    ({"order": 7}, tilefarm.ArgumentTypeError, "order is 7, not an Order"),
    ({"order": tilefarm.Order(), "slice_cycles": 64}, tilefarm.InvalidArgumentError, "an order sets slice_cycles"),
    ({"report": 7}, tilefarm.ArgumentTypeError, "report"), ({"board": "n300"}, TypeError, "'board'"),
    ({"fields": {}}, TypeError, r"System\(\) has no option 'fields'"),
    ({"no_such": 1}, TypeError, r"System\(\) has no option 'no_such'$"),
    ({"epoch": 512}, TypeError, r"no option 'epoch' \(did you mean 'epoch_cycles'\?\)"),
    ({"threads": 0}, tilefarm.InvalidArgumentError, "threads is 0, not 1 to 256"),
    ({"link_latency": 100}, tilefarm.InvalidArgumentError, "100 cycles"),
    ({"link_latency": 0}, tilefarm.InvalidArgumentError, "link_latency is 0"),
    ({"link_gbps": 1 << 32}, tilefarm.InvalidArgumentError, "link_gbps"),
    ({"link_gbps": 1.5}, tilefarm.ArgumentTypeError, "link_gbps"),
    ({"cluster": 7}, tilefarm.ArgumentTypeError, "cluster"), ({"on_print": 3}, tilefarm.ArgumentTypeError, "on_print"),
    ({"on_progress": 3}, tilefarm.ArgumentTypeError, "on_progress"),
    ({"slice_cycles": 1}, tilefarm.InvalidArgumentError, "slice_cycles"),
])
def test_options(options, error, text):
    name = None if "cluster" in options else "n300"
    with pytest.raises(error, match=text):
        tilefarm.System(name, **options)


# The receiver of EARLY allows the second block before it has read the first one.
CREDIT = """
#include <tilefarm_link.h>
#define DATA 0x20000u
int main(void)
{
    unsigned sum = 0;
    if (SENDS) {
        for (unsigned i = 1; i <= 2; i++) {
            for (unsigned at = 0; at < 64; at++)
                TF_WORD(DATA + 4 * at) = i;
            tf_settle(DATA + 252);
            tf_link_write(0, DATA, DATA, 256);
            tf_link_signal(0, 0x30000, 0x31000, i);
            tf_link_wait(0x30000, i);
        }
        return 0;
    }
    tf_link_wait(0x30000, 1);
    if (EARLY)
        tf_link_signal(0, 0x30000, 0x31000, 1);
    for (unsigned at = 0; at < 64; at++)
        sum += TF_WORD(DATA + 4 * at);
    if (!EARLY)
        tf_link_signal(0, 0x30000, 0x31000, 1);
    tf_link_wait(0x30000, 2);
    tf_link_signal(0, 0x30000, 0x31000, 2);
    TF_WORD(0x34000) = sum;
    return 0;
}
"""


def test_explore(make_system, tmp_path):
    """A race between chips is found, shrunk to one decision of a chip, written, and repeated on any thread."""
    (tmp_path / "credit.c").write_text(CREDIT)

    def made(early, sends):
        return tilefarm.compile_program(tmp_path / "credit.c", "E0", tmp_path / f"{early}{sends}.elf",
                                        f"-DEARLY={early}", f"-DSENDS={sends}").read_bytes()

    def trial_of(early):
        programs = [made(early, sends) for sends in (1, 0)]

        def trial(system):
            link = system.links[0]
            ports = [system.chips[end.chip].ports[end.port] for end in (link.sender, link.receiver)]
            for port, program in zip(ports, programs):
                port.write(SIGNAL, bytes(64))
                port.core("E0").load(program)
            system.run()
            assert ports[1].read32(0x34000) == 64, "the second block came too early"
            return "fine"

        return trial

    one = trial_of(1)
    found = tilefarm.explore(one, 100, system="p300", strategy="chaos")
    assert found.failed and "too early" in str(found.error) and found.seed is not None, str(found)
    decision, = found.decisions
    assert decision.chip == 1 and decision.line.split()[1].startswith("1:"), decision
    assert decision.text.startswith("chip 1: port 9 (11,1), ") and decision.text in str(found), decision
    with make_system("p300", check=True) as usual:
        assert one(usual) == "fine"
        race, = usual.chips[1].races()
        assert race.first.node_name == "port 9 (11,1)" and "credit.c:" in race.first.place
        assert not usual.chips[0].races()
    found.order.write(tmp_path / "order")
    order = tilefarm.Order.read(tmp_path / "order")
    assert [each.place for each in order.decisions] == [each.place for each in found.decisions]
    hashes = set()
    for threads in (1, 2):
        with tilefarm.System("p300", order=order, threads=threads) as system:
            with pytest.raises(AssertionError, match="too early"):
                one(system)
            assert [each.place for each in system.decisions()] == [decision.place]
            hashes.add(system.state_hash)
    assert len(hashes) == 1
    fixed = tilefarm.explore(trial_of(0), 12, system="p300", strategy="delay-one", all=True)
    assert not fixed.failed and fixed.runs == 12, str(fixed)


def test_callbacks(make_system, build, tmp_path):
    """Each one gets the number of the chip first, also after restore()."""
    said, traced, steps = [], [], []
    system = make_system("p300", on_print=lambda chip, event: said.append((chip, event.text)), riscv_tiles=[1],
                         on_riscv=lambda chip, event: traced.append(chip), riscv_cores=iter(["B"]),
                         on_noc=lambda chip, event: steps.append((chip, event.step)))
    program = build('#include "tilefarm_print.h"\nint main(void) { tf_printf("hello\\n"); '
                    'tf_noc_fetch_inc(0, tf_tile_xy(0, 0), 0x30000, 1); return 0; }')
    system.chips[0].load(program, tiles=1)
    system.chips[1].load(program, tiles=2)
    system.save(tmp_path / "saved")
    for time in (1, 2):
        system.run()
        assert said == [(0, "hello\n"), (1, "hello\n")] * time and set(traced) == {0}
        assert steps.count((0, "acted")) == steps.count((1, "acted")) == time
        first = len(traced) // time
        system.restore(tmp_path / "saved")
    assert len(traced) == 2 * first


def test_callbacks_that_raise(make_system, build):
    def raises(chip, event):
        raise RuntimeError(f"chip {chip} said {event.text}")

    system = make_system("p300", on_print=raises)
    system.chips[1].load(build('#include "tilefarm_print.h"\n'
                               'int main(void) { for (;;) tf_printf("hello"); }'))
    with pytest.raises(RuntimeError, match="chip 1 said hello"):
        system.run()
    system.chips[1].tile(0).core("B").stop()
    system.run(check=False)


def test_interrupt_and_other_threads(make_system, build):
    """Ctrl-C ends a run, and a later call continues it. Calls of other threads are refused, except stop()."""
    runs, refused = threading.Event(), []
    system = make_system("p300", threads=1, on_progress=lambda cycles, instructions: runs.set())
    system.chips[1].load(build(FOREVER))

    def other(end):
        runs.wait()
        for call in (lambda: system.chips[0].tile(0).read32(0), system.run, system.close, lambda: system.state_hash):
            try:
                call()
            except tilefarm.BusyError:
                refused.append(True)
        end()

    for end in (lambda: os.kill(os.getpid(), signal.SIGINT), system.chips[0].stop):
        runs.clear()
        refused.clear()
        thread = threading.Thread(target=other, args=[end])
        thread.start()
        cycles = system.cycles
        if end == system.chips[0].stop:
            assert system.run().end is End.STOPPED
        else:
            with pytest.raises(KeyboardInterrupt):
                system.run()
        thread.join()
        assert refused == [True] * 4 and system.cycles > cycles
    assert system.run(cycles=1000).end is End.CYCLES


def test_fixture(pytester):
    pytester.makepyfile("""
        def test_wrong(make_system, make_chip):
            system = make_system("n150", threads=1)
            system.chips[0].tile(0).write(0x1000, bytes.fromhex("370a00206f000000"))
            system.chips[0].tile(0).core("B").start(pc=0x1000)
            make_chip("wormhole")
            system.run()
            assert system.cycles == 0
    """)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--tilefarm-look", "none")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*tilefarm system 0, kept in *", "system: * cycles, state hash *"])
    (folder,) = (pytester.path / "tilefarm-failures").iterdir()
    assert "done: chip 0: " in (folder / "report-0.txt").read_text()
