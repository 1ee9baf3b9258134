/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a chip, made from those of the table that it can run. Names and descriptions have the chip's numbers of
 * tiles and cores. If the chip is not the default one, some rows have less work or other work.
 */
#ifndef CLI_BENCH_FAMILY_H
#define CLI_BENCH_FAMILY_H

struct bench_row;
struct tf_arch;

/* The rows of a chip; the caller frees them. Returns NULL if the host has no memory. */
struct bench_row *bench_family_rows(const struct tf_arch *arch, unsigned *count);

#endif
