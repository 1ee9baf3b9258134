#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the Debian packages, unpacks them into a folder, and tests their files. Each file is in one package only. The
# packages depend on the packages of all libraries that their files need. The command and the Python package work.
# Usage: test_packages.sh CPACK BUILD-FOLDER PYTHON [MPI...]
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
umask 077 # as some users have it; the packages are for all users
"$1" --config "$2/CPackConfig.cmake" -B "$folder/made" >"$folder/log" 2>&1 || { cat "$folder/log"; fail cpack; }
root=$folder/root
version=$("$2/tilefarm" --version | sed 's/^tilefarm //; s/,.*//; s/\.dev/~dev/')
names="tilefarm libtilefarm-dev python3-tilefarm${4:+ tilefarm-mpi}"
for name in $names; do
  package=$(echo "$folder/made/${name}_${version}_"*.deb)
  [ -f "$package" ] || fail "no package $name in $(ls "$folder/made")"
  [ "$(dpkg-deb -f "$package" Package)" = "$name" ] || fail "$package has another name"
  [ "$(dpkg-deb -f "$package" Version)" = "$version" ] || fail "$package is not of $version"
  [ "$name" = tilefarm ] || dpkg-deb -f "$package" Depends | grep -qF "tilefarm (= $version)" ||
    fail "$package goes with any tilefarm: $(dpkg-deb -f "$package" Depends)"
  dpkg-deb -c "$package" | grep -vE '^(drwxr-xr-x|-rw[-x]r-[-x]r-[-x]|l)' && fail "users cannot read all of $name"
  dpkg-deb -x "$package" "$folder/one"
  (cd "$folder/one" && find . ! -type d) >"$folder/files"
  [ -s "$folder/files" ] || fail "$name is empty"
  while read -r file; do [ -e "$root/$file" ] && fail "two packages have $file"; done <"$folder/files"
  mkdir -p "$root"
  cp -a "$folder/one/." "$root"
  rm -rf "$folder/one"
done
depends=$(dpkg-deb -f "$folder/made/tilefarm_${version}_"*.deb Depends)
for library in $(find "$root" -type f \( -name 'tilefarm' -o -name '*.so*' \) -exec readelf -d {} + 2>/dev/null |
  sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort -u); do
  case $library in
  libc.so.* | libm.so.* | ld-linux*) need=libc6 ;;
  libelf.so.1) need=libelf1 ;;
  libhwloc.so.15) need=libhwloc15 ;;
  libjansson.so.4) need=libjansson4 ;;
  libz.so.1) need=zlib1g ;;
  libmpi.so.40 | libmpich.so.12) continue ;; # of the modules in tilefarm-mpi
  *) fail "a file needs $library, and this test knows no package with it" ;;
  esac
  [[ ", $depends," == *", $need"[\ ,]* ]] || fail "a file needs $library, and tilefarm depends on: $depends"
done
usr=$root/usr
for file in bin/tilefarm lib/tilefarm/libttsim.so share/tilefarm/device/tile.ld share/man/man1/tilefarm-run.1 \
  share/bash-completion/completions/tilefarm include/tilefarm/tilefarm.h lib/libtilefarm.a \
  lib/cmake/tilefarm/tilefarm-config.cmake share/doc/tilefarm/copyright share/doc/tilefarm/docs/races.md \
  share/tilefarm/examples/tutorial/1-hello.c; do
  [ -e "$usr/$file" ] || fail "no $file in the packages: $(cd "$usr" && find . -type f | head -40)"
done
"$3" "$(dirname "$0")/check_links.py" "$usr/share/doc/tilefarm" || fail "links of the pages"
# The site is in a package if it is made of these sources.
if [ -n "$(find "$folder/made" -name 'tilefarm-doc_*.deb')" ]; then
  dpkg-deb -x "$folder"/made/tilefarm-doc_*.deb "$folder/doc"
  site=$folder/doc/usr/share/doc/tilefarm-doc
  [ -f "$site/copyright" ] && [ -f "$site/html/docs/tutorial.html" ] || fail "tilefarm-doc lacks files: $(ls "$site")"
  "$3" "$(dirname "$0")/check_links.py" "$site/html" || fail "links of the site"
fi
"$usr/bin/tilefarm" cc -c B "$usr/share/tilefarm/examples/tutorial/1-hello.c" -o "$folder/hello.elf"
"$usr/bin/tilefarm" run --load "B=$folder/hello.elf@all" --quiet
cd "$folder"
export PYTHONPATH=$usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1
"$3" - <<'P'
import tilefarm
assert "/root/usr/lib" in tilefarm.__file__, tilefarm.__file__
with tilefarm.Chip() as chip:
    chip.load("hello.elf", tiles=[0, 139])
    chip.run()
    assert chip.tile(139).read32(0x20024) == 81
P
cat >test_fixture.py <<'P'
def test_fixture(chip, tilefarm_rng):
    chip.load("hello.elf", tiles=[int(tilefarm_rng.integers(140))])
    chip.run()
P
"$3" -m pytest -q -p no:cacheprovider test_fixture.py
for mpi in "${@:4}"; do
  [ -e "$usr/lib/tilefarm/ranks/$mpi.so" ] || fail "no module for $mpi"
  case $mpi in openmpi) need=libopenmpi3 ;; mpich) need=libmpich12 ;; esac
  dpkg-deb -f "$folder/made/tilefarm-mpi_${version}_"*.deb Depends | grep -q "$need" || fail "tilefarm-mpi needs $need"
  mpirun=$(command -v "mpirun.$mpi") || continue
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    "$mpirun" -n 2 "$usr/bin/tilefarm" run --system n300 eth-ping --scale 1 >"$folder/out" 2>&1 ||
    fail "the installed command with $mpi: $(cat "$folder/out")"
done
echo "$names, with the dependencies: $depends"
