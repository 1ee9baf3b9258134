# SPDX-License-Identifier: Apache-2.0
# For scripts that run the command: `invocation` is how it begins. Work is done in a folder that goes at the end.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# expect CODE ARGS...: run it, output in ./out and ./err.
expect() {
  local want=$1 got
  shift
  "${invocation[@]}" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" -eq "$want" ] || fail "'$*' ended with $got, not $want: $(head -3 err)"
}

says() { grep -qF -- "$2" "$1" || fail "no '$2' in $1: $(head -5 "$1")"; }

# one_line TEXT ARGS...: exit 2, one line on stderr with the text.
one_line() {
  local text=$1
  shift
  expect 2 "$@"
  [ "$(wc -l <err)" -eq 1 ] || fail "'$*' wrote $(wc -l <err) lines: $(cat err)"
  says err "$text"
}
