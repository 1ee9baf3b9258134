/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/timed/trail.h"

#include <string.h>

#include "tile/riscv/hart/pure.h"
#include "tile/riscv/timed/wait.h"
#include "tile/state.h"
#include "tile/tensix/state.h"
#include "tilefarm_address.h"

_Static_assert((unsigned)TF_TIMES <= TF_PATH_ROWS && (unsigned)TF_PATH_KINDS_OF_SYSTEM <= TF_PATH_ROWS,
               "what is a byte");
_Static_assert((unsigned)TF_TILE_CORES == TF_PATH_CORES, "a node for each core");

static enum tf_window_id window_of(const struct tf_tile *tile, uint32_t address)
{
    return address < tile->arch->l1_bytes ? TF_AT_NOTHING : tf_map_find(tile->arch->map, address);
}

/* The core that a mailbox has its name from: B, T0, T1, T2 (TF_MAILBOX_OF()). TF_PATH_CORES: none. */
static unsigned core_of_mailbox(uint32_t address)
{
    const uint32_t number = (address - TF_MAILBOX_BASE) / TF_MAILBOX_BYTES;
    return number == 0 ? TF_CORE_B : number <= TF_PATH_THREADS ? TF_CORE_T0 + number - 1 : TF_PATH_CORES;
}

/* The thread of the coprocessor whose FIFO, or whose end, a core's address is about. TF_PATH_THREADS: none. */
static unsigned thread_of(const struct tf_hart *hart, enum tf_window_id window)
{
    const bool pushes = window >= TF_AT_PUSH0 && window <= TF_AT_PUSH2;
    const bool syncs = window >= TF_AT_PCBUF0 && window <= TF_AT_PCBUF2;
    if (!pushes && !syncs)
        return TF_PATH_THREADS;
    if (hart->core >= TF_CORE_T0)
        return hart->core - TF_CORE_T0;
    return pushes ? (unsigned)(window - TF_AT_PUSH0) : (unsigned)(window - TF_AT_PCBUF0);
}

/* Who ended the wait of an access that was blocked. NULL: not known. */
static struct tf_path_node *freed_by(const struct tf_tile *tile, struct tf_path *path, const struct tf_hart *hart,
                                     const struct tf_rv_insn *insn)
{
    const enum tf_exec_kind kind = tf_exec_kind[insn->id];
    if (kind == TF_EXEC_PUSH)
        return tf_path_past(&path->thread[hart->core - TF_CORE_T0]);
    if (kind != TF_EXEC_LOAD && kind != TF_EXEC_STORE)
        return NULL;
    const uint32_t address = hart->x[insn->rs1] + (uint32_t)insn->imm;
    const enum tf_window_id window = window_of(tile, address);
    const unsigned from = core_of_mailbox(address);
    if (window == TF_AT_MAILBOX && kind == TF_EXEC_LOAD && from < TF_PATH_CORES)
        return tf_path_ref(path->mailed[hart->core][from]);
    const unsigned t = thread_of(hart, window);
    return t < TF_PATH_THREADS ? tf_path_past(&path->thread[t]) : NULL;
}

/* The first instruction of a core. */
static void begin(struct tf_path *path, unsigned core, uint64_t cycle)
{
    const bool released = path->released != NULL && path->released->end <= cycle;
    struct tf_path_node *parent = released ? path->released : path->start;
    path->core[core] = tf_path_new_at(path, parent, TF_PATH_AT_CORE, core);
}

void tf_trail_comes(struct tf_tile *tile, struct tf_hart *hart, struct tf_path *path, const struct tf_rv_insn *insn,
                    enum tf_spent waited)
{
    struct tf_path_node **present = &path->core[hart->core];
    const struct tf_core_timing *timing = &tile->timing->core[hart->core];
    memcpy(path->before, timing->spent, sizeof timing->spent);
    const bool first = *present == NULL;
    if (first)
        begin(path, hart->core, hart->cycle);
    if (*present == NULL) {
        path->lost = true;
        return;
    }
    if (!first && hart->cycle > (*present)->end && (waited == TF_SPENT_FIFO || waited == TF_SPENT_SYNC)) {
        struct tf_path_node *cause = freed_by(tile, path, hart, insn);
        tf_path_follow(present, cause, (*present)->end, hart->cycle);
        tf_path_unref(cause);
    }
    path->lost |= !tf_path_spend(*present, first ? (uint8_t)TF_PATH_START : (uint8_t)waited, 0, hart->pc, hart->cycle);
}

void tf_trail_pass(struct tf_path *path, const struct tf_core_timing *timing, unsigned core, uint32_t pc)
{
    struct tf_path_node *node = path->core[core];
    if (node == NULL)
        return;
    for (unsigned row = 0; row < TF_TIMES; row++)
        if (timing->spent[row] != path->before[row])
            path->lost |= !tf_path_spend(node, (uint8_t)(TF_PATH_ROWS + row), 0, pc,
                                         node->end + timing->spent[row] - path->before[row]);
    memcpy(path->before, timing->spent, sizeof timing->spent);
}

/* --- polls --- */

/* What a load has read, as it may be compared with a later one. */
static uint32_t loaded(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_rv_insn *insn,
                       const struct tf_path_watch *watch)
{
    return watch->window == TF_AT_NOTHING ? tf_path_l1_value(tile->l1, watch->address, watch->bytes)
                                          : hart->x[insn->rd];
}

static struct tf_path_watch *watch_of(struct tf_path *path, unsigned core, uint32_t pc, uint32_t address)
{
    for (unsigned i = 0; i < TF_PATH_WATCHES; i++) {
        struct tf_path_watch *watch = &path->watch[core][i];
        if (watch->bytes != 0 && watch->pc == pc && watch->address == address)
            return watch;
    }
    return NULL;
}

static void poll(struct tf_tile *tile, struct tf_hart *hart, struct tf_path *path, const struct tf_rv_insn *insn,
                 const struct tf_timed *timed)
{
    struct tf_path_node **present = &path->core[hart->core];
    const uint64_t now = (*present)->end;
    struct tf_path_watch *watch = watch_of(path, hart->core, timed->pc, timed->address);
    if (watch == NULL) {
        watch = &path->watch[hart->core][path->next_watch[hart->core]++ % TF_PATH_WATCHES];
        tf_path_unref(watch->cause);
        *watch = (struct tf_path_watch){.pc = timed->pc,
                                        .address = timed->address,
                                        .bytes = (uint8_t)tf_exec_size(insn),
                                        .window = (uint8_t)window_of(tile, timed->address),
                                        .loaded = now};
        watch->value = loaded(tile, hart, insn, watch);
        path->watching |= (uint8_t)(1u << hart->core);
        return;
    }
    const uint32_t value = loaded(tile, hart, insn, watch);
    if (value != watch->value && tf_path_follow(present, watch->cause, watch->loaded, now))
        path->lost |= !tf_path_spend(*present, (uint8_t)tf_timed_wait_at(tile, timed->address), 0, timed->pc, now);
    watch->value = value;
    watch->loaded = now;
    tf_path_set(&watch->cause, NULL);
}

/* The core has done something: what it loaded before is no round of a poll. */
static void forget(struct tf_path *path, unsigned core)
{
    if ((path->watching >> core & 1) == 0)
        return;
    for (unsigned i = 0; i < TF_PATH_WATCHES; i++) {
        tf_path_unref(path->watch[core][i].cause);
        path->watch[core][i] = (struct tf_path_watch){.bytes = 0};
    }
    path->watching &= (uint8_t) ~(1u << core);
}

/* --- effects --- */

static void note(struct tf_path *path, struct tf_path_node **at, unsigned core)
{
    struct tf_path_node *past = tf_path_past(&path->core[core]);
    path->lost |= past == NULL;
    tf_path_set(at, past);
}

static void pushed(struct tf_path *path, unsigned core, unsigned t, uint32_t pc)
{
    struct tf_path_push *push = &path->push[t][path->next_push[t]++ % TF_PATH_PUSHES];
    push->pc = pc;
    note(path, &push->by, core);
}

/* The core has stored to a register. */
static void set(struct tf_tile *tile, struct tf_hart *hart, struct tf_path *path, const struct tf_timed *timed)
{
    const enum tf_window_id window = window_of(tile, timed->address);
    const unsigned t = thread_of(hart, window);
    if (window >= TF_AT_PUSH0 && window <= TF_AT_PUSH2) {
        pushed(path, hart->core, t, timed->pc);
        return;
    }
    const unsigned to = core_of_mailbox(timed->address);
    if (window == TF_AT_MAILBOX && to < TF_PATH_CORES)
        note(path, &path->mailed[to][hart->core], hart->core);
    if (window == TF_AT_DEBUG)
        note(path, &path->released, hart->core);
    for (unsigned i = 0; tile->tensix != NULL && i < TF_PATH_CHANGES; i++)
        if ((tile->tensix->events >> i & 1) != 0)
            note(path, &path->changed[i], hart->core);
    tf_path_wrote_window(path, hart->core, window, &path->core[hart->core]);
}

void tf_trail_executed(struct tf_tile *tile, struct tf_hart *hart, struct tf_path *path, const struct tf_rv_insn *insn,
                       const struct tf_timed *timed)
{
    const enum tf_exec_kind kind = tf_exec_kind[insn->id];
    if (path->core[hart->core] == NULL || timed->address - TF_LOCAL_BASE < hart->local_bytes)
        return;
    if (kind == TF_EXEC_LOAD) {
        poll(tile, hart, path, insn, timed);
    } else if (kind == TF_EXEC_PUSH) {
        pushed(path, hart->core, hart->core - TF_CORE_T0, timed->pc);
        forget(path, hart->core);
    } else if (kind == TF_EXEC_STORE || kind == TF_EXEC_AMO) {
        forget(path, hart->core);
        if (timed->address < tile->arch->l1_bytes)
            tf_path_wrote_l1(path, tile->l1, hart->core, timed->address, tf_exec_size(insn), &path->core[hart->core]);
        else
            set(tile, hart, path, timed);
    }
}
