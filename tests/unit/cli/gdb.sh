# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Functions for tests with gdb-multiarch. The tests set $tilefarm (the command), $cc (the compiler), $device (kernels/).
folder=$(mktemp -d)
pid=
trap '[ -n "$pid" ] && kill "$pid" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
says() { grep -qF -- "$2" "$1" || fail "no '$2' in $1: $(cat "$1")"; }

# at_the_beginning FILE: GDB could go back no further. It says so in other words from version 15 on.
at_the_beginning() {
  grep -qE 'No more reverse-execution history|Reached end of recorded history' "$1" ||
    fail "GDB did not reach the beginning: $(cat "$1")"
}

program() {
  cat >"$1.c"
  "$cc" \
    -march=rv32ima_zicsr_zba_zbb -mabi=ilp32 -O1 -g -fno-inline -ffreestanding -nostdlib -static -Wl,--build-id=none \
    -Wl,-z,max-page-size=1024 -Wl,--no-warn-rwx-segments -DTF_CORE="$2" -I"$device/include" \
      -I"$device/include/blackhole" \
    -Wl,--defsym=TF_TEXT=$((0x40000 + $2 * 0x4000)) -Wl,--defsym=TF_LOCAL_BYTES=4096 -T "$device/tile.ld" \
    "$device/crt0.S" "$device/memory.c" "$1.c" -o "$1.elf" || fail "cannot build $1"
}

# session ARGS...: run tilefarm under GDB, whose commands are standard input. GDB's output goes to ./log, tilefarm's to
# ./err.
session() { listening "$tilefarm" run "$@" --gdb 0 --quiet --json json; }

# listening COMMAND...: run a command that waits for GDB, whose commands are standard input
listening() {
  cat >script
  : >err # remove the port of the previous session
  "$@" >out 2>err </dev/null &
  pid=$!
  for _ in $(seq 100); do
    port=$(sed -n 's/.*waiting for GDB at port //p' err)
    [ -n "$port" ] && break
    sleep 0.1
  done
  if [ -z "$port" ]; then
    fail "the command does not wait for GDB: $(cat err)"
    return
  fi
  timeout 120 gdb-multiarch -nx -batch -ex "set auto-connect-native-target off" -ex "set confirm off" \
    -ex "set pagination off" \
    -ex "target extended-remote 127.0.0.1:$port" -x script >log 2>&1 </dev/null
  for _ in $(seq 100); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill "$pid" 2>/dev/null && fail "tilefarm did not end when GDB left: $(cat log)"
  wait "$pid"
  code=$?
  pid=
}

