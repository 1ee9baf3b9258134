/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/timed/model.h"

static void await_one(struct tf_core_timing *timing, uint64_t *cycle, unsigned r)
{
    tf_timed_wait(timing, cycle, timing->ready[r], (enum tf_time)timing->because[r]);
}

uint64_t tf_timed_waits(struct tf_core_timing *timing, uint64_t cycle, uint64_t until, enum tf_time row)
{
    tf_timed_wait(timing, &cycle, until, row);
    return cycle;
}

uint64_t tf_timed_await_one(struct tf_core_timing *timing, uint64_t cycle, size_t a)
{
    timing->spent[timing->because[a]] += timing->ready[a] - cycle;
    return timing->ready[a];
}

uint64_t tf_timed_await_two(struct tf_core_timing *timing, uint64_t cycle, size_t a, size_t b)
{
    const size_t low = tf_min(a, b);
    if (timing->ready[low] > cycle)
        cycle = tf_timed_await_one(timing, cycle, low);
    const size_t high = tf_max(a, b);
    return timing->ready[high] > cycle ? tf_timed_await_one(timing, cycle, high) : cycle;
}

uint64_t tf_timed_await_late(struct tf_core_timing *timing, uint64_t cycle, unsigned a, unsigned b, unsigned c)
{
    const unsigned low = tf_min(a, b), high = tf_max(a, b);
    await_one(timing, &cycle, tf_min(low, c));
    await_one(timing, &cycle, tf_max(low, tf_min(high, c)));
    await_one(timing, &cycle, tf_max(high, c));
    return cycle;
}

unsigned tf_timed_division(const uint16_t *value, unsigned id, uint32_t a, uint32_t b)
{
    const bool is_signed = id == TF_RV_DIV || id == TF_RV_REM;
    if (b <= 1 || (is_signed && a == UINT32_C(1) << 31 && b == UINT32_MAX))
        return value[TF_TIME_RV_DIVIDE_SPECIAL];
    if (is_signed && a >> 31 != 0)
        a = 0 - a;
    const unsigned bits = a == 0 ? 1 : 32 - (unsigned)__builtin_clz(a);
    const unsigned cycles = value[TF_TIME_RV_DIVIDE_LEAST] + (bits - 1) / 4 * value[TF_TIME_RV_DIVIDE_STEP];
    return tf_min(cycles, value[TF_TIME_RV_DIVIDE_MOST]);
}

enum tf_time tf_timed_of_window(enum tf_window_id window)
{
    switch (window) {
    case TF_AT_OWN_LOCAL: return TF_TIME_RV_LOAD_LOCAL;
    case TF_AT_PCBUF0:
    case TF_AT_PCBUF1:
    case TF_AT_PCBUF2:
    case TF_AT_MAILBOX: return TF_TIME_RV_LOAD_SYNC;
    case TF_AT_GPRS:
    case TF_AT_CONFIG: return TF_TIME_RV_LOAD_GPRS;
    case TF_AT_TDMA: return TF_TIME_RV_LOAD_TDMA;
    case TF_AT_LOCAL_B:
    case TF_AT_LOCAL_NC:
    case TF_AT_LOCAL_T0:
    case TF_AT_LOCAL_T1:
    case TF_AT_LOCAL_T2: return TF_TIME_RV_LOAD_L1; /* "via slow access path": as L1 */
    default: return TF_TIME_RV_LOAD_REGISTER;
    }
}
