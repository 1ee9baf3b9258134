/* SPDX-License-Identifier: Apache-2.0 */
/* A chip behind the libttsim interface. It is the built-in one, or one of a loaded library. */
#ifndef CLI_BENCH_ABI_H
#define CLI_BENCH_ABI_H

#include <stdbool.h>

struct bench_engine;

/* The functions of a library with the libttsim interface, for bench_abi_ops. NULL: the one that is built in. */
bool bench_abi_load(struct bench_engine *engine, const char *library);

#endif
