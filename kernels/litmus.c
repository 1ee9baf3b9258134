/* SPDX-License-Identifier: Apache-2.0 */
/* An actor of a litmus test. */
#include "tilefarm_litmus.h"
#include "tilefarm_device.h"

/* The table of a switch would lie in L1, and a load from it would order the actor's accesses. */
#pragma GCC optimize("no-jump-tables")

static uint32_t script[TF_LITMUS_STEPS][TF_LITMUS_STEP_WORDS] __attribute__((section(".local")));
static uint32_t loaded[TF_LITMUS_REGISTERS] __attribute__((section(".local")));

static void issue(uint32_t ctrl, uint32_t tag)
{
    unsigned noc = ctrl >> 31;
    *tf_niu(noc, TF_NOC_PACKET_TAG) = tag;
    *tf_niu(noc, TF_NOC_CTRL) = ctrl & 0x7FFFFFFFu;
    __asm__ volatile("" ::: "memory");
    *tf_niu(noc, TF_NOC_CMD_CTRL) = 1;
}

/* place: of the node, in coordinates of NOC 0. */
static uint32_t at(unsigned noc, uint32_t place)
{
    return tf_xy(noc, place & 63u, place >> 6 & 63u);
}

static void request(const uint32_t *step)
{
    uint32_t a = step[1], b = step[2], c = step[3], place = step[4], ctrl = step[5];
    unsigned noc = ctrl >> 31;
    tf_noc_ready(noc);
    switch (step[0]) {
    case TF_LITMUS_WRITE: tf_noc_addresses(noc, tf_self_xy(noc), b, at(noc, place), a); break;
    case TF_LITMUS_MULTICAST:
        tf_noc_exclude_none(noc);
        tf_noc_addresses(noc, tf_self_xy(noc), b, place, a);
        break;
    case TF_LITMUS_REGISTER: tf_noc_addresses(noc, at(noc, place), a, tf_self_xy(noc), 0); break;
    default: tf_noc_addresses(noc, at(noc, place), a, tf_self_xy(noc), b); break;
    }
    *tf_niu(noc, TF_NOC_AT_LEN_BE) = step[0] == TF_LITMUS_ADD        ? TF_AT_INC(a, 1)
                                     : step[0] == TF_LITMUS_REGISTER ? 0xFu
                                                                     : c;
    *tf_niu(noc, TF_NOC_AT_DATA) = step[0] == TF_LITMUS_ADD ? 1 : b;
    issue(ctrl, TF_CORE << 10);
}

static void execute(const uint32_t *step)
{
    uint32_t a = step[1], value;
    switch (step[0]) {
    case TF_LITMUS_STORE: TF_WORD(a) = step[2]; break;
    case TF_LITMUS_LOAD: loaded[step[2]] = TF_WORD(a); break;
    case TF_LITMUS_FENCE: tf_fence(); break;
    case TF_LITMUS_AMO: loaded[step[2]] = tf_amoadd(a, step[3]); break;
    case TF_LITMUS_SETTLE:
        value = TF_WORD(a);
        __asm__ volatile("andi %0, %0, 0" : "+r"(value)::"memory");
        break;
    case TF_LITMUS_POLL:
        do
            tf_fence();
        while (TF_WORD(a) == 0);
        break;
    case TF_LITMUS_WAIT: tf_noc_wait(step[5] >> 31); break;
    case TF_LITMUS_SENT: tf_noc_wait_sent(step[5] >> 31); break;
    default: request(step); break;
    }
}

int main(void)
{
    for (unsigned i = 0; i < TF_LITMUS_STEPS * TF_LITMUS_STEP_WORDS; i++)
        (&script[0][0])[i] = TF_WORD(TF_LITMUS_SCRIPT(TF_CORE) + i * 4);
    tf_fence();
    for (unsigned i = 0; i < TF_LITMUS_STEPS && script[i][0] != TF_LITMUS_END; i++) {
        for (uint32_t left = script[i][6]; left != 0; left--)
            __asm__ volatile("" ::"r"(left));
        execute(script[i]);
    }
    tf_noc_wait(0);
    tf_noc_wait(1);
    for (unsigned i = 0; i < TF_LITMUS_REGISTERS; i++)
        TF_WORD(TF_LITMUS_RESULT(TF_CORE) + i * 4) = loaded[i];
    return 0;
}
