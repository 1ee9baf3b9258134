# SPDX-License-Identifier: Apache-2.0
import gc

import pytest

import tilefarm
from tilefarm import End

# The hostile build has shorter ones by default; with these the runs take over 20,000 cycles in every build.
SLICES = {"slice_cycles": 1024, "epoch_cycles": (1024, 16384)}
COUNT = """
int main(void)
{
    for (unsigned i = 0; i < 50; i++)
        tf_noc_fetch_inc(0, tf_tile_xy(0, (tf_my_tile() + i) % 140), 0x20000, 1);
    return 0;
}
"""


def test_a_run_in_two_parts(make_chip, build, tmp_path):
    program = build(COUNT)
    whole = make_chip(**SLICES)
    whole.load(program, tiles="all")
    whole.run()

    first = make_chip(threads=2, **SLICES)
    first.load(program, tiles="all")
    assert first.run(pause=3000).end is End.CYCLES
    first.save(tmp_path / "saved")
    second = make_chip(saved=tmp_path / "saved", threads=1)
    assert second.state_hash == first.state_hash and second.stats.cycles == first.stats.cycles >= 3000
    second.add_symbols(program)
    assert "main" in "".join(second.tile(3).core("B").stack)
    assert second.run().end is End.QUIET
    assert second.state_hash == whole.state_hash
    assert [tile.read32(0x20000) for tile in second.tiles] == [50] * 140
    first.run()
    first.restore(tmp_path / "saved")  # its state is older than that of the chip
    first.run()
    assert first.state_hash == whole.state_hash


def test_a_fork(make_chip, build):
    program = build(COUNT)
    chip = make_chip(threads=2, **SLICES)
    chip.load(program, tiles="all")
    chip.run(pause=3000)
    fork = chip.fork()
    second = fork.fork()
    fork.tile(3).write32(0x30000, 7)
    assert chip.tile(3).read32(0x30000) == second.tile(3).read32(0x30000) == 0
    fork.tile(3).write32(0x30000, 0)
    assert chip.run().end is fork.run().end is End.QUIET
    chip.close()
    assert second.run().end is End.QUIET
    assert fork.state_hash == second.state_hash
    assert [tile.read32(0x20000) for tile in second.tiles] == [50] * 140
    with pytest.raises(tilefarm.InvalidArgumentError, match="relaxed"):
        make_chip(relaxed=True).fork()


def test_the_file_has_the_configuration(make_chip, tmp_path):
    make_chip(arch="wormhole", epoch_cycles=2048).save(tmp_path / "saved")
    restored = make_chip(saved=tmp_path / "saved")
    assert restored.shape.name == "wormhole" and len(restored.tiles) == restored.shape.tensix_tiles
    with pytest.raises(tilefarm.InvalidArgumentError):
        make_chip().restore(tmp_path / "saved")


def test_bad_files(make_chip, tmp_path):
    chip = make_chip()
    chip.tile(0).write32(0, 5)
    chip.save(tmp_path / "saved")
    damaged = bytearray((tmp_path / "saved").read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / "damaged").write_bytes(damaged)
    chip.tile(0).write32(0, 6)
    for name, error in (("damaged", tilefarm.FileFormatError), ("none", tilefarm.FileError)):
        with pytest.raises(error):
            chip.restore(tmp_path / name)
    assert chip.tile(0).read32(0) == 6
    with pytest.raises(OSError):
        chip.save(tmp_path / "no" / "folder")
    with pytest.raises(tilefarm.InvalidArgumentError):
        make_chip(relaxed=True).save(tmp_path / "relaxed")


def test_a_bad_file_leaves_nothing(tmp_path):
    """What could not be restored is closed at once, and writes no files."""
    def alive():
        return [each for each in gc.get_objects() if isinstance(each, (tilefarm.Chip, tilefarm.System))]

    with tilefarm.System("n300", threads=1) as whole:
        whole.save(tmp_path / "bad")
    (tmp_path / "bad.1.chip1").unlink()
    before = alive()  # of earlier tests, whose failures may keep open chips
    with pytest.raises(tilefarm.FileError):
        tilefarm.System("n300", saved=tmp_path / "bad", report=tmp_path / "report.html")
    left = [repr(each) for each in alive() if not any(each is one for one in before)]
    assert left and all("closed" in each for each in left) and not (tmp_path / "report.html").exists()
