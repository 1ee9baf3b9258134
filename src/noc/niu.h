/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of a NOC interface unit; niu_state.h has its state. */
#ifndef NOC_NIU_H
#define NOC_NIU_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/noc.h"
#include "tile/access.h"

struct tf_hash;
struct tf_saved;

#define TF_NIU_INITIATORS_END (TF_NIU_INITIATORS * TF_NIU_INITIATOR_STRIDE) /* behind the registers of all initiators */
#define TF_NIU_INITIATOR_BYTES (4 * TF_NIU_INITIATOR_WORDS)

/* NOC_CMD_CTRL of an initiator. */
static inline uint32_t *tf_niu_cmd_ctrl(struct tf_niu *niu, unsigned initiator)
{
    return &niu->initiator[initiator][niu->cmd_ctrl];
}

/* Load a register: a function of the tile's port (tile/port.h). offset: below 0x10000, a multiple of 4. */
enum tf_access tf_niu_load(void *niu, uint32_t offset, uint32_t *value, bool *pure);

/* Store to a register that is no word of an initiator. */
enum tf_access tf_niu_store_other(struct tf_niu *niu, uint32_t offset, uint32_t value, unsigned core);

void tf_niu_hash(const struct tf_niu *niu, struct tf_hash *hash);

/* The saved state (host/saved.h). */
void tf_niu_state(struct tf_saved *saved, struct tf_niu *niu);

#endif
