/* SPDX-License-Identifier: Apache-2.0 */
/* Several chips in one library. */
#ifndef ABI_SEVERAL_H
#define ABI_SEVERAL_H

#include "abi/abi.h"

/*
 * The cluster that TILEFARM_SYSTEM names; else that of a cluster_descriptor.yaml in the folder of the library, if it
 * has several chips. The caller frees it. NULL: there is none, or it cannot be used, which is reported.
 */
struct tf_cluster *abi_cluster(struct abi *abi);

/* Let each chip of a system be a device. */
void abi_take_system(struct abi *abi, struct tf_system *system);

/* Make a system, and a device for each chip of it. TF_OK, or an error with a message. */
int abi_create_system(struct abi *abi, const struct tf_config *config, const struct tf_cluster *cluster,
                      struct tf_message *message);

#endif
