# SPDX-License-Identifier: Apache-2.0
"""Compiles device programs by the command `tilefarm cc`, which needs a compiler for RISC-V."""
from __future__ import annotations

import os
import subprocess
from pathlib import Path

from . import _arguments as arguments
from .errors import CompileError
from .names import Arch, CoreName, EthCoreName


def compile_program(source: str | os.PathLike[str], core: CoreName | EthCoreName,
                    output: str | os.PathLike[str] | None = None, *flags: str, arch: Arch = "blackhole") -> Path:
    """
    Compile a C file for one core. Returns the path of the program.

    source  the C file
    core    "B", "NC", "T0", "T1" or "T2"; of Ethernet tiles "E0", and on Blackhole "E1"
    output  the path of the program; None: NAME.CORE.elf in the current folder
    flags   options for `tilefarm cc` and the compiler
    arch    the family: "blackhole" or "wormhole"

    The environment variable TILEFARM names the command; without it `tilefarm` is found by PATH. Raises CompileError if
    the command cannot be run, or fails, and InvalidArgumentError for an argument that no command can have.
    """
    texts = (("core", core), ("arch", arch), *(("flags", flag) for flag in flags))
    for name, value in texts:
        arguments.text(name, value)
    source = arguments.name_of(arguments.path("source", source))
    if output is not None:
        output = arguments.name_of(arguments.path("output", output))
    path = Path(output) if output is not None else Path(f"{Path(source).name.partition('.')[0]}.{core.lower()}.elf")
    command = [os.environ.get("TILEFARM", "tilefarm"), "cc", "--core", core, "--arch", arch, os.fspath(source),
               "-o", os.fspath(path), *flags]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise CompileError(f"the command {command[0]} cannot be run: {error.strerror}; TILEFARM may name it") from error
    if done.returncode != 0:
        raise CompileError(done.stderr.strip() or f"{' '.join(command)} ended with {done.returncode}")
    return path
