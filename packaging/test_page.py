#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Installs tilefarm into a temporary folder, and runs the commands of a page there: those after "$" in indented blocks.
Their output must equal the lines that follow them. "..." in a line matches any text; a line "..." matches any lines.
The folder replaces /usr, and a free port replaces 4321.

With PREFIX nothing is installed: the commands run the tilefarm in that folder. With --any-figures each number of the
page matches any number, and the order of the lines does not matter. It is for the hostile build, whose short slices
change cycles. With --wormhole the page is changed as its section "On Wormhole" says.

Usage: test_page.py [--any-figures] [--wormhole] PAGE CMAKE BUILD-FOLDER   or   ... PAGE PREFIX
"""
import os
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path


def read_page(text: str) -> list[tuple[str, list[str]]]:
    """Return the commands of a page, each with the lines that it must print."""
    steps: list[tuple[str, list[str]]] = []
    in_block = False
    for line in text.splitlines():
        if not line.startswith("    "):
            in_block = False
        elif line.startswith("    $ "):
            in_block = True
            steps.append((line[6:], []))
        elif in_block and line.startswith("    > ") and not steps[-1][1]:
            steps[-1] = (steps[-1][0] + "\n" + line[6:], [])
        elif in_block:
            steps[-1][1].append(line[4:])
    return steps


def on_wormhole(text: str) -> str:
    """Return the page for the other family: rows of its table are replacements, and commands without a system name the
    family.
    """
    section = text.partition("\n## On Wormhole\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(.*)` \| `(.*)` \|$", section, re.MULTILINE)
    if len(rows) < 3:
        raise SystemExit(f"the table of section \"On Wormhole\" has {len(rows)} rows")
    page = ""
    for line in text.splitlines(keepends=True):
        if line.startswith("    "):
            for blackhole, wormhole in rows:
                line = line.replace(blackhole, wormhole)
            if line.startswith(("    $ ", "    > ")):
                line = re.sub(r"\btilefarm (cc|run|explore)\b(?! --system)", r"tilefarm \1 --arch wormhole", line)
        page += line
    return page


def pattern_of(lines: list[str], any_figures: bool) -> str:
    """Return a regular expression for the output that matches these lines."""
    pattern = ""
    for line in lines:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("...")) + r"\n"
    if any_figures:
        pattern = re.sub(r"(?:\\ )*\b[0-9](?:[0-9,]|\\\.(?=[0-9]))*\b", " *[0-9][0-9,.]*", pattern)
    return pattern


def prints(output: str, lines: list[str], any_figures: bool) -> bool:
    """Does the output match the lines of the page?"""
    if re.fullmatch(pattern_of(lines, any_figures), output) is not None:
        return True
    in_order = "".join(line + "\n" for line in sorted(output.splitlines()))
    return any_figures and re.fullmatch(pattern_of(sorted(lines), True), in_order) is not None


class Shell:
    """A shell that runs all commands of a page."""

    def __init__(self, folder: str, prefix: Path) -> None:
        environment = dict(os.environ, PATH=f"{prefix}/bin:{os.environ['PATH']}", LC_ALL="C.UTF-8")
        library = next(prefix.glob("lib/**/libtilefarm.so.1"), None)
        if str(prefix) != "/usr" and library is not None:
            environment.update(TILEFARM_LIBRARY=str(library), PYTHONPATH=f"{prefix}/lib/python3/dist-packages")
        self.process = subprocess.Popen(["bash"], cwd=folder, env=environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, command: str) -> str:
        """Run a command. Return its output, both stdout and stderr."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{command}\nresult=$?; echo; echo '-- end --'; (exit $result)\n")
        self.process.stdin.flush()
        output = ""
        while not output.endswith("\n-- end --\n"):
            line = self.process.stdout.readline()
            if line == "":
                raise SystemExit(f"the shell ended in: {command}\n{output}")
            output += line
        return output[: -len("\n-- end --\n")]


def main() -> None:
    """Run all commands of the page. Exit with a message at the first one that prints something else."""
    options = {word for word in sys.argv[1:3] if word.startswith("--")}
    any_figures = "--any-figures" in options
    del sys.argv[1:1 + len(options)]
    page = Path(sys.argv[1])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    text = page.read_text()
    steps = read_page(on_wormhole(text) if "--wormhole" in options else text)
    if len(steps) < 3:
        raise SystemExit(f"{page}: only {len(steps)} commands")
    with tempfile.TemporaryDirectory() as prefix_folder, tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) == 3:
            prefix = Path(sys.argv[2])
        else:
            prefix = Path(prefix_folder)
            subprocess.run([sys.argv[2], "--install", sys.argv[3], "--prefix", prefix], check=True,
                           stdout=subprocess.DEVNULL)
        shell = Shell(folder, prefix)
        for command, lines in steps:
            command = command.replace("python3 ", f"{sys.executable} ")
            command = command.replace("/usr/share", f"{prefix}/share").replace("4321", port)
            output = shell.run(command).replace(port, "4321")
            if "cp -r" in command:
                shell.run(f"sed -i s/4321/{port}/ *.gdb")
            output = output if output.endswith("\n") or output == "" else output + "\n"
            if not prints(output, lines, any_figures):
                raise SystemExit(f"FAILED: $ {command}\nprinted:\n{output}\nbut the page has:\n" + "\n".join(lines))
        shell.process.stdin.close()
        shell.process.wait()
    print(f"{len(steps)} commands print the lines of {page.name}")


if __name__ == "__main__":
    main()
