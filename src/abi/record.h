/* SPDX-License-Identifier: Apache-2.0 */
/* TILEFARM_RECORD: the calls of the host. */
#ifndef ABI_RECORD_H
#define ABI_RECORD_H

#include <stdbool.h>
#include <stdint.h>

struct abi;
struct abi_access;

/* TILEFARM_RECORD. Begin and end with the chip. Record a call before it is served (an enum recorded_kind),
   the data that a read returned, and the data of a callback. */
void abi_record_begin(struct abi *abi);
void abi_record_end(struct abi *abi);
void abi_record_call(struct abi *abi, uint32_t kind, uint32_t x, uint32_t y, const struct abi_access *access);
void abi_record_result(struct abi *abi, const void *data, uint32_t bytes);
void abi_record_host(struct abi *abi, bool writes, uint64_t address, const void *data, uint32_t bytes);

#endif
