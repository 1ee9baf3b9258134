/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of random steps for the cores of one tile, which act on each other and the coprocessor by registers. */
#ifndef STRESS_TILE_STEPS_H
#define STRESS_TILE_STEPS_H

#include "rv_emit.h"
#include "tilefarm/tilefarm_base.h"
#include "addresses.h"

#define CODE_WORDS 1024u
#define CODE_AT(core) (0x4000u + 0x4000u * (core))
#define DATA_AT(core) (0x20000u + 0x4000u * (core))
#define SENDS TF_TILE_CORES /* a core number for the program of another tile's B, which sends requests to this tile */

enum { X_VALUE = 5, X_ADDRESS = 6, X_COUNT = 7, X_DATA = 8, X_TIME = 9 };

#define STREAM(s) (TF_STREAM_BASE + 0x1000 * (s) + 4 * 31)
#define PUSH_CTRL0 DEBUG_AT(PUSH_CTRL0) /* INSTRN_BUF_CTRL0: takes a FIFO from its core, and pushes INSTRN_BUF_CTRL1 */
#define PUSH_CTRL1 DEBUG_AT(PUSH_CTRL1)

#define GPRS 64u
#define COUNT_UP (0x58800000u | 1 << 6) /* ADDDMAREG: GPR 0 += 1 */
#define TRISC_SYNC 56u                  /* word of thread configuration that switches Auto TTSync on and off */

/* SETDMAREG of the lower or upper half; STOREREG. */
uint32_t set_gpr(uint32_t gpr, uint32_t half, uint32_t value);
uint32_t storereg(uint32_t gpr, uint32_t address);

/* The address of a semaphore. */
uint32_t semaphore(struct dice *dice);

void store_to(struct code *code, uint32_t address, uint32_t value);

/* Have the thread of a T core store a word, by STOREREG of the last GPR. */
void thread_stores(struct code *code, uint32_t address, uint32_t value);

/* The same by STOREIND, whose address is in the GPR before. */
void thread_stores_at(struct code *code, uint32_t address, uint32_t value);

/* Load a word, and keep what it had. */
void load_from(struct code *code, uint32_t address);

/* Keep the cycle. */
void keep_time(struct code *code);

void delay(struct code *code, uint32_t rounds);

/* Push words, through the store window or as instructions; more than the FIFO holds, at times. */
void push(struct code *code, struct dice *dice, unsigned core);

/* Set up a MOP of its own, of words that wait for nothing. */
void configure_mop(struct code *code, struct dice *dice);

/* Poll for ever: a stream's register, which another core or the coprocessor may set; whether a mailbox holds anything,
   which nothing but a core's store can change. */
void wait_for_stream(struct code *code, struct dice *dice);
void wait_for_mailbox(struct code *code, struct dice *dice);

/* Data of random steps, and so many of them. debugged: the debug bus pushes for T2, and T2 itself does not push. */
void begin_program(struct code *code, struct dice *dice, unsigned core, bool debugged);
void random_steps(struct code *code, struct dice *dice, unsigned core, bool debugged, unsigned steps);

#endif
