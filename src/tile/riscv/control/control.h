/* SPDX-License-Identifier: Apache-2.0 */
/* Reset, pause, watch and wake a hart from outside. Thread: the one that runs the tile, or the host while none does. */
#ifndef TILE_RISCV_CONTROL_CONTROL_H
#define TILE_RISCV_CONTROL_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

struct tf_hart;
struct tf_tile;

/* Put a hart into reset, which keeps only its time; release it at pc, at cycle `cycle`. Called for the soft reset
   register and for the host. */
void tf_hart_reset(struct tf_tile *tile, struct tf_hart *hart);
void tf_hart_release(struct tf_tile *tile, struct tf_hart *hart, uint32_t pc, uint64_t cycle);

/* Pause a hart for the debugger; resume it. x, f and pc of a paused hart may be read and written. */
void tf_hart_pause(struct tf_tile *tile, struct tf_hart *hart);
void tf_hart_resume(struct tf_tile *tile, struct tf_hart *hart);

/* From the hart's next turn on, let the debug interface check after each instruction (true), or stop that (false). */
void tf_hart_watch(struct tf_hart *hart, bool watched);

/* From the next instruction on, let loads ask the tag search accelerator (true), or stop that (false). */
void tf_hart_search(struct tf_tile *tile, struct tf_hart *hart, bool searches);

/* A parked hart polls registers that do not change before `cycle`: count its polls up to that cycle, and let it run
   again. */
void tf_hart_wake_poller(struct tf_tile *tile, struct tf_hart *hart, uint64_t cycle);

/* Let the hart start no probe before that cycle. */
void tf_hart_delay_probe(struct tf_hart *hart, uint64_t cycle);

#endif
