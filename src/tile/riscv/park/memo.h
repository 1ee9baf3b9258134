/* SPDX-License-Identifier: Apache-2.0 */
/* Remembered loops (struct tf_loop in hart.h), and what they share with probes. Only for park.c and park_loop.c. */
#ifndef TILE_RISCV_PARK_LOOP_H
#define TILE_RISCV_PARK_LOOP_H

#include "tile/riscv/exec.h"
#include "tile/riscv/page.h"
#include "tile/riscv/park/skip.h"

/* The hart has parked after a probe: note its period, if it is a loop to be recognised. */
void tf_loop_remember(struct tf_park *park);

/*
 * A probe that began after a control transfer has ended at an effect, the last of count instructions at
 * these addresses, whose code has not changed meanwhile: note the way there, if it is one to be recognised, to a store.
 */
void tf_path_remember(struct tf_tile *tile, struct tf_hart *hart, const uint32_t *pc, unsigned count);

/*
 * After a control transfer, where a probe begins: would it end as an earlier one did that began here? Then the hart has
 * executed all but the store, which is certain to retire.
 */
bool tf_path_recall(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* Registers that instructions read before they write them, as bits, and in *written those that they write. All, for
   what is not told apart. */
uint32_t tf_loop_live(const struct tf_rv_insn *insn, unsigned count, uint32_t *written);

/* MADD, MSUB, NMSUB, NMADD and OP-FP among the opcodes: what computes with f. */
static inline bool tf_park_floats(const struct tf_rv_insn *insn)
{
    return (insn->word & 0x60u) == 0x40u;
}

/* The instruction at an address in L1; *page: where the last one was, or NULL. NULL: no memory. */
static inline const struct tf_rv_insn *tf_park_insn(struct tf_tile *tile, uint32_t pc, struct tf_code_page **page)
{
    unsigned index = pc / 4 % TF_CODE_WORDS;
    if (*page == NULL || pc - (*page)->base >= TF_CODE_PAGE_BYTES) {
        *page = tf_code_page_make(tile, pc);
        if (*page == NULL)
            return NULL;
    }
    if ((*page)->op[index].stale)
        tf_code_refresh(tile, *page, index);
    return &(*page)->insn[index];
}

/* Find where the value of so many bytes at an address lies. False: not in memory, or across two words. */
static inline bool tf_watch_memory(struct tf_tile *tile, const struct tf_hart *hart, struct tf_watch *watch)
{
    uint8_t *data;
    if (watch->address % watch->size != 0)
        return false;
    if (watch->address < tile->arch->l1_bytes)
        data = tile->l1 + watch->address;
    else if (!tf_exec_memory(tile, hart, watch->address, watch->size, &data))
        return false;
    unsigned within = watch->address % 4;
    watch->at = (const uint32_t *)(const void *)(data - within);
    watch->mask = UINT32_MAX >> (32 - 8 * watch->size);
    watch->shift = (uint8_t)(8 * within);
    return true;
}

/* Likewise, or in a register that is read without further ado. */
static inline bool tf_watch_place(struct tf_tile *tile, const struct tf_hart *hart, struct tf_watch *watch)
{
    if (tf_watch_memory(tile, hart, watch))
        return true;
    watch->mask = UINT32_MAX;
    watch->shift = 0;
    watch->at = watch->size == 4 ? tf_port_word(&tile->port, watch->address) : NULL;
    return watch->at != NULL;
}

/* Into a list with room for so many. False: no room, or the same place has another value there. */
static inline bool tf_watch_add(struct tf_watch *list, uint8_t *count, unsigned room, const struct tf_watch *what)
{
    for (unsigned i = 0; i < *count; i++)
        if (list[i].address == what->address && list[i].size == what->size)
            return list[i].value == what->value;
    if (*count == room)
        return false;
    list[(*count)++] = *what;
    return true;
}

#endif
