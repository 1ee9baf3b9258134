#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do the tests notice when an operator of src changes? Each mutant has one changed operator, in a copy of the tree.
# Tests of its area run first (areas), then the rest; a mutant survives when all pass. Usage:
#
#   mutate.sh MUTANTS FOLDER [--count N] [--seed S] [--jobs J] [--minutes M] [--only PATTERN] [--skip K]
#     [--limit SECONDS] [--area] [--trust] [--device BUILD] [--keep]
#
# MUTANTS is the program of mutants.c; the copy and its build lie in FOLDER. --keep goes on with the copy that is there.
# --device takes device programs from another build of the same tree, which must be complete.
# --only takes files whose name has PATTERN. --skip leaves out the first K mutants of the seed, to go on with a run that
# was ended. --trust does not try the tests without a mutant first. --area tries the tests of the mutant's area alone.
# A test that takes longer than --limit (60 seconds) counts as failed: raise it on a busy host.
# What passes all tests is tried with AddressSanitizer and UndefinedBehaviorSanitizer, as in CI.
# Printed: each mutant's end, the score, and survivors that the file `survivors` has no reason for. Exit status 0: at
# least 95 % of all were killed, and each of the others is listed there.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
root=$(readlink -f "$here/../..")
mutants=$(readlink -f "$1") folder=$(readlink -m "$2")
shift 2
count=300 seed=${TF_SEED:-1} jobs=$(nproc) minutes=600 only="" skip=0 limit=60 stages=2 trusted=no device="" kept=no
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
    --keep) kept=yes ;;
    --device) device=$(readlink -f "$2"); shift ;;
    *) sed -n 's/^#   \(mutate.sh\)/usage: \1/p' "$0" >&2; exit 2 ;;
  esac
  shift
done
slow='test_cli_bench|test_compare|test_command|test_install|.*_finds_.*' # and find little else
tree=$folder/tree log=$folder/log

copy_tree() {
  rm -rf "$tree"
  mkdir -p "$tree"
  (cd "$root" && find . -path './build*' -prune -o -path './.git' -prune -o -path './out' -prune -o -type f -print0 |
    tar --null -T - -cf -) | tar -C "$tree" -xf -
}

# configure PRESET FOLDER [OPTION...]: little optimisation, as most of the time goes to compiling and linking
configure() {
  local preset=$1 build=$2 options=(-DTILEFARM_ASSERT=ON -DTILEFARM_TEST_SECONDS="$limit" -DCMAKE_C_FLAGS_RELEASE=-O1)
  shift 2
  command -v ccache >/dev/null 2>&1 && options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)
  command -v ld.lld >/dev/null 2>&1 && options+=(-DCMAKE_{EXE,SHARED}_LINKER_FLAGS=-fuse-ld=lld)
  [ -z "$device" ] || options+=(-DTILEFARM_DEVICE_BUILD="$device")
  export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1
  (cd "$tree" && cmake --preset "$preset" -B "$build" --fresh "${options[@]}" "$@")
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

# run_tests BUILD TESTS. The first failure ends them all: another test may not end by itself.
run_tests() {
  local pid
  (ulimit -f 1000000; exec setsid ctest --test-dir "$1" -j "$jobs" --label-exclude nightly -R "^($2)\$" -E "^($slow)\$") \
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

# build_tests BUILD TESTS: the programs of these tests, which have their names, and the command, which others run
build_tests() {
  local wanted=()
  ninja -C "$1" -t targets all | sed -n 's/: phony$//p' | sort >"$folder/targets"
  ctest --test-dir "$1" -N -R "^($2)\$" | awk '/Test +#/ { print $3 }' | sort >"$folder/names"
  mapfile -t wanted < <(comm -12 "$folder/names" "$folder/targets")
  ninja -C "$1" -j "$jobs" "${wanted[@]}" tilefarm_command >"$log" 2>&1
}

# try_tests BUILD TESTS: prints killed by TEST, passed, or refused (by the compiler)
try_tests() {
  if ! build_tests "$1" "$2"; then
    echo refused
  elif ! run_tests "$1" "$2"; then
    echo "killed by $(failed_test)"
  else
    echo passed
  fi
}

# The mutant in the tree: tests of its area, then others, then those of its area with sanitizers. Few get that far.
try_mutant() {
  local end
  end=$(try_tests "$release" "$1")
  [ "$end" != passed ] || [ "$stages" = 1 ] || end=$(try_tests "$release" "$(area_of rest)")
  [ "$end" != passed ] || [ "$stages" = 1 ] || end=$(try_tests "$asan" "$1" | sed '/^killed/s/$/ with sanitizers/')
  echo "${end/passed/survived}"
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
release=$tree/build asan=$tree/build-asan
export ASAN_OPTIONS=intercept_tls_get_addr=0
prepare() {
  copy_tree && configure release "$release" && configure asan "$asan" -DTILEFARM_DEVICE_BUILD="${device:-$release}" &&
    ninja -C "$release" -j "$jobs"
}
if [ "$kept" = yes ]; then
  cmake -DTILEFARM_TEST_SECONDS="$limit" "$release" >"$log"
elif ! prepare >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  exit 2
fi
if [ "$trusted" = no ] && ! run_tests "$release" "$(sed -n 's/^[a-z][^ ]* //p' "$here/areas" | paste -sd'|')"; then
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
[ "$tried" -gt 0 ] && [ ${#unlisted[@]} -eq 0 ] && [ $((100 * killed)) -ge $((95 * tried)) ]
