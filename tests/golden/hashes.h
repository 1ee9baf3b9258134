/* SPDX-License-Identifier: Apache-2.0 */
/* State hashes that workloads have in the default profile, with the seed 1: hashes.def. */
#ifndef GOLDEN_HASHES_H
#define GOLDEN_HASHES_H

#include <stdint.h>

/*
 * Fails the test where the recorded state hash is another one, or where there is none. With GOLDEN_RECORD=FILE in the
 * environment it appends a row to that file instead (record.sh). L1 holds device programs, so hashes stand for one
 * version of their compiler: with another one nothing is compared, and a message says so.
 */
void golden_hash(const char *family, const char *name, uint64_t hash);

#endif
