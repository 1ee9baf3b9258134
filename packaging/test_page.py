#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Installs tilefarm into a folder of its own and runs the commands of a page there, those in indented blocks behind "$".
Compares what they print with the lines that follow them. "..." in a line stands for any text, and as a line of its own
for any lines. The folder takes the place of /usr, and a free port that of 4321.

With a folder alone, nothing is installed: the commands run what is there. With --any-figures a number of the page
stands for any number, and lines may come in another order: cycles depend on slices, and those of the hostile build are
short.

Usage: test_page.py [--any-figures] PAGE CMAKE BUILD-FOLDER   or   test_page.py [--any-figures] PAGE PREFIX
"""
import os
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path


def read_page(text: str) -> list[tuple[str, list[str]]]:
    """The commands, and the lines that each prints."""
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


def pattern_of(lines: list[str], any_figures: bool) -> str:
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
    """Is the output what the page says?"""
    if re.fullmatch(pattern_of(lines, any_figures), output) is not None:
        return True
    in_order = "".join(line + "\n" for line in sorted(output.splitlines()))
    return any_figures and re.fullmatch(pattern_of(sorted(lines), True), in_order) is not None


class Shell:
    """One shell for all commands."""

    def __init__(self, folder: str, prefix: Path) -> None:
        environment = dict(os.environ, PATH=f"{prefix}/bin:{os.environ['PATH']}", LC_ALL="C.UTF-8")
        self.process = subprocess.Popen(["bash"], cwd=folder, env=environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, command: str) -> str:
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
    any_figures = sys.argv[1] == "--any-figures"
    if any_figures:
        del sys.argv[1]
    page = Path(sys.argv[1])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    steps = read_page(page.read_text())
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
            text = command.replace("/usr/share", f"{prefix}/share").replace("4321", port)
            output = shell.run(text).replace(port, "4321")
            if "cp -r" in command:
                shell.run(f"sed -i s/4321/{port}/ *.gdb")
            output = output if output.endswith("\n") or output == "" else output + "\n"
            if not prints(output, lines, any_figures):
                raise SystemExit(f"FAILED: $ {command}\nprinted:\n{output}\nand the page says:\n" + "\n".join(lines))
        shell.process.stdin.close()
        shell.process.wait()
    print(f"{len(steps)} commands print what {page.name} says")


if __name__ == "__main__":
    main()
