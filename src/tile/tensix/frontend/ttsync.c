/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/ttsync.h"

#include "tilefarm_address.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

/* The fields of a declaration, as tt_llk_blackhole/instructions/assembly.yaml lists them for RESOURCEDECL. */
enum {
    READS_CFG = 1 << 0,
    WRITES_CFG = 1 << 1,
    UNPACK_0 = 1 << 2, /* which part of the configuration */
    UNPACK_1 = 1 << 3,
    REST = 1 << 4,
    ALL_CFG = UNPACK_0 | UNPACK_1 | REST,
    READS_GPR = 1 << 5,
    WRITES_GPR = 1 << 6,
    READS_TDMA = 1 << 7,
    WRITES_TDMA = 1 << 8,
};

/* AutoTTSync.md, "Tensix instruction to resource mapping". */
static const uint16_t after_reset[TF_SYNC_CLASSES] = {
    [TF_SYNC_GPRS] = READS_GPR | WRITES_GPR,
    [TF_SYNC_ATOMIC] = READS_GPR | WRITES_GPR,
    [TF_SYNC_FLOP] = READS_GPR | WRITES_GPR | READS_TDMA | WRITES_TDMA,
    [TF_SYNC_INDIRECT] = READS_GPR | WRITES_GPR,
    [TF_SYNC_SHIFT_CFG] = READS_CFG | WRITES_CFG | ALL_CFG,
    [TF_SYNC_STORE_REG] = READS_GPR,
    [TF_SYNC_LOAD_REG] = WRITES_GPR,
    [TF_SYNC_FLUSH] = WRITES_TDMA,
    [TF_SYNC_WRITE_CFG] = READS_GPR | WRITES_CFG | ALL_CFG,
    [TF_SYNC_READ_CFG] = READS_CFG | ALL_CFG | WRITES_GPR,
    [TF_SYNC_MOVE] = READS_GPR | WRITES_GPR | READS_CFG | WRITES_CFG | ALL_CFG,
    [TF_SYNC_UNPACK] = READS_TDMA | WRITES_TDMA | READS_CFG | ALL_CFG,
    [TF_SYNC_PACK] = READS_TDMA | WRITES_TDMA | READS_CFG | REST,
    [TF_SYNC_MOP] = READS_GPR | WRITES_GPR | READS_TDMA | WRITES_TDMA | READS_CFG | WRITES_CFG | ALL_CFG,
    [TF_SYNC_REPLAY] = READS_GPR | WRITES_GPR | READS_TDMA | WRITES_TDMA | READS_CFG | WRITES_CFG | ALL_CFG,
    [TF_SYNC_OTHER] = READS_CFG | REST,
};

void tf_ttsync_init(struct tf_ttsync *sync)
{
    for (unsigned i = 0; i < TF_SYNC_CLASSES; i++)
        sync->declared[i] = after_reset[i];
}

void tf_ttsync_declare(struct tf_ttsync *sync, uint32_t word)
{
    sync->declared[TF_FIELD(word, RESOURCEDECL, op_class)] = (uint16_t)TF_FIELD(word, RESOURCEDECL, resources);
}

static uint16_t reads(enum tf_sync_resource resource)
{
    return (uint16_t)(1u << resource);
}

static uint16_t writes(enum tf_sync_resource resource)
{
    return (uint16_t)(1u << (resource + TF_RESOURCES));
}

/* Parts of the configuration, in one bank, as resources. */
static uint16_t config_parts(uint32_t declared, unsigned bank)
{
    uint16_t parts = (uint16_t)(declared / UNPACK_0 & 7);
    uint16_t resources = 0;
    if ((declared & READS_CFG) != 0)
        resources |= parts;
    if ((declared & WRITES_CFG) != 0)
        resources |= (uint16_t)(parts << TF_RESOURCES);
    return (uint16_t)(resources << (bank * TF_RESOURCE_CFG1_UNPACK_0));
}

static uint16_t resources_of(uint32_t declared, unsigned banks)
{
    uint16_t resources = 0;
    for (unsigned bank = 0; bank < 2; bank++)
        if ((banks >> bank & 1) != 0)
            resources |= config_parts(declared, bank);
    if ((declared & READS_GPR) != 0)
        resources |= reads(TF_RESOURCE_GPR);
    if ((declared & WRITES_GPR) != 0)
        resources |= writes(TF_RESOURCE_GPR);
    if ((declared & READS_TDMA) != 0)
        resources |= reads(TF_RESOURCE_TDMA);
    if ((declared & WRITES_TDMA) != 0)
        resources |= writes(TF_RESOURCE_TDMA);
    return resources;
}

static bool is_clear(const struct tf_ttsync *sync)
{
    uint16_t any = 0;
    for (unsigned i = 0; i < 2 * TF_RESOURCES; i++)
        any |= sync->in_flight[i];
    return any == 0;
}

/*
 * An instruction uses the bank that the last SETC16 before it selects. If B or an expander issued that SETC16, it is
 * unknown here, so the present bank is counted too. Extra counts are safe.
 */
static unsigned banks_of(struct tf_ttsync *sync, const uint16_t *config, uint32_t word)
{
    if (word >> 24 == TF_OP_SETC16 && TF_FIELD(word, SETC16, setc16_reg) == TF_THREAD_CFG_STATE_ID)
        sync->state_id = TF_FIELD(word, SETC16, setc16_value) & 1;
    return 1u << sync->state_id | 1u << (config[TF_THREAD_CFG_STATE_ID] & 1);
}

static uint32_t declaration_of(const struct tf_ttsync *sync, const uint16_t *config, uint32_t word)
{
    uint8_t sync_class = tf_tensix_ops[word >> 24].sync_class;
    if (sync_class == TF_SYNC_NONE)
        return 0;
    uint32_t declared = sync->declared[sync_class];
    if (sync_class != TF_SYNC_UNPACK || (config[TF_THREAD_CFG_TRISC_SYNC] & TF_TRISC_SYNC_SUBDIVIDED_CFG) == 0)
        return declared;
    return (declared & ~(uint32_t)ALL_CFG) | (TF_FIELD(word, UNPACR, unpack_block_selection) ? UNPACK_1 : UNPACK_0);
}

uint16_t tf_ttsync_pushed(struct tf_tensix *tensix, unsigned thread, uint32_t word)
{
    struct tf_ttsync *sync = &tensix->ttsync[thread];
    const uint16_t *config = tensix->config->thread[thread];
    if (is_clear(sync))
        sync->state_id = config[TF_THREAD_CFG_STATE_ID] & 1;
    unsigned banks = banks_of(sync, config, word);
    uint16_t resources = resources_of(declaration_of(sync, config, word), banks);
    for (unsigned i = 0; i < 2 * TF_RESOURCES; i++)
        sync->in_flight[i] += resources >> i & 1;
    return resources;
}

void tf_ttsync_passed(struct tf_tensix *tensix, unsigned thread, uint16_t resources)
{
    struct tf_ttsync *sync = &tensix->ttsync[thread];
    for (; resources != 0; resources &= (uint16_t)(resources - 1))
        sync->in_flight[__builtin_ctz(resources)]--;
}

void tf_ttsync_configured(struct tf_tensix *tensix, unsigned thread, uint64_t cycle)
{
    struct tf_fifo *fifo = &tensix->thread[thread].fifo;
    struct tf_push *changed = tf_fifo_head(fifo);
    unsigned count = fifo->count;
    for (; count != 0 && changed->arrival <= cycle; count--)
        changed = tf_fifo_next(fifo, changed);
    struct tf_push *push = changed;
    for (unsigned i = 0; i < count; i++, push = tf_fifo_next(fifo, push)) {
        tf_ttsync_passed(tensix, thread, push->resources);
        push->resources = 0;
    }
    for (; tf_ttsync_counts(tensix, thread) && count != 0; count--, changed = tf_fifo_next(fifo, changed)) {
        changed->resources = tf_ttsync_pushed(tensix, thread, changed->word);
        changed->kind = TF_KIND_UNKNOWN;
        fifo->unbatched = true;
    }
}

/*
 * Parts of a bank of Config when EnSubdividedCfgForUnpacr is set, by word; all other words are REST. This follows the
 * table of fields in AutoTTSync.md. The hardware has these irregularities.
 */
static const struct {
    uint8_t first, last, parts;
} subdivided[] = {
#define AT(name) TF_CFG_WORD(name)
    {AT(UNP0_ADDR_CTRL_XY_REG_0_Xstride), AT(UNP0_ADDR_CTRL_XY_REG_0_Xstride), UNPACK_0},
    {AT(UNP0_ADDR_CTRL_ZW_REG_0_Zstride), AT(UNP0_ADDR_CTRL_ZW_REG_0_Zstride), UNPACK_0 | UNPACK_1},
    {AT(UNP1_ADDR_CTRL_XY_REG_0_Xstride), AT(UNP1_ADDR_CTRL_ZW_REG_0_Zstride), UNPACK_1},
    {AT(UNP0_ADDR_BASE_REG_0_Base), AT(UNP0_FORCED_SHARED_EXP_shared_exp), ALL_CFG},
    {AT(UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start), AT(UNP0_NOP_REG_CLR_VAL_nop_reg_clr_val), UNPACK_0},
    {AT(UNP1_ADDR_CTRL_XY_REG_1_Xstride), AT(UNP1_NOP_REG_CLR_VAL_nop_reg_clr_val), UNPACK_1},
    {AT(THCON_SEC0_REG0_TileDescriptor), AT(THCON_SEC0_REG0_TileDescriptor), UNPACK_0},
    {AT(THCON_SEC0_REG2_Out_data_format), AT(THCON_SEC0_REG5_Tile_x_dim_cntx2), UNPACK_0},
    {AT(THCON_SEC0_REG7_Offset_address), AT(THCON_SEC0_REG7_Offset_cntx3_address), UNPACK_0},
    {AT(THCON_SEC0_REG10_Unpack_limit_address), AT(THCON_SEC0_REG10_Unpack_fifo_size), UNPACK_0},
    {AT(THCON_SEC1_REG0_TileDescriptor), AT(THCON_SEC1_REG0_TileDescriptor), UNPACK_1},
    {AT(THCON_SEC1_REG2_Out_data_format), AT(THCON_SEC1_REG2_Disable_zero_compress_cntx0), UNPACK_1},
    {AT(THCON_SEC1_REG3_Base_address), AT(THCON_SEC1_REG3_Base_cntx1_address), UNPACK_1},
    {AT(THCON_SEC1_REG7_Offset_address), AT(THCON_SEC1_REG7_Offset_cntx1_address), UNPACK_1},
#undef AT
};

static uint32_t parts_of_word(uint32_t word)
{
    for (unsigned i = 0; i < sizeof subdivided / sizeof subdivided[0]; i++)
        if (word >= subdivided[i].first && word <= subdivided[i].last)
            return subdivided[i].parts;
    return REST;
}

/* AutoTTSync.md, "RISCV address to resource mapping": Config[0], Config[1], ConfigDualWrite, ThreadConfig. */
static uint16_t config_at(uint16_t tracked, uint32_t address)
{
    uint32_t bank = (address - TF_CFG_BASE) / 4 / TF_CFG_WORDS, word = (address - TF_CFG_BASE) / 4 % TF_CFG_WORDS;
    bool one_bank = bank < 2 && word < TF_CFG_GLOBAL;
    uint32_t parts = ALL_CFG;
    if ((tracked & TF_TRISC_SYNC_SUBDIVIDED_CFG) != 0) {
        bool dest_offset = bank == 3 && word == TF_THREAD_CFG_WORD(DEST_TARGET_REG_CFG_MATH_Offset); /* of thread 0 */
        parts = one_bank ? parts_of_word(word) : dest_offset ? UNPACK_0 | UNPACK_1 : REST;
    }
    uint16_t resources = 0;
    for (unsigned i = 0; i < 2; i++)
        if (!one_bank || i == bank)
            resources |= config_parts(READS_CFG | parts, i);
    return resources;
}

static uint16_t resources_at(uint16_t tracked, uint32_t address)
{
    if (address >= TF_CFG_BASE)
        return (tracked & TF_TRISC_SYNC_TRACK_GLOBAL_CFG) != 0 ? config_at(tracked, address) : 0;
    if (address >= TF_GPR_BASE && address < TF_GPR_BASE + TF_GPR_BYTES)
        return (tracked & TF_TRISC_SYNC_TRACK_GPR) != 0 ? reads(TF_RESOURCE_GPR) : 0;
    if (address >= TF_TDMA_BASE && address < TF_TDMA_BASE + TF_TDMA_BYTES)
        return (tracked & TF_TRISC_SYNC_TRACK_TDMA) != 0 ? reads(TF_RESOURCE_TDMA) : 0;
    return 0;
}

bool tf_ttsync_conflicts(const struct tf_tensix *tensix, unsigned from, uint32_t address, bool store)
{
    if (from < TF_CORE_T0 || from > TF_CORE_T2)
        return false;
    unsigned thread = from - TF_CORE_T0;
    uint16_t tracked = tensix->config->thread[thread][TF_THREAD_CFG_TRISC_SYNC];
    if ((tracked & TF_TRISC_SYNC_TRACK_INSTRUCTIONS) == 0)
        return false;
    uint16_t resources = resources_at(tracked, address);
    const uint16_t *in_flight = tensix->ttsync[thread].in_flight;
    for (unsigned i = 0; i < TF_RESOURCES; i++)
        if ((resources >> i & 1) != 0 && (in_flight[i + TF_RESOURCES] != 0 || (store && in_flight[i] != 0)))
            return true;
    return false;
}
