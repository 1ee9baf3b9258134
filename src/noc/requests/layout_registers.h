/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of NIU registers in a family's own layout. */
#ifndef NOC_REQUESTS_LAYOUT_REGISTERS_H
#define NOC_REQUESTS_LAYOUT_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

/* tf_niu_load() and tf_niu_store() for a family with a layout of its own (noc/niu_layout.h). */
enum tf_access tf_niu_layout_load(void *niu, uint32_t offset, uint32_t *value, bool *pure);
enum tf_access tf_niu_layout_store(void *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);

#endif
