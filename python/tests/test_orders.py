# SPDX-License-Identifier: Apache-2.0
"""Other orders: explore() finds a planted race and shrinks it to its decision; a file of the order repeats it."""
import signal

import pytest

import tilefarm
from tilefarm import Decision, Order

# Without WAITS tile 0 signals tile 1 before the response to its write: the data may come after the signal.
PROGRAM = """
int main(void)
{
    if (tf_my_tile() == 0) {
        TF_WORD(0x20000) = 7;
        tf_settle(0x20000);
        tf_noc_write(0, tf_tile_xy(0, 1), 0x21000, 0x20000, 4);
        if (WAITS)
            tf_noc_wait(0);
        tf_sem_inc_remote(1, tf_tile_xy(1, 1), 0x22000, 1);
        tf_noc_wait(1);
    } else {
        tf_sem_wait(0x22000, 1);
        TF_WORD(0x23000) = TF_WORD(0x21000);
    }
    return 0;
}
"""


@pytest.fixture
def trial(build):
    def make(waits):
        program = build(PROGRAM, "B", f"-DWAITS={waits}").read_bytes()

        def one(chip):
            chip.load(program, tiles=[0, 1])
            chip.run()
            assert chip.tile(1).read32(0x23000) == 7, "it came too early"
            return "fine"

        return one

    return make


def test_a_race_is_found(trial, tmp_path):
    one = trial(0)
    found = tilefarm.explore(one, 400)
    assert found.failed and found.seed is not None and "too early" in str(found.error)
    assert len(found.decisions) <= 2 and "NOC 0" in found.decisions[0].text and "main" in found.decisions[0].text
    assert found.decisions[0].text.startswith("tile 0 (1,2), "), found.decisions[0].text
    assert found.outcomes[-1].failed and found.outcomes[-1].first_seed == found.seed
    assert sum(outcome.runs for outcome in found.outcomes) == found.runs == found.seed
    assert f"seed {found.seed} fails" in str(found)
    repeated = tilefarm.explore(one, 400, jobs=2)
    assert (repeated.seed, repeated.runs, repeated.decisions) == (found.seed, found.runs, found.decisions)
    found.order.write(tmp_path / "order")
    order = Order.read(tmp_path / "order")
    assert [decision[:5] for decision in order.decisions] == [decision[:5] for decision in found.decisions]
    hashes = set()
    for threads in (1, 2):
        with tilefarm.Chip(order=order, threads=threads) as chip:
            with pytest.raises(AssertionError, match="too early"):
                one(chip)
            hashes.add(chip.state_hash)
    assert len(hashes) == 1


def test_the_fixed_program_does_not_fail(trial):
    found = tilefarm.explore(trial(1), 60, strategy="chaos", all=True)
    assert not found.failed and found.seed is None and found.runs == 60
    assert [(outcome.text, outcome.runs) for outcome in found.outcomes] == [("'fine'", 60)]


def test_strategies_that_choose(trial):
    """pct finds the race by two choices; delay-one delays each packet and each response once. Jobs change nothing."""
    for strategy, most in (("pct", 400), ("delay-one", 4)):
        found = tilefarm.explore(trial(0), 400, strategy=strategy, depth=2)
        assert found.failed and found.seed <= most and "too early" in str(found.error), (strategy, found)
        assert [decision.kind for decision in found.decisions] == ["request"]
        repeated = tilefarm.explore(trial(0), 400, strategy=strategy, depth=2, jobs=2)
        lines = [[decision.line for decision in one.decisions] for one in (repeated, found)]  # texts have file names
        assert repeated.seed == found.seed and lines[0] == lines[1]
    every = tilefarm.explore(trial(1), 400, strategy="delay-one", all=True)
    assert not every.failed and every.runs == 4  # two packets, and their responses
    assert tilefarm.explore(trial(1), 40, strategy="pct", all=True).runs == 40


def test_the_default_order_fails_or_does_not_end(trial, build):
    program = build("int main(void) { tf_sem_wait(0x20000, 1); return 0; }").read_bytes()
    found = tilefarm.explore(lambda chip: (chip.load(program), chip.run()), 5)
    assert found.failed and found.seed is None and "usual order" in str(found)
    calls = []

    def endless(chip):
        calls.append(chip)
        if len(calls) > 1:
            chip.load(build("int main(void) { for (volatile unsigned i = 0;;) i++; }"))
        chip.run()

    found = tilefarm.explore(endless, 5, shrink=False)
    assert found.seed == 1 and isinstance(found.error, tilefarm.NotReachedError)


class Alarm(Exception):
    """What the handler of a signal raises."""


@pytest.fixture
def alarm():
    """The handler of an alarm raises Alarm. A function that sets it, after a time."""
    def handler(number, frame):
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


ENDLESS = "int main(void) { for (volatile unsigned i = 0;;) i++; }"


@pytest.mark.parametrize("jobs, trial_converts", [(1, False), (1, True), (2, False)])
def test_a_handler_ends_the_exploration(build, alarm, jobs, trial_converts):
    """What a handler raises is no failure of the trial, in the usual order or later, in whichever thread that runs."""
    program = build(ENDLESS).read_bytes()
    runs = []

    def endless(chip):
        runs.append(chip)
        if len(runs) > 1 or jobs == 1:
            chip.load(program)
            alarm(0.1)
        try:
            chip.run(cycles=1 << 62)
        except Alarm as error:
            raise ValueError("converted") if trial_converts else error

    with pytest.raises(ValueError if trial_converts else Alarm):
        tilefarm.explore(endless, 5, jobs=jobs)


def test_a_failure_by_pytest_is_one_of_the_trial(alarm):
    found = tilefarm.explore(lambda chip: pytest.fail("wrong"), 5)
    assert found.failed and "Failed: wrong" in str(found)


def test_seconds(build):
    """They end a run of the usual order, and seeds."""
    program = build(ENDLESS).read_bytes()
    found = tilefarm.explore(lambda chip: (chip.load(program), chip.run()), 5, seconds=0.2)
    assert isinstance(found.error, tilefarm.TimeLimitError) and "main" in str(found.error)
    assert "usual order: TimeLimitError: the run has not ended when the seconds of explore() were over" in str(found)
    calls = []

    def endless(chip):
        calls.append(chip)
        if len(calls) > 2:
            chip.load(program)
        chip.run(cycles=1 << 62)

    found = tilefarm.explore(endless, 5, seconds=0.3)
    assert not found.failed and found.runs == 1
    with pytest.raises(tilefarm.InvalidArgumentError):
        tilefarm.explore(endless, 5, seconds=0)


def test_orders():
    assert "request" in tilefarm.orders.kinds()
    for bad in ([Decision("hope", 0, 0, 0, 1)], [Decision("store", 0, 0, 0, -1)], [Decision("store", 0, 0, 0, 1)] * 2):
        with pytest.raises(tilefarm.InvalidArgumentError):
            Order(bad)
    for seed, strategy in ((-1, "random"), (1, "pct")):
        with pytest.raises(tilefarm.InvalidArgumentError):
            Order.of_seed(seed, strategy)
    for options in ({"strategy": "luck"}, {"strategy": "pct", "depth": 0}):
        with pytest.raises(tilefarm.InvalidArgumentError):
            tilefarm.explore(lambda chip: None, 1, **options)
    with pytest.raises(tilefarm.InvalidArgumentError):
        tilefarm.Chip(order=Order(), epoch_cycles=128)


@pytest.mark.parametrize("text", ["", "tilefarm-schedule 2\n", "tilefarm-schedule 1\nstore 0 0 1\n"])
def test_bad_files(tmp_path, text):
    (tmp_path / "order").write_text(text)
    with pytest.raises(tilefarm.FileFormatError):
        Order.read(tmp_path / "order")


SENDER = """
#include "tilefarm_device.h"
int main(void)
{
    TF_WORD(0x20000) = 7;
    tf_settle(0x20000);
    tf_noc_write(0, tf_tile_xy(0, 1), 0x20000, 0x20000, 4);
    tf_noc_wait(0);
    TF_WORD(0x20010) = 1;
    for (volatile unsigned i = 0; i < ROUNDS; i++)
        ;
    return 0;
}
"""
TAKER = """
#include "tilefarm_device.h"
int main(void)
{
    TF_WORD(0x20004) = TF_WORD(0x20000);
    return 0;
}
"""


def test_host_is_an_actor(make_chip, build):
    """
    A core that the host starts is ordered after a run that has ended, and after stores that the host has read. Without
    these nothing orders its accesses.
    """
    for rounds, reads, found in ((0, False, False), (10000, False, True), (10000, True, False)):
        chip = make_chip(check=True)
        chip.load(build(SENDER, "B", f"-DROUNDS={rounds}"), tiles=[0])
        chip.run(cycles=3000, check=False)
        if reads:
            assert bytes(chip.tile(0).l1.read(0x20010, 4)) == b"\1\0\0\0"
        chip.load(build(TAKER, "B"), tiles=[1])
        chip.run(cycles=3000, check=False)
        assert bool(chip.races()) is found, (rounds, reads, chip.races())


WORKER = """
#include "tilefarm_device.h"
int main(void)
{
    for (;;) {
        while (TF_WORD(0x20000) == 0)
            tf_fence();
        TF_WORD(0x20000) = 0;
        tf_fence();
        TF_WORD(0x22000) = TF_WORD(0x21000) + 1;
        tf_settle(0x22000);
        TF_WORD(0x20010) = 1;
        tf_settle(0x20010);
        for (volatile unsigned i = 0; i < 10000; i++)
            ;
    }
}
"""


@pytest.mark.parametrize("early, hasty", [(False, False), (True, False), (False, True)])
def test_host_without_order(make_chip, build, early, hasty):
    """
    A client that writes its data after the flag, or reads the result before the device's flag, has a race with the
    device. One that keeps the order has none.
    """
    chip = make_chip(check=True)
    chip.load(build(WORKER, "B"), tiles=[0])
    chip.run(cycles=5000, check=False)
    l1 = chip.tile(0).l1
    for address, value in ((0x20000, 1), (0x21000, 41)) if early else ((0x21000, 41), (0x20000, 1)):
        l1.write(address, value.to_bytes(4, "little"))
    chip.run(cycles=5000, check=False)
    if not hasty:
        assert bytes(l1.read(0x20010, 4)) == b"\1\0\0\0"
    assert bytes(l1.read(0x22000, 4)) == b"\x2a\0\0\0"
    sides = [race.first.what if early else race.second.what for race in chip.races()]
    assert sides == (["write by the host"] if early else ["read by the host"] if hasty else [])
    text = "".join(map(str, chip.races()))
    assert all(f"\n  {side}" in text for side in sides) and "core ," not in text


def test_check(make_chip, build):
    """Chip(check=True) reports the planted race."""
    for waits, found in ((0, True), (1, False)):
        chip = make_chip(check=True)
        chip.load(build(PROGRAM, "B", f"-DWAITS={waits}"), tiles=[0, 1])
        chip.run()
        assert bool(chip.races()) is found and ("race: " in chip.report()) is found
        if found:
            (race,) = chip.races()
            assert (race.kind, race.node, race.address, race.times) == ("data", (2, 2), 0x21000, 1)
            assert race.first.what == "NOC write" and race.first.noc == 0
            assert race.second and "main" in race.second.place
            assert race.second.waited.startswith("a word of memory at 0x") and "main" in race.second.waited
            assert race.advice and str(race) in chip.report() and "last waited for" in str(race)
            assert "0x21000, 1 time: nothing orders\n" in str(race)
    chip = make_chip(check=True)
    chip.load(build("int main(void) { return TF_WORD(0x28000) != 0; }"))
    chip.run()
    assert "0x28000, 1 time: read before it is written:\n" in chip.report()
