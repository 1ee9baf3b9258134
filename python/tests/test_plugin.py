# SPDX-License-Identifier: Apache-2.0
"""The plugin: seeds, and what it keeps of tests that fail."""
import gzip

import pytest

TESTS = """
import pytest

def test_right(chip, tilefarm_seed):
    assert chip.shape.name == "blackhole"
    print("seed", tilefarm_seed)

@pytest.mark.tilefarm(arch="wormhole", threads=1)
def test_wrong(chip, make_chip):
    assert chip.shape.name == "wormhole"
    chip.tile(0).write(0x1000, bytes.fromhex("370a00206f000000"))
    chip.tile(0).core("B").start(pc=0x1000)
    chip.run()
    make_chip()
    assert chip.stats.cycles == 0

def test_without_chip():
    assert False
"""


def run(pytester, *arguments):
    pytester.makepyfile(TESTS)
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)


def test_what_is_kept(pytester):
    result = run(pytester, "--tilefarm-seed", "0x10", "--tilefarm-trace", "riscv", "-rP")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["tilefarm *, --tilefarm-seed 16"])
    folders = list((pytester.path / "tilefarm-failures").iterdir())
    assert [folder.name for folder in folders] == ["test_what_is_kept.py_test_wrong"]
    assert {file.name for file in folders[0].iterdir()} == {
        f"{name}-{number}.{ending}" for number in (0, 1)
        for name, ending in (("report", "txt"), ("trace", "txt"), ("report", "html"), ("timeline", "pftrace.gz"))}
    report = (folders[0] / "report-0.txt").read_text()
    assert "--tilefarm-seed 16" in report and "Wormhole" in report and "done: " in report
    assert "lui" in (folders[0] / "trace-0.txt").read_text()
    assert report.splitlines()[1] in result.stdout.str()
    page = (folders[0] / "report-0.html").read_text()
    assert "test failed" in page and "test_what_is_kept.py::test_wrong" in page and "assert " in page
    assert b"instructions in a cycle" in gzip.decompress((folders[0] / "timeline-0.pftrace.gz").read_bytes())


def test_what_is_kept_of_a_system(pytester):
    pytester.makepyfile("""
        def test_wrong(make_system):
            system = make_system("n300")
            system.run()
            assert False
    """)
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(failed=1)
    folder, = (pytester.path / "tilefarm-failures").iterdir()
    assert {file.name for file in folder.iterdir()} == {"report-0.txt", "report-0.html", "timeline-0.pftrace.gz"}
    page = (folder / "report-0.html").read_text()
    assert "test failed" in page and "test_wrong" in page and "n300" in page
    timeline = gzip.decompress((folder / "timeline-0.pftrace.gz").read_bytes())
    assert b"chip 0" in timeline and b"chip 1" in timeline


@pytest.mark.parametrize("look, kept", [("report", {"report-0.txt", "report-0.html"}), ("none", {"report-0.txt"})])
def test_what_is_not_kept(pytester, look, kept):
    pytester.makepyfile("""
        import tilefarm

        def test_wrong(make_chip, tmp_path):
            with make_chip(profile=tmp_path / "p.txt") as chip:
                chip.run()
            assert (tmp_path / "p.txt").exists()
            assert False, "closed before"

        def test_right(make_chip, tmp_path):
            make_chip(order=tilefarm.Order())
            make_chip(relaxed=True)
            make_chip(check=True).run()
    """)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--tilefarm-look", look)
    result.assert_outcomes(passed=1, failed=1)
    (folder,) = (pytester.path / "tilefarm-failures").iterdir()
    assert {file.name for file in folder.iterdir()} == kept
    assert "closed before" in result.stdout.str() and "the chip has been closed" in result.stdout.str()


@pytest.mark.slow
def test_workers_of_xdist(pytester):
    """Workers of pytest-xdist have one seed, and their chips have one thread each."""
    pytester.makeconftest("def pytest_configure(config): config.workerinput = {'testrunuid': 'abc'}")
    pytester.makepyfile("def test_threads(chip):\n    assert chip.stats.workers == 1\n    print('ran')")
    results = [pytester.runpytest_subprocess("-p", "no:cacheprovider", "-rP") for _ in range(2)]
    headers = [[line for line in result.outlines if "--tilefarm-seed" in line] for result in results]
    assert headers[0] == headers[1] and all("ran" in result.outlines for result in results)


def seeds(result):
    return [line for line in result.outlines if line.startswith("seed ")]


@pytest.mark.slow
def test_seeds(pytester):
    first = seeds(run(pytester, "--tilefarm-seed", "7", "-rP"))
    assert len(first) == 1
    assert seeds(run(pytester, "--tilefarm-seed", "7", "-rP", "-k", "right")) == first
    assert seeds(run(pytester, "--tilefarm-seed", "8", "-rP")) != first
    drawn = run(pytester, "-rP")
    (line,) = [line for line in drawn.outlines if "--tilefarm-seed" in line and line.startswith("tilefarm")]
    assert seeds(run(pytester, "--tilefarm-seed", line.split()[-1], "-rP")) == seeds(drawn)


@pytest.mark.slow
def test_where_a_run_failed(pytester):
    pytester.makepyfile("def test_wrong(chip):\n    chip.run(until=(0, 0x20000, 1))")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--tilefarm-look", "none")
    result.stdout.fnmatch_lines([">   *chip.run(until=(0, 0x20000, 1))", "E   *NotReachedError: *"])
    result.stdout.no_fnmatch_line("*_judge*")


HANGS = """
import tilefarm

def test_hangs(chip, tmp_path):
    (tmp_path / "hangs.c").write_text("int main(void) { for (volatile unsigned i = 0;;) i++; }")
    chip.load(tilefarm.compile_program(tmp_path / "hangs.c", "B"))
    chip.run()

def test_next(chip):
    assert chip.run().stats.cycles == 0
"""


def test_limit_of_a_run(pytester):
    pytester.makepyfile(HANGS)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--tilefarm-limit", "0.5")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([">   *chip.run()", "E   *TimeLimitError: the run has not ended after 0.5 seconds",
                                 "E   *stack: tile 0 (1,2) core B *main*hangs.c:1*"])


def test_a_family_by_position(make_chip):
    assert make_chip("wormhole").shape.name == "wormhole" and make_chip().shape.name == "blackhole"


def test_timeout_by_a_signal(pytester):
    """pytest-timeout raises in the handler of a signal. The session goes on."""
    pytester.makepyfile(HANGS)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--timeout", "3", "--timeout-method", "signal")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([">   *chip.run()", "E   *Failed: Timeout >3.0s", "*tilefarm chip 0, kept in *",
                                 "stack: tile 0 (1,2) core B *main*hangs.c:1*: runs", "  #0 *main*"])
    result.stdout.no_fnmatch_line("*_run_part*")


@pytest.mark.slow
def test_timeout_by_a_thread(pytester):
    """pytest-timeout prints the stacks of all threads, and ends the session."""
    pytester.makepyfile(HANGS)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--timeout", "3", "--timeout-method", "thread")
    assert result.ret == 1
    result.stderr.fnmatch_lines(["*Timeout*", "*test_hangs*", "*chip.run()*"])
