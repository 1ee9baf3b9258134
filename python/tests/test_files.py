# SPDX-License-Identifier: Apache-2.0
"""Files of a chip: their content, the time of writing, and that they change no result."""
import gzip
import json

import pytest

import tilefarm

PROGRAM = """
static void __attribute__((noinline)) send(void)
{
    TF_WORD(0x20000) = 5;
    tf_settle(0x20000);
    tf_noc_write(TF_NOC, tf_tile_xy(TF_NOC, 1), 0x20100, 0x20000, 4);
    tf_noc_wait(TF_NOC);
}
int main(void) { if (tf_my_tile() == 0) send(); else tf_sem_wait(0x20100, 5); return 0; }
"""
# The hostile build has shorter ones by default; with these the second tile waits in every build.
SLICES = {"slice_cycles": 1024, "epoch_cycles": (1024, 16384)}
NAMES = {"timeline": "t.pftrace.gz", "report": "r.html", "profile": "p.folded", "coverage": "c.info",
         "noc_trace": "n.json"}


def run(chip, program):
    chip.load(program, tiles=[0, 1])
    chip.run()
    return chip.state_hash


def test_all_of_them(make_chip, build, tmp_path):
    program = build(PROGRAM)
    events = []
    paths = {name: tmp_path / file for name, file in NAMES.items()}
    with tilefarm.Chip(on_noc=events.append, **SLICES, **paths) as chip:
        hash_of_watched = run(chip, program)
        assert not any(path.exists() for path in paths.values())
    assert {path.name for path in tmp_path.iterdir() if path.suffix not in (".c", ".elf")} == set(NAMES.values())
    timeline = gzip.decompress(paths["timeline"].read_bytes())
    assert b"send" in timeline and b"write to tile 1 (2,2)" in timeline and b"waits for the word at 0x20100" in timeline
    report = paths["report"].read_text()
    assert "done" in report and "program0.c" in report and f"{hash_of_watched:016x}" in report
    assert "send" in paths["profile"].read_text() and "SF:" in paths["coverage"].read_text()
    assert json.loads(paths["noc_trace"].read_text())
    assert [event.step for event in events] == ["issued", "acted", "landed"] and events[0].kind == "write"
    assert hash_of_watched == run(make_chip(**SLICES), program)


def test_written_by_hand(make_chip, build, tmp_path):
    """After write_files() a chip may continue, and its files do not change."""
    chip = make_chip(report=tmp_path / "r.html", timeline=tmp_path / "t.pftrace", profile=tmp_path / "p.txt")
    chip.load(build("int main(void) { for (unsigned i = 0; i < 100000; i++) TF_WORD(0x20000) = i; return 7; }"))
    chip.run(cycles=5000)
    chip.write_files("the title", "half way", "on purpose")
    kept = {path: path.read_bytes() for path in tmp_path.iterdir() if path.suffix not in (".c", ".elf")}
    assert len(kept) == 3
    assert all(word in kept[tmp_path / "r.html"] for word in (b"the title", b"half way", b"on purpose"))
    with pytest.raises(tilefarm.InvalidArgumentError):
        chip.write_files()
    with pytest.raises(tilefarm.ProgramError):
        chip.run()
    chip.close()
    assert all(path.read_bytes() == data for path, data in kept.items())


def test_of_a_run_that_fails(build, tmp_path):
    report = tmp_path / "r.html"
    with pytest.raises(tilefarm.DeadlockError):
        with tilefarm.Chip(report=report) as chip:
            chip.load(build("int main(void) { tf_sem_wait(0x20000, 5); return 0; }"))
            chip.run()
    text = report.read_text()
    assert "DEADLOCK" in text and "polls the word" in text and "DeadlockError" in text


def test_refused(make_chip, build, tmp_path):
    path = tmp_path / "r.html"
    for options in ({"relaxed": True}, {"order": tilefarm.Order()}):
        with pytest.raises(tilefarm.InvalidArgumentError):
            make_chip(report=path, **options)
    with pytest.raises(tilefarm.InvalidArgumentError):
        make_chip(report=path, threads=1, niu_requests_max=0)
    with pytest.raises(tilefarm.FileError):
        make_chip(report=tmp_path / "none" / "r.html")
    assert list(tmp_path.iterdir()) == []
    make_chip(relaxed=True, profile=tmp_path / "p.txt").close()
    chip = make_chip(report=path)
    chip.save(tmp_path / "saved")
    chip.run()
    chip.restore(tmp_path / "saved")
    chip.run()
    assert path.exists()  # restore() wrote the file, with the run before it


def test_programs_are_not_overwritten(make_chip, make_system, build, tmp_path):
    program = build(PROGRAM)
    image = program.read_bytes()
    chip = make_chip()
    chip.load(program)
    with pytest.raises(tilefarm.InvalidArgumentError, match="save: .* would overwrite an input, that of load"):
        chip.save(program)
    link = tmp_path / "link"
    link.symlink_to(program)
    for name in NAMES:
        written = tilefarm.Chip(**{name: link})
        for load in (written.load, written.add_symbols, written.tiles[1].core("B").load):
            with pytest.raises(tilefarm.InvalidArgumentError, match=f"{name}: .* would overwrite an input"):
                load(program)
        written.close(write=False)
    system = make_system("p300")
    system.chips[1].load(program)
    with pytest.raises(tilefarm.InvalidArgumentError, match="save: .* would overwrite an input, that of load"):
        system.save(link)
    assert program.read_bytes() == image


def test_of_a_restored_chip_and_a_fork(make_chip, build, tmp_path):
    first = make_chip()
    first.load(build(PROGRAM), tiles=[0, 1])
    first.save(tmp_path / "saved")
    expected = first.run() and first.state_hash
    chip = make_chip(saved=tmp_path / "saved", profile=tmp_path / "p.folded")
    chip.add_symbols(tmp_path / "program0.elf", tiles=[0, 1])
    fork = chip.fork()
    assert chip.run() and chip.state_hash == expected
    assert fork.run() and fork.state_hash == expected
    second = chip.fork()
    assert second.run() and second.state_hash == expected
    for one in (second, fork, chip):
        one.close()
    assert "send" in (tmp_path / "p.folded").read_text()
