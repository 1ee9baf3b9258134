# SPDX-License-Identifier: Apache-2.0
"""
Checks of arguments, before they become numbers and texts of C. ctypes itself cuts a number that does not fit.

Each function takes the name of the argument for the exception, and returns the value to pass on. A value of a wrong
type raises ArgumentTypeError, one out of range InvalidArgumentError.
"""
from __future__ import annotations

import operator
import os
import stat
from pathlib import Path
from typing import Any, Callable, Iterable, List, Mapping, SupportsIndex, TypeVar, get_args, overload

import numpy as np

from . import _layout as layout
from . import errors

U16_MOST = (1 << 16) - 1
U32_MOST = (1 << 32) - 1
U64_MOST = (1 << 64) - 1
#: The largest number of bytes of an array: no product with the size of an element wraps.
BYTES_MOST = (1 << 48) - 1
_FILE_BYTES_MOST = 1 << 30


def index(what: str, value: Any) -> int:
    """Check an integer, of Python or NumPy, of any size."""
    try:
        return int(operator.index(value))
    except TypeError:
        raise errors.ArgumentTypeError(f"{what} is {value!r}, not an integer") from None


def is_index(value: Any) -> bool:
    """Is it an integer, of Python or NumPy? Arrays have __index__, too, and most refuse it."""
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def _limit(number: int) -> str:
    """Return a limit as people write it: 2^64 - 1."""
    bits = abs(number).bit_length()
    if bits < 31:
        return str(number)
    if number == (1 << bits) - 1:
        return f"2^{bits} - 1"
    return f"{'-' if number < 0 else ''}2^{bits - 1}" if abs(number) == 1 << (bits - 1) else str(number)


def integer(what: str, value: Any, least: int = 0, most: int = U32_MOST) -> int:
    """Check an integer from `least` to `most`."""
    number = index(what, value)
    if not least <= number <= most:
        raise errors.InvalidArgumentError(f"{what} is {number}, not {_limit(least)} to {_limit(most)}")
    return number


def configured(what: str, value: Any, field: str | None = None, least: int = 0) -> int:
    """Check a number of struct tf_config. field: its name there; None: `what`. least: a higher limit than its own."""
    lowest, most = layout.LIMITS[field or what]
    return integer(what, value, max(lowest, least), most)


def seconds(what: str, value: Any) -> float:
    """Check a time in seconds: more than 0, at most 10^9."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise errors.ArgumentTypeError(f"{what} is {value!r}, not a number of seconds")
    number = float(value)
    if not 0 < number <= 1e9:
        raise errors.InvalidArgumentError(f"{what} is {value}, not more than 0 and at most 1e9 seconds")
    return number


def word(what: str, value: Any, bits: int = 32) -> int:
    """Check an integer of so many bits, with or without sign. Returns it without sign."""
    return integer(what, value, -(1 << (bits - 1)), (1 << bits) - 1) & ((1 << bits) - 1)


def flag(what: str, value: Any) -> bool:
    """Check a bool, or 0 or 1."""
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, (int, np.integer)) and value in (0, 1)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        raise errors.InvalidArgumentError(f"{what} is {value}, not False or True")
    raise errors.ArgumentTypeError(f"{what} is {value!r}, not False or True")


def text(what: str, value: Any) -> bytes:
    """Check a text without NUL. Returns it in UTF-8."""
    if not isinstance(value, str):
        raise errors.ArgumentTypeError(f"{what} is {value!r}, not a text")
    try:
        raw = value.encode()
    except UnicodeEncodeError:
        raise errors.InvalidArgumentError(f"{what} is {value!r}, which is no Unicode text") from None
    if b"\0" in raw:
        raise errors.InvalidArgumentError(f"{what} is {value!r}, with a NUL in it")
    return raw


def one_of(what: str, value: Any, names: Any) -> Any:
    """Check a text that is one of a Literal type."""
    text(what, value)
    if value not in get_args(names):
        raise errors.InvalidArgumentError(f"{what} is {value!r}, not " + " or ".join(map(repr, get_args(names))))
    return value


def path(what: str, value: Any) -> bytes:
    """Check the path of a file. Returns it as the system has it."""
    try:
        raw = os.fsencode(value)
    except TypeError:
        raise errors.ArgumentTypeError(f"{what} is {value!r}, not a path") from None
    except UnicodeEncodeError:
        raise errors.InvalidArgumentError(f"{what} is {value!r}, which is no path") from None
    if b"\0" in raw:
        raise errors.InvalidArgumentError(f"{what} is {value!r}, with a NUL in it")
    return raw


def function(what: str, value: Any) -> Callable[..., Any]:
    """Check something that can be called."""
    if not callable(value):
        raise errors.ArgumentTypeError(f"{what} is {value!r}, not a function")
    return value  # type: ignore[no-any-return]


def items(what: str, value: Any) -> list[Any]:
    """Check something with items, and return these."""
    try:
        return list(value)
    except TypeError:
        raise errors.ArgumentTypeError(f"{what} is {value!r}, which has no items") from None


def pair(what: str, value: Any, count: int = 2) -> tuple[Any, ...]:
    """Check a sequence of so many items."""
    found = tuple(items(what, value))
    if len(found) != count:
        raise errors.InvalidArgumentError(f"{what} is {value!r}, not {count} values")
    return found


def shape(what: str, value: Any) -> tuple[int, ...]:
    """Check the shape of an array: a number of elements, or one for each axis."""
    try:
        sides: Iterable[Any] = (operator.index(value),)
    except TypeError:
        sides = items(what, value)
    return tuple(integer(what, side, 0, BYTES_MOST) for side in sides)


def matrix_shape(what: str, value: Any) -> tuple[int, int]:
    """Check the shape of a matrix."""
    rows, columns = pair(what, value)
    return integer(what, rows, 0, 1 << 24), integer(what, columns, 0, 1 << 24)


def dtype(what: str, value: Any) -> np.dtype[Any]:
    """Check the type of the elements of an array: not Python objects, which are pointers."""
    try:
        found = np.dtype(value)
    except Exception as error:  # NumPy raises a SyntaxError and others for some texts
        raise errors.ArgumentTypeError(f"{what} is {value!r}: {error}") from None
    if found.hasobject:
        raise errors.InvalidArgumentError(f"{what}: an array of {found} holds Python objects, not bytes")
    return found


def data(what: str, value: Any) -> np.ndarray[Any, Any]:
    """Check bytes or an array. Returns a contiguous array."""
    try:
        array = np.ascontiguousarray(value if isinstance(value, np.ndarray) else np.frombuffer(value, dtype=np.uint8))
    except (TypeError, ValueError, BufferError) as error:
        raise errors.ArgumentTypeError(f"{what} is neither bytes nor an array: {error}") from None
    dtype(what, array.dtype)
    return array


def array(what: str, value: Any, wanted: Any) -> np.ndarray[Any, Any]:
    """Check something that makes an array. wanted: the type of its elements; None: that which it has."""
    kind = None if wanted is None else dtype("dtype", wanted)
    try:
        raw = np.asarray(value)
        _check_fit(what, raw, kind)
        made = np.ascontiguousarray(raw, dtype=kind)
    except (TypeError, OverflowError, ValueError) as error:
        if isinstance(error, errors.TilefarmError):
            raise
        kind_of_error = errors.ArgumentTypeError if isinstance(error, TypeError) else errors.InvalidArgumentError
        raise kind_of_error(f"{what} makes no array of numbers: {error}") from None
    dtype(what, made.dtype)
    return made


def _check_fit(what: str, raw: np.ndarray[Any, Any], kind: np.dtype[Any] | None) -> None:
    """
    What becomes numbers must be numbers. Those that become integers must be whole, and fit, with or without sign: NumPy
    would cut them.
    """
    if kind is None or kind.kind not in "iufc" or raw.size == 0:
        return
    if raw.dtype.kind in "US":
        raise errors.InvalidArgumentError(f"{what}: text makes no numbers")
    if raw.dtype.kind in "mM" or (raw.dtype.kind == "c" and kind.kind != "c"):
        raise errors.ArgumentTypeError(f"{what}: {raw.dtype} does not become {kind}")
    if kind.kind == "c" or kind.kind == "f" or raw.dtype.kind not in "iufO":
        return
    whole(what, raw, str(kind))
    least, most = -(1 << (8 * kind.itemsize - 1)), (1 << 8 * kind.itemsize) - 1
    low, high = raw.min(), raw.max()
    if not (low >= least and high <= most):
        wrong = low if not low >= least else high
        raise errors.InvalidArgumentError(f"{what}: {wrong} does not fit in {kind}, with or without sign: "
                                          f"{_limit(least)} to {_limit(most)}")


def whole(what: str, raw: np.ndarray[Any, Any], kind: str) -> None:
    """Check that numbers which become integers have no fraction. NaN and infinities do not fit, which others find."""
    if raw.dtype.kind == "f":
        broken = raw[np.isfinite(raw) & (raw != np.trunc(raw))]
    elif raw.dtype.kind == "O":
        broken = np.array([each for each in raw.flat if each == each and each not in (np.inf, -np.inf)
                           and int(each) != each], dtype=object)
    else:
        return
    if broken.size:
        raise errors.InvalidArgumentError(f"{what}: {broken.flat[0]} is not whole, and {kind} has no fractions")


def distinct(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> None:
    """Check that no output is the file of an input, under any name. It would destroy what the user gave."""
    for name, output in outputs.items():
        for of, source in inputs.items():
            if output is not None and source is not None and _is_same_file(path(name, output), path(of, source)):
                raise errors.InvalidArgumentError(f"{name}: {name_of(path(name, output))} would overwrite an input, "
                                                  f"that of {of}")


class Paths:
    """The files that a chip or a system reads and writes, of which none may be both."""

    def __init__(self) -> None:
        self.written: Mapping[str, Any] = {}  #: by the names of the arguments; at the end, or where the user asks
        self._programs: list[bytes] = []

    def load(self, program: bytes) -> None:
        """Note a program. Raises InvalidArgumentError if it is a file that will be written."""
        distinct({"load": program}, self.written)
        self._programs.append(program)

    def save(self, file: bytes) -> None:
        """Raise InvalidArgumentError if a save would overwrite a program."""
        for program in self._programs:
            distinct({"load": program}, {"save": file})


def _is_same_file(one: bytes, other: bytes) -> bool:
    try:
        return os.path.isfile(one) and os.path.samefile(one, other)
    except OSError:
        return False


Item = TypeVar("Item")


class Items(List[Item]):
    """The tiles, ports or channels of a chip. An index that none has raises NoSuchPlaceError."""

    def __init__(self, what: str, found: Iterable[Item]) -> None:
        super().__init__(found)
        self._what = what

    @overload
    def __getitem__(self, at: SupportsIndex) -> Item: ...

    @overload
    def __getitem__(self, at: slice) -> list[Item]: ...

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return super().__getitem__(at)
        number = index(self._what, at)
        if not -len(self) <= number < len(self):
            raise errors.NoSuchPlaceError(f"no {self._what} {number}: 0 to {len(self) - 1}")
        return super().__getitem__(number)


def file_bytes(name: str) -> bytes:
    """Read a file or a pipe. Raises FileError, also for a device, which may have no end."""
    try:
        with open(name, "rb") as file:
            kind = os.fstat(file.fileno()).st_mode
            if not (stat.S_ISREG(kind) or stat.S_ISFIFO(kind)):
                raise errors.FileError(f"{name}: neither a file nor a pipe")
            found = file.read(_FILE_BYTES_MOST + 1)
    except OSError as error:
        if isinstance(error, errors.TilefarmError):
            raise
        raise errors.FileError(error.errno, error.strerror, name) from error
    if len(found) > _FILE_BYTES_MOST:
        raise errors.FileError(f"{name}: longer than {_FILE_BYTES_MOST >> 20} MiB")
    return found


def name_of(raw: bytes) -> str:
    """Return a path as Python writes it."""
    return str(Path(os.fsdecode(raw)))
