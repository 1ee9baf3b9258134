#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `tilefarm run --check` reports nothing for the named workloads, or for each variant of all workloads.
# Usage: test_quiet.sh TILEFARM SCALE [WORKLOAD[/VARIANT][:FAMILY]]...
tilefarm=$1
scale=$2
shift 2
. "$(dirname "$0")/programs.sh"

all() {
  "$tilefarm" list | awk '/^With --system/ { exit } # these need a system
    $1 == "variants:" { for (i = 2; i <= NF; i++) print name "/" $i; name = ""; next }
    { if (name != "") print name; name = $1 } END { if (name != "") print name }'
}

[ $# -gt 0 ] || mapfile -t names < <(all)
[ $# -eq 0 ] || names=("$@")
for named in "${names[@]}"; do
  one=${named%:*} family=blackhole
  [ "$one" = "$named" ] || family=${named#*:}
  args=("${one%/*}" --scale "$scale" --arch "$family")
  [ "$one" = "${one%/*}" ] || args+=(--variant "${one#*/}")
  timeout 300 "$tilefarm" run "${args[@]}" --check --quiet 2>"$out/err" && ! [ -s "$out/err" ] && continue
  fail "$named: $(cat "$out/err")"
done
exit $((failures != 0))
