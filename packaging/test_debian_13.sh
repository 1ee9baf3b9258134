#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds on a bare Debian 13, by its gcc and by its clang, and runs the unit and conformance tests of each.
# Usage: test_debian_13.sh SOURCE [CTEST-ARGUMENTS...]
set -eu
source=$(readlink -f "$1")
. "$(dirname "$(readlink -f "$0")")/bare.sh"
shift
bare_sys=yes # MPICH of Debian 13 prints errors without it
bare debian trixie
sources debian "$source"
# `run` is a list of functions, and needs git for nothing here.
inside debian 'cd /source && apt-get update -q && apt-get install -y -q --no-install-recommends bash ca-certificates &&
  bash -euc "source ./run help >/dev/null; need build python test"'
for compiler in gcc clang; do
  # Both take the device programs of the first build, as ./run test does.
  inside debian "cd /source
    cmake -S . -B build-$compiler -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=$compiler \
      -DTILEFARM_TESTS=ON -DTILEFARM_TESTS_JOINED=ON -DTILEFARM_DEVICE_BUILD=/source/build-gcc
    cmake --build build-$compiler --parallel ${TILEFARM_JOBS:-$(nproc)}
    ctest --test-dir build-$compiler -L 'unit|conformance' -LE nightly -j ${TILEFARM_JOBS:-$(nproc)} \
      --output-on-failure $*" || fail "$compiler of Debian 13"
done
echo "gcc and clang of Debian 13 build tilefarm, and its tests pass"
