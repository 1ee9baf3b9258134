#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# abi.sh check|freeze RELEASED: compare the types of the public headers with those of a release, or record them.
#
# RELEASED/libtilefarm.abi has the types of all functions as abidw writes them. RELEASED/include has the headers.
# A library with debug information stands for libtilefarm.so: it has a pointer to each function of the release.
# Fields that later releases append to a struct stand behind a line "Since X.Y." in the header; it leaves them out.
# Where such fields take words of `reserved`, which follows them, it gives these words back.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
what=$1 released=$2

# types_of INCLUDE FUNCTION...: make $scratch/types.so
types_of() {
  local include=$1 header function
  shift
  for header in "$include"/tilefarm/tilefarm*.h; do echo "#include \"tilefarm/${header##*/}\""; done >"$scratch/types.c"
  for function in "$@"; do
    echo "extern __typeof__(&$function) const type_of_$function;"
    echo "__typeof__(&$function) const type_of_$function = $function;"
  done >>"$scratch/types.c"
  gcc -std=c11 -g -fPIC -shared -fno-eliminate-unused-debug-types -I "$include" "$scratch/types.c" \
    -o "$scratch/types.so"
}

functions() { grep -oE '^ +tf_[a-z0-9_]+;' "$root/src/farm/libtilefarm.map" | tr -d ' ;'; }

released_functions() { grep -oE "name='type_of_tf_[a-z0-9_]+' size" "$released/libtilefarm.abi" | cut -d"'" -f2 |
  sed 's/^type_of_//'; }

# as_released INCLUDE: a copy of the headers without the fields of later releases
as_released() {
  mkdir -p "$scratch/include/tilefarm"
  local header
  for header in "$1"/tilefarm/*.h; do
    awk '/^ *\/\*+ Since [0-9]+\.[0-9]+\./ { later = 1; words = 0 } /^};/ { later = 0 }
      later && /^ *uint64_t [a-z0-9_]+;/ { words++ }
      later && /^ *uint64_t reserved\[/ { split($0, part, /[][]/); print "uint64_t reserved[" part[2] + words "];" }
      !later' "$header" >"$scratch/include/tilefarm/${header##*/}"
  done
}

# compare EDIT: today's headers, edited by a sed script, against the release; abidiff's exit status
compare() {
  as_released "$root/include"
  sed -i "$1" "$scratch"/include/tilefarm/*.h
  # shellcheck disable=SC2046
  types_of "$scratch/include" $(released_functions)
  abidiff "$released/libtilefarm.abi" "$scratch/types.so"
}

case $what in
freeze)
  mkdir -p "$released/include/tilefarm"
  cp "$root"/include/tilefarm/tilefarm*.h "$released/include/tilefarm/"
  # shellcheck disable=SC2046
  types_of "$root/include" $(functions)
  abidw --no-show-locs --no-comp-dir-path --no-corpus-path "$scratch/types.so" >"$released/libtilefarm.abi"
  ;;
check)
  compare '' || {
    echo "the public headers no longer fit programs that were built with ${released##*/}: append fields and functions"
    exit 1
  }
  # The comparison must see what once went wrong: a bool that shifts its neighbours, and no size changes.
  for edit in 's/^    bool check;/    bool added;\n&/' 's/TENSIX_TILES_MAX 140u/TENSIX_TILES_MAX 144u/'; do
    if compare "$edit" >"$scratch/seen"; then
      echo "a change of layout went unnoticed: $edit"
      exit 1
    fi
  done
  ;;
*) exit 2 ;;
esac
