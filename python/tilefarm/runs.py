# SPDX-License-Identifier: Apache-2.0
"""
Runs of a chip or a system, in parts of a tenth of a second.

Python handles signals only while Python code runs in the main thread. So a run returns to Python between parts, and a
handler that raises, such as that of Ctrl-C or of pytest-timeout, ends it there. A part cuts no epoch short: the parts
together equal one run.
"""
from __future__ import annotations

import ctypes
import sys
import threading
import time
from contextlib import contextmanager
from ctypes import byref, c_void_p
from typing import Any, Callable, Iterator

from . import _arguments as arguments
from . import _layout as layout
from . import errors
from ._library import lib

PART_S = 0.1


class Runner:
    """Says whether a chip runs, and runs it."""

    what = "chip"  #: that it runs, for messages
    #: explore() sets it: called before each part of a run; an exception ends the run
    before_part: Callable[[], None] | None = None
    until_s: float | None = None  #: explore() sets it: when its time is over, by time.monotonic()

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: object = None
        self._error: BaseException | None = None  #: of a callback
        self.paths = arguments.Paths()

    @property
    def busy(self) -> bool:
        """Does the chip run?"""
        return self._owner is not None

    def limit(self, seconds: float | None) -> float | None:
        """Return the seconds that a run may take. None: no limit but that of explore(), which comes first."""
        if seconds is None or self.until_s is None or time.monotonic() + seconds < self.until_s:
            return seconds
        return None

    def run(self, chip: c_void_p, options: layout.RunOptions, seconds: float | None,
            cycles: Callable[[], int]) -> tuple[int, int]:
        """
        Run a chip until its end, the options or the seconds end the run. Returns the code of tf_run() and the end.

        cycles  returns the cycles of the chip so far
        Raises BusyError if the chip runs, and what a callback or the handler of a signal has raised.
        """
        __tracebackhide__ = True
        mine = object()  # a signal may raise at any call, so the owner is set and cleared by assignments alone
        try:
            with self._lock:
                if self._owner is not None:
                    raise errors.BusyError(f"the {self.what} is running; only stop() may be called")
                self._owner = mine
            return self._run_parts(chip, options, seconds, cycles)
        finally:
            if self._owner is mine:
                self._owner = None

    def _run_parts(self, chip: c_void_p, options: layout.RunOptions, seconds: float | None,
                   cycles: Callable[[], int]) -> tuple[int, int]:
        __tracebackhide__ = True
        until_cycle = cycles() + options.cycles_max if options.cycles_max else None
        until_s = self.until_s if seconds is None else time.monotonic() + seconds
        self._error = None
        while True:
            if self.before_part is not None:
                self.before_part()
            left = None if until_s is None else until_s - time.monotonic()
            options.wall_s_max = PART_S if left is None else min(max(left, 1e-6), PART_S)
            end = ctypes.c_uint()
            with self._catching():
                code = self._run_part(chip, options, end)
            if self._error is not None:
                error, self._error = self._error, None
                raise error
            if code != layout.TF_OK or end.value != layout.TF_END_TIME or (left is not None and left <= PART_S):
                return code, end.value
            if until_cycle is not None:
                options.cycles_max = max(until_cycle - cycles(), 1)

    def _run_part(self, chip: c_void_p, options: layout.RunOptions, end: ctypes.c_uint) -> int:
        __tracebackhide__ = True  # of what the handler of a signal raises, too
        code: int = lib.tf_run(chip, byref(options), byref(end))
        return code

    def _stop(self, chip: c_void_p) -> None:
        lib.tf_stop(chip)

    def guard(self, chip: c_void_p, function: Callable[[], object]) -> None:
        """Call the function of a callback. If it raises an exception, the run ends and raises it."""
        if self._error is None:
            try:
                function()
            except BaseException as error:
                self._fail(chip, error)

    def _fail(self, chip: c_void_p, error: BaseException) -> None:
        self._error = self._error or error
        self._stop(chip)

    @staticmethod
    def late(seconds: float | None) -> str:
        """Say that a run has not ended within the limit that limit() has returned."""
        when = "when the seconds of explore() were over" if seconds is None else f"after {seconds} seconds"
        return f"the run has not ended {when}"

    @contextmanager
    def _catching(self) -> Iterator[None]:
        """
        Catch what the handler of a signal raises when it is called at the first instruction of a callback, before
        guard() can. ctypes has no caller to pass it to.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = sys.unraisablehook

        def take(unraisable: Any) -> None:
            if "ctypes callback" in (unraisable.err_msg or "") and isinstance(unraisable.exc_value, BaseException):
                self._error = self._error or unraisable.exc_value
            else:
                before(unraisable)

        sys.unraisablehook = take
        try:
            yield
        finally:
            sys.unraisablehook = before
