#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the tests notice when src changes? Each mutant changes one place of it, by the rules of places.c.

    mutate.py MUTANTS FOLDER [--count N] [--seed S] [--jobs J] [--minutes M] [--only PATTERN] [--skip K]
        [--budget SECONDS] [--limit SECONDS] [--device BUILD] [--these FILE] [--sanitize no] [--planted no]
        [--users N] [--labels A,B] [--tests PATTERN] [--first SECONDS] [--scores FILE]
    mutate.py MUTANTS --check

MUTANTS is the program of mutants.c. FOLDER holds a copy of the tree, its builds, and the log of each test that failed.
A second run in FOLDER compiles only changed files.

The seed gives each mutant a place in the order of its room, by a hash of its name. The rooms take turns. A change of
src removes the mutants of the changed lines from the order. The others keep their places.

The mutants of the file `planted` were made by hand, one or two for each kind of mistake that tests once missed. They
are tried before the others, and must all be killed.

All mutants are woven into one build, and the environment selects one (woven.h). First each test runs without a mutant,
to measure its time and find the mutants that it reaches. Then each mutant is tried with the tests that reach it. Quick
tests, and those that have killed other mutants of the file, come first. The tests stop after one that fails, or when
they have taken --budget CPU seconds. A mutant survives if all of them pass. Survivors are tried with AddressSanitizer
and UndefinedBehaviorSanitizer, as in CI, in the same way. A mutant in a constant expression cannot be woven: it is
compiled alone, and tried with tests that reach other mutants of its file, or else of the nearest folder.

Lines that no test of these builds can judge get no mutants: what only a hostile build or one with planted faults
executes, and figures of the host's time, since no test may depend on it. Memory that is no longer freed is seen by
sanitizers alone, so --sanitize no leaves those mutants out as well.

A test fails if it takes ten times its CPU time, or both twenty times its time and --limit seconds.
--only PATTERN: only files whose name contains PATTERN. --skip K: leave out the first K mutants of the seed, to continue
a run that was interrupted. --these FILE: try the mutants that FILE names, in the format of `survivors`.
--device BUILD: use the device programs of another, complete build of the same tree.
--users N: leave out headers that more than N sources include, so that little is compiled.
--labels A,B: only tests with one of these labels. --tests PATTERN: only tests whose name matches, for one room.
--first SECONDS: first only tests that took at most so long in the last run of CTest in the folder `build`. The others
are measured then, and try the survivors alone. Most time of a run goes into long tests, which kill few mutants.
--scores FILE: append the scores of the rooms.
--check: only read the files `survivors` and `planted`. It fails if a shortened line of `survivors` matches several
mutants, or if a line of `planted` matches no place, or several. It prints lines that match no mutant of src.

Output: the end of each mutant, the scores, and the survivors that the file `survivors` does not list. The first score
is killed / tried. The second one leaves out the survivors in that file, each of which has a reason why no test can see
its effect. Exit status 0: the second score is at least 95 %, all planted mutants are killed, and all tests pass without
a mutant.
"""

import argparse
import bisect
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

SCRIPT_FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = SCRIPT_FOLDER.parent.parent
# A room has the files of its folder that no later room has.
ROOMS = ("host", "pool", "tile", "tile/riscv", "tile/riscv/park", "tile/tensix", "tile/tensix/frontend",
         "tile/tensix/matrix", "tile/tensix/vector", "tile/tensix/pack", "tile/tensix/unpack", "tile/mmio",
         "tile/eth", "tile/explore", "tile/family", "noc", "farm", "farm/order", "farm/share", "farm/relaxed",
         "farm/explore", "farm/saved", "system", "races", "debug", "look", "abi")
# These find few mutants that other tests do not find. Those of this folder read src itself.
SLOW = re.compile(r"test_cli_bench|test_compare|test_command|test_install|test_python|.*_finds_.*|mutate.*")
# Of other builds, or of the host's time. See above.
UNSEEN = re.compile(r"TF_HOSTILE|TF_MUTANT|tf_nanoseconds\(|tf_(thread_)?seconds\(|_s [-+]?= |\bcpu_time\b")
RELEASE = re.compile(r"(statement becomes nothing in `|condition becomes . in `if \(.*\) )(free|munmap)\(")
REACHED_BYTES = 4096  # TF_WOVEN_MAX
QUICK_TESTS = 10  # number of tests that try a mutant compiled alone, before the other tests are linked

Mutant = collections.namedtuple("Mutant", "key file line number name")
End = collections.namedtuple("End", "failed late seconds cpu")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mutants", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default=os.environ.get("TF_SEED", "20261126"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--only", default="")
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--budget", type=float, default=60)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--device", type=pathlib.Path)
    parser.add_argument("--these", type=pathlib.Path)
    parser.add_argument("--sanitize", choices=["yes", "no"], default="yes")
    parser.add_argument("--planted", choices=["yes", "no"], default="yes")
    parser.add_argument("--users", type=int)
    parser.add_argument("--labels", type=lambda text: text.split(","))
    parser.add_argument("--tests", type=re.compile, default=re.compile(""))
    parser.add_argument("--first", type=float, default=float("inf"))
    parser.add_argument("--scores", type=pathlib.Path)
    options = parser.parse_args()
    if not options.folder and not options.check:
        parser.error("FOLDER is missing")
    for name in ("mutants", "folder", "device", "scores"):
        path = getattr(options, name)
        setattr(options, name, path and path.resolve())
    return options


def name_mutants(mutants, files):
    """
    Yield all mutants of the files. Each comes with the text whose hash is its place in the order. If several mutants
    have one name, the later ones get numbers.
    """
    rows = subprocess.run([mutants, "list", *files], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    lines, times = {}, collections.Counter()
    for row in rows.splitlines():
        file, line, number, old, new = row.split("\t")
        if file not in lines:
            lines[file] = (ROOT / file).read_text().splitlines()
        name = f"{file}: {old} becomes {new} in `{lines[file][int(line) - 1].strip()}`"
        times[name] += 1
        number_in_name = f" #{times[name]}" if times[name] > 1 else ""
        yield Mutant(0, file, int(line), int(number), name + number_in_name), f"{times[name]} {name}"


def is_planted(mutant):
    return mutant.name.startswith("planted in ")


def room_of(file):
    """Return the room of a file: the last one of ROOMS whose folder has it. None if there is none."""
    return next((room for room in reversed(ROOMS) if file.startswith(f"src/{room}/")), None)


def find_mutants(mutants):
    """Return the rows of name_mutants() for all files of ROOMS."""
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.[ch]"))
    return list(name_mutants(mutants, [file for file in files if room_of(file)]))


def count_users():
    """Return how many sources include each file, by whatever way."""
    src = ROOT / "src"
    includes = {str(path.relative_to(src)): re.findall(r'^#include "(.*?)"', path.read_text(), re.MULTILINE)
                for path in src.rglob("*.[ch]")}
    users = collections.Counter()
    for source in (file for file in includes if file.endswith(".c")):
        seen, left = set(), [source]
        while left:
            file = left.pop()
            if file not in seen:
                seen.add(file)
                left += [name for name in includes.get(file, []) if name in includes]
        users.update(f"src/{file}" for file in seen)
    return users


def find_planted():
    """Return the mutants of the file `planted`, and the lines that match no place, or several."""
    found, unknown, file, text = [], [], "", ""
    for line in (SCRIPT_FOLDER / "planted").read_text().splitlines():
        if not line.strip() or line[0] == "#":
            continue
        if line[0] != " ":
            file, text = line.strip(), (ROOT / line.strip()).read_bytes().decode()
            continue
        match = re.fullmatch(r"  `(.*?)` becomes `(.*?)` in `(.*)`", line)
        old, new, where = match.groups() if match else ("", "", "")
        places = [at.start() + where.find(old) for at in re.finditer(re.escape(where), text)]
        if len(places) != 1 or old not in where or not old:
            unknown.append(line)
            continue
        place = len(text[:places[0]].encode())
        found.append(Mutant(0, file, text[:places[0]].count("\n") + 1,
                            f"{place},{len(old.encode())},{new or '(void)0'}", f"planted in {file}: {line.strip()}"))
    return found, unknown


def read_names(path, found):
    """
    Return the names of mutants in a file, and the lines that name no mutant. A line that ends in ...` is the beginning
    of a name; it may match only one.
    """
    known, unknown, names = {row[0].name for row in found}, [], set()
    bases = sorted({row[1].split(" ", 1)[1] for row in found})
    for line in path.read_text().splitlines():
        name = re.sub(r" \(line \d+\)$", "", line.strip())
        short = re.fullmatch(r"(.*)\.\.\.`( #\d+)?", name)
        if not line.strip() or line[0] in "# ":
            continue
        if short and name not in known:
            begun = bases[bisect.bisect_left(bases, short[1]):][:2]
            begun = [base for base in begun if base.startswith(short[1])]
            if len(begun) > 1:
                sys.exit("\n".join([f"{path}: {name} may be", *begun]))
            name = begun[0] + (short[2] or "") if begun else name
        if name in known:
            names.add(name)
        else:
            unknown.append(name)
    return names, unknown


def can_be_seen(mutant, sanitized):
    line = mutant.name.split(" in `", 1)[1]
    return not UNSEEN.search(line) and (sanitized or not RELEASE.search(mutant.name))


def choose(options, found):
    """Return the mutants to try, in the order of the seed, with their keys: all, or those of --these."""
    planted = find_planted()[0] if options.planted == "yes" and not options.these else []
    planted = [mutant for mutant in planted if options.only in mutant.file]
    if options.these:
        named = read_names(options.these, found)[0]
        found = [row for row in found if row[0].name in named]
    else:
        found = [row for row in found if can_be_seen(row[0], options.sanitize == "yes")]
    found = [row for row in found if options.only in row[0].file]
    if options.users is not None:
        users = count_users()
        found = [row for row in found if users[row[0].file] <= options.users]
    found.sort(key=lambda row: hashlib.sha256(f"{options.seed} {row[1]}".encode()).digest())
    turn, order = collections.Counter(), []
    for row in found:
        order.append((turn[room_of(row[0].file)], row[0]))
        turn[room_of(row[0].file)] += 1
    order.sort(key=lambda item: (item[0], ROOMS.index(room_of(item[1].file))))
    end = options.skip + min(options.count + options.count // 12 + 1, REACHED_BYTES - 1 - len(planted))
    chosen = planted + [mutant for number, mutant in order[options.skip:end]]
    return [mutant._replace(key=key) for key, mutant in enumerate(chosen, 1)]


class Tree:
    """The copy of the repository, and its builds."""

    def __init__(self, options):
        self.options = options
        self.path = options.folder / "tree"
        self.log = options.folder / "log"
        self.woven = {}  # the texts of files with woven mutants

    def weave(self, mutants, lasting=None):
        """Weave mutants into the copy. `lasting` is one that takes effect without the environment."""
        self.woven = {}
        for file in {mutant.file for mutant in mutants} | ({lasting.file} if lasting else set()):
            keys = [f"{mutant.key}:{mutant.number}" for mutant in mutants if mutant.file == file]
            keys += [f"0:{lasting.number}"] if lasting and lasting.file == file else []
            text = subprocess.run([self.options.mutants, "weave", ROOT / file, *keys], check=True,
                                  stdout=subprocess.PIPE).stdout
            self.woven[file] = f'#include "{self.path}/tests/mutate/woven.h"\n#line 1\n'.encode() + text
        self.copy()

    def copy(self):
        """Copy the changed files. The others keep their time stamps, so they are not compiled again."""
        for folder, folders, files in os.walk(ROOT):
            inner = pathlib.Path(folder).relative_to(ROOT)
            if not inner.parts:
                folders[:] = [name for name in folders if not name.startswith("build") and name not in (".git", "out")]
                files = [name for name in files if name != ".git"]
            (self.path / inner).mkdir(parents=True, exist_ok=True)
            for name in files:
                source, target = ROOT / inner / name, self.path / inner / name
                text = self.woven.get(str(inner / name))
                if text is None:
                    text = source.read_bytes()
                if not target.exists() or target.read_bytes() != text:
                    target.write_bytes(text)
                    shutil.copymode(source, target)

    def command(self, *words, **more):
        with open(self.log, "w") as log:
            return subprocess.run(words, cwd=self.path, stdout=log, stderr=subprocess.STDOUT, **more).returncode == 0

    def configure(self, preset, device=None):
        build = self.path / f"build-{preset}"
        link = f"{self.options.folder}/woven.o" + (" -fuse-ld=lld" if shutil.which("ld.lld") else "")
        # The compiler gets the options of CI: ccache then has the files without a mutant.
        settings = [f"CMAKE_EXE_LINKER_FLAGS={link}", f"CMAKE_SHARED_LINKER_FLAGS={link}"]
        settings += ["CMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        settings += [f"TILEFARM_DEVICE_BUILD={device}"] if device else []
        os.environ.setdefault("CCACHE_BASEDIR", str(ROOT.parent))
        os.environ["CCACHE_NOHASHDIR"] = "1"
        object_file = ["gcc", "-O1", "-fPIC", "-c", SCRIPT_FOLDER / "woven.c", "-o", self.options.folder / "woven.o"]
        if not self.command(*object_file) or not self.command("cmake", "--preset", preset, "-B", build,
                                                              *("-D" + setting for setting in settings)):
            self.die("cmake failed")
        return build

    def ninja(self, build, *targets):
        return self.command("ninja", "-C", build, "-k", "0", "-j", str(self.options.jobs), *targets)

    def refused(self, mutants):
        """
        Return the keys of the woven mutants at the places of the compiler's last errors. An error in a header of the
        compiler is at the places that it is inlined from.
        """
        found, group, inlined = set(), [], []
        places = r"^(?:    inlined from .* at )?(\S+?):(\d+):\d+(?:: (error|note|warning): |[,:]$)"
        for match in re.finditer(places, self.log.read_text(), re.MULTILINE):
            file, line, kind = os.path.normpath(self.path / "build" / match[1]), int(match[2]), match[3]
            file = os.path.relpath(file, self.path)
            if kind is None:
                inlined.append((file, line))
                continue
            if kind != "note":
                group = []
            if kind == "error" or group:
                for place in [(file, line)] if not file.startswith("..") else inlined:
                    group.append(place)
                    found |= self.near(mutants, found, *place)
            inlined = []
        return found

    @staticmethod
    def near(mutants, found, file, line):
        """Return the keys of the mutants next to a line, unless one that is found already may be the cause."""
        near = sorted((abs(mutant.line - line), mutant.key) for mutant in mutants if mutant.file == file)
        if not near or any(key in found for distance, key in near if distance <= 12):
            return set()
        return {key for distance, key in near if distance <= max(near[0][0], 2)}

    def die(self, complaint):
        sys.exit("\n".join(self.log.read_text(errors="replace").splitlines()[-40:]) + f"\n{complaint}")


class Test:
    def __init__(self, build, row):
        value = {item["name"]: item["value"] for item in row["properties"]}
        self.name, self.command = row["name"], row.get("command")  # CTest knows the command when the program exists
        self.folder = value.get("WORKING_DIRECTORY", str(build))
        self.labels = value.get("LABELS", [])
        self.variables = dict(item.split("=", 1) for item in value.get("ENVIRONMENT", []))
        self.right, self.wrong = value.get("PASS_REGULAR_EXPRESSION", []), value.get("FAIL_REGULAR_EXPRESSION", [])
        self.fails, self.skip = value.get("WILL_FAIL", False), value.get("SKIP_RETURN_CODE")
        # measure() sets these.
        self.seconds, self.cpu, self.reached = 0.0, 0.0, set()

    def run(self, log, limit, key=0, reached=""):
        cpu = int(10 * self.cpu + 10) if limit else 100000
        since, late = time.monotonic(), False
        variables = dict(os.environ, TF_WOVEN=str(key), TF_WOVEN_REACHED=str(reached),
                         ASAN_OPTIONS="intercept_tls_get_addr=0", **self.variables)
        with open(log, "wb") as out:
            process = subprocess.Popen(["sh", "-c", f'ulimit -t {cpu}; ulimit -f 5000000; ulimit -c 0; exec "$@"', "sh",
                                        *self.command], cwd=self.folder, env=variables, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
            pid, status, usage, pause = 0, 0, None, 0.002
            while pid == 0:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                late = late or (limit and time.monotonic() - since > max(limit, 20 * self.seconds))
                if pid == 0 and late:
                    os.killpg(process.pid, signal.SIGKILL)
                time.sleep(pause)
                pause = min(0.1, pause * 1.5)
            process.returncode = code = os.waitstatus_to_exitcode(status)
            try:
                os.killpg(process.pid, signal.SIGKILL)  # processes that the test has left
            except ProcessLookupError:
                pass
        text = pathlib.Path(log).read_text(errors="replace") if self.right or self.wrong else ""
        right = any(re.search(item, text) for item in self.right) if self.right else code in (0, self.skip)
        right = right and not any(re.search(item, text) for item in self.wrong)
        late = late or code in (-signal.SIGXCPU, -signal.SIGKILL)
        return End(late or right == self.fails, late, time.monotonic() - since, usage.ru_utime + usage.ru_stime)


class Run:
    def __init__(self, options):
        self.options = options
        self.begun, self.kills = time.monotonic(), collections.Counter()
        (options.folder / "failed").mkdir(parents=True, exist_ok=True)
        self.tree = Tree(options)
        self.found = find_mutants(options.mutants)
        self.listed = read_names(SCRIPT_FOLDER / "survivors", self.found)[0]
        self.tests, self.lasting, self.broken, self.asan = {}, [], [], None
        self.pool = concurrent.futures.ThreadPoolExecutor(options.jobs)

    def over(self):
        return time.monotonic() - self.begun > 60 * self.options.minutes

    def prepare(self, mutants):
        """Build with the woven mutants, and return them. Mutants that the compiler refuses go to self.lasting."""
        known = self.options.folder / "alone"  # known from an earlier run
        names = set(known.read_text().splitlines()) if known.exists() else set()
        self.lasting = [mutant for mutant in mutants if mutant.name in names]
        mutants = [mutant for mutant in mutants if mutant.name not in names]
        self.tree.weave(mutants)
        self.build = self.tree.configure("release", self.options.device)
        while not self.tree.ninja(self.build, "tilefarm_command"):
            found = self.tree.refused(mutants)
            if not found:
                self.tree.die("the build failed")
            self.lasting += [mutant for mutant in mutants if mutant.key in found]
            mutants = [mutant for mutant in mutants if mutant.key not in found]
            known.write_text("".join(f"{name}\n" for name in sorted(names | {mutant.name for mutant in self.lasting})))
            self.tree.weave(mutants)
        self.tests = self.list_tests(self.build)
        return mutants

    @staticmethod
    def rows(build):
        return json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True,
                                         stdout=subprocess.PIPE).stdout)["tests"]

    def find_commands(self, tests, build):
        for row in self.rows(build):
            if row["name"] in tests:
                tests[row["name"]].command = row.get("command")

    def list_tests(self, build):
        tests = [Test(build, row) for row in self.rows(build)]
        labels, wanted = self.options.labels, self.options.tests
        return {test.name: test for test in tests if "nightly" not in test.labels and not SLOW.fullmatch(test.name)
                and wanted.search(test.name) and (labels is None or set(labels) & set(test.labels))}

    def measure(self, test):
        """Run a test without a mutant, to find its time and the mutants that it reaches."""
        reached, log = self.options.folder / f"reached.{test.name}", self.options.folder / f"log.{test.name}"
        reached.write_bytes(bytes(REACHED_BYTES))
        end = test.run(log, 0, 0, reached)
        if end.failed:
            print(f"left out, since it fails without a mutant: {test.name}", flush=True)
            self.broken.append(test.name)
            return
        test.seconds, test.cpu = end.seconds, end.cpu
        test.reached = {key for key, byte in enumerate(reached.read_bytes()) if byte}
        reached.unlink()
        log.unlink()

    def measure_all(self):
        if not self.tree.ninja(self.build, *self.programs(self.tests)):
            self.tree.die("the build of tests failed")
        self.find_commands(self.tests, self.build)
        print(f"built tests ({self.elapsed()} s)", flush=True)
        self.measure_some(self.first_tests())

    def measure_some(self, names):
        list(self.pool.map(self.measure, [self.tests[name] for name in names]))
        print(f"measured {len(names)} tests ({self.elapsed()} s)", flush=True)

    def first_tests(self):
        """Return the names of tests that CTest knows to be quick enough for --first, and of those it does not know."""
        costs = ROOT / "build/Testing/Temporary/CTestCostData.txt"
        rows = [row.split() for row in costs.read_text().splitlines()] if costs.exists() else []
        long = {row[0] for row in rows if len(row) == 3 and float(row[2]) > self.options.first}
        return [name for name in self.tests if name not in long]

    def kill(self, mutant, tests, key):
        """
        Run tests until one fails or the budget is used. Return the end of the mutant as text. The budget is of CPU
        time: on a host with other work, the same tests are tried.
        """
        passed, seconds = 0, 0.0
        for test in sorted(tests, key=lambda test: test.cpu / (1 + self.kills[test.name, mutant.file])):
            if passed > 0 and seconds + test.cpu > self.options.budget:
                continue
            log = self.options.folder / "failed" / f"{mutant.key}.{test.name}"
            end = test.run(log, self.options.limit, key)
            if end.failed:
                self.kills[test.name, mutant.file] += 1
                return f"killed by {test.name}" + (" (no end)" if end.late else "")
            passed, seconds = passed + 1, seconds + test.cpu
            log.unlink()
        return f"survived {passed} tests of {len(tests)}"

    def reach(self, mutant, names=None):
        tests = self.tests.values()
        return [test for test in tests if mutant.key in test.reached and (not names or test.name in names)]

    def try_long(self, ends):
        """Try survivors with the tests that --first has left out."""
        names = set(self.tests) - set(self.first_tests())
        left = [mutant for mutant in ends if ends[mutant].startswith("survived") and mutant in self.woven]
        if names and left and not self.over():
            self.measure_some(names)
            self.try_all(ends, left, names)

    def programs(self, tests):
        """Return the targets that tests need. [] stands for all: a script among the tests may run any program."""
        targets = subprocess.run(["ninja", "-C", self.build, "-t", "targets", "all"], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
        known, names = set(re.findall(r"^(\S+): phony$", targets, re.MULTILINE)), set(tests)
        scripts = [name for name in names - known if not name.startswith("isa_")]
        return [] if scripts else sorted(names & known) + ["tilefarm_command"]

    def near(self, mutant):
        """Return tests that reach mutants of the same file, or of the nearest folder: the quick ones, the others."""
        parts = mutant.file.split("/")  # of folders: a file whose name begins alike may be of another family
        shared = collections.Counter({other.key: len(os.path.commonprefix([other.file.split("/"), parts]))
                                      for other in self.woven})
        best = max(shared.values(), default=0)
        keys = {key for key, length in shared.items() if length == best}
        tests = sorted((test for test in self.tests.values() if test.reached & keys), key=lambda test: test.seconds)
        return tests[:QUICK_TESTS], tests[QUICK_TESTS:]

    def try_single(self, mutant):
        """Compile and try a mutant that cannot be woven. The other mutants stay in the build, without effect."""
        self.tree.weave(self.woven, mutant)
        end = "refused by the compiler"
        for tests in self.near(mutant):
            if not self.tree.ninja(self.build, *self.programs(test.name for test in tests)):
                break
            end = self.kill(mutant, tests, 0)
            if end.startswith("killed"):
                break
        return end

    def sanitize(self, mutant):
        """Try a mutant with the tests that reach it, built with sanitizers. Return its end, or None if it survives."""
        if self.asan is None:
            self.tree.weave(self.woven)
            if not self.options.device and not self.tree.ninja(self.build):  # this makes all device programs
                self.tree.die("the build failed")
            build = self.tree.configure("asan", self.options.device or self.build)
            tests = self.list_tests(build)
            if not self.tree.ninja(build, *self.programs(tests)):
                self.tree.die("the build with sanitizers failed")
            self.find_commands(tests, build)
            self.asan = {name: test for name, test in tests.items() if name in self.tests}
            for name, test in self.asan.items():
                release = self.tests[name]
                test.seconds, test.cpu, test.reached = 10 * release.seconds, 10 * release.cpu, release.reached
        end = self.kill(mutant, [test for test in self.asan.values() if mutant.key in test.reached], mutant.key)
        return f"{end} with sanitizers" if end.startswith("killed") else None

    def all(self):
        mutants = choose(self.options, self.found)
        if not mutants:
            sys.exit("no mutant to try")
        print(f"TF_SEED={self.options.seed}", flush=True)
        self.woven = self.prepare(mutants)
        print(f"built with {len(self.woven)} mutants, {len(self.lasting)} are to be compiled alone "
              f"({self.elapsed()} s)", flush=True)
        self.measure_all()
        ends = self.go_through(mutants)
        self.try_long(ends)
        return self.tell(ends)

    def elapsed(self):
        return int(time.monotonic() - self.begun)

    def go_through(self, mutants):
        """Try woven mutants, then those compiled alone. More mutants replace those that the compiler refuses."""
        ends, count = {}, self.options.count + sum(is_planted(mutant) for mutant in mutants)
        self.try_all(ends, mutants[:count])
        for mutant in self.lasting:
            if mutant in mutants[:count] and not self.over():
                since = time.monotonic()
                ends[mutant] = self.try_single(mutant)
                self.say(mutant, ends[mutant], since)
        missing = min(count, len(mutants)) - sum(not end.startswith("refused") for end in ends.values())
        if missing > 0 and not self.over():
            self.tree.weave(self.woven)
            if not self.tree.ninja(self.build, *self.programs(self.tests)):
                self.tree.die("the build failed")
            self.try_all(ends, [mutant for mutant in mutants[count:] if mutant in self.woven][:missing])
        return ends

    def try_all(self, ends, mutants, names=None):
        """Try woven mutants with all tests, or those of these names, then the survivors with sanitizers."""
        def one(mutant):
            since = time.monotonic()
            if not self.over():
                ends[mutant] = self.kill(mutant, self.reach(mutant, names), mutant.key)
                self.say(mutant, ends[mutant], since)

        mutants = [mutant for mutant in mutants if mutant in self.woven]
        list(self.pool.map(one, mutants))
        if self.options.sanitize == "yes":
            for mutant in mutants:
                if ends.get(mutant, "").startswith("survived") and not self.over():
                    since, killed = time.monotonic(), self.sanitize(mutant)
                    if killed:
                        ends[mutant] = killed
                        self.say(mutant, killed, since)

    def say(self, mutant, end, since):
        listed = ", as listed" if end.startswith("survived") and mutant.name in self.listed else ""
        print(f"{mutant.key} {end}{listed}: {mutant.name} (line {mutant.line}, {time.monotonic() - since:.1f} s)",
              flush=True)

    def tell(self, ends):
        planted = [mutant for mutant in ends if is_planted(mutant)]
        missed = [mutant for mutant in planted if not ends[mutant].startswith("killed")]
        ends = {mutant: end for mutant, end in ends.items() if not is_planted(mutant)}
        survived = [mutant for mutant, end in ends.items() if end.startswith("survived")]
        unlisted = [mutant for mutant in survived if mutant.name not in self.listed]
        rows = [self.score(room, {mutant: end for mutant, end in ends.items() if room_of(mutant.file) == room})
                for room in ROOMS]
        whole = self.score("all", ends)
        text = "".join(f"  {row[0]:<22}{row[1]:>5} of {row[2]:>3} killed, {row[3]:>2} without effect\n"
                       for row in [*rows, whole] if row[2] != 0)
        print(f"{len(planted) - len(missed)} of {len(planted)} planted mutants killed\n{text}", end="")
        if self.options.scores:
            with open(self.options.scores, "a", encoding="utf-8") as out:
                out.write(f"seed {self.options.seed}, {len(ends)} mutants from {self.options.skip} on\n{text}")
        killed, effective = whole[1], whole[2] - whole[3]
        print(f"{killed} of {effective} with an effect are killed ({100 * killed / max(effective, 1):.1f} %)")
        for mutant in missed + unlisted:
            print(f"{mutant.name} (line {mutant.line})")
        print(f"the compiler refused {len(ends) - whole[2]} more; {self.elapsed() // 60} min")
        return 0 if effective > 0 and not self.broken and not missed and 100 * killed >= 95 * effective else 1

    def score(self, name, ends):
        """Return the name, and the numbers of mutants: killed, tried, and without effect as `survivors` says."""
        killed = sum(end.startswith("killed") for end in ends.values())
        survived = [mutant for mutant, end in ends.items() if end.startswith("survived")]
        return name, killed, killed + len(survived), sum(mutant.name in self.listed for mutant in survived)


def check(options):
    found = find_mutants(options.mutants)
    names, unknown = read_names(SCRIPT_FOLDER / "survivors", found)
    planted, lost = find_planted()
    print("\n".join([*(f"no mutant: {name}" for name in unknown), *(f"no place, or several: {line}" for line in lost),
                     f"{len(names)} of {len(found)} mutants are listed, {len(planted)} are planted"]))
    return 1 if lost else 0


def main():
    options = arguments()
    return check(options) if options.check else Run(options).all()


if __name__ == "__main__":
    sys.exit(main())
