/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of the host to the nodes of a chip. */
#ifndef NOC_WHOLE_HOST_ACCESS_H
#define NOC_WHOLE_HOST_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

struct tf_fabric;
struct tf_node;

/* Access any range of memory, or 4 aligned bytes of a register. The firmware of an Ethernet tile may react. TF_OK,
   TF_ERANGE, TF_EACCESS, TF_ENOMEM. */
int tf_node_write(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, const void *data, uint64_t bytes);
int tf_node_read(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, void *data, uint64_t bytes);

/* Has a read there an effect? Some registers have one, and the firmware of an Ethernet tile may react. */
bool tf_node_read_acts(const struct tf_node *node, uint64_t address);

#endif
