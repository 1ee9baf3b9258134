#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints tests/unit/look/perfetto.def from the protos of google/perfetto.

Usage: perfetto_fields.py REPOSITORY >tests/unit/look/perfetto.def
REPOSITORY has protos/perfetto/trace/*.proto. src/look/tracks/packets.c writes the fields below.
"""
import re
import sys

FILES = (
    "trace", "trace_packet", "trace_packet_defaults", "clock_snapshot", "interned_data/interned_data",
    "track_event/track_event", "track_event/track_descriptor", "track_event/counter_descriptor",
    "track_event/debug_annotation",
)
FIELDS = {
    "Trace": ("packet",),
    "TracePacket": ("clock_snapshot", "timestamp", "trusted_packet_sequence_id", "track_event", "interned_data",
                    "sequence_flags", "trace_packet_defaults", "track_descriptor"),
    "TracePacketDefaults": ("track_event_defaults", "timestamp_clock_id"),
    "TrackEventDefaults": ("track_uuid",),
    "ClockSnapshot": ("clocks",),
    "Clock": ("clock_id", "timestamp", "is_incremental"),
    "InternedData": ("event_names", "debug_annotation_names"),
    "EventName": ("iid", "name"),
    "DebugAnnotationName": ("iid", "name"),
    "TrackDescriptor": ("uuid", "parent_uuid", "name", "counter", "child_ordering", "sibling_order_rank"),
    "CounterDescriptor": ("unit_name",),
    "TrackEvent": ("debug_annotations", "type", "name_iid", "track_uuid", "counter_value", "double_counter_value",
                   "flow_ids", "terminating_flow_ids"),
    "DebugAnnotation": ("name_iid", "uint_value", "pointer_value"),
}
ENUMS = {
    "SequenceFlags": ("SEQ_INCREMENTAL_STATE_CLEARED", "SEQ_NEEDS_INCREMENTAL_STATE"),
    "ChildTracksOrdering": ("EXPLICIT",),
    "Type": ("TYPE_SLICE_BEGIN", "TYPE_SLICE_END", "TYPE_INSTANT", "TYPE_COUNTER"),
}


def read(path, found):
    """Add the fields and values of a file to `found`: {(message or enum, name): (number, type)}."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", file.read(), flags=re.S)
    text = re.sub(r"\[[^\]]*\]", "", text)
    scope = []
    pattern = (r"(message|enum|oneof|extend)\s+([\w.]+)\s*\{|([\w.]+)\s+(\w+)\s*=\s*(\d+)\s*;"
               r"|(\w+)\s*=\s*(\d+)\s*;|(\{)|(\})")
    for match in re.finditer(pattern, text):
        kind, name, of, field, number, value, its, opens, closes = match.groups()
        if kind:
            scope.append(scope[-1] if kind == "oneof" else name)
        elif opens:
            scope.append("?")
        elif closes:
            scope.pop()
        elif scope and field:
            found[scope[-1], field] = (int(number), of.split(".")[-1])
        elif scope and value:
            found[scope[-1], value] = (int(its), "")


def main():
    found = {}
    for name in FILES:
        read(f"{sys.argv[1]}/protos/perfetto/trace/{name}.proto", found)
    print("/* SPDX-License-Identifier: Apache-2.0 */")
    print("/* Fields of Perfetto's messages, as protos/perfetto/trace of google/perfetto defines them. Made by")
    print("   tests/record/perfetto_fields.py. */")
    print("/* clang-format off */")
    for message, fields in FIELDS.items():
        for field in fields:
            number, of = found[message, field]
            print(f"FIELD({message}, {field}, {number}, {of})")
    for enum, values in ENUMS.items():
        for value in values:
            print(f"VALUE({enum}, {value}, {found[enum, value][0]})")


if __name__ == "__main__":
    main()
