# SPDX-License-Identifier: Apache-2.0
"""
tilefarm runs a whole Tenstorrent chip in software.

    import tilefarm

    with tilefarm.Chip() as chip:
        chip.load("kernel.elf", core="B", tiles="all")
        chip.tile(0).write_tiles(0x20000, matrix, "bf16")
        chip.run()
        result = chip.tile(0).read_tiles(0x30000, (32, 32), "bf16")

A run that does not end well raises FaultError, ProgramError, DeadlockError, NotReachedError or TimeLimitError. System
runs several chips that are joined by links. compile_program() makes device programs. explore() repeats a function under
other orders that the documents of the chip allow.
"""
from . import errors, formats
from ._layout import VERSION as __version__
from .chip import Chip
from .compiler import compile_program
from .errors import (
    AccessRefusedError,
    AddressRangeError,
    ArgumentTypeError,
    BusyError,
    ClosedError,
    CompileError,
    DeadlockError,
    FaultError,
    FileError,
    FileFormatError,
    HostError,
    InvalidArgumentError,
    NoSuchPlaceError,
    NotReachedError,
    OutOfMemoryError,
    ProgramError,
    RunError,
    TilefarmError,
    TimeLimitError,
)
from .memory import Memory
from .names import (
    Arch,
    Atomics,
    CoreName,
    EthCoreName,
    Format,
    PageLayout,
    ShardOrder,
    Strategy,
    Timing,
    Undefined,
    Vectors,
    Where,
)
from .orders import Decision, Exploration, Order, Outcome, explore
from .records import (
    CoreState,
    CoreTimes,
    CoreView,
    End,
    Fault,
    NocEvent,
    PathPart,
    PrintEvent,
    Race,
    RaceSide,
    Result,
    RiscvEvent,
    Shape,
    Stats,
    TensixEvent,
    TileStats,
    TileTimes,
    Trace,
    Waiting,
)
from .system import Link, LinkEnd, LinkWait, System, SystemChip, SystemResult
from .tensors import Tensor
from .tiles import CORES, Core, Port, Tile

__all__ = [
    "AccessRefusedError", "AddressRangeError", "Arch", "ArgumentTypeError", "Atomics", "BusyError", "CORES", "Chip",
    "ClosedError", "CompileError", "Core", "CoreName", "CoreState", "CoreTimes", "CoreView", "DeadlockError",
    "Decision", "End", "EthCoreName", "Exploration", "Fault", "FaultError", "FileError", "FileFormatError", "Format",
    "HostError", "InvalidArgumentError", "Link", "LinkEnd", "LinkWait", "Memory", "NoSuchPlaceError", "NocEvent",
    "NotReachedError", "Order", "OutOfMemoryError", "Outcome", "PageLayout", "PathPart", "Port", "PrintEvent",
    "ProgramError", "Race", "RaceSide", "Result", "RiscvEvent", "RunError", "Shape", "ShardOrder", "Stats", "Strategy",
    "System", "SystemChip", "SystemResult", "TensixEvent", "Tensor", "Tile", "TileStats", "TileTimes", "TilefarmError",
    "TimeLimitError", "Timing", "Trace", "Undefined", "Vectors", "Waiting", "Where", "__version__", "compile_program",
    "errors", "explore", "formats",
]
