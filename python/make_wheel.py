#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Builds the wheel: a zip of the package, the library and the metadata for pip. It needs no setuptools, and equal inputs
give equal bytes. It also writes a folder with metadata beside the package's folder. Debian's package installs that
folder, and pytest finds the plugin by it.

Usage: make_wheel.py PACKAGE-FOLDER LICENSE VERSION OUTPUT-FOLDER
"""
import base64
import hashlib
import sys
import sysconfig
import zipfile
from pathlib import Path

METADATA = """Metadata-Version: 2.1
Name: tilefarm
Version: {version}
Summary: A whole Tenstorrent chip in software
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: numpy>=1.21
Classifier: Typing :: Typed
Classifier: Framework :: Pytest
Description-Content-Type: text/plain

tilefarm executes the machine code of all cores of a Tenstorrent Blackhole or Wormhole chip. The wheel holds libtilefarm
for Linux, which needs libelf of elfutils, libhwloc, and libdw for line numbers.
"""


def main() -> None:
    """Build the wheel and print its path. Exits with a message if the package's folder is not complete."""
    package, licence, version, output = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"py3-none-{platform}"
    info = f"tilefarm-{version}.dist-info"
    files = {f"tilefarm/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
    if not {"tilefarm/__init__.py", "tilefarm/_layout.py", "tilefarm/libtilefarm.so"} <= set(files):
        sys.exit(f"make_wheel: {package} is not the whole package: {', '.join(files)}")
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: tilefarm\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()
    files[f"{info}/entry_points.txt"] = b"[pytest11]\ntilefarm = tilefarm.pytest_plugin\n"
    files[f"{info}/LICENSE"] = licence.read_bytes()
    beside = package.parent / info
    beside.mkdir(exist_ok=True)
    for name in ("METADATA", "entry_points.txt"):
        (beside / name).write_bytes(files[f"{info}/{name}"])
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    output.mkdir(parents=True, exist_ok=True)
    for old in output.glob("tilefarm-*.whl"):
        old.unlink()
    with zipfile.ZipFile(output / f"tilefarm-{version}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    print(output / f"tilefarm-{version}-{tag}.whl")


if __name__ == "__main__":
    main()
