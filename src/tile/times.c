/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/times.h"

#include "tile/times_known.h"

#define AT(value, word, text) value
enum {
#define TIME(id, unit, what, blackhole, wormhole) BLACKHOLE_##id = (blackhole), WORMHOLE_##id = (wormhole),
#include "tile/times.def"
};

/* A row that contradicts another one does not compile. Each line holds on both families. */
#define RISES(first, second)                                                       \
    _Static_assert(BLACKHOLE_##first <= BLACKHOLE_##second, #first " > " #second); \
    _Static_assert(WORMHOLE_##first <= WORMHOLE_##second, #first " > " #second);
#define DIVIDES(first, second)                                                         \
    _Static_assert(BLACKHOLE_##second % BLACKHOLE_##first == 0, #first " / " #second); \
    _Static_assert(WORMHOLE_##second % WORMHOLE_##first == 0, #first " / " #second);
RISES(RV_ISSUE, RV_MULTIPLY)
RISES(RV_MULTIPLY, RV_MULTIPLY_LATENCY)
RISES(RV_DIVIDE_SPECIAL, RV_DIVIDE_LEAST)
RISES(RV_DIVIDE_LEAST, RV_DIVIDE_MOST)
RISES(RV_LOAD_L0, RV_LOAD_L1)
RISES(RV_LOAD_LOCAL, RV_LOAD_SYNC)
RISES(RV_LOAD_SYNC, RV_LOAD_GPRS)
RISES(RV_LOAD_GPRS, RV_LOAD_TDMA)
RISES(RV_LOAD_TDMA, RV_LOAD_REGISTER)
RISES(RV_LOAD_REGISTER, RV_LOAD_L1)
RISES(RV_LOAD_L1, RV_LOAD_ATOMIC)
RISES(RV_STORE_OTHER, RV_STORE_L1)
DIVIDES(RV_FETCH_LINE, RV_CACHE_B)
DIVIDES(RV_FETCH_LINE, RV_CACHE_NC)
DIVIDES(RV_FETCH_LINE, RV_CACHE_T0)
DIVIDES(RV_FETCH_LINE, RV_CACHE_T1)
DIVIDES(RV_FETCH_LINE, RV_CACHE_T2)
DIVIDES(RV_ISSUE, RV_LOADS)
RISES(TX_RDCFG, TX_RDCFG_BLOCKS)
RISES(TX_RDCFG_BLOCKS, TX_CONFIG_LATENCY)
RISES(TX_MOVD2A, TX_MOVD2B)
RISES(TX_MATRIX_LATENCY, TX_DST_REUSE)
RISES(TX_SFP_RESULT, TX_VECTOR_LATENCY)
RISES(TX_UNPACK_X1, TX_UNPACK_X2)
RISES(TX_UNPACK_X2, TX_UNPACK_X4)
RISES(TX_UNPACK_X4, TX_UNPACK_X4_WIDE)
RISES(TX_UNPACK_X4_WIDE, TX_UNPACK_X8)
RISES(TX_ISSUE, TX_UNPACK_SHARED)
RISES(TX_ISSUE, TX_PACK_ROWS)
RISES(TX_ISSUE, TX_PACK_ADD)
RISES(TX_CLEAR_128, TX_MOVE_128)
RISES(TX_MEMORY, TX_LOAD_LATENCY)
RISES(TX_FLUSH, TX_MEMORY)
RISES(TX_MEMORY, TX_ATOMIC)
RISES(TX_ISSUE, TX_VECTOR_LATENCY)
RISES(TX_VECTOR_LATENCY, TX_MATRIX_LATENCY)
RISES(NOC_FLIT, NOC_SOURCE)
RISES(RV_ISSUE, DRAM_CHANNELS)
/* The code divides by masks and shifts. */
#define IS_POWER(row)                                                                                    \
    _Static_assert((BLACKHOLE_##row & (BLACKHOLE_##row - 1)) == 0 && BLACKHOLE_##row != 0, #row " 2^n"); \
    _Static_assert((WORMHOLE_##row & (WORMHOLE_##row - 1)) == 0 && WORMHOLE_##row != 0, #row " 2^n");
IS_POWER(RV_FETCH_LINE)
IS_POWER(RV_PREDICTED)
_Static_assert((BLACKHOLE_RV_STORE_BLOCK & (BLACKHOLE_RV_STORE_BLOCK - 1)) == 0, "RV_STORE_BLOCK 2^n or 0");
_Static_assert((WORMHOLE_RV_STORE_BLOCK & (WORMHOLE_RV_STORE_BLOCK - 1)) == 0, "RV_STORE_BLOCK 2^n or 0");
IS_POWER(RV_CACHE_B)
IS_POWER(RV_CACHE_NC)
IS_POWER(RV_CACHE_T0)
IS_POWER(RV_CACHE_T1)
IS_POWER(RV_CACHE_T2)
IS_POWER(RV_CACHE_WAYS)
#undef AT
#define IS(row, value) _Static_assert(BLACKHOLE_##row == (value) && WORMHOLE_##row == (value), #row);
IS(RV_FETCH_LINE, TF_TIMED_LINE)
IS(RV_CACHE_WAYS, TF_TIMED_WAYS)
IS(RV_LOADS, TF_TIMED_LOADS)

/* A line of code takes at least as long from L1 as its instructions take to issue. */
_Static_assert(BLACKHOLE_RV_FETCH_PERIOD >= 400 && WORMHOLE_RV_FETCH_PERIOD >= 400, "a fetch yields 4 instructions");

#define AT(value, word, text) \
    {                         \
        TF_TIME_##word, text  \
    }
const struct tf_times tf_times_blackhole = {
    .value =
        {
#define TIME(id, unit, what, blackhole, wormhole) [TF_TIME_##id] = BLACKHOLE_##id,
#include "tile/times.def"
        },
    .source =
        {
#define TIME(id, unit, what, blackhole, wormhole) [TF_TIME_##id] = blackhole,
#include "tile/times.def"
        },
};

const struct tf_times tf_times_wormhole = {
    .value =
        {
#define TIME(id, unit, what, blackhole, wormhole) [TF_TIME_##id] = WORMHOLE_##id,
#include "tile/times.def"
        },
    .source =
        {
#define TIME(id, unit, what, blackhole, wormhole) [TF_TIME_##id] = wormhole,
#include "tile/times.def"
        },
};

const char *tf_time_word_name(enum tf_time_word word)
{
    static const char *const name[TF_TIME_WORDS] = {
        [TF_TIME_ISA] = "isa",         [TF_TIME_VENDOR] = "vendor", [TF_TIME_MEASURED] = "measured",
        [TF_TIME_DERIVED] = "derived", [TF_TIME_FITTED] = "fitted", [TF_TIME_UNKNOWN] = "unknown",
    };
    return name[word];
}
