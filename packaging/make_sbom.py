#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Writes a list of the software in a release: SPDX 2.3 as JSON. The versions are those of this Debian, by dpkg. It has
what is compiled in, what the binaries load, what a wheel holds, and the compilers that made them.

Usage: make_sbom.py VERSION COMMIT LIBRARY COMMAND [FILE...]     FILEs: of the release, with their SHA-256
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

# Debian's packages of what is compiled in, with the licence of that part.
COMPILED_IN = {"libck-dev": "BSD-2-Clause", "libyaml-dev": "MIT", "libxxhash-dev": "BSD-2-Clause"}
# Those of what is loaded; libdw only if it is there.
LICENCES = {"libelf1": "GPL-2.0-or-later OR LGPL-3.0-or-later", "libdw1": "GPL-2.0-or-later OR LGPL-3.0-or-later",
            "libhwloc15": "BSD-3-Clause", "libjansson4": "MIT", "zlib1g": "Zlib", "libc6": "LGPL-2.1-or-later"}
# Those of what a wheel holds beside these. liblzma of Debian 12 is in the public domain, which SPDX has no word for.
IN_WHEEL = {"libbz2-1.0": "bzip2-1.0.6", "liblzma5": "LicenseRef-public-domain", "libudev1": "LGPL-2.1-or-later"}
PUBLIC_DOMAIN = {"licenseId": "LicenseRef-public-domain", "name": "public domain", "extractedText":
                 "liblzma is in the public domain. You can do whatever you want with it."}
TOOLS = ("gcc", "gcc-riscv64-unknown-elf", "binutils-riscv64-unknown-elf")


def output(*command: object) -> str:
    """Return what a command prints. Raises CalledProcessError if it fails."""
    return subprocess.run([str(word) for word in command], check=True, text=True, stdout=subprocess.PIPE).stdout


def owner_of(library: str) -> str:
    """Return the Debian package of a library. /lib leads to /usr/lib, and dpkg knows one of the two names."""
    path = str(Path(library).resolve())
    for name in (path, path.removeprefix("/usr")):
        found = subprocess.run(["dpkg", "-S", name], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL).stdout
        if found:
            return found.split(":")[0]
    sys.exit(f"make_sbom: no package has {library}")


def loaded(*binaries: Path) -> set[str]:
    """Return the Debian packages of the libraries that binaries need by themselves."""
    found = {"libdw1"}
    for binary in binaries:
        paths = dict(re.findall(r"(\S+) => (/\S+)", output("ldd", binary)))
        for name in re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-dW", binary)):
            if name in paths:
                found.add(owner_of(paths[name]))
    return found


def held(wheel: Path) -> set[str]:
    """Return the Debian packages of the libraries that a wheel holds."""
    listed = output("/sbin/ldconfig", "-p")
    with zipfile.ZipFile(wheel) as opened:
        names = {Path(name).name for name in opened.namelist() if name.startswith("tilefarm/libs/")}
    return {owner_of(path) for name, path in re.findall(r"^\t(\S+) .*x86-64.* => (.*)$", listed, re.M) if name in names}


def package(name: str, licence: str, purpose: str) -> dict[str, object]:
    """Describe a Debian package."""
    version, upstream = output("dpkg-query", "-W", "-f", "${Version}\t${Homepage}", name).split("\t")
    return {
        "SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": version, "supplier": "Organization: Debian",
        "downloadLocation": "NOASSERTION", "homepage": upstream or "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", "comment": purpose,
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}"}],
    }


def conclude(packages: set[str]) -> str:
    """Return the licence of tilefarm with what is compiled in and with the libraries of packages beside it."""
    licences = {"Apache-2.0", *COMPILED_IN.values(), *((LICENCES | IN_WHEEL)[name] for name in packages)}
    return " AND ".join(f"({one})" if " OR " in one else one for one in sorted(licences))


def file_id(path: Path) -> str:
    """Return the identifier of a file."""
    return "SPDXRef-file-" + re.sub(r"[^\w.-]", "-", path.name).replace("_", "-")


def file_of(path: Path, licence: str) -> dict[str, object]:
    """Describe a file of the release."""
    data = path.read_bytes()
    return {"SPDXID": file_id(path), "fileName": path.name,
            "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(data).hexdigest()},
                          {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}],
            "licenseConcluded": licence, "copyrightText": "NOASSERTION"}


def licence_of(path: Path, wheels: dict[Path, set[str]]) -> str:
    """Return the licence of a file of the release. An image has all of a Debian."""
    if path in wheels:
        return conclude(wheels[path])
    return "Apache-2.0" if path.name.endswith(".tar.gz") else \
        "NOASSERTION" if path.name.endswith("-image.tar") else conclude(set())


def main() -> None:
    """Print the document."""
    version, commit, library, command = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
    created = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    paths = [Path(name) for name in sys.argv[5:]]
    wheels = {path: held(path) for path in paths if path.suffix == ".whl"}
    files = [file_of(path, licence_of(path, wheels)) for path in paths]
    own = {
        "SPDXID": "SPDXRef-tilefarm", "name": "tilefarm", "versionInfo": version, "supplier": "NOASSERTION",
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION", "sourceInfo": f"commit {commit}",
    }
    packages, relations = [own], [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-tilefarm")]
    for name, licence in COMPILED_IN.items():
        packages.append(package(name, licence, "compiled in"))
        relations.append(("SPDXRef-tilefarm", "STATIC_LINK", f"SPDXRef-{name}"))
    for name in sorted(loaded(library, command)):
        if name not in LICENCES:
            sys.exit(f"make_sbom: a binary needs {name}, and this script knows no licence of it")
        packages.append(package(name, LICENCES[name], "loaded"))
        relations.append(("SPDXRef-tilefarm", "DYNAMIC_LINK", f"SPDXRef-{name}"))
    for name in sorted(set().union(*wheels.values()) - {str(one["name"]) for one in packages}):
        if name not in IN_WHEEL:
            sys.exit(f"make_sbom: a wheel holds {name}, and this script knows no licence of it")
        packages.append(package(name, IN_WHEEL[name], "in the wheel"))
    relations += [(file_id(wheel), "CONTAINS", f"SPDXRef-{name}") for wheel in wheels for name in sorted(wheels[wheel])]
    for name in TOOLS:
        packages.append(package(name, "GPL-3.0-or-later", "build tool"))
        relations.append((f"SPDXRef-{name}", "BUILD_TOOL_OF", "SPDXRef-tilefarm"))
    relations += [("SPDXRef-tilefarm", "CONTAINS", str(one["SPDXID"])) for one in files]
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"tilefarm-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/tilefarm-{version}-{commit}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", created), "creators": ["Tool: make_sbom.py"]},
        "packages": packages, "files": files, "hasExtractedLicensingInfos": [PUBLIC_DOMAIN],
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                          for one, kind, other in relations],
    }, indent=1))


if __name__ == "__main__":
    main()
