/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A peer: any library with the libttsim interface, used through that interface alone. It runs in a process of its own,
 * since a library may end its process where a program does what it refuses.
 */
#ifndef TESTS_RECORD_PEER_H
#define TESTS_RECORD_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "conformance/abi/driver.h"
#include "peer_family.h"

#define PEER_X PEER_TILE_X(0)
#define PEER_Y PEER_TILE_Y(0)

enum peer_core { PEER_B, PEER_T0 };

/* RISC-V code that is put together word by word, for PEER_CODE (B) or PEER_T0_CODE. */
#define PEER_CODE 0x1000u
#define PEER_CODE_WORDS 0x20000u

struct peer_code {
    uint32_t word[PEER_CODE_WORDS];
    unsigned count;
    unsigned tile; /* where it runs */
};

enum { X_ZERO, X_BASE = 5, X_VALUE = 6, X_ADDRESS = 7 };

void peer_emit(struct peer_code *code, uint32_t word);
void peer_li(struct peer_code *code, unsigned rd, uint32_t value);
/* *address = value */
void peer_store(struct peer_code *code, uint32_t address, uint32_t value);
/* A load whose value no instruction needs: it waits until the register has one. */
void peer_wait(struct peer_code *code, uint32_t address);
/* *to = *from */
void peer_copy(struct peer_code *code, uint32_t to, uint32_t from);

/* Run the code on a core of the tile until it has ended. False: it has not, after many cycles. */
bool peer_run(const struct api *api, enum peer_core core, struct peer_code *code);

/*
 * In a child, load the library, start the chip, and let `act` use it; `result`, of so many bytes, is the caller's and
 * comes back. False: the library refused, or there is none.
 */
bool peer_call(const char *library, bool (*act)(const struct api *api, const void *job, void *result), const void *job,
               void *result, size_t bytes);

#endif
