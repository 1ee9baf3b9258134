/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packers, unpackers and matrix unit under any settings. Before each random instruction a few fields of the
 * configuration change. Kernels of the host's widest vectors must leave the tile that portable kernels leave.
 * AddressSanitizer sees accesses beyond the units' own memory of the host.
 */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/whole/vectors.h"
#include "unit/tensix/settings.h"

#define INSTRUCTIONS 4000u
#define GROUP 12u /* instructions between two whole new configurations */

static void set_counters(struct pair *pair)
{
    for (unsigned i = 0; i < 18; i++) {
        const uint32_t x = i % 2 == 0 ? bare_random() % 4 : in_100(60) ? 15 : bare_random() % 256;
        const uint32_t y = bare_random() % 16, z = bare_random() % 2, w = bare_random() % 2;
        for (unsigned k = 0; k < 2; k++) {
            struct tf_adc_channel *channel = &pair->bare[k]->tile.tensix->adcs->of[i / 6][i / 2 % 3].channel[i % 2];
            channel->value[TF_ADC_X] = x;
            channel->value[TF_ADC_Y] = y;
            channel->value[TF_ADC_Z] = z;
            channel->value[TF_ADC_W] = w;
        }
    }
}

static uint32_t some_instruction(void)
{
    static const uint8_t matrix[] = {TF_OP_MVMUL,  TF_OP_ELWADD, TF_OP_ELWSUB, TF_OP_ELWMUL,
                                     TF_OP_GAPOOL, TF_OP_GMPOOL, TF_OP_DOTPV,  TF_OP_ZEROACC};
    uint32_t kind = bare_random() % 100, any = bare_random() & 0xFFFFFF;
    if (kind < 50)
        return W(PACR) | V(PACR, last, in_100(40)) | V(PACR, flush, in_100(5)) | V(PACR, concat, in_100(8)) |
               V(PACR, read_intf_sel, any & 15) | V(PACR, zero_write, in_100(8)) | V(PACR, addr_mode, any >> 4 & 3);
    if (kind < 65)
        return W(UNPACR) | (any & (in_100(70) ? 0xFF8040u : 0xFFFFFFu));
    if (kind < 97)
        return (uint32_t)matrix[bare_random() % sizeof matrix] << 24 | (any & (in_100(80) ? 0x3FFFFF : 0xFFFFFF));
    return W(CLREXPHIST);
}

static void execute(struct bare *bare, unsigned thread, uint32_t word)
{
    for (unsigned bank = 0; bank < 4; bank++)
        bare->tile.tensix->src->to_matrix[bank / 2][bank % 2] = true;
    tf_tensix_dispatch[word >> 24](&bare->tile, thread, word);
}

static void run_pair(struct pair *pair)
{
    unsigned done = 0;
    bare_seed();
    tf_vectors_choose(&pair->bare[0]->tile, TF_VECTORS_PORTABLE);
    tf_vectors_choose(&pair->bare[1]->tile, TF_VECTORS_BEST);
    for (uint32_t i = 0; i < pair->bare[0]->tile.arch->l1_bytes; i++)
        pair->bare[0]->tile.l1[i] = pair->bare[1]->tile.l1[i] = (uint8_t)bare_random();
    for (unsigned i = 0; i < INSTRUCTIONS; i++) {
        if (i % GROUP == 0) {
            configure_pair(pair);
            fill_pair(pair);
        }
        change_some(pair);
        if (in_100(50))
            set_counters(pair);
        const uint32_t word = some_instruction(), thread = bare_random() % 3;
        unsigned faults = pair->bare[0]->tile.faults.count;
        execute(pair->bare[0], thread, word);
        execute(pair->bare[1], thread, word);
        if (!are_equal(pair))
            fail_msg("instruction %u, 0x%08x of thread %u: the tiles differ", i, word, thread);
        done += pair->bare[0]->tile.faults.count == faults;
    }
    assert_in_range(done, INSTRUCTIONS / 4, INSTRUCTIONS * 9 / 10);
}

static void run_tiles(int (*setup)(void **state))
{
    struct pair pair = make_pair(setup);
    run_pair(&pair);
    drop_pair(&pair);
}

static void test_blackhole(void **unused)
{
    (void)unused;
    run_tiles(bare_setup);
}

static void test_wormhole(void **unused)
{
    (void)unused;
    run_tiles(bare_setup_wormhole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blackhole), cmocka_unit_test(test_wormhole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
