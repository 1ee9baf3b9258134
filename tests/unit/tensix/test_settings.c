/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packers, unpackers and matrix unit under any settings. Before each random instruction a few fields of the
 * configuration change. Kernels of the host's widest vectors must leave the tile that portable kernels leave.
 * AddressSanitizer sees accesses beyond the units' own memory of the host.
 */
#include "tile/tensix/config/config.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/data/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/vectors.h"
#include "unit/tensix/bare.h"

#define INSTRUCTIONS 4000u
#define TOGETHER 12u /* instructions between two whole new configurations */

struct field {
    const char *name;
    uint16_t word;
    uint8_t first, width;
};

#define FIELD(name, word, first, width) {#name, word, first, width},
#define NONE(name, word, first, width)

static const struct field blackhole_fields[] = {
#define CFG FIELD
#define THREAD_CFG NONE
#include "tile/tensix/config/config.def"
#undef CFG
#undef THREAD_CFG
};
static const struct field blackhole_thread_fields[] = {
#define CFG NONE
#define THREAD_CFG FIELD
#include "tile/tensix/config/config.def"
#undef CFG
#undef THREAD_CFG
};
static const struct field wormhole_fields[] = {
#define CFG FIELD
#define CFG_OWN FIELD
#include "tile/tensix/config/wormhole.def"
#undef CFG
#undef CFG_OWN
};
static const struct field wormhole_thread_fields[] = {
#define THREAD_CFG FIELD
#define THREAD_CFG_OWN FIELD
#include "tile/tensix/config/wormhole.def"
#undef THREAD_CFG
#undef THREAD_CFG_OWN
};

/* Two tiles that do the same: one with portable kernels, one with the widest of the host. */
struct pair {
    struct bare *bare[2];
    const struct field *field, *thread_field;
    unsigned fields, thread_fields;
    uint32_t format; /* that most fields have now */
    unsigned wild;   /* of 100 fields that are set, have any value */
};

static bool in_100(unsigned percent)
{
    return bare_random() % 100 < percent;
}

/* What a field holds unless it has any value, by a part of its name; others hold 0. */
struct habit {
    const char *part;
    unsigned choices;
    uint32_t choice[6];
};

static const struct habit habits[] = {
    {"override", 1, {0}},
    {"Enable_out_fifo", 1, {0}},
    {"pack_start_intf_pos", 1, {0}},
    {"Disable_zero_compress", 1, {1}},
    {"L1_Dest_addr", 3, {0x1000, 0x1801, 0x2003}},
    {"L1_source_addr", 3, {0, 1, 2}},
    {"Source_interface_selection", 1, {0}},
    {"limit_address", 1, {0x1FFFF}},
    {"stride", 6, {0, 16, 32, 64, 128, 2}},
    {"PCK_EDGE_OFFSET", 3, {0xFFFF, 0xFFFF, 0x0FF3}},
    {"reads_per_xy_plane", 3, {0, 4, 16}},
    {"Downsample_mask", 2, {0, 0xFFFF}},
    {"Base", 6, {0, 0x100, 0x180, 0x240, 0x311, 0x400}},
    {"Unpack", 2, {0, 1}},
    {"remap_addrs", 2, {0, 1}},
    {"swizzle_32b", 2, {0, 1}},
    {"Fp32_enabled", 3, {0, 0, 1}},
    {"Read_32b_data", 2, {0, 1}},
    {"Pack_L1_Acc", 5, {0, 0, 0, 0, 1}},
    {"INT8_math", 3, {0, 0, 1}},
    {"FIDELITY_BASE", 4, {0, 1, 2, 3}},
    {"TRISC_SYNC", 1, {0}},
    {"STATE_ID", 4, {0, 0, 0, 1}},
};

static bool is_format(const char *name)
{
    return strstr(name, "_data_format") != NULL || strstr(name, "Dstacc") != NULL ||
           strstr(name, "SPEC_REG0_SrcA") != NULL || strstr(name, "SPEC_REG1_SrcB") != NULL;
}

static uint32_t value_for(const struct pair *pair, const char *name)
{
    uint32_t any = bare_random();
    if (in_100(pair->wild))
        return any;
    if (strstr(name, "TileDescriptor") != NULL)
        return pair->format | 1 << 4 | (16u << any % 4 * 2) << 16;
    for (unsigned i = 0; i < sizeof habits / sizeof habits[0]; i++)
        if (strstr(name, habits[i].part) != NULL)
            return habits[i].choice[any % habits[i].choices];
    return !is_format(name) ? 0 : in_100(85) ? pair->format : any;
}

static void set_field(struct pair *pair, const struct field *field, unsigned bank)
{
    uint32_t bits = field->width == 32 ? ~0u : (1u << field->width) - 1, value = value_for(pair, field->name);
    for (unsigned i = 0; i < 2; i++) {
        struct bare *bare = pair->bare[i];
        uint32_t old = tf_config_word(bare->tile.tensix, bank, field->word);
        tf_config_write(&bare->tile, bank, field->word,
                        (old & ~(bits << field->first)) | (value & bits) << field->first);
    }
}

static void set_thread_field(struct pair *pair, const struct field *field, unsigned thread)
{
    uint32_t bits = (1u << field->width) - 1, value = value_for(pair, field->name);
    for (unsigned i = 0; i < 2; i++) {
        struct tf_tile *tile = &pair->bare[i]->tile;
        uint32_t old = tf_config_thread_word(tile->tensix, thread, field->word);
        uint32_t word = (old & ~(bits << field->first)) | (value & bits) << field->first;
        tf_tensix_dispatch[TF_OP_SETC16](tile, thread,
                                         W(SETC16) | V(SETC16, setc16_reg, field->word) |
                                             V(SETC16, setc16_value, word & 0xFFFF));
    }
}

/* A field that holds or restarts cores and units is left alone. */
static bool is_setting(const struct field *field)
{
    return strstr(field->name, "RESET") == NULL && strstr(field->name, "DISABLE_RISC") == NULL &&
           strstr(field->name, "INVALIDATE") == NULL;
}

static void configure(struct pair *pair)
{
    static const uint8_t formats[] = {0, 1, 2, 5, 5, 6, 7, 8, 9, 14, 14}, wild[] = {0, 1, 5, 20};
    pair->wild = wild[bare_random() % sizeof wild];
    pair->format = formats[bare_random() % sizeof formats];
    for (unsigned i = 0; i < 2 * pair->fields; i++)
        if (is_setting(&pair->field[i / 2]))
            set_field(pair, &pair->field[i / 2], i % 2);
    for (unsigned i = 0; i < 3 * pair->thread_fields; i++)
        set_thread_field(pair, &pair->thread_field[i / 3], i % 3);
}

static void change_some(struct pair *pair)
{
    for (unsigned count = bare_random() % 4; count != 0; count--) {
        const struct field *field = &pair->field[bare_random() % pair->fields];
        if (is_setting(field))
            set_field(pair, field, bare_random() & 1);
        set_thread_field(pair, &pair->thread_field[bare_random() % pair->thread_fields], bare_random() % 3);
    }
}

/* A datum of Dst, or of a source, whose exponent is its low byte. near: exponents differ by less than 16. */
static uint32_t datum(uint32_t bits, bool near)
{
    uint32_t any = bare_random() & bits;
    return !near ? any : in_100(5) ? 0 : (any & ~0xFFu) | (118 + any % 16);
}

static void fill(struct pair *pair)
{
    const bool near = in_100(67);
    struct tf_dst *dst[2] = {tf_dst_get(&pair->bare[0]->tile), tf_dst_get(&pair->bare[1]->tile)};
    for (unsigned i = 0; i < TF_DST_ROWS * TF_DST_COLUMNS; i++)
        dst[0]->bits[i / TF_DST_COLUMNS][i % TF_DST_COLUMNS] = (uint16_t)datum(0xFFFF, near);
    memcpy(dst[1]->bits, dst[0]->bits, sizeof dst[0]->bits);
    memset(dst[0]->undefined, 0, sizeof dst[0]->undefined);
    memset(dst[1]->undefined, 0, sizeof dst[1]->undefined);
    for (unsigned bank = 0; bank < 4; bank++) {
        uint32_t(*row[2])[TF_SRC_COLUMNS];
        for (unsigned i = 0; i < 2; i++)
            row[i] = tf_src_write(&pair->bare[i]->tile, 0, bank / 2, bank % 2, 0, TF_SRC_ROWS);
        for (unsigned i = 0; i < TF_SRC_ROWS * TF_SRC_COLUMNS; i++)
            row[0][i / TF_SRC_COLUMNS][i % TF_SRC_COLUMNS] = datum(0x7FFFF, near);
        memcpy(row[1], row[0], sizeof row[0][0] * TF_SRC_ROWS);
    }
}

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

static bool are_equal(const struct pair *pair)
{
    const struct bare *a = pair->bare[0], *b = pair->bare[1];
    return a->tile.faults.count == b->tile.faults.count &&
           memcmp(a->tile.l1, b->tile.l1, a->tile.arch->l1_bytes) == 0 &&
           memcmp(a->tile.tensix->dst->bits, b->tile.tensix->dst->bits, sizeof a->tile.tensix->dst->bits) == 0 &&
           bare_hash(pair->bare[0]) == bare_hash(pair->bare[1]);
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
        if (i % TOGETHER == 0) {
            configure(pair);
            fill(pair);
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

#define COUNT(array) ((unsigned)(sizeof(array) / sizeof((array)[0])))

static void run_tiles(int (*setup)(void **state), struct pair pair)
{
    void *state[2];
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(setup(&state[i]), 0);
        pair.bare[i] = state[i];
    }
    run_pair(&pair);
    for (unsigned i = 0; i < 2; i++)
        bare_teardown(&state[i]);
}

#define FIELDS(all, of_threads) \
    .field = all, .fields = COUNT(all), .thread_field = of_threads, .thread_fields = COUNT(of_threads)

static void test_blackhole(void **unused)
{
    (void)unused;
    run_tiles(bare_setup, (struct pair){FIELDS(blackhole_fields, blackhole_thread_fields)});
}

static void test_wormhole(void **unused)
{
    (void)unused;
    run_tiles(bare_setup_wormhole, (struct pair){FIELDS(wormhole_fields, wormhole_thread_fields)});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blackhole), cmocka_unit_test(test_wormhole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
