/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/tensix/settings.h"

#include "tile/tensix/configure/config.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/frontend/dispatch.h"

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

bool in_100(unsigned percent)
{
    return bare_random() % 100 < percent;
}

/* The values of a field, by a part of its name. A field that is not listed holds 0. */
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

/* Fields that hold or restart cores and units are not changed. */
static bool is_setting(const struct field *field)
{
    return strstr(field->name, "RESET") == NULL && strstr(field->name, "DISABLE_RISC") == NULL &&
           strstr(field->name, "INVALIDATE") == NULL;
}

void configure_pair(struct pair *pair)
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

void change_some(struct pair *pair)
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

void fill_pair(struct pair *pair)
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

#define COUNT(array) ((unsigned)(sizeof(array) / sizeof((array)[0])))
#define FIELDS(all, of_threads) \
    .field = all, .fields = COUNT(all), .thread_field = of_threads, .thread_fields = COUNT(of_threads)

struct pair make_pair(int (*setup)(void **state))
{
    struct pair pair = {FIELDS(blackhole_fields, blackhole_thread_fields)};
    if (setup == bare_setup_wormhole)
        pair = (struct pair){FIELDS(wormhole_fields, wormhole_thread_fields)};
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(setup((void **)&pair.bare[i]), 0);
    return pair;
}

void drop_pair(struct pair *pair)
{
    for (unsigned i = 0; i < 2; i++)
        bare_teardown((void **)&pair->bare[i]);
}

bool are_equal(const struct pair *pair)
{
    const struct bare *a = pair->bare[0], *b = pair->bare[1];
    return a->tile.faults.count == b->tile.faults.count &&
           memcmp(a->tile.l1, b->tile.l1, a->tile.arch->l1_bytes) == 0 &&
           memcmp(a->tile.tensix->dst->bits, b->tile.tensix->dst->bits, sizeof a->tile.tensix->dst->bits) == 0 &&
           bare_hash(pair->bare[0]) == bare_hash(pair->bare[1]);
}
