# SPDX-License-Identifier: Apache-2.0
"""The exceptions. All are a TilefarmError. Most also are the built-in exception of their kind, such as ValueError."""
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .records import Fault, Result, Waiting


class TilefarmError(Exception):
    """The base of all exceptions of this package."""


class InvalidArgumentError(TilefarmError, ValueError):
    """An argument is outside its range (TF_EINVAL)."""


class ArgumentTypeError(InvalidArgumentError, TypeError):
    """An argument is of a wrong type."""


class OutOfMemoryError(TilefarmError, MemoryError):
    """The host has too little memory or address space (TF_ENOMEM)."""


class FileError(TilefarmError, OSError):
    """A file cannot be read or written (TF_EIO)."""


class FileFormatError(TilefarmError, ValueError):
    """A program or saved chip has the wrong format or is damaged (TF_EFORMAT)."""


class AddressRangeError(TilefarmError, IndexError):
    """A range of addresses goes past the end of its memory, or a format cannot hold a number (TF_ERANGE)."""


class NoSuchPlaceError(TilefarmError, LookupError):
    """There is no such tile, core, node or channel (TF_ENODEV)."""


class AccessRefusedError(TilefarmError):
    """The chip refuses an access for its alignment or its size, or no register is there (TF_EACCESS)."""


class HostError(TilefarmError, OSError):
    """The host refuses a thread or another resource (TF_ESYS)."""


class ClosedError(TilefarmError):
    """The chip or the system has been closed."""


class BusyError(TilefarmError):
    """The chip or its system is running, and a method other than stop() was called."""


class CompileError(TilefarmError):
    """`tilefarm cc` failed, or cannot be run. The message is its output."""


class RunError(TilefarmError):
    """A run did not end well. `result` is the Result that Chip.run(check=False) or System.run(check=False) returns."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result


class FaultError(RunError):
    """A core or a coprocessor caused a fault. `faults` has the records."""

    def __init__(self, message: str, result: Result, faults: list[Fault]) -> None:
        super().__init__(message, result)
        self.faults = faults


class DeadlockError(RunError):
    """Nothing can happen any more, but a core or a coprocessor thread still waits. `waits` has those that wait."""

    def __init__(self, message: str, result: Result, waits: list[Waiting]) -> None:
        super().__init__(message, result)
        self.waits = waits


class ProgramError(RunError):
    """main() of a program returned a value other than 0, or stopped at an ebreak. `waits` has these programs' cores."""

    def __init__(self, message: str, result: Result, waits: list[Waiting]) -> None:
        super().__init__(message, result)
        self.waits = waits


class NotReachedError(RunError):
    """
    The run went quiet, or reached its limit of cycles, before the word of `until` got its value. Or it reached the
    limit of a run under explore().
    """


class TimeLimitError(RunError, TimeoutError):
    """The run has not ended within its limit of seconds. The message has the stacks of cores that have not ended."""
