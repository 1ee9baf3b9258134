/* SPDX-License-Identifier: Apache-2.0 */
/* A fabric without farm and harts: requests are kept until delivered, faults and register accesses are noted. */
#ifndef TESTS_NOC_FIXTURE_H
#define TESTS_NOC_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "noc/noc.h"
#include "random.h"
#include "tile/arch.h"

#define FX_KEPT 4096u
#define FX_REGISTER_BYTES 0x1000u

struct fx_fault {
    unsigned count;
    unsigned core;
    uint32_t pc;
    uint64_t cycle, address;
    enum tf_fault_category category;
    char text[200];
};

struct fx {
    struct tf_fabric fabric;
    struct tf_tile tiles[TF_TILES_MAX];
    uint8_t *l1;
    void *sent; /* of the fabric */
    struct tf_noc_sink sink;
    struct tf_noc_request *request[FX_KEPT];
    struct tf_noc_response *response[FX_KEPT];
    unsigned requests, responses;
    void *kept[4 * FX_KEPT];
    unsigned allocations;
    bool out_of_memory;
    unsigned memory_for; /* when not 0: out of memory after so many requests and responses */
    struct fx_fault fault, hazard;
    uint32_t registers[FX_REGISTER_BYTES / 4]; /* of every tile alike: 0xFFB12000 on */
    const char *register_why;                  /* refuses when set */
    unsigned firmware_reads, firmware_writes;  /* calls of tf_eth_host_read() and tf_eth_host_wrote() */
};

/* The one that the fakes report to: set up by fx_setup(), of this thread. */
struct fx *fx_new(enum tf_mode mode, enum tf_atomics atomics);
struct fx *fx_new_of(const struct tf_arch *arch, enum tf_mode mode, enum tf_atomics atomics);
void fx_free(struct fx *fx);

int fx_setup(void **state);
int fx_teardown(void **state);

struct tf_node *fx_node(struct fx *fx, unsigned x, unsigned y);
struct tf_niu *fx_niu(struct fx *fx, unsigned x, unsigned y, unsigned noc);

void fx_store(struct tf_niu *niu, uint32_t offset, uint32_t value);
uint32_t fx_load(struct tf_niu *niu, uint32_t offset);
uint32_t fx_counter(struct tf_niu *niu, unsigned index);

#define FX_XY(x, y) ((uint32_t)(x) | (uint32_t)(y) << 6)
#define FX_RECT(x0, y0, x1, y1) (FX_XY(x1, y1) | FX_XY(x0, y0) << 12)

/* NOC_CTRL bits. */
enum {
    FX_READ = 0,
    FX_ATOMIC = 1,
    FX_WRITE = 2,
    FX_BE = 1 << 2,
    FX_INLINE = 1 << 3,
    FX_RESP = 1 << 4,
    FX_BRCST = 1 << 5,
    FX_BRCST_Y = 1 << 16,
    FX_SRC_INCLUDE = 1 << 17,
};

/* Registers of a request; fx_command() writes them to initiator i and then NOC_CMD_CTRL, from core at pc 0x1234. */
struct fx_regs {
    uint64_t targ, ret, length;
    uint32_t targ_hi, ret_hi, tag, ctrl, data, exclude;
};

enum tf_access fx_command_from(struct tf_niu *niu, unsigned i, const struct fx_regs *regs, unsigned core);
enum tf_access fx_command(struct tf_niu *niu, unsigned i, const struct fx_regs *regs);

/* Sources of long writes are captured, requests act in the order of issue, responses land in that order. */
void fx_capture(struct fx *fx);
void fx_act(struct fx *fx);
void fx_land(struct fx *fx);
void fx_deliver(struct fx *fx);

/* Fills with a pattern that depends on the seed. */
void fx_fill(uint8_t *data, uint32_t bytes, uint32_t seed);

/* A tile with data in a window of its memory, and RTZ_CFG set in its NIUs. */
void fx_prepare_tile(struct fx *fx, struct tf_coord at, uint32_t begin, uint32_t bytes);

/* The last fault says these words, and there has been one. */
void fx_assert_fault(struct fx *fx, const char *words);

#endif
