/* SPDX-License-Identifier: Apache-2.0 */
/* What the exported functions share. */
#ifndef ABI_LIBTTSIM_H
#define ABI_LIBTTSIM_H

#include <stdbool.h>
#include <stdint.h>

struct abi;
struct recorded;
struct tf_chip;
struct tf_fault;
struct tf_system;

/* The first chip of the interface, for programs that link it; NULL: none. */
struct tf_chip *abi_chip(void);

const struct abi *abi_state(void);

/* Serve calls with a chip that the caller has made. Nothing is printed. Callbacks of the chip's configuration access
   host memory. NULL, or a chip of a family without a device: serve no calls. */
void abi_adopt(struct tf_chip *chip, uint32_t clock_least);

/* The same with a system of several chips. */
void abi_adopt_system(struct tf_system *system, uint32_t clock_least);

/* The tf_config.on_fault of such a chip; what it must do for a chip of a system. */
void abi_adopted_fault(void *user, const struct tf_fault *fault);
void abi_adopted_fault_of(unsigned chip, const struct tf_fault *fault);

/* Make a call of a client, of a recording: an abi_play_call. */
bool abi_play(const struct recorded *call, void *data, uint32_t *word);

/* Such a chip accesses host memory: on_host_read and on_host_write call this. */
void abi_adopted_host(void);

#endif
