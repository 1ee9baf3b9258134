# SPDX-License-Identifier: Apache-2.0
# For scripts that run the command. `invocation` has its first words. The scripts work in a temporary folder.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# expect CODE ARGS...: run the command; it must exit with CODE. Its output goes to ./out and ./err.
expect() {
  local want=$1 got
  shift
  "${invocation[@]}" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" -eq "$want" ] || fail "'$*' ended with $got, not $want: $(head -3 err)"
}

# These functions start no process unless a test fails: the scripts call them a thousand times.

# has FILE TEXT: is the text part of the file?
has() {
  local all
  if IFS= read -r -N 50000 all <"$1"; then # long: grep is faster
    grep -qF -- "$2" "$1"
  else
    [[ $all == *"$2"* ]]
  fi
}

# says FILE TEXT...: each text must be part of the file.
says() {
  local file=$1 text
  shift
  for text; do has "$file" "$text" || fail "no '$text' in $file: $(head -5 "$file")"; done
}

same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }

# one_line TEXT ARGS...: the command must exit with 2, and print one line with the text on stderr.
one_line() {
  local text=$1
  shift
  expect 2 "$@"
  mapfile -t lines <err
  [ ${#lines[@]} -eq 1 ] || fail "'$*' wrote ${#lines[@]} lines: $(cat err)"
  says err "$text"
}

# forking_is_interrupted COMMAND: a signal to the first process must end all its processes, and leave no file.
forking_is_interrupted() {
  local pid code children="" child
  mkdir forking && cd forking || exit 1
  # shellcheck disable=SC2086
  "$tilefarm" ${1%% *} --json json ${1#* } >../out 2>../err </dev/null &
  pid=$!
  for _ in $(seq 300); do
    children=$(cat /proc/$pid/task/$pid/children)
    [ -n "$children" ] && break
    sleep 0.1
  done
  kill -TERM $pid
  wait $pid
  code=$?
  cd .. || exit 1
  [ $code -eq 143 ] || fail "a terminated '$1' ended with $code, not 143: $(cat err)"
  says err "tilefarm: interrupted by SIG"
  [ -z "$(ls -A forking)" ] || fail "an interrupted '$1' leaves $(ls -A forking)"
  [ -n "$children" ] || fail "'$1' has forked no processes"
  for child in $children; do
    kill -0 "$child" 2>/dev/null && fail "an interrupted '$1' leaves a process"
  done
  rm -rf forking
}
