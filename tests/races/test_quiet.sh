#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `tilefarm run --check` says nothing of the workloads: of those named, or of each variant of all of them.
# Usage: test_quiet.sh TILEFARM SCALE [WORKLOAD[/VARIANT]]...
set -u
tilefarm=$1
scale=$2
shift 2
failures=0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

all() {
  "$tilefarm" list | awk '$1 == "variants:" { for (i = 2; i <= NF; i++) print name "/" $i; name = ""; next }
    { if (name != "") print name; name = $1 } END { if (name != "") print name }'
}

[ $# -gt 0 ] || mapfile -t names < <(all)
[ $# -eq 0 ] || names=("$@")
for one in "${names[@]}"; do
  args=("${one%/*}" --scale "$scale" --suppress "$(dirname "$0")/barrier.supp")
  [ "$one" = "${one%/*}" ] || args+=(--variant "${one#*/}")
  timeout 300 "$tilefarm" run "${args[@]}" --check --quiet 2>"$out/err" && ! [ -s "$out/err" ] && continue
  echo "FAILED: $one: $(cat "$out/err")"
  failures=$((failures + 1))
done
exit $((failures != 0))
