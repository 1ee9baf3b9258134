# SPDX-License-Identifier: Apache-2.0
"""
What notebooks show of a chip, a tile and a result: HTML without scripts. Text takes the colour of the notebook, and
coloured cells have a text colour of their own, so that both are legible on a light and on a dark page.
"""
from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Iterable, Sequence

from . import _layout as layout
from ._library import lib
from .records import CoreState, Result, Waiting

if TYPE_CHECKING:
    from .chip import Chip
    from .tiles import Port, Tile

#: What a tile does, with background and text colour; the first that holds of one of its cores.
_STATES = {
    "a fault": ("#b3261e", "#fff"),
    "waits": ("#e3a54a", "#1d2733"),
    "runs": ("#5b8def", "#10182a"),
    "done": ("#3fa06c", "#0d1b13"),
    "in reset": ("rgba(128,128,128,.3)", "inherit"),
}
_OTHER_NODES = {layout.TF_NODE_ETH: "E", layout.TF_NODE_DRAM: "D", layout.TF_NODE_PCIE: "P", layout.TF_NODE_ARC: "A",
                layout.TF_NODE_L2CPU: "C", layout.TF_NODE_SECURITY: "S"}
_LINE = "1px solid rgba(128,128,128,.45)"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table. Numbers get separators of thousands."""
    cell = f'style="padding:2px 8px;border-bottom:{_LINE};text-align:left;vertical-align:top;white-space:pre-wrap"'
    lines = ["<tr>" + "".join(f"<th {cell}>{escape(text)}</th>" for text in head) + "</tr>"] if head else []
    for row in rows:
        texts = (f"{part:,}" if isinstance(part, int) else escape(str(part)) for part in row)
        lines.append("<tr>" + "".join(f"<td {cell}>{text}</td>" for text in texts) + "</tr>")
    return f'<table style="border-collapse:collapse;font-size:90%">{"".join(lines)}</table>'


def _titled(title: str, *parts: str) -> str:
    return f"<div style=\"margin:4px 0\"><b>{escape(title)}</b>{''.join(parts)}</div>"


# ---- chip ----

def _states_of(chip: Chip) -> tuple[list[str], list[list[str]]]:
    """Return what each tile does, and the lines about it."""
    states, notes = ["in reset"] * len(chip.tiles), list[list[str]](list() for _ in chip.tiles)
    for tile in chip.tiles:
        if any(core.view.state is not CoreState.RESET for core in tile.cores):
            states[tile.index] = "runs"
    order = list(_STATES)
    for wait in sorted(chip.waits(), key=lambda group: group.stuck):
        for index in wait.tiles:
            if index < len(states):
                states[index] = "waits" if wait.stuck else "done"
                notes[index].append(f"{wait.core} waits: {wait.what}" if wait.stuck else f"{wait.core} is done")
    for fault in chip.faults:
        if fault.index is not None and not fault.hazard:
            states[fault.index] = order[0]
            notes[fault.index].append(f"{fault.core}: {fault.text}")
    return states, notes


def _cell(x: int, y: int, text: str, title: str, style: str) -> str:
    return (f'<div title="{escape(title)}" style="grid-column:{x + 2};grid-row:{y + 2};text-align:center;'
            f'border-radius:2px;{style}">{text}</div>')


def _map(chip: Chip) -> str:
    states, notes = _states_of(chip)
    cells = [_cell(x, -1, str(x), f"column {x}", "opacity:.6") for x in range(chip.shape.grid_x)]
    cells += [_cell(-1, y, str(y), f"row {y}", "opacity:.6") for y in range(chip.shape.grid_y)]
    for y in range(chip.shape.grid_y):
        for x in range(chip.shape.grid_x):
            coord = layout.Coord(x, y)
            index = lib.tf_tile_index(chip._arch, coord)
            if index >= 0:
                back, ink = _STATES[states[index]]
                title = "\n".join([f"{chip.tiles[index].name}: {states[index]}", *notes[index]])
                cells.append(_cell(x, y, str(index), title, f"background:{back};color:{ink}"))
            elif letter := _OTHER_NODES.get(lib.tf_node_kind(chip._arch, coord)):
                cells.append(_cell(x, y, letter, f"({x},{y})", f"outline:{_LINE};outline-offset:-1px;opacity:.75"))
    legend = [f'<span style="background:{_STATES[state][0]};color:{_STATES[state][1]};padding:0 6px;border-radius:2px">'
              f"{states.count(state)}</span> {state}&ensp;" for state in _STATES if state in states]
    legend.append("D DRAM, E Ethernet, P PCIe, A ARC, C L2CPU, S security")
    side = f"grid-template-columns:1.4em repeat({chip.shape.grid_x},2.3em);grid-auto-rows:1.45em;gap:2px"
    return (f'<div style="display:grid;{side};font:11px/1.45em sans-serif;margin:6px 0">{"".join(cells)}</div>'
            f'<div style="font-size:90%">{"".join(legend)}</div>')


def chip(of: Chip) -> str | None:
    """Return a chip as a map of its tiles; None while it runs, and after close()."""
    if not of._chip or of._runner.busy:
        return None
    stats = of.stats
    title = f"{of.shape.title}, {stats.cycles:,} cycles, {stats.instructions:,} instructions, " \
            f"{stats.noc_requests:,} NOC requests"
    return _titled(title if of._number is None else f"chip {of._number}: {title}", _map(of))


# ---- tile ----

def tile(of: Tile | Port) -> str | None:
    """Return the cores of a tile as a table; None while the chip runs, and after close()."""
    if not of.chip._chip or of.chip._runner.busy:
        return None
    rows, node = [], layout.Coord(of.x, of.y)
    for core in of.cores:
        view = core.view
        wait = f"0x{view.wait_address:x}" if view.wait_address else "coprocessor" if view.thread_waits else ""
        held = view.state is CoreState.RESET
        rows.append((core.name, view.state.name.lower(), "" if held else f"0x{view.pc:x}",
                     "" if held else of.chip._place(node, core.number, view.pc), view.cycle, view.instret, wait))
    return _titled(of.name, table(["core", "state", "pc", "place", "cycle", "instructions", "waits for"], rows))


# ---- result ----

def _waits(title: str, groups: Sequence[Waiting]) -> str:
    return table([title], [[str(group)] for group in groups]) if groups else ""


def result(of: Result) -> str:
    """Return the end of a run, its figures, faults and waiting cores."""
    stats = of.stats
    figures = table([], [("cycles", stats.cycles), ("instructions", stats.instructions), ("epochs", stats.epochs),
                         ("NOC requests", stats.noc_requests), ("bytes", stats.noc_bytes),
                         ("atomics", stats.noc_atomics), ("workers", stats.workers),
                         ("seconds", f"{stats.wall_s:.3f}")])
    faults = table(["faults and hazards"], [[str(fault)] for fault in of.faults]) if of.faults else ""
    done = sum(len(wait.tiles) for wait in of.done)
    title = f"ended: {of.end.name.lower()}" + (f", {done} core{' is' if done == 1 else 's are'} done" if done else "")
    return _titled(title, figures, faults, _waits("waits", of.stuck))
