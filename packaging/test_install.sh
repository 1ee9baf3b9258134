#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a temporary folder, and tests the installed files: the library by pkg-config (shared and static) and by
# CMake; device programs by `tilefarm cc`, make and CMake; manual pages and completion.
# Usage: test_install.sh CMAKE BUILD-FOLDER EXAMPLE.c CC [FLAG...]
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
quietly() { "$@" >"$folder/log" 2>&1 || { cat "$folder/log"; echo "FAILED: $*"; exit 1; }; }
says() { grep -qF -- "$2" "$1" || { cat "$1"; echo "FAILED: no '$2' in $1"; exit 1; }; }
quietly "$1" --install "$2" --prefix "$folder/usr"
PKG_CONFIG_PATH=$(dirname "$(find "$folder/usr" -name tilefarm.pc)")
export PKG_CONFIG_PATH
library=$(pkg-config --variable=libdir tilefarm)
# shellcheck disable=SC2046 # the flags are several words
"${@:4}" "$3" $(pkg-config --cflags --libs tilefarm) -o "$folder/shared"
LD_LIBRARY_PATH=$library "$folder/shared" >"$folder/out.shared"

# The examples, by the commands that they name.
cd "$folder/usr/share/tilefarm/examples"
for example in *.c; do
  build=$(sed -n 's/^ \* Build: cc //p' "$example")
  [ -n "$build" ] || { echo "FAILED: $example has no line 'Build: cc'"; exit 1; }
  eval "quietly \"\${@:4}\" -Wall -Wextra -Werror -o '$folder/example' $build"
done

# Device programs of users. They must not need the build folder.
tilefarm=$folder/usr/bin/tilefarm
mkdir "$folder/own"
cd "$folder/own"
echo '#define ANSWER 0x2A' >answer.h
cat >answer.c <<'C'
#include "answer.h"
#include "tilefarm_device.h"
int main(void)
{
    TF_WORD(0x20000) = ANSWER;
    return 0;
}
C
"$tilefarm" cc -c B answer.c -Wall -Werror -o answer.elf
"$tilefarm" run --load B=answer.elf@0 --until 0x20000=0x2A --quiet
"$tilefarm" cc --show -c B answer.c | grep -F "$2" && {
  echo "FAILED: the installed command uses the build folder"
  exit 1
}
"$tilefarm" cc -c T2 --arch wormhole answer.c -Wall -Werror -o wormhole.elf
"$tilefarm" run --arch wormhole --load T2=wormhole.elf@all --until 79:0x20000=0x2A --quiet
for header in "$folder"/usr/share/tilefarm/device/*.h; do
  echo "#include \"${header##*/}\"" | tee alone.c >alone.cc
  quietly "$tilefarm" cc -c T1 alone.cc -fsyntax-only -Wall -Werror
  grep -q 'error.*is C++' "$header" || quietly "$tilefarm" cc -c T1 alone.c -fsyntax-only -Wall -Werror
done
for kernel in "$folder"/usr/share/tilefarm/examples/kernels/*.c; do
  core=B
  case ${kernel##*/} in link.c) core=E0 ;; pipeline.c | transpose.c) core=T1 ;; esac
  quietly "$tilefarm" cc -c "$core" "$kernel" -Wall -Werror -fsyntax-only
done
for page in "$folder"/usr/share/man/man1/*.1; do
  grep -q '^.SH EXAMPLES' "$page" || { echo "FAILED: ${page##*/} has no examples"; exit 1; }
done
mk=$(find "$folder/usr" -name tilefarm.mk)
for core in b nc t0 t1 t2; do
  quietly make -f "$mk" "answer.$core.elf"
  "$tilefarm" run --load "$core=answer.$core.elf@7" --quiet
done
make -f "$mk" answer.b.elf | grep -q "is up to date" || { echo "FAILED: make compiles an unchanged program"; exit 1; }
cat >CMakeLists.txt <<C
cmake_minimum_required(VERSION 3.25)
project(own LANGUAGES C)
find_package(tilefarm 1.0 REQUIRED)
tilefarm_add_program(seven CORE T1 SOURCES answer.c OPTIONS -Wall)
add_executable(sum "$3")
target_link_libraries(sum PRIVATE tilefarm::tilefarm)
C
quietly "$1" -S . -B out -DCMAKE_PREFIX_PATH="$folder/usr" -DCMAKE_C_COMPILER="$4" -DCMAKE_C_FLAGS="${*:5}"
quietly "$1" --build out
out/sum >"$folder/out.cmake"
cmp "$folder/out.shared" "$folder/out.cmake"
"$tilefarm" run --load T1=out/seven.elf@1,2 --quiet
touch -d '1 minute' answer.h && sed -i 's/2A/2B/' answer.h
quietly make -f "$mk" answer.b.elf
quietly "$1" --build out
for load in B=answer.b.elf@0 T1=out/seven.elf@0; do "$tilefarm" run --load $load --until 0x20000=0x2B --quiet; done
sed -i 's/#include "answer.h"//; s/ANSWER/0x2C/' answer.c && rm answer.h
quietly make -f "$mk" answer.b.elf
"$tilefarm" run --load B=answer.b.elf@0 --until 0x20000=0x2C --quiet

# Programs that do not compile or do not fit, and bad command lines.
refused() {
  local code=0
  "$tilefarm" cc "${@:3}" >"$folder/log" 2>&1 || code=$?
  [ "$code" -eq "$1" ] || { cat "$folder/log"; echo "FAILED: tilefarm cc ${*:3} ended with $code, not $1"; exit 1; }
  says "$folder/log" "$2"
}
echo 'int main(void) { return none; }' >bad.c
printf '%s\n' 'unsigned char big[20000] = {1};' 'int main(void) { return big[7]; }' >big.c
printf '%s\n' '__attribute__((section(".local"))) int big[2000];' 'int main(void) { return big[7]; }' >local.c
refused 1 "'none' undeclared" -c B bad.c
refused 1 "big.elf: the program needs 2" -c NC big.c -o big.elf
[ -e big.elf ] && { echo "FAILED: the file of a program that does not fit is left"; exit 1; }
"$tilefarm" cc -c NC big.c --region 32Ki -o big.elf
refused 1 "less than 1 KiB of local RAM for the stack" -c B local.c
refused 2 "no core 'X'" -c X answer.c
refused 2 "name the core" answer.c
refused 2 "name a source file" -c B
refused 2 "'1000' is not a multiple of 1024" -c B --text=1000 answer.c
TILEFARM_RISCV_CC=/no/compiler refused 2 "'/no/compiler' cannot be run" -c B answer.c
TILEFARM_DEVICE=/nowhere refused 2 "no linker script tile.ld in '/nowhere'" -c B answer.c

# Each command has a manual page. Bash can use the completion.
export COLUMNS=120 # each command of --help has one line
"$tilefarm" --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | while read -r command; do
  page=$folder/usr/share/man/man1/tilefarm-$command.1
  summary=$("$tilefarm" --help | sed -n "s/^  $command  *//p")
  [ "$(grep -A 1 -F ".SH NAME" "$page" | tail -n 1 | sed 's/\\//g')" = "tilefarm-$command - $summary" ] || {
    echo "FAILED: $page has another name: $(grep -A 1 -F ".SH NAME" "$page")"
    exit 1
  }
  says "$page" ".SH SYNOPSIS"
  if grep '(default: .*(default: ' "$page"; then echo "FAILED: two defaults"; exit 1; fi
  "$tilefarm" "$command" --help | sed -n 's/^  --\([a-z0-9-]*\).*/\1/p' | while read -r option; do
    says "$page" "\\fB\\-\\-${option//-/\\-}\\fR"
  done
done
unset COLUMNS
cat >complete.sh <<'C'
. "$1"
PATH=$2:$PATH
complete_words() { # the cursor is after the last word
  COMP_WORDS=(tilefarm "$@") COMP_CWORD=$#
  _tilefarm
  echo "$*: ${COMPREPLY[*]}"
}
complete_words run --vectors a
complete_words run --late
complete_words help ex
complete_words run --threads ''
complete_words run --arch w
complete_words run --board n30
complete_words run --map = i
complete_words run matmul --variant bf16-l
complete_words run --variant rms
complete_words run --load N
complete_words run --load B = complete.
complete_words cc -c T
complete_words stress --op al
complete_words bench startu
complete_words explore fif
C
bash complete.sh "$folder/usr/share/bash-completion/completions/tilefarm" "$folder/usr/bin" >completed
cat >expected <<'C'
run --vectors a: auto avx2 avx512
run --late: --late
help ex: explore
run --threads : auto
run --arch w: wormhole
run --board n30: n300
run --map = i: instructions
run matmul --variant bf16-l: bf16-lofi bf16-lofi-fp32
run --variant rms: rms rms-unmasked
run --load N: NC=
run --load B = complete.: complete.sh
cc -c T: T0 T1 T2
stress --op al: all
bench startu: startup
explore fif: fifo
C
diff expected completed || { echo "FAILED: completion"; exit 1; }

# zsh and fish, where they are installed.
if command -v zsh >/dev/null; then
  zsh -n "$folder/usr/share/zsh/vendor-completions/_tilefarm"
fi
if command -v fish >/dev/null; then
  completes() { # completes LINE WORD...: fish offers these words, and no others
    HOME=$folder fish --no-config -c "source '$folder/usr/share/fish/vendor_completions.d/tilefarm.fish'
      complete -C '$tilefarm $1'" 2>&1 | cut -f 1 | sort >fished
    printf '%s\n' "${@:2}" | sort | diff - fished || { echo "FAILED: fish completes $1"; exit 1; }
  }
  completes 'run --vectors a' auto avx2 avx512
  completes 'run --arch w' wormhole
  completes 'run --arch wormhole --board n30' n300
  completes 'explore fif' fifo
  completes 'li' list litmus
fi

rm "$library"/libtilefarm.so*
# shellcheck disable=SC2046
"${@:4}" "$3" $(pkg-config --cflags --static --libs tilefarm) -o "$folder/static"
"$folder/static" >"$folder/out.static"
cmp "$folder/out.shared" "$folder/out.static"
"$tilefarm" --version
