/* SPDX-License-Identifier: Apache-2.0 */
/* Contention across links (tilefarm_contend_layout.h): E0 of Ethernet tiles, and core B of Tensix tiles. */
#include "tilefarm_contend_layout.h"
#include "tilefarm_layout.h"

#ifdef TF_CORE_ON_ETH
#include "tilefarm_link.h"

#define JOB (*(const volatile struct tf_contend_job *)(uintptr_t)TF_C_JOB)
#define RESULT (*(volatile struct tf_contend_result *)(uintptr_t)TF_C_RESULT)
#define QUEUE 0u

_Static_assert(TF_L_OWN_BYTES >= TF_LINK_SIGNALS_BYTES && TF_C_OWN(2) <= TF_L_PROGRAM, "");

static uint32_t seen; /* messages of the other end */

static void expect(uint32_t what, uint32_t number, uint32_t word, uint32_t is, uint32_t wanted, bool right)
{
    if (right || RESULT.what != TF_C_RIGHT)
        return;
    RESULT.number = number;
    RESULT.word = word;
    RESULT.is = is;
    RESULT.wanted = wanted;
    RESULT.what = what;
}

static void look(uint32_t number)
{
    const uint32_t seed = JOB.seed, words = tf_contend_bytes(seed, number) / 4;
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t is = TF_WORD(TF_C_IN(number) + 4 * i), wanted = tf_contend_word(seed, number, i);
        expect(TF_C_WRONG_DATA, number, i, is, wanted, is == wanted);
    }
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t is = TF_WORD(TF_C_LINE + 4 * i) >> 16;
        expect(TF_C_OLD_LINE, number, i, is, number, is >= number);
    }
}

static void receive(void)
{
    while (seen != JOB.rounds && tf_link_signalled(TF_C_SIGNAL(TF_C_SENT), seen + 1)) {
        tf_fence();
        look(++seen);
        tf_link_signal(QUEUE, TF_C_SIGNAL(TF_C_SEEN), TF_C_OWN(TF_C_SEEN), seen);
    }
}

static void send(uint32_t number)
{
    const uint32_t seed = JOB.seed, bytes = tf_contend_bytes(seed, number);
    for (uint32_t i = 0; i < bytes / 4; i++)
        TF_WORD(TF_C_OUT(number) + 4 * i) = tf_contend_word(seed, number, i);
    for (uint32_t i = 0; i < 4; i++)
        TF_WORD(TF_C_OWN_LINE(number) + 4 * i) = number << 16;
    tf_settle(TF_C_OWN_LINE(number) + 12);
    tf_link_write(QUEUE, TF_C_IN(number), TF_C_OUT(number), bytes);
    tf_link_write(QUEUE, TF_C_LINE, TF_C_OWN_LINE(number), 16);
    tf_link_store(QUEUE, TF_STREAM_REG_ADDRESS(TF_C_STREAM, TF_STREAM_SPACE_UPDATE), 1u << 6);
    tf_link_signal(QUEUE, TF_C_SIGNAL(TF_C_SENT), TF_C_OWN(TF_C_SENT), number);
}

int main(void)
{
    if (JOB.magic != TF_C_MAGIC)
        return 1;
    for (uint32_t number = 1; number <= JOB.rounds; number++) {
        while (number > TF_C_WINDOW && !tf_link_signalled(TF_C_SIGNAL(TF_C_SEEN), number - TF_C_WINDOW))
            receive();
        send(number);
        receive();
    }
    while (seen != JOB.rounds)
        receive();
    tf_link_wait_ready(QUEUE);
    return 0;
}

#else
#ifdef TF_GRID_AT_RUN_TIME
#include "tilefarm_grid.h"
#endif
#include "tilefarm_device.h"

#define JOB (*(const volatile struct tf_contend_tile_job *)(uintptr_t)TF_C_TILE_JOB)

int main(void)
{
    const uint32_t seed = JOB.seed, ports = JOB.ports;
    if (JOB.magic != TF_C_MAGIC)
        return 1;
    for (uint32_t i = 0; i < JOB.requests; i++) {
        const struct tf_contend_request request = tf_contend_request(seed, i, ports);
        const uint32_t place = JOB.port_xy[request.port], xy = tf_xy(0, place & 63, place >> 6);
        uint32_t answer = 0;
        if (request.to_stream)
            tf_noc_write_register(0, xy, TF_STREAM_REG_ADDRESS(TF_C_STREAM, TF_STREAM_SPACE_UPDATE), 1u << 6);
        else
            answer = tf_noc_fetch_inc(0, xy, TF_C_LINE + 4 * request.word, 1);
        TF_WORD(TF_C_ANSWERS + 4 * i) = answer;
    }
    tf_noc_wait(0);
    return 0;
}
#endif
