/* SPDX-License-Identifier: Apache-2.0 */
/* One link of a system, whose queues the host uses by their registers. */
#ifndef TEST_SYSTEM_LINKS_H
#define TEST_SYSTEM_LINKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tilefarm/tilefarm_links.h"
#include "tilefarm/tilefarm_system_run.h"

struct system_wish;

/* Ends of the first link of the system. */
enum { NEAR, FAR };

enum { WORMHOLE, BLACKHOLE };
extern const char *const systems[2];

struct link {
    struct tf_system *system;
    struct tf_chip *chip[2];
    struct tf_coord at[2];
    unsigned family;
};

/* Registers of queues. RX_BYTES and RX_STARTED are Blackhole's. */
enum {
    TX_CONTROL = 0x00,
    TX_COMMAND = 0x04,
    TX_STATUS = 0x08,
    TX_MAX = 0x0C,
    TX_FROM = 0x14,
    TX_BYTES = 0x18,
    TX_TO = 0x1C,
    TX_TRANSFERS = 0x30,
    TX_STARTED = 0x34,
    TX_ENDED = 0x3C,
    TX_LINES = 0x40,
    TX_VALUE = 0x44,
    TX_PERIOD = 0x4C, /* of acknowledgements */
    RX_CONTROL = 0x00,
    RX_BYTES = 0x04,
    RX_POINTER = 0x08,
    RX_START = 0x0C,
    RX_SIZE = 0x10,
    RX_LINES = 0x14,
    RX_STARTED = 0x24,
    RX_ENDED = 0x28,
    RX_LOCAL = 0x40,
    RX_REMOTE = 0x44,
    RX_DROPPED = 0x4C,
    RX_OUTSTANDING = 0x50,
};

enum { RX_PACKET_MODE = 2, RX_WRAP = 4, RX_BACK_PRESSURE = 8 };

struct link *link_make(const char *system);
struct link *link_make_with(const char *system, uint32_t latency_cycles, uint32_t gbps);
struct link *link_make_of(const struct system_wish *config, unsigned number); /* that link of the cluster */
void link_free(struct link *link);

uint32_t txq(unsigned queue, uint32_t offset);
uint32_t rxq(const struct link *link, unsigned queue, uint32_t offset);

uint32_t peek(struct link *link, unsigned end, uint32_t address);
void poke(struct link *link, unsigned end, uint32_t address, uint32_t value);
void fill(struct link *link, unsigned end, uint32_t address, uint32_t bytes, uint32_t seed);
void read_far(struct link *link, uint32_t address, void *data, uint32_t bytes);

/* The near end sends. store_to(): an end does. */
void send_raw(struct link *link, unsigned queue, uint32_t from, uint32_t bytes);
void send_l1(struct link *link, unsigned queue, uint32_t from, uint32_t to, uint32_t bytes);
void store_to(struct link *link, unsigned end, unsigned queue, uint32_t to, uint32_t value);

/* Let cycles pass; let everything happen. */
void step(struct link *link, uint64_t cycles);
void settle(struct link *link);

/* Memory of the near end, and of the far end. */
void assert_same(struct link *link, uint32_t near, uint32_t far, uint32_t bytes);

#endif
