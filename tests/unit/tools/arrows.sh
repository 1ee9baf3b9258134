#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# arrows.sh CHECK_ARROWS: does the check find each kind of forbidden arrow in small trees, and accept allowed ones?
set -eu
check=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
: >"$folder/layouts.txt"
: >"$folder/umbrellas.txt"

check_tree() { "$check" "$folder/src" "$folder/layouts.txt" "$folder/umbrellas.txt"; }

# tree FILE:INCLUDED...: a new tree of sources, in which each FILE includes the other one
tree() {
    rm -rf "$folder/src"
    for arrow; do
        mkdir -p "$folder/src/$(dirname "${arrow%%:*}")" "$folder/src/$(dirname "${arrow#*:}")"
        printf '#include "%s"\n' "${arrow#*:}" >>"$folder/src/${arrow%%:*}"
    done
}

accepts() {
    tree "$@"
    said=$(check_tree) || { echo "$* is an error: $said" && exit 1; }
}

# finds TEXT ARROW...: the check complains with TEXT
finds() {
    text=$1
    shift
    tree "$@"
    if said=$(check_tree); then echo "$* is no error" && exit 1; fi
    case $said in *"$text"*) ;; *) echo "$*: $said, without: $text" && exit 1 ;; esac
}

accepts farm/order/a.c:farm/chip/b.h farm/chip/c.c:noc/d.h noc/e.c:tile/f.h
finds 'an arrow up' tile/a.c:noc/b.h
finds 'to the pool' noc/a.c:pool/b.h
finds 'no layer is called attic' attic/a.c:noc/b.h
finds 'a circle of files' noc/a.c:noc/b.h noc/b.c:noc/a.h
# Rooms that include each other, without a circle of files
finds 'two rooms include each other' farm/order/a.c:farm/chip/b.h farm/chip/c.c:farm/order/d.h
finds 'two rooms include each other' tile/riscv/a.c:tile/mmio/b.h tile/mmio/c.c:tile/riscv/d.h
finds 'two rooms include each other' tile/a.c:tile/mmio/b.h tile/mmio/c.c:tile/d.h
# Three rooms in a circle
finds 'a circle of rooms' cli/a/a.c:cli/b/b.h cli/b/c.c:cli/c/d.h cli/c/e.c:cli/a/f.h
finds 'a circle of rooms' tile/riscv/a/a.c:tile/riscv/b/b.h tile/riscv/b/c.c:tile/riscv/c/d.h \
    tile/riscv/c/e.c:tile/riscv/a/f.h
finds 'a circle of rooms' tile/a/a.c:tile/b/b.h tile/b/c.c:tile/c/d.h tile/c/e.c:tile/a/f.h
# Layouts: allowed where they are needed, without functions
echo 'tile/whole.h  a tile' >"$folder/layouts.txt"
accepts tile/whole.h:tile/part/part.h tile/part/part.c:tile/whole.h
finds 'closes no circle' tile/whole.h:tile/part/part.h tile/part/part.c:tile/part/other.h
tree tile/whole.h:tile/part/part.h tile/part/part.c:tile/whole.h
echo 'int function(void);' >>"$folder/src/tile/whole.h"
! check_tree >/dev/null || { echo "a function in a layout is no error" && exit 1; }
: >"$folder/layouts.txt"
# Functions in the header of another file, and headers that are allowed to have them
tree noc/other.c:noc/other.h noc/own.c:noc/own.h
printf 'int function(void);\n' >"$folder/src/noc/own.h"
printf 'int function(void)\n{\n    return 0;\n}\n' >>"$folder/src/noc/other.c"
said=$(check_tree) && echo "a foreign function is no error" && exit 1
case $said in
*'noc/own.h:1: function() belongs to noc/other.h'*) ;;
*) echo "of a foreign function: $said" && exit 1 ;;
esac
echo noc/own.h >"$folder/umbrellas.txt"
check_tree
mv "$folder/src/noc/own.h" "$folder/src/noc/other.h"
printf '#include "noc/other.h"\n' >"$folder/src/noc/own.h"
! check_tree >/dev/null ||
    { echo "an umbrella without need is no error" && exit 1; }
# A function of which there are variants, in files that begin with the name of the header
: >"$folder/umbrellas.txt"
tree pool/own_a.c:pool/own.h pool/own_b.c:pool/own.h
printf 'int function(void);\n' >"$folder/src/pool/own.h"
printf 'int function(void)\n{\n    return 0;\n}\n' | tee -a "$folder/src/pool/own_a.c" >>"$folder/src/pool/own_b.c"
check_tree
mv "$folder/src/pool/own_b.c" "$folder/src/pool/other.c"
! check_tree >/dev/null || { echo "a variant elsewhere is no error" && exit 1; }
rm "$folder/src/pool/other.c"
! check_tree >/dev/null || { echo "a single variant is no error" && exit 1; }
