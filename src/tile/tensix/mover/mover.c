/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/explore/transfers.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/mover/mover.h"

#include <string.h>

#include "host/extremes.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/hart/stop.h"
#include "tilefarm_address.h"
#include "tile/check.h"
#include "tile/tensix/configure/config.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/mover_job.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/soft_reset.h"
#include "tile/tensix/state.h"
#include "tile/tensix/unpack/state.h"

/* Bits 31:16 of the mover's addresses of NC's instruction RAM (Mover.md). */
#define IRAM_REGION 4u

static void copy_line(uint8_t *to, const uint8_t *from);

/* Words beyond the RAM are dropped, just as words for unmapped addresses. */
static void move_to_iram(struct tf_tile *tile, uint32_t at, const uint8_t *from, uint32_t count)
{
    uint32_t bytes = tile->arch->iram_bytes;
    count = at >= bytes ? 0 : count < bytes - at ? count : bytes - at;
    uint32_t place = tile->arch->l1_bytes + at;
    for (uint32_t i = 0; i < count; i += 16)
        copy_line(tile->l1 + place + i, from == NULL ? NULL : from + i);
    if (count != 0)
        tf_code_written(tile, place, count, TF_WROTE_MOVER);
}

/* Words beyond the windows are dropped, because the page says so for unmapped addresses. */
static void move_to_config(struct tf_tile *tile, uint32_t dst, const uint8_t *data, uint32_t count)
{
    if (dst >> 16 == IRAM_REGION)
        move_to_iram(tile, dst & 0xFFFF, data, count);
    if (dst > 0xFFFF)
        return;
    for (uint32_t at = 0; at < count; at += 4) {
        uint32_t index = (dst + at) / 4;
        uint32_t value = 0;
        if (data != NULL)
            memcpy(&value, data + at, sizeof value);
        tf_config_write_at(tile, index, value);
    }
}

/* Copies 16 bytes at a time. Other workers may access the memory, so no word may be torn. */
static void copy_line(uint8_t *to, const uint8_t *from)
{
    for (unsigned i = 0; i < 16; i += 4) {
        uint32_t word = 0;
        if (from != NULL)
            word = __atomic_load_n((const uint32_t *)(const void *)(from + i), __ATOMIC_RELAXED);
        __atomic_store_n((uint32_t *)(void *)(to + i), word, __ATOMIC_RELAXED);
    }
}

/* The mover goes upwards, which shows where source and destination overlap. */
static void move_to_l1(struct tf_tile *tile, uint32_t dst, const uint8_t *from, uint32_t count)
{
    uint8_t *to = tile->l1 + dst;
    if (tile->mode.shared || (from != NULL && from < to && to < from + count)) {
        for (uint32_t at = 0; at < count; at += 16)
            copy_line(to + at, from == NULL ? NULL : from + at);
    } else if (from == NULL) {
        memset(to, 0, count);
    } else {
        memmove(to, from, count);
    }
    if (count != 0)
        tf_code_written(tile, dst, count, TF_WROTE_MOVER);
}

/* The reason why a transfer is undefined; NULL if it is defined. */
static const char *why_undefined(const struct tf_tile *tile, const struct tf_mover_job *job)
{
    if (tf_mover_from_l1(job) && !tf_in_l1(tile->arch, job->src, job->count))
        return "the mover's source is beyond L1";
    if (tf_mover_to_l1(job) && !tf_in_l1(tile->arch, job->dst, job->count))
        return "the mover's destination is beyond L1";
    if (!tf_mover_to_l1(job) && (job->dst & 0xFFFF) + job->count > 0x10000)
        return "the mover's destination spans two regions";
    return NULL;
}

void tf_mover_finish(struct tf_tile *tile, const struct tf_mover_job *job)
{
    const uint8_t *from = tf_mover_from_l1(job) ? tile->l1 + job->src : NULL;
    if (tile->tensix->soft_reset & TF_RESET_MOVER)
        return;
    if (tf_mover_to_l1(job))
        move_to_l1(tile, job->dst, from, job->count);
    else
        move_to_config(tile, job->dst, from, job->count);
    tile->tensix->events |= TF_CHANGE_ANY; /* may end the wait of an ATCAS or ATINCGETPTR */
}

/* Report a transfer to a race checker. */
static void report(struct tf_tile *tile, const struct tf_mover_job *job)
{
    struct tf_check *check = TF_HOOK(tile->check);
    if (check == NULL || check->moved == NULL)
        return;
    if (tf_mover_from_l1(job))
        check->moved(check, job->core, job->pushed, job->src, job->count, false);
    if (tf_mover_to_l1(job))
        check->moved(check, job->core, job->pushed, job->dst, job->count, true);
    else if (job->dst <= 0xFFFF)
        check->moved_config(check, job->core, job->pushed, job->dst, tf_mover_from_l1(job) ? tile->l1 + job->src : NULL,
                            job->count);
}

/* Returns NULL, or the reason why the transfer is undefined. In the second case nothing moves. */
static const char *begin(struct tf_tile *tile, const struct tf_mover_job *job)
{
    const char *why = why_undefined(tile, job);
    if (why != NULL)
        return why;
    if (tile->tensix->soft_reset & TF_RESET_MOVER)
        return NULL;
    report(tile, job);
    if (TF_HOOK(tile->explore) != NULL)
        tf_explored_moves(tile, job);
    else
        tf_mover_finish(tile, job);
    return NULL;
}

static bool is_moving(const struct tf_tile *tile, uint64_t cycle)
{
    return tf_busy_of_any(tile->tensix->busy, TF_BUSY_MOVER, cycle) ||
           (TF_HOOK(tile->explore) != NULL && tf_explored_moving(tile));
}

/* XMOV.md: the instruction stalls until the mover is able to start. */
bool tf_stalls_XMOV(const struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)word;
    return is_moving(tile, tile->tensix->thread[thread].cycle);
}

void tf_exec_XMOV(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)word;
    const struct tf_backend_config *config = tile->tensix->config;
    unsigned bank = tf_config_bank(config, thread);
    const struct tf_mover_job job = {
        .dst = TF_CFG(config, bank, THCON_SEC0_REG6_Destination_address) << 4,
        .src = TF_CFG(config, bank, THCON_SEC0_REG6_Source_address) << 4,
        .count = (TF_CFG(config, bank, THCON_SEC0_REG6_Buffer_size) & 0xFFFF) << 4,
        .mode = (uint8_t)TF_CFG(config, bank, THCON_SEC0_REG6_Transfer_direction),
        .pc = tile->tensix->thread[thread].gate.pc,
        .core = (uint8_t)(TF_CORE_T0 + thread),
        .pushed = true,
    };
    const char *why = begin(tile, &job);
    if (why != NULL)
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "%s", why);
}

/* Registers by byte offset (TDMA-RISC.md, "Memory map"). */
enum {
    XMOV_SRC = 0x00,
    XMOV_DIRECTION = 0x0C,
    COMMAND = 0x10,
    STATUS = 0x14,
    PACKED_SIZE = 0x18,
    ACC_PACKED_SIZE = 0x1C,
    ALL_ZERO_FLAGS = 0x20,
    CLK_GATE_EN = 0x24,
    CLK_GATE_HYST = 0x28,
    XMOV_L1_BASE = 0x2C,
    FIFO_TILE_SIZE = 0x30,
    FIFO_TILE_ZEROMASK = 0x34,
    FIFO_TILE_STATUS = 0x38,
    SCALERS_0 = 0x3C,
    SCALERS_1 = 0x13C,
};

/* The queue is always empty: a store completes its command. */
#define STATUS_IDLE (1u << 3 | 1u << 5 | 4u << 8)
#define STATUS_MOVER_BUSY 1u
#define STATUS_PACKING (1u << 27) /* bit of packer 0 in ScalarsAndStatus; the bits above it belong to the others */

static unsigned base_of(unsigned from)
{
    return from == TF_CORE_B ? 0 : from >= TF_CORE_T0 && from <= TF_CORE_T2 ? from - TF_CORE_T0 + 1 : 1;
}

static enum tf_access tdma_fault(struct tf_tile *tile, unsigned from, uint32_t address, enum tf_fault_category category,
                                 const char *why)
{
    if (from < TF_TILE_CORES)
        tf_tile_fault(tile, from, category, 0, address, "TDMA-RISC at 0x%08x: %s (%s)", address, why,
                      tile->arch->family);
    return TF_ACCESS_FAULT;
}

static const char *write_l1(struct tf_tile *tile, unsigned from, uint32_t command, const uint32_t *param)
{
    uint32_t bytes = command & 0x100 ? 8 : 4;
    if ((command & 0x600) != 0x600)
        return "an L1 write command needs bits 10:9 set";
    if (!tf_in_l1(tile->arch, param[0], bytes) || param[0] % bytes != 0)
        return "the address of an L1 write command is beyond L1, or not aligned";
    for (unsigned i = 0; i < bytes / 4; i++)
        __atomic_store_n((uint32_t *)(void *)(tile->l1 + param[0] + 4 * i), param[2 + i], __ATOMIC_RELAXED);
    tf_code_written(tile, param[0], bytes, TF_WROTE_MOVER);
    if (TF_HOOK(tile->check) != NULL && tile->check->moved != NULL)
        tile->check->moved(tile->check, from, false, param[0], bytes, true);
    return NULL;
}

static const char *move_by_command(struct tf_tile *tile, unsigned from, uint32_t command)
{
    struct tf_tensix *tensix = tile->tensix;
    const struct tf_tdma *tdma = tensix->tdma;
    unsigned user = base_of(from) == 0 ? 0 : base_of(from) - 1;
    struct tf_mover_job job = {.core = (uint8_t)from, .pc = from < TF_TILE_CORES ? tile->hart[from].pc : 0};
    if (command >> 31) {
        job.dst = (command >> 16 & 0xFF) << 4;
        job.src = (tdma->base[base_of(from)] + (command >> 8 & 0xFF)) << 4;
        job.count = (command >> 24 & 0x3F) << 4;
        job.mode = command >> 30 & 1 ? TF_MOVER_L1_TO_L1 : TF_MOVER_L1_TO_L0;
    } else {
        job.dst = tdma->param[1] << 4;
        job.src = tdma->param[0] << 4;
        job.count = (tdma->param[2] & 0xFFFF) << 4;
        job.mode = tdma->param[3] & 3;
    }
    if (tensix->delay_cycles != 0 && !(tensix->soft_reset & TF_RESET_MOVER)) {
        uint64_t until = tile->cycle + tensix->delay_cycles;
        if (TF_HOOK(tile->explore) != NULL)
            until = tf_max(until, tf_explored_command(tile, from));
        tensix->busy->until[TF_BUSY_MOVER][user] = until;
    }
    return begin(tile, &job);
}

static const char *run_command(struct tf_tile *tile, unsigned from, uint32_t command)
{
    switch (command & 0xFF) {
    case 0x40: return move_by_command(tile, from, command);
    case 0x46: /* wait for the mover */
        if (TF_HOOK(tile->explore) != NULL)
            tf_explored_finish_move(tile);
        return NULL;
    case 0x89: /* no operation */ return NULL;
    case 0x66:
        return command >> 31 ? "there is no compact form of an L1 write command"
                             : write_l1(tile, from, command, tile->tensix->tdma->param);
    default: return "there is no such command";
    }
}

static void set_scalers(struct tf_tdma *tdma, unsigned first, uint32_t values)
{
    for (unsigned i = first; i < first + 3 && i < 4; i++, values >>= 9)
        tdma->set_reg_scaler[i] = values & 0x1FF;
}

static void set_pack_reg_addr(struct tf_tdma *tdma, uint32_t value)
{
    tdma->pack_reg_addr = value;
    for (unsigned i = 0; i < 2; i++)
        tdma->set_reg_base[i] = tf_tdma_set_reg_base(value, i);
}

static uint32_t scalers(const struct tf_tdma *tdma)
{
    return (uint32_t)tdma->set_reg_scaler[0] | (uint32_t)tdma->set_reg_scaler[1] << 9 |
           (uint32_t)tdma->set_reg_scaler[2] << 18;
}

/* The signals of STALLWAIT's conditions for the packers, as thread T2 sees them. Blackhole has one packer. */
static uint32_t packing(const struct tf_tile *tile)
{
    const struct tf_tensix *tensix = tile->tensix;
    uint32_t status = 0;
    if (tensix->busy_packers == NULL)
        return tensix->busy->until[TF_BUSY_PACK][2] > tile->cycle ? STATUS_PACKING : 0;
    for (unsigned i = 0; i < TF_PACKERS; i++)
        status |= tensix->busy_packers->until[i][2] > tile->cycle ? STATUS_PACKING << i : 0;
    return status;
}

/* ScalarsAndStatus. Bit 16 of UNPACR_NOP's sum is the top bit. */
static uint32_t scalers_and_status(const struct tf_tile *tile, unsigned unpacker)
{
    return scalers(tile->tensix->tdma) | packing(tile) | tile->tensix->unpack->set_reg_acc[unpacker] >> 16 << 31;
}

/* Registers that exist once for each of the four packers (0x100 apart). The first two also exist once for each of three
   threads (0x40 apart). */
struct packer_register {
    unsigned packer, thread, reg;
};

static bool is_packer_register(uint32_t offset, struct packer_register *at)
{
    *at = (struct packer_register){offset / 0x100, offset % 0x100 / 0x40, offset % 0x40};
    if (at->packer >= TF_PACKERS || at->thread > 2)
        return false;
    if (at->reg == PACKED_SIZE || at->reg == ACC_PACKED_SIZE)
        return true;
    return at->thread == 0 && (at->reg == ALL_ZERO_FLAGS || at->reg == FIFO_TILE_SIZE || at->reg == FIFO_TILE_ZEROMASK);
}

/* The metadata FIFOs are always empty, because packers put nothing there. */
bool tf_tdma_load_blocks(struct tf_tile *tile, unsigned from, uint32_t address)
{
    (void)tile, (void)from;
    struct packer_register at;
    return is_packer_register(address - TF_TDMA_BASE, &at) && at.reg == FIFO_TILE_SIZE;
}

static enum tf_access load_packer(struct tf_tile *tile, unsigned from, uint32_t address,
                                  const struct packer_register *at, uint32_t *value)
{
    const struct tf_packer *packer = &tile->tensix->packer[at->packer];
    switch (at->reg) {
    case PACKED_SIZE: *value = tf_packer_last_tile_size(packer, at->thread); return TF_ACCESS_OK;
    case ACC_PACKED_SIZE: /* UnpackerPackerAcc */
        *value = tile->tensix->unpack->set_reg_acc[at->packer & 1] << 16 | packer->acc_tile_size[at->thread];
        return TF_ACCESS_OK;
    case ALL_ZERO_FLAGS: *value = packer->all_zero_flags; return TF_ACCESS_OK;
    default: return tdma_fault(tile, from, address, TF_FAULT_UNPREDICTABLE, "a packer's metadata FIFO is empty");
    }
}

enum tf_access tf_tdma_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    const struct tf_tdma *tdma = tile->tensix->tdma;
    uint32_t offset = address - TF_TDMA_BASE;
    struct packer_register at;
    *pure = true;
    *value = 0;
    switch (offset) {
    case STATUS:
        *value = STATUS_IDLE | (is_moving(tile, tile->cycle) ? STATUS_MOVER_BUSY : 0);
        *pure = *value == STATUS_IDLE;
        return TF_ACCESS_OK;
    case CLK_GATE_EN: *value = tdma->unpack_reg_addr; return TF_ACCESS_OK;
    case CLK_GATE_HYST: *value = tdma->scaler2; return TF_ACCESS_OK;
    case XMOV_L1_BASE: *value = tdma->base[base_of(from)]; return TF_ACCESS_OK;
    case FIFO_TILE_STATUS: *value = tdma->pack_reg_addr << 8 | 0x55; return TF_ACCESS_OK; /* all FIFOs empty */
    case SCALERS_0:
    case SCALERS_1:
        *value = scalers_and_status(tile, offset == SCALERS_1);
        *pure = packing(tile) == 0;
        return TF_ACCESS_OK;
    default: break;
    }
    if (offset <= COMMAND)
        return TF_ACCESS_OK;
    if (is_packer_register(offset, &at))
        return load_packer(tile, from, address, &at, value);
    return tdma_fault(tile, from, address, TF_FAULT_UNDEFINED, "there is no such register");
}

/* ResetPackerAccTileSize */
static void reset_accumulated_sizes(struct tf_packer *packers, uint32_t value)
{
    tf_packers_reset_sizes(packers, value >> 16 & 15);
    for (unsigned i = 0; i < TF_PACKERS; i++)
        if (value >> (16 + i) & 1)
            packers[i].l1_dest_offset = (uint16_t)value;
}

enum tf_access tf_tdma_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    struct tf_tdma *tdma = tile->tensix->tdma;
    uint32_t offset = address - TF_TDMA_BASE;
    struct packer_register at;
    if (tile->tensix->soft_reset & TF_RESET_TDMA)
        return TF_ACCESS_OK;
    if (offset <= XMOV_DIRECTION) {
        tdma->param[offset / 4] = value;
        return TF_ACCESS_OK;
    }
    const char *why;
    switch (offset) {
    case COMMAND:
        why = run_command(tile, from, value);
        return why == NULL ? TF_ACCESS_OK : tdma_fault(tile, from, address, TF_FAULT_UNDEFINED, why);
    case STATUS: return TF_ACCESS_OK;
    case CLK_GATE_EN: tdma->unpack_reg_addr = value & 0xFFFFFF7Fu; return TF_ACCESS_OK;
    case CLK_GATE_HYST:
        tdma->scaler2 = value & 0x01FF007Fu;
        set_scalers(tdma, 3, value >> 16);
        return TF_ACCESS_OK;
    case XMOV_L1_BASE: tdma->base[base_of(from)] = value; return TF_ACCESS_OK;
    case FIFO_TILE_STATUS: set_pack_reg_addr(tdma, value); return TF_ACCESS_OK;
    case SCALERS_0:
    case SCALERS_1: set_scalers(tdma, 0, value); return TF_ACCESS_OK;
    default: break;
    }
    if (!is_packer_register(offset, &at))
        return tdma_fault(tile, from, address, TF_FAULT_UNDEFINED, "there is no such register");
    if (at.reg == ACC_PACKED_SIZE)
        reset_accumulated_sizes(tile->tensix->packer, value);
    return TF_ACCESS_OK;
}

void tf_tdma_reset(struct tf_tdma *tdma)
{
    /* Register bases and scalers get an undefined value (SoftReset.md). Here they become zero. */
    memset(tdma->param, 0, sizeof tdma->param);
    memset(tdma->set_reg_scaler, 0, sizeof tdma->set_reg_scaler);
    memset(tdma->set_reg_base, 0, sizeof tdma->set_reg_base);
}
