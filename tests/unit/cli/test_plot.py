# SPDX-License-Identifier: Apache-2.0
"""What the pictures of perf/plot show, from figures as `tilefarm bench --json` writes them. Nothing is drawn here."""
import importlib.machinery
import importlib.util
import sys

loader = importlib.machinery.SourceFileLoader("plot", sys.argv[1])
plot = importlib.util.module_from_spec(importlib.util.spec_from_loader("plot", loader))
sys.dont_write_bytecode = True
loader.exec_module(plot)


def line(name, median, threads=1, **more):
    """A line of the JSON."""
    return {"name": name, "unit": "MIPS", "side": "tilefarm", "mode": "deterministic", "threads": threads,
            "right": True, "median": median, **more}


# Costs, failures and lines without a figure are no rates; of several numbers of threads the last one counts.
lines = [line("mixed", 100.0), line("mixed", 190.0, 2, speed_up=1.9), line("mixed", 300.0, 4, speed_up=3.0, cores=2),
         line("mixed", 350.0, 4, mode="relaxed"), line("mixed", 20.0, side="peer"), line("startup", 3.0, unit="ms"),
         {"name": "ring", "right": False, "failed": "it died"}]
rows = plot.rows_of(lines)
assert list(rows) == ["mixed"], rows
assert {side: of["median"] for side, of in rows["mixed"].items()} == \
    {"1 thread": 100.0, "more threads": 300.0, "relaxed": 350.0, "peer": 20.0}

# Efficiency is by cores where they are known. A row with one number of threads has no curve; lines have any order.
assert plot.curves_of([*reversed(lines), line("alone", 1.0)]) == \
    {"mixed": [(1, 1.0, 1.0), (2, 1.9, 0.95), (4, 3.0, 1.5)]}
many = [line(name, 1.0, threads, speed_up=2.0) for name in [*plot.PREFERRED, "extra", "more"] for threads in (1, 2)]
assert sorted(plot.curves_of(many)) == sorted(plot.PREFERRED)

counters = {"epochs": 4, "wall_s": 0.002, "compute_s": 3.0, "deliver_s": 1.0, "wait_s": 0.0}
assert plot.epochs_of([line("mixed", 1.0, 2, counters=counters), line("ring", 1.0)]) == \
    [("mixed, 2", 500.0, [0.75, 0.25, 0.0])]

assert [plot.figure_text(value) for value in (0.28711, 7.855, 33.7, 1271.2, 0)] == \
    ["0.2871", "7.855", "33.70", "1,271", "0"]
placed = plot.spread([1.0, 1.0, 1.0], 0.5)
assert placed == [0.5, 1.0, 1.5], placed
