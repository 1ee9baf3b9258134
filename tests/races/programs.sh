# SPDX-License-Identifier: Apache-2.0
# Functions for the scripts of this folder. They set `tilefarm`, the command, and `folder`, with the compiled programs.
set -u
failures=0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

loads_of() { # LOADS PROGRAM TWIN: set args to options of `tilefarm run`
  local load core
  args=(--columns-off 4,5,6,7,10,11,12,13,14,15,16) # a chip with three columns is created faster
  for load in ${1//+/ }; do
    core=${load%@*}
    args+=(--load "$core=$folder/$2.${core,,}.$3.elf@${load#*@}")
  done
}
