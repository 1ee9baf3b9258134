#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do the tests notice when an operator of src changes? Each mutant has one changed operator, in a copy of the tree.
# Tests of its area run first (areas), then the rest; a mutant survives when all pass. Usage:
#
#   mutate.sh MUTANTS FOLDER [--count N] [--seed S] [--jobs J] [--minutes M] [--only PATTERN] [--skip K]
#     [--limit SECONDS] [--area] [--trust]
#
# MUTANTS is the program of mutants.c; the copy and its build lie in FOLDER. --only takes files whose name has PATTERN.
# A test that takes longer than --limit (60 seconds) counts as failed: raise it on a busy host.
# --skip leaves out the first K mutants of the seed, to go on with a run that was ended.
# --area leaves out the rest of the tests. --trust does not try the tests without a mutant first. Printed: each
# mutant's end, the score, and survivors that the file `survivors` has no reason for. Exit status 0: at least 95 % of
# the mutants not listed there were killed.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
root=$(readlink -f "$here/../..")
mutants=$(readlink -f "$1") folder=$2
shift 2
count=300 seed=${TF_SEED:-1} jobs=$(nproc) minutes=600 only="" skip=0 limit=60 stages=2 trusted=no
while [ $# -gt 0 ]; do
  case "$1" in
    --count) count=$2; shift ;;
    --seed) seed=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    --minutes) minutes=$2; shift ;;
    --only) only=$2; shift ;;
    --skip) skip=$2; shift ;;
    --limit) limit=$2; shift ;;
    --area) stages=1 ;;
    --trust) trusted=yes ;;
    *) sed -n 's/^#   \(mutate.sh\)/usage: \1/p' "$0" >&2; exit 2 ;;
  esac
  shift
done
slow='test_cli_bench|test_compare|test_command|test_install|.*_finds_.*' # and find little else
tree=$folder/tree build=$folder/tree/build log=$folder/log

copy_tree() {
  rm -rf "$tree"
  mkdir -p "$tree"
  (cd "$root" && find . -path './build*' -prune -o -path './.git' -prune -o -path './out' -prune -o -type f -print0 |
    tar --null -T - -cf -) | tar -C "$tree" -xf -
}

configure() {
  local launcher=()
  command -v ccache >/dev/null 2>&1 && launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)
  export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1
  (cd "$tree" && cmake --preset release --fresh -DTILEFARM_ASSERT=ON -DTILEFARM_TEST_SECONDS="$limit" "${launcher[@]}")
  ninja -C "$build" -j "$jobs"
}

# rows of the table `areas`: a prefix of files, and the tests that know them; the first that fits
area_of() {
  local prefix tests
  while read -r prefix tests; do
    case "$prefix" in '#'* | '') continue ;; esac
    [[ $1 == "$prefix"* ]] && echo "$tests" && return
  done <"$here/areas"
  echo "$1: no row of tests/mutate/areas" >&2
  return 1
}

# The first failure ends them all: another test may not end by itself.
run_tests() {
  local pid
  (ulimit -f 1000000; exec setsid ctest --test-dir "$build" -j "$jobs" --label-exclude nightly -R "^($1)\$" -E "^($slow)\$") \
    >"$log" 2>&1 &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    if grep -qF '***' "$log"; then
      kill -- "-$pid" 2>/dev/null || true
      wait "$pid" || true
      return 1
    fi
    sleep 0.3
  done
  wait "$pid"
}

# programs of tests: those of their names that the build knows as targets
programs() {
  ctest --test-dir "$build" -N -R "^($1)\$" | awk '/Test +#/ { print $3 }' | sort >"$folder/names"
  comm -12 "$folder/names" "$folder/targets"
}

# The mutant in the tree: prints killed by TEST, survived, or refused (by the compiler)
try_mutant() {
  local area=$1 rest wanted=()
  mapfile -t wanted < <(programs "$area") # others run the command
  if ! ninja -C "$build" -j "$jobs" "${wanted[@]}" tilefarm_command >"$log" 2>&1; then
    echo refused
    return
  fi
  rest=$(area_of rest)
  if ! run_tests "$area"; then
    echo "killed by $(failed_test)"
  elif [ "$stages" = 1 ]; then
    echo survived
  elif ! ninja -C "$build" -j "$jobs" >"$log" 2>&1; then
    echo refused
  elif ! run_tests "$rest"; then
    echo "killed by $(failed_test)"
  else
    echo survived
  fi
}

failed_test() { awk '/\*\*\*/ { how = /Timeout/ ? " (no end)" : ""; sub(/.*Test +#[0-9]+: /, ""); print $1 how; exit }' "$log"; }

# one line that names a mutant whatever its line number is
name_of() {
  local text
  text=$(sed -n "${2}s/^ *//p" "$folder/original")
  echo "$1: $3 becomes $4 in \`$text\`"
}

files() { (cd "$tree" && find src/host src/tile src/noc src/farm src/abi -name '*.[ch]' | grep -F -- "$only" | sort); }

begun=$SECONDS
mkdir -p "$folder"
copy_tree
configure >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 2; }
ninja -C "$build" -t targets all | sed -n 's/: phony$//p' | sort >"$folder/targets"
if [ "$trusted" = no ] && ! run_tests "$(sed -n 's/^[a-z][^ ]* //p' "$here/areas" | paste -sd'|')"; then
  tail -n 40 "$log" >&2
  echo "tests fail without any mutant" >&2
  exit 2
fi
echo "TF_SEED=$seed"
[ "$trusted" = yes ] || echo "the tests pass without a mutant ($((SECONDS - begun)) s)"

tried=0 killed=0 listed=0 refused=0 unlisted=()
# Some are refused by the compiler, and others take their place.
while IFS=$'\t' read -r file line number old new; do
  [ "$tried" -lt "$count" ] && [ $((SECONDS - begun)) -lt $((minutes * 60)) ] || break
  since=$SECONDS
  cp "$tree/$file" "$folder/original"
  name=$(name_of "$file" "$line" "$old" "$new")
  (cd "$tree" && "$mutants" apply "$file" "$number")
  end=$(try_mutant "$(area_of "$file")")
  cp "$folder/original" "$tree/$file"
  case "$end" in
    refused) refused=$((refused + 1)); echo "- refused by the compiler: $name (line $line)"; continue ;;
    killed*) killed=$((killed + 1)) ;;
    survived)
      if grep -qxF -- "$name" "$here/survivors"; then
        listed=$((listed + 1)) end="survived, as listed"
      else
        unlisted+=("$name (line $line)")
      fi ;;
  esac
  tried=$((tried + 1))
  echo "$tried $end: $name (line $line, $((SECONDS - since)) s)"
done < <(cd "$tree" && "$mutants" choose "$seed" 1000000 $(files) | tail -n +$((skip + 1)))

echo "$killed of $tried killed, $listed survive as tests/mutate/survivors says, ${#unlisted[@]} without a reason"
[ ${#unlisted[@]} -eq 0 ] || printf '%s\n' "${unlisted[@]}"
echo "the compiler refused $refused more; $(((SECONDS - begun) / 60)) min"
[ "$tried" -gt 0 ] && [ $((100 * killed)) -ge $((95 * (tried - listed))) ]
