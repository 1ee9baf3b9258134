#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the files of a release, made from an existing build, or with `whole` from the sources and twice. Tests the rules
# of versions in a repository of its own.
# Usage: test_release.sh SOURCE BUILD-FOLDER PYTHON [whole]
set -eu
source=$1 build=$2 python=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

# The rules of versions.
repository=$folder/repository
mkdir -p "$repository/tools"
cp "$source/tools/version.cmake" "$repository/tools"
git init -q "$repository"
git() { command git -C "$repository" -c user.name=test -c user.email=test@localhost "$@"; }
is() {
  local found
  found=$(cmake -DSOURCE="$repository" -P "$repository/tools/version.cmake")
  # shellcheck disable=SC2053 # a pattern
  [[ $found == $1 ]] || fail "the version is $found, not $1, $2"
}
number() { echo "project(tilefarm VERSION $1 LANGUAGES C)" >"$repository/CMakeLists.txt"; }
number 1.4.0
git add -A && git commit -q -m one
is '1.4.0.dev1+g????????????' "before the first tag"
git tag -a -m 1.4.0 v1.4.0
is 1.4.0 "at its tag"
echo >>"$repository/CMakeLists.txt"
is '1.4.1.dev0+g????????????.dirty' "with a change at the tag"
git commit -q -a -m two
is '1.4.1.dev1+g????????????' "after the tag"
number 2.0.0
git commit -q -a -m three
is '2.0.0.dev2+g????????????' "with a higher number after the tag"
mkdir "$repository/packaging"
printf '%s\n' 2.0.0 0123456789ab >"$repository/packaging/VERSION"
is 2.0.0 "in the archive of a release"
rm -r "$repository/packaging" "$repository/.git"
is 2.0.0.dev0+unknown "without a repository"

# The files.
command git -C "$source" rev-parse HEAD >/dev/null 2>&1 || { echo "no repository: no release is made"; exit 77; }

# --tag: a step that fails takes the tag away again, and a change that is not committed gets none.
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost
command git clone -q "$source" "$folder/clone"
git() { command git -C "$folder/clone" "$@"; }
git tag -l | xargs -r git -C "$folder/clone" tag -d >/dev/null
"$folder/clone/packaging/release" --tag --no-image --build "$folder/none" --out "$folder/made" >"$folder/log" 2>&1 &&
  fail "a release without a build"
grep -q '^== tilefarm-[0-9.]*$' "$folder/log" || fail "no release was tagged: $(cat "$folder/log")"
[ -z "$(git tag -l)" ] || fail "the tag of a release that failed is left"
echo >>"$folder/clone/CHANGELOG.md"
"$folder/clone/packaging/release" --tag --no-image --build "$build" --out "$folder/made" >"$folder/log" 2>&1 &&
  fail "a release with changes"
grep -q 'commit all changes first' "$folder/log" || fail "changes were not refused: $(cat "$folder/log")"
rm -rf "$folder/made"

if [ "${4:-}" = whole ]; then
  "$source/packaging/release" --dev --twice --out "$folder/made" || fail release
else
  "$source/packaging/release" --dev --no-image --build "$build" --out "$folder/made" || fail release
fi
version=$(cmake -DSOURCE="$source" -P "$source/tools/version.cmake")
cd "$folder/made"
sha256sum --quiet -c SHA256SUMS || fail "checksums"
[ "$(wc -l <SHA256SUMS)" -eq "$(find . -type f ! -name SHA256SUMS | wc -l)" ] || fail "SHA256SUMS lacks a file"
[ -s "tilefarm-$version-notes.md" ] || fail "the notes are empty: CHANGELOG.md has no section of this version"
[ "$(wc -l <"tilefarm-$version-notes.md")" -lt 150 ] || fail "the notes have 150 lines or more"
readelf --debug-dump=info "$build/kernels/ring.b.elf" | grep -F '../' && fail "device programs with names of ccache"
mkdir "$folder/sources"
tar -xzf "tilefarm-$version.tar.gz" -C "$folder/sources"
found=$(cmake -DSOURCE="$folder/sources/tilefarm-$version" -P "$folder/sources/tilefarm-$version/tools/version.cmake")
[ "$found" = "$version" ] || fail "the archive is of version $found"
packages="tilefarm libtilefarm-dev python3-tilefarm"
[ "${4:-}" != whole ] || packages+=" tilefarm-doc"
for name in $packages; do
  found=$(dpkg-deb -f "${name}_${version/.dev/\~dev}_"*.deb Version)
  [ "${found/\~dev/.dev}" = "$version" ] || fail "$name is of version $found"
done
"$python" - "tilefarm-$version.spdx.json" <<'P'
import json, os, sys, zipfile
document = json.load(open(sys.argv[1]))
names = [one["SPDXID"] for one in document["packages"] + document["files"]] + [document["SPDXID"]]
assert len(set(names)) == len(names), names
files = {one["fileName"] for one in document["files"]}
assert files == {name for name in os.listdir() if name.endswith((".tar", ".tar.gz", ".deb", ".whl"))}, files
assert {"libck-dev", "libyaml-dev", "libelf1"} <= {one["name"] for one in document["packages"]}, names
(wheel,) = [one for one in document["files"] if one["fileName"].endswith(".whl")]
held = {one["relatedSpdxElement"] for one in document["relationships"] if one["spdxElementId"] == wheel["SPDXID"]}
beside = [name for name in zipfile.ZipFile(wheel["fileName"]).namelist() if name.startswith("tilefarm/libs/")]
assert len(held) == len(beside) >= 4, (held, beside)
assert "LGPL" in wheel["licenseConcluded"], wheel
for one in document["relationships"]:
    assert one["spdxElementId"] in names and one["relatedSpdxElement"] in names, one
P

# The container image: its configuration. packaging/release has run it.
if [ "${4:-}" = whole ]; then
  mkdir "$folder/layout"
  tar -xf "tilefarm-$version-image.tar" -C "$folder/layout"
  "$python" - "$folder/layout" <<'P' || fail "the configuration of the image"
import json, os, sys
def blob(one):
    return json.load(open(os.path.join(sys.argv[1], "blobs", *one["digest"].split(":"))))
(manifest,) = json.load(open(os.path.join(sys.argv[1], "index.json")))["manifests"]
config = blob(blob(manifest)["config"])["config"]
assert config["Entrypoint"] == ["tilefarm"] and config["WorkingDir"] == "/work" and config["User"] == "tilefarm", config
P
fi

# The wheel: each library that the host may lack is in it, and is the one that is used.
"$python" -m venv --system-site-packages "$folder/venv"
"$folder/venv/bin/pip" install -q --no-index --no-deps ./*.whl
echo 'int main(void) { *(volatile int *)0xFFFFFFF0 = 1; return 0; }' >"$folder/bad.c"
"$build/tilefarm" cc -c B "$folder/bad.c" -o "$folder/bad.elf"
cd "$folder"
"$folder/venv/bin/python" - "$version" <<'P'
import sys
import tilefarm
assert tilefarm.__version__ == sys.argv[1], tilefarm.__version__
with tilefarm.Chip() as chip:
    chip.load("bad.elf", tiles=[0])
    try:
        chip.run()
    except tilefarm.FaultError as error:
        assert "bad.c:1" in str(error), error # libdw has found the line
    else:
        raise AssertionError("no fault")
used = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
for name in ("libelf.so", "libhwloc.so", "libdw.so", "libudev.so"):
    assert all("tilefarm/libs" in path for path in used if name in path), used
P
# No file of the wheel asks for a newer glibc than its tag says, or for a library that is neither in it nor common.
tag=$(cd made && ls ./*.whl)
tag=${tag##*manylinux_2_} tag=${tag%%_*}
site=$("$folder/venv/bin/python" -c 'import os, tilefarm; print(os.path.dirname(tilefarm.__file__))')
for library in "$site"/libtilefarm.so "$site"/libs/*; do
  newest=$(readelf -VW "$library" | grep -o 'GLIBC_2\.[0-9]*' | sort -V | tail -n 1)
  [ "${newest#GLIBC_2.}" -le "$tag" ] || fail "$library needs $newest, and the tag says 2.$tag"
  for need in $(readelf -dW "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
    case $need in
    libc.so.6 | libm.so.6 | libz.so.1 | libpthread.so.0 | libdl.so.2 | ld-linux-x86-64.so.2) ;;
    *) [ -f "$site/libs/$need" ] || fail "$library needs $need, which the wheel lacks" ;;
    esac
  done
done
echo "the release $version is whole"
