/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file libttsim_ext.h
 * Functions of tilefarm's libttsim.so that libttsim.h does not have. A program must look them up with dlsym(), since
 * other libraries lack them. They may be called at any time, also before libttsim_init(), on the thread that calls the
 * functions of libttsim.h. None writes to stderr or ends the process.
 *
 * Texts: a function that writes a text takes a buffer and its size in bytes. It writes at most bytes - 1 characters and
 * a NUL, and returns the length of the whole text. A buffer of NULL with size 0 asks for the length.
 */
#ifndef TILEFARM_LIBTTSIM_EXT_H
#define TILEFARM_LIBTTSIM_EXT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this header. A larger version only adds functions. */
#define LIBTTSIM_EXT_VERSION 1u

/** Returns LIBTTSIM_EXT_VERSION of the library. */
uint32_t libttsim_ext_version(void);

/** Name and version of the library: "tilefarm 1.0.0". */
const char *libttsim_ext_library(void);

/**
 * Capability query. Names: "blackhole" (the family), "threads", "fault-report" (page of BAR 0, docs/libttsim.md),
 * "init-after-exit", "noc1-windows", "tile-access" (libttsim_tile_*), "debug-interface", "harvesting",
 * "soc-descriptor", "relaxed", "semihosting", "multichip", "ethernet-links".
 * @return 1: the library has it; 0: it does not, or the name is unknown.
 */
uint32_t libttsim_ext_has(const char *capability);

/**
 * Get the last fault or refused call: the line on stderr, without "tilefarm: " and the newline.
 * @param[out] count  faults and refused calls since the library was loaded; may be NULL.
 * @return the length of the text; 0: there was no error.
 */
uint32_t libttsim_ext_last_error(char *text, uint32_t bytes, uint64_t *count);

/** The chip in the YAML that tt-umd reads as soc_descriptor.yaml. Before libttsim_init(), it is the chip that the
 *  environment variables choose. */
uint32_t libttsim_ext_soc_descriptor(char *text, uint32_t bytes);

/** The board in the YAML that tt-umd reads as cluster_descriptor.yaml: identifier and fused-off parts. */
uint32_t libttsim_ext_cluster_descriptor(char *text, uint32_t bytes);

#ifdef __cplusplus
}
#endif
#endif
