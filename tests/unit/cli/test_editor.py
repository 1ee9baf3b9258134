#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Do the files for VS Code work? Their tasks compile and run a program of the tutorial, and GDB, driven by its machine
interface as the editor does, reaches main() with the commands of the launch file.

Usage: test_editor.py COMMAND FOLDER-OF-EXAMPLES
"""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Machine:
    """GDB's machine interface."""

    def __init__(self, path: str) -> None:
        self.gdb = subprocess.Popen([path, "-nx", "-q", "-i", "mi"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    text=True)

    def ask(self, command: str, until: str = r"\^(done|connected|running)") -> str:
        """Send a command. Return the line that matches."""
        self.gdb.stdin.write(command + "\n")
        self.gdb.stdin.flush()
        return self.await_line(until)

    def await_line(self, until: str) -> str:
        """Return the next line that matches."""
        for line in self.gdb.stdout:
            assert not line.startswith("^error"), line
            if re.match(until, line):
                return line
        raise AssertionError(f"GDB ended without {until}")


def main() -> None:
    """Do what the editor does."""
    command, examples = sys.argv[1], Path(sys.argv[2])
    launch = json.loads((examples / "vscode/launch.json").read_text())["configurations"][0]
    tasks = {task["label"]: task for task in json.loads((examples / "vscode/tasks.json").read_text())["tasks"]}
    run, build = tasks[launch["preLaunchTask"]], tasks[tasks[launch["preLaunchTask"]]["dependsOn"]]
    assert run["command"] == build["command"] == "tilefarm"
    assert os.access(launch["miDebuggerPath"], os.X_OK), launch["miDebuggerPath"]
    host, port = launch["miDebuggerServerAddress"].split(":")
    assert run["args"][-2:] == ["--gdb", port], run["args"]

    folder = Path(tempfile.mkdtemp())
    shutil.copy(examples / "tutorial/2-neighbour.c", folder / "ring.c")
    subprocess.run([command, *build["args"]], cwd=folder, check=True)
    program = folder / Path(launch["program"]).name
    assert program.exists(), list(folder.iterdir())
    other = str(free_port())  # several tests run at a time
    chip = subprocess.Popen([command, *run["args"][:-1], other], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    ready = run["problemMatcher"]["background"]["endsPattern"]
    for line in chip.stderr:
        if re.search(ready, line):
            break
    machine = Machine(launch["miDebuggerPath"])
    machine.ask(f'-file-exec-and-symbols "{program}"')
    for setup in launch["setupCommands"]:
        machine.ask(f'-interpreter-exec console "{setup["text"]}"')
    machine.ask(f"-target-select remote {host}:{other}", r"\^connected")
    machine.ask("-break-insert main")
    machine.ask("-exec-continue", r"\^running")
    stopped = machine.await_line(r"\*stopped")
    assert 'reason="breakpoint-hit"' in stopped and 'func="main"' in stopped and "ring.c" in stopped, stopped
    machine.ask("-exec-next", r"\^running")
    assert 'reason="end-stepping-range"' in machine.await_line(r"\*stopped")
    assert 'func="main"' in machine.ask("-stack-list-frames", r"\^done,stack")
    machine.ask("-target-detach")
    machine.ask("-gdb-exit", r"\^exit")
    assert chip.wait(timeout=60) == 0, chip.stderr.read()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
