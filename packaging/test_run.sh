#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The script `run`: it waits for the locks of another apt-get, says how much time a test run needs, and compiles so that
# another clone finds the objects in ccache.
# Usage: test_run.sh REPOSITORY
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
mkdir "$folder/bin" "$folder/clone"
cp "$1/run" "$folder/clone"

# An apt-get that finds a lock twice, and then works or fails.
cat >"$folder/bin/apt-get" <<'C'
#!/bin/sh
echo "$*" >>"$FAKE/calls"
count=$(wc -l <"$FAKE/calls")
[ "$count" -gt "$LOCKED" ] && exit "$RESULT"
echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)" >&2
exit 100
C
chmod +x "$folder/bin/apt-get"
# in_run LOCKED RESULT COMMAND...: run functions of the script, with no root and no sleep
in_run() {
  : >"$folder/calls"
  FAKE=$folder LOCKED=$1 RESULT=$2 PATH=$folder/bin:$PATH bash -c '
    set -- "$1" "${@:2}"
    source "$1/run" help >/dev/null
    root=()
    sleep() { echo "slept $1"; }
    "${@:2}"' in_run "$folder/clone" "${@:3}"
}
in_run 2 0 apt update >"$folder/out" || fail "apt gives up at a lock: $(cat "$folder/out")"
[ "$(grep -c "another apt-get holds a lock" "$folder/out")" -eq 2 ] || fail "locks: $(cat "$folder/out")"
grep -q -- "-o DPkg::Lock::Timeout=600 update" "$folder/calls" || fail "calls: $(cat "$folder/calls")"
in_run 0 7 apt update >"$folder/out" && fail "apt succeeds where apt-get fails"
[ "$(wc -l <"$folder/calls")" -eq 1 ] || fail "a failure without a lock is tried again"
in_run 1000 0 apt update >"$folder/out" && fail "apt succeeds under a lock"
[ "$(wc -l <"$folder/calls")" -eq 61 ] || fail "apt tries $(wc -l <"$folder/calls") times"

# The time that is left: by the usual times, then by those of the last run, scaled by the steps so far.
cat >"$folder/steps.sh" <<'C'
unset SECONDS # without its meaning, so that the time of the host does not count
SECONDS=0
plan=(compile-release lint test-release)
begin compile-release first
SECONDS=$((SECONDS + 340))
begin lint second
SECONDS=$((SECONDS + 60))
left; echo
begin test-release third
finish
echo "plan: ${#plan[@]}"
C
export TILEFARM_JOBS=2
in_run 0 0 source "$folder/steps.sh" >"$folder/out"
printf '%s\n' "== first, about 11 min left" "== second, about 16 min left" ", about 15 min left" "" \
  "== third, about 7 min left" "plan: 0" | sed '/^$/d' >"$folder/want"
sed -i '/^$/d' "$folder/out"
diff "$folder/want" "$folder/out" || fail "the time that is left"
[ "$(sed -n 's/^lint //p' "$folder/clone/build/run-steps")" -eq 60 ] || fail "$(cat "$folder/clone/build/run-steps")"
in_run 0 0 usual compile-release >"$folder/out"
[ "$(cat "$folder/out")" -eq 340 ] || fail "the time of the last run is not used: $(cat "$folder/out")"

# Two clones compile one file: the second one hits.
command -v ccache >/dev/null || { echo "no ccache; all else as expected"; exit 0; }
for clone in one two; do
  mkdir -p "$folder/$clone/src" "$folder/$clone/build"
  cp "$1/run" "$folder/$clone"
  echo 'int f(void) { return 1; }' >"$folder/$clone/src/f.c"
  (cd "$folder/$clone" && CCACHE_DIR=$folder/cache CCACHE_CONFIGPATH=/dev/null bash -c '
    source ./run help >/dev/null
    cd build && ccache "$1" -g -c "$PWD/../src/f.c" -I"$PWD/../src" -o f.o' compile "${CC:-cc}")
done
CCACHE_DIR=$folder/cache CCACHE_CONFIGPATH=/dev/null ccache --print-stats >"$folder/out"
grep -qE '^(direct|preprocessed)_cache_hit[[:space:]]+1$' "$folder/out" || fail "ccache: $(grep cache_ "$folder/out")"
echo "all as expected"
