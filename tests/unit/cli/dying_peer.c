/* SPDX-License-Identifier: Apache-2.0 */
/* A library with the libttsim interface that prints something, and ends the process when time should pass. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tilefarm/libttsim.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void libttsim_init(void)
{
}

EXPORT void libttsim_exit(void)
{
}

EXPORT void libttsim_pci_mem_rd_bytes(uint64_t paddr, void *dst, uint32_t size)
{
    (void)paddr;
    memset(dst, 0, size);
}

EXPORT void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void *src, uint32_t size)
{
    (void)paddr;
    (void)src;
    (void)size;
}

EXPORT void libttsim_clock(uint32_t n_clocks)
{
    (void)n_clocks;
    if (getenv("DYING_PEER_SIGNAL") != NULL)
        raise(SIGKILL);
    fprintf(stderr, "first line\nERROR: no such thing\n");
    _exit(1);
}
