#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a folder of its own and builds the example against that, shared and static, by pkg-config alone.
# Usage: test_install.sh CMAKE BUILD-FOLDER EXAMPLE.c CC [FLAG...]
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" --install "$2" --prefix "$folder/usr" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
PKG_CONFIG_PATH=$(dirname "$(find "$folder/usr" -name tilefarm.pc)")
export PKG_CONFIG_PATH
library=$(pkg-config --variable=libdir tilefarm)
# shellcheck disable=SC2046 # words are wanted
"${@:4}" "$3" $(pkg-config --cflags --libs tilefarm) -o "$folder/shared"
LD_LIBRARY_PATH=$library "$folder/shared" >"$folder/out.shared"
rm "$library"/libtilefarm.so*
# shellcheck disable=SC2046
"${@:4}" "$3" $(pkg-config --cflags --static --libs tilefarm) -o "$folder/static"
"$folder/static" >"$folder/out.static"
cmp "$folder/out.shared" "$folder/out.static"
"$folder/usr/bin/tilefarm" --version
