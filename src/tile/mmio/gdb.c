/* SPDX-License-Identifier: Apache-2.0 */
/* The cores' debug interface. Source: WormholeB0/TensixTile/BabyRISCV/DebugInterface.md. */
#include <string.h>

#include "tile/mmio/parts.h"

enum {
    DR_STATUS = 0,
    DR_COMMAND = 1,
    DR_ARGUMENT = 2, /* register number or address */
    DR_DATA = 3,
    DR_RESULT = 4,
    DR_MODES = 5, /* of eight breakpoints and watchpoints, 4 bits each */
    DR_ADDRESSES = 10,
};

/* Bits of DR(1). */
enum {
    PAUSE = 1u << 0,
    STEP = 1u << 1,
    RESUME = 1u << 2,
    READ_REGISTER = 1u << 3,
    WRITE_REGISTER = 1u << 4,
    READ_MEMORY = 1u << 5,
    WRITE_MEMORY = 1u << 6,
    CLEAR_REGISTERS = 1u << 7,
    WRITE_PC = 1u << 8,
};
#define SLOW_MODE (1u << 31)

/* Bits of RISC_DBG_STATUS_0. */
#define DATA_VALID (1u << 30)
#define TRIGGER (1u << 31)

/* The debugger's command, and whom a fault of it is charged to. */
struct command {
    struct tf_tile *tile;
    unsigned from;
    unsigned which; /* index of the core among those with the interface */
    struct tf_hart *hart;
    uint32_t *dr;
};

static enum tf_access fault(const struct command *command, enum tf_fault_category category, const char *why)
{
    return tf_mmio_fault(command->tile, command->from, category, 0xFFB12000u + TF_DEBUG_RISC_CNTL_0, why);
}

static bool paused(const struct command *command)
{
    return command->hart->state == TF_CORE_PAUSED;
}

/* The core stops before its next instruction; that of a waiting core is the one it waits in. */
static enum tf_access pause_core(const struct command *command)
{
    struct tf_hart *hart = command->hart;
    if (command->from == hart->core)
        return fault(command, TF_FAULT_UNSUPPORTED, "a core pauses itself through its debug interface");
    tf_hart_pause(command->tile, hart);
    command->tile->mmio.debug.trigger_paused[command->which] = paused(command);
    return TF_ACCESS_OK;
}

static enum tf_access access_registers(const struct command *command, uint32_t actions)
{
    struct tf_hart *hart = command->hart;
    uint32_t *dr = command->dr;
    if (actions & READ_REGISTER) {
        if (dr[DR_ARGUMENT] > 32)
            return fault(command, TF_FAULT_UNDEFINED, "the debugger reads a register that does not exist");
        dr[DR_RESULT] = dr[DR_ARGUMENT] == 32 ? hart->pc : hart->x[dr[DR_ARGUMENT]];
    }
    if (actions & WRITE_REGISTER) {
        if (dr[DR_ARGUMENT] < 1 || dr[DR_ARGUMENT] > 31)
            return fault(command, TF_FAULT_UNDEFINED, "the debugger writes a register that cannot be written");
        hart->x[dr[DR_ARGUMENT]] = dr[DR_DATA];
    }
    if (actions & CLEAR_REGISTERS)
        memset(&hart->x[1], 0, 31 * sizeof hart->x[0]);
    return TF_ACCESS_OK;
}

/* As lw or sw of the paused core: L1, its own local RAM, or what map.c makes of the address. */
static enum tf_access access_memory(const struct command *command, bool store)
{
    struct tf_tile *tile = command->tile;
    uint32_t address = command->dr[DR_ARGUMENT], *data = &command->dr[store ? DR_DATA : DR_RESULT];
    uint32_t local = address - 0xFFB00000u;
    uint8_t *memory = NULL;
    if (address % 4 != 0)
        return fault(command, TF_FAULT_UNDEFINED, "the debugger's memory access is misaligned");
    if (address < tile->arch->l1_bytes)
        memory = tile->l1 + address;
    else if (local < command->hart->local_bytes)
        memory = command->hart->local + local;
    if (memory == NULL) {
        bool pure;
        enum tf_access access = store ? tf_mmio_store(tile, command->hart->core, address, 4, *data)
                                      : tf_mmio_load(tile, command->hart->core, address, 4, data, &pure);
        if (access == TF_ACCESS_BLOCK)
            return fault(command, TF_FAULT_UNSUPPORTED, "the debugger's memory access would wait");
        return TF_ACCESS_OK; /* a fault is the core's, as if it had made the access */
    }
    if (!store) {
        *data = __atomic_load_n((uint32_t *)(void *)memory, __ATOMIC_RELAXED);
        return TF_ACCESS_OK;
    }
    __atomic_store_n((uint32_t *)(void *)memory, *data, __ATOMIC_RELAXED);
    if (address < tile->arch->l1_bytes)
        tf_tile_l1_written(tile, address, 4);
    return TF_ACCESS_OK;
}

/* In slow execution mode the new pc is DR(4), else that of a soft reset. */
static void write_pc(const struct command *command)
{
    command->hart->pc = command->dr[DR_COMMAND] & SLOW_MODE ? command->dr[DR_RESULT]
                                                            : tf_mmio_reset_pc(command->tile, command->hart->core);
}

static enum tf_access act(const struct command *command, uint32_t actions)
{
    if (!paused(command))
        return actions & PAUSE ? pause_core(command) : TF_ACCESS_OK;
    enum tf_access access = access_registers(command, actions);
    if (access == TF_ACCESS_OK && actions & (READ_MEMORY | WRITE_MEMORY))
        access = access_memory(command, actions & WRITE_MEMORY);
    if (access != TF_ACCESS_OK || !paused(command))
        return access;
    if (actions & WRITE_PC)
        write_pc(command);
    else if (actions & STEP && !(actions & RESUME))
        return fault(command, TF_FAULT_UNIMPLEMENTED, "single-stepping through the debug interface");
    if (actions & RESUME) {
        command->tile->mmio.debug.trigger_paused[command->which] = false;
        tf_hart_resume(command->tile, command->hart);
    }
    return TF_ACCESS_OK;
}

static enum tf_access store_modes(const struct command *command, uint32_t modes)
{
    for (unsigned i = 0; i < 8; i++)
        if ((modes >> (4 * i) & 0xF) >= 8 && (modes >> (4 * i) & 0xF) <= 11)
            return fault(command, TF_FAULT_UNIMPLEMENTED, "hardware breakpoints and watchpoints");
    command->dr[DR_MODES] = modes;
    return TF_ACCESS_OK;
}

static enum tf_access store_dr(const struct command *command, unsigned index, uint32_t value)
{
    bool kept = command->tile->mmio.debug.word[TF_DEBUG_DISABLE_RESET / 4] >>
                    (command->hart->core == TF_CORE_B ? 7 : 2 * (command->hart->core - TF_CORE_T0) + 1) & 1;
    if (command->hart->state == TF_CORE_RESET && !kept)
        return TF_ACCESS_OK;
    switch (index) {
    case DR_COMMAND:
        command->dr[DR_COMMAND] = value;
        return act(command, value);
    case DR_MODES:
        return store_modes(command, value);
    case DR_ARGUMENT:
    case DR_DATA:
    case DR_ADDRESSES ... DR_ADDRESSES + 7:
        command->dr[index] = value;
        return TF_ACCESS_OK;
    default: /* DR(0) and DR(4) are read only, the others do not exist */
        return TF_ACCESS_OK;
    }
}

static uint32_t load_dr(const struct command *command, unsigned index)
{
    if (index != DR_STATUS)
        return index < TF_DEBUG_DRS ? command->dr[index] : 0;
    if (!paused(command))
        return 0;
    return command->tile->mmio.debug.trigger_paused[command->which] ? 1 : 1 | 1u << 3;
}

enum tf_access tf_gdb_command(struct tf_tile *tile, unsigned from, uint32_t old)
{
    static const uint8_t cores[TF_DEBUG_CORES] = { TF_CORE_B, TF_CORE_T0, TF_CORE_T1, TF_CORE_T2 };
    uint32_t *word = tile->mmio.debug.word;
    uint32_t control = word[TF_DEBUG_RISC_CNTL_0 / 4];
    unsigned index = control & 0x7FF, which = control >> 17 & 3;
    bool write = control >> 16 & 1;
    uint32_t status = (control & (0x7FF | TRIGGER)) | (uint32_t)write << (13 + which);
    enum tf_access access = TF_ACCESS_OK;
    if (control & ~old & TRIGGER) {
        struct command command = { tile, from, which, &tile->hart[cores[which]], tile->mmio.debug.dr[which] };
        if (write) {
            access = store_dr(&command, index, word[TF_DEBUG_RISC_CNTL_1 / 4]);
        } else {
            word[TF_DEBUG_RISC_STATUS_1 / 4] = load_dr(&command, index);
            status |= DATA_VALID;
        }
    } else {
        status |= word[TF_DEBUG_RISC_STATUS_0 / 4] & DATA_VALID;
    }
    word[TF_DEBUG_RISC_STATUS_0 / 4] = status;
    return access;
}
