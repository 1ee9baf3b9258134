/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOST_ZEROS_H
#define HOST_ZEROS_H

#include <stdbool.h>
#include <stdint.h>

/* Is memory all zeros? */
bool tf_zeros(const uint8_t *data, uint64_t bytes);

#endif
