/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cores' debug interface. Source: WormholeB0/TensixTile/BabyRISCV/DebugInterface.md. A core pauses after the
 * instruction that has hit a breakpoint or watchpoint, as in the page's slow execution mode.
 */
#include "tile/mmio/core_debug.h"

#include <string.h>

#include "tile/mmio/reset.h"
#include "tile/state.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/code/insn.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/hart/access_fault.h"
#include "tile/riscv/hart/memory.h"
#include "tile/riscv/hart/observed.h"
#include "tile/tensix/configure/config.h"

enum {
    DR_STATUS = 0,
    DR_COMMAND = 1,
    DR_ARGUMENT = 2, /* a register number or an address */
    DR_DATA = 3,
    DR_RESULT = 4,
    DR_MODES = 5, /* modes of eight breakpoints and watchpoints, 4 bits each */
    DR_ADDRESSES = 10,
};

/* Bits of DR(0). Those of the eight points follow. */
enum {
    PAUSED = 1u << 0,
    AT_BREAKPOINT = 1u << 1,
    AT_WATCHPOINT = 1u << 2,
    AT_EBREAK = 1u << 3,
};
#define AT_POINT(i) (1u << (8 + (i)))
#define POINTS 8u

/* A point's mode is a breakpoint, or a watchpoint with bits for what it watches. */
#define MODE_BREAK 8u
#define MODE_LOADS 1u
#define MODE_STORES 2u

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

/* DISABLE_RISC_BP in Wormhole's configuration: a bit for B, then one for each T core. */
enum { PREDICTORS = 2, PREDICTOR_OFF = 22 };

/* Bits of RISC_DBG_STATUS_0. */
#define DATA_VALID (1u << 30)
#define TRIGGER (1u << 31)

/* The debugger's command, and the initiator of its faults. */
struct command {
    struct tf_tile *tile;
    unsigned from;
    unsigned which; /* index of the core among those with the interface */
    struct tf_hart *hart;
    uint32_t *dr;
};

static enum tf_access fault(const struct command *command, enum tf_fault_category category, const char *why)
{
    return tf_mmio_fault(command->tile, command->from, category, TF_DEBUG_BASE + TF_DEBUG_RISC_CNTL_0, why);
}

static bool paused(const struct command *command)
{
    return command->hart->state == TF_CORE_PAUSED && !command->tile->mmio.debug.stop[command->which].locked;
}

/* Find the core with a number in this interface. The page gives no numbers of E cores, but says that they have the
   registers. */
static struct tf_hart *hart_of(struct tf_tile *tile, unsigned which)
{
    static const uint8_t core[TF_TILE_KINDS_ALL][TF_DEBUG_CORES] = {
        [TF_TILE_TENSIX] = {TF_CORE_B, TF_CORE_T0, TF_CORE_T1, TF_CORE_T2},
        [TF_TILE_ETH] = {0, 1, TF_CORE_NONE, TF_CORE_NONE},
        [TF_TILE_DRAM] = {0, TF_CORE_NONE, TF_CORE_NONE, TF_CORE_NONE},
    };
    unsigned number = core[tile->arch->kind][which];
    return number >= tile->arch->cores ? NULL : &tile->hart[number];
}

/* The number of a core; TF_DEBUG_CORES if it has no debug interface. */
static unsigned which_of(struct tf_tile *tile, unsigned core)
{
    unsigned which = 0;
    while (which < TF_DEBUG_CORES && hart_of(tile, which) != &tile->hart[core])
        which++;
    return which;
}

static unsigned mode_of(const uint32_t *dr, unsigned point)
{
    return dr[DR_MODES] >> (4 * point) & 0xF;
}

/*
 * DebugInterface.md, "Slow execution mode": the predictor of branches is to be off, or it conflicts. tt-exalens shows
 * how (test_bne_with_debug_fail): a branch that was taken before is taken again where it should not be. Cores of an
 * Ethernet tile cannot switch theirs off, and nobody shows what they do.
 */
static bool mispredicts(const struct tf_tile *tile, unsigned which)
{
    if (!tile->arch->debug_bugs || tile->tensix == NULL || !(tile->mmio.debug.dr[which][DR_COMMAND] & SLOW_MODE))
        return false;
    return !(tf_config_word(tile->tensix, 0, PREDICTORS) >> (PREDICTOR_OFF + which) & 1);
}

/* Modes 8 to 11 enable the point. */
static void watch(struct tf_tile *tile, unsigned which)
{
    const struct tf_debug *debug = &tile->mmio.debug;
    bool watched = debug->stop[which].step || mispredicts(tile, which);
    for (unsigned i = 0; i < POINTS && !watched; i++)
        watched = mode_of(debug->dr[which], i) >> 2 == 2;
    tf_hart_watch(hart_of(tile, which), watched);
}

static void pause_for(struct tf_tile *tile, unsigned which, struct tf_hart *hart, unsigned cause)
{
    tf_hart_pause(tile, hart);
    tile->mmio.debug.stop[which].cause = (uint16_t)cause;
    tile->mmio.debug.stop[which].step = false;
    watch(tile, which);
}

/* Stop the core before its next instruction. For a waiting core, that is the instruction in which it waits. slow: it
   was in slow execution mode before. */
static enum tf_access pause_core(const struct command *command, bool slow)
{
    struct tf_hart *hart = command->hart;
    if (command->from == hart->core)
        return fault(command, TF_FAULT_UNSUPPORTED, "a core pauses itself through its debug interface");
    if (hart->state == TF_CORE_RUNNING || hart->state == TF_CORE_BLOCKED || hart->state == TF_CORE_PARKED) {
        pause_for(command->tile, command->which, hart, PAUSED);
        command->tile->mmio.debug.stop[command->which].filled = !slow;
    }
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
            return fault(command, TF_FAULT_UNDEFINED, "the debugger writes a read-only register");
        hart->x[dr[DR_ARGUMENT]] = dr[DR_DATA];
    }
    if (actions & CLEAR_REGISTERS)
        memset(&hart->x[1], 0, 31 * sizeof hart->x[0]);
    return TF_ACCESS_OK;
}

/* Perform a lw or sw of the paused core: to L1, its own local RAM, or a register (map.c). */
static enum tf_access access_memory(const struct command *command, bool store)
{
    struct tf_tile *tile = command->tile;
    uint32_t address = command->dr[DR_ARGUMENT], *data = &command->dr[store ? DR_DATA : DR_RESULT];
    uint8_t *memory;
    if (address % 4 != 0)
        return fault(command, TF_FAULT_UNDEFINED, "the debugger's memory access is misaligned");
    if (!tf_hart_memory(tile, command->hart, address, 4, &memory)) {
        bool pure;
        enum tf_access access = store ? tile->mmio.bus->store(tile, command->hart->core, address, 4, *data)
                                      : tile->mmio.bus->load(tile, command->hart->core, address, 4, data, &pure);
        if (access == TF_ACCESS_BLOCK)
            return fault(command, TF_FAULT_UNSUPPORTED, "the debugger's memory access would have to wait");
        return TF_ACCESS_OK; /* a fault is recorded for the core */
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

/*
 * In slow execution mode the new pc is DR(3), otherwise that of a soft reset. The page names DR(4), which is read-only.
 * tt-exalens uses DR(3) on Blackhole (hardware/baby_risc_debug.py, flush()).
 */
static void write_pc(const struct command *command)
{
    command->hart->pc = command->dr[DR_COMMAND] & SLOW_MODE ? command->dr[DR_DATA]
                                                            : tf_mmio_reset_pc(command->tile, command->hart->core);
}

enum { OPCODE = 0x7F, LOAD = 0x03, BRANCH = 0x63, JUMP = 0x6F, JUMP_TO_REGISTER = 0x67 };
#define UNDER_WAY 8u /* instructions that the retire-order queue holds */

static uint32_t jump_offset(uint32_t word)
{
    return (word >> 31 ? 0xFFF00000u : 0) | (word & 0xFF000) | (word >> 9 & 0x800) | (word >> 20 & 0x7FE);
}

static uint32_t branch_offset(uint32_t word)
{
    return (word >> 31 ? 0xFFFFF000u : 0) | (word << 4 & 0x800) | (word >> 20 & 0x7E0) | (word >> 7 & 0x1E);
}

/* Is there a load among the next eight instructions, other than the first? Branches that go back count as taken. */
static bool loads_under_way(const struct tf_tile *tile, const struct tf_hart *hart)
{
    uint32_t pc = hart->pc;
    for (unsigned i = 0; i < UNDER_WAY && tf_code_fetches(tile, hart, pc); i++) {
        uint32_t word = tf_code_word(tile, pc), opcode = word & OPCODE;
        if (opcode == JUMP_TO_REGISTER || (opcode == LOAD && i > 0))
            return opcode == LOAD;
        bool jumps = opcode == JUMP || (opcode == BRANCH && word >> 31);
        pc += !jumps ? 4 : opcode == JUMP ? jump_offset(word) : branch_offset(word);
    }
    return false;
}

/* DebugInterface.md, "Resuming execution": loads in the retire-order queue make it unsafe. A core in slow execution
   mode has one instruction there. tt-exalens shows the outcome (test_core_lockup): the core does nothing more. */
static bool locks_up(const struct command *command)
{
    const struct tf_tile *tile = command->tile;
    return tile->arch->debug_bugs && tile->mmio.debug.stop[command->which].filled &&
           !(command->dr[DR_COMMAND] & SLOW_MODE) && loads_under_way(tile, command->hart);
}

/* If step is set, the core pauses again after the next instruction. */
static void resume(const struct command *command, bool step)
{
    struct tf_tile *tile = command->tile;
    if (locks_up(command)) {
        tile->mmio.debug.stop[command->which].locked = true;
        return;
    }
    tile->mmio.debug.stop[command->which].cause = 0;
    tile->mmio.debug.stop[command->which].step = step;
    tile->mmio.debug.stop[command->which].half_stepped = false;
    tile->mmio.debug.stop[command->which].filled = false;
    watch(tile, command->which);
    tf_hart_resume(tile, command->hart);
}

/* Blackhole takes two step commands for one instruction (tt-exalens, hardware/blackhole/baby_risc_debug.py, step()). */
static void step(const struct command *command)
{
    bool *half = &command->tile->mmio.debug.stop[command->which].half_stepped;
    *half = !*half && !command->tile->arch->single_step;
    if (!*half)
        resume(command, true);
}

static enum tf_access act(const struct command *command, uint32_t actions, bool slow)
{
    if (!paused(command))
        return actions & PAUSE ? pause_core(command, slow) : TF_ACCESS_OK;
    enum tf_access access = access_registers(command, actions);
    if (access == TF_ACCESS_OK && actions & (READ_MEMORY | WRITE_MEMORY))
        access = access_memory(command, actions & WRITE_MEMORY);
    if (access != TF_ACCESS_OK || !paused(command))
        return access;
    if (actions & WRITE_PC) {
        write_pc(command); /* what was under way is aborted */
        command->tile->mmio.debug.stop[command->which].filled = false;
    }
    if (actions & RESUME)
        resume(command, false);
    else if (actions & STEP && !(actions & WRITE_PC))
        step(command);
    return TF_ACCESS_OK;
}

static enum tf_access store_dr(const struct command *command, unsigned index, uint32_t value)
{
    if (command->hart->state == TF_CORE_RESET && !tf_debug_keeps_registers(command->tile, command->hart->core))
        return TF_ACCESS_OK;
    switch (index) {
    case DR_COMMAND: {
        bool slow = command->dr[DR_COMMAND] & SLOW_MODE;
        command->dr[DR_COMMAND] = value;
        return act(command, value, slow);
    }
    case DR_MODES:
        command->dr[DR_MODES] = value;
        watch(command->tile, command->which);
        return TF_ACCESS_OK;
    case DR_ARGUMENT:
    case DR_DATA:
    case DR_ADDRESSES ... DR_ADDRESSES + 7: command->dr[index] = value; return TF_ACCESS_OK;
    default: /* DR(0) and DR(4) are read-only; the others do not exist */ return TF_ACCESS_OK;
    }
}

static uint32_t load_dr(const struct command *command, unsigned index)
{
    if (index != DR_STATUS)
        return index < TF_DEBUG_DRS ? command->dr[index] : 0;
    if (!paused(command))
        return 0;
    unsigned cause = command->tile->mmio.debug.stop[command->which].cause;
    return PAUSED | (cause == 0 ? AT_EBREAK : cause);
}

/* Find the points that an instruction hits, in the layout of DR(0). */
static unsigned hits(const uint32_t *dr, const struct tf_retired *retired)
{
    unsigned hit = 0;
    for (unsigned i = 0; i < POINTS; i++) {
        unsigned mode = mode_of(dr, i);
        uint32_t address = dr[DR_ADDRESSES + i];
        if (mode >> 2 != 2)
            continue;
        if (mode == MODE_BREAK)
            hit |= address == retired->pc ? AT_BREAKPOINT | AT_POINT(i) : 0;
        else if (address - retired->address < retired->bytes &&
                 ((mode & MODE_LOADS && retired->loads) || (mode & MODE_STORES && retired->stores)))
            hit |= AT_WATCHPOINT | AT_POINT(i);
    }
    return hit;
}

/* The core goes where its predictor wants. */
static void predict(struct tf_tile *tile, unsigned which, struct tf_hart *hart, uint32_t pc)
{
    uint32_t word = tf_code_fetches(tile, hart, pc) ? tf_code_word(tile, pc) : 0,
             *taken = &tile->mmio.debug.taken[which];
    if ((word & OPCODE) != BRANCH)
        return;
    if (hart->pc != pc + 4)
        *taken = pc;
    else if (*taken == pc)
        hart->pc = pc + branch_offset(word);
}

void tf_core_debug_retired(struct tf_tile *tile, unsigned core, const struct tf_retired *retired)
{
    unsigned which = which_of(tile, core);
    if (which == TF_DEBUG_CORES)
        return;
    struct tf_hart *hart = hart_of(tile, which);
    if (mispredicts(tile, which))
        predict(tile, which, hart, retired->pc);
    unsigned cause = hits(tile->mmio.debug.dr[which], retired);
    bool stepped = tile->mmio.debug.stop[which].step;
    if (cause == 0 && !stepped)
        return;
    if (hart->state == TF_CORE_PAUSED)
        cause |= AT_EBREAK;
    pause_for(tile, which, hart, PAUSED | cause);
}

void tf_core_debug_reset(struct tf_tile *tile, unsigned core)
{
    unsigned which = which_of(tile, core);
    struct tf_debug *debug = &tile->mmio.debug;
    if (which == TF_DEBUG_CORES)
        return;
    memset(&debug->stop[which], 0, sizeof debug->stop[which]);
    debug->taken[which] = 0;
    if (!tf_debug_keeps_registers(tile, core))
        memset(debug->dr[which], 0, sizeof debug->dr[which]);
    watch(tile, which);
}

enum tf_access tf_core_debug_command(struct tf_tile *tile, unsigned from, uint32_t old)
{
    uint32_t *word = tile->mmio.debug.word;
    uint32_t control = word[TF_DEBUG_RISC_CNTL_0 / 4];
    unsigned index = control & 0x7FF, which = control >> 17 & 3;
    bool write = control >> 16 & 1;
    uint32_t status = (control & (0x7FF | TRIGGER)) | (uint32_t)write << (13 + which);
    enum tf_access access = TF_ACCESS_OK;
    if (control & ~old & TRIGGER) {
        struct command command = {tile, from, which, hart_of(tile, which), tile->mmio.debug.dr[which]};
        if (write) {
            if (command.hart != NULL)
                access = store_dr(&command, index, word[TF_DEBUG_RISC_CNTL_1 / 4]);
        } else {
            word[TF_DEBUG_RISC_STATUS_1 / 4] = command.hart != NULL ? load_dr(&command, index) : 0;
            status |= DATA_VALID;
        }
    } else {
        status |= word[TF_DEBUG_RISC_STATUS_0 / 4] & DATA_VALID;
    }
    word[TF_DEBUG_RISC_STATUS_0 / 4] = status;
    return access;
}
