# SPDX-License-Identifier: Apache-2.0
"""Files that show a run: timeline, report, profile, coverage, and a log of NOC requests."""
from __future__ import annotations

import os
from ctypes import byref, c_void_p
from typing import Mapping, Optional, Union

from . import _arguments as arguments
from . import _layout as layout
from ._library import check, lib

NAMES = ("timeline", "report", "profile", "coverage", "noc_trace")

Path = Optional[Union[str, "os.PathLike[str]"]]


class Files:
    """The open files of a chip. They record its runs from attach() on, and are written once."""

    def __init__(self, paths: Mapping[str, Path], config: layout.Config) -> None:
        """
        Open the files, and add their callbacks to `config`.

        paths   the path of each file, by one of NAMES; None: no such file
        Raises FileError if a file cannot be opened, and InvalidArgumentError if `config` does not allow one of them.
        """
        self._files = c_void_p()
        self._attached = False
        self.written = False
        encoded = {name: arguments.path(name, path) for name, path in paths.items() if path is not None}
        message = layout.Message()
        check(lib.tf_files_open(byref(layout.FilesWish(**encoded)), byref(config), byref(self._files), byref(message)),
              "Chip", message)

    def attach(self, chip: c_void_p, symbols: c_void_p) -> None:
        """
        Record a chip, before its first run. Later calls do nothing.

        symbols  a struct tf_symbols, which must live until close()
        """
        if not self._attached and not self.written:
            check(lib.tf_files_attach(self._files, chip, symbols), "files")
            self._attached = True

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
        check(lib.tf_files_write(self._files, byref(facts), byref(said)), "files", said)

    def close(self) -> None:
        """Free the files, after the chip is destroyed. Files that write() has not written are removed."""
        lib.tf_files_close(self._files)
        self._files = c_void_p()
