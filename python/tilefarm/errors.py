# SPDX-License-Identifier: Apache-2.0
"""Exceptions. All of them are a TilefarmError; those of bad input are also the Python exception of that kind."""
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .records import Fault, Result, Waiting


class TilefarmError(Exception):
    """What this package raises."""


class InvalidArgumentError(TilefarmError, ValueError):
    """An argument is out of its range (TF_EINVAL)."""


class OutOfMemoryError(TilefarmError, MemoryError):
    """The host has too little memory or address space (TF_ENOMEM)."""


class FileError(TilefarmError, OSError):
    """A file cannot be read (TF_EIO)."""


class FileFormatError(TilefarmError, ValueError):
    """A program or saved chip has the wrong format or is damaged (TF_EFORMAT)."""


class AddressRangeError(TilefarmError, IndexError):
    """A range of addresses runs past the end of its memory, or a number does not fit its format (TF_ERANGE)."""


class NoSuchPlaceError(TilefarmError, LookupError):
    """There is no such tile, core, node or channel (TF_ENODEV)."""


class AccessRefusedError(TilefarmError):
    """The chip refuses an access: its alignment, its size, or an unmapped register (TF_EACCESS)."""


class HostError(TilefarmError, OSError):
    """The host refuses a thread or another resource (TF_ESYS)."""


class ClosedError(TilefarmError):
    """The chip has been closed."""


class BusyError(TilefarmError):
    """The chip is running: only stop() may be called then."""


class CompileError(TilefarmError):
    """`tilefarm cc` failed; the message is what it printed."""


class RunError(TilefarmError):
    """A run did not end well. `result` is what Chip.run() would have returned."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result


class FaultError(RunError):
    """A core or the coprocessor did what it must not. `faults` has the records."""

    def __init__(self, message: str, result: Result, faults: list[Fault]) -> None:
        super().__init__(message, result)
        self.faults = faults


class DeadlockError(RunError):
    """All cores wait, and nothing is under way. `waits` says who waits for what."""

    def __init__(self, message: str, result: Result, waits: list[Waiting]) -> None:
        super().__init__(message, result)
        self.waits = waits


class ProgramError(RunError):
    """main() of a program returned a value other than 0. `waits` has those cores."""

    def __init__(self, message: str, result: Result, waits: list[Waiting]) -> None:
        super().__init__(message, result)
        self.waits = waits


class NotReachedError(RunError):
    """The word of `until` never got its value: the run went quiet, or reached its limit of cycles."""
