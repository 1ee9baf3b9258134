#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Builds the wheel: a zip of the package, the library and the metadata for pip. It needs no setuptools, and equal inputs
give equal bytes. It also writes a folder `info` with metadata beside the package's folder. Debian's package installs
what is in it, and pytest finds the plugin by it.

With --whole the wheel holds LIBRARY, and each library that it needs and that a host may lack, in tilefarm/libs. Its tag
is then manylinux_2_N, with the newest version of glibc that any of these files asks for.

Usage: make_wheel.py [--whole LIBRARY] PACKAGE-FOLDER SOURCE-FOLDER OUTPUT-FOLDER
"""
import base64
import hashlib
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

METADATA = """Metadata-Version: 2.1
Name: tilefarm
Version: {version}
Summary: A whole Tenstorrent chip in software
License: Apache-2.0
License-File: LICENSE
License-File: THIRD-PARTY.md
Requires-Python: >=3.9
Requires-Dist: numpy>=1.21
Classifier: Typing :: Typed
Classifier: Framework :: Pytest
Classifier: Operating System :: POSIX :: Linux
Description-Content-Type: text/plain

tilefarm executes the machine code of all cores of a Tenstorrent Blackhole or Wormhole chip. {needs}
"""
NEEDS = {
    False: "The wheel holds libtilefarm\nfor Linux, which needs libelf, libhwloc, and libdw for line numbers.",
    True: "The wheel holds libtilefarm\nfor Linux, and the libraries that it needs, each with its licence.",
}
# What every Linux of a manylinux tag has (PEP 600). Libraries that libtilefarm loads late are no NEEDED of it.
COMMON = re.compile(r"(lib(c|m|dl|rt|pthread|z)\.so\.\d|ld-linux-[\w-]+\.so\.\d|linux-vdso\.so\.1)$")
LATE = ["libdw.so.1"]


def needed(library: Path) -> list[str]:
    """Return the names of the libraries that a library needs."""
    text = subprocess.run(["readelf", "-dW", library], check=True, text=True, stdout=subprocess.PIPE).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def glibc_of(library: Path) -> int:
    """Return N of the newest GLIBC_2.N that a library asks for."""
    text = subprocess.run(["readelf", "-VW", library], check=True, text=True, stdout=subprocess.PIPE).stdout
    return max(int(minor) for minor in re.findall(r"GLIBC_2\.(\d+)", text))


def find_libraries(library: Path) -> dict[str, Path]:
    """Return the libraries that a host may lack, by name, with those that they need in turn."""
    listed = subprocess.run(["/sbin/ldconfig", "-p"], check=True, text=True, stdout=subprocess.PIPE).stdout
    paths = {name: Path(path) for name, path in reversed(re.findall(r"^\t(\S+) .*x86-64.* => (.*)$", listed, re.M))}
    found: dict[str, Path] = {}
    names = needed(library) + LATE
    while names:
        name = names.pop()
        if not COMMON.match(name) and name not in found:
            if name not in paths:
                sys.exit(f"make_wheel: the wheel needs {name}, and this host has none")
            found[name] = paths[name]
            names += needed(paths[name])
    return dict(sorted(found.items()))


def licence_of(library: Path) -> tuple[str, bytes]:
    """Return the name of the Debian package of a library, and its licence."""
    for path in (library.resolve(), Path(str(library.resolve()).removeprefix("/usr"))):
        owner = subprocess.run(["dpkg", "-S", path], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL).stdout
        if owner:
            package = owner.split(":")[0]
            return package, (Path("/usr/share/doc") / package / "copyright").read_bytes()
    sys.exit(f"make_wheel: no package has {library}, so its licence is not known")


def read_package(package: Path) -> tuple[dict[str, bytes], str]:
    """Return the files of the package and its version. Exits with a message if the package is not complete."""
    files = {f"tilefarm/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
    if not {"tilefarm/__init__.py", "tilefarm/_layout.py", "tilefarm/libtilefarm.so"} <= set(files):
        sys.exit(f"make_wheel: {package} is not the whole package: {', '.join(files)}")
    version = re.search(r'^VERSION: Final = "(.*)"$', files["tilefarm/_layout.py"].decode(), re.M)
    if version is None:
        sys.exit(f"make_wheel: no version in {package}/_layout.py")
    return files, version.group(1)


def write_wheel(path: Path, files: dict[str, bytes], info: str) -> None:
    """Write the files, with a record of their hashes, into a new wheel; remove older ones."""
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob("tilefarm-*.whl"):
        old.unlink()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if ".so" in name else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    print(path)


def write_info(beside: Path, files: dict[str, bytes], info: str) -> None:
    """Write the metadata that Debian's package installs; remove that of other versions."""
    for old in beside.glob("*/*"):
        old.unlink()
    for folder in beside.glob("*"):
        folder.rmdir()
    (beside / info).mkdir(parents=True)
    for name in ("METADATA", "entry_points.txt"):
        (beside / info / name).write_bytes(files[f"{info}/{name}"])


def main() -> None:
    """Build the wheel and print its path."""
    whole = Path(sys.argv[2]) if sys.argv[1] == "--whole" else None
    package, source, output = (Path(word) for word in sys.argv[-3:])
    files, version = read_package(package)
    info = f"tilefarm-{version}.dist-info"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if whole is not None:
        beside = find_libraries(whole)
        files["tilefarm/libtilefarm.so"] = whole.read_bytes()
        for name, path in beside.items():
            files[f"tilefarm/libs/{name}"] = path.read_bytes()
            owner, text = licence_of(path)
            files[f"{info}/licenses/{owner}.txt"] = text
        newest = max(glibc_of(path) for path in [whole, *beside.values()])
        platform = f"manylinux_2_{newest}_{platform.removeprefix('linux_')}"
    tag = f"py3-none-{platform}"
    files[f"{info}/METADATA"] = METADATA.format(version=version, needs=NEEDS[whole is not None]).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tilefarm\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/entry_points.txt"] = b"[pytest11]\ntilefarm = tilefarm.pytest_plugin\n"
    files[f"{info}/LICENSE"] = (source / "LICENSE").read_bytes()
    files[f"{info}/THIRD-PARTY.md"] = (source / "packaging/THIRD-PARTY.md").read_bytes()
    if whole is None:
        write_info(package.parent / "info", files, info)
    write_wheel(output / f"tilefarm-{version}-{tag}.whl", files, info)


if __name__ == "__main__":
    main()
