#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the steps of the Containerfile on a bare Debian 12: debootstrap makes it, and chroot replaces the container. Then
# it tests the tutorial from the installed packages, pytest with the fixtures, and the wheel. It needs root and a mirror
# of Debian. Usage: test_bare.sh SOURCE [PACKAGES]    PACKAGES: a folder of packages, which are then not built
set -eu
source=$(readlink -f "$1")
. "$(dirname "$(readlink -f "$0")")/bare.sh"

# steps STAGE: print the commands of a stage of the Containerfile
steps() {
  sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$source/packaging/Containerfile" |
    awk -v wanted="$1" '/^FROM/ { stage++ } stage == wanted && sub(/^RUN /, "")'
}

if [ $# -gt 1 ]; then
  packages=$2
else
  bare build bookworm
  sources build "$source"
  inside build "cd /source; $(steps 1)"
  packages=$folder/build/source/build/packages
fi
bare run bookworm
if cp "$packages"/*.deb "$folder/run/tmp" && chroot "$folder/run" sh -c 'dpkg -i /tmp/*.deb' >"$folder/log" 2>&1; then
  fail "the packages declare no dependency that a bare Debian lacks"
fi
# the dependencies that dpkg -i has reported
inside run 'apt-get update -q && apt-get install -f -y -q --no-install-recommends'
inside run 'tilefarm run ring --quiet'
inside run "$(steps 2)"
cp "$source/packaging/test_page.py" "$source/docs/tutorial.md" "$folder/run/home/tilefarm"
inside run 'apt-get update -q && apt-get install -y -q --no-install-recommends gdb-multiarch'
cat >"$folder/run/home/tilefarm/test_chip.py" <<'P'
def test_chip(chip):
    chip.load("tutorial.elf", tiles=[0, 139])
    chip.run()
    assert chip.tile(139).read32(0x20024) == 81
P
inside run 'su tilefarm -c "set -e
  cd && python3 test_page.py tutorial.md /usr
  tilefarm cc -c B /usr/share/tilefarm/examples/tutorial/1-hello.c -o tutorial.elf && python3 -m pytest -q
  for example in /usr/share/tilefarm/examples/python/*.py; do python3 \$example || exit; done"'

# After a purge no file is left. Then the wheel works in a virtual environment without a compiler.
cp "$packages"/../python/dist/*.whl "$folder/run/home/tilefarm"
inside run 'apt-get purge -y -q $(dpkg-query -W -f "\${Package} " "*tilefarm*")
  apt-get install -y -q --no-install-recommends python3-venv python3-numpy libelf1 libhwloc15 python3-pytest
  [ -z "$(find /usr /etc -name "*tilefarm*")" ] && ! command -v gcc
  su tilefarm -c "set -e
    cd && python3 -m venv --system-site-packages env && env/bin/pip install -q --no-index --no-deps *.whl
    env/bin/python -m pytest -q test_chip.py"'
echo "all steps work on a bare Debian"
