#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `--check` reports a race after cycle 2^32, between cores that have synchronised before.
# Usage: test_wraps.sh TILEFARM
tilefarm=$1
. "$(dirname "$0")/programs.sh"

cat >"$out/wraps.c" <<'END_OF_C'
#include "tilefarm_device.h"

/* Two cycles a round. */
static void delay(unsigned rounds)
{
    __asm__ volatile("1: addi %0, %0, -1\n bnez %0, 1b" : "+r"(rounds));
}

int main(void)
{
#ifdef WRITES
    delay(1000000);
    tf_mailbox_push(1, 1);
    delay(0x7FFFF000);
    tf_mailbox_push(1, 2);
    TF_WORD(0x20000) = 7;
#else
    tf_mailbox_pop(0);
    tf_mailbox_pop(0);
    delay(10000);
    TF_WORD(0x20004) = TF_WORD(0x20000);
#endif
    return 0;
}
END_OF_C
for core in B T0; do
  "$tilefarm" cc --core $core $([ $core = B ] && echo -DWRITES) "$out/wraps.c" -o "$out/wraps.$core.elf" ||
    fail "wraps.c"
done
"$tilefarm" run --load "B=$out/wraps.B.elf@0" --load "T0=$out/wraps.T0.elf@0" --check --quiet 2>"$out/err"
grep -q 'race: tile 0 (1,2) 0x20000, 1 time: nothing orders' "$out/err" &&
  grep -Eq 'store, by .*, cycle 429[0-9]{7}' "$out/err" ||
  fail "the race is not reported: $(cat "$out/err")"
exit $((failures != 0))
