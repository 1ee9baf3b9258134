/* SPDX-License-Identifier: Apache-2.0 */
/* What ACC atomics ask of the adder beside L1 (tile/accumulate.h): sixteen bytes plus broadcast data. */
#ifndef NOC_ACCUMULATE_H
#define NOC_ACCUMULATE_H

#include <stdbool.h>
#include <stdint.h>

/* True for the formats that the page's table has (BlackholeA0/NoC/Atomics.md, "Parallel addition"). */
bool tf_noc_accumulate_has(unsigned format);

/* line += data, both little-endian words; format is one that tf_noc_accumulate_has(). */
void tf_noc_accumulate(unsigned format, uint32_t line[4], uint32_t data);

#endif
