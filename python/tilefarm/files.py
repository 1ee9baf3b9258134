# SPDX-License-Identifier: Apache-2.0
"""Files that show a run: timeline, report, profile, coverage, and a log of NOC requests."""
from __future__ import annotations

import os
from ctypes import byref, c_void_p
from typing import Mapping, Optional, Sequence, Union

from . import _arguments as arguments
from . import _layout as layout
from ._library import check, lib

NAMES = ("timeline", "report", "profile", "coverage", "noc_trace")

Path = Optional[Union[str, "os.PathLike[str]"]]


class _Files:
    """Open files, which record runs from attach() on, and are written once."""

    def __init__(self) -> None:
        self._files = c_void_p()
        self._attached = False
        self.written = False

    @staticmethod
    def _wish(paths: Mapping[str, Path]) -> layout.FilesWish:
        encoded = {name: arguments.path(name, path) for name, path in paths.items() if path is not None}
        return layout.FilesWish(**encoded)

    @property
    def attached(self) -> bool:
        """Has attach() been called?"""
        return self._attached

    def write(self, title: str | None, verdict: str | None, message: str | None, good: bool) -> None:
        """
        Write the files with all runs so far. They do not show later runs.

        title, verdict, message, good  the head of the report: struct tf_files_verdict
        Raises FileError if the disk is full.
        """
        said = layout.Message()
        texts = {name: arguments.text(name, value) for name, value in
                 (("title", title), ("verdict", verdict), ("message", message)) if value is not None}
        facts = layout.FilesVerdict(**texts, good=arguments.flag("good", good))
        self.written = True
        check(self._write(byref(facts), byref(said)), "files", said)

    def _write(self, facts: object, said: object) -> int:
        raise NotImplementedError


class Files(_Files):
    """The files of a chip."""

    def __init__(self, paths: Mapping[str, Path], config: layout.Config) -> None:
        """
        Open the files, and add their callbacks to `config`.

        paths   the path of each file, by one of NAMES; None: no such file
        Raises FileError if a file cannot be opened, and InvalidArgumentError if `config` does not allow one of them.
        """
        super().__init__()
        message = layout.Message()
        check(lib.tf_files_open(byref(self._wish(paths)), byref(config), byref(self._files), byref(message)), "Chip",
              message)

    def attach(self, chip: c_void_p, symbols: c_void_p) -> None:
        """
        Record a chip, before its first run. Later calls do nothing.

        symbols  a struct tf_symbols, which must live until close()
        """
        if not self._attached and not self.written:
            check(lib.tf_files_attach(self._files, chip, symbols), "files")
            self._attached = True

    def _write(self, facts: object, said: object) -> int:
        code: int = lib.tf_files_write(self._files, facts, said)
        return code

    def close(self) -> None:
        """Free the files, after the chip is destroyed. Files that write() has not written are removed."""
        lib.tf_files_close(self._files)
        self._files = c_void_p()


class SystemFiles(_Files):
    """The files of a system: each shows all chips."""

    def __init__(self, paths: Mapping[str, Path], config: layout.SystemConfig) -> None:
        """As Files(), for a system."""
        super().__init__()
        message = layout.Message()
        check(lib.tf_system_files_open(byref(self._wish(paths)), byref(config), byref(self._files), byref(message)),
              "System", message)

    def attach(self, system: c_void_p, symbols: Sequence[c_void_p]) -> None:
        """Record a system, before its first run, as Files.attach(). symbols: by chip."""
        if not self._attached and not self.written:
            message = layout.Message()
            of_chip = (c_void_p * len(symbols))(*(each.value for each in symbols))
            check(lib.tf_system_files_attach(self._files, system, of_chip, byref(message)), "files", message)
            self._attached = True

    def _write(self, facts: object, said: object) -> int:
        code: int = lib.tf_system_files_write(self._files, facts, said)
        return code

    def close(self) -> None:
        """Free the files, after the system is destroyed. Files that write() has not written are removed."""
        lib.tf_system_files_close(self._files)
        self._files = c_void_p()
