# SPDX-License-Identifier: Apache-2.0
# Functions for the scripts of this folder. They set `tilefarm`, the command, and `folder`, with the compiled programs.
set -u
failures=0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# A run that never ends is killed by this limit of CPU time. `timeout` would start one more process for each run.
ulimit -t 120

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

few_columns=(--columns-off 4,5,6,7,10,11,12,13,14,15,16) # a Blackhole with three columns is created faster

loads_of() { # LOADS PROGRAM TWIN: set args to options of `tilefarm run`
  local load core
  args=("${few_columns[@]}")
  for load in ${1//+/ }; do
    core=${load%@*}
    args+=(--load "$core=$folder/$2.${core,,}.$3.elf@${load#*@}")
  done
}

# The next two functions start no process: the scripts call them hundreds of times.

contents_of() { # FILE: set contents to the text of the file
  IFS= read -r -d '' contents <"$1"
}

word_of() { # FILE: set got to its 4 bytes as a number, of which the first byte is the lowest
  local LC_ALL=C parts part i code place=0
  got=0
  mapfile -d '' -t parts <"$1" # a part ends with a byte of 0
  for part in "${parts[@]}"; do
    for ((i = 0; i < ${#part}; i++, place += 8)); do
      printf -v code %d "'${part:i:1}"
      got=$((got | (code & 255) << place))
    done
    place=$((place + 8))
  done
}
