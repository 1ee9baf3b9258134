#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Does the JSON of runs obey its schemas? Runs end well, with a fault, in a deadlock and at a limit, on both families, and
on two chips. A field that no schema has is a failure, too.

Usage: test_json.py COMMAND SCHEMAS-FOLDER
"""
import copy
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

PROGRAMS = {
    "well": "int main(void) { return 0; }",
    "fault": "int main(void) { *(volatile int *)0xFFFFFFF0 = 1; return 0; }",
    "waits": '#include "tilefarm_device.h"\nint main(void) { while (TF_WORD(0x20000) == 0) {} return 0; }',
    "reads": '#include "tilefarm_device.h"\nint main(void) { return (int)TF_WORD(0x20000) * 0; }',
    "works": "int main(void) { for (volatile int i = 0;; i++) {} }",
}


def closed(schema: dict) -> dict:
    """Return the schema without room for other fields."""
    if schema.get("properties") is not None and "additionalProperties" not in schema:
        schema["additionalProperties"] = False
    for value in list(schema.values()):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, dict):
                closed(part)
    for part in schema.get("properties", {}).values():
        closed(part)
    return schema


def main() -> None:
    """Run all. Exit with a message at the first object that does not obey."""
    command, schemas = sys.argv[1], Path(sys.argv[2])
    one, many = (json.loads((schemas / name).read_text()) for name in ("run-1.json", "run-system-1.json"))
    for schema in (one, many):
        jsonschema.Draft202012Validator.check_schema(schema)
    folder = Path(tempfile.mkdtemp())

    def run(code: int, schema: dict, *words: str) -> dict:
        done = subprocess.run([command, "run", *words, "--json", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, cwd=folder)
        assert done.returncode == code, (words, done.returncode, done.stderr)
        found = json.loads(done.stdout)
        jsonschema.validate(found, schema)
        jsonschema.validate(found, closed(copy.deepcopy(schema)))
        assert found["command"] == ["tilefarm", "run", *words, "--json", "-"], found["command"]
        return found

    for name, text in PROGRAMS.items():
        (folder / f"{name}.c").write_text(text)
        subprocess.run([command, "cc", "-c", "B", f"{name}.c", "-o", f"{name}.elf"], cwd=folder, check=True)
        subprocess.run([command, "cc", "--arch", "wormhole", "-c", "B", f"{name}.c", "-o", f"{name}.wh.elf"],
                       cwd=folder, check=True)
    found = run(1, one, "--load", "B=reads.elf@1", "--check")
    assert len(found["races"]) == 1 and found["race_lines"][0]["races"] == [0], found["race_lines"]
    found = run(0, one, "--load", "B=well.elf@1+3", "--timing", "--critical-path", "path")
    assert found["timing"]["critical_path"]
    assert [tile["index"] for tile in found["timing"]["tiles"]] == [1, 3], found["timing"]
    found = run(0, one, "--load", "B=well.elf@1+3", "--epoch", "2048")
    assert [(tile["tile"], tile["instructions"] > 0) for tile in found["tiles"]][1:3] == [("tile 1 (2,2)", True),
                                                                                         ("tile 2 (3,2)", False)] or \
        [tile["index"] for tile in found["tiles"] if tile["instructions"] > 0] == [1, 3], found["tiles"][:4]
    assert found["programs"][0]["tiles"] == [1, 3] and found["epoch"][0] == 2048, found["programs"]
    assert sum(tile["instructions"] for tile in found["tiles"]) == found["instructions"]
    fault = run(1, one, "--load", "B=fault.elf@1")["faults"][0]
    assert fault["where"].startswith("tile 1 (") and fault["stack"], fault
    assert run(3, one, "--load", "B=waits.elf@0")["waits"]
    assert run(4, one, "--load", "B=works.elf@0", "--limit-cycles", "5000")["end"] == "cycles"
    assert run(0, one, "ring", "--arch", "wormhole", "--board", "n150")["board"] == "n150"
    found = run(0, one, "matmul", "--relaxed", "--scale", "1")["programs"]
    assert [program["core"] for program in found] == ["B", "NC", "T0", "T1", "T2"], found
    assert all(program["file"] is None for program in found) and len({program["xxh3"] for program in found}) == 5, found
    found = run(0, many, "--system", "n300", "eth-ping")
    about = [found[name] for name in ("arch", "seed", "mode", "message")]
    assert about == ["wormhole", 1, "deterministic", None], about
    assert [(chip["arch"], chip["board"]) for chip in found["chips"]] == [("wormhole", "n300")] * 2, found["chips"]
    assert found["schema"] == many["properties"]["schema"]["const"], found["schema"]
    other = run(0, many, "--system", "p300", "eth-ring", "--scale", "1")
    assert [program["core"] for program in found["programs"] + other["programs"]] == ["E", "E0"], found["programs"]
    assert found["programs"][0]["xxh3"] != other["programs"][0]["xxh3"], found["programs"]
    found = run(0, many, "--system", "n300", "--load", "B=well.wh.elf@0:1+3",
                "--load", "B=well.wh.elf@1:2", "--timing")
    for chip, tiles in zip(found["chips"], ([1, 3], [2])):
        assert [tile["index"] for tile in chip["tiles"] if tile["instructions"] > 0] == tiles, chip["tiles"][:4]
        assert sum(tile["instructions"] for tile in chip["tiles"]) == chip["instructions"], chip["instructions"]
        assert [tile["index"] for tile in chip["timing"]["tiles"]] == tiles, chip["timing"]
    assert found["instructions"] == sum(chip["instructions"] for chip in found["chips"])
    found = run(0, many, "--system", "n300", "eth-ping", "--scale", "2", "--timing", "--critical-path", "path")
    assert sum(part["cycles"] for part in found["critical_path"]) == found["cycles"], found["cycles"]
    assert {part["actor"] for part in found["critical_path"]} == {"core", "link", "none"}
    found = run(1, many, "--system", "n300", "--load", "B=fault.wh.elf@1:2")
    assert [chip["fault_count"] for chip in found["chips"]] == [0, 1] and found["fault_count"] == 1, found["chips"]
    assert found["chips"][1]["faults"][0]["stack"], found["chips"][1]["faults"]
    found = run(3, many, "--system", "n300", "--load", "B=waits.wh.elf@0:0", "--check")
    assert [len(chip["waits"]) for chip in found["chips"]] == [1, 0] and not found["chips"][0]["races"], found["chips"]
    assert [chip["link_waits"] for chip in found["chips"]] == [[], []], found["chips"]
    found = run(3, many, "--system", "n300", "eth-ping", "--scale", "3", "--link-fault", "1:0 down")
    for chip, port, peer in ((0, 8, [1, 0]), (1, 0, [0, 8])):
        (wait,) = found["chips"][chip]["link_waits"]
        facts = [wait[name] for name in ("port", "peer", "up", "unacknowledged", "lost", "not_taken")]
        assert facts == [port, peer, False, 2 - 2 * chip, 0, 0], wait
        assert wait["text"].startswith(f"link: port {port} to port {peer[1]} of chip {peer[0]}: down"), wait
    found = run(3, many, "--system", "n300", "--load", "E0=waits.wh.elf@0:3")
    (wait,) = found["chips"][0]["link_waits"]
    assert wait["peer"] is None and not wait["up"] and wait["text"] == "link: port 3 has no link", wait
    found = run(0, many, "--system", "n300", "eth-matmul", "--scale", "1")
    assert [program["core"] for program in found["programs"]] == ["E", "B", "T0", "T1", "T2"], found["programs"]
    assert len({program["xxh3"] for program in found["programs"]}) == 5, found["programs"]
    print("all objects obey their schemas")


if __name__ == "__main__":
    main()
