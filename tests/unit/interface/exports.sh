#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# exports.sh LIBRARY MAP HEADER...: libtilefarm.so exports the functions of its headers, each in a node of a release.
set -euo pipefail
library=$1 map=$2
shift 2
exported=$(nm -D --with-symbol-versions --defined-only "$library" | awk '$2 == "T" { print $3 }' | sort)
declared=$(cat "$@" | tr '\n' ' ' | grep -oE 'TF_API [^;{]*;' | grep -oE '\<tf_[a-z0-9_]+\(' | tr -d '(' | sort -u)
listed=$(awk '/^TILEFARM_/ { node = $1 } /^ +tf_/ { sub(/;/, "", $1); print $1 "@@" node }' "$map" | sort)
diff <(echo "$exported") <(echo "$listed")
diff <(echo "$declared") <(echo "$listed" | sed 's/@@.*//')
