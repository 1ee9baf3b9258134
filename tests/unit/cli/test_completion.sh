#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The completions of bash, and of zsh and fish where these are installed: commands, options, values, boards of a family.
# Usage: test_completion.sh TILEFARM
set -u
PATH=$(dirname "$1"):$PATH
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for shell in bash zsh fish; do
  tilefarm help --completion "$shell" >"$folder/$shell" || fail "no completion for $shell"
done

in_bash() { # in_bash WORD...: the completions of the last word
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _tilefarm 2>/dev/null
  printf '%s\n' "${COMPREPLY[@]}"
}

in_fish() { fish -c "source $folder/fish; complete -C '$*'"; }

# compadd gets all candidates, and leaves out what does not begin with the word.
in_zsh() {
  zsh -fc 'file=$1; shift
    compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -l -- ${(M)@:#${words[CURRENT]}*}; }
    _files() { :; }
    words=("$@") CURRENT=$#
    complete() { source $file; }
    complete' - "$folder/zsh" "$@"
}

# completes WANTED UNWANTED WORD...: one is offered, and the other is not. UNWANTED may be "-".
completes() {
  local wanted=$1 unwanted=$2 shell found
  shift 2
  for shell in bash zsh fish; do
    command -v "$shell" >/dev/null || continue
    found=$(in_$shell "$@")
    grep -qE "^$wanted\b" <<<"$found" || fail "$shell, '$*': no $wanted in ${found//$'\n'/ }"
    grep -qE "^$unwanted\b" <<<"$found" && fail "$shell, '$*': $unwanted is offered"
  done
}

. "$folder/bash"
completes explore - tilefarm ex
completes --monitor - tilefarm run --mon
completes matmul ring tilefarm run mat
completes n300 p150 tilefarm run --arch wormhole --board ''
completes p150a n300 tilefarm run --arch blackhole --board ''
completes silicon - tilefarm run --undefined si
completes mul-lofi bf16-hifi4 tilefarm run eltwise --variant ''
completes bf16-hifi4 - tilefarm run --variant ''
completes DRISC - tilefarm run --load ''
completes debug - tilefarm stress --log ''
completes --verbose - tilefarm bench --verb
if command -v zsh >/dev/null; then
  zsh -n "$folder/zsh" || fail "zsh does not read its completion"
fi
[ "$failures" -eq 0 ] && echo "all complete"
[ "$failures" -eq 0 ]
