/* SPDX-License-Identifier: Apache-2.0 */
/* One side of a pair of `tilefarm stress` (tilefarm_pairs.h). Core B alone, NOC 0. */
#include "tilefarm_kernel.h"

#include "tilefarm_pairs.h"
#include "tilefarm_tensix.h"

#define NOC 0u
#define PARAMS ((volatile const struct tf_pairs_params *)TF_PAIRS_PARAMS)
#define RESULT ((volatile struct tf_pairs_result *)TF_PAIRS_RESULT)
#define STREAM 7u

static uint32_t partner_xy(void)
{
    return tf_translated(NOC) ? PARAMS->logical : tf_xy(NOC, PARAMS->x, PARAMS->y);
}

static uint32_t self_xy(void)
{
#ifdef TF_NOC_ID_LOGICAL /* raw coordinates may be the name of another tile */
    if (tf_translated(NOC))
        return TF_WORD(TF_NIU_BASE(NOC) + TF_NOC_ID_LOGICAL) & 0xFFFu;
#endif
    return tf_self_xy(NOC);
}

/* Describe a posted write to the partner, which send() then repeats. */
static void aim(uint32_t where, uint32_t to, uint32_t from, uint32_t bytes, bool multicast)
{
    tf_noc_ready(NOC);
    tf_noc_addresses(NOC, self_xy(), from, where, to);
    tf_noc_exclude_none(NOC);
    *tf_niu(NOC, TF_NOC_AT_LEN_BE) = bytes;
    *tf_niu(NOC, TF_NOC_PACKET_TAG) = TF_CORE << 10;
    *tf_niu(NOC, TF_NOC_CTRL) = TF_NOC_CMD_WR | (multicast ? TF_NOC_MULTICAST : 0);
}

/* Issue what the initiator describes. A NIU that has taken many requests takes this one later. */
static void send(void)
{
    tf_noc_ready(NOC);
    *tf_niu(NOC, TF_NOC_CMD_CTRL) = 1;
    tf_noc_ready(NOC);
}

/* Describe a request that brings a word of the partner's to TF_PAIRS_FETCHED. fetch() then repeats it. */
static void aim_at(uint32_t xy, uint32_t from, uint32_t at_len_be, uint32_t command)
{
    tf_noc_ready(NOC);
    tf_noc_addresses(NOC, xy, from, self_xy(), TF_PAIRS_FETCHED);
    *tf_niu(NOC, TF_NOC_AT_LEN_BE) = at_len_be;
    *tf_niu(NOC, TF_NOC_PACKET_TAG) = TF_CORE << 10;
    *tf_niu(NOC, TF_NOC_CTRL) = command | TF_NOC_CMD_RESP_MARKED;
}

static uint32_t fetch(void)
{
    send();
    tf_noc_wait(NOC);
    return TF_WORD(TF_PAIRS_FETCHED);
}

static void put(uint32_t address, uint32_t value)
{
    TF_WORD(address) = value;
    tf_settle(address);
}

static void log_seen(uint32_t loop, uint32_t first, uint32_t second)
{
    TF_WORD(TF_PAIRS_LOG + 8 * loop) = first;
    TF_WORD(TF_PAIRS_LOG + 8 * loop + 4) = second;
}

/* Tell the partner, and wait for it: without sleep at first, so that both begin at the same time. */
static void meet(uint32_t xy, uint32_t round)
{
    put(TF_PAIRS_SOURCE, round);
    aim(xy, TF_PAIRS_READY, TF_PAIRS_SOURCE, 4, false);
    send();
    tf_noc_wait_sent(NOC);
    for (uint32_t spins = 0; spins < PARAMS->spins && TF_WORD(TF_PAIRS_READY) != round; spins++)
        tf_fence();
    tf_sem_wait(TF_PAIRS_READY, round);
}

/* Store, then ask for the partner's word. */
static void store_and_fetch(uint32_t loops, uint32_t xy, bool atomic)
{
    aim_at(xy, TF_PAIRS_MINE, atomic ? PARAMS->read : 4, atomic ? TF_NOC_CMD_AT : TF_NOC_CMD_RD);
    for (uint32_t i = 1; i <= loops; i++) {
        put(TF_PAIRS_MINE, i);
        log_seen(i - 1, fetch(), 0);
    }
}

/* Write to the partner, then load what it has written. */
static void write_and_load(uint32_t loops, uint32_t xy, bool multicast)
{
    aim(multicast ? xy << 12 | xy : xy, TF_PAIRS_THEIRS, TF_PAIRS_SOURCE, 4, multicast);
    for (uint32_t i = 1; i <= loops; i++) {
        put(TF_PAIRS_SOURCE, i);
        send();
        log_seen(i - 1, TF_WORD(TF_PAIRS_THEIRS), 0);
        tf_noc_wait_sent(NOC);
    }
}

/* Store data, and write their number to the partner. Read at least as many of the partner's. */
static void pass_message(uint32_t loops, uint32_t xy)
{
    for (uint32_t i = 1; i <= loops; i++) {
        put(TF_PAIRS_MINE, i);
        put(TF_PAIRS_SOURCE, i);
        aim(xy, TF_PAIRS_THEIRS, TF_PAIRS_SOURCE, 4, false);
        send();
        uint32_t flag = TF_WORD(TF_PAIRS_THEIRS);
        tf_noc_wait_sent(NOC);
        aim_at(xy, TF_PAIRS_MINE, 4, TF_NOC_CMD_RD);
        log_seen(i - 1, flag, fetch());
    }
}

static void look(uint32_t address, uint32_t by)
{
    for (uint32_t at = 0; at < TF_PAIRS_WORD_BYTES; at += 4) {
        uint32_t word = TF_WORD(address + at);
        if (word == TF_PAIRS_PLAIN_WORD(word))
            continue;
        if (RESULT->torn++ == 0) {
            RESULT->torn_as = word;
            RESULT->torn_by = by;
        }
    }
}

/* Bytes of plain words are equal, whoever looks. Long and short writes alternate, at odd words. */
static void exchange_plain(uint32_t loops, uint32_t xy)
{
    for (uint32_t i = 1; i <= loops; i++) {
        uint32_t word = TF_PAIRS_PLAIN_WORD(i), bytes = i & 1 ? 4 : TF_PAIRS_WORD_BYTES - 4;
        TF_WORD(TF_PAIRS_PLAIN + 4) = word;
        for (uint32_t at = 4; at < TF_PAIRS_WORD_BYTES; at += 4)
            TF_WORD(TF_PAIRS_SOURCE + at) = word;
        tf_settle(TF_PAIRS_SOURCE + TF_PAIRS_WORD_BYTES - 4);
        aim(xy, TF_PAIRS_PLAIN + 64 + 4, TF_PAIRS_SOURCE + 4, bytes, false);
        send();
        tf_noc_wait_sent(NOC);
        look(TF_PAIRS_PLAIN + 64, 0);
        aim_at(xy, TF_PAIRS_PLAIN, TF_PAIRS_WORD_BYTES, TF_NOC_CMD_RD);
        (void)fetch();
        look(TF_PAIRS_FETCHED, 1);
    }
}

/* The partner's word may come at any time while this tile goes to sleep. */
static void wake_each_other(uint32_t loops, uint32_t xy, uint32_t seed)
{
    aim(xy, TF_PAIRS_THEIRS, TF_PAIRS_SOURCE, 4, false);
    for (uint32_t i = 1; i <= loops; i++) {
        for (uint32_t delay = tf_k_mix(seed + i) & 63; delay != 0; delay--)
            (void)TF_WORD(TF_PAIRS_PARAMS);
        put(TF_PAIRS_SOURCE, i);
        send();
        tf_noc_wait_sent(NOC);
        tf_sem_wait_min(TF_PAIRS_THEIRS, i);
    }
}

/* The partner's worker performs these writes, and counts their answers while this tile asks for more. */
static void count_answers(uint32_t loops, uint32_t xy)
{
    for (uint32_t i = 0; i < loops; i++) {
        for (uint32_t k = 0; k < TF_PAIRS_BURST; k++)
            tf_noc_write_register(NOC, xy, TF_STREAM_REG_ADDRESS(STREAM, TF_STREAM_SPACE_UPDATE), 0);
        tf_noc_wait(NOC);
        RESULT->writes += TF_PAIRS_BURST;
    }
}

int main(void)
{
    RESULT->writes = 0;
    for (uint32_t round = 1;; round++) {
        tf_sem_wait_min(TF_PAIRS_PARAMS + __builtin_offsetof(struct tf_pairs_params, round), round);
        uint32_t xy = partner_xy(), loops = PARAMS->loops;
        meet(xy, round);
        switch (PARAMS->program) {
        case TF_PAIR_SB_ATOMIC: store_and_fetch(loops, xy, true); break;
        case TF_PAIR_SB_READ: store_and_fetch(loops, xy, false); break;
        case TF_PAIR_SB_WRITE: write_and_load(loops, xy, false); break;
        case TF_PAIR_SB_MULTICAST: write_and_load(loops, xy, true); break;
        case TF_PAIR_MP: pass_message(loops, xy); break;
        case TF_PAIR_PLAIN: exchange_plain(loops, xy); break;
        case TF_PAIR_WAKE: wake_each_other(loops, xy, PARAMS->seed); break;
        case TF_PAIR_ANSWERS: count_answers(loops, xy); break;
        default: break; /* TF_PAIR_END */
        }
        tf_fence();
        RESULT->done = round;
    }
}
