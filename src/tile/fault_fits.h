/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_FAULT_FITS_H
#define TILE_FAULT_FITS_H

#include <stdbool.h>

struct tf_fault;

/* Does a record from a file have values that a record can have? Its place is not checked. */
bool tf_fault_fits(const struct tf_fault *fault);

#endif
