/* SPDX-License-Identifier: Apache-2.0 */
/* Going back under TILEFARM_GDB. */
#ifndef ABI_PAST_H
#define ABI_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct abi;
struct recorded;

/* Make a call of a client. data: what it wrote, or room for what it reads. word: what a read of the configuration space
   gave. Returns false if the record is no call. */
typedef bool abi_play_call(const struct recorded *call, void *data, uint32_t *word);

/* With a debugger. In order: begin and end with the chip; keep bytes of a record. Read host memory as it was;
   false: the caller must. Is this process the past? The end of a call; in the past it does not return. */
void abi_past_begin(struct abi *abi, abi_play_call *play);
void abi_past_end(struct abi *abi);
void abi_past_put(struct abi *abi, const void *data, size_t bytes);
bool abi_past_host_read(struct abi *abi, uint64_t address, void *data, uint32_t bytes);
bool abi_past_plays(const struct abi *abi);
void abi_past_go_on(struct abi *abi);

#endif
